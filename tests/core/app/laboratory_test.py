#!/usr/bin/env python3
"""What halfulp does where halfulp-lab is wanted: it starts that one, or says in a sentence how it is built.
Usage: laboratory_test.py PROGRAM"""
import os
import pathlib
import shutil

import program
from program import ProgramTest

BUILT = "built in the source folder by: cmake --build --preset release --target halfulp-lab"


class Forwarding(ProgramTest):
    """A copy of the program, alone or beside a halfulp-lab that tells what it was given."""

    def setUp(self):
        super().setUp()
        self.shipped, self.alone = program.PROGRAM, self.folder / "bin/halfulp"
        self.alone.parent.mkdir()
        shutil.copy(self.shipped, self.alone)
        program.PROGRAM = str(self.alone)
        self.addCleanup(lambda: setattr(program, "PROGRAM", self.shipped))

    def put_laboratory(self, script, mode=0o755):
        laboratory = self.alone.with_name("halfulp-lab")
        laboratory.write_text(script)
        laboratory.chmod(mode)

    def test_without_it(self):
        for words in (["validate"], ["validate", "energy", "--quick"], ["validate", "--help"], ["bench", "pairs"]):
            with self.subTest(words):
                sentence = self.fail_with(1, *words)
                self.assertIn(f"{words[0]} is a command of halfulp-lab, which is not beside this program "
                              f"({self.alone.with_name('halfulp-lab')}); it is {BUILT}", sentence)

    def test_one_that_does_not_start(self):
        self.put_laboratory("", 0o644)
        if os.geteuid() == 0 and os.access(self.alone.with_name("halfulp-lab"), os.X_OK):
            self.skipTest("everything may be executed here")
        sentence = self.fail_with(1, "validate", "energy")
        self.assertIn("halfulp-lab cannot be started: Permission denied", sentence)
        self.assertIn(BUILT, sentence)

    def test_words_and_exit_code(self):
        self.put_laboratory('#!/bin/sh\nfor word; do echo "[$word]"; done\nexit 42\n')
        for words in (["validate", "energy", "--spacing", "0.1", "-o", "a folder", ""], ["bench"], ["validate", "--help"]):
            with self.subTest(words):
                code, out, err = self.run_program(*words)
                self.assertEqual((code, err), (42, ""))
                self.assertEqual(out, "".join(f"[{word}]\n" for word in words))
        # Its own commands are not the laboratory's.
        self.assertIn("halfulp", self.succeed("--version"))
        self.assertIn("particles", self.succeed("info", "tank.toml"))


class Refusals(ProgramTest):
    def test_precisions(self):
        for name in ("naive", "quad", "dualsphysics", "gpusph", "robust/sums=plain", "double/units=si"):
            with self.subTest(name):
                sentence = self.fail_with(1, "run", "tank.toml", "-o", "a", "--set", f"numerics.precision={name}")
                self.assertIn(f'numerics.precision is "{name}", which this program does not have; it has robust, reversible and '
                              f"double, and halfulp-lab has it ({BUILT})", sentence)
                self.assertFalse((self.folder / "a").exists(), "nothing is created for a run that cannot be")
        sentence = self.fail_with(1, "run", "tank.toml", "--set", "numerics.precision=half")
        self.assertIn('numerics.precision is "half", but must be robust, reversible or double.', sentence)

    def test_lanes(self):
        for lanes, precision, usual, others in ((16, "robust", 8, "4 and 16"), (4, "robust", 8, "4 and 16"),
                                                (8, "double", 4, "2 and 8"), (2, "double", 4, "2 and 8")):
            with self.subTest(f"{precision} {lanes}"):
                words = ("--lanes", lanes, "--set", f"numerics.precision={precision}")
                sentence = self.fail_with(1, "run", "tank.toml", "-o", "a", *words)
                self.assertIn(f'--lanes {lanes}: in this program the precision "{precision}" runs with 1 and {usual} lanes; '
                              f"halfulp-lab has {others} as well ({BUILT})", sentence)


class Together(ProgramTest):
    """With the halfulp-lab that is built beside the program."""

    def test_programs_give_the_same_bits(self):
        self.succeed("run", "tank.toml", "-o", "a")
        shipped, program.PROGRAM = program.PROGRAM, str(pathlib.Path(program.PROGRAM).with_name("halfulp-lab"))
        self.addCleanup(lambda: setattr(program, "PROGRAM", shipped))
        for name, words in (("b", ()), ("c", ("--lanes", "4")), ("d", ("--set", "numerics.precision=naive"))):
            self.succeed("run", "tank.toml", "-o", name, *words)
        self.assertIn("equal to the bit", self.succeed("compare", "a", "b"))
        self.assertIn("equal to the bit", self.succeed("compare", "a", "c"))
        self.assertEqual(self.run_program("compare", "a", "d")[0], 2)
        out = self.succeed("info", "--precisions")
        for words in ("robust ", "naive ", "quad ", "robust/sums=plain "):
            self.assertIn(f"\n{words}", out)

    def test_refusals_and_exit_codes_come_through(self):
        self.assertIn("four", self.fail_with(1, "validate", "front", "--particles", "four"))
        self.assertIn("energy", self.succeed("validate", "--help"))
        self.assertIn("pairs", self.succeed("bench", "--help"))


if __name__ == "__main__":
    program.main()
