#!/usr/bin/env python3
"""Draws a table of `halfulp validate energy`: rounding error of the energy against the step.
Usage: energy_step.py energy-CASE.csv"""
import drawing
from drawing import looks, plt, tables


def of(rows, policy):
    return sorted((row for row in rows if row["policy"] == policy), key=lambda row: float(row["cfl[1]"]))


def draw_panel(axes, rows, names, title):
    for k, name in enumerate(names):
        points = tables.points(of(rows, name), "cfl[1]", "deviation[1]")
        if points[0]:
            parts = name.split("/")[1:]
            axes.loglog(*points, label=", ".join(parts) or name, **looks.policy(name, k))
    integrator = tables.points(of(rows, "robust"), "cfl[1]", "double_change[1]")
    if integrator[0]:
        axes.loglog(*integrator, color="0.6", lw=4, alpha=0.6, label="integrator's error (double)", zorder=0)
    axes.set_title(title)
    axes.set_xlabel("CFL on $c_0$")
    axes.legend(frameon=False, fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncol=2 if len(names) > 8 else 1)


def draw(table, rows):
    names = list(dict.fromkeys(row["policy"] for row in rows if row["policy"] != "double"))
    bundles = [name for name in names if "/" not in name]
    without = ["robust"] + [name for name in names if name.startswith("robust/")]
    gained = ["naive"] + [name for name in names if name.startswith("naive/")] + ["robust"]
    panels = [(bundles, "bundles")]
    if len(without) > 2:
        panels.append((without, "robust with one part exchanged"))
    if len(gained) > 2:
        panels.append((gained, "naive with some parts exchanged"))
    figure, axes = plt.subplots(1, len(panels), figsize=(5.8 * len(panels), 6.5), sharey=True, squeeze=False)
    for one, (chosen, title) in zip(axes[0], panels):
        draw_panel(one, rows, chosen, title)
    axes[0][0].set_ylabel("largest $|\\Delta E - \\Delta E_{double}|$ / available energy")
    return drawing.finished(figure)


drawing.main(draw)
