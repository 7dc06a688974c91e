#!/usr/bin/env python3
"""Draws the spectrum of the force on a body of `halfulp validate decisive`: its amplitude over the frequency, along the tank
and upwards. Usage: decisive_spectrum.py decisive-spectrum.csv"""
import drawing
from drawing import looks, plt, tables

ARMS = ("double", "robust", "gpusph", "dualsphysics", "naive", "naive, 1,000 cells away")


def draw(table, rows):
    figure, panels = plt.subplots(1, 2, figsize=(9.5, 4.2), sharey=True)
    arms = tables.groups(rows, "arm")
    for panel, column, title in zip(panels, ("first_amplitude", "second_amplitude"), ("along the tank", "upwards")):
        for k, arm in enumerate(ARMS):
            if arm in arms:
                look = {**looks.policy(arm, k), "marker": ""}
                panel.plot(*tables.points(arms[arm], "frequency[Hz]", column), lw=1.6 if arm == "double" else 1.0, label=arm, **look)
        panel.set(yscale="log", xlabel="frequency (Hz)", title=title)
    panels[0].set_ylabel("amplitude of the force (N/m)")
    panels[1].legend(frameon=False, fontsize=7)
    return drawing.finished(figure)


drawing.main(draw)
