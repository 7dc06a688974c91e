#!/usr/bin/env python3
"""Draws the table of `halfulp validate front`: fronts over time beside published points. Usage: front.py front.csv"""
import drawing
from drawing import looks, plt, tables


def draw(table, rows):
    figure, axes = plt.subplots(figsize=(7.5, 5))
    lines = iter(zip([looks.SKY, looks.BLUE, looks.BLACK, looks.PINK, looks.ORANGE], looks.LINES[::-1]))
    markers = iter([("o", looks.ORANGE), ("s", looks.GREEN), ("^", looks.RED)])
    for name, rows in tables.groups(rows, "source").items():
        points = (tables.numbers(rows, "scaled_time[1]"), tables.numbers(rows, "scaled_front[1]"))
        if name.startswith("L/"):
            colour, style = next(lines, ("0.5", "-"))
            axes.plot(*points, color=colour, ls=style, label=f"spacing {name}")
        else:
            marker, colour = next(markers, ("x", "0.3"))
            axes.plot(*points, marker, color=colour, mfc="none", ms=7, label=name, zorder=3)
    axes.set(xlabel=r"time, $t\,\sqrt{2g/L}$", ylabel="front, $x/L$")
    axes.legend(frameon=False)
    return drawing.finished(figure)


drawing.main(draw)
