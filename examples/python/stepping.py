"""A simulation that is watched while it runs: where the water's centre is, until its front reaches the far wall."""

import numpy as np

import halfulp

case = halfulp.Case("dam-break-2d")
case.set({"resolution.spacing": 0.03, "time.end": 1.5})
far_wall = case["shapes.tank.hollow_box.to"][0]       # m

times, centres = [], []


def watch(simulation: halfulp.Simulation) -> bool:
    """Is called every 0.02 s of simulated time; False ends the run."""
    particles = simulation.snapshot()
    water = particles["position"][particles.fluid]    # (fluid particles, 3), m
    times.append(simulation.time)
    centres.append(water.mean(axis=0))
    return bool(water[:, 0].max() < far_wall - 2 * case["resolution.spacing"])


simulation = halfulp.Simulation(case)
reached_the_end = simulation.run(callback=watch, interval=0.02)

centre = np.array(centres)
fall = centre[0, 1] - centre[-1, 1]
row = simulation.ledger_row()
print(f"at t = {simulation.time:.3f} s the front is at {row['front']:.3f} m; the centre has fallen by {fall:.3f} m in "
      f"{len(times)} looks; {row['kinetic']:.1f} {simulation.ledger_units['kinetic']} of motion")
assert not reached_the_end
