#!/usr/bin/env python3
"""Draws a run: figures.py RUN_FOLDER writes PNGs into RUN_FOLDER/figures.

particles.png  the fluid's pressure at moments spread over the run
ledger.png     where the energy went, and what the ledger cannot account for
front.png      the foremost particle, where it goes on by more than ten spacings or the case has published tables for it
probe-NAME.png what a probe has measured
"""

import io
import math
import os
import stat
import sys
import warnings
from pathlib import Path

try:
    import tomllib

    import h5py
    import matplotlib
    import numpy as np
except ImportError as missing:
    print(f"figures.py: {sys.executable} has no module {missing.name}; the figures need Python 3.11 or later and Debian's "
          "packages python3-h5py and python3-matplotlib.", file=sys.stderr)
    sys.exit(3)

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the back end comes first)

TALLEST = 2.5  # times as high as wide, of a panel of particles
WIDTH = 8.0  # inches; at 200 dots an inch the pictures are 1600 pixels wide
DOTS = 200
MOMENTS = 6
FLUID, WALL = 0, 1
WALL_GREY = "0.62"
# Okabe and Ito's palette: distinguishable with every kind of colour vision; line styles serve black and white.
BLUE, ORANGE, GREEN, RED, BLACK = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#000000"
# By which a figure of a run is known, among the first bytes of its file.
OWN = b"Software\0halfulp"
DRAWN = []  # the names of the figures, in the order of drawing

# The font has no letters of some languages; boxes stand for these, and nothing is to be said beside the picture.
warnings.filterwarnings("ignore", message="Glyph .* missing from")

plt.rcParams.update({
    "font.size": 9, "axes.titlesize": 9, "axes.grid": True, "grid.color": "0.88", "grid.linewidth": 0.6,
    "axes.axisbelow": True, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    "lines.linewidth": 1.4, "savefig.dpi": DOTS, "figure.constrained_layout.use": True,
})


class Probe:
    """The series of one probe, with filtered columns where it has a filter and the run has ended."""

    def __init__(self, group):
        columns = {name: data[()] for name, data in group.items()}
        rows = min(len(values) for values in columns.values())
        self.time = columns.pop("time")[:rows]
        self.columns = {name: values[:rows] for name, values in columns.items()}
        self.units = {name: group[name].attrs["unit"] for name in columns}
        about = ["{} {}".format(key, group.attrs[key]) for key in ("at", "about", "within") if key in group.attrs]
        self.title = ", ".join([str(group.attrs["measures"]), *about])
        self.filter = group.attrs["filter"]


class Run:
    """What the figures need of run.h5."""

    def __init__(self, folder):
        self.file = h5py.File(folder / "run.h5", "r")
        if self.file.attrs.get("format") != "halfulp run":
            raise ValueError("it is not a run of halfulp")
        self.dimensions = int(self.file.attrs["dimensions"])
        self.provenance = dict(self.file["provenance"].attrs)
        self.case = tomllib.loads(self.file["case/completed"].asstr()[()])
        columns = {name: data[()] for name, data in self.file["ledger"].items()}
        rows = min(len(values) for values in columns.values())
        self.ledger = {name: values[:rows] for name, values in columns.items()}
        self.probes = {name: Probe(group) for name, group in self.file.get("probes", {}).items()}
        groups = self.file["outputs"]
        self.outputs = [groups[name] for name in sorted(groups, key=lambda name: (len(name), name))]
        # Pictures are drawn relative to the case's origin, like all computed values.
        cells = np.array([int(x) for x in self.provenance.get("origin.cells", "0 0 0").split()], dtype=float)
        self.origin = cells * float(self.provenance.get("cell_side", 0))
        self.title = self.case.get("title", "").replace("$", r"\$")
        self.spacing = float(self.case["resolution"]["spacing"])

    def only_fluid(self):
        """Whether there are no walls in the outputs."""
        shapes = self.case.get("shapes", [])
        written = self.case.get("output", {}).get("particles")
        return written == "fluid" or (bool(shapes) and all(shape["kind"] != "wall" for shape in shapes))

    def has_front(self):
        """Whether the foremost particle says something: of water at rest, or in a period, it does not."""
        if "front" in self.case:
            return True
        front = self.ledger["front"]
        return not any(self.case.get("period", [])) and np.ptp(front) > 10 * self.spacing

    def shows_speed(self):
        """Of a viscous flow that nothing falls in, such as one between plates, the pressure is noise."""
        viscous = self.case.get("fluid", {}).get("laminar_viscosity", "none") != "none"
        gravity = self.case.get("gravity", [0, -9.81, 0])
        falls = any(g != 0 and period == 0 for g, period in zip(gravity, self.case.get("period", [0, 0, 0])))
        return viscous and not falls and "central_force" not in self.case and all("velocity" in output for output in self.outputs)

    def number(self, key):
        """A number of the provenance; nothing if it has none or it is not positive."""
        try:
            value = float(self.provenance[key])
        except (KeyError, ValueError):
            return None
        return value if value > 0 else None


def may_be_replaced(path):
    """Nothing, a figure of halfulp, the first bytes of one. A link is of somebody else, wherever it leads."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return True
    if not stat.S_ISREG(mode):
        return False
    with path.open("rb") as file:
        begins = file.read(300)
    return not begins or OWN in begins


def save(figure, path):
    fresh = path.with_name(path.name + ".new")
    taken = next((name for name in (path, fresh) if not may_be_replaced(name)), None)
    if taken is None:
        drawn = io.BytesIO()
        figure.savefig(drawn, format="png", metadata={"Software": "halfulp"}, bbox_inches="tight", pad_inches=0.08)
        fresh.unlink(missing_ok=True)
        with fresh.open("xb") as file:
            file.write(drawn.getbuffer())
        fresh.replace(path)
        DRAWN.append(path.name)
    else:
        what = f"a {'link' if path.is_symlink() else 'file'} of that name" if taken == path else taken
        print(f"figures.py: {path} is not drawn, since {what} is there already.", file=sys.stderr)
    plt.close(figure)


class View:
    """One output in the plane of the picture: x to the right, and up y in 2D, z in 3D.

    In 3D it is a section along the tank's middle seen along y: the nearest of what lies behind the cut.
    """

    def __init__(self, run, output):
        position = output["position"][()] - run.origin
        kind = output["kind"][()] if "kind" in output else np.full(len(position), FLUID)
        fluid = kind == FLUID
        wall = kind == WALL
        up = 1 if run.dimensions == 2 else 2
        order = slice(None)
        if run.dimensions == 3 and len(position):
            depth = position[:, 1]
            extent = depth[wall] if wall.any() else depth
            middle = (extent.min() + extent.max()) / 2
            fluid &= depth >= middle
            wall &= np.abs(depth - middle) <= run.spacing
            order = np.argsort(-depth[fluid], kind="stable")  # back to front
        self.fluid = position[fluid][:, [0, up]][order]
        shown = np.linalg.norm(output["velocity"][()], axis=1) if run.shows_speed() else output["pressure"][()]
        self.shown = shown[fluid][order]
        self.wall = position[wall][:, [0, up]]
        self.time = float(output.attrs["time"])


def domain_of(views):
    """The picture's limits: the tank if it holds the fluid, else all that walls and nearly all fluid reach."""
    walls = [view.wall for view in views if len(view.wall)]
    fluid = [view.fluid for view in views if len(view.fluid)]
    low, high = np.inf, -np.inf
    if walls:
        low, high = np.concatenate(walls).min(axis=0), np.concatenate(walls).max(axis=0)
    for points in fluid:  # of one moment
        outside = np.any((points < low) | (points > high), axis=1)
        if outside.mean() < 0.02:  # drops that fly out of an open tank
            continue
        few = 0.0 if not walls else 0.005
        low = np.minimum(low, np.quantile(points, few, axis=0))
        high = np.maximum(high, np.quantile(points, 1 - few, axis=0))
    margin = 0.02 * max(high - low) or 0.5
    low, high = low - margin, high + margin
    missing = max((high[1] - low[1]) / TALLEST - (high[0] - low[0]), 0.0)
    low[0], high[0] = low[0] - missing / 2, high[0] + missing / 2
    return low, high


def shown_range(views):
    """Colours span what nearly all particles have; a few extremes do not wash out the rest."""
    shown = np.concatenate([view.shown for view in views])
    shown = shown[np.isfinite(shown)]
    if not len(shown):
        return 0.0, 1.0, "neither"
    low, high = np.quantile(shown, [0.02, 0.98])
    if 0 <= low < 0.3 * high or -0.02 * high < low < 0:
        low = 0.0
    if not high > low:
        low, high = low - 0.5, low + 0.5
    below, above = shown.min() < low, shown.max() > high
    return low, high, {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[int(below), int(above)]


def draw_particles(run, path):
    chosen = np.unique(np.linspace(0, len(run.outputs) - 1, MOMENTS).round().astype(int))
    views = [View(run, run.outputs[i]) for i in chosen]
    if not any(len(view.fluid) + len(view.wall) for view in views):
        return
    low, high = domain_of(views)
    tall = (high[1] - low[1]) / (high[0] - low[0])
    columns = min(len(views), 1 if tall < 0.2 else 2 if tall < 0.9 else 3)
    rows = math.ceil(len(views) / columns)
    panel = (WIDTH - 1.5) / columns - 0.25  # inches, beside the labels and the colour bar
    # The constrained layout alone takes panels of a fixed aspect for wider than they are, and cuts their labels off.
    figure, axes = plt.subplots(rows, columns, sharex=True, sharey=True, squeeze=False, layout="compressed",
                                figsize=(WIDTH, rows * (panel * tall + 0.3) + 0.9))
    section = ", section along the middle" if run.dimensions == 3 else ""
    figure.suptitle(run.title + section, fontsize=10)
    vmin, vmax, extend = shown_range(views)
    # Round particles slightly wider than their spacing, in points, so that still water shows no gaps.
    size = max(1.3 * run.spacing / (high[0] - low[0]) * panel * 72, 0.35) ** 2
    drawn = None
    for axis, view in zip(axes.flat, views):
        # In a section the cut wall is in front of the fluid.
        axis.scatter(*view.wall.T, s=size, c=WALL_GREY, linewidths=0, zorder=3 if run.dimensions == 3 else 1)
        drawn = axis.scatter(*view.fluid.T, s=size, c=view.shown, cmap="viridis", vmin=vmin, vmax=vmax, linewidths=0,
                             zorder=2)
        axis.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
        axis.set_title(f"t = {view.time:.4g} s")
        axis.grid(False)
    for axis in axes.flat[len(views):]:
        axis.set_visible(False)
    for axis in axes.flat[len(views) - columns:len(views)]:  # the lowest of each column
        axis.set_xlabel("x (m)")
        axis.tick_params(labelbottom=True)
    for axis in axes[:, 0]:
        axis.set_ylabel("y (m)" if run.dimensions == 2 else "z (m)")
    figure.colorbar(drawn, ax=axes, label="speed (m/s)" if run.shows_speed() else "pressure (Pa)", extend=extend, fraction=0.03, aspect=30)
    save(figure, path)


def span(values):
    """From the first to the last, apart even if these are equal, as limits have to be."""
    return (values[0], values[-1]) if values[-1] > values[0] else (values[0] - 0.5, values[0] + 0.5)


def draw_ledger(run, path):
    ledger = run.ledger
    time = ledger["time"]
    available = run.number("available_energy")
    scale = available or 1.0
    joules = "J/m" if run.dimensions == 2 else "J"
    unit = "relative to the available energy" if available else joules
    compressive = ledger["compressive_fluid"] + ledger["compressive_wall"]

    figure, (upper, lower) = plt.subplots(2, 1, sharex=True, figsize=(WIDTH, 6.2), height_ratios=(3, 2))
    figure.suptitle(run.title, fontsize=10)
    for values, label, colour, style in (
            (ledger["kinetic"], "kinetic", BLUE, "-"), (ledger["potential"], "potential", ORANGE, "-"),
            (compressive, "compressive", GREEN, "-."), (ledger["total"], "total", BLACK, "-")):
        upper.plot(time, (values - values[0]) / scale, style, color=colour, label=label)
    # The total should equal the sum of works; the lower panel shows the difference.
    works = sum(values for name, values in ledger.items() if name.endswith("_work"))
    upper.plot(time, (works - works[0]) / scale, "--", color=RED, label="works")
    upper.set_ylabel(f"change since the start\n({unit})")
    upper.legend(ncols=5, loc="lower center", bbox_to_anchor=(0.5, 1.0), handlelength=2.2, columnspacing=1.4)

    residual = np.abs(ledger["residual"]) / scale
    shown = np.where(residual > 0, residual, np.nan)
    if np.isfinite(shown).any():
        lower.semilogy(time, shown, color=BLACK, linewidth=1.0)
        largest = np.nanmax(shown)
        lower.axhline(largest, color=RED, linewidth=0.9, linestyle=":")
        lower.annotate(f"largest {largest:.2g}" + ("" if available else f" {joules}"), (1, largest), (0, 3), color=RED,
                       xycoords=("axes fraction", "data"), textcoords="offset points", ha="right", va="bottom")
        if np.nanmin(shown) < largest:
            lower.margins(y=0.12)
        else:  # of a short run: a single one spans no axis
            lower.set_ylim(largest / 10, largest * 10)
    else:
        lower.text(0.5, 0.5, "no residual: zero in every row", transform=lower.transAxes, ha="center", va="center")
    lower.set(xlabel="time (s)", ylabel=f"|total \u2212 start \u2212 works|\n({unit})")
    lower.set_xlim(*span(time))
    save(figure, path)


def fitted_lag(points, time, front):
    """By how much of t sqrt(2g/L) the experiment's clock starts before the fluid: its gate. As core/output/front.cpp fits it."""
    reached = points[points[:, 0] <= time[-1]]
    if len(reached) < 3:
        return 0.0
    lags = np.arange(0, 1, 1e-3)
    here = np.interp(reached[:, 0] - lags[:, None], time, front)
    return lags[np.argmin(((here / reached[:, 1] - 1) ** 2).sum(axis=1))]


def draw_front(run, path):
    time, front = run.ledger["time"], run.ledger["front"]
    published = run.case.get("front")
    if not published:
        figure, axis = plt.subplots(figsize=(WIDTH, 4.2))
        axis.plot(time, front, color=BLUE)
        axis.set(xlabel="time (s)", ylabel="foremost fluid particle, x (m)", title=run.title, xlim=span(time))
        save(figure, path)
        return

    length = published["length"]
    gravity = math.hypot(*run.case.get("gravity", [0, 9.81]))
    scaled_time = time * math.sqrt(2 * gravity / length)
    scaled_front = (front - published.get("start", 0.0)) / length
    references = published.get("references", [])
    figure, axes = plt.subplots(2 if references else 1, 1, sharex=True, squeeze=False,
                                figsize=(WIDTH, 6.2 if references else 4.2),
                                height_ratios=(3, 2) if references else (1,))
    axes = axes[:, 0]
    figure.suptitle(run.title, fontsize=10)
    axes[0].plot(scaled_time, scaled_front, color=BLUE, label="this run", zorder=3)
    styles = [("o", ORANGE), ("s", GREEN), ("^", RED), ("D", BLACK), ("v", BLUE)]
    for reference, (marker, colour) in zip(references, styles * len(references)):
        points = np.array(reference["points"], dtype=float).reshape(-1, 2)
        lag = fitted_lag(points, scaled_time, scaled_front)
        points[:, 0] -= lag
        style = {"linestyle": "none", "marker": marker, "color": colour, "markersize": 5, "markerfacecolor": "white"}
        # Only times that the run reached can be compared.
        reached = (points[:, 0] >= scaled_time[0]) & (points[:, 0] <= scaled_time[-1])
        here = np.interp(points[reached, 0], scaled_time, scaled_front)
        deviation = here / points[reached, 1] - 1
        label = f"{reference['name']} (lag {lag:.2f})"
        if reached.any():
            label += f": mean deviation {100 * np.abs(deviation).mean():.1f} %"
        axes[0].plot(*points.T, label=label, zorder=4, **style)
        axes[1].plot(points[reached, 0], 100 * deviation, **style)
    axes[0].set_ylabel("front, x / L")
    axes[0].legend(loc="upper left")
    if references:
        tolerance = 100 * published.get("tolerance", 0.06)
        axes[1].axhspan(-tolerance, tolerance, color="0.93", zorder=0)
        axes[1].axhline(0, color="0.5", linewidth=0.8)
        axes[1].annotate(f"accepted mean: \u00b1{tolerance:g} %", (1, tolerance), (-4, -3), textcoords="offset points",
                         xycoords=("axes fraction", "data"), ha="right", va="top", color="0.35")
        axes[1].set_ylabel("run against\npublished (%)")
        axes[1].grid(False)
    axes[-1].set_xlabel(r"time, t $\sqrt{2g/L}$")
    first, last = span(scaled_time)
    axes[-1].set_xlim(first - 0.02 * (last - first), last)
    save(figure, path)


def draw_probe(run, name, probe, path):
    """A panel for each unit; what was measured thin where a filtered series stands over it. Of a pressure the column to use
    comes first and thickest, and the others do not hide it."""
    raw = [column for column in probe.columns if not column.endswith("_filtered")]
    raw.sort(key=lambda column: column != "pressure_fluid_shepard")
    units = list(dict.fromkeys(probe.units[column] for column in raw))
    figure, axes = plt.subplots(len(units), 1, sharex=True, squeeze=False, figsize=(WIDTH, 1.4 + 2.6 * len(units)))
    axes = axes[:, 0]
    figure.suptitle(f"{run.title}: {name} ({probe.title})", fontsize=10)
    styles = [(BLUE, "-"), (ORANGE, "--"), (GREEN, "-."), (RED, ":")]
    for axis, unit in zip(axes, units):
        shown = [column for column in raw if probe.units[column] == unit]
        # A component that is zero but for rounding would keep the scale of the others at zero.
        largest = {column: np.abs(probe.columns[column]).max(initial=0) for column in shown}
        shown = [column for column in shown if largest[column] > 1e-6 * max(largest.values())] or shown
        for column, (colour, style) in zip(shown, styles):
            label = column.replace("_", " ")
            filtered = probe.columns.get(column + "_filtered")
            aside = raw[0] == "pressure_fluid_shepard" != column
            drawn = {"color": colour, "zorder": 2 if aside else 3, "linewidth": 0.8 if aside else 1.5}
            if filtered is None or not aside:
                thin = {} if filtered is None else {"linewidth": 0.6, "alpha": 0.5}
                axis.plot(probe.time, probe.columns[column], style, label=label, **{**drawn, **thin})
            if filtered is not None:
                axis.plot(probe.time, filtered, style, label=label + " filtered", **drawn)
        axis.set_ylabel(f"{shown[0].split('_')[0]} ({unit})")
        axis.legend(fontsize=8)
    axes[-1].set_xlabel("time (s)" if probe.filter == "none" else f"time (s); filter: {probe.filter}")
    axes[-1].set_xlim(*span(probe.time))
    save(figure, path)


def main(arguments):
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 1
    folder = Path(arguments[0])
    try:
        run = Run(folder)
    except (OSError, KeyError, ValueError) as cause:
        print(f"figures.py: cannot read {folder / 'run.h5'}: {cause}.", file=sys.stderr)
        return 1
    figures = folder / "figures"
    if figures.is_symlink():
        print(f"figures.py: {figures} is a link, but what a run writes stays in its folder: remove the link.", file=sys.stderr)
        return 4
    try:
        figures.mkdir(exist_ok=True)
        needed = ("position", "pressure") if run.only_fluid() else ("position", "kind", "pressure")
        lacking = [name for name in needed if run.outputs and name not in run.outputs[0]]
        if lacking:
            print(f"figures.py: no particles.png: the outputs have no column {', '.join(lacking)}.", file=sys.stderr)
        elif run.outputs:
            draw_particles(run, figures / "particles.png")
        if len(run.ledger["time"]) > 1:
            draw_ledger(run, figures / "ledger.png")
            if run.has_front():
                draw_front(run, figures / "front.png")
        for name, probe in run.probes.items():
            if len(probe.time) > 1:
                draw_probe(run, name, probe, figures / f"probe-{name}.png")
        print("  drawn             " + (", ".join(DRAWN) or "nothing"))  # a line of the summary of a run
    except OSError as cause:
        print(f"figures.py: cannot write into {figures}: {cause}.", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
