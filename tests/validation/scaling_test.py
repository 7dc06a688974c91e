#!/usr/bin/env python3
"""scripts/scaling on ranks of the CPU: every run that it promises, equal hashes, and the bytes of the model.
Usage: scaling_test.py PROGRAM SOURCE"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop()).resolve()
PROGRAM = pathlib.Path(sys.argv.pop()).resolve()


def scaling(*words):
    return subprocess.run([sys.executable, "-B", SOURCE / "scripts/scaling", "--program", PROGRAM, *map(str, words)], cwd=SOURCE,
                          capture_output=True, text=True, check=False)


class Scaling(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halfulp-scaling-")
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "scaling.json"

    def test_measures_and_models(self):
        done = scaling("--try", "--ranks", 1, 2, "-o", self.file, "--scratch", self.file.parent)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = scaling("--model", "-o", self.file)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        report = json.loads(self.file.read_text())
        self.assertEqual([path.name for path in self.file.parent.iterdir()], ["scaling.json"])
        self.assertEqual([one["equal"] for one in report["hashes"]], [True, True, True])
        self.assertNotIn("failures", report)
        self.assertEqual([(row["kind"], row["flow"], row["devices"]) for row in report["rows"]],
                         [(kind, flow, number) for flow in ("block", "dam-break") for kind in ("weak", "strong") for number in (1, 2)])
        for row in report["rows"]:
            sent = row["messages"]["bytes"] / row["all_steps"]
            self.assertEqual(sent > 0, row["devices"] == 2)
            if row["devices"] == 2:
                self.assertAlmostEqual(sent / row["model"]["bytes_per_step"], 1, delta=0.2, msg=row)

    def test_says_what_it_lacks(self):
        done = scaling("--only", "hashes", "-o", self.file)
        if done.returncode == 0:
            self.skipTest("there are devices here")
        self.assertIn("--ranks 1 2 measures ranks of the CPU", done.stderr)
        self.assertFalse(self.file.exists())


if __name__ == "__main__":
    unittest.main()
