#!/usr/bin/env python3
"""How leap-frog and laminar viscosity act on sound along a square lattice with the numerics of the preset "cehinav"
(Gaussian, h = 1.33 spacings, Monaghan and Gingold's viscosity, CFL 1/8). Usage: sound_growth.py VISCOSITY SPACING...
Prints for each spacing the wave that grows fastest: its growth by the integrator, z^4/4 a step (docs/integrators.md), and
its damping by viscosity, half of sum_b V 8 nu x^2/r^2 (1 - cos kx) |F|, in 1/s. Viscosity in m^2/s, spacings in m."""
import math
import sys

RATIO = 1.33
SOUND_SPEED = 15.0  # m/s
CFL = 0.125


def fastest(spacing, viscosity):
    h = RATIO * spacing
    pairs = []
    for i in range(-4, 5):
        for j in range(-4, 5):
            x, r = i * spacing, math.hypot(i, j) * spacing
            if 0 < r < 3 * h:  # F = W'(r)/r
                pairs.append((x, r, -2 / h ** 2 * math.exp(-(r / h) ** 2) / (math.pi * h ** 2)))
    step = CFL * h / SOUND_SPEED
    best = None
    for n in range(1, 51):
        k = n / 50 * math.pi / spacing
        gradient = -sum(spacing ** 2 * f * x * math.sin(k * x) for x, r, f in pairs)
        damping = -0.5 * sum(spacing ** 2 * 8 * viscosity * (x / r) ** 2 * (1 - math.cos(k * x)) * f for x, r, f in pairs)
        z = SOUND_SPEED * gradient * step
        growth = z ** 4 / 4 / step
        if best is None or growth - damping > best[1] - best[2]:
            best = (2 * math.pi / k / spacing, growth, damping)
    return best


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    print("spacing [mm]  wave [spacings]  growth [1/s]  damping [1/s]  in all")
    for text in sys.argv[2:]:
        length, growth, damping = fastest(float(text), float(sys.argv[1]))
        print(f"{1e3 * float(text):12.2f}  {length:15.1f}  {growth:12.2f}  {damping:13.2f}  {growth - damping:6.2f}")
