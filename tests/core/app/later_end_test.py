#!/usr/bin/env python3
"""Runs that go on past the end that they began with. Usage: later_end_test.py PROGRAM"""
import pathlib
import signal

import program
from program import ProgramTest

# Ends between two outputs and between two rows of the ledger, so that it writes what a longer run does not.
ODD_END = ("--set", "time.end=0.0437", "--set", "output.interval=0.01", "--set", "output.ledger_every=7",
           "--set", 'probes=[{name="floor",measures="pressure",at=[0.2,0],interval=0.003,filter=0.01}]')
LONG = (*ODD_END, "--set", "time.end=0.1")


class LaterEnd(ProgramTest):
    def assert_same_run(self, a, b):
        files = sorted(path.relative_to(self.folder / a) for path in (self.folder / a).rglob("*") if path.is_file() and path.name != "run.h5")
        self.assertEqual(files, sorted(path.relative_to(self.folder / b) for path in (self.folder / b).rglob("*")
                                       if path.is_file() and path.name != "run.h5"))
        for file in files:
            self.assertEqual((self.folder / a / file).read_bytes(), (self.folder / b / file).read_bytes(), file)
        self.assertIn("equal to the bit", self.succeed("compare", a, b))
        self.succeed("info", "--verify", a)

    def setUp(self):
        super().setUp()
        self.succeed("run", "tank.toml", *LONG, "-o", "long")

    def test_a_complete_run_goes_on_to_the_bits_of_a_longer_one(self):
        for integrator in ("kick-drift-kick", "verlet"):
            with self.subTest(integrator):
                long, short = f"long-{integrator}", f"short-{integrator}"
                self.succeed("run", "tank.toml", *LONG, "--set", f"numerics.integrator={integrator}", "-o", long)
                self.succeed("run", "tank.toml", *ODD_END, "--set", f"numerics.integrator={integrator}", "-o", short, "--keep-checkpoint")
                self.succeed("info", "--verify", short)
                # Cut once more on the way, on another number of threads and lanes.
                self.succeed("resume", short, "--until", "0.0713", "--keep-checkpoint", "--threads", "2")
                self.succeed("resume", short, "--until", "0.1", "--lanes", "1")
                self.assert_same_run(short, long)
                self.assertRegex(self.succeed("info", "--case", short), r"(?m)^end = 0.1 ")
                self.assertTrue(self.provenance(short, "resumed_2").endswith(", with time.end=0.1"))
                self.assertIn("equal to the bit", self.succeed("rerun", short))

    def test_a_step_may_end_farther_than_the_skin_from_the_lists(self):
        """Of integrators that look at the lists in the middle of a step, not at its end."""
        fast = ("--set", "numerics.skin=0.01", "--set", "shapes.water.velocity=[0, -2.4]", "--set", "numerics.walls=dynamic",
                "--set", "numerics.density_diffusion=none", "--set", "time.step=fixed", "--set", "numerics.density_bound=0.9")
        for integrator in ("implicit-midpoint", "discrete-gradient"):
            with self.subTest(integrator):
                words = ("run", "tank.toml", *fast, "--set", f"numerics.integrator={integrator}")
                self.succeed(*words, "-o", f"a-{integrator}")
                self.succeed(*words, "-o", f"b-{integrator}", "--set", "time.end=0.02", "--keep-checkpoint")
                self.succeed("resume", f"b-{integrator}", "--until", "0.05")
                self.assertIn("equal to the bit", self.succeed("compare", f"a-{integrator}", f"b-{integrator}"))

    def test_an_interrupted_run_takes_another_end(self):
        process = self.start("run", "tank.toml", *ODD_END, "--set", "time.end=1000", "-o", "cut", "--quiet")
        self.wait_until((self.folder / "cut/run.h5").exists, every=0.001)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        reached = float(self.succeed("info", "cut").split("t = ")[1].split(" s")[0])
        if reached >= 0.1:
            self.skipTest("the run was faster than the signal")
        self.succeed("resume", "cut", "--until", "0.1")
        self.assert_same_run("cut", "long")

    def test_what_else_may_be_set(self):
        self.succeed("run", "tank.toml", *ODD_END, "-o", "short", "--keep-checkpoint")
        self.succeed("resume", "short", "--set", "time.end=0.1", "--set", 'title="A longer one"', "--set", "output.figures=false")
        self.assert_same_run("short", "long")
        self.assertRegex(self.succeed("info", "--case", "short"), r'(?m)^title = "A longer one" ')

    def test_what_is_refused(self):
        self.succeed("run", "tank.toml", *ODD_END, "-o", "short", "--keep-checkpoint")
        before = {path: path.read_bytes() for path in pathlib.Path(self.folder / "short").rglob("*") if path.is_file()}
        for override in ("time.cfl=0.1", "output.interval=0.02", "output.ledger_every=3", "fluid.density=900", "times.end=3"):
            sentence = self.fail_with(1, "resume", "short", "--set", override)
            self.assertIn("only time.end, output.figures, title", sentence)
        for end in ("0.04", "0.0437"):
            self.assertIn("has already reached t = 0.04", self.fail_with(1, "resume", "short", "--until", end))
        self.assertIn("halfulp: --until -1: time.end is -1", self.fail_with(1, "resume", "short", "--until", "-1"))
        self.assertIn("halfulp: --until: soon is no number;", self.fail_with(1, "resume", "short", "--until", "soon"))
        self.assertEqual({path: path.read_bytes() for path in before}, before)
        self.assertIn("there is nothing to resume", self.succeed("resume", "short"))
        self.succeed("resume", "short", "--until", "0.05")
        self.assertIn("has no checkpoint of its end", self.fail_with(1, "resume", "short", "--until", "0.1"))

    def test_a_checkpoint_that_is_damaged(self):
        self.succeed("run", "tank.toml", *ODD_END, "-o", "short", "--keep-checkpoint")
        checkpoint, = (self.folder / "short").glob("checkpoint*")
        checkpoint.write_text("mine")
        told = self.fail_with(1, "resume", "short", "--until", "0.1")
        self.assertIn(f"short/{checkpoint.name}", told)
        self.assertIn("short has no other checkpoint of its end to continue from: run its case again", told)

    def test_a_table_that_ends_before(self):
        """Named as the user names the run, not by a handle of its folder, which this process alone knows."""
        (self.folder / "sway.csv").write_text("t_s,x\n0,0\n0.02,0.0005\n0.05,0.002\n")
        motion = 'motions=[{name="sway",frame="moving",translation={direction=[1,0],table={file="sway.csv",column="x"}}}]'
        self.succeed("run", "tank.toml", "--set", motion, "--set", "time.end=0.02", "-o", "short", "--keep-checkpoint")
        self.assertEqual(self.fail_with(1, "resume", "short", "--until", "0.06"),
                         "halfulp: short/run.h5: motions.sway.translation.table.file: short/inputs/0-sway.csv lasts from 0 to 0.05 s, but must "
                         "last from 0 to time.end = 0.06 s; shorten the run or give a longer table.")


if __name__ == "__main__":
    program.main()
