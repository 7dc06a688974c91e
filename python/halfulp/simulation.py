"""Simulations that a Python program steps, watches and changes its mind about."""

from __future__ import annotations

import math
import os
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from . import _arguments, _halfulp
from ._program import in_words_of_python
from .case import Case

Array = NDArray[Any]
Table = dict[str, NDArray[np.float64]]


class _Named(dict[str, Any]):
    """A dict that answers a name which it does not have with those that it has."""

    def __init__(self, what: str, entries: Mapping[str, Any]) -> None:
        super().__init__(entries)
        self._what = what

    def __missing__(self, name: str) -> Any:
        raise KeyError(f"there is no {self._what} {name}; there are {', '.join(self) or 'none'}")


def _probes(series: Mapping[str, Mapping[str, Any]]) -> dict[str, Table]:
    return _Named("probe", {name: _Named(f"column of the probe {name} called", one) for name, one in series.items()})


def _machine(backend: str, device: int | None, threads: int | None, lanes: int | str, neighbours: str) -> tuple[str, int, int, str, str]:
    return (_arguments.backend_text(backend), _arguments.device_or_none(device), _arguments.threads_or_none(threads) or 0,
            _arguments.lanes_text(lanes), _arguments.word("neighbours", neighbours, '"auto", "stored", "compact", "masks" or "none"'))


class Snapshot(Mapping[str, Array]):
    """All particles at one time, a row each: arrays by name, over the memory in which the snapshot was taken.

    The columns are those of the program's outputs (docs/output.md); of ``robust`` and most other precisions:

    ===================  =============  =========  ==========================================================
    name                 shape          unit
    ===================  =============  =========  ==========================================================
    position             (count, 3)     m          float64; z is 0 in 2D
    velocity             (count, 3)     m/s        float32
    density_deviation    (count,)       1          rho/rho0 - 1
    pressure             (count,)       Pa
    kind                 (count,)       1          0 fluid, 1 wall
    cell                 (count, 3)     1          the position as the simulation keeps it: a cell,
    offset               (count, 3)     cell side  and from its centre
    ===================  =============  =========  ==========================================================

    Attributes
    ----------
    time : float
        s.
    step : int
        Number of steps taken.
    state_hash : str
        32 hexadecimal digits: equal for states that are equal to the bit.
    units, descriptions : dict of str to str
        Of each column.
    """

    def __init__(self, arrays: dict[str, Array], about: dict[str, tuple[str, str]], time: float, step: int,
                 state_hash: str, only_fluid: bool = False) -> None:
        self._arrays = arrays
        self._only_fluid = only_fluid
        self.time = time
        self.step = step
        self.state_hash = state_hash
        self.units = {name: unit for name, (unit, _) in about.items()}
        self.descriptions = {name: text for name, (_, text) in about.items()}

    def __getitem__(self, name: str) -> Array:
        if name not in self._arrays:
            raise KeyError(f"the snapshot has no column {name}; it has {', '.join(self._arrays)}")
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    @property
    def count(self) -> int:
        """Rows."""
        return max(map(len, self._arrays.values()), default=0)

    @property
    def fluid(self) -> NDArray[np.bool_]:
        """Which rows are fluid, shape (count,): ``snapshot["velocity"][snapshot.fluid]``.

        Raises
        ------
        KeyError
            If an output was read that has no column ``kind``, unless the case chose fluid alone (``output.particles``).
        """
        if self._only_fluid:
            return np.ones(self.count, dtype=np.bool_)
        if "kind" not in self._arrays:
            raise KeyError('the output has no column kind, which tells fluid from walls; add "kind" to output.columns')
        return np.asarray(self["kind"] == 0)

    # Not those of a mapping, which compare arrays: a snapshot is equal to itself alone.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<halfulp.Snapshot of {self.count} particles at t = {self.time:.6g} s, step {self.step}>"


class Simulation:
    """One simulation in this process, with the bits that ``halfulp run`` gives the same case.

    Nothing is written to disk, but by :meth:`checkpoint`. Python's lock is free during steps, so that other threads go on;
    one that looks at this simulation meanwhile, for a picture, does so between two of its steps. Ctrl-C ends a call after
    its present step, and the simulation can go on.

    Parameters
    ----------
    case : Case, str, path or mapping
        What :class:`Case` takes.
    backend : {"auto", "cpu", "cuda"}
        ``"auto"``: a CUDA device where there is one, unless `threads` or `lanes` are given. Changes no bit.
    threads : int, optional
        Of the CPU; default: OMP_NUM_THREADS or all that the machine offers, fewer for few particles. Changes no bit.
    lanes : int or "auto"
        SIMD lanes of the CPU. Changes no bit.
    device : int, optional
        Which CUDA device, from 0; if given, without falling back on the CPU.
    neighbours : {"auto", "stored", "compact", "masks", "none"}
        Whether neighbours are kept from one step to the next, which is fast, or searched for. Changes no bit.

    Raises
    ------
    Error
        For a case that cannot be set up (exit code 1), or a back end that cannot run it here (5).
    TypeError
        If an argument is no number or no text where it must be one.

    Examples
    --------
    >>> simulation = halfulp.Simulation("dam-break-2d")
    >>> simulation.run(until=0.1)
    >>> simulation.snapshot()["velocity"].max()
    """

    def __init__(self, case: Case | str | os.PathLike[str] | Mapping[str, Any], backend: str = "auto", *,
                 threads: int | None = None, lanes: int | str = "auto", device: int | None = None, neighbours: str = "auto") -> None:
        given = case if isinstance(case, Case) else Case(case)
        with given._as_it_is_called():
            self._live = _halfulp.LiveSimulation.start(given._case, *_machine(backend, device, threads, lanes, neighbours))

    @classmethod
    def resume(cls, run: str | os.PathLike[str], backend: str = "auto", *, threads: int | None = None,
               lanes: int | str = "auto", device: int | None = None, neighbours: str = "auto") -> Simulation:
        """Goes on, to the bit, from the last checkpoint of an interrupted run, or from what :meth:`checkpoint` has written.

        The folder is only read.

        Parameters
        ----------
        run : path
            The folder.
        backend, threads, lanes, device, neighbours
            As above; they need not be those that the run had.

        Returns
        -------
        Simulation

        Raises
        ------
        Error
            If there is no run with an intact checkpoint; exit code 1.
        """
        made = cls.__new__(cls)
        machine = _machine(backend, device, threads, lanes, neighbours)
        with in_words_of_python():
            made._live = _halfulp.LiveSimulation.resume(str(_arguments.folder("run", run)), *machine)
        for damage in made._live.damages():
            warnings.warn(damage, stacklevel=2)
        return made

    def step(self, count: int = 1) -> None:
        """Takes steps.

        Parameters
        ----------
        count : int
            How many.

        Raises
        ------
        ValueError
            If it is negative.
        TypeError
            If it is no whole number.
        SimulationBroke
            If a particle breaks a rule, now and at every later step; exit code 3.
        Error
            If the machine fails, or other code of this process has changed the floating-point mode; exit code 5.
        """
        if _arguments.whole("count", count) < 0:
            raise ValueError(f"count is {count}, but must be 0 or more: a simulation goes forwards only")
        for _ in range(count):
            self._live.advance(0.0)

    def run(self, until: float | None = None, callback: Callable[[Simulation], object] | None = None,
            interval: float = 0.0) -> bool:
        """Steps until a time; no step is shortened for it, so the last one reaches or passes that time.

        Parameters
        ----------
        until : float, optional
            s; default: the case's ``time.end``, beyond which a case with motions does not go.
        callback : callable, optional
            Is given this simulation after steps, and ends the run by returning False.
        interval : float
            s: the callback is called at the first step at or past each multiple of it, and at the end; 0: after every step.

        Returns
        -------
        bool
            Whether the time was reached, and not ended by the callback.

        Raises
        ------
        SimulationBroke, Error
            As :meth:`step`.
        ValueError
            For a time or an interval that is no finite number, and a time at which motions are not known.
        """
        last = self._live.end
        end = last if until is None else _arguments.number("until", until)
        interval = _arguments.number("interval", interval)
        _arguments.function_or_none("callback", callback)
        if not math.isfinite(end):
            raise ValueError(f"until is {until}, but must be a finite time in s")
        if end > last and self._live.moves:
            raise ValueError(f"until is {until} s, but the motions of {self.case.name} are known to its time.end = {last} s; "
                             "begin with a later time.end")
        if not (math.isfinite(interval) and interval >= 0):
            raise ValueError(f"interval is {interval}, but must be a finite time in s, 0 or more")
        while self.time < end:
            moment = end if callback is None else min(end, self._next_multiple(interval))
            self._live.advance(moment)
            if callback is not None:
                answer = callback(self)
                if isinstance(answer, (bool, np.bool_)) and not answer:
                    return False
        return True

    def _next_multiple(self, interval: float) -> float:
        if interval <= math.ulp(self.time):
            return 0.0  # one step
        number = int(self.time / interval)
        while number * interval <= self.time:
            number += 1
        return number * interval

    @property
    def case(self) -> Case:
        """The case, completed."""
        return Case._of(self._live.case())

    @property
    def time(self) -> float:
        """s."""
        return self._live.time

    @property
    def steps(self) -> int:
        """Number of steps taken."""
        return self._live.steps

    @property
    def next_step(self) -> float:
        """The length of the coming step, s."""
        return self._live.next_step

    @property
    def particles(self) -> tuple[int, int]:
        """Numbers of fluid and of wall particles."""
        return self._live.fluid, self._live.wall

    @property
    def backend(self) -> str:
        """What computes, such as ``"cpu, 2 threads, 8 lanes"``."""
        return self._live.backend

    @property
    def state_hash(self) -> str:
        """Of the present state: 32 hexadecimal digits, equal for states that are equal to the bit."""
        return self._live.state_hash

    @property
    def warnings(self) -> list[str]:
        """Where the case departs from the needs of its flow, and what has been noticed since, a sentence each."""
        return self._live.warnings()

    @property
    def ledger(self) -> Table:
        """The energy ledger so far: arrays of shape (rows,) by name, with the rows that a run's ``ledger.csv`` has.

        Rows are taken at the start, every ``output.ledger_every`` steps, when an output of the case is due, and at its end.
        Units: :attr:`ledger_units`.
        """
        return _Named("column of the ledger called", self._live.ledger())

    def ledger_row(self) -> dict[str, float]:
        """The ledger of the present state, by name: energies, works, momenta, the largest speed and density deviation."""
        return self._live.ledger_row()

    @property
    def ledger_units(self) -> dict[str, str]:
        """Units of the ledger; in 2D extensive quantities are per metre of width."""
        return self._live.ledger_units()

    @property
    def probes(self) -> dict[str, Table]:
        """What the case's probes have measured so far: for each, ``time`` and its columns, arrays of shape (samples,)."""
        return _probes(self._live.probes())

    @property
    def probe_units(self) -> dict[str, dict[str, str]]:
        """Units of the columns of each probe."""
        return self._live.probe_units()

    def snapshot(self) -> Snapshot:
        """All particles as they are now.

        Returns
        -------
        Snapshot
            Arrays of its own: it stays as it is while the simulation goes on.
        """
        time, step, state_hash, arrays, about = self._live.snapshot()
        return Snapshot(arrays, about, time, step, state_hash)

    def checkpoint(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the present state as an interrupted run: :meth:`resume`, and ``halfulp resume``, continue it to the bit.

        The run has the ledger and the probes so far and one output, the present state.

        Parameters
        ----------
        folder : path
            Made if it is not there.
        overwrite : bool
            Whether a run that is in the folder is replaced.

        Raises
        ------
        Error
            If it cannot be written (exit code 4), or after the simulation broke down (3).
        """
        to = _arguments.folder("folder", folder)
        command = shlex.join(sys.orig_argv).encode("utf-8", "backslashreplace").decode()  # names of files may be no Unicode
        with in_words_of_python():
            self._live.write(str(to), bool(overwrite), command)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a simulation cannot be copied or pickled; write a checkpoint, from which Simulation.resume makes another one")

    def __repr__(self) -> str:
        return f"<halfulp.Simulation of {self._live.case().name} at t = {self.time:.6g} s, step {self.steps}: {self.backend}>"
