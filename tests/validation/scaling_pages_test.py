#!/usr/bin/env python3
"""The tables of scripts/scaling: what is committed is what validation/scaling.py makes of docs/measured, and a changed
figure is found. Usage: scaling_pages_test.py SOURCE"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop()).resolve()


def check(root):
    done = subprocess.run([sys.executable, "-B", SOURCE / "validation/scaling.py", root, "--check"],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class Pages(unittest.TestCase):
    def test_are_what_is_measured(self):
        self.assertEqual(check(SOURCE), (0, ""))

    def test_a_figure_typed_by_hand_is_found(self):
        with tempfile.TemporaryDirectory(prefix="halfulp-pages-") as folder:
            root = pathlib.Path(folder)
            shutil.copytree(SOURCE / "docs", root / "docs")
            page = root / "docs/performance.md"
            text = page.read_text(encoding="utf-8")
            begin = text.index("<!-- scaling.py: devices -->")
            digit = re.compile(r"\.(\d)").search(text, begin)
            self.assertLess(digit.end(), text.index("<!-- scaling.py: end of devices -->"))
            page.write_text(text[:digit.start(1)] + str((int(digit.group(1)) + 1) % 10) + text[digit.end(1):], encoding="utf-8")
            code, said = check(root)
            self.assertEqual(code, 1)
            self.assertIn("performance.md is not what docs/measured gives", said)


if __name__ == "__main__":
    unittest.main()
