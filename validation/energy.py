#!/usr/bin/env python3
"""Draws the table of `halfulp validate energy`: energy error against the step size. Usage: energy.py energy.csv"""
import csv
import pathlib
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    print("energy.py: matplotlib is missing; install the package python3-matplotlib")
    sys.exit(3)


def main():
    table = pathlib.Path(sys.argv[1])
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    spacings = sorted({float(row["spacing[m]"]) for row in rows}, reverse=True)
    figure, all_axes = plt.subplots(1, len(spacings), figsize=(5.5 * len(spacings), 4.2), sharey=True, squeeze=False)
    styles = {
        ("double", True): dict(color="#000000", marker="o", mfc="none", ms=11, ls="-", label="double"),
        ("robust", True): dict(color="#0072b2", marker="s", ms=6, ls="--", label="robust float"),
        ("robust", False): dict(color="#d55e00", marker="x", ms=9, ls=":", label="robust float, $10^9$ cells away"),
    }
    for axes, spacing in zip(all_axes[0], spacings):
        for (precision, near), style in styles.items():
            points = sorted(
                (float(row["cfl[1]"]), float(row["largest_energy_error[1]"]))
                for row in rows
                if float(row["spacing[m]"]) == spacing and row["precision"] == precision and (int(row["origin[cells]"]) == 0) == near
            )
            if points:
                axes.loglog(*zip(*points), **style)
        double = sorted((float(r["cfl[1]"]), float(r["largest_energy_error[1]"])) for r in rows if float(r["spacing[m]"]) == spacing and r["precision"] == "double")
        (x1, y1) = double[-1]
        guide = [double[0][0], x1]
        axes.loglog(guide, [3 * y1 * (x / x1) ** 2 for x in guide], color="0.6", lw=1, label="second order")
        axes.set_title(f"spacing {spacing:g} m")
        axes.set_xlabel("CFL on $c_0$")
        axes.grid(True, which="major", color="0.9")
    all_axes[0][0].set_ylabel("largest $|E - E(0)|$ / available energy")
    all_axes[0][0].legend(frameon=False)
    figure.tight_layout()
    figure.savefig(table.with_suffix(".png"), dpi=150)


if __name__ == "__main__":
    main()
