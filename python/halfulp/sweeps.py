"""Sweeps: one case with many values."""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _arguments, tables
from ._program import _BROKE, Messages, carry_out
from ._toml import value_text
from .case import Case
from .runs import Run

if TYPE_CHECKING:
    import pandas


def _value(text: str | None) -> float | str | None:
    """A number where it is one, a text without its quotation marks; lists and names, as varied keys may have them, stay text."""
    if text is None:  # the row of a run that has not ended is shorter
        return None
    try:
        return float(text)
    except ValueError:
        pass
    if text.startswith(('"', "'")):
        try:
            return str(tomllib.loads(f"value = {text}")["value"])
        except tomllib.TOMLDecodeError:  # a name
            pass
    return text or None


class Sweep:
    """A sweep on disk.

    Attributes
    ----------
    folder : pathlib.Path
        With the runs ``0000``, ``0001``, ... and ``sweep.csv``.
    rows : list of dict
        A row a run: ``run``, the varied keys, ``end_state``, ``state_hash``, ``wall_seconds``, and the last row of its
        ledger. Numbers as float, those of the varied keys too; texts without quotation marks; lists as in ``sweep.csv``;
        None where a run has not ended.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        texts = {"run", "end_state", "state_hash"}
        self.rows: list[dict[str, Any]] = [
            {name: text or None if name in texts else _value(text) for name, text in row.items()}
            for row in tables.read(self.folder / "sweep.csv")]

    def frame(self) -> pandas.DataFrame:
        """The rows as a data frame; needs pandas."""
        import pandas
        return pandas.DataFrame(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> Run:
        """The run of a row."""
        return Run(self.folder / str(self.rows[index]["run"]))

    def __repr__(self) -> str:
        return f"<halfulp.Sweep {self.folder}: {len(self.rows)} runs>"


def sweep(case: Case | str | os.PathLike[str] | Mapping[str, Any], values: Mapping[str, Iterable[Any]],
          folder: str | os.PathLike[str], *, jobs: int | None = None, backend: str = "cpu", device: int | None = None,
          messages: Messages | None = None) -> Sweep:
    """Runs a case with every combination of some values, side by side, as ``halfulp sweep`` does.

    The same call goes on where an earlier one was stopped: runs that have ended are kept, interrupted ones resumed.

    Parameters
    ----------
    case : Case, str, path or mapping
        What :class:`Case` takes.
    values : mapping of str to iterable
        The values of each key; the last key varies first.
    folder : path
        For the runs and the table.
    jobs : int, optional
        Runs at a time on the CPU, each on one thread; default: as many as cores.
    backend : {"cpu", "cuda"}
        ``"cuda"``: many runs at once as a batch on a device. Changes no bit.
    device : int, optional
        Which CUDA device, from 0, with ``backend="cuda"``.
    messages : callable, optional
        Is given every line that the program prints; default: quiet.

    Returns
    -------
    Sweep
        Also where some of the runs broke down, as their ``end_state`` says.

    Raises
    ------
    Error
        For bad input, said before any of them runs, or if some failed; exit code 1.
    TypeError
        If the values of a key are no list, or another argument is no number or no text where it must be one.
    """
    given = case if isinstance(case, Case) else Case(case)
    varied: dict[str, list[Any]] = {}
    for key, some in values.items():
        if isinstance(some, str) or not isinstance(some, Iterable):
            raise TypeError(f"the values of {key} are {some!r}, but must be a list of values")
        varied[key] = list(some)
    with tempfile.TemporaryDirectory(prefix="halfulp-case-") as scratch:
        words = ["sweep", *given._words(Path(scratch), varied), "-o", str(folder),
                 "--backend", _arguments.backend_text(backend, '"cpu" or "cuda"')]
        if device is not None:
            words += ["--device", str(_arguments.whole("device", device))]
        for key, some in varied.items():
            words += ["--vary", f"{key}={','.join(value_text(one) for one in some)}"]
        if jobs is not None:
            words += ["--jobs", str(_arguments.whole("jobs", jobs, ", or None for as many as cores"))]
        carry_out(words, messages, (0, _BROKE), scratch=scratch)
    return Sweep(folder)
