#!/usr/bin/env python3
"""Draws a table of `halfulp validate operators`: a sweep (operators-displacement-2d.csv, operators-deviation-2d.csv), the
sources of error (operators-sources-*.csv) or the pressure of a pair (operators-pressure.csv). Usage: operators.py TABLE.csv"""
import math

import drawing
from drawing import looks, plt, tables
from matplotlib.colors import LogNorm

RATES = ["acceleration", "density rate"]
BUNDLES = {name: dict(color=looks.COLOURS[k], marker=looks.MARKERS[k], mfc="none", ls=looks.LINES[k])
           for k, name in enumerate(["double", "robust", "naive", "dualsphysics", "gpusph", "reversible"])}
TOTAL_LOSS = 2.0 ** 23  # ulps in an error as large as the result
RESOLVED = 0.5  # ulps; below, colours do not differ


def look_of(name):
    return BUNDLES.get(name, looks.curve(len(BUNDLES)))


def sweep(table, rows):
    column, label = ("displacement[cells]", "displacement from the origin, cells") if "displacement" in table.stem else (
        "deviation[1]", r"largest $|s|$")
    policies = list(tables.groups(rows, "precision"))
    figure, axes = plt.subplots(2, 2, figsize=(13, 5 + 0.21 * len(policies)),
                                height_ratios=[4, 0.6 + 0.21 * len(policies)], layout="constrained")
    mesh = None
    for k, rate in enumerate(RATES):
        of_rate = [row for row in rows if row["rate"] == rate]
        draw_bundles(axes[0][k], of_rate, column)
        axes[0][k].set_title(rate)
        axes[0][k].set_xlabel(label)
        mesh = draw_map(axes[1][k], of_rate, column, policies, names=k == 0)
        axes[1][k].set_xlabel(label)
    axes[0][0].set_ylabel("rms error, ulps of the rms")
    axes[0][1].legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    drawing.grid(*axes[0])
    figure.colorbar(mesh, ax=axes[1][1], label="rms error from the exact start, ulps", extend="min")
    return figure


def draw_bundles(axes, rows, column):
    axes.axhline(TOTAL_LOSS, color="0.6", lw=1)
    axes.annotate("as large as the result", (0.02, TOTAL_LOSS), xycoords=("axes fraction", "data"), fontsize=7, va="bottom",
                  color="0.4")
    for name, of_policy in tables.groups([row for row in rows if row["bundle"] == "1"], "precision").items():
        x = tables.numbers(of_policy, column)
        start = tables.numbers(of_policy, "rms_start[ulp]")
        held = tables.numbers(of_policy, "rms_held[ulp]")
        # Reversible has robust's bits in nearly every number: larger, so that both are seen.
        larger = dict(ms=10) if name == "reversible" else {}
        axes.loglog(x, start, **dict(look_of(name), **larger), label=name)
        if any(a > 1.5 * b > 0 for a, b in zip(start, held)):
            positive = [(a, b) for a, b in zip(x, held) if b > 0]
            axes.loglog(*zip(*positive), color=look_of(name)["color"], ls=":", lw=1)


def wrapped(name):
    """A long name on two lines."""
    middle = name.find("/", len(name) // 2)
    return name if len(name) < 50 or middle < 0 else name[:middle] + "\n" + name[middle:]


def draw_map(axes, rows, column, policies, names):
    points = sorted({float(row[column]) for row in rows})
    value = {(row["precision"], float(row[column])): float(row["rms_start[ulp]"]) for row in rows}
    numbers = [[value[name, point] for point in points] for name in policies]
    mesh = axes.pcolormesh([[min(max(v, RESOLVED), TOTAL_LOSS) for v in row] for row in numbers],
                           norm=LogNorm(RESOLVED, TOTAL_LOSS), cmap="cividis", edgecolor="white", lw=0.5)
    for i, row in enumerate(numbers):
        for j, v in enumerate(row):
            text = f"{v:.1f}" if 0.05 < v < 100 else f"{v:.0e}".replace("e+0", "e").replace("e-0", "e-")
            axes.text(j + 0.5, i + 0.5, text, ha="center", va="center", fontsize=6,
                      color="black" if v > 3000 else "white")
    axes.invert_yaxis()
    axes.set_xticks([j + 0.5 for j in range(len(points))], [f"{point:.0e}".replace("e+0", "e").replace("e-0", "e-")
                                                            for point in points], fontsize=7)
    axes.set_yticks([i + 0.5 for i in range(len(policies))], [wrapped(name) for name in policies] if names else [], fontsize=6.5)
    axes.tick_params(length=0)
    return mesh


def sources(rows):
    figure, all_axes = plt.subplots(2, 1, figsize=(10, 6.5), sharex=True, layout="constrained")
    policies = list(tables.groups([row for row in rows if row["bundle"] == "1" and row["precision"] != "double"],
                                   "precision"))
    names = list(tables.groups(rows, "source"))
    hatches = ["", "//", "", "..", "", "xx", ""]
    width = 0.8 / len(names)
    smallest = 0.05  # ulps; shares below are not drawn
    for axes, rate in zip(all_axes, RATES):
        value = {(row["precision"], row["source"]): float(row["share[ulp]"]) for row in rows if row["rate"] == rate}
        for k, source in enumerate(names):
            axes.bar([i - 0.4 + (k + 0.5) * width for i in range(len(policies))],
                     [max(value[name, source], smallest) for name in policies], width, bottom=0,
                     color=looks.COLOURS[(k + 1) % len(looks.COLOURS)], hatch=hatches[k], edgecolor="white", lw=0.5,
                     label=source)
        axes.set_yscale("log")
        axes.set_ylim(bottom=smallest)
        axes.set_title(rate)
        axes.set_ylabel("rms share, ulps")
        drawing.grid(axes)
    all_axes[1].set_xticks(range(len(policies)), policies)
    all_axes[0].legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def pressure(rows):
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
    ways = tables.groups([dict(row, way=f"{row['storage']}, {row['evaluation']}") for row in rows], "way")
    for k, (way, of_way) in enumerate(ways.items()):
        s = tables.numbers(of_way, "deviation[1]")
        # Five of the six lie on each other: smaller and smaller.
        look = dict(looks.curve(k + 1), ms=12 - 2 * k if k < 5 else 6)
        left.loglog(s, tables.numbers(of_way, "rms_sum[c0^2]"), **look, label=way)
        right.loglog(s, tables.numbers(of_way, "relative_term[1]"), **look, label=way)
    for claim in (1e-7, 1e-11):
        left.axhline(claim, color="0.6", lw=1)
        left.annotate(f"claimed, $10^{{{round(math.log10(claim))}}}$", (0.99, claim), xycoords=("axes fraction", "data"), fontsize=8,
                      ha="right", va="bottom", color="0.4")
    left.set_ylim(top=5e-7)
    left.set_ylabel(r"rms error of $\rho_0(P_a/\rho_a^2 + P_b/\rho_b^2)\,/\,c_0^2$")
    right.set_ylabel(r"rms relative error of $\rho_0 P/\rho^2$")
    for axes in (left, right):
        axes.set_xlabel(r"$|s|$")
    drawing.grid(left, right)
    right.legend(frameon=False, title="stored, evaluated", loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def draw(table, rows):
    if "pressure" in table.stem:
        return pressure(rows)
    return sources(rows) if "sources" in table.stem else sweep(table, rows)


drawing.main(draw)
