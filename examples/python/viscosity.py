"""The viscosity that a channel's flow has by its curvature, over the one that its case gives, of each laminar viscosity. Some seconds.
Usage: viscosity.py [SPACING...]    (spacings in m; docs/physics.md has 0.025 and 0.0125)"""

import sys

import numpy as np

import halfulp

spacings = [float(word) for word in sys.argv[1:]] or [0.025]  # m
case = halfulp.Case("poiseuille-2d").set({"output.interval": 6, "output.figures": False})
sweep = halfulp.sweep(case, {"resolution.spacing": spacings, "fluid.laminar_viscosity": ["morris", "brookshaw", "monaghan-gingold"]},
                      "out/viscosity")

for row in sweep.rows:
    output = sweep[int(row["run"])].outputs[-1]
    fluid = output["kind"] == 0
    y, u = output["position"][fluid, 1].astype(float), output["velocity"][fluid, 0].astype(float)
    middle = np.abs(y - 0.5) < 0.25
    curvature = 2 * np.polyfit(y[middle], u[middle], 2)[0]  # 1/(m s); of a steady flow -f/nu
    found = -case["gravity"][0] / curvature / case["fluid.kinematic_viscosity"]
    print(f"spacing {row['resolution.spacing']} m, {row['fluid.laminar_viscosity']}: {found:.3f} of the viscosity")
