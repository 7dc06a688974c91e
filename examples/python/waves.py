"""Height and length of the waves of a piston wave maker (examples/cases/waves.toml) against linear theory.
Usage: waves.py [FIGURE.png] [SPACINGS...]    (m; docs/howto/waves.md has 0.02 0.01)"""

import math
import sys
from pathlib import Path

import numpy as np

import halfulp

CASE = Path(__file__).parents[1] / "cases/waves.toml"
WINDOW = 4.5, 7.5    # s, whole periods: the smooth start is past, the beach's reflection not yet there


def wave_number(frequency: float, depth: float, amplitude: float = 0, gravity: float = 9.81) -> float:
    """Of omega^2 = g k T (1 + (k a)^2 (9 T^4 - 10 T^2 + 9)/(8 T^4)), T = tanh(k d), 1/m, by bisection (Stokes's third
    order; Whitham 1974, Linear and nonlinear waves, sec. 13.13). Without an amplitude that of linear theory."""
    low, high = 0.0, 10 * frequency**2 / gravity + 10 / depth
    for _ in range(100):
        k = (low + high) / 2
        t = math.tanh(k * depth)
        of_finite_height = (k * amplitude) ** 2 * (9 * t**4 - 10 * t**2 + 9) / (8 * t**4)
        low, high = (k, high) if gravity * k * t * (1 + of_finite_height) < frequency**2 else (low, k)
    return k


def height_over_stroke(kd: float) -> float:
    """Of a piston (Dean and Dalrymple 1991, Water wave mechanics for engineers and scientists, sec. 6.3)."""
    return 2 * (math.cosh(2 * kd) - 1) / (math.sinh(2 * kd) + 2 * kd)


def first_harmonic(gauge: dict[str, np.ndarray], frequency: float) -> complex:
    """Of the level, m; with the second beside it, which waves of finite height have."""
    inside = (gauge["time"] >= WINDOW[0]) & (gauge["time"] <= WINDOW[1])
    phase = frequency * gauge["time"][inside]
    columns = np.stack([np.ones_like(phase), np.cos(phase), np.sin(phase), np.cos(2 * phase), np.sin(2 * phase)], axis=1)
    _, cosine, sine, *_ = np.linalg.lstsq(columns, gauge["level"][inside], rcond=None)[0]
    return complex(cosine, -sine)


figure = sys.argv[1] if len(sys.argv) > 1 and sys.argv[1].endswith(".png") else None
spacings = [float(word) for word in sys.argv[2 if figure else 1:]] or [0.025]
drawn = []
for spacing in spacings:
    case = halfulp.Case(CASE).set({"resolution.spacing": spacing, "output.figures": False})
    piston, depth = case["motions.piston.translation.sine"], case["shapes.water.box.to"][1]
    frequency = 2 * math.pi / piston["period"]
    k = wave_number(frequency, depth)
    height = 2 * piston["amplitude"] * height_over_stroke(k * depth)
    simulation = halfulp.Simulation(case)
    simulation.run()
    one, two = (first_harmonic(simulation.probes[name], frequency) for name in ("one", "two"))
    behind = float(np.angle(one / two)) % (2 * math.pi)
    length = 2 * math.pi * (case["probes.two.at"][0] - case["probes.one.at"][0]) / behind
    print(f"{spacing} m: height {2 * abs(one):.4f} and {2 * abs(two):.4f} m (theory {height:.4f}), "
          f"length {length:.3f} m (theory {2 * math.pi / k:.3f}, of waves of this height "
          f"{2 * math.pi / wave_number(frequency, depth, (abs(one) + abs(two)) / 2):.3f})")
    drawn.append((spacing, simulation.probes["two"]))

if figure:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.figure(figsize=(8, 3), layout="constrained")
    for spacing, gauge in drawn:
        plt.plot(gauge["time"], gauge["level"] - gauge["level"][0], label=f"spacing {spacing} m", linewidth=1)
    for side in (-0.5, 0.5):
        plt.axhline(side * height, color="0.6", linestyle="--", label="linear theory, crest and trough" if side > 0 else None)
    plt.xlabel("t (s)")
    plt.ylabel("level at 1.7 m, change (m)")
    plt.legend(loc="upper left")
    plt.savefig(figure, dpi=110)
