"""One case at several spacings: what changes with the spacing is not to be trusted yet. A few seconds.
Usage: resolutions.py [PICTURE [SPACING...]]    (spacings in m)"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt

import halfulp

case = halfulp.Case(Path(__file__).parents[1] / "cases/obstacle.toml").set({"output.interval": 0.8, "output.figures": False})
spacings = [float(word) for word in sys.argv[2:]] or [0.025, 0.02]  # m
if len(sys.argv) <= 2:
    case["time.end"] = 0.4   # s: the quick form
sweep = halfulp.sweep(case, {"resolution.spacing": spacings}, "out/resolutions")

figure, (level, pressure) = plt.subplots(1, 2, figsize=(9, 3.4), constrained_layout=True)
for spacing, row in zip(spacings, sweep.rows, strict=True):
    run = sweep[int(row["run"])]
    gauge, foot = run.probes["gauge"], run.probes["foot"]
    level.plot(gauge["time"], gauge["level"], label=f"{spacing} m")
    filtered = foot["pressure_fluid_shepard_filtered"] / 1000   # kPa
    pressure.plot(foot["time"], filtered, label=f"{spacing} m")
    time = foot["time"]
    after = (time > 0.3) & (time < 0.4)
    print(f"spacing {spacing} m: {row['end_state']}, level at the end {gauge['level'][-1]:.4f} m, foot of the block: "
          f"peak {filtered.max():.1f} kPa, mean from 0.3 to 0.4 s {filtered[after].mean():.2f} kPa, "
          f"largest residual {abs(run.ledger['relative_residual']).max():.1e} of the available energy")
level.set(xlabel="time (s)", ylabel="level at the gauge (m)")
pressure.set(xlabel="time (s)", ylabel="pressure at the block's foot (kPa)")
level.legend(title="spacing", frameon=False)
picture = Path(sys.argv[1] if len(sys.argv) > 1 else "out/resolutions.png")
picture.parent.mkdir(exist_ok=True, parents=True)
figure.savefig(picture, dpi=150)
print(picture)
