"""The first picture: a column of water that collapses, 0.5 s after it was let go. Takes a few seconds."""

from pathlib import Path

import halfulp

case = halfulp.Case("dam-break-2d")  # a shipped case; halfulp.shipped_cases() lists them
case["resolution.spacing"] = 0.02    # m, a third of the shipped resolution

simulation = halfulp.Simulation(case)
simulation.run(until=0.5)            # s

axes = halfulp.plot.particles(simulation, "velocity")
picture = Path("out/first_picture.png")
picture.parent.mkdir(exist_ok=True)
axes.figure.savefig(picture, dpi=150)
print(f"{sum(simulation.particles)} particles, {simulation.steps} steps: {picture}")
