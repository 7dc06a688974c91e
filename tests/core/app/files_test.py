#!/usr/bin/env python3
"""Files of a run while others act on them: moved, taken, foreign, equal, too large. Usage: files_test.py PROGRAM"""
import signal
import time

import program
from program import ProgramTest


class Files(ProgramTest):
    LONG = ("run", "tank.toml", "--quiet", "--set", "time.end=1000", "--set", "output.interval=0.02", "--checkpoint-every", "0.05")

    def wait_for(self, path):
        deadline = time.monotonic() + 60
        while not (self.folder / path).exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertTrue((self.folder / path).exists(), path)

    def content(self, name):
        return {path.relative_to(self.folder / name): path.read_bytes() for path in (self.folder / name).rglob("*") if path.is_file()}

    def test_folder_that_is_moved_away_from_a_run(self):
        process = self.start(*self.LONG, "-o", "a")
        self.wait_for("a/checkpoint.0")
        (self.folder / "a").rename(self.folder / "moved")
        self.assertIn("another halfulp is writing a run into moved, which is still going", self.fail_with(4, "resume", "moved"))
        self.succeed("run", "tank.toml", "-o", "a")
        second = self.content("a")
        before = len(self.outputs("moved"))
        deadline = time.monotonic() + 60
        while len(self.outputs("moved")) < before + 5 and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (130, ""))
        self.assertIn("halfulp resume moved", out)
        self.assertIn("moved/run.h5", out)
        self.assertEqual(self.content("a"), second, "the new run is as it was")
        self.assertGreater(len(self.outputs("moved")), before)
        for name in ("a", "moved"):
            self.succeed("info", "--verify", name)
        # What it has is what a run that was left alone has.
        self.succeed("run", "tank.toml", "-o", "b", "--quiet", "--set", "time.end=0.1", "--set", "output.interval=0.02")
        self.assertEqual(self.outputs("moved")[:5], self.outputs("b")[:5])


if __name__ == "__main__":
    program.main()
