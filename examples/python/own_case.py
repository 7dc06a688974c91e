"""A case of one's own, from a dict: an obstacle in a tank, with sensors of pressure and level."""

from pathlib import Path

import halfulp

case = halfulp.Case({
    "title": "A dam breaks against a step",
    "dimensions": 2,
    "resolution": {"spacing": 0.02},                                  # m
    "fluid": {"sound_speed": 30, "artificial_viscosity": 0.05},       # m/s: ten times the fastest flow
    "numerics": {"wall_tension": False},
    "time": {"end": 0.4},                                             # s
    "output": {"interval": 0.1, "figures": False},                    # s
    "shapes": [
        {"name": "tank", "kind": "wall", "hollow_box": {"from": [0, 0], "to": [1.6, 0.8]}, "layers": 4},
        {"name": "step", "kind": "wall", "box": {"from": [0.9, 0], "to": [1.06, 0.12]}},
        {"name": "water", "kind": "fluid", "box": {"from": [0, 0], "to": [0.4, 0.4]}, "hydrostatic": True},
    ],
    "probes": [
        {"name": "at-the-step", "measures": "pressure", "at": [0.9, 0.06], "interval": 0.002},
        {"name": "behind-the-gate", "measures": "level", "at": [0.2, 0], "interval": 0.01},
    ],
}, name="step")

print(case.describe())               # particles, steps, memory, and warnings if the case departs from what its flow needs

run = halfulp.run(case, "out/step", overwrite=True)
print(run, run.probes["at-the-step"]["pressure_fluid_shepard"].max(), "Pa at most")

axes = halfulp.plot.probe(run, "at-the-step", ["pressure_fluid_shepard"])
axes.figure.savefig(Path(run.folder) / "at-the-step.png", dpi=150)
