"""Tables that halfulp writes: CSV files of experiments, benchmarks, sweeps and runs, with names and units in the first line.

A table is a list of rows, and a row a dict of texts by column, such as ``{"precision": "robust", "time[s]": "0.5"}``: many
tables have names and numbers side by side, and cells that are empty on purpose. Python's standard library is enough.
"""

from __future__ import annotations

import csv
import io
import itertools
import os
from collections.abc import Iterable, Sequence
from typing import Any

from . import _arguments

Row = dict[str, str]


def _text(table: str | os.PathLike[str]) -> io.StringIO:
    with _arguments.path("table", table).open(newline="", encoding="utf-8-sig") as file:  # some programs begin texts with a mark
        try:
            return io.StringIO(file.read(), newline="")
        except UnicodeDecodeError:
            raise ValueError(f"{table} is no text in UTF-8; save it in that encoding") from None


def _rows(rows: Iterable[Row]) -> Iterable[Row]:
    if isinstance(rows, (str, bytes, os.PathLike)) or not isinstance(rows, Iterable):
        raise _arguments.wrong("rows", rows, "rows of a table; halfulp.tables.read(TABLE) reads them")
    return rows


def _cell(row: Row, column: str) -> str:
    if column not in row:
        raise KeyError(f"the table has no column {column}; it has {', '.join(map(str, row))}")
    return row[column]


def _number(k: int, row: Row, column: str) -> float:
    cell = _cell(row, column)
    try:
        return float(cell)
    except (TypeError, ValueError):
        raise ValueError(f"row {k} of the table has {cell!r} in its column {column}, but must have a number") from None


def read(table: str | os.PathLike[str]) -> list[Row]:
    """The rows of a table.

    Parameters
    ----------
    table : path

    Returns
    -------
    list of dict
        Of each row its texts by column, empty where it ends before; of a table without rows an empty list.

    Raises
    ------
    ValueError
        If two columns have one name, or a row has more cells than there are columns.
    """
    lines = csv.reader(_text(table))
    names = next(lines, [])
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{table} has {names.count(name)} columns called {name!r}, but each must have a name of its own")
    rows = []
    for cells in lines:
        if not cells:
            continue  # an empty line
        if len(cells) > len(names):
            raise ValueError(f"line {lines.line_num} of {table} has {len(cells)} cells, but its first line names {len(names)} columns")
        rows.append(dict(itertools.zip_longest(names, cells, fillvalue="")))
    return rows


def columns(table: str | os.PathLike[str]) -> list[str]:
    """The names of the columns, with their units: ``"time[s]"``."""
    return next(csv.reader(_text(table)), [])


def numbers(rows: Iterable[Row], column: str) -> list[float]:
    """A column as numbers.

    Raises
    ------
    KeyError
        If there is no such column.
    ValueError
        If a cell is no number, an empty one too.
    """
    return [_number(k, row, column) for k, row in enumerate(_rows(rows))]


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
    if not names:
        raise TypeError("no names are given, but groups have a column, or several, to go by")
    for row in _rows(rows):
        key = tuple(_cell(row, name) for name in names)
        found.setdefault(key if len(names) > 1 else key[0], []).append(row)
    return found


def points(rows: Iterable[Row], x: str, y: str) -> Sequence[Sequence[float]]:
    """Two columns where the second is positive, for logarithmic axes.

    Returns
    -------
    sequence of two sequences of float
        Empty ones if there is no such row.
    """
    found = [(_number(k, row, x), _number(k, row, y)) for k, row in enumerate(_rows(rows))]
    return list(zip(*[point for point in found if point[1] > 0], strict=True)) or [[], []]
