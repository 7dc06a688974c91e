#!/usr/bin/env python3
"""Draws the table of `halfulp validate front`: fronts over time beside published points. Usage: front.py front.csv"""
import drawing
from drawing import plt


def draw(table, rows):
    figure, axes = plt.subplots(figsize=(7.5, 5))
    lines = iter(zip([drawing.SKY, drawing.BLUE, drawing.BLACK, drawing.PINK, drawing.ORANGE], drawing.LINES[::-1]))
    markers = iter([("o", drawing.ORANGE), ("s", drawing.GREEN), ("^", drawing.RED)])
    for name, rows in drawing.groups(rows, "source").items():
        points = (drawing.numbers(rows, "scaled_time[1]"), drawing.numbers(rows, "scaled_front[1]"))
        if name.startswith("L/"):
            colour, style = next(lines, ("0.5", "-"))
            axes.plot(*points, color=colour, ls=style, label=f"spacing {name}")
        else:
            marker, colour = next(markers, ("x", "0.3"))
            axes.plot(*points, marker, color=colour, mfc="none", ms=7, label=name, zorder=3)
    axes.set(xlabel=r"time, $t\,\sqrt{2g/L}$", ylabel="front, $x/L$")
    drawing.grid(axes)
    axes.legend(frameon=False)
    figure.tight_layout()
    return figure


drawing.main(draw)
