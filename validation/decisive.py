#!/usr/bin/env python3
"""Draws the table of `halfulp validate decisive`: errors against double over time, a panel a flow. Usage: decisive.py decisive.csv"""
import math

import drawing
from drawing import plt


def draw(table, rows):
    flows = drawing.groups(rows, "flow")
    figure, axes = plt.subplots(1, len(flows), figsize=(4.2 * len(flows), 4.2), squeeze=False)
    for panel, (flow, in_flow) in zip(axes[0], flows.items()):
        for k, (arm, points) in enumerate(drawing.groups(in_flow, "arm").items()):
            if arm == "double":
                continue
            times = [0.5 * (float(p["begin[s]"]) + float(p["end[s]"])) for p in points]
            errors = [float(p["error[1]"]) for p in points]
            kept = [(t, e) for t, e in zip(times, errors) if e > 0 and math.isfinite(e)]
            panel.plot([t for t, _ in kept], [e for _, e in kept], label=arm, lw=1.1, ms=4, **drawing.policy_style(arm, k))
        panel.set(xscale="log", yscale="log", xlabel="time (s)", title=flow)
        drawing.grid(panel)
    axes[0][0].set_ylabel("error against double, relative")
    axes[0][-1].legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.tight_layout()
    return figure


drawing.main(draw)
