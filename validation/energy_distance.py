#!/usr/bin/env python3
"""Draws a table of `halfulp validate energy`: rounding error of the energy against the distance from the origin.
Usage: energy_distance.py energy-distance-CASE.csv"""
import drawing
from drawing import looks, plt


def draw(table, rows):
    figure, axes = plt.subplots(figsize=(11, 5))
    for k, name in enumerate(dict.fromkeys(row["policy"] for row in rows)):
        points = [(max(float(row["distance[cells]"]), 1), max(float(row["deviation[1]"]), float(row["kinetic_deviation[1]"])),
                   float(row["failed_at[s]"]))
                  for row in rows if row["policy"] == name]
        style = looks.policy(name, k)
        shown = [point for point in points if point[1] > 0]
        if not shown:
            continue
        axes.loglog([p[0] for p in shown], [p[1] for p in shown], label=name, **style)
        failed = [point for point in shown if point[2] == point[2]]
        axes.loglog([p[0] for p in failed], [p[1] for p in failed], "x", color=style["color"], ms=11, mew=2)
    axes.set_xlabel("distance from the origin (cells; the origin itself at 1)")
    axes.set_ylabel("largest difference to double of total or kinetic energy\n/ available energy")
    axes.set_title("a cross: failed before its end")
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return drawing.finished(figure)


drawing.main(draw)
