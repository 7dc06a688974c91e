"""What the scripts that draw experiments share. Each draws TABLE.svg from TABLE.csv, is started with the table's path, and
ends with drawing.main(draw), where draw(table, rows) gives the figure. Tables, looks and clouds of
particles are the Python package's: its parts that need no compiled module, since Debian's Python, to which matplotlib
belongs, need not be the one that a module was built for."""
import pathlib
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    print(f"{pathlib.Path(sys.argv[0]).name}: matplotlib is missing; install the package python3-matplotlib")
    sys.exit(3)

import package  # noqa: E402, F401
from halfulp import looks, plot, tables  # noqa: E402, F401  (the scripts take them from here)

# Colour, marker and line of bundles whose curves have so many points that finely broken lines would look unbroken.
BUNDLES = {**looks.POLICIES, "naive": (looks.ORANGE, "v", "-"), "dualsphysics": (looks.GREEN, "x", "--"),
           "gpusph": (looks.PINK, "+", "-.")}

# More points than this are drawn as pixels inside the SVG.
MANY_POINTS = 1000
PIXELS_PER_INCH = 150


def beside(table, suffix):
    """The table NAME-suffix.csv that belongs to NAME.csv."""
    return table.with_name(f"{table.stem}-{suffix}.csv")


def grid(*all_axes):
    for axes in all_axes:
        axes.grid(True, which="major", color="0.9")
        axes.set_axisbelow(True)


def finished(figure):
    """With a grid in all of its axes."""
    grid(*figure.axes)
    figure.tight_layout()
    return figure


def with_legend_below(figure, all_axes, space, most):
    """With a grid in all of its axes, and a legend of these: a curve that has no point in one may have some in another."""
    grid(*figure.axes)
    found = {}
    for axes in all_axes:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            found.setdefault(label, handle)
    figure.tight_layout(rect=(0, space, 1, 1))
    figure.legend(found.values(), found.keys(), loc="lower center", ncol=min(len(found), most), frameon=False, fontsize=9)
    return figure


def bundle_look(name, known, **more):
    """Of a bundle among curves of many points, by its colour, marker and line: a marker at every fourth."""
    colour, marker, line = known[name]
    return {"color": colour, "marker": marker, "ls": line, "mfc": "none", "ms": 4, "markevery": 4, "label": name, **more}


def save(figure, picture, salt, **about):
    """Whole or not at all, wherever it is cut off; the same figure makes the same file, to the byte."""
    matplotlib.rcParams["svg.hashsalt"] = salt
    fresh = picture.with_name(picture.name + ".new")
    figure.savefig(fresh, format=picture.suffix[1:], dpi=PIXELS_PER_INCH,
                   metadata={"Date": None, **about} if picture.suffix == ".svg" else None)
    fresh.replace(picture)


def main(draw):
    """Writes TABLE.svg, or the picture that is named as well."""
    if len(sys.argv) not in (2, 3):
        print(sys.modules["__main__"].__doc__)
        sys.exit(1)
    table = pathlib.Path(sys.argv[1])
    picture = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else table.with_suffix(".svg")
    save(draw(table, tables.read(table)), picture, table.stem)
