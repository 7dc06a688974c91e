#!/usr/bin/env python3
"""Draws rounding errors of `halfulp validate differential` over the displacement and over the field's reference. Usage:
differential_rounding.py differential-rounding.csv"""
import drawing
from drawing import looks, plt

POLICIES = ["robust", "robust/position=global", "robust/position=global-double", "robust/value=absolute", "robust/sums=plain",
            "naive"]
QUANTITIES = ["LSMPS gradient", "MPS Laplacian"]
SWEEPS = [("displacement[cells]", "reference[amplitude]", "displacement (cells)"),
          ("reference[amplitude]", "displacement[cells]", "reference over amplitude")]


def draw(table, rows):
    figure, axes = plt.subplots(len(QUANTITIES), len(SWEEPS), figsize=(9, 6.4), sharey=True)
    for line, quantity in zip(axes, QUANTITIES):
        for panel, (along, fixed, label) in zip(line, SWEEPS):
            for k, policy in enumerate(POLICIES):
                chosen = [row for row in rows if row["policy"] == policy and row["quantity"] == quantity and float(row[fixed]) == 0]
                # Zero stands at the left end of the logarithmic axis.
                chosen = sorted((max(float(row[along]), 0.1), float(row["whole[ulp]"])) for row in chosen)
                panel.plot(*zip(*chosen), label=policy, lw=1.2, ms=5, **looks.policy(policy, k))
            panel.set(xscale="log", yscale="log", title=quantity)
            panel.set_xlabel(label + "; left: 0")
        line[0].set_ylabel("rms error (ulps)")
    return drawing.with_legend_below(figure, axes.flat, 0.1, 3)


drawing.main(draw)
