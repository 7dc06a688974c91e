#!/usr/bin/env python3
"""Draws the table of `halfulp validate before-impact`: the range of the pressure over time. Usage: before_impact.py before-impact.csv"""
import drawing
from drawing import looks, plt, tables


def draw(table, rows):
    figure, axes = plt.subplots(figsize=(7.5, 6))
    for k, (name, rows) in enumerate(tables.groups(rows, "case").items()):
        times = tables.numbers(rows, "time[s]")
        around, colour = divmod(k, len(looks.COLOURS))
        look = dict(color=looks.COLOURS[colour], ls=looks.LINES[(k + around) % len(looks.LINES)], lw=1.2)
        share = [t / times[-1] for t in times]
        axes.plot(share, tables.numbers(rows, "highest_pressure[1]"), label=name, **look)
        axes.plot(share, tables.numbers(rows, "lowest_pressure[1]"), **look)
    for limit in (-0.2, 1.3):
        axes.axhline(limit, color="0.5", lw=0.8)
    axes.set(xlabel="time over that of the front's arrival", ylabel=r"lowest and highest pressure over $\rho_0 g H$")
    return drawing.with_legend_below(figure, [axes], 0.1, 4)


drawing.main(draw)
