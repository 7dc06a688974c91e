#!/usr/bin/env python3
"""Draws the table of `halfulp validate integrators`: what each integrator adds to the energy over the step, and how far
single precision is from double. Usage: integrators.py integrators.csv"""
import drawing
from drawing import looks, plt, tables

TITLES = {"inviscid-tank-2d": "collapse", "sloshing-tank-2d": "sloshing", "oscillating-drop-2d": "oscillating drop"}


def curve(rows, precision, column):
    own = sorted((row for row in rows if row["precision"] == precision), key=lambda row: float(row["cfl[1]"]))
    return tables.points(own, "cfl[1]", column)


def draw(table, rows):
    cases = tables.groups(rows, "case")
    figure, all_axes = plt.subplots(1, len(cases), figsize=(4.6 * len(cases), 5.4), squeeze=False)
    for axes, (case, own) in zip(all_axes[0], cases.items()):
        for k, (integrator, of_one) in enumerate(tables.groups(own, "integrator").items()):
            style = looks.curve(k)
            axes.loglog(*curve(of_one, "double", "change[1]"), label=integrator, **style)
            axes.loglog(*curve(of_one, "robust", "deviation[1]"), color=style["color"], marker=style["marker"], ls="none",
                        mfc="none", ms=3, alpha=0.6)
        axes.loglog([], [], color="0.4", marker="o", ls="none", mfc="none", ms=3, label="small: robust from double")
        axes.set(title=TITLES.get(case, case), xlabel="CFL on $c_0$")
    all_axes[0][0].set_ylabel("largest $|\\Delta E|$ / available energy")
    return drawing.with_legend_below(figure, all_axes[0], 0.13, 4)


drawing.main(draw)
