#!/usr/bin/env python3
"""Draws the table of `halfulp validate cost`: time and memory of every policy, and time against the error.
Usage: cost.py cost.csv"""
import drawing
from drawing import looks, plt, tables


def draw_bars(axes, rows, value, label, spread=None):
    places = range(len(rows))
    colours = [looks.BLUE if row["precision"] == "robust" else looks.SKY if row["bundle"] == "1" else "0.75"
               for row in rows]
    lengths = tables.numbers(rows, value)
    axes.barh(places, lengths, color=colours, edgecolor=looks.BLACK, linewidth=0.4)
    if spread:
        low, high = (tables.numbers(rows, column) for column in spread)
        axes.errorbar(lengths, places, xerr=[[length - a for length, a in zip(lengths, low)],
                                             [b - length for length, b in zip(lengths, high)]],
                      fmt="none", ecolor=looks.BLACK, elinewidth=0.8)
    axes.set_yticks(list(places), [row["precision"] for row in rows], fontsize=6)
    axes.invert_yaxis()
    axes.set_xlabel(label, fontsize=8)
    axes.tick_params(axis="x", labelsize=7)


def draw_against_error(axes, rows):
    for row in rows:
        colour, marker, _ = looks.POLICIES.get(row["precision"], ("0.6", ".", "-"))
        if row["precision"] == "double":
            axes.axvline(float(row["to_robust[1]"]), color=colour, ls=":", label="double: what it is measured by")
        error = row["from_double[m]"]
        if not error or float(error) == float("inf"):
            continue
        named = row["bundle"] == "1"
        axes.plot(float(row["to_robust[1]"]), float(error), marker=marker, color=colour, mfc="none", ls="none",
                  ms=8 if named else 6, zorder=3 if named else 1, label=row["precision"] if named else None)
    axes.set_yscale("log")
    axes.set_xlabel("time of a step over robust's", fontsize=8)
    axes.set_ylabel("distance from double after 200 steps (m)", fontsize=8)
    axes.tick_params(labelsize=7)
    axes.legend(frameon=False, fontsize=7)
    drawing.grid(axes)


def draw(table, rows):
    # The first three dimensions of the table: the usual number of lanes. A policy's first row is that.
    solid = [row for row in rows if row["dimensions"] == "3" and not row["precision"].startswith("quad")]
    first = list({row["precision"]: row for row in reversed(solid)}.values())[::-1]
    first.sort(key=lambda row: float(row["to_robust[1]"]))
    figure, axes = plt.subplots(1, 3, figsize=(13, max(3.5, 1 + 0.17 * len(first))), constrained_layout=True)
    draw_bars(axes[0], first, "to_robust[1]", "time of a step over robust's, 3D", ("smallest[1]", "largest[1]"))
    axes[0].axvline(1, color=looks.BLACK, lw=0.8, ls="--")
    draw_bars(axes[1], first, "all[bytes]", "bytes a particle, 3D (darker: buffers alone)")
    axes[1].barh(range(len(first)), tables.numbers(first, "buffers[bytes]"), color="0.35", height=0.4)
    axes[1].set_yticklabels([])
    draw_against_error(axes[2], first)
    return figure


drawing.main(draw)
