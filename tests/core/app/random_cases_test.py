#!/usr/bin/env python3
"""Cases drawn at random, of all physics together: every way of computing one comes to the same bits, and one that is
not covered is refused in a sentence. Usage: random_cases_test.py PROGRAM

HALFULP_RANDOM=N draws N of them (12), from the seed HALFULP_SEED on, HALFULP_BACK_END=cuda computes them on a device
too, alone and in batches, and HALFULP_DEVICES=0,1 on several; HALFULP_OTHER=PROGRAM computes them with another program,
too, such as one of another compiler. Many are computed side by side."""
import concurrent.futures
import json
import os
import random
import shutil

import program
from program import ProgramTest

SEED = int(os.environ.get("HALFULP_SEED", "1"))
WANTED = int(os.environ.get("HALFULP_RANDOM", "12"))
ON_DEVICE = os.environ.get("HALFULP_BACK_END") == "cuda"
DEVICES = os.environ.get("HALFULP_DEVICES")
OTHER = os.environ.get("HALFULP_OTHER") and os.path.abspath(os.environ["HALFULP_OTHER"])
REFUSED = 1

OTHER_INTEGRATORS = ("leap-frog", "predictor-corrector", "symplectic", "implicit-midpoint", "discrete-gradient")


def listed(numbers):
    return "[" + ", ".join(f"{x:.6g}" if isinstance(x, float) else str(x) for x in numbers) + "]"


class Drawn:
    """A case drawn at random: its text, its end and its precision."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.dimensions = self.chosen(2, 2, 3)
        self.across = self.chosen(16, 24, 32) if self.dimensions == 2 else self.chosen(8, 10)
        self.spacing = 1 / self.across
        self.periodic = [False] * self.dimensions
        kind = self.random.random()
        if kind < 0.3:
            self.periodic[0] = True
        elif kind < 0.4:
            self.periodic = [True] * self.dimensions
        self.write_space()
        self.write_numerics()
        self.write_time_and_output()
        self.write_shapes()
        if not any(self.periodic) and self.chance(0.3):
            self.write_motion()
        if self.chance(0.4):
            place = [0.25] * (self.dimensions - 1) + [0.1]
            self.say(f'[[probes]]\nname = "p"\nmeasures = "{self.chosen("pressure", "level", "velocity")}"',
                     f"at = {listed(place)}\ninterval = {self.end / 7:.6g}")

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def chosen(self, *values):
        return self.random.choice(values)

    def chance(self, share):
        return self.random.random() < share

    def say(self, *lines):
        self.lines += lines

    def maybe(self, share, key, *values):
        """A key with one of the values, or, with the rest of the chance, without; the value or None."""
        if not self.chance(share):
            return None
        value = self.chosen(*values)
        words = f'"{value}"' if isinstance(value, str) else str(value).lower()
        self.say(f"{key} = {words}")
        return value

    def write_space(self):
        gravity = [0.0] * self.dimensions
        if self.chance(0.85) and not self.periodic[-1]:
            gravity[-1] = -9.81
        if self.chance(0.2):
            gravity[0] = self.random.uniform(-4, 4)
        self.heavy = gravity[-1] < 0
        self.say('title = "Drawn at random"', f"dimensions = {self.dimensions}", f"gravity = {listed(gravity)}")
        if any(self.periodic):
            self.say(f"period = {listed([int(one) for one in self.periodic])}")
        elif self.chance(0.12):
            self.say(f"central_force = {{ rate = {self.random.uniform(0.5, 2):.3f}, centre = {listed([0.5] * self.dimensions)} }}")
        ratio = self.chosen(1.3, 1.5, 1.732, 2.0)
        self.say("[resolution]", f"spacing = {self.spacing:.10g}", f"smoothing_ratio = {ratio}")
        if self.chance(0.3):
            cells = [self.chosen(0, 1000, -70000, 5 * 10**7, 10**9 - 10**6) for _ in range(self.dimensions)]
            self.say("[origin]", f"cells = {listed(cells)}")
        self.sound_speed = self.chosen(20, 30, 45)
        self.say("[fluid]", f"density = {self.chosen(1000, 1, 998.2)}", f"sound_speed = {self.sound_speed}")
        self.maybe(0.6, "artificial_viscosity", 0.02, 0.1, 0.3)
        if self.maybe(0.4, "laminar_viscosity", "morris", "brookshaw", "monaghan-gingold"):
            self.maybe(1, "kinematic_viscosity", 1e-6, 1e-3, 1e-2)
        self.maybe(0.25, "state_equation", "linear")

    def write_numerics(self):
        self.say("[numerics]")
        self.maybe(0.06, "preset", "dominguez-2013", "cehinav", "gpusph-2018", "dualsphysics-5")
        self.precision = self.maybe(1, "precision", "robust", "robust", "robust", "robust", "robust", "double", "reversible")
        self.maybe(0.6, "kernel", "wendland-c2", "cubic-spline", "gaussian")
        self.maybe(0.3, "formulation", "mass-weighted", "volume-weighted")
        self.integrator = self.maybe(0.65, "integrator", "kick-drift-kick", "verlet", *OTHER_INTEGRATORS)
        if self.integrator == "verlet":
            self.maybe(0.5, "corrector_every", 1, 2, 7, 40)
        self.maybe(0.5, "skin", 0.02, 0.05, 0.1, 0.25, 0.5, 1)
        self.maybe(0.2, "rebuild_every", 1, 2, 7)
        self.maybe(0.3, "cells_per_support", 1, 2, 3)
        self.maybe(0.4, "wall_tension", True, False)
        self.maybe(0.7, "walls", "dynamic", "extrapolated", "modified-dynamic", "pressure-cloning")
        self.maybe(0.15, "wall_slip", "no-slip", "free-slip")
        self.maybe(0.15, "tensile_correction", True)
        self.maybe(0.7, "density_diffusion", "none", "molteni-colagrossi", "fourtakas", "antuono", "balanced")
        if self.maybe(0.2, "density_filter", "shepard", "mls"):
            self.maybe(1, "filter_every", 1, 3, 9, 20)
        self.maybe(0.2, "particle_shifting", 1, 2, 5)
        self.maybe(0.2, "velocity_smoothing", 0.1, 0.3, 0.5)

    def write_time_and_output(self):
        steps = 20 if self.integrator in ("implicit-midpoint", "discrete-gradient") else self.chosen(40, 80, 160)
        self.cfl = cfl = self.chosen(0.1, 0.2, 0.3)
        self.end = steps * cfl * 1.5 * self.spacing / self.sound_speed
        step = self.chosen("variable", "variable", "fixed")
        self.say("[time]", f"end = {self.end:.8g}", f'step = "{step}"', f"cfl = {cfl}")
        if step == "variable":
            self.maybe(0.2, "step_softening", False)
        self.say("[output]", f"interval = {self.end / self.chosen(1, 2, 3):.8g}", "figures = false")
        self.maybe(1, "ledger_every", 1, 3, 10)
        if self.chance(0.2):
            self.say('columns = ["position", "velocity", "vorticity", "divergence"]')
        self.maybe(0.1, "compression", "deflate")
        self.maybe(0.1, "particles", "fluid")

    def write_shapes(self):
        low, high = [0.0] * self.dimensions, [1.0] * self.dimensions
        if not any(self.periodic):
            self.shape("tank", "wall", low, high, "hollow_box")
            self.maybe(0.3, "layers", 3, 4, 6)
            if self.chance(0.3):
                corner = [round(self.random.uniform(0.5, 0.7) * self.across) * self.spacing for _ in low]
                corner[-1] = 0.0
                self.shape("block", "wall", corner, [x + 4 * self.spacing for x in corner])
        elif not self.periodic[-1]:
            self.shape("floor", "wall", low[:-1] + [-4 * self.spacing], high[:-1] + [0.0])
            self.shape("ceiling", "wall", low[:-1] + [1.0], high[:-1] + [1 + 4 * self.spacing])
        top = [1.0 if along else round(self.random.uniform(0.3, 1) * self.across) * self.spacing for along in self.periodic]
        if self.chance(0.12) and not self.periodic[-1]:
            low[-1] = 2 * self.spacing
            top[-1] = max(top[-1], 6 * self.spacing)
        self.shape("water", "fluid", low, top)
        if any(line.startswith('name = "block"') for line in self.lines):
            self.say('without = ["block"]')
        if self.chance(0.5):
            self.say(f"velocity = {listed([self.random.uniform(-3, 3) for _ in low])}")
        elif self.chance(0.3):
            vortices = ['"sin(6.283185*x)*cos(6.283185*y)"', '"-cos(6.283185*x)*sin(6.283185*y)"', "0"]
            self.say(f"velocity = [{', '.join(vortices[:self.dimensions])}]")
        if self.heavy and self.chance(0.5):
            self.say("hydrostatic = true")

    def shape(self, name, kind, low, high, form="box"):
        self.say("[[shapes]]", f'name = "{name}"', f'kind = "{kind}"', f"{form} = {{ from = {listed(low)}, to = {listed(high)} }}")

    def write_motion(self):
        self.say("[[motions]]", 'name = "shaken"', f'frame = "{self.chosen("laboratory", "moving")}"')
        which = self.random.random()
        if which < 0.6:
            sine = f"amplitude = {self.random.uniform(0.001, 0.05):.4f}, period = {self.random.uniform(0.05, 0.5):.3f}"
            self.say("[motions.translation]", f"direction = {listed([1] + [0] * (self.dimensions - 1))}", f"sine = {{ {sine} }}")
        if which > 0.4:
            self.say("[motions.rotation]", f"pivot = {listed([0.5] * self.dimensions)}")
            if self.dimensions == 3:
                self.say("axis = [0, 1, 0]")
            sine = f"amplitude = {self.random.uniform(0.5, 6):.3f}, period = {self.random.uniform(0.1, 0.6):.3f}"
            self.say(f"sine = {{ {sine} }}")


class RandomCases(ProgramTest):
    ALONE = ("--threads", "1", "--lanes", "1")
    DEVICE = ("--backend", "cuda")

    def computed(self, folder, name, *words, command=("run", "case.toml"), **options):
        """Exit code, what was said, and the summary, of a run in a folder of its own."""
        target = ("-o", name) if command[0] == "run" else ()
        code, out, err = self.run_program(*command, *target, "--json", "--quiet", *words, cwd=folder, **options)
        return code, err, json.loads(out) if out.strip() else {}

    def ways(self, drawn):
        """Some of the ways of computing it, by name."""
        ways = {"threads": ("--threads", "3"), "search": ("--threads", "1", "--neighbours", "none"),
                "ranks": ("--ranks", str(drawn.chosen(2, 3, 5)), "--threads", "1")}
        del ways[drawn.chosen(*ways)]
        if ON_DEVICE and drawn.precision == "robust":
            ways["device"] = self.DEVICE
            name, words = drawn.chosen(("compact", ("--neighbours", "compact")), ("masks", ("--neighbours", "masks")), ("searching", ("--neighbours", "none")),
                                       ("audited", ("--audit", "9")))
            ways[name] = self.DEVICE + words
        if DEVICES and drawn.precision == "robust":
            ways["devices"] = ("--devices", DEVICES)
        return ways

    def differences(self, folder, drawn):
        """None for a case that is refused, in a sentence; otherwise what differs between the ways of computing it."""
        folder.mkdir()
        (folder / "case.toml").write_text(drawn.text)
        code, said, here = self.computed(folder, "alone", *self.ALONE, "--keep-checkpoint")
        if code == REFUSED:
            self.one_sentence(said)
            return None
        if code not in (0, 3):
            return [f"exit code {code}: {said}"]
        found = []
        for name, words in self.ways(drawn).items():
            found += self.compared(folder, name, code, here, self.computed(folder, name, *words))
        if OTHER:
            other = self.computed(folder, "other", "--threads", "2", program=OTHER, patience=1200)  # an emulator's, perhaps
            found += self.compared(folder, "other", code, here, other)
        if code == 0 and ON_DEVICE and drawn.precision == "robust":
            self.run_program("sweep", "case.toml", "--vary", f"time.cfl={drawn.cfl},0.15,0.25", "-o", "sweep", *self.DEVICE,
                             cwd=folder)
            found += self.alike(folder, "sweep/0000")
        if code == 0 and drawn.chance(0.5):
            places = [("--threads", "2"), ("--ranks", "3", "--threads", "1")]
            if ON_DEVICE and drawn.precision == "robust":
                places.append(self.DEVICE)
            if DEVICES and drawn.precision == "robust":
                places.append(("--devices", DEVICES))
            before, after = drawn.chosen(*places), drawn.chosen(*places)
            part = f"time.end={drawn.end * drawn.random.uniform(0.2, 0.8):.8g}"
            first = self.computed(folder, "resumed", *before, "--keep-checkpoint", "--set", part)
            if first[0] == 0:
                whole = self.computed(folder, "resumed", "--until", f"{drawn.end:.8g}", *after, command=("resume", "resumed"))
                found += self.compared(folder, "resumed", code, here, whole, outputs=False)
        return found

    def compared(self, folder, name, code, here, other, outputs=True):
        other_code, said, there = other
        for what in ("state_hash", "steps"):
            if here.get(what) != there.get(what):
                return [f"{name}: {what} is {there.get(what)} instead of {here.get(what)} (exit code {other_code}): {said}"]
        if other_code != code:
            return [f"{name}: exit code {other_code} instead of {code}: {said}"]
        return self.alike(folder, name) if code == 0 and outputs else []

    def alike(self, folder, name):
        differs, out, err = self.run_program("compare", "alone", name, cwd=folder)
        return [f"{name}: {out}{err}"] if differs else []

    def examine(self, number):
        """The first case from a seed on that is not refused."""
        for attempt in range(50):
            drawn = Drawn(f"{SEED}.{number}.{attempt}")
            folder = self.folder / f"{number}.{attempt}"
            found = self.differences(folder, drawn)
            shutil.rmtree(folder)
            if found:
                return f"{drawn.text}\n" + "\n".join(found)
            if found is not None:
                return None
        return "fifty cases one after another are refused"

    def test_every_way_of_computing_one_has_the_same_bits(self):
        workers = os.cpu_count() if WANTED > 100 else 1
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for number, found in enumerate(pool.map(self.examine, range(WANTED))):
                with self.subTest(seed=f"{SEED}.{number}"):
                    self.assertIsNone(found, found)

    def test_one_that_differs_in_a_bit_is_found(self):
        (self.folder / "case.toml").write_text(program.CASE)
        code, _, here = self.computed(self.folder, "alone")
        other = self.computed(self.folder, "other", "--set", "fluid.sound_speed=30.000002")
        self.assertEqual(code, 0)
        self.assertTrue(self.compared(self.folder, "other", code, here, other))


if __name__ == "__main__":
    program.main()
