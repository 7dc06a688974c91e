"""A sweep: how far the front gets, and what energy is lost, by resolution and artificial viscosity."""

import halfulp

case = halfulp.Case("dam-break-2d")
case.set({"time.end": 0.3, "output.figures": False})

sweep = halfulp.sweep(case, {"fluid.artificial_viscosity": [0.02, 0.1], "resolution.spacing": [0.06, 0.04]}, "out/sweep")

for row in sweep.rows:               # sweep.frame() is the same as a data frame of pandas
    print(f"run {row['run']}: alpha {row['fluid.artificial_viscosity']}, spacing {row['resolution.spacing']} m: {row['end_state']}, "
          f"front {row['front']:.3f} m, viscous work {row['viscous_work']:.1f} J/m")
print(sweep[0].case["fluid.artificial_viscosity"], "is the first run's; all of it is in", sweep[0].folder)
