#!/usr/bin/env python3
"""Draws the ladder of `halfulp bench strategies --backend cuda` beside that of 2013. Usage: strategies_ladder.py strategies-device.csv"""
import drawing
import pages_strategies
from drawing import looks, plt, tables


def draw(table, rows):
    rungs = rows[:1 + len(pages_strategies.LADDER)]
    printed = [[1.0], [1.0]]
    for row in rungs[1:]:
        for k, percent in enumerate(pages_strategies.LADDER[row["strategy"]]):
            printed[k].append(printed[k][-1] * (1 + percent / 100))
    figure, axes = plt.subplots(figsize=(8, 4))
    places = range(len(rungs))
    axes.plot(places, tables.numbers(rungs, "over_basic[1]"), marker=looks.MARKERS[0], color=looks.COLOURS[1], label="now")
    for values, name, marker, style in ((printed[0], "GTX 480, 2013", 1, "--"), (printed[1], "Tesla 1060, 2013", 2, ":")):
        axes.plot(places, values, marker=looks.MARKERS[marker], ls=style, color="0.5", mfc="none", label=name)
    names = ["basic", *(row["strategy"] for row in rungs[1:])]
    axes.set_xticks(list(places), [name.replace(" ", "\n") for name in names], fontsize=8)
    axes.set(ylabel="evaluations a second over basic", ylim=(0, None))
    axes.legend(frameon=False)
    return drawing.finished(figure)


drawing.main(draw)
