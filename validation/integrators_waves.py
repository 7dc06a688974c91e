#!/usr/bin/env python3
"""Draws the sound waves of `halfulp validate integrators`: growth and phase of a step beside the closed forms.
Usage: integrators_waves.py integrators-waves.csv"""
import drawing
from drawing import looks, plt, tables


def draw(table, rows):
    figure, (growth, phase) = plt.subplots(1, 2, figsize=(9.5, 4.8))
    for k, (integrator, own) in enumerate(tables.groups(rows, "integrator").items()):
        own = sorted(own, key=lambda row: float(row["angle[rad]"]))
        style = looks.curve(k)
        angles = tables.numbers(own, "angle[rad]")
        for axes, name, off in ((growth, "growth", 0), (phase, "phase", 1)):
            measured = [value - off for value in tables.numbers(own, f"{name}[1]")]
            told = [value - off for value in tables.numbers(own, f"{name}_by_theory[1]")]
            axes.plot(angles, told, color=style["color"], ls=style["ls"], lw=1)
            axes.plot(angles, measured, color=style["color"], marker=style["marker"], ls="none", mfc="none", label=integrator)
    growth.set(xlabel="frequency times step (rad)", ylabel="growth of the amplitude a step (log)")
    growth.set_yscale("symlog", linthresh=1e-6)
    phase.set(xlabel="frequency times step (rad)", ylabel="phase of a step, relative error")
    growth.set_ylim(-3e-7, 0.03)
    return drawing.with_legend_below(figure, [growth], 0.14, 4)


drawing.main(draw)
