"""Pictures, with matplotlib (``pip install halfulp[plot]``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .runs import Output, Run
from .simulation import Simulation, Snapshot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WALL = "0.62"
_LARGEST = 20000  # particles that are drawn by their own diameter in good time


def _axes(axes: Axes | None) -> Axes:
    if axes is not None:
        return axes
    import matplotlib.pyplot

    return matplotlib.pyplot.subplots(layout="constrained")[1]


def particles(of: Simulation | Snapshot | Output | Run, column: str = "pressure", *, axes: Axes | None = None,
              walls: bool = True, plane: str | None = None, colours: str = "viridis", size: float | None = None,
              limits: tuple[float, float] | None = None) -> Axes:
    """Draws the fluid's particles in the colours of a column, walls in grey.

    Parameters
    ----------
    of : Simulation, Snapshot, Output or Run
        Of a run, its last output.
    column : str
        A name; of vectors the magnitude is drawn. Default: the pressure, Pa.
    axes : matplotlib Axes, optional
        Default: those of a new figure.
    walls : bool
        Whether walls are drawn.
    plane : {"xy", "xz", "yz"}, optional
        Along which the view goes, particles farther away first. Default: xy in 2D, xz in 3D.
    colours : str
        A colour map of matplotlib.
    size : float, optional
        Area of a marker in square points; default: by the number of particles.
    limits : tuple of float, optional
        Values of the colour map's ends; default: the smallest and the largest.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    KeyError
        If there is no such column.
    """
    shown: Mapping[str, Any] = of.outputs[-1] if isinstance(of, Run) else of.snapshot() if isinstance(of, Simulation) else of
    position = np.asarray(shown["position"])
    flat = not np.any(position[:, 2])
    view = plane or ("xy" if flat else "xz")
    across, up = ("xyz".index(letter) for letter in view)
    behind = 3 - across - up
    values = np.asarray(shown[column], dtype=float)
    if values.ndim > 1:
        values = np.linalg.norm(values, axis=1)
    where = _axes(axes)
    fluid = np.asarray(shown["kind"]) == 0
    area = size if size is not None else float(np.clip(4e4 / max(1, len(position)), 0.4, 40.0))
    if walls:
        where.scatter(position[~fluid, across], position[~fluid, up], s=area, c=_WALL, linewidths=0, rasterized=len(position) > _LARGEST)
    order = np.flatnonzero(fluid)
    if not flat:
        order = order[np.argsort(position[order, behind])[::-1 if behind == 1 else 1]]
    low, high = limits if limits is not None else (None, None)
    drawn = where.scatter(position[order, across], position[order, up], s=area, c=values[order], cmap=colours, vmin=low, vmax=high,
                          linewidths=0, rasterized=len(position) > _LARGEST)
    units = shown.read().units if isinstance(shown, Output) else shown.units if isinstance(shown, Snapshot) else {}
    unit = units.get(column, "")
    where.figure.colorbar(drawn, ax=where, label=column.replace("_", " ") + (f" [{unit}]" if unit not in ("", "1") else ""))
    where.set_aspect("equal")
    where.set_xlabel(f"{view[0]} [m]")
    where.set_ylabel(f"{view[1]} [m]")
    where.set_title(f"t = {shown.time:.4g} s")  # type: ignore[attr-defined]
    return where


def probe(of: Simulation | Run, name: str | None = None, columns: list[str] | None = None, *, axes: Axes | None = None) -> Axes:
    """Draws what a probe has measured, over time.

    Parameters
    ----------
    of : Simulation or Run
    name : str, optional
        Of the probe; default: the first one.
    columns : list of str, optional
        Default: all of them; of a pressure ``pressure_fluid_shepard``, and as filtered.
    axes : matplotlib Axes, optional
        Default: those of a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    KeyError
        If there is no such probe or column.
    """
    probes = of.probes
    if not probes:
        raise KeyError("the case has no probes")
    chosen = name if name is not None else next(iter(probes))
    series, units = probes[chosen], of.probe_units[chosen]
    where = _axes(axes)
    usual = [one for one in series if one.startswith("pressure_fluid_shepard")] or [one for one in series if one != "time"]
    drawn = columns or usual
    for column in drawn:
        where.plot(series["time"], series[column], label=f"{column.replace('_', ' ')} [{units[column]}]")
    where.set_xlabel("t [s]")
    where.set_ylabel(", ".join(dict.fromkeys(f"{column.split('_')[0]} [{units[column]}]" for column in drawn)))
    where.set_title(chosen)
    where.legend(frameon=False)
    return where


def ledger(of: Simulation | Run, columns: list[str] | None = None, *, axes: Axes | None = None) -> Axes:
    """Draws columns of the energy ledger over time, each relative to its start.

    Parameters
    ----------
    of : Simulation or Run
    columns : list of str, optional
        Default: energies and works that are not zero all the time, and the residual.
    axes : matplotlib Axes, optional
        Default: those of a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    KeyError
        If there is no such column.
    """
    table = of.ledger
    units = of.ledger_units
    energies = [name for name, unit in units.items() if unit.startswith("J")]
    where = _axes(axes)
    for column in columns or [name for name in energies if np.any(table[name] != table[name][0]) or name == "residual"]:
        where.plot(table["time"], table[column] - table[column][0], label=column.replace("_", " "))
    where.set_xlabel("t [s]")
    where.set_ylabel(f"change since the start [{units['total']}]")
    where.legend(frameon=False, fontsize="small")
    return where
