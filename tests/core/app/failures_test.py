#!/usr/bin/env python3
"""A run that breaks down, or cannot write, says one sentence and leaves a known exit code; what it had
written stays readable. Usage: failures_test.py PROGRAM"""
import os
import re
import shutil
import subprocess

import program
from program import limit_file_size, ProgramTest


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
            for words in (["--help"], ["--version"], ["run", "--help"], ["info", "tank.toml"]):
                self.assertIn("standard output", self.fail_with(4, *words, stdout=full))
            self.assertIn("standard output", self.fail_with(4, "run", "tank.toml", "-o", "a", stdout=full))
        self.assertEqual(self.provenance("a", "end_state"), "complete", "the run itself is whole")

    def test_standard_output_that_is_closed(self):
        # The run's file must not take the number of the stream, or the summary would be written into it.
        self.succeed("run", "tank.toml", "-o", "a")
        words = [program.PROGRAM, "run", "tank.toml", "--threads", "1", "-o", "b"]
        done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *words], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.outputs("b"), self.outputs("a"))


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
        found = re.search(r"(\d+ particles?|none found) in the last output, the first particle (\d+) at \((\S+), (\S+), 0\) m in the output of t = (\S+) s", summary[0])
        self.assertTrue(found, summary)
        self.assertLess(float(found.group(4)), -0.05, "past the outermost layer of the floor")
        self.assertIn(summary[0], self.warnings(self.succeed("info", "a")))


if __name__ == "__main__":
    program.main()
