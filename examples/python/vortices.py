"""Taylor and Green's vortices with and without density diffusion, against the exact solution. A few seconds.
Usage: vortices.py [SPACING...]    (spacings in m; docs/howto/periodic.md has 0.02 and 0.01)"""

import sys

import numpy as np

import halfulp

spacings = [float(word) for word in sys.argv[1:]] or [0.025]  # m
end = 0.9 if len(sys.argv) > 1 else 0.1   # s; the quick form
case = halfulp.Case("taylor-green-2d").set({"time.end": end, "output.interval": 0.1, "output.figures": False})
sweep = halfulp.sweep(case, {"resolution.spacing": spacings, "numerics.density_diffusion": ["none", "balanced"]}, "out/vortices")
decay = 8 * np.pi**2 * case["fluid.kinematic_viscosity"]   # 1/s, of the velocity

for row in sweep.rows:
    for output in sweep[int(row["run"])].outputs:
        x, y = 2 * np.pi * output["position"][:, :2].astype(float).T
        exact_velocity = np.exp(-decay * output.time) * np.array([np.sin(x) * np.cos(y), -np.cos(x) * np.sin(y)])  # m/s
        exact_pressure = np.exp(-2 * decay * output.time) * 250 * (np.cos(2 * x) + np.cos(2 * y))                  # Pa
        velocity = output["velocity"][:, :2].astype(float).T
        pressure = output["pressure"] - output["pressure"].mean(dtype=float)
        error = [np.sqrt(np.mean((found - exact)**2) / np.mean(exact**2)) for found, exact in ((velocity, exact_velocity), (pressure, exact_pressure))]
        print(f"spacing {row['resolution.spacing']} m, {row['numerics.density_diffusion']}, t = {output.time:.1f} s: "
              f"error of the velocity {error[0]:.3f}, of the pressure {error[1]:.2f} of the root mean square")
