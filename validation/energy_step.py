#!/usr/bin/env python3
"""Draws a table of `halfulp validate energy`: rounding error of the energy against the step.
Usage: energy_step.py energy-CASE.csv"""
import drawing
from drawing import plt


def draw(axes, rows, names, title):
    for k, name in enumerate(names):
        points = sorted((float(row["cfl[1]"]), float(row["deviation[1]"])) for row in rows if row["policy"] == name)
        points = [point for point in points if point[1] > 0]
        if points:
            parts = name.split("/")[1:]
            axes.loglog(*zip(*points), label=", ".join(parts) or name, **drawing.policy_style(name, k))
    integrator = sorted((float(row["cfl[1]"]), float(row["double_change[1]"])) for row in rows if row["policy"] == "robust")
    if integrator:
        axes.loglog(*zip(*integrator), color="0.6", lw=4, alpha=0.6, label="integrator's error (double)", zorder=0)
    axes.set_title(title)
    axes.set_xlabel("CFL on $c_0$")
    axes.legend(frameon=False, fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncol=2 if len(names) > 8 else 1)


def main():
    table = drawing.table_from_command_line(__doc__)
    rows = drawing.read(table)
    names = list(dict.fromkeys(row["policy"] for row in rows if row["policy"] != "double"))
    bundles = [name for name in names if "/" not in name]
    without = ["robust"] + [name for name in names if name.startswith("robust/")]
    gained = ["naive"] + [name for name in names if name.startswith("naive/")] + ["robust"]
    panels = [(bundles, "bundles")]
    if len(without) > 2:
        panels.append((without, "robust with one part exchanged"))
    if len(gained) > 2:
        panels.append((gained, "naive with some parts exchanged"))
    figure, axes = plt.subplots(1, len(panels), figsize=(5.8 * len(panels), 6.5), sharey=True, squeeze=False)
    for one, (chosen, title) in zip(axes[0], panels):
        draw(one, rows, chosen, title)
    axes[0][0].set_ylabel("largest $|\\Delta E - \\Delta E_{double}|$ / available energy")
    drawing.grid(*axes[0])
    figure.tight_layout()
    drawing.save(figure, table)


if __name__ == "__main__":
    main()
