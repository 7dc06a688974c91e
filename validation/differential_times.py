#!/usr/bin/env python3
"""Draws the times of `halfulp bench differential` beside those of the paper. Usage: differential_times.py differential-times.csv"""
import drawing
from drawing import looks, plt, tables

OPERATORS = ["gradient", "Laplacian", "LSMPS"]


def draw(table, rows):
    rows = [row for row in rows if row["table"] in "bc"]
    machines = list(tables.groups(rows, "machine"))
    figure, axes = plt.subplots(len(machines), 2, figsize=(11, 5 * len(machines)), squeeze=False)
    for line, machine in zip(axes, machines):
        here = [row for row in rows if row["machine"] == machine]
        forms = [row for row in here if row["table"] == "b"]
        names = list(tables.groups(forms, "search"))
        for k, operator in enumerate(OPERATORS):
            for number, filled in (("double", "none"), ("float", None)):
                chosen = [row for row in forms if row["operator"] == operator and row["number"] == number]
                line[0].plot(tables.numbers(chosen, "time[ms]"), [names.index(row["search"]) for row in chosen], ls="", ms=7,
                             marker=looks.MARKERS[k], color=looks.COLOURS[k + 1], mfc=filled, label=f"{operator}, {number}")
            printed = [row for row in forms if row["operator"] == operator and row["number"] == "double" and float(row["printed_time[ms]"]) > 0]
            line[0].plot(tables.numbers(printed, "printed_time[ms]"), [names.index(row["search"]) for row in printed], ls="", ms=9,
                         marker=looks.MARKERS[k], color="0.6", mfc="none", label=f"{operator}, K20 (printed)")
        line[0].set_yticks(range(len(names)), names)
        line[0].invert_yaxis()
        line[0].set(xscale="log", xlabel="time (ms)", title=f"{machine}: forms of the search, sphere, one division")
        for k, operator in enumerate(OPERATORS):
            for domain, style in (("sphere", "-"), ("cube", "--")):
                for number, filled in (("double", "none"), ("float", None)):
                    chosen = [row for row in here if row["table"] == "c" and row["operator"] == operator and row["domain"] == domain
                              and row["number"] == number]
                    line[1].plot(tables.numbers(chosen, "divisions"), tables.numbers(chosen, "time[ms]"), ls=style, ms=5, lw=1,
                                 marker=looks.MARKERS[k], color=looks.COLOURS[k + 1], mfc=filled, label=f"{operator}, {domain}, {number}")
        line[1].set_xticks([1, 2, 3])
        line[1].set(yscale="log", xlabel="divisions of a bucket", ylabel="time (ms)", title=f"{machine}: forward star by rows")
        for panel in line:
            panel.legend(frameon=False, fontsize=6, ncol=3, columnspacing=1, handletextpad=0.4, loc="upper center", bbox_to_anchor=(0.5, -0.16))
    return drawing.finished(figure)


drawing.main(draw)
