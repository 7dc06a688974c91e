#!/usr/bin/env python3
"""Draws the table of `halfulp validate decisive`: errors against double over time, a panel a flow.
Usage: decisive.py decisive.csv [PICTURE]"""
import math

import drawing
from drawing import looks, plt, tables


def draw(table, rows):
    flows = tables.groups(rows, "flow")
    across = min(len(flows), 4)
    down = math.ceil(len(flows) / across)
    figure, axes = plt.subplots(down, across, figsize=(4.2 * across, 4.2 * down), squeeze=False)
    panels = list(axes.flat)
    for panel in panels[len(flows):]:
        panel.set_axis_off()
    named = {}
    for panel, (flow, in_flow) in zip(panels, flows.items()):
        for arm, points in tables.groups(in_flow, "arm").items():
            if arm == "double":
                continue
            times = [0.5 * (float(p["begin[s]"]) + float(p["end[s]"])) for p in points]
            errors = [float(p["error[1]"]) for p in points]
            kept = [(t, e) for t, e in zip(times, errors) if e > 0 and math.isfinite(e)]
            look = looks.policy(arm, named.setdefault(arm, len(named)))
            panel.plot([t for t, _ in kept], [e for _, e in kept], label=arm, lw=1.1, ms=4, **look)
        panel.set(xscale="log", yscale="log", xlabel="time (s)", title=flow)
    for row in axes:
        row[0].set_ylabel("error against double, relative")
    if down > 1:
        return drawing.with_legend_below(figure, panels[:len(flows)], 0.2 / down, 6)
    # All flows have the runs of the last.
    panels[-1].legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    return drawing.finished(figure)


drawing.main(draw)
