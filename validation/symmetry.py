#!/usr/bin/env python3
"""Draws the tables of `halfulp validate symmetry`. Usage: symmetry.py symmetry.csv (or symmetry-images.csv)"""
import drawing
from drawing import plt


# The bundles that drawing.py does not know.
LOOKS = {**drawing.POLICIES, "naive": (drawing.ORANGE, "v", "-"), "dualsphysics": (drawing.GREEN, "x", "--"),
         "gpusph": (drawing.PINK, "+", "-.")}


def look(name):
    colour, marker, line = LOOKS[name]
    return dict(color=colour, marker=marker, ls=line, mfc="none", ms=4, lw=1, markevery=4, label=name)


def legend(figure, all_axes):
    """One for all axes, below them: a curve that has no point in one may have some in another."""
    found = {}
    for axes in all_axes:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            found.setdefault(label, handle)
    figure.tight_layout(rect=(0, 0.09, 1, 1))
    figure.legend(found.values(), found.keys(), loc="lower center", ncol=len(found), frameon=False, fontsize=9)


def draw_curves(axes, rows, column):
    """Returns the names of those that are zero all the time."""
    nowhere = []
    for name, own in drawing.groups(rows, "precision").items():
        points = [(float(row["step"]), float(row[column])) for row in own]
        points = [(x, y) for x, y in points if x > 0 and y > 0]
        if points:
            axes.loglog(*zip(*points), **look(name))
        else:
            nowhere.append(name)
    return nowhere


def draw_images(rows):
    images = drawing.groups([row for row in rows if not row["image"].startswith("lengths")], "image")
    figure, all_axes = plt.subplots(1, len(images), figsize=(3.3 * len(images), 4.2), sharey=True, squeeze=False)
    for axes, (image, of_image) in zip(all_axes[0], images.items()):
        nowhere = draw_curves(axes, of_image, "rms[spacings]")
        if nowhere:
            axes.text(0.05, 0.95, "no bit differs:\n" + "\n".join(nowhere), transform=axes.transAxes, va="top", fontsize=9)
        axes.set_title(image, fontsize=10)
        axes.set_xlabel("steps")
    drawing.grid(*all_axes[0])
    all_axes[0][0].set_ylabel("rms distance [spacings]")
    legend(figure, all_axes[0])
    return figure


def draw_conservation(rows):
    wanted = [("momentum[1]", "change of momentum / $\\sum m|u|$"),
              ("angular_momentum[1]", "change of angular momentum / $\\sum m|x||u|$"),
              ("centre[spacings]", "centre of mass off uniform motion [spacings]")]
    figure, all_axes = plt.subplots(1, 3, figsize=(14, 4.6))
    for axes, (column, label) in zip(all_axes, wanted):
        draw_curves(axes, rows, column)
        axes.set_xlabel("steps")
        axes.set_ylabel(label)
    robust = drawing.groups(rows, "precision").get("robust", [])[1:]
    for axes, column, line, label in ((all_axes[0], "momentum_bound[1]", "-", "robust, all to one side"),
                                      (all_axes[0], "momentum_expected[1]", "--", "robust, independent"),
                                      (all_axes[2], "centre_bound[spacings]", "-", None)):
        if robust:
            axes.loglog(drawing.numbers(robust, "step"), drawing.numbers(robust, column), color="0.6", lw=3, ls=line,
                        label=label, zorder=0)
    drawing.grid(*all_axes)
    legend(figure, all_axes)
    return figure


def main():
    table = drawing.table_from_command_line(__doc__)
    rows = [row for row in drawing.read(table) if row["bundle"] == "1"]
    figure = draw_images(rows) if "image" in drawing.columns(table) else draw_conservation(rows)
    drawing.save(figure, table)


if __name__ == "__main__":
    main()
