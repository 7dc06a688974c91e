#!/usr/bin/env python3
"""The digest of the sources that kept results belong to: changed by what is compiled, and by nothing else.

Usage: sources_test.py SOURCE_FOLDER CMAKE"""
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE, CMAKE = sys.argv[1:]


def digest(folder):
    target = folder / "build_info.cpp"
    subprocess.run((CMAKE, f"-DSOURCE={folder}", f"-DTARGET={target}", "-P", f"{SOURCE}/cmake/WriteBuildInfo.cmake"), check=True)
    return re.search(r'sources = "([0-9a-f]{64})"', target.read_text(encoding="utf-8")).group(1)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ("kernels", "core/app", "validation", "docs", "tests", "cases"):
            (folder / part).mkdir(parents=True)
        (folder / "core/app/build_info.cpp.in").write_text((pathlib.Path(SOURCE) / "core/app/build_info.cpp.in").read_text(encoding="utf-8"), encoding="utf-8")
        kernel = folder / "kernels/kernel.hpp"
        kernel.write_text("1", encoding="utf-8")
        first = digest(folder)
        for left_alone in ("docs/page.md", "tests/test.cpp", "cases/case.toml", "validation/figure.py", "README.md"):
            (folder / left_alone).write_text("new", encoding="utf-8")
            assert digest(folder) == first, left_alone
        seen = {first}
        for change in (lambda: kernel.write_text("2", encoding="utf-8"), lambda: kernel.rename(folder / "kernels/other.hpp"),
                       lambda: (folder / "validation/study.cpp").write_text("", encoding="utf-8")):
            change()
            assert digest(folder) not in seen
            seen.add(digest(folder))


if __name__ == "__main__":
    main()
