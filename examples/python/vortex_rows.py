"""What the energy of Taylor and Green's vortices is, against the exact one, when their field is moved by a part of a spacing.
Usage: vortex_rows.py [SPACING END]    (m, s; docs/howto/periodic.md has 0.02 0.8)"""

import sys

import numpy as np

import halfulp

spacing, end = [float(word) for word in sys.argv[1:]] or (0.025, 0.05)  # m, s
case = halfulp.Case("taylor-green-2d").set({"resolution.spacing": spacing, "time.end": end})
decay = 16 * np.pi**2 * case["fluid.kinematic_viscosity"]   # 1/s, of the kinetic energy

for moved in (0, 0.2, 0.3, 0.4, 0.45, 0.5):                 # of a spacing; rows of particles are that near to x = 0, 1/2, 1 and y = 0, 1/2, 1
    x, y = (f"2*pi*({axis} + {moved * spacing})" for axis in "xy")
    case.set({"shapes.fluid.velocity": [f"sin({x})*cos({y})", f"-cos({x})*sin({y})"],
              "shapes.fluid.pressure": f"1000*(0.5 + (cos(2*{x}) + cos(2*{y}))/4)"})
    for shifting in (0, 6):
        simulation = halfulp.Simulation(case.copy().set({"numerics.particle_shifting": shifting}))
        simulation.run()
        kinetic = simulation.ledger["kinetic"]
        print(f"moved by {moved} spacings, particle shifting {shifting}: {kinetic[-1] / kinetic[0] * np.exp(decay * simulation.time):.2f} of the exact energy")
