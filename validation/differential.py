#!/usr/bin/env python3
"""Draws the errors of `halfulp validate differential` over the spacing. Usage: differential.py differential.csv"""
import drawing
from drawing import looks, plt, tables

PANELS = [("0", "inside", "inside a lattice"), ("0.3", "inside", "inside, disorder 0.3"), ("0", "face", "on a face of a lattice")]


def draw(table, rows):
    figure, axes = plt.subplots(1, len(PANELS), figsize=(11, 4), sharey=True)
    for panel, (disorder, place, title) in zip(axes, PANELS):
        chosen = [row for row in rows if row["disorder"] == disorder and row["place"] == place]
        for k, (quantity, points) in enumerate(tables.groups(chosen, "quantity").items()):
            panel.plot(*tables.points(points, "spacing[1]", "rms[1]"), label=quantity, lw=1.2, ms=5, **looks.curve(k))
        panel.set(xscale="log", yscale="log", xlabel="spacing over the box", title=title)
        panel.xaxis.set_minor_formatter("")  # labels would overlap
        panel.set_xticks([0.02, 0.05], ["0.02", "0.05"])
    axes[0].set_ylabel("error over the derivative, rms")
    return drawing.with_legend_below(figure, axes, 0.12, 3)


drawing.main(draw)
