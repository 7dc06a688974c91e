#!/usr/bin/env python3
"""Runs that are killed at random moments and resumed with other threads and lanes end with the bits and files of undisturbed
ones. Usage: kills_test.py PROGRAM [unittest's own arguments]; in the environment KILLS=50 for so many kills of each case, at
the moments of SEED=1, and BACKENDS=cpu,cuda for a change of back end, too."""
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import program
from program import ProgramTest

WATER = """
[[shapes]]
name = "water"
kind = "fluid"
box = {{ from = {}, to = {} }}
"""
TANK = """
[[shapes]]
name = "tank"
kind = "wall"
hollow_box = {{ from = {}, to = {} }}
"""
HEAD = """dimensions = {}
[resolution]
spacing = {}
smoothing_ratio = 1.5
[output]
interval = {}
ledger_every = 7
figures = false
{}
"""


class Kills(ProgramTest):
    KILLS = int(os.environ.get("KILLS", "4"))
    SEED = int(os.environ.get("SEED", "0"))
    BACKENDS = os.environ.get("BACKENDS", "cpu").split(",")

    def machine(self, backend):
        """Options for a machine of another kind than the last, perhaps."""
        threads = ("--threads", random.choice((1, 2, 3)), *random.choice(((), ("--lanes", 1)))) if backend == "cpu" else ()
        return "--backend", backend, *threads, "--checkpoint-every", "0.01", "--quiet"

    def check(self, case):
        (self.folder / "case.toml").write_text(case)
        longest = {}
        self.succeed("run", "case.toml", "-o", "whole", "--quiet", "--backend", "cpu", "--threads", 1)
        for backend in self.BACKENDS:
            begin = time.monotonic()
            self.succeed("run", "case.toml", "-o", "cut", "--overwrite", "--quiet", "--backend", backend)
            self.check_same()
            # Killed several times before its end; but a device, which takes most of that time to begin, gets to its steps.
            longest[backend] = min(0.5, 0.6 * (time.monotonic() - begin)) if backend == "cpu" else 1.5 * (time.monotonic() - begin)
        shutil.rmtree(self.folder / "cut")
        random.seed(len(case) + self.SEED)
        kills = rounds = changes = 0
        last = None
        while kills < self.KILLS or rounds == 0:
            resumes = any((self.folder / "cut").glob("checkpoint.[01]"))
            backend = random.choice(self.BACKENDS)
            changes += resumes and backend != last
            last = backend
            process = self.start(*(("resume", "cut") if resumes else ("run", "case.toml", "-o", "cut", "--overwrite")), *self.machine(backend))
            try:
                _, err = process.communicate(timeout=random.uniform(0.02, longest[backend]) if kills < self.KILLS else 100)
                self.assertEqual((process.returncode, err), (0, ""))
                self.check_same()
                rounds += 1
                self.assertLess(rounds, 100 + self.KILLS)
                shutil.rmtree(self.folder / "cut")  # complete: another round
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate(timeout=60)
                kills += 1
        if any((self.folder / "cut").glob("checkpoint.[01]")):
            self.succeed("resume", "cut", *self.machine(random.choice(self.BACKENDS)))
            self.check_same()
            rounds += 1
        if "KILLS" in os.environ:
            print(f"{self.id()}: {kills} kills, resumed {changes} times on another back end, {rounds} runs to the bits of the whole one",
                  file=sys.stderr)

    def check_same(self):
        self.assertEqual(self.outputs("whole"), self.outputs("cut"))
        for name in ("ledger.csv", "run.xdmf"):
            self.assertEqual((self.folder / "whole" / name).read_bytes(), (self.folder / "cut" / name).read_bytes(), name)

    def test_mirrored_walls_and_one_that_moves_by_a_table(self):
        (self.folder / "push.csv").write_text("t_s,m\n" + "".join(f"{0.02 * k},{0.0004 * k * k}\n" for k in range(20)))
        self.check(HEAD.format(3, 0.05, 0.02, "") + """
[fluid]
sound_speed = 30
artificial_viscosity = 0.05
[numerics]
walls = "modified-dynamic"
[time]
end = 0.1
[[motions]]
name = "push"
bodies = ["piston"]
translation = { direction = [1, 0, 0], table = { file = "push.csv", column = "m" } }
[[shapes]]
name = "piston"
kind = "wall"
box = { from = [-0.2, 0, 0], to = [0, 0.3, 0.6] }
""" + TANK.format([-0.2, 0, 0], [0.8, 0.3, 0.6]).replace("kind = ", 'without = ["piston"]\nkind = ') + WATER.format([0, 0, 0], [0.4, 0.3, 0.3]))

    def test_shifting_filter_smoothing_and_compressed_outputs(self):
        self.check(HEAD.format(2, 0.02, 0.02, 'compression = "deflate"') + """
[fluid]
sound_speed = 30
artificial_viscosity = 0.05
[numerics]
particle_shifting = 2
density_filter = "shepard"
filter_every = 10
velocity_smoothing = 0.5
walls = "dynamic"
density_diffusion = "none"
[time]
end = 0.1
""" + TANK.format([0, 0], [1, 0.8]) + WATER.format([0, 0], [0.5, 0.5]))

    def test_periodic_in_double_with_the_diffusion_of_antuono(self):
        self.check("period = [1, 0]\n" + HEAD.format(2, 0.02, 0.02, "") + """
[fluid]
sound_speed = 30
artificial_viscosity = 0.05
[numerics]
precision = "double"
density_diffusion = "antuono"
[time]
end = 0.1
[[shapes]]
name = "floor"
kind = "wall"
box = { from = [0, -0.1], to = [1, 0] }
""" + WATER.format([0, 0], [0.5, 0.5]))

    def test_reversible(self):
        self.check(HEAD.format(2, 0.02, 0.02, "") + """
[fluid]
sound_speed = 30
artificial_viscosity = 0
[numerics]
precision = "reversible"
walls = "dynamic"
density_diffusion = "none"
wall_tension = true
[time]
end = 0.1
step = "fixed"
cfl = 0.1
""" + TANK.format([0, 0], [1, 0.8]) + WATER.format([0, 0], [0.5, 0.5]))


if __name__ == "__main__":
    program.main()
