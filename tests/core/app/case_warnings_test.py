#!/usr/bin/env python3
"""Where a case departs from what its flow needs, info and run say so in one sentence, and what is wrong is refused.
Usage: case_warnings_test.py PROGRAM"""
import json
import re

import program
from program import ProgramTest


STILL = """
resolution = { spacing = 0.05 }
fluid = { sound_speed = 40 }
time = { end = 1 }
output = { interval = 1, figures = false }
shapes = [{ name = "tank", kind = "wall", hollow_box = { from = [0, 0], to = [1, 1.2] } },
          { name = "water", kind = "fluid", box = { from = [0, 0], to = [1, 0.8] }, hydrostatic = true }]
"""


class CaseWarnings(ProgramTest):
    def test_info_and_run_say_the_same(self):
        """README's tank with steps of 0.002 s, three times the longest that is right."""
        case = ("tank.toml", "--set", "time.step=fixed", "--set", "time.size=0.003", "--set", "time.end=0.006")
        told = self.warnings(self.succeed("info", *case))
        self.assertEqual(len(told), 1)
        self.assertIn("time.size = 0.003 s is a CFL number c0 dt/h of 1.2,", told[0])
        out = self.succeed("run", *case, "-o", "a")
        self.assertEqual(self.warnings(out.split("energy ledger")[0]), told, "before the first step")
        self.assertEqual(self.warnings(out.split("energy ledger")[1]), told, "in the summary")
        self.assertEqual(self.warnings(self.succeed("info", "a")), told, "of a run")
        self.assertEqual(json.loads(self.succeed("info", "a", "--json"))["warnings"], told)
        self.assertEqual(self.warnings(self.succeed("run", *case, "-o", "b", "--quiet")), told)
        self.assertEqual(self.warnings(self.succeed("info", "tank.toml")), [])

    def test_walls_that_start_dry(self):
        dynamic = ("--set", "numerics.walls=dynamic", "--set", "numerics.density_diffusion=fourtakas")
        told = self.warnings(self.succeed("info", "tank.toml", *dynamic))
        self.assertEqual(len(told), 1)
        self.assertRegex(told[0], r'numerics.walls is "dynamic", and \d+ of the 72 wall particles')

    def test_what_is_refused(self):
        probe = 'probes=[{name="P",measures="pressure",at=[3, 0.1]}]'
        baffle = 'shapes=[{name="tank",kind="wall",hollow_box={from=[0,0],to=[1,0.8]}},{name="baffle",kind="wall",box={from=[0.5,0],to=[0.55,0.6]}},{name="water",kind="fluid",box={from=[0,0],to=[0.5,0.5]}}]'
        motion = 'motions=[{name="push",translation={direction=[1,0],sine={amplitude=5,period=1}}}]'
        for override, part in ((probe, "probes.P.at = (3, 0.1) m lies where no fluid can come"),
                               (baffle, 'the wall "baffle" is 1 spacing (0.05 m) thick between fluid on both of its sides'),
                               ("shapes.tank.layers=1", 'the wall "tank" is 1 spacing (0.05 m) thick where fluid can touch it'),
                               (motion, "motions.push moves walls at 31.42 m/s at t = 0 s, 1.05 of fluid.sound_speed")):
            for command in ("info", "run"):
                with self.subTest(command=command, part=part):
                    self.assertIn(part, self.fail_with(1, command, "tank.toml", "--set", override))
        self.assertFalse((self.folder / "out").exists(), "nothing is begun")

    def test_what_damps_too_much_for_an_integrator_makes_waves_grow(self):
        """Water at rest on both sides of the limit that warnings name: below it stays, above it scatters."""
        (self.folder / "still.toml").write_text(STILL)
        fourtakas = ("numerics.density_diffusion=fourtakas", "numerics.diffusion_coefficient={}")
        brookshaw = ("fluid.laminar_viscosity=brookshaw", "fluid.kinematic_viscosity={}")
        for settings, stays, grows in (
                ((*fourtakas, "time.cfl=0.4"), 0.74, 0.9),
                ((*fourtakas, "time.cfl=0.4", "numerics.integrator=leap-frog"), 0.37, 0.45),
                ((*fourtakas, "time.cfl=0.4", "numerics.integrator=symplectic", "numerics.walls=dynamic"), 0.74, 0.9),
                ((*fourtakas, "time.cfl=0.4", "numerics.integrator=implicit-midpoint"), 0.72, 0.9),
                ((*fourtakas, "time.cfl=0.2", "numerics.integrator=verlet"), 0.1, 0.13),
                ((*fourtakas, "time.cfl=0.4", "numerics.integrator=verlet"), 0.05, 0.065),
                ((*fourtakas, "time.cfl=0.2", "numerics.integrator=verlet", "numerics.corrector_every=4"), 0.48, 0.6),
                (("fluid.artificial_viscosity={}", "time.cfl=0.4"), 4.4, 5.3),
                (("fluid.artificial_viscosity={}", "time.cfl=0.2", "numerics.integrator=verlet"), 0.58, 0.75),
                ((*brookshaw, "time.cfl=0.2", "numerics.integrator=verlet"), 0.36, 0.46)):
            for value, expected in ((stays, False), (grows, True)):
                words = ("still.toml", "--set", *(one.format(value) for one in settings))
                with self.subTest(words=words):
                    told = [one for one in self.warnings(self.succeed("info", *words)) if "from the shortest waves in a step" in one]
                    self.assertEqual(len(told), expected, told)
                    code, out, _ = self.run_program("run", *words, "-o", "a", "--overwrite")
                    # At rest the bed is compressed by g H/c0^2 = 0.0049.
                    deviation = float(re.search(r"density deviation (\S+)", out).group(1))
                    self.assertEqual(code != 0 or deviation > 0.0055, expected, out)

    def test_verlets_correctors_feed_sound(self):
        (self.folder / "still.toml").write_text(STILL)
        verlet = ("numerics.integrator=verlet", "fluid.artificial_viscosity=0")
        for settings, grows in ((("time.cfl=0.2", "numerics.corrector_every=1"), True), (("time.cfl=0.2", "numerics.corrector_every=2"), False),
                                (("time.cfl=0.4", "numerics.corrector_every=2"), True), (("time.cfl=0.4", "numerics.corrector_every=3"), False),
                                (("time.cfl=0.4", "numerics.corrector_every=10", "numerics.density_diffusion=none"), True)):
            words = ("still.toml", "--set", *verlet, *settings)
            with self.subTest(words=words):
                told = [one for one in self.warnings(self.succeed("info", *words)) if "steps of Euler" in one]
                self.assertEqual(len(told), grows, told)
                out = self.run_program("run", *words, "-o", "a", "--overwrite")[1]
                speed = float(re.search(r", speed (\S+) m/s", out).group(1))
                self.assertEqual(speed > 0.15, grows, f"{speed} m/s")

    def test_monaghan_and_gingolds_viscosity_stays_at_rest(self):
        """Its waves feel three times its viscosity for shear, and bound the step by that."""
        (self.folder / "still.toml").write_text(STILL)
        for integrator in ("kick-drift-kick", "leap-frog", "symplectic", "predictor-corrector"):
            out = self.succeed("run", "still.toml", "-o", integrator, "--set", "fluid.laminar_viscosity=monaghan-gingold",
                               "fluid.kinematic_viscosity=5", "time.end=0.1", f"numerics.integrator={integrator}", "numerics.walls=dynamic")
            self.assertLess(float(re.search(r", speed (\S+) m/s", out).group(1)), 0.01, "m/s; unstable it is above 0.1")

    def test_mesh_in_millimetres(self):
        sentence = self.fail_with(1, "info", "ramp-3d", "--set", "shapes.ramp.mesh.scale=1")
        self.assertIn('the mesh of shape "ramp" is 800 x 400 x 200 m with shapes.ramp.mesh.scale = 1, 500 times as long as '
                      "everything else; if its file is in mm, set shapes.ramp.mesh.scale = 0.001", sentence)


if __name__ == "__main__":
    program.main()
