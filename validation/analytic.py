#!/usr/bin/env python3
"""Draws the tables of `halfulp validate analytic`: the curve beside the exact one, and the errors over the resolution.
Usage: analytic.py analytic-NAME.csv (analytic-NAME-errors.csv lies beside it)"""
import drawing
from drawing import looks, plt, tables

RESOLUTIONS = list(zip([looks.SKY, looks.BLUE, looks.GREEN, looks.PINK, looks.ORANGE], ["o", "s", "^", "D", "v"]))
CRITERIA = list(zip([looks.RED, looks.BLUE, looks.GREEN, looks.BLACK], looks.MARKERS, looks.LINES))


def draw_curves(axes, table, rows):
    _, x, measured, exact = tables.columns(table)
    by_resolution = tables.groups(rows, "particles")
    for (resolution, rows), (colour, marker) in zip(by_resolution.items(), RESOLUTIONS):
        axes.plot(tables.numbers(rows, x), tables.numbers(rows, measured), marker, ls="none", ms=3, mew=0, color=colour,
                  label=f"{resolution} particles", rasterized=len(rows) > drawing.MANY_POINTS)
    finest = list(by_resolution.values())[-1]
    axes.plot(tables.numbers(finest, x), tables.numbers(finest, exact), color=looks.BLACK, lw=1, label="exact")
    axes.set(xlabel=x, ylabel=measured.removeprefix("measured "))
    axes.legend(frameon=False)


def draw_errors(axes, table):
    rows = tables.read(table)
    by_criterion = tables.groups(rows, "criterion")
    for (criterion, own), (colour, marker, line) in zip(by_criterion.items(), CRITERIA):
        x = tables.numbers(own, "particles")
        axes.loglog(x, tables.numbers(own, "error"), marker=marker, ls=line, color=colour, mfc="none", label=criterion)
        axes.loglog(x[-1], float(own[-1]["tolerance"]), marker="_", ms=16, color=colour)
    axes.set(xlabel="particles", ylabel="error (a bar: what is allowed)")
    ticks = sorted({int(row["particles"]) for row in rows})
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, 1.0 + 0.08 * len(by_criterion)))


def draw(table, rows):
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4))
    draw_curves(left, table, rows)
    draw_errors(right, drawing.beside(table, "errors"))
    return drawing.finished(figure)


drawing.main(draw)
