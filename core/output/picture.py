#!/usr/bin/env python3
"""Draws what a case will run: picture.py DATA, the file that `halfulp info --picture` writes (core/app/picture.cpp).

In 2D every particle to scale; in 3D three sections through the middle of the fluid and a view of the whole.
"""

import io
import math
import os
import sys
import warnings
from pathlib import Path

try:
    import matplotlib
    import numpy as np
except ImportError:
    sys.exit(3)  # the program that called says what to install

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the back end comes first)
from matplotlib.collections import EllipseCollection  # noqa: E402
from matplotlib.patches import Circle, Patch  # noqa: E402
from matplotlib.patheffects import withStroke  # noqa: E402
from matplotlib.ticker import MaxNLocator  # noqa: E402

WIDTH = 8.0  # inches; at 200 dots an inch the pictures are 1600 pixels wide
HEIGHT = 12.0  # at most
DOTS = 200
ARROWS = 24  # at most, beside one another
POINTS = 20000  # at most, in the view of the whole
NAMED = 3  # probes in one label, at most
# Okabe and Ito's palette, distinguishable with every kind of colour vision.
FLUIDS = ("#56B4E9", "#009E73", "#0072B2", "#CC79A7")
WALLS = ("0.62", "0.40", "#B79F6B", "0.78", "#8A6E50")
RED = "#D55E00"
BESIDE = "0.45"  # grey: probes that a section does not meet

# The font has no letters of some languages; boxes stand for these, and nothing is to be said beside the picture.
warnings.filterwarnings("ignore", message="Glyph .* missing from")

plt.rcParams.update({
    "font.size": 9, "axes.titlesize": 9, "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    "savefig.dpi": DOTS,
})


class Particles:
    """The particles of one shape."""

    def __init__(self, name, kind, colour, rows):
        self.name, self.fluid, self.hollow, self.colour = name, kind == "fluid", kind == "hollow", colour
        self.position, self.velocity, self.pressure = rows[:, :3], rows[:, 3:6], rows[:, 6]

    def label(self):
        return f"{self.name}: {'fluid' if self.fluid else 'wall'}, {len(self.position):,} particles"


class Setup:
    """What the file holds."""

    def __init__(self, path):
        with open(path, "rb") as file:
            shapes, self.probes, self.values = [], [], {}
            for line in iter(file.readline, b"data\n"):
                if not line:
                    raise ValueError("it ends before its data")
                key, value = line.decode().rstrip("\n").split(" ", 1)
                if key == "shape":
                    shapes.append(value.split(" ", 2))
                elif key == "probe":
                    kind, *numbers, name = value.split(" ")  # of a plane the normal, too
                    self.probes.append((kind, np.array(numbers, dtype=float), name))
                else:
                    self.values[key] = value
            rows = np.frombuffer(file.read()).reshape(-1, 7)
        self.has = {kind for kind, _, _ in self.probes}  # gauges, points, planes
        self.dimensions = int(self.values["dimensions"])
        self.spacing = float(self.values["spacing"])
        self.support = float(self.values["support"])
        self.shapes, first = [], 0
        for count, kind, name in shapes:
            colours = FLUIDS if kind == "fluid" else WALLS
            alike = sum(shape.fluid == (kind == "fluid") for shape in self.shapes)
            self.shapes.append(Particles(name, kind, colours[alike % len(colours)], rows[first:first + int(count)]))
            first += int(count)
        self.fluids = sum(shape.fluid for shape in self.shapes)
        fluid = np.concatenate([s.position for s in self.shapes if s.fluid])
        self.middle = (fluid.min(axis=0) + fluid.max(axis=0)) / 2
        self.central = fluid[((fluid - self.middle) ** 2).sum(axis=1).argmin()]
        pressures = np.concatenate([s.pressure for s in self.shapes])
        # Colours show the pressure only if there is any.
        self.pressures = (pressures.min(), pressures.max()) if np.any(pressures != 0) else None

    def limits(self):
        points = np.concatenate([s.position for s in self.shapes])
        low, high = points.min(axis=0) - self.spacing, points.max(axis=0) + self.spacing
        return low, high


def draw_plane(setup, axis, across, up, chosen):
    """Particles as circles as wide as the spacing; `chosen` says which of a shape are drawn. What shows pressure, if any."""
    drawn = None
    for shape in sorted(setup.shapes, key=lambda s: s.fluid):
        mask = chosen(shape)
        if not mask.any():
            continue
        width = np.full(mask.sum(), setup.spacing)
        circles = EllipseCollection(width, width, np.zeros_like(width), units="xy", linewidths=0,
                                    offsets=shape.position[mask][:, [across, up]], offset_transform=axis.transData)
        if setup.pressures and shape.fluid:
            circles.set_array(shape.pressure[mask])
            circles.set(cmap="viridis", clim=setup.pressures)
            drawn = circles
        else:
            circles.set_facecolor(shape.colour)
        axis.add_collection(circles)
    low, high = setup.limits()
    axis.set(xlim=(low[across], high[across]), ylim=(low[up], high[up]), aspect="equal",
             xlabel=f"{'xyz'[across]} (m)", ylabel=f"{'xyz'[up]} (m)")
    draw_arrows(setup, axis, across, up, chosen)
    # Fluids that share the colours of the pressure are identified by their names.
    for shape in setup.shapes:
        position = shape.position[chosen(shape)] if shape.fluid and setup.pressures and setup.fluids > 1 else []
        if len(position):
            axis.text(*position.mean(axis=0)[[across, up]], shape.name, ha="center", va="center", zorder=6,
                      path_effects=[withStroke(linewidth=2.5, foreground="white")])
    return drawn


def draw_arrows(setup, axis, across, up, chosen):
    position = np.concatenate([s.position[chosen(s)] for s in setup.shapes if s.fluid])
    velocity = np.concatenate([s.velocity[chosen(s)] for s in setup.shapes if s.fluid])
    speed = np.sqrt((velocity ** 2).sum(axis=1))
    fastest = speed.max(initial=0)
    if not fastest > 0:
        return
    position, velocity = position[speed > 0], velocity[speed > 0]
    low, high = setup.limits()
    side = max(high[across] - low[across], high[up] - low[up])
    # One arrow in each square of a grid; the fastest is three squares long, or as long as keeps most within their own.
    _, some = np.unique(np.floor(position[:, [across, up]] / (side / ARROWS)), axis=0, return_index=True)
    scale = max(fastest / 3, np.median(speed[speed > 0]) / 0.8) / (side / ARROWS)
    arrows = axis.quiver(*position[some][:, [across, up]].T, *velocity[some][:, [across, up]].T, angles="xy",
                         scale_units="xy", scale=scale, color="black", width=0.0025, zorder=4)
    length = fastest / scale / (high[across] - low[across])
    axis.quiverkey(arrows, 1 - length, 1.02, fastest, f"{fastest:.3g} m/s", labelpos="W", fontproperties={"size": 8})


def draw_support(setup, axis, across, up):
    """The support of the kernel around a particle in the middle of the fluid."""
    axis.add_patch(Circle(setup.central[[across, up]], setup.support, fill=False, edgecolor=RED, linewidth=1.2, zorder=5))


def draw_probes(setup, axis, across, up, middle=0.0):
    """Points as crosses, gauges of the level as lines along gravity, planes of flow as lines with an arrow along their
    normal, with their names; points that a section does not meet as grey crosses without, where they lie before or behind
    it. `middle` says where the section is along its normal."""
    through = 3 - across - up
    down = int(np.argmax(np.abs(np.array(setup.values["gravity"].split(), dtype=float))))
    low, high = setup.limits()
    points = []
    for kind, numbers, name in setup.probes:
        at = numbers[:3]
        if kind == "plane":
            draw_plane_of_flow(axis, at[[across, up]], numbers[[3 + across, 3 + up]], numbers[3 + through] * (at[through] - middle), name)
            continue
        beside = abs(at[through] - middle) > setup.support and not (kind == "gauge" and down not in (across, up))
        if beside:
            if kind != "gauge":
                axis.plot(at[across], at[up], "+", color=BESIDE, markersize=5, zorder=6)
        elif kind == "gauge" and down == up:
            axis.axvline(at[across], color="black", linewidth=0.8, linestyle="--", zorder=6)
            write_name(axis, name, (at[across], high[up]), va="top")
        elif kind == "gauge" and down == across:
            axis.axhline(at[up], color="black", linewidth=0.8, linestyle="--", zorder=6)
            write_name(axis, name, (low[across], at[up]))
        else:
            axis.plot(at[across], at[up], "+", color="black", markersize=7, zorder=6)
            if kind == "gauge":  # seen from above
                write_name(axis, name, (at[across], at[up]), va="top")
            else:
                points.append((at[[across, up]], name))
    # Points whose names would lie upon each other share a label, beside the one farthest to the right, which it names first.
    near = 0.05 * max(high[across] - low[across], high[up] - low[up])
    while points:
        group, points = [points[0]], points[1:]
        while close := [one for one in points if any(np.abs(one[0] - other[0]).max() < near for other in group)]:
            group += close
            points = [one for one in points if not any(one is other for other in close)]
        group.sort(key=lambda one: -one[0][0])
        names = [name for _, name in group]
        more = f", +{len(names) - NAMED}" if len(names) > NAMED else ""
        write_name(axis, ", ".join(names[:NAMED]) + more, group[0][0])


def draw_plane_of_flow(axis, at, normal, rise, name):
    """Where a plane meets the section; nothing where it is parallel to it. `rise` is the normal's component through the
    section times how far `at` is from it: a slanted plane has moved by it."""
    length = np.hypot(*normal)
    if length == 0:
        return
    normal = normal / length
    at = at + rise / length * normal
    axis.axline(at, at + (-normal[1], normal[0]), color="black", linewidth=0.8, linestyle=":", zorder=6)
    axis.annotate("", at, 14 * normal, textcoords="offset points", zorder=6, annotation_clip=True,
                  arrowprops={"arrowstyle": "<-", "linewidth": 0.8})
    write_name(axis, name, at, **({"va": "top"} if normal[1] >= 0 else {}))  # not upon the arrow


def write_name(axis, name, at, **alignment):
    """Above a place to its right; near the panel's right edge below it to its left, since it would run under the bar of colours."""
    offset = (3, -3 if alignment else 3)
    if axis.transLimits.transform(at)[0] > 0.85:
        offset, alignment = (-3, -3), {"ha": "right", "va": "top"}
    axis.annotate(name, at, offset, textcoords="offset points", fontsize=7, zorder=7, annotation_clip=True,
                  path_effects=[withStroke(linewidth=2, foreground="white")], **alignment)


def legend_of(setup):
    handles = []
    for shape in setup.shapes:
        colour = matplotlib.colormaps["viridis"](0.5) if setup.pressures and shape.fluid else shape.colour
        handles.append(Patch(facecolor=colour, label=shape.label()))
    handles.append(plt.Line2D([], [], color=RED, marker="o", markerfacecolor="none", linestyle="none", markersize=8,
                              label=f"support of the kernel, radius {setup.support:.4g} m; spacing {setup.spacing:.4g} m"))
    if "point" in setup.has:
        label = "probes" if setup.dimensions == 2 else "probes; grey: not within the support of the section"
        handles.append(plt.Line2D([], [], color="black", marker="+", linestyle="none", markersize=7, label=label))
    gauges = "gauges of the level" if setup.dimensions == 2 else "gauges of the level; +: seen along gravity"
    for kind, style, label in (("gauge", "--", gauges), ("plane", ":", "planes of flow; arrows: where it is positive")):
        if kind in setup.has:
            handles.append(plt.Line2D([], [], color="black", linewidth=0.8, linestyle=style, label=label))
    return handles


def legend_columns(setup):
    return 1 if len(setup.shapes) < 3 else 2


def legend_height(setup):
    return 0.1 + 0.2 * math.ceil((len(setup.shapes) + 1 + len(setup.has)) / legend_columns(setup))


def finish(setup, figure, panel, bottom, top, bar, drawn):
    width, height = figure.get_size_inches()
    if drawn is not None:
        tall = height - bottom - top
        label = "initial pressure of the fluid (Pa)" if tall > 2.2 else "pressure (Pa)"
        figure.colorbar(drawn, cax=panel(width - bar + 0.35, bottom, 0.15, tall), label=label)
    sections = "" if setup.dimensions == 2 else ": sections through the middle of the fluid"
    title = setup.values["title"].replace("$", r"\$") + sections
    figure.suptitle(title, fontsize=10 * min(1, 95 / max(1, len(title))), y=1 - 0.2 / height, va="center")  # as wide as the picture
    below = panel(0, 0, width, legend_height(setup))
    below.axis("off")
    below.legend(handles=legend_of(setup), loc="center", ncols=legend_columns(setup), fontsize=9 if legend_columns(setup) == 1 else 8)
    save(figure, Path(setup.values["picture"]))


def save(figure, path):
    """Puts a whole picture in the place of one that is there, by which halfulp knows it as its own (core/app/picture.cpp)."""
    kind = path.suffix[1:]
    drawn = io.BytesIO()
    figure.savefig(drawn, format=kind, metadata={"Software" if kind == "png" else "Creator": "halfulp info"})
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    with fresh.open("xb") as file:
        try:
            file.write(drawn.getbuffer())
            file.flush()
        except OSError:
            fresh.unlink()
            raise
    fresh.replace(path)


def draw_2d(setup):
    low, high = setup.limits()
    tall = (high[1] - low[1]) / (high[0] - low[0])
    left, top, bar = 0.75, 0.45, 1.3 if setup.pressures else 0.2  # inches, all of these
    bottom = legend_height(setup) + 0.6
    wide = WIDTH - left - bar
    across = min(wide, 9 / tall)
    figure, panel = inches(WIDTH, across * tall + top + bottom)
    axis = panel(left + (wide - across) / 2, bottom, across, across * tall)
    drawn = draw_plane(setup, axis, 0, 1, lambda shape: np.full(len(shape.position), True))
    draw_support(setup, axis, 0, 1)
    draw_probes(setup, axis, 0, 1)
    finish(setup, figure, panel, bottom, top, bar, drawn)


def inches(width, height):
    """A figure, and what makes a panel of it at a place in inches: layouts of matplotlib cut labels off where the aspect
    of panels is fixed."""
    figure = plt.figure(figsize=(width, height), layout="none")
    return figure, lambda x, y, wide, tall, **kind: figure.add_axes((x / width, y / height, wide / width, tall / height), **kind)


def section(setup, normal):
    """Which particles of a shape a layer of one spacing through the fluid holds; its middle is a row of the lattice."""
    middle = (np.floor(setup.middle[normal] / setup.spacing) + 0.5) * setup.spacing
    return middle, lambda shape: np.abs(shape.position[:, normal] - middle) <= 0.501 * setup.spacing


def draw_3d(setup):
    low, high = setup.limits()
    size = high - low
    left, between, top, bottom, bar = 0.75, 0.8, 0.7, legend_height(setup) + 0.6, 1.3 if setup.pressures else 0.2  # inches
    room, view = WIDTH - left - between - bar, 1.1
    # One scale for all three sections.
    scale = min(room / (size[0] + size[1]), (room - view) / size[0], (HEIGHT - top - between - bottom) / (size[1] + size[2]))
    wide = scale * size
    figure, panel = inches(WIDTH, top + wide[1] + wide[2] + between + bottom)
    right, above = left + wide[0] + between, bottom + wide[1] + between
    drawn = None
    for x, y, across, up, normal in ((left, above, 0, 2, 1), (right, above, 1, 2, 0), (left, bottom, 0, 1, 2)):
        axis = panel(x, y, wide[across], wide[up])
        middle, chosen = section(setup, normal)
        drawn = draw_plane(setup, axis, across, up, chosen) or drawn
        draw_support(setup, axis, across, up)
        draw_probes(setup, axis, across, up, middle)
        axis.set_title(f"{'xyz'[normal]} = {middle:.4g} m")
        axis.xaxis.set_major_locator(MaxNLocator(max(1, int(wide[across] / 0.45))))
        axis.yaxis.set_major_locator(MaxNLocator(max(1, int(wide[up] / 0.3))))
    axis = panel(right, bottom - 0.3, max(wide[1], view), wide[1] + 0.3, projection="3d")
    for shape in setup.shapes:
        # Hollow walls as thin points, so that their content remains visible.
        step = max(1, len(shape.position) // POINTS)
        colours = {"color": shape.colour}
        if setup.pressures and shape.fluid:
            low_pressure, high_pressure = setup.pressures
            colours = {"c": shape.pressure[::step], "cmap": "viridis", "vmin": low_pressure, "vmax": high_pressure}
        axis.scatter(*shape.position[::step].T, s=0.4 if shape.hollow else 1.5, linewidths=0,
                     alpha=0.15 if shape.hollow else 0.8, **colours)
    axis.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    axis.set(xticklabels=[], yticklabels=[], zticklabels=[])  # the sections have them
    axis.set_box_aspect(size, zoom=1.2)
    finish(setup, figure, panel, bottom, top, bar, drawn)


def main(arguments):
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 1
    try:
        setup = Setup(arguments[0])
    except (OSError, KeyError, ValueError) as cause:
        print(f"picture.py: cannot read {arguments[0]}: {cause}.", file=sys.stderr)
        return 1
    try:
        draw_2d(setup) if setup.dimensions == 2 else draw_3d(setup)
    except OSError as cause:
        print(f"picture.py: cannot write {setup.values['picture']}: {cause}.", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
