#!/usr/bin/env python3
"""Twenty times as many shapes or columns take about twenty times the work, counted in instructions. Usage: work_test.py PROGRAM"""
import os
import re
import shutil
import subprocess

import program
from program import ProgramTest, sanitized


class Work(ProgramTest):
    def setUp(self):
        super().setUp()
        if sanitized() or shutil.which("valgrind") is None:
            self.skipTest("there is no valgrind, or a sanitizer")

    def work(self, *words):
        # The program would start itself again, to set how its threads wait.
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
        words = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", program.PROGRAM, *words]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, env=environment)
        counted = re.search(r"I +refs: +([0-9,]+)", done.stderr)
        if counted is None:
            self.skipTest("valgrind does not know this processor: " + done.stderr[-200:])
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(counted.group(1).replace(",", ""))

    def check_linear(self, few, measure):
        base, some, many = measure(1), measure(few), measure(20 * few)
        self.assertGreater(some, base)
        self.assertLess(many - base, 30 * (some - base), (base, some, many))

    def test_shapes(self):
        head = program.CASE[: program.CASE.index("[[shapes]]")]

        def measure(count):
            with open(self.folder / "many.toml", "w") as case:
                case.write(head)
                for k in range(count):
                    x, y = 0.15 * (k % 100), 0.15 * (k // 100)
                    case.write(f'[[shapes]]\nname = "s{k}"\nkind = "fluid"\nbox = {{ from = [{x:.2f}, {y:.2f}], to = [{x + 0.1:.2f}, {y + 0.1:.2f}] }}\n')
            return self.work("info", "many.toml")

        self.check_linear(200, measure)

    def test_columns_of_a_table(self):
        def measure(count):
            with open(self.folder / "wide.csv", "w") as table:
                table.write("t_s," + ",".join(f"c{k}" for k in range(count)) + "\n")
                for row in range(4):
                    table.write(f"{row}," + ",".join(["0.5"] * count) + "\n")
            motion = f'motions=[{{name="m",rotation={{pivot=[0.5,0],table={{file="wide.csv",column="c{count - 1}"}}}}}}]'
            return self.work("info", "tank.toml", "--set", motion)

        self.check_linear(1000, measure)


if __name__ == "__main__":
    program.main()
