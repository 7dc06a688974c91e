#!/usr/bin/env python3
"""Draws the table of `halfulp validate front`: fronts over time beside published points. Usage: front.py front.csv"""
import csv
import pathlib
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    print("front.py: matplotlib is missing; install the package python3-matplotlib")
    sys.exit(3)


def main():
    table = pathlib.Path(sys.argv[1])
    curves = {}
    with table.open(newline="") as file:
        for row in csv.DictReader(file):
            curves.setdefault(row["source"], []).append((float(row["scaled_time[1]"]), float(row["scaled_front[1]"])))
    figure, axes = plt.subplots(figsize=(7.5, 5))
    runs = [name for name in curves if name.startswith("L/")]
    lines = dict(zip(runs, [("#56b4e9", ":"), ("#0072b2", "--"), ("#000000", "-"), ("#cc79a7", "-.")]))
    markers = iter([("o", "#e69f00"), ("s", "#009e73"), ("^", "#d55e00")])
    for name, points in curves.items():
        if name in runs:
            colour, style = lines.get(name, ("0.5", "-"))
            axes.plot(*zip(*points), color=colour, ls=style, label=f"spacing {name}")
        else:
            marker, colour = next(markers, ("x", "0.3"))
            axes.plot(*zip(*points), marker, color=colour, mfc="none", ms=7, label=name)
    axes.set_xlabel(r"time, $t\,\sqrt{2g/L}$")
    axes.set_ylabel("front, $x/L$")
    axes.grid(True, color="0.9")
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(table.with_suffix(".png"), dpi=150)


if __name__ == "__main__":
    main()
