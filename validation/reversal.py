#!/usr/bin/env python3
"""Draws the tables of `halfulp validate reversal`: the film strip of the way there and back, and what is left at the end.
Usage: reversal.py reversal.csv (reversal-film.csv lies beside it)"""
import csv
import pathlib
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    print("reversal.py: matplotlib is missing; install the package python3-matplotlib")
    sys.exit(3)

MOMENTS = ["start", "halfway", "turn", "halfway back", "back"]
POLICIES = ["robust", "double", "reversible"]  # rows of the strip
STYLES = {"robust/sums=plain": ("#56b4e9", "^"), "robust": ("#0072b2", "s"), "double": ("#000000", "o"),
          "reversible": ("#d55e00", "D")}


def read(table):
    with table.open(newline="") as file:
        return list(csv.DictReader(file))


def draw_film(figure, rows):
    points = {}
    for row in rows:
        points.setdefault((row["precision"], row["moment"]), []).append(
            (float(row["x[m]"]), float(row["y[m]"]), float(row["first_y[m]"])))
    x = [point[0] for group in points.values() for point in group]
    y = [point[1] for group in points.values() for point in group]
    axes = figure.subplots(len(POLICIES), len(MOMENTS), sharex=True, sharey=True)
    for line, policy in zip(axes, POLICIES):
        for cell, moment in zip(line, MOMENTS):
            group = points.get((policy, moment), [])
            cell.scatter([p[0] for p in group], [p[1] for p in group], c=[p[2] for p in group], s=9, cmap="viridis",
                         linewidths=0)
            cell.set(xlim=(min(x) - 0.05, max(x) + 0.05), ylim=(min(y) - 0.05, max(y) + 0.05), aspect="equal")
            cell.set_title(f"{policy}: {moment}", fontsize=8)
            cell.tick_params(labelsize=7)


def draw_errors(axes, rows):
    for policy, (colour, marker) in STYLES.items():
        points = [(int(row["steps[1]"]), float(row["distance[m]"])) for row in rows if row["precision"] == policy]
        kept = [point for point in points if point[1] > 0]
        label = policy if kept else f"{policy}: exactly zero"
        axes.loglog([p[0] for p in kept], [p[1] for p in kept], marker + "-", color=colour, mfc="none", label=label)
    axes.set_xlabel("steps before the turn")
    axes.set_ylabel("largest distance from the start (m)")
    axes.grid(True, color="0.9")
    axes.legend(frameon=False, fontsize=8)


def main():
    table = pathlib.Path(sys.argv[1])
    figure = plt.figure(figsize=(11, 7), constrained_layout=True)
    strip, below = figure.subfigures(2, 1, height_ratios=(4, 3))
    draw_film(strip, read(table.with_name(table.stem + "-film.csv")))
    draw_errors(below.subplots(), read(table))
    figure.savefig(table.with_suffix(".png"), dpi=150)


if __name__ == "__main__":
    main()
