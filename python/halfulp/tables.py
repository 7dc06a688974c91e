"""Tables that halfulp writes: CSV files of experiments, benchmarks, sweeps and runs, with names and units in the first line.

A table is a list of rows, and a row a dict of texts by column, such as ``{"precision": "robust", "time[s]": "0.5"}``: many
tables have names and numbers side by side, and cells that are empty on purpose. Python's standard library is enough.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, str]


def read(table: str | os.PathLike[str]) -> list[Row]:
    """The rows of a table.

    Parameters
    ----------
    table : path

    Returns
    -------
    list of dict
        Of each row its texts by column; of a table without rows an empty list.
    """
    with Path(table).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def columns(table: str | os.PathLike[str]) -> list[str]:
    """The names of the columns, with their units: ``"time[s]"``."""
    with Path(table).open(newline="", encoding="utf-8") as file:
        return next(csv.reader(file), [])


def numbers(rows: Iterable[Row], column: str) -> list[float]:
    """A column as numbers.

    Raises
    ------
    KeyError
        If there is no such column.
    ValueError
        If a cell is no number, an empty one too.
    """
    found = []
    for k, row in enumerate(rows):
        if column not in row:
            raise KeyError(f"the table has no column {column}; it has {', '.join(row)}")
        try:
            found.append(float(row[column]))
        except (TypeError, ValueError):
            raise ValueError(f"row {k} of the table has {row[column]!r} in its column {column}, but must have a number") from None
    return found


def groups(rows: Iterable[Row], *names: str) -> dict[Any, list[Row]]:
    """The rows of each value of a column, in the order of the table.

    Parameters
    ----------
    rows : iterable of dict
    names : str
        One column, whose texts are the keys; or several, whose keys are tuples.

    Returns
    -------
    dict of list of dict
    """
    found: dict[Any, list[Row]] = {}
    for row in rows:
        key = tuple(row[name] for name in names)
        found.setdefault(key if len(names) > 1 else key[0], []).append(row)
    return found


def points(rows: Iterable[Row], x: str, y: str) -> Sequence[Sequence[float]]:
    """Two columns where the second is positive, for logarithmic axes.

    Returns
    -------
    sequence of two sequences of float
        Empty ones if there is no such row.
    """
    found = [(float(row[x]), float(row[y])) for row in rows]
    return list(zip(*[point for point in found if point[1] > 0], strict=True)) or [[], []]
