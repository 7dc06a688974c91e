#!/usr/bin/env python3
"""Draws the table of `halfulp validate experiment`: what was computed beside what was measured, a panel for each quantity.
Usage: measurements.py experiment-NAME.csv"""
import drawing
from drawing import looks, plt, tables


def draw(table, rows):
    abscissa = tables.columns(table)[3]
    panels = tables.groups(rows, "panel")
    across = 2 if len(panels) > 1 else 1
    down = -(-len(panels) // across)
    figure, all_axes = plt.subplots(down, across, figsize=(5.5 * across + 1, 3 * down + 1), squeeze=False, sharex=True)
    for axes in all_axes.flat[len(panels):]:
        axes.remove()
    for axes, (panel, rows) in zip(all_axes.flat, panels.items()):
        draw_panel(axes, rows, abscissa)
        axes.set_ylabel(panel)
        axes.set_xlabel(abscissa)
        axes.tick_params(labelbottom=True)
        axes.legend(frameon=False, fontsize="small")
    # What was measured goes on longer.
    last = max(float(row[abscissa]) for rows in panels.values() for row in rows if row["look"] == "computed")
    all_axes.flat[0].set_xlim(right=1.02 * last)
    return drawing.finished(figure)


def draw_panel(axes, rows, abscissa):
    # The finest of the computed curves is the black, unbroken one.
    computed = [source for look, source in dict.fromkeys((row["look"], row["source"]) for row in rows) if look == "computed"]
    lines = dict(zip(reversed(computed), zip([looks.BLACK, looks.BLUE, looks.SKY, looks.GREEN],
                                             ["-", "--", ":", "-."])))
    points = iter([("o", looks.ORANGE), ("s", looks.RED), ("^", looks.PINK)])
    for (look, source), curve in tables.groups(rows, "look", "source").items():
        x, y = tables.numbers(curve, abscissa), tables.numbers(curve, "value")
        low, high = ([float(row[side]) if row[side] else None for row in curve] for side in ("low", "high"))
        banded = None not in low
        if look == "computed":
            colour, line = lines.get(source, ("0.5", "-"))
            axes.plot(x, y, color=colour, ls=line, lw=1, label=source, zorder=3)
        elif look == "line":
            if banded:
                axes.fill_between(x, low, high, color=looks.ORANGE, alpha=0.35, lw=0)
            axes.plot(x, y, color=looks.RED, lw=1.2, label=source, zorder=2)
        else:
            marker, colour = next(points, ("x", "0.3"))
            if banded:
                axes.errorbar(x, y, yerr=[[b - a for a, b in zip(low, y)], [b - a for a, b in zip(y, high)]], ls="",
                              marker=marker, color=colour, mfc="none", capsize=3, label=source, zorder=4)
            else:
                axes.plot(x, y, marker, color=colour, mfc="none", ms=6, label=source, zorder=4)


drawing.main(draw)
