"""The torques of a rotor in a drum of oil by each laminar viscosity, beside their closed form. A few seconds.
Usage: torque.py [SPACING...]    (spacings in m; docs/howto/torque.md has 0.02 and 0.01)"""

import math
import sys
from pathlib import Path

import halfulp

spacings = [float(word) for word in sys.argv[1:]] or [0.02]  # m
case = halfulp.Case(Path(__file__).resolve().parents[1] / "cases/taylor-couette.toml").set({"output.figures": False})
sweep = halfulp.sweep(case, {"resolution.spacing": spacings, "fluid.laminar_viscosity": ["monaghan-gingold", "brookshaw", "morris"]},
                      "out/torque")

inner, outer, rate = 0.2, 0.5, 1.0  # m, m, rad/s
exact = 4 * math.pi * case["fluid.density"] * case["fluid.kinematic_viscosity"] * rate * inner**2 * outer**2 / (outer**2 - inner**2)
print(f"exact: {exact:.1f} N for a metre of length")
for row in sweep.rows:
    run = sweep[int(row["run"])]
    means = []
    for name in ("rotor", "drum"):
        probe = run.probes[name]
        late = probe["time"] > 0.8
        means.append(float(probe["moment_z"][late].mean()))
    print(f"spacing {row['resolution.spacing']} m, {row['fluid.laminar_viscosity']}: rotor {means[0]:.1f} N, drum {means[1]:.1f} N, "
          f"dissipated {-float(row['laminar_work']):.1f} J")
