"""Colours, markers and lines of the project's figures: the same policy looks the same in all of them.

The colours are those of Okabe and Ito, which people who see colours differently can tell apart; they are never the only
difference of two curves. Python's standard library is enough; the looks are for matplotlib: ``axes.plot(x, y, **curve(k))``, or
``**line(k)`` where the points are many.
"""

from __future__ import annotations

from typing import Any

Line = str | tuple[int, tuple[int, ...]]

BLACK, BLUE, RED, GREEN, PINK, ORANGE, SKY = "#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"
COLOURS = [BLACK, BLUE, RED, GREEN, PINK, ORANGE, SKY]
MARKERS = ["o", "s", "^", "D", "v", "x", "+"]
LINES: list[Line] = ["-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1, 1, 1))]
WALL = "0.62"  # grey

# Colour, marker and line of each precision.
POLICIES: dict[str, tuple[str, str, Line]] = {
    "double": (BLACK, "o", "-"), "robust": (BLUE, "s", "--"), "robust/sums=plain": (SKY, "^", "-."),
    "reversible": (RED, "D", ":"), "naive": (ORANGE, "v", (0, (3, 1, 1, 1, 1, 1))),
    "dualsphysics": (GREEN, "x", (0, (5, 1))), "gpusph": (PINK, "+", (0, (1, 1)))}


def _keywords(colour: str, marker: str, line: Line) -> dict[str, Any]:
    return {"color": colour, "marker": marker, "ls": line, "mfc": "none"}


def curve(k: int) -> dict[str, Any]:
    """Of the k-th curve of a figure, from 0, its own for k below 49: keywords of matplotlib's ``plot``, with a marker at every
    point; for points so many that these would touch see :func:`line`."""
    turn = k // len(COLOURS)  # the same colour comes with another marker and line
    return _keywords(COLOURS[k % len(COLOURS)], MARKERS[(k + turn) % len(MARKERS)], LINES[(k + turn) % len(LINES)])


def line(k: int) -> dict[str, Any]:
    """The same for a curve of many points, such as a probe's samples: without markers."""
    return {**curve(k), "marker": None}


def policy(name: str, k: int) -> dict[str, Any]:
    """Of a precision, as :func:`curve`: its own look, or the k-th, which is nobody's own for k below 13."""
    if name in POLICIES:
        return _keywords(*POLICIES[name])
    turn = k // len(COLOURS)
    return _keywords(COLOURS[k % len(COLOURS)], MARKERS[(k + 2 + turn) % len(MARKERS)], LINES[(k + 3 + turn) % len(LINES)])
