#!/usr/bin/env python3
"""Draws the tables of `halfulp validate reversal`: the film strip of the way there and back, and what is left at the end.
Usage: reversal.py reversal.csv (reversal-film.csv lies beside it)"""
import drawing
from drawing import looks, plot, plt, tables

MOMENTS = ["start", "halfway", "turn", "halfway back", "back"]
STRIP = ["robust", "naive far away", "double", "reversible"]  # rows of the strip
TITLES = {"naive far away": "naive, 4,000 cells away"}


def draw_film(figure, rows):
    points = tables.groups(rows, "run", "moment")
    # The frame is that of the exact run: what a broken one throws out of the tank is cut off.
    frame = tables.groups(rows, "run")["reversible"]
    x, y = tables.numbers(frame, "x[m]"), tables.numbers(frame, "y[m]")
    axes = figure.subplots(len(STRIP), len(MOMENTS), sharex=True, sharey=True)
    for line, run in zip(axes, STRIP):
        for cell, moment in zip(line, MOMENTS):
            group = points.get((run, moment), [])
            plot.points(cell, *(tables.numbers(group, name) for name in ("x[m]", "y[m]", "first_y[m]")))
            cell.set(xlim=(min(x) - 0.05, max(x) + 0.05), ylim=(min(y) - 0.05, max(y) + 0.05), aspect="equal")
            cell.set_title(f"{TITLES.get(run, run)}: {moment}", fontsize=7)
            cell.tick_params(labelsize=6)


def returned(row):
    """How close it came as far as can be told, m; None for a run that broke down, 0 for the start's own bits."""
    if float(row["broke_at[steps]"]) >= 0:
        return None
    return 0 if float(row["changed[1]"]) == 0 else max(float(row["distance[m]"]), float(row["resolution[m]"]))


def at_turn(row):
    return None if float(row["broke_at[steps]"]) >= 0 else float(row["error_at_turn[m]"])


def draw_distances(axes, rows, value, named):
    for policy, own in tables.groups(rows, "precision").items():
        kept = [(float(row["steps[1]"]), value(row)) for row in own if value(row)]
        steps, distance = [point[0] for point in kept], [point[1] for point in kept]
        if policy not in looks.POLICIES or own[0]["bundle"] != "1":
            axes.loglog(steps, distance, color="0.75", lw=0.7, zorder=1)
            continue
        colour, marker, line = looks.POLICIES[policy]
        curve, = axes.loglog(steps, distance, marker=marker, ls=line, color=colour, mfc="none", ms=5)
        exact = value is returned and own and all(value(row) == 0 for row in own)
        if kept or exact:
            named.setdefault(policy, (curve, f"{policy}:\ncomes back exactly" if exact else policy))


ROWS = [("back, at the origin", 0, returned, "distance from the start (m)"),
        ("turn, at the origin", 0, at_turn, "distance from double (m)"),
        ("turn, far away", 1, at_turn, "distance from double (m)")]


def draw(table, rows):
    cfls = sorted({float(row["cfl[1]"]) for row in rows}, reverse=True)
    places = sorted({int(row["origin[cells]"]) for row in rows})
    figure = plt.figure(figsize=(11, 6 + 2.4 * len(ROWS)), constrained_layout=True)
    strip, below = figure.subfigures(2, 1, height_ratios=(6, 2.4 * len(ROWS)))
    draw_film(strip, tables.read(drawing.beside(table, "film")))
    grid = below.add_gridspec(len(ROWS), len(cfls) + 1, width_ratios=[3] * len(cfls) + [1.2])
    named = {}
    found = [d for row in rows for d in (returned(row), at_turn(row)) if d and d < float("inf")]
    steps = tables.numbers(rows, "steps[1]")
    for i, (title, place, value, label) in enumerate(ROWS):
        for k, cfl in enumerate(cfls):
            axes = below.add_subplot(grid[i, k])
            own = [row for row in rows if float(row["cfl[1]"]) == cfl and int(row["origin[cells]"]) == places[place]]
            draw_distances(axes, own, value, named)
            axes.set(xlim=(min(steps) / 2, max(steps) * 2), ylim=(min(found) / 3, max(found) * 3))
            where = title.replace("far away", f"{places[place]:,} cells away")
            axes.set_title(f"CFL {cfl:g}: {where}", fontsize=8)
            axes.tick_params(labelsize=7)
            drawing.grid(axes)
            if k == 0:
                axes.set_ylabel(label, fontsize=8)
            if i == len(ROWS) - 1:
                axes.set_xlabel("steps before the turn", fontsize=8)
    beside = below.add_subplot(grid[:, -1])
    beside.axis("off")
    beside.legend([one[0] for one in named.values()], [one[1] for one in named.values()], frameon=False, fontsize=8,
                  loc="center left")
    return figure


drawing.main(draw)
