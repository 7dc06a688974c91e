"""A periodic shear layer that rolls up: particles coloured by where they started. A few seconds at the default spacing.
Usage: shear_layer.py [PICTURE [SPACING]]"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt

import halfulp

case = halfulp.Case(Path(__file__).parents[1] / "cases/shear-layer.toml")
case["resolution.spacing"] = float(sys.argv[2]) if len(sys.argv) > 2 else 0.02   # m

simulation = halfulp.Simulation(case)
height = simulation.snapshot()["position"][:, 1].copy()   # m; rows are the same particles at any time

figure, panels = plt.subplots(1, 3, figsize=(9, 3.2), sharey=True, constrained_layout=True)
for axes, time in zip(panels, (0.0, 0.6, 1.2), strict=True):
    simulation.run(until=time)
    x = simulation.snapshot()["position"]
    axes.scatter(x[:, 0] % 1, x[:, 1] % 1, c=height, s=2, cmap="twilight", vmin=0, vmax=1)
    axes.set(title=f"t = {simulation.time:.2f} s", xlabel="x (m)", aspect="equal", xlim=(0, 1), ylim=(0, 1))
panels[0].set_ylabel("y (m)")
picture = Path(sys.argv[1] if len(sys.argv) > 1 else "out/shear_layer.png")
picture.parent.mkdir(exist_ok=True, parents=True)
figure.savefig(picture, dpi=150)
print(f"{sum(simulation.particles)} particles, {simulation.steps} steps: {picture}")
