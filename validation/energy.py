#!/usr/bin/env python3
"""Draws the table of `halfulp validate energy`: energy error against the step size. Usage: energy.py energy.csv"""
import drawing
from drawing import plt


def main():
    table = drawing.table_from_command_line(__doc__)
    rows = drawing.read(table)
    spacings = sorted({float(row["spacing[m]"]) for row in rows}, reverse=True)
    figure, all_axes = plt.subplots(1, len(spacings), figsize=(5.5 * len(spacings), 4.2), sharey=True, squeeze=False)
    styles = {
        ("double", True): dict(color=drawing.BLACK, marker="o", mfc="none", ms=11, ls="-", label="double"),
        ("robust", True): dict(color=drawing.BLUE, marker="s", ms=6, ls="--", label="robust float"),
        ("robust", False): dict(color=drawing.RED, marker="x", ms=9, ls=":", label="robust float, $10^9$ cells away"),
    }
    for axes, spacing in zip(all_axes[0], spacings):
        curves = {}
        for row in rows:
            if float(row["spacing[m]"]) == spacing:
                curves.setdefault((row["precision"], int(row["origin[cells]"]) == 0), []).append(
                    (float(row["cfl[1]"]), float(row["largest_energy_error[1]"])))
        for key, style in styles.items():
            if key in curves:
                axes.loglog(*zip(*sorted(curves[key])), **style)
        double = sorted(curves["double", True])
        x1, y1 = double[-1]
        guide = [double[0][0], x1]
        axes.loglog(guide, [3 * y1 * (x / x1) ** 2 for x in guide], color="0.6", lw=1, label="second order")
        axes.set_title(f"spacing {spacing:g} m")
        axes.set_xlabel("CFL on $c_0$")
    drawing.grid(*all_axes[0])
    all_axes[0][0].set_ylabel("largest $|E - E(0)|$ / available energy")
    all_axes[0][0].legend(frameon=False)
    figure.tight_layout()
    drawing.save(figure, table)


if __name__ == "__main__":
    main()
