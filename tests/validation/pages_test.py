#!/usr/bin/env python3
"""The tables of pages drawn from docs/measured/figures: what is committed is what validation/pages.py makes of them, and a
changed figure is found. Usage: pages_test.py SOURCE"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop()).resolve()


def check(root):
    done = subprocess.run([sys.executable, "-B", SOURCE / "validation/pages.py", root, "--check"],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class Pages(unittest.TestCase):
    def test_are_what_is_measured(self):
        self.assertEqual(check(SOURCE), (0, ""))

    def test_a_figure_typed_by_hand_is_found(self):
        with tempfile.TemporaryDirectory(prefix="halfulp-pages-") as folder:
            root = pathlib.Path(folder)
            shutil.copytree(SOURCE / "docs", root / "docs")
            marked = 0
            for page in (root / "docs").glob("*.md"):
                text = page.read_text(encoding="utf-8")
                for mark in re.finditer(r"<!-- pages.py: (?!end of)(.*?) -->", text):
                    marked += 1
                    digit = re.compile(r"\.(\d)").search(text, mark.end())
                    page.write_text(text[:digit.start(1)] + str((int(digit.group(1)) + 1) % 10) + text[digit.end(1):], encoding="utf-8")
                    code, said = check(root)
                    self.assertEqual(code, 1, mark.group(1))
                    self.assertIn(f"docs/{page.name}: {mark.group(1)}", said)
                    page.write_text(text, encoding="utf-8")
            self.assertGreater(marked, 5)


if __name__ == "__main__":
    unittest.main()
