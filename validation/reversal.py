#!/usr/bin/env python3
"""Draws the tables of `halfulp validate reversal`: the film strip of the way there and back, and what is left at the end.
Usage: reversal.py reversal.csv (reversal-film.csv lies beside it)"""
import drawing
from drawing import plt

MOMENTS = ["start", "halfway", "turn", "halfway back", "back"]
STRIP = ["robust", "double", "reversible"]  # rows of the strip


def draw_film(figure, rows):
    points = {}
    for row in rows:
        points.setdefault((row["precision"], row["moment"]), []).append(
            (float(row["x[m]"]), float(row["y[m]"]), float(row["first_y[m]"])))
    x = [point[0] for group in points.values() for point in group]
    y = [point[1] for group in points.values() for point in group]
    axes = figure.subplots(len(STRIP), len(MOMENTS), sharex=True, sharey=True)
    for line, policy in zip(axes, STRIP):
        for cell, moment in zip(line, MOMENTS):
            group = points.get((policy, moment), [])
            cell.scatter([p[0] for p in group], [p[1] for p in group], c=[p[2] for p in group], s=9, cmap="viridis",
                         linewidths=0, rasterized=True)
            cell.set(xlim=(min(x) - 0.05, max(x) + 0.05), ylim=(min(y) - 0.05, max(y) + 0.05), aspect="equal")
            cell.set_title(f"{policy}: {moment}", fontsize=8)
            cell.tick_params(labelsize=7)


def draw_errors(axes, rows):
    for policy, own in drawing.groups(rows, "precision").items():
        colour, marker, line = drawing.POLICIES[policy]
        kept = [row for row in own if float(row["distance[m]"]) > 0]
        label = policy if kept else f"{policy}: exactly zero"
        axes.loglog(drawing.numbers(kept, "steps[1]"), drawing.numbers(kept, "distance[m]"), marker=marker, ls=line,
                    color=colour, mfc="none", label=label)
    axes.set_xlabel("steps before the turn")
    axes.set_ylabel("largest distance from the start (m)")
    drawing.grid(axes)
    axes.legend(frameon=False, fontsize=8)


def main():
    table = drawing.table_from_command_line(__doc__)
    figure = plt.figure(figsize=(11, 7), constrained_layout=True)
    strip, below = figure.subfigures(2, 1, height_ratios=(4, 3))
    draw_film(strip, drawing.read(drawing.beside(table, "film")))
    draw_errors(below.subplots(), drawing.read(table))
    drawing.save(figure, table)


if __name__ == "__main__":
    main()
