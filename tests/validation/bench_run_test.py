#!/usr/bin/env python3
"""bench run through the program: its file, against a run of the same case. Usage: bench_run_test.py PROGRAM"""
import json
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "core/app"))
import program  # noqa: E402
from program import ProgramTest  # noqa: E402

SMALL = ["bench", "run", "--cases", "tank.toml", "--back-ends", "cpu"]
HEAD = {"format", "date", "command", "version", "commit", "tree", "sources", "compiler", "flags", "machine", "rows"}
ROW = {"case", "spacing", "dimensions", "fluid", "wall", "precision", "back_end", "device", "end", "time", "steps",
       "rebuilds", "outputs", "seconds", "run_seconds", "stage_seconds", "tenths", "bytes_per_particle",
       "neighbours_of_fluid", "state_hash", "command"}


class BenchRun(ProgramTest):
    def read(self, folder):
        return json.loads((self.folder / folder / "run.json").read_text())

    def test_measures_the_run_that_a_user_starts(self):
        out = self.succeed(*SMALL, "--sizes", "1", "2", "--threads", "1", "2", "--end", "0.03", "-o", "speed")
        found = self.read("speed")
        self.assertEqual(set(found), HEAD)
        self.assertEqual(found["format"], "halfulp bench run 1")
        self.assertTrue(found["command"].startswith("halfulp bench run --cases tank.toml "), found["command"])
        self.assertEqual(set(found["machine"]), {"processor", "processors", "memory", "load"})
        self.assertEqual([(row["spacing"], row["back_end"].split(",")[1]) for row in found["rows"]],
                         [(0.05, " 1 thread"), (0.05, " 2 threads"), (0.025, " 1 thread"), (0.025, " 2 threads")])
        for row in found["rows"]:
            self.assertEqual(set(row), ROW)
            self.assertIn(f"| {row['steps']} |", out)
            self.succeed("run", "tank.toml", "-o", "own", "--overwrite", "--set", "time.end=0.03",
                         "--set", f"resolution.spacing={row['spacing']}")
            name, step, state_hash = self.outputs("own")[-1]
            self.assertEqual((row["state_hash"], row["steps"], row["outputs"]), (state_hash, int(step), int(name) + 1))
            self.assertEqual(row["fluid"], 100 if row["spacing"] == 0.05 else 400)
            moments = [list(map(float, part.split())) for part in self.provenance("own", "tenths").split("; ")]
            self.assertEqual([moment[:2] for moment in row["tenths"]], [moment[:2] for moment in moments])
            self.assertEqual([step for step, _ in row["neighbours_of_fluid"]],
                             [int(step) for _, step, _ in self.outputs("own")])
            self.assertAlmostEqual(sum(row["stage_seconds"].values()), row["run_seconds"], delta=0.01)
            self.assertLessEqual(row["run_seconds"], row["seconds"])
            self.assertGreater(row["bytes_per_particle"], 100)
        first, second = found["rows"][:2]
        for key in ("state_hash", "neighbours_of_fluid", "rebuilds", "time"):
            self.assertEqual(first[key], second[key], "whatever the threads")
        self.assertFalse((self.folder / "speed/run").exists(), "a run is removed once it is measured")

    def test_says_what_it_leaves_out_and_goes_on(self):
        out = self.succeed(*SMALL, "--sizes", "0.02", "1", "--end", "0.01", "-o", "speed")
        coarse, fine = self.read("speed")["rows"]
        self.assertEqual(set(coarse), {"case", "spacing", "back_end", "left_out"})
        self.assertIn(coarse["left_out"], out)
        self.assertEqual(set(fine), ROW)
        self.succeed(*SMALL, "--sizes", "1", "--end", "0.01", "--set", "numerics.density_bound=1e-9", "-o", "broken")
        self.assertIn("broke down", self.read("broken")["rows"][0]["left_out"])

    def test_interrupted_it_keeps_what_is_measured_and_leaves_no_run(self):
        self.succeed(*SMALL, "--sizes", "1", "--end", "0.01", "-o", "speed")
        before = (self.folder / "speed/run.json").read_bytes()
        # The first row takes a moment, the second for ever.
        (self.folder / "long.toml").write_text(program.CASE.replace("end = 0.05", "end = 1000"))
        words = ["bench", "run", "--cases", "tank.toml", "long.toml", "--back-ends", "cpu", "--sizes", "1", "-o", "speed"]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start(*words)
            self.wait_for("speed/run.json.new")
            self.wait_for("speed/run/run.h5")
            child = int(pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0])
            process.send_signal(number)
            _, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, err),
                             (128 + number, "halfulp: bench run: interrupted; speed/run.json.new has the 1 row measured before.\n"))
            self.assertFalse((self.folder / "speed/run").exists())
            self.assertFalse(pathlib.Path(f"/proc/{child}").exists(), "the run has ended, too")
            partial = self.folder / "speed/run.json.new"
            self.assertEqual([row["case"] for row in json.loads(partial.read_text())["rows"]], ["tank.toml"])
            partial.unlink()
            self.assertEqual((self.folder / "speed/run.json").read_bytes(), before, "the complete one before it stays")

    def test_replaces_nothing_of_its_user(self):
        (self.folder / "speed").mkdir()
        for name in ("run.json", "run.json.new", "run.json.new.new"):
            mine = self.folder / "speed" / name
            mine.write_text("{}")
            self.assertIn(f"speed/{name} is no file of measurements of halfulp", self.fail_with(4, *SMALL, "-o", "speed"))
            self.assertEqual(mine.read_text(), "{}")
            mine.unlink()
        (self.folder / "speed/run.log").write_text("mine")
        self.succeed(*SMALL, "--sizes", "1", "--end", "0.01", "-o", "speed")
        self.assertEqual({path.name for path in (self.folder / "speed").iterdir()}, {"run.json", "run.log"})
        self.assertEqual((self.folder / "speed/run.log").read_text(), "mine")

    def test_touches_no_run_of_its_user(self):
        self.succeed("run", "tank.toml", "-o", "speed/run")
        self.assertIn("speed/run exists already", self.fail_with(4, *SMALL, "-o", "speed"))
        self.succeed("info", "--verify", "speed/run")
        (self.folder / "other").mkdir()
        (self.folder / "other/run").symlink_to("nowhere")
        self.assertIn("other/run exists already", self.fail_with(4, *SMALL, "-o", "other"))
        self.assertTrue((self.folder / "other/run").is_symlink())
        self.assertIn("nowhere", self.fail_with(1, "bench", "run", "--cases", "nowhere", "-o", "a"))
        self.assertFalse((self.folder / "a").exists())


if __name__ == "__main__":
    program.main()
