#!/usr/bin/env python3
"""What cmake --install puts into a prefix, and a program that is built against it.
Usage: install_test.py SOURCE BUILD CMAKE COMPILER [unittest's own arguments]"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD, CMAKE, COMPILER = (sys.argv + [""] * 4)[1:5]
CASE = ("dam-break-2d", "resolution.spacing=0.04", "time.end=0.05")


def say(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="halfulp-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        say(CMAKE, "--install", BUILD, "--prefix", cls.folder / "first")
        # Nothing in a prefix may know where it was first.
        cls.prefix = cls.folder / "prefix"
        (cls.folder / "first").rename(cls.prefix)
        cls.program = cls.prefix / "bin/halfulp"

    def test_what_is_there(self):
        there = {str(path.relative_to(self.prefix)) for path in self.prefix.rglob("*")}
        for one in ("bin/halfulp", "include/halfulp/halfulp.hpp", "share/halfulp/cases/dam-break-2d.toml", "share/halfulp/cases/ramp.stl",
                    "share/halfulp/figures.py", "share/bash-completion/completions/halfulp", "share/zsh/site-functions/_halfulp",
                    "share/fish/vendor_completions.d/halfulp.fish", "share/man/man1/halfulp.1", "share/doc/halfulp/LICENSE",
                    "share/doc/halfulp/docs/tutorial/first-run.md", "share/doc/halfulp/examples/cases/pyramid.stl"):
            self.assertIn(one, there)
        self.assertEqual([path.name for path in (self.prefix / "include").rglob("*.hpp")], ["halfulp.hpp"])
        self.assertEqual(len(list(self.prefix.rglob("halfulpConfig.cmake"))), 1)

    def test_its_cases_are_found(self):
        shipped = sorted(path.stem for path in pathlib.Path(SOURCE, "cases").glob("*.toml"))
        self.assertEqual(say(self.program, "list", "--names", cwd=self.folder).split(), shipped)
        said = say(self.program, "info", "dam-break-2d", cwd=self.folder)
        self.assertIn("dam-break-2d", said)

    def test_a_program_on_the_library(self):
        example = self.folder / "energies"
        # Options that would change the bits of headers with arithmetic.
        say(CMAKE, "-S", pathlib.Path(SOURCE, "examples/cxx"), "-B", example, f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror -O3 -mfma -ffp-contract=fast")
        say(CMAKE, "--build", example)
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        said = say(example / "energies", *CASE, cwd=self.folder, env=environment)
        words = [self.program, "run", CASE[0], "-o", "run", "--no-figures", "--threads", "1"]
        for setting in CASE[1:]:
            words += ["--set", setting]
        summary = say(*words, cwd=self.folder)
        self.assertIn(re.search(r"(?m)^state ([0-9a-f]{32})$", said).group(1), summary)
        last = [line for line in said.splitlines() if re.match(r" +\d", line)][-1].split()
        kinetic = re.search(r"kinetic +\S+ +(\S+)", summary).group(1)
        self.assertEqual(last[1], kinetic)
        done = subprocess.run([example / "energies", "no-such-case"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))
        self.assertIn(str(self.prefix / "share/halfulp/cases"), done.stderr)

    def compile(self, source, name, *words):
        (library,) = self.prefix.rglob("libhalfulp.so")
        say(COMPILER, "-std=c++17", *words, f"-I{self.prefix}/include", source, library, f"-Wl,-rpath,{library.parent}", "-o", self.folder / name)
        return self.folder / name

    def test_the_document_s_program(self):
        (source,) = re.findall(r"(?ms)^```cpp\n(.*?)^```", pathlib.Path(SOURCE, "docs/cxx.md").read_text(encoding="utf-8"))
        (self.folder / "document.cpp").write_text(source, encoding="utf-8")
        said = say(self.compile(self.folder / "document.cpp", "document"), cwd=self.folder)
        self.assertRegex(said, r"^t = 0\.10\d\d s: kinetic \d+\.\d+ J/m\nparticle 0 at x = \S+ m, state [0-9a-f]{32}\n$")

    def test_a_program_that_flushes_small_numbers_is_refused(self):
        # Linked with this, GCC changes how the processor rounds.
        program = self.compile(pathlib.Path(SOURCE, "examples/cxx/energies.cpp"), "flushing", "-ffast-math")
        done = subprocess.run([program, *CASE], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (5, 1), done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]])
