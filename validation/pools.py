#!/usr/bin/env python3
"""Draws the tables of `halfulp validate pools`. Usage: pools.py TABLE, where TABLE is pools.csv (differences and energy
over time), pools-particles.csv (the fish passes) or pools-copies.csv (the tanks)"""
import math

import drawing
from drawing import looks, plot, plt, tables

FAR = 1_000_000_000
POOLS = 8


def power(cells):
    """10^9 for 1000000000."""
    if cells == 0:
        return "at the origin"
    exponent = math.log10(cells)
    text = f"$10^{{{exponent:.0f}}}$" if exponent == round(exponent) else f"{cells:g}"
    return f"{text} cells away"


def finite(rows, *names):
    """The columns as lists, without the rows in which one of them is not a number."""
    kept = [[float(row[name]) for name in names] for row in rows]
    return [list(column) for column in zip(*(row for row in kept if all(map(math.isfinite, row))))] or [[] for _ in names]


def lines_of_passes(rows):
    """What is drawn: robust at both ends, then naive at both ends and at what lies between, four at most."""
    cells = sorted({int(row["cells[1]"]) for row in rows if row["precision"] == "naive"})
    between = [c for c in cells if c not in (0, FAR)]
    chosen = [c for c in (10_000, 100_000) if c in between] or between[-1:]
    return [("robust", 0), ("robust", FAR)] + [("naive", c) for c in (0, *chosen, FAR)]


def draw_passes(rows):
    moments = {(precision, int(cells), int(moment)): own
               for (precision, cells, moment), own in tables.groups(rows, "precision", "cells[1]", "moment").items()}
    lines = [line for line in lines_of_passes(rows) if (*line, 1) in moments]
    walls = finite(moments["walls", 0, 0], "x[m]", "y[m]")
    figure, axes = plt.subplots(len(lines), 3, figsize=(12, 1.5 * len(lines) + 0.3), constrained_layout=True,
                                squeeze=False)
    for line, (precision, cells) in zip(axes, lines):
        for k, cell in enumerate(line):
            own = moments[precision, cells, k + 1]
            x, y, pool = finite(own, "x[m]", "y[m]", "pool")
            plot.points(cell, *walls, "0.8", size=2)
            if x and min(x) > -0.2 and max(x) < 6.1 and min(y) > -0.2 and max(y) < 1.7:
                plot.points(cell, x, y, pool, size=3, limits=(0, POOLS - 1))
                cell.set(xlim=(-0.2, 6.05), ylim=(-0.2, 1.7), aspect="equal")
            else:
                places = sorted(set(zip(x, y)))
                cell.plot(*zip(*places), "x", color=looks.RED, ms=8)
                cell.margins(0.15)
                cell.text(0.98, 0.95, f"all particles at {len(places)} place{'s' * (len(places) > 1)}",
                          fontsize=7, ha="right", va="top", transform=cell.transAxes)
            ending = own[0]["ending"] and f", {own[0]['ending']}"
            cell.set_title(f"{precision}, {power(cells)}: t = {float(own[0]['time[s]']):.2g} s{ending}", fontsize=8)
            cell.tick_params(labelsize=7)
    for cell in axes[-1]:
        cell.set_xlabel("x (m)", fontsize=8)
    for line in axes:
        line[0].set_ylabel("y (m)", fontsize=8)
    return figure


def draw_copies(rows):
    lines = []
    for precision in ("robust", "naive"):
        own = [row for row in rows if row["precision"] == precision and row["run"] == "together"]
        lines.append((precision, tables.groups(own, "distance[m]")))
    copies = max(len(groups) for _, groups in lines)
    figure, axes = plt.subplots(2, copies, figsize=(2.5 * copies, 4), sharex=True, sharey=True, constrained_layout=True,
                                squeeze=False)
    speeds = tables.numbers([row for row in rows if row["precision"] == "robust"], "speed[m/s]")
    image = None
    for line, (precision, groups) in zip(axes, lines):
        for cell, (distance, own) in zip(line, groups.items()):
            x, y, speed = finite(own, "x[m]", "y[m]", "speed[m/s]")
            cell.plot([0, 0, 1.5, 1.5], [1, 0, 0, 1], color="0.6", lw=1)
            image = plot.points(cell, x, y, speed, size=12, limits=(0, max(speeds)))
            cell.set(xlim=(-0.1, 1.6), ylim=(-0.1, 1.1), aspect="equal")
            ending = own[0]["ending"] and f", {own[0]['ending']}"
            cell.set_title(f"{precision}, {float(distance):.3g} m away: t = {float(own[0]['time[s]']):.2g} s{ending}",
                           fontsize=8)
            cell.tick_params(labelsize=7)
        line[0].set_ylabel("y (m)", fontsize=8)
    figure.colorbar(image, ax=axes, label="speed (m/s)", extend="max", shrink=0.8)
    return figure


# What is drawn of the precisions, and how; naive has a look for each distance.
LOOKS = {"double": (looks.BLACK, "o", "-"), "robust": (looks.BLUE, "s", "--"),
         "dualsphysics": (looks.GREEN, "D", "-.")}
NAIVE = [(looks.PINK, "v", "-"), (looks.ORANGE, "^", "--"), (looks.RED, "x", ":"), (looks.SKY, "+", "-."),
         ("0.5", "*", "-"), ("0.5", "p", ":")]


def draw_differences(rows):
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5.4))
    exact, short = [], []
    naive = iter(NAIVE)
    for (precision, cells), own in tables.groups(rows, "precision", "cells[1]").items():
        cells = int(cells)
        if precision not in LOOKS and precision != "naive" or (precision == "robust" and cells not in (0, FAR)):
            continue
        if len(own) < 3:
            short.append(cells)
            continue
        colour, marker, line = next(naive, NAIVE[-1]) if precision == "naive" else LOOKS[precision]
        look = dict(color=colour, marker=marker, ls=line, mfc="none" if cells == 0 or precision != "robust" else colour)
        label = f"{precision}, {power(cells)}"
        time, difference = finite(own, "time[s]", "difference[m]")
        if any(difference):
            left.semilogy(time, difference, ms=5, label=label, **look)
        elif cells:
            exact.append(precision)
        time, energy = finite(own, "time[s]", "energy_error[1]")
        points = [(t, abs(e)) for t, e in zip(time, energy) if e]
        if points and (cells or precision != "dualsphysics"):
            big = cells == 0 and precision in LOOKS
            right.semilogy(*zip(*points), ms=9 if big else 5, label=label, **look)
    left.set(xlabel="time (s)", ylabel="largest difference of a position (m)")
    right.set(xlabel="time (s)", ylabel="|energy error| / available energy")
    notes = [f"{' and '.join(exact)}, {power(FAR)}: exactly 0 at every output"] if exact else []
    if short:
        notes.append(f"naive, {', '.join(power(cells).split(' ')[0] for cells in short)} cells away: over at once")
    left.set_title("; ".join(notes), fontsize=8)
    for axes in (left, right):
        axes.legend(frameon=False, fontsize=7, ncol=3, loc="upper center", bbox_to_anchor=(0.5, -0.12))
    return drawing.finished(figure)


def draw(table, rows):
    return {"particles": draw_passes, "copies": draw_copies}.get(table.stem.split("-")[-1], draw_differences)(rows)


drawing.main(draw)
