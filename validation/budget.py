#!/usr/bin/env python3
"""Draws the tables of `halfulp validate budget`: where in the flow digits are lost, and how many.
Usage: budget.py budget.csv (budget-particles.csv, -losses, -residuals lie beside it)"""
import numpy as np

import drawing
from drawing import looks, plot, plt, tables

MAPS = [("forces[1]", "condition of the forces", True), ("density_rate[1]", "condition of the density rate", True),
        ("position_bits", "bits of a change of a coordinate lost", False),
        ("velocity_bits", "bits of a change of velocity lost", False)]
SUMS = [("forces[1]", "forces"), ("acceleration[1]", "acceleration, with gravity"), ("density_rate[1]", "density rate")]


def draw_map(figure, axes, rows, column, label, logarithmic):
    upwards = "z[m]" if any(float(row["z[m]"]) != 0 for row in rows) else "y[m]"
    values = tables.numbers(rows, column)
    # The few largest share the last colour, so that the others differ.
    low, high = np.quantile(values, [0.01, 0.99])
    limits = (max(low, 1), max(high, 2)) if logarithmic else (low, high)
    points = plot.points(axes, tables.numbers(rows, "x[m]"), tables.numbers(rows, upwards), values, size=9, limits=limits,
                         logarithmic=logarithmic)
    axes.set_aspect("equal")
    axes.set_title(f"{label}, {float(rows[0]['time[s]']):.3g} s", fontsize=8)
    axes.tick_params(labelsize=6)
    bar = figure.colorbar(points, ax=axes, location="bottom", shrink=0.8, pad=0.02)
    bar.ax.tick_params(labelsize=6)


def draw_conditions(axes, rows):
    for k, (column, label) in enumerate(SUMS):
        values = sorted(tables.numbers(rows, column))
        above = [1 - i / len(values) for i in range(len(values))]
        look = looks.curve(k)
        axes.loglog(values, above, color=look["color"], ls=look["ls"], label=label)
    axes.set_xlabel("condition number", fontsize=8)
    axes.set_ylabel("share of particles above, all moments", fontsize=8)
    axes.legend(frameon=False, fontsize=7)


def draw_losses(axes, rows, value, label):
    for k, (held, own) in enumerate(tables.groups(rows, "held").items()):
        look = looks.curve(k) if k < len(looks.COLOURS) else dict(color="0.5", marker="*", ls="-", mfc="none")
        axes.plot(tables.numbers(own, "cfl[1]"), tables.numbers(own, value), ms=5, label=held, **look)
    axes.set_xscale("log")
    axes.invert_xaxis()
    axes.set_xlabel("CFL on $c_0$", fontsize=8)
    axes.set_ylabel(label, fontsize=8)


def draw_residuals(axes, rows):
    last = rows[-1]["time[s]"]
    for k, (quantity, own) in enumerate(tables.groups([row for row in rows if row["time[s]"] == last], "of").items()):
        look = looks.curve(k)
        axes.step(tables.numbers(own, "bin[1]"), tables.numbers(own, "share[1]"), where="mid", color=look["color"],
                  ls=look["ls"], label=quantity)
    axes.set_ylim(0, None)
    axes.set_xlabel("|residual| over half an ulp", fontsize=8)
    axes.set_ylabel("share of numbers", fontsize=8)
    axes.legend(frameon=False, fontsize=7)


def draw(table, rows):
    particles = tables.read(drawing.beside(table, "particles"))
    losses = tables.read(drawing.beside(table, "losses"))
    last = [row for row in particles if row["time[s]"] == particles[-1]["time[s]"]]
    figure = plt.figure(figsize=(13, 6.2), constrained_layout=True)
    above, below = figure.subfigures(2, 1, height_ratios=(2, 4))
    for axes, (column, label, logarithmic) in zip(above.subplots(1, len(MAPS), sharex=True, sharey=True), MAPS):
        draw_map(above, axes, last, column, label, logarithmic)
    axes = below.subplots(1, 4)
    draw_conditions(axes[0], particles)
    draw_losses(axes[1], losses, "bits[1]", "bits of a change lost, of 24")
    draw_losses(axes[2], losses, "share[1]", "share of changes lost whole")
    axes[2].legend(frameon=False, fontsize=6, loc=(0.02, 0.6))
    draw_residuals(axes[3], tables.read(drawing.beside(table, "residuals")))
    for one in axes:
        one.tick_params(labelsize=7)
    drawing.grid(*axes)
    return figure


drawing.main(draw)
