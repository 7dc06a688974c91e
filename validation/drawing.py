"""What the scripts that draw experiments share. Each draws TABLE.svg from TABLE.csv and is started with the table's path:
import drawing; table = drawing.table_from_command_line(__doc__); ...; drawing.save(figure, table)"""
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


def table_from_command_line(usage):
    if len(sys.argv) != 2:
        print(usage)
        sys.exit(1)
    return pathlib.Path(sys.argv[1])


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


def groups(rows, column):
    """{value of the column: its rows}, in the order of the table."""
    found = {}
    for row in rows:
        found.setdefault(row[column], []).append(row)
    return found


def numbers(rows, column):
    return [float(row[column]) for row in rows]


def grid(*all_axes):
    for axes in all_axes:
        axes.grid(True, which="major", color="0.9")
        axes.set_axisbelow(True)


def save(figure, table):
    """Writes TABLE.svg. The same table makes the same file, to the byte."""
    matplotlib.rcParams["svg.hashsalt"] = table.stem
    figure.savefig(table.with_suffix(".svg"), dpi=PIXELS_PER_INCH, metadata={"Date": None})
