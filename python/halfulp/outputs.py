"""The outputs of a run on disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _arguments, _halfulp
from .simulation import Array, Snapshot


class Output(Mapping[str, Array]):
    """One output of a run: arrays by name, read from its file when the first of them is asked for.

    The file is read as a whole, with its checksum verified, and its columns are those of :class:`Snapshot`, or fewer where
    the case chose (``output.columns``, ``output.particles``).

    Attributes
    ----------
    name : str
        Of its file, such as ``"000012"``.
    step : int
        Number of steps taken.
    time : float
        s.
    count : int
        Rows.
    state_hash : str
        Of the state of all particles.
    """

    def __init__(self, reader: _halfulp.RunReader, index: int, columns: Sequence[str], name: str, step: int, time: float,
                 count: int, state_hash: str, only_fluid: bool) -> None:
        self._reader = reader
        self._only_fluid = only_fluid
        self._index = index
        self._columns = list(columns)
        self._snapshot: Snapshot | None = None
        self.name = name
        self.step = step
        self.time = time
        self.count = count
        self.state_hash = state_hash

    def read(self) -> Snapshot:
        """All columns.

        Raises
        ------
        Error
            If the file has changed since it was written; exit code 1.
        """
        if self._snapshot is None:
            arrays, about = self._reader.read_output(self._index)
            for array in arrays.values():
                array.flags.writeable = False  # what the run says, for all who ask
            self._snapshot = Snapshot(arrays, about, self.time, self.step, self.state_hash, self._only_fluid)
        return self._snapshot

    @property
    def units(self) -> dict[str, str]:
        """Of each column; read with them."""
        return self.read().units

    @property
    def descriptions(self) -> dict[str, str]:
        """Of each column; read with them."""
        return self.read().descriptions

    @property
    def fluid(self) -> NDArray[np.bool_]:
        """Which rows are fluid, shape (count,), as :attr:`Snapshot.fluid`; read with the columns."""
        return self.read().fluid

    def forget(self) -> None:
        """Frees the memory of what was read; it is read again when it is asked for."""
        self._snapshot = None

    def __getitem__(self, name: str) -> Array:
        if name not in self._columns:
            raise KeyError(f"output {self.name} has no column {name}; it has {', '.join(self._columns)}")
        return self.read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    # Not those of a mapping, which compare arrays: an output is equal to itself alone.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[Any, tuple[str, str, str]]:
        """Another process reads it from its run's folder."""
        return _output_of, (self._reader.folder, self.name, self.state_hash)

    def __repr__(self) -> str:
        return f"<halfulp.Output {self.name}: {self.count} particles at t = {self.time:.6g} s>"


def _output_of(folder: str, name: str, state_hash: str) -> Output:
    from .runs import Run
    for output in Run(folder).outputs:
        if (output.name, output.state_hash) == (name, state_hash):
            return output
    raise ValueError(f"{folder} has no output {name} of state {state_hash} any more")


class Outputs(Sequence[Output]):
    """The outputs of a run, in time."""

    def __init__(self, outputs: list[Output]) -> None:
        self._outputs = outputs

    @overload
    def __getitem__(self, index: int) -> Output: ...
    @overload
    def __getitem__(self, index: slice) -> list[Output]: ...
    def __getitem__(self, index: int | slice) -> Output | list[Output]:
        return self._outputs[index]

    def __len__(self) -> int:
        return len(self._outputs)

    def __repr__(self) -> str:
        span = f", t = {self._outputs[0].time:.6g} to {self._outputs[-1].time:.6g} s" if self._outputs else ""
        return f"<halfulp outputs: {len(self)}{span}>"

    @property
    def last(self) -> Output:
        """The last one.

        Raises
        ------
        ValueError
            If the run has none.
        """
        if not self._outputs:
            raise ValueError("the run has no outputs")
        return self._outputs[-1]

    def at(self, time: float) -> Output:
        """The first one at or after a time (s).

        Raises
        ------
        ValueError
            If the run has none so late.
        """
        time = _arguments.number("time", time)
        for one in self._outputs:
            if one.time >= time:
                return one
        last = f"its last output is at {self._outputs[-1].time:.6g} s" if self._outputs else "it has no outputs"
        raise ValueError(f"the run has no output at or after {time:.6g} s; {last}")
