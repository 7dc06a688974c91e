#!/usr/bin/env python3
"""Draws the ladder of `halfulp validate decisive`: the error of the small wave over time beside the law, and errors of
all waves at their ends against the law. Usage: decisive_law.py decisive-ladder.csv"""
import math

import drawing
from drawing import looks, plt, tables

ARMS = ("naive", "naive, 10 cells away", "naive, 100 cells away", "gpusph", "dualsphysics")


def number(row, key):
    return float(row[key])


def middle(row):
    return 0.5 * (number(row, "begin[s]") + number(row, "end[s]"))


def draw(table, rows):
    figure, (over_time, against) = plt.subplots(1, 2, figsize=(9.5, 4.2))
    flows = tables.groups(rows, "flow")
    colours = {arm: looks.COLOURS[k] for k, arm in enumerate(ARMS)}
    for arm, points in tables.groups(flows["ladder-base"], "arm").items():
        if arm not in ARMS:
            continue
        over_time.plot([middle(p) for p in points], [number(p, "error[1]") for p in points], "o-", ms=4, lw=1.1,
                       color=colours[arm], mfc="none", label=arm)
        law = [(middle(p), number(p, "law[1]")) for p in points if math.isfinite(number(p, "law[1]"))]
        if law and not arm.endswith("100 cells away"):
            over_time.plot(*zip(*law), "--", lw=0.9, color=colours[arm])
    over_time.plot([], [], "--", color="0.4", lw=0.9, label="the law")
    over_time.set(yscale="log", xlabel="time (s)", ylabel="error against double, relative",
                  title="wave of 0.2 mm, CFL 0.2")
    over_time.legend(frameon=False, fontsize=7)

    ends = (1e-4, 1.5)
    against.fill_between(ends, [e / 3 for e in ends], [3 * e for e in ends], color="0.9", lw=0)
    against.plot(ends, ends, color="0.4", lw=0.9)
    for k, (flow, in_flow) in enumerate(flows.items()):
        last = [points[-1] for points in tables.groups(in_flow, "arm").values()]
        last = [row for row in last if math.isfinite(number(row, "law[1]"))]
        against.plot([number(p, "law[1]") for p in last], [min(number(p, "error[1]"), 1.0) for p in last], ls="", ms=5,
                     mfc="none", marker=looks.MARKERS[k % len(looks.MARKERS)],
                     color=looks.COLOURS[k % len(looks.COLOURS)], label=flow.removeprefix("ladder-"))
    against.set(xscale="log", yscale="log", xlabel="by the law", ylabel="measured at 55 s, at most 1",
                title="a factor of 3 is grey")
    against.legend(frameon=False, fontsize=7)
    return drawing.finished(figure)


drawing.main(draw)
