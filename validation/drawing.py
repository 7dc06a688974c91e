"""What the scripts that draw experiments share. Each draws TABLE.svg from TABLE.csv, is started with the table's path, and
ends with drawing.main(draw), where draw(table, rows) gives the figure."""
import csv
import pathlib
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    print(f"{pathlib.Path(sys.argv[0]).name}: matplotlib is missing; install the package python3-matplotlib")
    sys.exit(3)

# Okabe and Ito's colours, which people who see colours differently can tell apart; never the only difference of two
# curves: lines and markers differ as well.
BLACK, BLUE, RED, GREEN, PINK, ORANGE, SKY = "#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"
COLOURS = [BLACK, BLUE, RED, GREEN, PINK, ORANGE, SKY]
MARKERS = ["o", "s", "^", "D", "v", "x", "+"]
LINES = ["-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1, 1, 1))]
# One look each, in the same colour, marker and line everywhere.
POLICIES = {"double": (BLACK, "o", "-"), "robust": (BLUE, "s", "--"), "robust/sums=plain": (SKY, "^", "-."),
            "reversible": (RED, "D", ":"), "naive": (ORANGE, "v", (0, (3, 1, 1, 1, 1, 1))),
            "dualsphysics": (GREEN, "x", (0, (5, 1))), "gpusph": (PINK, "+", (0, (1, 1)))}

# More points than this are drawn as pixels inside the SVG.
MANY_POINTS = 1000
PIXELS_PER_INCH = 150


def style(k):
    """Colour, marker and line of the k-th curve, for plot(**style(k))."""
    return dict(color=COLOURS[k % len(COLOURS)], marker=MARKERS[k % len(MARKERS)], ls=LINES[k % len(LINES)], mfc="none")


def policy_style(name, k):
    """The look of a policy: its own, or the k-th, which is nobody's own for the first 49."""
    if name not in POLICIES:
        turn = k // len(COLOURS)
        return dict(color=COLOURS[k % len(COLOURS)], marker=MARKERS[(k + 2 + turn) % len(MARKERS)],
                    ls=LINES[(k + 3 + turn) % len(LINES)], mfc="none")
    colour, marker, line = POLICIES[name]
    return dict(color=colour, marker=marker, ls=line, mfc="none")


def beside(table, suffix):
    """The table NAME-suffix.csv that belongs to NAME.csv."""
    return table.with_name(f"{table.stem}-{suffix}.csv")


def read(table):
    """A list of rows, {column: text}."""
    with table.open(newline="") as file:
        return list(csv.DictReader(file))


def columns(table):
    with table.open(newline="") as file:
        return next(csv.reader(file))


def groups(rows, *columns):
    """{value of the column, or values of several: its rows}, in the order of the table."""
    found = {}
    for row in rows:
        key = tuple(row[column] for column in columns)
        found.setdefault(key if len(columns) > 1 else key[0], []).append(row)
    return found


def numbers(rows, column):
    return [float(row[column]) for row in rows]


def points(rows, x, y):
    """Those of two columns at which the second is positive, as two lists; empty ones if there is none."""
    found = [(float(row[x]), float(row[y])) for row in rows]
    return list(zip(*[point for point in found if point[1] > 0])) or [[], []]


def grid(*all_axes):
    for axes in all_axes:
        axes.grid(True, which="major", color="0.9")
        axes.set_axisbelow(True)


def legend_below(figure, all_axes, space, most):
    """One for all axes: a curve that has no point in one may have some in another."""
    found = {}
    for axes in all_axes:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            found.setdefault(label, handle)
    figure.tight_layout(rect=(0, space, 1, 1))
    figure.legend(found.values(), found.keys(), loc="lower center", ncol=min(len(found), most), frameon=False, fontsize=9)


def main(draw):
    """Writes TABLE.svg, or the picture that is named as well. The same table makes the same file, to the byte."""
    if len(sys.argv) not in (2, 3):
        print(sys.modules["__main__"].__doc__)
        sys.exit(1)
    table = pathlib.Path(sys.argv[1])
    picture = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else table.with_suffix(".svg")
    figure = draw(table, read(table))
    matplotlib.rcParams["svg.hashsalt"] = table.stem
    # Whole or not at all, wherever it is cut off.
    fresh = picture.with_name(picture.name + ".new")
    figure.savefig(fresh, format=picture.suffix[1:], dpi=PIXELS_PER_INCH,
                   metadata={"Date": None} if picture.suffix == ".svg" else None)
    fresh.replace(picture)
