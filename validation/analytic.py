#!/usr/bin/env python3
"""Draws the tables of `halfulp validate analytic`: the curve beside the exact one, and the errors over the resolution.
Usage: analytic.py analytic-NAME.csv (analytic-NAME-errors.csv lies beside it)"""
import csv
import pathlib
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    print("analytic.py: matplotlib is missing; install the package python3-matplotlib")
    sys.exit(3)

COLOURS = ["#56b4e9", "#0072b2", "#009e73", "#cc79a7"]
MARKERS = ["o", "s", "^", "D"]


def draw_curves(axes, table):
    with table.open(newline="") as file:
        reader = csv.reader(file)
        header = next(reader)
        rows = [[float(value) for value in row] for row in reader]
    resolutions = sorted({row[0] for row in rows})
    for resolution, colour in zip(resolutions, COLOURS):
        points = [row for row in rows if row[0] == resolution]
        axes.plot([row[1] for row in points], [row[2] for row in points], ".", ms=3, color=colour,
                  label=f"{resolution:.0f} particles")
    finest = [row for row in rows if row[0] == resolutions[-1]]
    axes.plot([row[1] for row in finest], [row[3] for row in finest], color="black", lw=1, label="exact")
    axes.set_xlabel(header[1])
    axes.set_ylabel(header[2].removeprefix("measured "))
    axes.legend(frameon=False)


def draw_errors(axes, table):
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    criteria = list(dict.fromkeys(row["criterion"] for row in rows))
    for criterion, marker, colour in zip(criteria, MARKERS, ["#d55e00", "#0072b2", "#009e73", "#000000"]):
        points = [row for row in rows if row["criterion"] == criterion]
        x = [int(row["particles"]) for row in points]
        axes.loglog(x, [float(row["error"]) for row in points], marker + "-", color=colour, mfc="none", label=criterion)
        axes.loglog(x[-1], float(points[-1]["tolerance"]), marker="_", ms=16, color=colour)
    axes.set_xlabel("particles")
    axes.set_ylabel("error (a bar: what is allowed)")
    ticks = sorted({int(row["particles"]) for row in rows})
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, 1.0 + 0.08 * len(criteria)))


def main():
    table = pathlib.Path(sys.argv[1])
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4))
    draw_curves(left, table)
    draw_errors(right, table.with_name(table.stem + "-errors.csv"))
    for axes in (left, right):
        axes.grid(True, color="0.9")
    figure.tight_layout()
    figure.savefig(table.with_suffix(".png"), dpi=150)


if __name__ == "__main__":
    main()
