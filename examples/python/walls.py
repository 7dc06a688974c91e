"""Water that flows over a floor which was dry, by each wall model. Some seconds.
Usage: walls.py [SPACING]    (in m; docs/physics.md has 0.02)"""

import sys

import numpy as np

import halfulp

spacing = float(sys.argv[1]) if len(sys.argv) > 1 else 0.06
case = halfulp.Case("dam-break-2d").set({"resolution.spacing": spacing, "output.interval": 0.01, "output.figures": False})
models = ["dynamic", "extrapolated", "modified-dynamic", "pressure-cloning"]
sweep = halfulp.sweep(case, {"numerics.walls": models, "numerics.density_diffusion": ["none", "fourtakas"]}, "out/walls")
dry = case["shapes.water.box.to"][0]  # m, from here on

for row in sweep.rows:
    gaps, pressures, weights, scatter = [], [], [], []
    for output in sweep[int(row["run"])].outputs:
        if output.time < 0.8:
            continue
        x, y = output["position"][:, :2].T
        fluid = output["kind"] == 0
        floor = np.flatnonzero(~fluid & (y > -spacing) & (y < 0) & (x > dry) & (x < 3.2))
        floor = floor[np.argsort(x[floor])]
        column = np.searchsorted(x[floor] + spacing / 2, x[fluid])  # the floor's particle below each of water
        above = np.bincount(column, minlength=len(floor) + 1)[:len(floor)]
        lowest = np.full(len(floor) + 1, np.inf)
        np.minimum.at(lowest, column, y[fluid])
        gaps.append(lowest[:len(floor)] / spacing - 0.5)
        pressures.append(output["pressure"][floor].astype(float))
        weights.append(1000 * 9.81 * spacing * above)
        smooth = np.convolve(pressures[-1], np.ones(9) / 9, "valid")
        scatter.append(pressures[-1][4:-4] - smooth)
    gap = np.median([one for some in gaps for one in some if np.isfinite(one)])
    ratio = np.median(np.mean(pressures, axis=0) / np.mean(weights, axis=0))
    print(f"{row['numerics.walls']}, density diffusion {row['numerics.density_diffusion']}: gap {gap:.2f} spacings, "
          f"pressure over weight {ratio:.2f}, scatter {np.sqrt(np.mean(np.square(scatter))):.0f} Pa")
