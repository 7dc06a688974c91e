#!/usr/bin/env python3
"""Whatever goes wrong, the program says one sentence on standard error and leaves a known exit code; what it had
written stays readable. Usage: failures_test.py PROGRAM"""
import os
import pty
import re
import resource
import select
import shutil
import signal
import subprocess
import time

import program
from program import limit_file_size, ProgramTest


class BadInput(ProgramTest):
    def test_command_line(self):
        for words, part in ((["--fly"], "no option --fly"), (["fly"], 'no command "fly"; the commands are run, resume, rerun, sweep, info'), (["run"], "case"), (["run", "tank.toml", "--fast"], "--fast"),
                            (["compare", "a"], "B")):
            with self.subTest(words):
                self.assertIn(part, self.fail_with(1, *words))

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
        self.assertIn("--neighbours some: allowed are auto, stored, masks and none", self.fail_with(1, "run", "tank.toml", "-o", "a", "--neighbours", "some"))
        self.assertIn("--neighbours masks: only CUDA devices have them", self.fail_with(5, "run", "tank.toml", "-o", "a", "--backend", "cpu", "--neighbours", "masks"))
        self.assertFalse((self.folder / "a").exists(), "nothing is created for a run that cannot be")

    def test_a_device_that_is_not_there(self):
        """Who names a device does not want the CPU."""
        self.assertRegex(self.fail_with(5, "run", "tank.toml", "-o", "a", "--device", "4096"), "^halfulp: --device: th(is program|ere is no|e NVIDIA driver) .*; leave it out$")
        for words, sentence in ((("run", "-o", "a", "--backend", "cpu"), "--device: of CUDA, but --backend is cpu; leave one of the two out"),
                                (("run", "-o", "a", "--threads", "2"), "--device: --threads, --lanes and --ranks are those of the CPU; leave them out"),
                                (("sweep", "-o", "a", "--vary", "time.cfl=0.1,0.2"), "--device: a sweep takes a CUDA device with --backend cuda"),
                                (("info",), "--device: a CUDA device is told of with --backend cuda")):
            with self.subTest(words=words):
                self.assertIn(sentence, self.fail_with(1, words[0], "tank.toml", *words[1:], "--device", "0"))
        self.assertFalse((self.folder / "a").exists())

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
            self.assertIn(f"{name}: this is a file of a run, and a case is wanted; halfulp rerun RUN", self.fail_with(1, "run", name))

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


class Output(ProgramTest):
    def test_folder_that_cannot_be(self):
        (self.folder / "file").write_text("")
        for folder in ("file", "file/run", "/proc/run"):
            with self.subTest(folder):
                self.assertIn(folder, self.fail_with(4, "run", "tank.toml", "-o", folder))

    def test_read_only_folder(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        (self.folder / "locked").mkdir(mode=0o555)
        self.assertIn("locked", self.fail_with(4, "run", "tank.toml", "-o", "locked/run"))

    def check_kept(self, run, err):
        self.assertRegex(self.one_sentence(err), r"cannot write .*\.(h5|csv): ")
        kept = self.outputs(run)
        self.assertGreaterEqual(len(kept), 2, "what was written before is readable")
        return kept

    def test_disk_that_fills_up(self):
        words = ("run", "tank.toml", "-o", "a", "--set", "time.end=0.5", "--set", "output.interval=0.01", "--set", "output.ledger_every=1")
        self.succeed(*words)
        whole = self.outputs("a")
        # run.h5 grows from output to output, by the ledger above all.
        most = (self.folder / "a/run.h5").stat().st_size
        self.assertGreater(most, 3 * (self.folder / "a/outputs/000000.h5").stat().st_size)
        for part in (0.5, 0.7, 0.9):
            with self.subTest(part):
                code, _, err = self.run_program(*words, "--overwrite", preexec_fn=limit_file_size(int(part * most)))
                self.assertEqual(code, 4, err)
                kept = self.check_kept("a", err)
                self.assertLess(len(kept), len(whole))
                self.assertEqual(kept, whole[: len(kept)], "with the bits they should have")
        # No room even for the beginning: the run that was there stays.
        code, _, err = self.run_program(*words, "--overwrite", preexec_fn=limit_file_size(4096))
        self.assertEqual(code, 4)
        self.one_sentence(err)
        self.assertGreaterEqual(len(self.outputs("a")), 2)

    def test_list_for_paraview_that_has_no_room(self):
        """run.xdmf is larger than any other file: when it does not fit, run.h5 names the output already, which stays."""
        words = ("run", "tank.toml", "-o", "a", "--set", "time.end=0.45", "--set", "output.interval=0.005", "--set", "output.ledger_every=1000")
        self.succeed(*words)
        sizes = sorted(path.stat().st_size for path in (self.folder / "a").rglob("*") if path.is_file())
        self.assertEqual(sizes[-1], (self.folder / "a/run.xdmf").stat().st_size)
        code, _, err = self.run_program(*words, "--overwrite", preexec_fn=limit_file_size((sizes[-1] + sizes[-2]) // 2))
        self.assertEqual(code, 4, err)
        self.assertIn("run.xdmf", err)
        self.succeed("info", "--verify", "a")

    def test_a_limit_of_file_sizes_is_told_by_every_command(self):
        self.succeed("run", "tank.toml", "-o", "a", "--quiet")
        for words in (["operators", "a", "--field", "pressure", "-o", "o"], ["sweep", "tank.toml", "--vary", "time.cfl=0.1", "-o", "s"]):
            with self.subTest(words):
                code, _, err = self.run_program(*words, preexec_fn=limit_file_size(10))
                self.assertEqual(code, 4, "not by a signal")
                self.one_sentence(err)
                self.assertIn("File too large", err)

    def test_disk_that_is_really_full(self):
        words = ["run", "tank.toml", "-o", "disk/a", "--threads", "1", "--set", "output.interval=0.001"]
        done = self.run_on_small_disk("1400k", words)  # the data alone would have room
        self.assertEqual(done.returncode, 4, done.stderr)
        self.check_kept("kept", done.stderr)
        self.assertRegex(done.stderr, r"needs up to [1-9]\d* kB, \d+ kB free", "it says how much room there was")

    def test_what_is_not_of_a_run_stays(self):
        kept = ("probes/measured.csv", "outputs/2024.h5", "figures/particles.png", "inputs/part.stl")
        for name in kept:
            (self.folder / "a" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / "a" / name).write_text("mine")
        probe = ["--set", 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003}]']
        self.succeed("run", "tank.toml", "-o", "a", "--no-figures", *probe)
        self.assertTrue((self.folder / "a/probes/p.csv").exists())
        for name in kept:
            self.assertEqual((self.folder / "a" / name).read_text(), "mine", name)
        self.succeed("run", "tank.toml", "-o", "a", "--no-figures", "--overwrite", "--set", "time.end=0.02")
        self.assertFalse((self.folder / "a/probes/p.csv").exists())
        self.assertEqual(len(list((self.folder / "a/outputs").glob("0*.h5"))), 3)
        for name in kept:
            self.assertEqual((self.folder / "a" / name).read_text(), "mine", name)

    def test_standard_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            self.assertIn("standard output", self.fail_with(4, "info", "tank.toml", stdout=full))
            self.assertIn("standard output", self.fail_with(4, "run", "tank.toml", "-o", "a", stdout=full))
        self.assertEqual(self.provenance("a", "end_state"), "complete", "the run itself is whole")

    def test_standard_output_that_is_closed(self):
        # The run's file must not take the number of the stream, or the summary would be written into it.
        self.succeed("run", "tank.toml", "-o", "a")
        words = [program.PROGRAM, "run", "tank.toml", "--threads", "1", "-o", "b"]
        done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *words], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.outputs("b"), self.outputs("a"))


class AsNobody(ProgramTest):
    """Runs by a user whom permissions and limits concern, which root they do not."""

    def run_as_nobody(self, words, **more):
        if os.geteuid() == 0:
            if shutil.which("setpriv") is None:
                self.skipTest("there is no setpriv")
            # Outside of the folders of root.
            if not (self.folder / "halfulp").exists():  # one that has just ended may be busy still
                shutil.copy(program.PROGRAM, self.folder / "halfulp")
            self.folder.chmod(0o777)
            words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "./halfulp", *words]
        else:
            words = [program.PROGRAM, *words]
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=60, **more)

    def succeed_as_nobody(self, *words, **more):
        done = self.run_as_nobody(words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def fail_as_nobody(self, expected, *words, **more):
        done = self.run_as_nobody(words, **more)
        self.assertEqual(done.returncode, expected, done.stderr)
        return self.one_sentence(done.stderr)


class FewProcesses(AsNobody):
    """OpenMP's library would abort with a message of its own."""

    def test_of_which_threads_are_some(self):
        few = lambda: resource.setrlimit(resource.RLIMIT_NPROC, (50, 50))  # noqa: E731
        more = {"env": dict(os.environ, OMP_NUM_THREADS="3000"), "preexec_fn": few}
        sentence = self.fail_as_nobody(5, "run", "tank.toml", "-o", "a", "--threads", "3000", **more)
        self.assertRegex(sentence, r"of 3000 threads this machine lets only \d+ be made .* take fewer with --threads or OMP_NUM_THREADS")
        # Setting a case up goes on with one, and so does a run that asks for no more.
        for words in (["--version"], ["info", "tank.toml"], ["run", "tank.toml", "-o", "a", "--threads", "1", "-q"]):
            self.succeed_as_nobody(*words, **more)


class Unreadable(AsNobody):
    """What may not be read is said to be that, not to be absent or another program's."""

    def test_folder(self):
        (self.folder / "locked").mkdir(mode=0)
        self.addCleanup((self.folder / "locked").chmod, 0o755)
        for words in (["info", "locked"], ["rerun", "locked"], ["compare", "locked", "locked"], ["info", "locked/case.toml"]):
            self.assertIn("Permission denied", self.fail_as_nobody(1, *words))
        for words in (["resume", "locked"], ["run", "tank.toml", "-o", "locked/a"]):
            self.assertIn("Permission denied", self.fail_as_nobody(4, *words))

    def test_file_of_a_run(self):
        self.succeed("run", "tank.toml", "-o", "a")
        for path in (self.folder / "a").rglob("*"):
            path.chmod(0o777)
        (self.folder / "a").chmod(0o777)
        before = (self.folder / "a/run.h5").read_bytes()
        (self.folder / "a/run.h5").chmod(0)
        for words in (["info", "a"], ["resume", "a"], ["compare", "a", "a"]):
            self.assertIn("cannot read a/run.h5: Permission denied", self.fail_as_nobody(1, *words))
        for more in ([], ["--overwrite"]):
            self.assertIn("cannot read a/run.h5, so whether its run may be replaced is unknown", self.fail_as_nobody(4, "run", "tank.toml", "-o", "a", *more))
        (self.folder / "a/run.h5").chmod(0o600)
        self.assertEqual((self.folder / "a/run.h5").read_bytes(), before)


class Breakdown(ProgramTest):
    # The balance laws alone, which break down where they are asked to.
    ALONE = ("--set", "numerics.walls=dynamic", "--set", "numerics.density_diffusion=none", "--set", "numerics.wall_slip=no-slip")

    def test_density_out_of_bounds(self):
        sentence = self.fail_with(3, "run", "tank.toml", "-o", "a", *self.ALONE, "--set", "numerics.density_bound=0.02", "--set",
                                  "output.interval=0.002", "--set", "shapes.water.velocity=[3, 0]")
        found = re.search(r"in step (\d+) \(t = (\S+) s\): (fluid|wall) particle \d+ at \(.*\) m: .*density_bound", sentence)
        self.assertTrue(found, sentence)
        outputs = self.outputs("a")
        self.assertGreaterEqual(len(outputs), 2)
        self.assertEqual(int(outputs[-1][1]), int(found.group(1)) - 1, "the last output is of the last whole step")
        self.assertTrue(self.provenance("a", "end_state").startswith("stopped: its density"))
        self.assertRegex(sentence, r"density deviation has doubled since (t = \S+ s|the start), the largest speed since")
        self.assertIn("the surroundings of the particle in a/breakdown.vtk", sentence)
        text = (self.folder / "a/breakdown.vtk").read_text().splitlines()
        number = re.search(r"particle (\d+) at", sentence).group(1)
        self.assertIn(f"around particle {number}, step", text[1])
        points = int(text[4].split()[1])
        self.assertTrue(5 < points < 120, "not the whole tank")
        values = {line.split()[1]: text[k + 2 : k + 2 + points] for k, line in enumerate(text) if line.startswith("SCALARS")}
        self.assertEqual([values["id"][k] for k in range(points) if float(values["distance"][k]) == 0], [number])
        self.assertGreater(abs(float(values["density_deviation"][values["id"].index(number)])), 0.02)
        self.succeed("info", "--verify", "a")
        (self.folder / "a/breakdown.vtk").write_text("\n".join(text).replace("kind", "mind"))
        self.assertIn("a/breakdown.vtk is damaged", self.fail_with(1, "info", "--verify", "a"))

    def test_in_the_first_step(self):
        """The state before it and the one inside it have one time, of which ParaView reads one grid."""
        sentence = self.fail_with(3, "run", "tank.toml", "-o", "a", *self.ALONE, "--set", "numerics.density_bound=1e-6", "--set",
                                  "shapes.water.velocity=[3, 0]")
        self.assertIn("broke down in step 1 ", sentence)
        self.assertEqual([step for _, step, _ in self.outputs("a")], ["0", "0"])
        text = (self.folder / "a/run.xdmf").read_text()
        self.assertEqual(re.findall('<Time Value="(.*)"/>', text), ["0"])
        self.assertIn("outputs/000001.h5:/position", text)

    def test_without_room_for_the_state(self):
        """What broke down, and why, is said all the same."""
        words = ["run", "tank.toml", "-o", "disk/a", *self.ALONE, "--set", "numerics.density_bound=1e-6", "--set", "shapes.water.velocity=[3, 0]",
                 "--set", "output.interval=1"]
        for size, kept in ((96, False), (120, False), (400, True)):
            with self.subTest(size):
                done = self.run_on_small_disk(f"{size}k", words)
                (self.folder / "disk").rmdir()
                shutil.rmtree(self.folder / "kept")
                self.assertEqual("halfulp: the state at the breakdown is not kept: " in done.stderr, not kept, done.stderr)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("broke down in step 1 ", done.stderr)

    # What is caught by another rule first unless it is kept from it.
    WILD = ("--set", "numerics.skin=0.5", "--set", "numerics.density_bound=0.99")

    def test_faster_than_sound(self):
        sentence = self.fail_with(3, "run", "tank.toml", "-o", "a", *self.WILD, "--set", "shapes.water.velocity=[17, 0]",
                                  "--set", "time.cfl=0.1")
        self.assertRegex(sentence, r"in step \d+ .*: fluid particle \d+ at .*: it moves at \S+ m/s, faster than sound \(fluid.sound_speed = 30 m/s\)")
        self.assertIn("Likely cause: ", sentence)
        self.assertTrue((self.folder / "a/breakdown.vtk").exists())
        steps = [int(step) for _, step, _ in self.outputs("a")]
        self.assertEqual(len(set(steps)), len(steps), "the state between two steps is written once")
        self.assertIn(f"in step {steps[-1] + 1} ", sentence)

    def test_step_that_collapses(self):
        # The frame starts to shake, 10^7 times a second, only when the amplitude grows.
        motion = 'motions=[{name="shake",frame="moving",translation={direction=[1,0],sine={amplitude=1e5,period=0.01}}}]'
        sentence = self.fail_with(3, "run", "tank.toml", "-o", "a", *self.ALONE, "--set", motion)
        self.assertRegex(sentence, r"in step 2 .*: fluid particle \d+ at .*: the time step has collapsed to \S+ s, \S+ of what the sound speed allows, by its acceleration of \S+ m/s\^2")
        self.assertIn("a motion that jumps or has other units", sentence)
        self.assertIn("the time step has halved since t = ", sentence)
        self.assertTrue(self.provenance("a", "end_state").startswith("stopped: the time step has collapsed"))

    def test_flow_fast_for_its_sound(self):
        out = self.succeed("run", "tank.toml", "-o", "a", "--set", "shapes.water.velocity=[4, 0]")
        self.assertEqual(len(re.findall(r"(?m)^warning: the fastest fluid has exceeded 0.1 of the sound speed since t = 0 s", out)), 1)
        summary = self.warnings(out.split("energy ledger")[1])
        self.assertIn("raise it to about 40 m/s", summary[0], "which info says, too")
        self.assertEqual([sentence.split(" has ")[0] for sentence in summary[1:]], ["the fastest fluid", "the fluid's density"])
        self.assertEqual(len(re.findall(r"(?m)^warning: the fluid's density has deviated from rest by more than 10 %", out)), 1)
        told = float(re.search(r"at most by (\S+) %", summary[2]).group(1))
        self.assertAlmostEqual(told, 100 * float(re.search(r"density deviation (\S+) ", out).group(1)), delta=0.1)
        self.assertEqual(self.warnings(self.succeed("info", "a")), summary)
        self.assertNotIn("warning", self.succeed("run", "tank.toml", "-o", "b"))
        self.assertNotIn("warning", self.succeed("info", "b"))

    def test_fluid_through_walls(self):
        """A kernel of three spacings is too wide to keep the water out of the floor."""
        out = self.succeed("run", "inviscid-tank-2d", "--set", "resolution.smoothing_ratio=3", "--set", "time.end=1.2", "--no-figures",
                           "-o", "a")
        summary = re.findall(r"(?m)^  warning +(fluid has come into or through a wall: .*)$", out)
        self.assertEqual(len(summary), 1, out)
        found = re.search(r"(\d+ particles?|no more) in the last output, the first particle (\d+) at \((\S+), (\S+), 0\) m in the output of t = (\S+) s", summary[0])
        self.assertTrue(found, summary)
        self.assertLess(float(found.group(4)), -0.05, "past the outermost layer of the floor")
        self.assertIn(summary[0], self.warnings(self.succeed("info", "a")))


class Interrupted(ProgramTest):
    def interrupt(self, number):
        process = self.start("run", "tank.toml", "-o", "a", "--set", "time.end=1000", "--set", "output.interval=0.01")
        self.wait_for("a/run.xdmf")
        time.sleep(0.2)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (128 + number, ""))
        self.assertIn("interrupted", out)
        self.assertIn("halfulp resume a continues it", out)
        outputs = self.outputs("a")
        self.assertGreaterEqual(len(outputs), 2)
        self.assertEqual(self.provenance("a", "end_state"), "interrupted")
        return outputs

    def test_by_the_user(self):
        outputs = self.interrupt(signal.SIGINT)
        # The state it stopped at is that of a run which was never disturbed.
        self.succeed("run", "tank.toml", "-o", "b", "--set", "time.end=0.02", "--set", "output.interval=0.01")
        self.assertEqual(self.outputs("b")[1], outputs[1])

    def test_by_the_system(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGUSR1, signal.SIGALRM):
            self.interrupt(number)
            self.assertEqual(len(list((self.folder / "a").glob("checkpoint.[01]"))), 1)
            shutil.rmtree(self.folder / "a")

    def test_sent_to_the_process_and_to_its_group(self):
        """As by timeout(1): a second signal within moments of the first."""
        process = self.start("run", "tank.toml", "-o", "a", "--set", "time.end=1000", "--set", "output.interval=0.01")
        self.wait_for("a/run.xdmf")
        for _ in range(200):
            process.send_signal(signal.SIGINT)
            time.sleep(0.0005)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (130, ""))
        self.assertIn("halfulp resume a continues it", out)

    def test_without_a_reader(self):
        """As in halfulp run ... | head -1"""
        words = ("run", "tank.toml", "--set", "time.end=0.5", "--set", "output.interval=0.02")
        self.succeed(*words, "-o", "whole")
        for more in ([], ["--quiet"]):
            process = self.start(*words, "-o", "a", "--overwrite", *more)
            if not more:
                process.stdout.readline()
            process.stdout.close()
            err = process.stderr.read()
            process.stderr.close()
            code = process.wait(timeout=60)
            if more:  # it prints at its end only
                self.assertEqual((code, err), (141, ""))
            else:
                self.assertEqual(code, 141, err)
                self.assertIn("standard output was closed; interrupted: ", self.one_sentence(err))
                self.assertIn("halfulp resume a continues it", err)
                self.assertEqual(self.provenance("a", "end_state"), "interrupted")
                self.succeed("resume", "a")
            self.assertEqual(self.provenance("a", "end_state"), "complete")
            self.assertEqual(self.outputs("a"), self.outputs("whole"))

    def test_without_a_reader_of_either_stream(self):
        """As in halfulp run ... 2>&1 | head -1"""
        process = self.start("run", "tank.toml", "-o", "a", "--set", "time.end=0.5", stderr=subprocess.STDOUT)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 141)
        self.assertEqual(self.provenance("a", "end_state"), "interrupted")
        with open("/dev/full", "w") as full:
            self.assertEqual(self.run_program("info", "nowhere", stderr=full)[0], 1)

    def test_limit_of_processor_time(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 20))
        process = self.start("run", "tank.toml", "-o", "a", "--quiet", "--set", "time.end=1000", preexec_fn=limit)
        out, err = process.communicate(timeout=100)
        self.assertEqual((process.returncode, err), (128 + signal.SIGXCPU, ""))
        self.assertIn("halfulp resume a continues it", out)

    def test_signals_that_are_ignored_from_the_start(self):
        """As by nohup."""
        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        process = self.start("run", "tank.toml", "-o", "a", "--quiet", "--set", "time.end=1000", preexec_fn=ignore)
        self.wait_for("a/run.xdmf")
        process.send_signal(signal.SIGHUP)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)

    def test_killed(self):
        process = self.start("run", "tank.toml", "-o", "a", "--set", "time.end=1000", "--set", "output.interval=0.01")
        self.wait_for("a/run.xdmf")
        time.sleep(0.2)
        process.kill()
        process.communicate()
        self.assertGreaterEqual(len(self.outputs("a")), 1)
        self.assertEqual(self.provenance("a", "end_state"), "running", "which is how a run that died can be told")


class Terminal(ProgramTest):
    def test_plain_lines_when_not_on_one(self):
        out = self.succeed("run", "tank.toml", "-o", "a")
        self.assertNotIn("\r", out)
        self.assertNotIn("\033", out)
        self.assertRegex(out, r"(?m)^ *\d+ %  t = ", "progress all the same")

    def test_one_line_rewritten_on_one(self):
        ours, theirs = pty.openpty()
        process = self.start("run", "tank.toml", "-o", "a", "--set", "time.end=3", stdout=theirs)
        os.close(theirs)
        text = b""
        while True:
            ready, _, _ = select.select([ours], [], [], 60)
            try:
                part = os.read(ours, 65536) if ready else b""
            except OSError:  # the other end is closed
                part = b""
            if not part:
                break
            text += part
        _, err = process.communicate(timeout=60)
        os.close(ours)
        self.assertEqual((process.returncode, err), (0, ""))
        progress = re.findall(rb"\r *\d+ %  t = [^\r\n]*\033\[K", text)
        self.assertGreaterEqual(len(progress), 2)
        self.assertIn(b"state hash", text)


if __name__ == "__main__":
    program.main()
