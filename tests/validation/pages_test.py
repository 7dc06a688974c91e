#!/usr/bin/env python3
"""Sections of pages that are drawn from measurements, and the figure of bench run: what is committed is what
validation/pages.py makes of docs/measured, and a changed figure is found. Usage: pages_test.py SOURCE"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop()).resolve()
MARK = re.compile(r"<!-- (\w+\.py): (?!end of )(.*?) -->")


def check(root):
    # Nothing but the standard library: no other copy of the package, no numpy.
    done = subprocess.run([sys.executable, "-S", "-B", SOURCE / "validation/pages.py", root, "--check"], env={},
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halfulp-pages-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        shutil.copytree(SOURCE / "docs", self.root / "docs")
        shutil.copytree(SOURCE / "cases", self.root / "cases")
        shutil.copy(SOURCE / "README.md", self.root)

    def test_are_what_is_measured(self):
        self.assertEqual(check(SOURCE), (0, ""))

    def test_a_figure_typed_by_hand_is_found(self):
        sections = {}
        for path in [self.root / "README.md", *(self.root / "docs").glob("*.md")]:
            page = str(path.relative_to(self.root))
            text = path.read_text(encoding="utf-8")
            changed = text
            for mark in MARK.finditer(text):
                end = text.index(f"<!-- {mark[1]}: end of {mark[2]} -->")
                digit = re.compile(r"\d[.,](\d)").search(text, mark.end(), end)
                self.assertIsNotNone(digit, mark[0])
                other = str((int(digit[1]) + 1) % 10)
                changed = changed[:digit.start(1)] + other + changed[digit.end(1):]
                sections[f"{page}: {mark[1]}: {mark[2]}"] = text[:digit.start(1)] + other + text[digit.end(1):]
            path.write_text(changed, encoding="utf-8")
        self.assertGreater(len(sections), 20)
        code, said = check(self.root)
        self.assertEqual(code, 1)
        for section in sections:
            self.assertIn(section, said)
        # One alone, and no other is told.
        shutil.copytree(SOURCE / "docs", self.root / "docs", dirs_exist_ok=True)
        (self.root / "README.md").write_text(sections["README.md: bench_run.py: in short"], encoding="utf-8")
        self.assertEqual(check(self.root), (1, "pages.py: README.md: bench_run.py: in short is not what is measured; "
                                               "validation/pages.py writes pages anew.\n"))

    def test_another_measurement_is_found(self):
        for name, told, figure in (("bench-run-*", "docs/performance.md: bench_run.py: whole runs", True),
                                   ("dualsphysics", "docs/gpu.md: bench_run.py: time to solution", False)):
            path = next((self.root / "docs/measured").glob(f"{name}.json"))
            before = path.read_text()
            path.write_text(re.sub(r'("seconds": )', r"\g<1>1", before))
            json.loads(path.read_text())
            code, said = check(self.root)
            self.assertEqual(code, 1)
            self.assertIn(told, said)
            self.assertEqual("bench-run.svg" in said, figure)
            path.write_text(before)

    def test_a_page_without_its_marks_is_refused(self):
        path = self.root / "docs/gpu.md"
        path.write_text(path.read_text().replace("<!-- bench_run.py: end of time to solution -->", ""))
        self.assertIn("docs/gpu.md needs the lines", check(self.root)[1])


if __name__ == "__main__":
    unittest.main()
