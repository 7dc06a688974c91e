#!/usr/bin/env python3
"""Options and names that are wrong get one sentence and exit code 1. Usage: bad_input_test.py PROGRAM"""
import os
import subprocess

import program
from program import ProgramTest


class BadInput(ProgramTest):
    def test_command_line(self):
        for words, part in ((["--fly"], "no option --fly"), (["fly"], 'no command "fly"; the commands are run, resume, rerun, sweep, info'), (["run"], "case"), (["run", "tank.toml", "--fast"], "--fast"),
                            (["compare", "a"], "B")):
            with self.subTest(words):
                self.assertIn(part, self.fail_with(1, *words))

    def test_words_that_cannot_be_printed(self):
        """A terminal would obey them, and a reader of lines would see two."""
        for word, told in ((b"--b\nad", r"no option --b\nad"), (b"b\nc\x1b[31mRED", r"b\nc\x1b[31mRED"), (b"--\xff\xfe", r"--\xff\xfe")):
            with self.subTest(word):
                done = subprocess.run([program.PROGRAM, "run", "tank.toml", "x", "y", word], cwd=self.folder, capture_output=True)
                self.assertEqual(done.returncode, 1)
                self.assertIn(told, self.one_sentence(done.stderr.decode()))
                self.assertNotIn("\x1b", done.stderr.decode())

    def test_numbers_of_options(self):
        for words, part in ((["--threads", "two"], "--threads: two is no whole number;"), (["--threads", "1.5"], "--threads: 1.5 is no whole number;"),
                            (["--ranks", "0x2"], "--ranks: 0x2 is no whole number;"), (["--devices", "0,one"], "--devices: one is no whole number;"),
                            (["--device", "-5"], "--device: -5 is out of range: allowed are whole numbers from 0 to 2147483647;"),
                            (["--threads", "99999999999"], "--threads: 99999999999 is out of range"),
                            (["--audit", "99999999999999999999999"], "--audit: 99999999999999999999999 is out of range"),
                            (["--checkpoint-every", "often"], "--checkpoint-every: often is no number;")):
            with self.subTest(words):
                self.assertIn(f"halfulp: {part}", self.fail_with(1, "run", "tank.toml", "-o", "a", *words))
                self.assertFalse((self.folder / "a").exists(), "nothing is created for a run that cannot be")
        # Ten and not, as in C, eight.
        self.assertIn(": robust, cpu, 10 threads", self.succeed("run", "tank.toml", "-o", "a", "--threads", "010", "--set", "time.end=0.001"))

    def test_an_empty_value_is_none(self):
        """Such as that of a variable of the shell that is not set: it would count as zero."""
        for words, told in ((["run", "tank.toml", "--audit", ""], "the word after --audit is empty"),
                            (["resume", "a", "--until="], "the value of --until is empty"),
                            (["run", "tank.toml", "-o", ""], "the word after -o is empty"), (["run", ""], "the word after run is empty")):
            with self.subTest(words):
                self.assertEqual(self.fail_with(1, *words), f"halfulp: {told}; give a value, or leave it out")
        self.assertFalse((self.folder / "out").exists())

    def test_more_threads_than_a_program_can_have(self):
        """Nobody means them: it takes as many as there are processors. A team of so many would not fit on a stack."""
        environment = dict(os.environ, OMP_NUM_THREADS="100000")
        self.assertIn("260 (100 fluid, 160 wall)", self.succeed("info", "tank.toml", env=environment))

    def test_lanes_and_threads(self):
        for words in (["--lanes", "3"], ["--lanes", "2"], ["--lanes", "many"], ["--threads", "-1"], ["--threads", "100000"]):
            with self.subTest(words):
                self.assertIn(" ".join(words), self.fail_with(1, "run", "tank.toml", "-o", "a", *words))
                self.assertFalse((self.folder / "a").exists(), "nothing is created for a run that cannot be")

    def test_what_the_cpu_does_not_keep_of_neighbours(self):
        self.assertIn("--neighbours some: allowed are auto, stored, compact, masks and none", self.fail_with(1, "run", "tank.toml", "-o", "a", "--neighbours", "some"))
        for how in ("compact", "masks"):
            self.assertIn(f"--neighbours {how}: only CUDA devices have them", self.fail_with(5, "run", "tank.toml", "-o", "a", "--backend", "cpu", "--neighbours", how))
        self.assertFalse((self.folder / "a").exists(), "nothing is created for a run that cannot be")

    def test_a_device_that_is_not_there(self):
        """Who names a device does not want the CPU."""
        self.assertRegex(self.fail_with(5, "run", "tank.toml", "-o", "a", "--device", "4096"), "^halfulp: --device: th(is program|ere is no|e NVIDIA driver) .*; leave it out$")
        for words, sentence in ((("run", "-o", "a", "--backend", "cpu"), "--device is for CUDA, but --backend is cpu; omit one of the two"),
                                (("run", "-o", "a", "--threads", "2"), "--device: --threads, --lanes and --ranks are those of the CPU; leave them out"),
                                (("sweep", "-o", "a", "--vary", "time.cfl=0.1,0.2"), "--device: a sweep takes a CUDA device with --backend cuda"),
                                (("info",), "--device needs --backend cuda")):
            with self.subTest(words=words):
                self.assertIn(sentence, self.fail_with(1, words[0], "tank.toml", *words[1:], "--device", "0"))
        self.assertFalse((self.folder / "a").exists())

    def test_a_case_without_a_name(self):
        (self.folder / "...toml").write_text((self.folder / "tank.toml").read_text())
        self.assertIn("...toml: a case has the name of its file without .toml", self.fail_with(1, "run", "...toml"))
        self.assertFalse((self.folder / "run.h5").exists())

    def test_unknown_case(self):
        sentence = self.fail_with(1, "run", "dam-brake-2d")
        self.assertIn('the nearest name is "dam-break-2d"', sentence)
        self.fail_with(1, "info", "")
        self.fail_with(1, "info", ".")
        self.assertIn("nowhere/tank.toml", self.fail_with(1, "info", "nowhere/tank.toml"))

    def test_typing_mistake_in_a_name_that_is_there(self):
        for words, told in ((["run", "tnak.toml"], "did you mean tank.toml?"), (["info", "tank"], "did you mean tank.toml?"),
                            (["run", "./tanks.toml"], "did you mean ./tank.toml?"), (["rnu"], 'did you mean "run"? The commands are run, '),
                            (["run", "tank.toml", "--treads", "2"], "halfulp run has no option --treads (did you mean --threads?); --help"),
                            (["sweep", "tank.toml", "--very=1"], "halfulp sweep has no option --very (did you mean --vary?); --help"),
                            (["--verbose"], "halfulp has no option --verbose; --help")):
            with self.subTest(words):
                self.assertIn(told, self.fail_with(1, *words))
        self.assertNotIn("did you mean", self.fail_with(1, "run", "elsewhere.toml"))

    def test_a_file_of_a_run_is_no_case(self):
        self.succeed("run", "tank.toml", "-o", "a", "--quiet")
        for name in ("a/run.h5", "a/outputs/000001.h5"):
            self.assertIn(f"{name}: this is a file of a run, but a case is needed; halfulp rerun RUN", self.fail_with(1, "run", name))

    def test_typing_mistake_in_a_key(self):
        case = self.folder / "tank.toml"
        case.write_text(case.read_text().replace("sound_speed", "sound_sped"))
        sentence = self.fail_with(1, "run", "tank.toml")
        self.assertIn("tank.toml:6", sentence)
        self.assertIn("sound_speed", sentence)
        case.write_text("title = \n")
        self.assertIn("tank.toml:1", self.fail_with(1, "run", "tank.toml"))

    def test_overrides(self):
        for override in ("resolution.spacing", "resolution.spacing=", "resolution.spacing=-1", "resolution.spaccing=0.1",
                         "time.end=soon", "shapes.sea.box.to=[1, 1]", "shapes.water.box.to=[1]", "=1", "a..b=1"):
            with self.subTest(override):
                self.assertIn(f"--set {override}", self.fail_with(1, "info", "tank.toml", "--set", override))

    def test_a_case_behind_overrides(self):
        self.assertIn("halfulp: --set tank.toml: this is no KEY=VALUE; if it is the case, give it before --set;",
                      self.fail_with(1, "run", "--set", "time.end=0.01", "tank.toml", "-o", "a"))

    def test_case_that_cannot_be_set_up(self):
        self.fail_with(1, "run", "tank.toml", "--set", "shapes.water.box.to=[1e-9, 1e-9]")
        self.fail_with(1, "run", "tank.toml", "--set", "resolution.spacing=1e-7")


if __name__ == "__main__":
    program.main()
