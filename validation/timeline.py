#!/usr/bin/env python3
"""Draws a file of scripts/timeline: what each device does in a step. Usage: timeline.py timeline.json FIGURE"""
import json
import pathlib
import sys

import drawing
from drawing import plt

# From below, on each device: what there is in a file of scripts/timeline, and how it is told.
LINES = (("other", "one particle at a time", "0.6"), ("inner", "passes over inner particles", drawing.SKY),
         ("edge", "passes over particles that others wait for", drawing.BLUE), ("message", "packing, copies, placing", drawing.RED))


def draw(told):
    figure, axes = plt.subplots(figsize=(8, 1.1 + 1.3 * len(told["devices"])))
    places, names = [], []
    for k, device in enumerate(reversed(told["devices"])):
        for line, (what, name, colour) in enumerate(LINES):
            place = 5 * k + line
            spans = [(one["begin"], one["end"] - one["begin"]) for one in device["work"] if one["what"] == what]
            axes.broken_barh(spans, (place - 0.4, 0.8), color=colour, lw=0)
            places.append(place)
            names.append(f"device {device['device']}: {name}")
    axes.set_yticks(places, names, fontsize=8)
    axes.set(xlabel=f"microseconds of step {told['step']}", xlim=(0, None))
    axes.grid(axis="x", lw=0.3)
    figure.tight_layout()
    return figure


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    draw(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))).savefig(sys.argv[2])


main()
