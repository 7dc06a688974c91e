"""How fast sound is in a channel between walls, and what pressure a piston that starts makes, against c0 and rho0 c0 u.
Usage: water_hammer.py [SPACINGS...]    (across the channel of 0.2 m; docs/accuracy.md has 20 40)"""

import sys

import numpy as np

import halfulp

SOUND, SPEED = 20.0, 0.02    # m/s
WIDTH, LENGTH = 0.2, 2.0     # m
SETTINGS = {
    "extrapolated walls": {},
    "pressure cloning": {"numerics.walls": "pressure-cloning"},
    "dynamic walls": {"numerics.walls": "dynamic"},
    "no walls beside it": None,  # a period
}


def channel(spacing: float, periodic: bool) -> halfulp.Case:
    inside = {"from": [-0.2, 0], "to": [LENGTH, WIDTH]}
    ends = [{"name": "piston", "kind": "wall", "box": {"from": [-0.1, 0], "to": [0, WIDTH]}}]
    if periodic:
        ends += [{"name": "end", "kind": "wall", "box": {"from": [LENGTH, 0], "to": [LENGTH + 0.1, WIDTH]}}]
    else:
        ends += [{"name": "tube", "kind": "wall", "hollow_box": inside}]
    return halfulp.Case({
        "gravity": [0, 0], "period": [0, WIDTH if periodic else 0],
        "resolution": {"spacing": spacing},
        "fluid": {"sound_speed": SOUND, "artificial_viscosity": 0.02, "state_equation": "linear"},
        "time": {"end": 0.085}, "output": {"interval": 0.085, "figures": False},
        "shapes": [*ends, {"name": "water", "kind": "fluid", "box": {"from": [0, 0], "to": [LENGTH, WIDTH]}}],
        "motions": [{"name": "push", "bodies": ["piston"], "translation": {"direction": [1, 0], "steady": {"rate": SPEED}}}],
        "probes": [{"name": f"at-{k}", "measures": "pressure", "at": [x, WIDTH / 2], "interval": 0.0002} for k, x in enumerate((0.5, 1.0))],
    }, name="channel")


def arrival(probe: dict[str, np.ndarray], level: float) -> float:
    pressure = probe["pressure_fluid_shepard"]
    first = np.argmax(pressure > level)
    return float(np.interp(level, pressure[first - 1:first + 1], probe["time"][first - 1:first + 1]))


for across in [int(word) for word in sys.argv[1:]] or [12]:
    for what, values in SETTINGS.items():
        simulation = halfulp.Simulation(channel(WIDTH / across, values is None).set(values or {}))
        simulation.run()
        near, far = (simulation.probes[f"at-{k}"] for k in (0, 1))
        time, pressure = near["time"], near["pressure_fluid_shepard"]
        level = pressure[time > 0.04].mean()
        speed = 0.5 / (arrival(far, level / 2) - arrival(near, level / 2))
        print(f"{across} spacings, {what}: pressure {level / (1000 * SOUND * SPEED):.3f} rho0 c0 u, speed {speed / SOUND:.3f} c0")
