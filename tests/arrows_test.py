#!/usr/bin/env python3
"""Includes go one way. Usage: arrows_test.py SOURCE_FOLDER
A file may include its own folder's and those of folders that stand before it in ORDER (docs/architecture.md)."""
import pathlib
import re
import sys

ORDER = ("precision", "kernels", "core", "core/schemes", "core/motion", "core/results", "core/setup", "core/particles", "core/neighbours",
         "core/operations", "core/distribution", "core/output", "core/backends", "core/evolution", "core/app", "core/library", "validation")
CODE = (".hpp", ".cpp", ".cu", ".cuh", ".in")


def folder_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "core" and len(parts) > 2 else parts[0]


def main():
    source = pathlib.Path(sys.argv[1])
    seen = 0
    wrong = 0
    for top in ("precision", "kernels", "core", "validation"):
        for file in sorted((source / top).rglob("*")):
            if file.suffix not in CODE:
                continue
            here = folder_of(str(file.relative_to(source)))
            for included in re.findall(r'#\s*include "([^"@]+)"', file.read_text(encoding="utf-8")):
                if "/" not in included:
                    continue
                seen += 1
                if ORDER.index(folder_of(included)) > ORDER.index(here):
                    wrong += 1
                    print(f"{file.relative_to(source)} includes {included}: {folder_of(included)} stands after {here}")
    print(f"{seen} includes, {wrong} the wrong way")
    return 1 if wrong or seen < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
