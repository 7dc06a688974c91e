#!/usr/bin/env python3
"""Every class of tests of the program is one that ctest runs. Usage: listed_test.py
Classes named ...Test are what others derive from."""
import pathlib
import re
import sys


def main():
    here = pathlib.Path(__file__).parent
    lists = (here / "CMakeLists.txt").read_text(encoding="utf-8")
    listed = {(script, name) for script, names in re.findall(r"(\w+_test\.py)\s+([\w\s]*)\)", lists) for name in names.split()}
    listed |= set(re.findall(r"/(\w+_test\.py) \$<TARGET_FILE:[\w-]+> (\w+)\)", lists))
    there = {(script.name, name)
             for script in here.glob("*_test.py")
             for name in re.findall(r"(?m)^class (\w+)\(.*Test\):", script.read_text(encoding="utf-8")) if not name.endswith("Test")}
    for script, name in sorted(there - listed):
        print(f"{script}: {name} is not in CMakeLists.txt, so nobody runs it")
    return 1 if there - listed or len(there) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
