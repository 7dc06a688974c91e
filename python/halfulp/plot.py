"""Pictures, with matplotlib (``pip install halfulp[plot]``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arguments, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from numpy.typing import ArrayLike

    from .outputs import Output
    from .runs import Run
    from .simulation import Simulation, Snapshot

_LARGEST = 20000  # particles that are drawn by their own diameter in good time


def _axes(axes: Axes | None, tall: float | None = None) -> Axes:
    """Those that are given, or of a new figure; for a picture that is `tall` times as high as wide."""
    if axes is not None:
        if not hasattr(axes, "set_xlabel"):
            raise _arguments.wrong("axes", axes, "axes of matplotlib")
        return axes
    import matplotlib.pyplot

    size = None if tall is None else (7.0, float(np.clip(5.5 * tall + 1.0, 2.4, 9.0)))
    return matplotlib.pyplot.subplots(layout="constrained", figsize=size)[1]


def _limits(values: np.ndarray[Any, Any]) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return 0.0, 1.0
    low, high = (float(one) for one in np.quantile(finite, [0.02, 0.98]))
    if 0 <= low < 0.3 * high or -0.02 * high < low < 0:
        low = 0.0
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def _spacing(position: np.ndarray[Any, Any]) -> float:
    """About the distance between particles: what lies between some of them and their nearest neighbours."""
    if len(position) < 2:
        return 1.0
    nearest = []
    for k in np.unique(np.linspace(0, len(position) - 1, 40).astype(int)):
        squared = ((position - position[k]) ** 2).sum(axis=1)
        squared[k] = np.inf
        nearest.append(squared.min())
    return float(np.sqrt(np.median(nearest))) or 1.0


def _area(where: Axes, points: np.ndarray[Any, Any], spacing: float) -> float:
    """Of markers slightly wider than the spacing, so that still water shows no gaps; in square points."""
    if not len(points):
        return 1.0
    extent = np.maximum(np.ptp(points, axis=0), spacing) * 1.1  # with matplotlib's margins
    box = where.get_position(original=True)
    inches = np.array([box.width, box.height]) * where.figure.bbox.size / where.figure.dpi  # of a part of a figure, too
    return float(max(1.3 * spacing * 72 * (inches / extent).min(), 0.4) ** 2)


def points(axes: Axes, x: ArrayLike, y: ArrayLike, values: ArrayLike | str, *, size: float = 6.0,
           limits: tuple[float, float] | None = None, logarithmic: bool = False, colours: str = "viridis", rasterized: bool = True,
           zorder: float = 1) -> PathCollection:
    """Draws points, such as chosen particles or the rows of a table, in the colours of values; neither axes nor a colour bar.

    Parameters
    ----------
    axes : matplotlib Axes
    x, y : array_like of shape (count,)
        In the units of the axes.
    values : array_like of shape (count,), or str
        What is shown in colours, or one colour for all.
    size : float
        Area of a marker, square points.
    limits : tuple of float, optional
        Values of the colour map's ends; default: the smallest and the largest.
    logarithmic : bool
        Whether colours go with the logarithm of the values; needs limits.
    colours : str
        A colour map of matplotlib.
    rasterized : bool
        Whether they are pixels in a picture of lines (SVG, PDF), as thousands of them should be.
    zorder : float
        Larger ones are drawn over smaller ones.

    Returns
    -------
    matplotlib PathCollection
        For ``figure.colorbar``.
    """
    from matplotlib.colors import LogNorm, Normalize

    limits = _arguments.limits_or_none("limits", limits)
    coloured = {} if isinstance(values, str) else {"cmap": colours, "norm": (LogNorm if logarithmic else Normalize)(*(limits or ()))}
    return axes.scatter(x, y, s=size, c=values, linewidths=0, rasterized=rasterized, zorder=zorder, **coloured)


def _column_names(columns: Iterable[str] | None) -> list[str]:
    if isinstance(columns, str) or not (columns is None or isinstance(columns, Iterable)):
        raise _arguments.wrong("columns", columns, "a list of names")
    return list(columns or ())


def _refuse_others(of: Simulation | Run) -> None:
    if not hasattr(type(of), "ledger"):
        raise _arguments.wrong("of", of, "a Simulation or a Run; halfulp.Run(FOLDER) reads one")


def _named(label: str | None) -> str:
    """What stands before the name of a curve in the legend."""
    return "" if label is None else _arguments.text("label", label, "a text for the legend") + ": "


def _joined(before: str, now: str) -> str:
    """A label of axes, which says of the curves that were there what it said before."""
    return ", ".join(dict.fromkeys([*filter(None, before.split(", ")), *now.split(", ")]))


def particles(of: Simulation | Snapshot | Output | Run, column: str = "pressure", *, axes: Axes | None = None,
              walls: bool = True, plane: str | None = None, colours: str = "viridis", size: float | None = None,
              limits: tuple[float, float] | None = None) -> Axes:
    """Draws the fluid's particles in the colours of a column, walls in grey.

    Parameters
    ----------
    of : Simulation, Snapshot, Output or Run
        Of a run, its last output.
    column : str
        A name; of vectors the magnitude is drawn, in 2D of the vorticity its only component. Default: the pressure, Pa.
    axes : matplotlib Axes, optional
        Default: those of a new figure.
    walls : bool
        Whether walls are drawn.
    plane : {"xy", "xz", "yz"}, optional
        The plane of the picture. Default: xy in 2D, xz in 3D. In 3D it is a section through the middle, with the fluid
        behind it.
    colours : str
        A colour map of matplotlib.
    size : float, optional
        Area of a marker in square points; default: a little wider than the distance between particles.
    limits : tuple of float, optional
        Values of the colour map's ends; default: between which all particles of the fluid lie but one in fifty at
        either end, so that a few extremes do not wash out the rest. Beyond them the colour bar has points.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    KeyError
        If there is no such column.
    """
    if not isinstance(of, Mapping) and not hasattr(of, "outputs") and not hasattr(of, "snapshot"):
        raise _arguments.wrong("of", of, "a Simulation, a Snapshot, an Output or a Run; halfulp.Run(FOLDER) reads one")
    if plane not in (None, "xy", "xz", "yz"):
        raise _arguments.wrong("plane", plane, '"xy", "xz" or "yz"')
    limits = _arguments.limits_or_none("limits", limits)
    if size is not None:
        size = _arguments.number("size", size)
    shown: Mapping[str, Any] = of.outputs.last if hasattr(of, "outputs") else of.snapshot() if hasattr(of, "snapshot") else of
    position = np.asarray(shown["position"])
    flat = not np.any(position[:, 2])
    view = plane or ("xy" if flat else "xz")
    across, up = ("xyz".index(letter) for letter in view)
    behind = 3 - across - up
    values = np.asarray(shown[column], dtype=float)
    if values.ndim > 1:
        values = values[:, 2] if flat and column == "vorticity" else np.linalg.norm(values, axis=1)
    fluid = getattr(shown, "fluid", None)  # of a snapshot or an output; any other mapping has the kind of its particles
    if fluid is None:
        fluid = np.asarray(shown["kind"]) == 0
    wall = ~fluid if walls else np.zeros_like(fluid)
    spacing = _spacing(position)
    order = np.flatnonzero(fluid)
    if not flat:
        # Away from the viewer: along y in the plane xz, against the third axis in the others.
        depth = position[:, behind] * (1 if behind == 1 else -1)
        extent = depth[wall] if wall.any() else depth
        middle = (extent.min() + extent.max()) / 2 if len(extent) else 0.0
        wall &= np.abs(depth - middle) <= spacing
        order = order[depth[order] >= middle - spacing / 2]
        order = order[np.argsort(-depth[order], kind="stable")]
    everything = position[np.concatenate([np.flatnonzero(wall), order])][:, [across, up]]
    wide, high = np.ptp(everything, axis=0) + spacing if len(everything) else (1.0, 1.0)
    where = _axes(axes, high / wide)
    where.set_aspect("equal")
    area = size if size is not None else _area(where, everything, spacing)
    pixels = len(everything) > _LARGEST
    if walls:
        points(where, position[wall, across], position[wall, up], looks.WALL, size=area, rasterized=pixels, zorder=1 if flat else 3)
    lowest, highest = limits if limits is not None else _limits(values[order])
    drawn = points(where, position[order, across], position[order, up], values[order], size=area, limits=(lowest, highest), colours=colours,
                   rasterized=pixels, zorder=2)
    unit = getattr(shown, "units", {}).get(column, "")
    finite = values[order][np.isfinite(values[order])]
    beyond = (len(finite) > 0 and finite.min() < lowest, len(finite) > 0 and finite.max() > highest)
    extend = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}[beyond]
    where.figure.colorbar(drawn, ax=where, extend=extend, label=column.replace("_", " ") + (f" ({unit})" if unit not in ("", "1") else ""))
    where.set_xlabel(f"{view[0]} (m)")
    where.set_ylabel(f"{view[1]} (m)")
    where.set_title(f"t = {shown.time:.4g} s")  # type: ignore[attr-defined]
    return where


def probe(of: Simulation | Run, name: str | None = None, columns: Iterable[str] | None = None, *, axes: Axes | None = None,
          label: str | None = None) -> Axes:
    """Draws what a probe has measured, over time.

    Parameters
    ----------
    of : Simulation or Run
    name : str, optional
        Of the probe; default: the first one.
    columns : list of str, optional
        Default: of a pressure ``pressure_fluid_shepard``, and as filtered; of a force its components, not the moments.
    axes : matplotlib Axes, optional
        Default: those of a new figure. Curves that are on them keep their looks, and these get others.
    label : str, optional
        Stands before the names of the curves in the legend, such as the run's.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    KeyError
        If there is no such probe or column.
    """
    _refuse_others(of)
    probes = of.probes
    if not probes:
        raise KeyError("the case has no probes")
    chosen = name if name is not None else next(iter(probes))
    series, units = probes[chosen], of.probe_units[chosen]
    named = _named(label)
    where = _axes(axes)
    measured = [one for one in series if one != "time"]
    usual = [one for one in measured if one.startswith("pressure_fluid_shepard")] or [
        one for one in measured if units[one] == units[measured[0]]]
    drawn = _column_names(columns) or usual
    quantity, title = (where.get_ylabel(), where.get_title()) if where.lines else ("", "")
    for k, column in enumerate(drawn, len(where.lines)):
        where.plot(series["time"], series[column], **looks.line(k), label=f"{named}{column.replace('_', ' ')} ({units[column]})")
    where.set_xlabel("time (s)")
    where.set_ylabel(_joined(quantity, ", ".join(f"{column.split('_')[0]} ({units[column]})" for column in drawn)))
    where.set_title(_joined(title, chosen))
    where.legend(frameon=False)
    return where


def ledger(of: Simulation | Run, columns: Iterable[str] | None = None, *, axes: Axes | None = None,
           label: str | None = None) -> Axes:
    """Draws columns of the energy ledger over time, each relative to its start.

    Parameters
    ----------
    of : Simulation or Run
    columns : list of str, optional
        Default: energies and works that are not zero all the time, and the residual.
    axes : matplotlib Axes, optional
        Default: those of a new figure. Curves that are on them keep their looks, and these get others.
    label : str, optional
        Stands before the names of the curves in the legend, such as the run's.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    KeyError
        If there is no such column.
    """
    _refuse_others(of)
    given = _column_names(columns)
    table = of.ledger
    units = of.ledger_units
    energies = [name for name, unit in units.items() if unit.startswith("J")]
    named = _named(label)
    where = _axes(axes)
    for column in given:
        table[column]  # the table knows what it has
    chosen = given or [name for name in energies if np.any(table[name] != table[name][0]) or name == "residual"]
    same_unit = len({units[column] for column in chosen}) == 1
    quantity = where.get_ylabel() if where.lines else ""
    for k, column in enumerate(chosen, len(where.lines)):
        unit = "" if same_unit or units[column] == "1" else f" ({units[column]})"
        where.plot(table["time"], table[column] - table[column][0], **looks.line(k), label=named + column.replace("_", " ") + unit)
    where.set_xlabel("time (s)")
    of_all = f" ({units[chosen[0]]})" if same_unit and units[chosen[0]] != "1" else ""
    where.set_ylabel(_joined(quantity, "change since the start" + of_all))
    where.legend(frameon=False, fontsize="small")
    return where
