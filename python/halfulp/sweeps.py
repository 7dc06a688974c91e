"""Sweeps: one case with many values."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, overload

from . import _arguments, tables
from ._program import _BROKE, Messages, carry_out
from ._toml import key_text, value_text
from .case import Case
from .errors import Error
from .runs import Run

if TYPE_CHECKING:
    import pandas


def _value(text: str | None) -> Any:
    """A value of the table as Python has it: numbers as float, truth values, lists, texts without quotation marks; names stay text."""
    if not text:  # the row of a run that has not ended is shorter
        return None
    try:
        return _as_floats(tomllib.loads(f"value = {text}")["value"])
    except tomllib.TOMLDecodeError:  # a name, or a number as C++ writes it
        pass
    try:
        return float(text)
    except ValueError:
        return text


def _as_floats(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_floats(one) for one in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


class Sweep:
    """A sweep on disk.

    Attributes
    ----------
    folder : pathlib.Path
        With the runs ``0000``, ``0001``, ... and ``sweep.csv``.
    rows : list of dict
        A row a run: ``run``, the varied keys, ``end_state``, ``state_hash``, ``wall_seconds``, and the last row of its
        ledger. Numbers as float, those of the varied keys too; truth values, lists and texts as Python has them; None where
        a run has not ended.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = _arguments.path("folder", folder).absolute()
        if not (self.folder / "sweep.csv").is_file():
            raise Error(f"{self.folder} has no sweep: there is no sweep.csv in it.")
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

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> list[Run]: ...
    def __getitem__(self, index: int | slice) -> Run | list[Run]:
        """The run of a row, or of several."""
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        return Run(self.folder / str(self.rows[index]["run"]))

    def __iter__(self) -> Iterator[Run]:
        return (self[k] for k in range(len(self)))

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
    _arguments.function_or_none("messages", messages)
    given = case if isinstance(case, Case) else Case(case)
    if not isinstance(values, Mapping):
        raise _arguments.wrong("values", values, "a dict of keys and their values")
    varied: dict[str, list[Any]] = {}
    for key, some in values.items():
        if isinstance(some, (str, bytes, Mapping)) or not isinstance(some, Iterable):
            raise TypeError(f"the values of {key} are {some!r}, but must be a list of values")
        varied[key_text(key)] = list(some)
    if not varied:
        raise ValueError("values is empty, but must have a key and its values at least; run() runs one case")
    to = _arguments.folder("folder", folder)
    place = to.absolute()  # wherever this process goes meanwhile
    with given._for_program(varied) as (its_words, scratch):
        words: list[str | bytes] = ["sweep", *its_words, "-o", str(to), "--backend", _arguments.backend_text(backend, '"cpu" or "cuda"')]
        if device is not None:
            words += ["--device", str(_arguments.whole("device", device))]
        for key, some in varied.items():
            words += ["--vary", f"{key}={','.join(value_text(one) for one in some)}".encode()]
        if jobs is not None:
            words += ["--jobs", str(_arguments.whole("jobs", jobs, ", or None for as many as cores"))]
        carry_out(words, messages, (0, _BROKE), scratch=scratch)
    return Sweep(place)
