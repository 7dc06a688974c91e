#!/usr/bin/env python3
"""The pages and the figure of bench run: what is committed is what validation/bench_run.py makes of docs/measured, and
a changed figure is found. Usage: bench_run_pages_test.py SOURCE"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop()).resolve()


def check(root):
    done = subprocess.run([sys.executable, "-B", SOURCE / "validation/bench_run.py", root, "--check"],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class Pages(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="halfulp-pages-"))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        shutil.copytree(SOURCE / "docs", self.root / "docs")
        shutil.copy(SOURCE / "README.md", self.root)

    def test_are_what_is_measured(self):
        self.assertEqual(check(SOURCE), (0, ""))

    def test_a_figure_typed_by_hand_is_found(self):
        for page, section in (("docs/performance.md", "whole runs"), ("docs/performance.md", "other codes"),
                              ("docs/gpu.md", "time to solution"), ("README.md", "in short")):
            path = self.root / page
            text = path.read_text()
            begin = text.index(f"<!-- bench_run.py: {section} -->")
            number = re.compile(r"(?<=[| ])(\d)(?=[\d.,]+ )").search(text, begin)
            self.assertLess(number.end(), text.index(f"<!-- bench_run.py: end of {section} -->"))
            path.write_text(text[:number.start(1)] + str((int(number.group(1)) + 1) % 10) + text[number.end(1):])
            self.assertEqual(check(self.root)[0], 1, section)
            path.write_text(text)
        self.assertEqual(check(self.root), (0, ""))

    def test_another_measurement_is_found(self):
        for name in ("bench-run-*", "dualsphysics"):
            path = next((self.root / "docs/measured").glob(f"{name}.json"))
            before = path.read_text()
            path.write_text(re.sub(r'("seconds": )', r"\g<1>1", before))
            json.loads(path.read_text())
            code, said = check(self.root)
            self.assertEqual(code, 1)
            self.assertIn("docs/performance.md" if "bench" in name else "docs/gpu.md", said)
            self.assertEqual("bench-run.svg" in said, "bench" in name)
            path.write_text(before)

    def test_a_page_without_its_marks_is_refused(self):
        path = self.root / "docs/gpu.md"
        path.write_text(path.read_text().replace("<!-- bench_run.py: end of time to solution -->", ""))
        self.assertIn("docs/gpu.md needs the lines", check(self.root)[1])


if __name__ == "__main__":
    unittest.main()
