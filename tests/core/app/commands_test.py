#!/usr/bin/env python3
"""run, info and compare do what they say, in exit codes and words. Usage: commands_test.py PROGRAM"""
import csv
import os
import pathlib
import re
import signal
import subprocess
import struct

import program
from program import CASE, ProgramTest


class Run(ProgramTest):
    def test_outputs_closer_than_steps(self):
        """Each step is an output; counting those that it passes, 10^8 of them, takes no time."""
        out = self.succeed("run", "tank.toml", "--set", "output.interval=1e-11", "time.end=0.004", "-o", "close")
        steps = int(re.search(r"steps +(\d+), reached", out).group(1))
        self.assertEqual(len(list((self.folder / "close" / "outputs").glob("0*.h5"))), steps + 1)

    def test_writes_what_it_says(self):
        out = self.succeed("run", "tank.toml", "-o", "here/and/there")
        run = self.folder / "here/and/there"
        self.assertEqual(sorted(p.name for p in run.iterdir()), ["ledger.csv", "outputs", "run.h5", "run.xdmf"])
        outputs = self.outputs(run)
        self.assertEqual(len(outputs), 6)
        self.assertEqual(outputs[0][1], "0")
        self.assertIn(outputs[-1][2], out, "the summary tells the hash of the last output")
        self.assertEqual(self.provenance(run, "end_state"), "complete")
        self.assertEqual(self.provenance(run, "backend").split(",")[1].strip(), "1 thread")
        with open(run / "ledger.csv", newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0][:2], ["step[1]", "time[s]"])
        steps = [int(float(row[0])) for row in rows[1:]]
        self.assertEqual(steps, sorted(set(steps)), "each step once, in order")
        self.assertTrue({0, 5, 10} <= set(steps))
        self.assertGreaterEqual(float(rows[-1][1]), 0.05)

    def test_says_where_its_time_went(self):
        out = self.succeed("run", "tank.toml", "-o", "a")
        stages = dict(part.rsplit(" ", 1) for part in self.provenance("a", "stage_seconds").split(", "))
        self.assertEqual(list(stages), ["set-up", "neighbours", "density rate", "forces", "update", "output", "waiting", "other"])
        for stage, seconds in stages.items():
            self.assertGreaterEqual(float(seconds), 0, stage)
            self.assertRegex(out, rf"s in all: .*\b{stage} \d+ %")
        whole = float(self.provenance("a", "wall_seconds"))
        self.assertAlmostEqual(sum(map(float, stages.values())), whole, delta=0.001 * len(stages), msg="all of it, once")
        for stage in ("set-up", "density rate", "forces", "output"):
            self.assertGreater(float(stages[stage]), 0, stage)
        moments = [list(map(float, part.split())) for part in self.provenance("a", "tenths").split("; ")]
        self.assertEqual(len(moments), 11)
        self.assertEqual(moments, sorted(moments))
        self.assertEqual(moments[0][:2], [0, 0])
        self.assertEqual(moments[-1][1], int(self.outputs("a")[-1][1]))
        self.assertLessEqual(moments[-1][2], whole)
        for tenth, (t, step, _) in enumerate(moments[1:], 1):
            self.assertGreaterEqual(t, 0.05 * tenth / 10 * (1 - 1e-5))
            self.assertLess(t, 0.05 * tenth / 10 + 0.002, "at the first step that reaches it")
        self.assertGreater(int(self.provenance("a", "memory")), 100 * 80)

    def test_default_folder_and_quiet(self):
        out = self.succeed("run", "tank.toml", "--quiet")
        self.assertTrue((self.folder / "out/tank/run.h5").exists())
        self.assertNotIn("% ", out.split("energy ledger")[0], "no progress")
        self.assertIn("state hash", out)

    def test_existing_run_is_kept_unless_told(self):
        self.succeed("run", "tank.toml", "-o", "a")
        before = (self.folder / "a/run.h5").read_bytes()
        sentence = self.fail_with(4, "run", "tank.toml", "-o", "a")
        self.assertIn("--overwrite", sentence)
        self.assertEqual((self.folder / "a/run.h5").read_bytes(), before)
        self.succeed("run", "tank.toml", "-o", "a", "--overwrite", "--set", "time.end=0.02")
        self.assertEqual(len(self.outputs("a")), 3)

    def test_outputs_do_not_shorten_steps(self):
        hashes = set()
        for name, interval in (("a", 0.01), ("b", 0.0033), ("c", 1)):
            self.succeed("run", "tank.toml", "-o", name, "--set", f"output.interval={interval}")
            hashes.add(self.outputs(name)[-1][1:])
        self.assertEqual(len(hashes), 1, "the last step and its state do not depend on the outputs")

    def test_probes(self):
        (self.folder / "probed.toml").write_text(CASE + """
[[probes]]
name = "floor"
measures = "pressure"
at = [0.3, 0]
interval = 0.002
filter = 0.01
[[probes]]
name = "load"
measures = "force"
bodies = ["tank"]
""")
        self.assertIn("floor: pressure at 0.3 0 m, every 0.002 s; filter: centred moving mean, 0.01 s wide",
                      self.succeed("info", "probed.toml"))
        self.assertIn("probed/probes/", self.succeed("run", "probed.toml", "-o", "probed"))
        told = self.succeed("info", "probed")
        self.assertRegex(told, r"floor: pressure at 0.3 0 m, every 0.002 s; filter: .* 0.01 s wide; 2[56] samples")
        self.assertIn("load: force on tank", told)
        self.succeed("run", "tank.toml", "-o", "bare")
        self.assertIn("equal to the bit", self.succeed("compare", "probed", "bare"))
        with open(self.folder / "probed/probes/floor.csv", newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual(len(rows[0]), 9)
        self.assertEqual(rows[0][:2] + rows[0][-1:],
                         ["time[s]", "pressure_fluid[Pa]", "pressure_all_shepard_filtered[Pa]"])
        self.assertIn(len(rows) - 1, (25, 26), "0 to 0.05 s")
        self.assertGreater(max(float(row[2]) for row in rows[1:]), 1000)
        with open(self.folder / "probed/probes/load.csv", newline="") as file:
            self.assertEqual(next(csv.reader(file)), ["time[s]", "force_x[N/m]", "force_y[N/m]", "moment_z[N]"])

    def test_home_is_not_needed(self):
        environment = {key: value for key, value in os.environ.items() if key not in ("HOME", "TERM", "LANG", "LC_ALL")}
        self.succeed("run", "tank.toml", "-o", "a", env=environment)

    def test_bits_do_not_depend_on_lanes_or_threads(self):
        self.succeed("run", "tank.toml", "-o", "a")
        passive = dict(os.environ, OMP_WAIT_POLICY="PASSIVE")
        for name, words in (("b", ["--lanes", "1"]), ("c", ["--lanes", "8", "--threads", "2"])):
            self.succeed("run", "tank.toml", "-o", name, *words, env=passive)
            self.assertIn("equal to the bit", self.succeed("compare", "a", name))


class Info(ProgramTest):
    def test_of_a_case(self):
        out = self.succeed("info", "tank.toml", "--case", "--set", "fluid.sound_speed=44")
        self.assertIn("sound_speed = 44", out)
        self.assertIn("100 fluid", out)
        # What it prints is a case itself: it stands above the description, which begins with the case's name.
        (self.folder / "again.toml").write_text(out.split("\ntank: ")[0])
        self.assertIn("sound_speed = 44", self.succeed("info", "again.toml", "--case"))

    def test_shipped_cases_by_name(self):
        for name in ("still-water", "inviscid-tank-2d"):
            self.assertIn("particles", self.succeed("info", name))

    def test_precisions(self):
        out = self.succeed("info", "--precisions")
        for words in ("robust ", "reversible ", "double "):
            self.assertIn(f"\n{words}", out)
        self.assertNotIn("\nnaive", out)
        self.assertRegex(out, r"\nhalfulp-lab has \d+ more .* --target halfulp-lab\n")
        self.assertIn("needs the name of a case or run", self.fail_with(1, "info"))

    def test_of_a_run_with_its_case(self):
        self.succeed("run", "tank.toml", "-o", "a", "--set", "time.end=0.01")
        out = self.succeed("info", "a/run.h5", "--case")
        self.assertIn("[resolution]", out)
        self.assertIn("ledger", out)

    def test_pictures_of_a_case(self):
        # The program draws with Debian's Python where there is one, which also runs these tests.
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("this Python has no matplotlib")
        self.assertIn("out/tank-picture.png", self.succeed("info", "--picture", "tank.toml"))
        space = CASE.replace("[resolution]", "dimensions = 3\n[resolution]").replace("[0, 0]", "[0, 0, 0]")
        space = space.replace("[1.0, 0.8]", "[1, 0.4, 0.8]").replace("[0.5, 0.5]", "[0.5, 0.4, 0.5]")
        (self.folder / "space.toml").write_text(space + "hydrostatic = true\nvelocity = [1, 0, 0]\n")
        self.succeed("info", "space.toml", "--picture", "-o", "deep/down/space.png")
        for picture in ("out/tank-picture.png", "deep/down/space.png"):
            content = (self.folder / picture).read_bytes()
            self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(int.from_bytes(content[16:20], "big"), 800)  # the width in dots

    def test_pressures_in_a_picture(self):
        """What is drawn of still water is the weight of the water above, whichever the equation of state."""
        (self.folder / "instead").mkdir()
        (self.folder / "instead/matplotlib.py").write_text('import shutil, sys\nshutil.copy(sys.argv[1], "drawn")\nraise ImportError\n')
        environment = dict(os.environ, PYTHONPATH=str(self.folder / "instead"))
        for equation in ("tait", "linear"):
            with self.subTest(equation):
                self.fail_with(4, "info", "--picture", "tank.toml", "--set", f'fluid.state_equation="{equation}"', "--set",
                               "shapes.water.hydrostatic=true", "--set", "shapes.tank.hollow_box.to=[0.5, 0.8]",
                               env=environment)
                content = (self.folder / "drawn").read_bytes()
                rows = list(struct.iter_unpack("7d", content[content.index(b"\ndata\n") + 6 :]))
                fluid = [row for row in rows if 0 < row[0] < 0.5 and 0 < row[1] < 0.5]
                self.assertEqual(len(fluid), 100)
                for row in fluid:
                    self.assertAlmostEqual(row[6], 9810 * (0.5 - row[1]), delta=1 + 0.01 * row[6])

    def test_pictures_that_cannot_be_drawn(self):
        self.assertIn("tank.toml", self.fail_with(4, "info", "--picture", "tank.toml", "-o", "tank.toml/a.png"))
        self.succeed("run", "tank.toml", "-o", "a", "--set", "time.end=0.01")
        self.assertIn("--picture draws a case", self.fail_with(1, "info", "--picture", "a"))
        self.assertNotEqual(self.run_program("info", "tank.toml", "-o", "a.png")[0], 0)
        (self.folder / "without").mkdir()
        (self.folder / "without/matplotlib.py").write_text("raise ImportError\n")
        environment = dict(os.environ, PYTHONPATH=str(self.folder / "without"))
        self.assertIn("install the packages python3-matplotlib",
                      self.fail_with(4, "info", "--picture", "tank.toml", env=environment))

    def test_a_named_python_is_the_one_that_draws(self):
        """And if there is none of that name, none other does."""
        stand_in = self.folder / "stand-in"
        stand_in.write_text("#!/bin/sh\ntouch drawn\n")
        stand_in.chmod(0o755)
        for named, path in ((str(stand_in), os.environ["PATH"]), ("stand-in", f"{self.folder}:{os.environ['PATH']}")):
            self.succeed("info", "--picture", "tank.toml", "-o", "a.png", env=dict(os.environ, HALFULP_PYTHON=named, PATH=path))
            (self.folder / "drawn").unlink()
        (self.folder / "python").write_text("no program\n")
        for named in ("no-python-of-this-name", str(self.folder / "python"), str(self.folder)):
            environment = dict(os.environ, HALFULP_PYTHON=named)
            told = f"HALFULP_PYTHON names {named}, which cannot be run; name a Python, or leave it out for /usr/bin/python3"
            self.assertIn(told, self.fail_with(4, "info", "--picture", "tank.toml", env=environment))
            out = self.succeed("run", "tank.toml", "-o", "a", "--overwrite", "--set", "time.end=0.001", "output.figures=true", env=environment)
            self.assertIn(f"figures           none: {told}", out)
            self.assertFalse((self.folder / "a/figures").exists())

    def test_titles_and_names_with_line_breaks(self):
        """A title could name another picture, a folder's name could move the cursor."""
        if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True).returncode == 0:
            (self.folder / "mine").write_text("precious")
            self.succeed("info", "tank.toml", "--picture", "-o", "a.png", "--set", 'title="a\\npicture mine"')
            self.assertEqual((self.folder / "mine").read_text(), "precious")
            self.assertTrue((self.folder / "a.png").exists())
            self.assertIn("must be printable", self.fail_with(1, "info", "tank.toml", "--picture", "-o", "a\npicture mine.png"))
        folder = "a\x1b[31m"
        for words in (["run", "tank.toml", "-o", folder], ["info", folder], ["info", "--verify", folder], ["resume", folder], ["compare", folder, folder]):
            out = self.succeed(*words)
            self.assertNotIn("\x1b", out)
            self.assertIn("a\\x1b[31m", out)

    def test_help_and_version(self):
        self.assertIn("Exit codes", self.succeed("--help"))
        for command in ("run", "resume", "rerun", "info", "compare"):
            self.assertIn(command, self.succeed("--help"))
            self.succeed(command, "--help")
        for command in ("validate", "bench"):
            self.assertRegex(self.succeed("--help"), rf"(?s){command}.*halfulp-lab")
        self.assertRegex(self.succeed("--version"), r"^halfulp \d+\.\d+\.\d+ \(commit ")


    def test_control_characters_are_made_visible(self):
        case = (self.folder / "tank.toml").read_text().replace("A small tank", "A \\u001b[31mred tank")
        (self.folder / "tank.toml").write_text(case)
        printed = self.succeed("run", "tank.toml", "-o", "a") + self.succeed("info", "tank.toml") + self.succeed("info", "a", "--case")
        printed += self.succeed("rerun", "a")
        self.assertIn("A \\x1b[31mred tank", printed)
        self.assertNotIn("\x1b", printed)


class Compare(ProgramTest):
    def test_equal_runs(self):
        self.succeed("run", "tank.toml", "-o", "a")
        self.succeed("run", "tank.toml", "-o", "b", "--set", "origin.cells=[1000000000, -1000000000]")
        self.assertIn("equal to the bit: 6 outputs", self.succeed("compare", "a", "b/run.h5"))

    def test_different_runs(self):
        self.succeed("run", "tank.toml", "-o", "a")
        self.succeed("run", "tank.toml", "-o", "b", "--set", "fluid.artificial_viscosity=0.0500001")
        code, out, err = self.run_program("compare", "a", "b")
        self.assertEqual((code, err), (2, ""))
        self.assertIn("different: first at output 1", out)
        self.assertIn("ulp", out)

    def test_runs_that_wrote_different_parts(self):
        self.succeed("run", "tank.toml", "-o", "whole")
        parts = {"columns": ["--set", 'output.columns=["velocity","kind"]'], "fluid": ["--set", "output.particles=fluid"],
                 "box": ["--set", "output.within={from=[0,0],to=[0.4,0.4]}", "--set", "output.precision=single"],
                 "packed": ["--set", "output.compression=deflate"]}
        for name, words in parts.items():
            said = self.succeed("run", "tank.toml", "-o", name, *words)
            self.assertIn(f"{name}/run.xdmf ({'empty, as no column of outputs is position' if name == 'columns' else 'open it in ParaView'})", said)
            self.assertEqual(self.outputs(name), self.outputs("whole"))
            out = self.succeed("compare", "whole", name)
            self.assertIn("equal to the bit: 6 outputs", out)
            self.assertEqual("Of both was written" in out, name != "packed", out)
        self.assertIn("velocity, kind of 100 particles", self.succeed("compare", "columns", "fluid"))
        self.succeed("compare", "fluid", "box")
        # Different where both have it, or only by what neither wrote.
        other = ("run", "tank.toml", "--set", "fluid.artificial_viscosity=0.0500001")
        self.succeed(*other, "-o", "other")
        code, out, _ = self.run_program("compare", "fluid", "other")
        self.assertEqual(code, 2)
        self.assertRegex(out, r"different: first at output 1 .*: \w+\[?\d?\]? of particle \d+, A = ")
        self.succeed(*other, "-o", "kinds", "--set", 'output.columns=["kind"]')
        code, out, _ = self.run_program("compare", "columns", "kinds")
        self.assertEqual(code, 2)
        self.assertIn("the hashes of the states differ; the data that both wrote are equal (kind of ", out)
        self.succeed("info", "--verify", "box")
        self.assertIn("presure", self.fail_with(1, "run", "tank.toml", "-o", "c", "--set", 'output.columns=["presure"]'))

    def test_what_is_no_run(self):
        self.assertIn("nowhere", self.fail_with(1, "compare", "nowhere", "nowhere"))
        self.fail_with(1, "compare", "tank.toml", "tank.toml")
        (self.folder / "bad").mkdir()
        (self.folder / "bad/run.h5").write_bytes(b"not HDF5")
        self.assertIn("bad", self.fail_with(1, "info", "bad"))


class Experiments(ProgramTest):
    def test_unknown_ones_are_answered_with_those_there_are(self):
        self.assertIn('there is no validate experiment "enerhy"; did you mean "energy"? The validate experiments are all, ', self.fail_with(1, "validate", "enerhy"))
        self.assertIn('there is no bench experiment "sped"; the bench experiments are ', self.fail_with(1, "bench", "sped"))

    def test_bench_measures_every_row(self):
        out = self.succeed("bench", "pairs", "--edge", "8", "--edges", "6", "--seconds", "0.01", "-o", "speed")
        self.assertIn("| robust | cpu, 1 thread, 1 lane |", out)
        self.assertIn("no stored neighbours", out)
        rows = (self.folder / "speed/pairs.csv").read_text().splitlines()
        self.assertGreaterEqual(len(rows), 12)
        for row in rows[1:]:
            self.assertGreater(float(row.rsplit('",', 1)[1].split(",")[0]), 0, row)

    def test_cut_off(self):
        process = self.start("bench", "pairs", "--seconds", "30", "-o", "speed")
        status = pathlib.Path(f"/proc/{process.pid}/status")
        self.wait_until(lambda: int(re.search(r"SigCgt:\s*(\w+)", status.read_text())[1], 16) >> (signal.SIGTERM - 1) & 1)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (143, "\nhalfulp: interrupted.\n"))

    def test_validate_energy_passes_on_a_coarse_tank(self):
        out = self.succeed("validate", "energy", "--quick", "--spacing", "0.1", "--cfl", "0.1", "-o", "energy")
        self.assertIn("passed:", out)
        self.assertTrue((self.folder / "energy/energy-inviscid-tank-2d-1.csv").exists())

    def test_validate_front_says_when_it_is_beyond(self):
        # At L/4 the column is too coarse to pass; what counts is that the verdict and the exit code say so.
        code, out, err = self.run_program("validate", "front", "--particles", "4", "-o", "front")
        self.assertEqual(err, "")
        self.assertEqual(code, 0 if "passed:" in out else 2)


class Python(ProgramTest):
    def test_h5py_reads_a_run(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("this Python has no h5py")
        self.succeed("run", "tank.toml", "-o", "a")
        with h5py.File(self.folder / "a/run.h5", "r") as file:
            self.assertEqual(file.attrs["format"], "halfulp run")
            last = file["outputs/000005"]
            self.assertEqual(last["position"].shape, (last.attrs["count"], 3))
            self.assertEqual(last.attrs["hash"], self.outputs("a")[-1][2])
            side = float(file["provenance"].attrs["cell_side"])
            x = (last["cell"][:] + last["offset"][:].astype("f8") + last["offset_residual"][:]) * side
            self.assertLess(abs(x - last["position"][:]).max(), 1e-15)
            fluid = last["kind"][:] == 0
            self.assertEqual(fluid.sum(), 100)
            mass = float(file["provenance"].attrs["particle_mass"])
            u = last["velocity"][:].astype("f8") + last["velocity_residual"][:]
            kinetic = 0.5 * mass * (u[fluid] ** 2).sum()
            self.assertAlmostEqual(kinetic / file["ledger/kinetic"][-1], 1, places=13)


if __name__ == "__main__":
    program.main()
