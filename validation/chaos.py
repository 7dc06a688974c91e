#!/usr/bin/env python3
"""Draws the tables of `halfulp validate chaos`. Usage: chaos.py chaos.csv (or chaos-bands.csv)"""
import drawing
from drawing import looks, plt, tables

FAR = "naive, 4000 cells away"
# The bundles, and what lies elsewhere.
LOOKS = {**{name: drawing.BUNDLES[name] for name in ("double", "robust", "reversible", "naive", "dualsphysics", "gpusph")},
         FAR: (looks.SKY, "^", (0, (3, 1, 1, 1)))}


def look(name):
    return drawing.bundle_look(name, LOOKS, lw=1.2)


def draw_growth(rows):
    figure, axes = plt.subplots(figsize=(9, 5.8))
    for name, own in tables.groups(rows, "ensemble").items():
        points = tables.points(own, "time[s]", "distance[spacings]")
        if not points[0]:
            continue
        if own[0]["own"] == "1" and name == "double":
            axes.semilogy(*points, color="0.6", lw=4, zorder=0, label="double, one float ulp apart")
        elif own[0]["own"] == "0" and name in LOOKS:
            axes.semilogy(*points, **look(name))
    for threshold in (1e-3, 1e-1):
        axes.axhline(threshold, color="0.7", lw=0.8, ls=":")
    axes.set(xlabel="time [s]", ylabel="rms distance [spacings]")
    return drawing.with_legend_below(figure, [axes], 0.11, 4)


def draw_bands(rows):
    quantities = tables.groups(rows, "quantity")
    figure, all_axes = plt.subplots(2, 2, figsize=(11, 7.5), sharex=True)
    for axes, (quantity, of_quantity) in zip(all_axes.flat, quantities.items()):
        ensembles = tables.groups(of_quantity, "ensemble")
        for name in ("double", "robust", "naive", FAR):
            own = ensembles.get(name, [])
            if not own:
                continue
            times = tables.numbers(own, "time[s]")
            axes.plot(times, tables.numbers(own, "mean"), **look(name))
            axes.fill_between(times, tables.numbers(own, "low"), tables.numbers(own, "high"), color=LOOKS[name][0],
                              alpha=0.15, lw=0)
        axes.set_ylabel(f"{quantity} [{of_quantity[0]['unit']}]")
    if "energy error" in quantities:
        errors = [abs(value) for name in ("double", "robust") for column in ("low", "high")
                  for value in tables.numbers(tables.groups(quantities["energy error"], "ensemble").get(name, []), column)]
        axes = list(all_axes.flat)[list(quantities).index("energy error")]
        if errors and max(errors) > 0:
            axes.set_ylim(-6 * max(errors), 6 * max(errors))
            axes.set_title("cut off at six times double's", fontsize=9)
    for axes in all_axes[-1]:
        axes.set_xlabel("time [s]")
    return drawing.with_legend_below(figure, [all_axes[0][0]], 0.11, 4)


def draw(table, rows):
    return draw_bands(rows) if "quantity" in rows[0] else draw_growth(rows)


drawing.main(draw)
