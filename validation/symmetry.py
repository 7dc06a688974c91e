#!/usr/bin/env python3
"""Draws the tables of `halfulp validate symmetry`. Usage: symmetry.py symmetry.csv (or symmetry-images.csv)"""
import drawing
from drawing import plt, tables


def draw_curves(axes, rows, column):
    """Returns the names of those that are zero all the time."""
    nowhere = []
    for name, own in tables.groups(rows, "precision").items():
        points = tables.points([row for row in own if float(row["step"]) > 0], "step", column)
        if points[0]:
            axes.loglog(*points, **drawing.bundle_look(name, drawing.BUNDLES, lw=1))
        else:
            nowhere.append(name)
    return nowhere


def draw_images(rows):
    images = tables.groups([row for row in rows if not row["image"].startswith("lengths")], "image")
    figure, all_axes = plt.subplots(1, len(images), figsize=(3.3 * len(images), 4.2), sharey=True, squeeze=False)
    for axes, (image, of_image) in zip(all_axes[0], images.items()):
        nowhere = draw_curves(axes, of_image, "rms[spacings]")
        if nowhere:
            axes.text(0.05, 0.95, "no bit differs:\n" + "\n".join(nowhere), transform=axes.transAxes, va="top", fontsize=9)
        axes.set_title(image, fontsize=10)
        axes.set_xlabel("steps")
    all_axes[0][0].set_ylabel("rms distance [spacings]")
    return drawing.with_legend_below(figure, all_axes[0], 0.09, 9)


def draw_conservation(rows):
    wanted = [("momentum[1]", "change of momentum / $\\sum m|u|$"),
              ("angular_momentum[1]", "change of angular momentum / $\\sum m|x||u|$"),
              ("centre[spacings]", "centre of mass off uniform motion [spacings]")]
    figure, all_axes = plt.subplots(1, 3, figsize=(14, 4.6))
    for axes, (column, label) in zip(all_axes, wanted):
        draw_curves(axes, rows, column)
        axes.set(xlabel="steps", ylabel=label)
    robust = tables.groups(rows, "precision").get("robust", [])[1:]
    for axes, column, line, label in ((all_axes[0], "momentum_bound[1]", "-", "robust, all to one side"),
                                      (all_axes[0], "momentum_expected[1]", "--", "robust, independent"),
                                      (all_axes[2], "centre_bound[spacings]", "-", None)):
        if robust:
            axes.loglog(tables.numbers(robust, "step"), tables.numbers(robust, column), color="0.6", lw=3, ls=line,
                        label=label, zorder=0)
    return drawing.with_legend_below(figure, all_axes, 0.09, 9)


def draw(table, rows):
    rows = [row for row in rows if row["bundle"] == "1"]
    return draw_images(rows) if "image" in rows[0] else draw_conservation(rows)


drawing.main(draw)
