"""Whole runs by the program, and runs on disk."""

from __future__ import annotations

import os
import tomllib
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _arguments, _halfulp
from ._program import _DIFFERS, COMPLAINT, Messages, carry_out
from .case import Case
from .errors import Error
from .outputs import Output, Outputs
from .simulation import Table, _Named, _probes

if TYPE_CHECKING:
    import pandas


class Comparison(NamedTuple):
    """Two runs, compared bit by bit; true if they are equal.

    Attributes
    ----------
    equal : bool
        Whether the runs are equal to the bit: the state in every output, the number of outputs, the ledger and the probes.
        A run that was resumed elsewhere may have an output more; the report then says that what both have is equal.
    report : str
        Several lines; the first one says the verdict, then follows where the first difference is and how large.
    """

    equal: bool
    report: str

    def __bool__(self) -> bool:
        return self.equal


def _run_of(folder: str, identity: tuple[str, ...]) -> Run:
    run = Run(folder)
    _require_same(folder, identity, _identity_of(run._reader))
    return run


def _identity_of(reader: _halfulp.RunReader) -> tuple[str, ...]:
    """What a run has from its start to its end, resumed or not: its case but for what resuming may change, its particles at the
    start, and the program by whose bits it is computed."""
    case = tomllib.loads(reader.completed())
    case.pop("title", None)
    case.get("time", {}).pop("end", None)
    case.get("output", {}).pop("figures", None)
    said = reader.provenance()
    return (repr(case), *(said.get(key, "") for key in ("problem_hash", "sources")))


def _require_same(folder: str, before: tuple[str, ...], now: tuple[str, ...]) -> None:
    if before != now:
        raise Error(f"{folder} no longer holds the run that was there when this object was made: open it again, by halfulp.Run.")


class Run:
    """A run on disk, as it was when this object was made; everything read is verified by its checksum.

    Parameters
    ----------
    folder : path
        The run's folder, or the ``run.h5`` in it.

    Raises
    ------
    Error
        If there is no run, or it is damaged; exit code 1.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._reader = _halfulp.RunReader.open(str(_arguments.folder("folder", folder).absolute()))
        columns = self._reader.columns()
        only_fluid = tomllib.loads(self._reader.completed()).get("output", {}).get("particles") == "fluid"
        self.outputs = Outputs([Output(self._reader, index, columns, *about, only_fluid)
                                for index, about in enumerate(self._reader.outputs())])

    @property
    def folder(self) -> Path:
        """Its folder."""
        return Path(self._reader.folder)

    @property
    def case(self) -> Case:
        """The case, completed, with the run's own copies of the files that it names."""
        return Case._of(self._reader.case())

    @property
    def provenance(self) -> dict[str, str]:
        """The provenance of the run: version, commit, compiler, machine, command, times (docs/output.md)."""
        return self._reader.provenance()

    @property
    def end_state(self) -> str:
        """``"complete"``, ``"interrupted"``, ``"running"``, ``"stopped: ..."`` after a breakdown, or ``"failed: ..."``."""
        return self.provenance.get("end_state", "")

    @property
    def warnings(self) -> list[str]:
        """What the program warned of, of the case and during the run, a sentence each; as in its summary."""
        return self.provenance.get("warnings", "").splitlines()

    @property
    def state_hash(self) -> str:
        """Of the last output."""
        return self.outputs.last.state_hash

    @property
    def ledger(self) -> Table:
        """The energy ledger as arrays of shape (rows,), by name, like that of a :class:`Simulation`."""
        return _Named("column of the ledger called", self._reader.ledger())

    def ledger_frame(self) -> pandas.DataFrame:
        """The energy ledger as a data frame; needs pandas."""
        import pandas
        return pandas.DataFrame(self.ledger)

    @property
    def ledger_units(self) -> dict[str, str]:
        """Units of the ledger; in 2D extensive quantities are per metre of width."""
        return self._reader.ledger_units()

    @property
    def probes(self) -> dict[str, Table]:
        """What probes have measured: for each, ``time`` and its columns (with a filter also NAME_filtered), arrays of shape
        (samples,)."""
        return _probes(self._reader.probes())

    @property
    def probe_units(self) -> dict[str, dict[str, str]]:
        """Units of the columns of each probe."""
        return self._reader.probe_units()

    def verify(self) -> list[str]:
        """Reads every file of the run and looks at its checksum.

        Returns
        -------
        list of str
            A sentence for each damage; empty if everything is as it was written.

        Raises
        ------
        Error
            If there is no run, or another one than when this object was made; exit code 1.
        """
        damages = _halfulp.verify(self._reader.folder)[1]
        if not damages:
            self._require_unchanged()
        return damages

    def compare(self, other: Run | str | os.PathLike[str]) -> Comparison:
        """Compares two runs bit by bit: the state in every output, cells relative to each run's origin, ledger and probes.

        Parameters
        ----------
        other : Run or path

        Returns
        -------
        Comparison
            True if they are equal.

        Raises
        ------
        Error
            If one of them cannot be read, or its folder holds another run than when the object was made; exit code 1.
        """
        self._require_unchanged()
        if isinstance(other, Run):
            other._require_unchanged()
        folder = other.folder if isinstance(other, Run) else _arguments.folder("other", other)
        return Comparison(*_halfulp.compare(self._reader.folder, str(folder)))

    def _require_unchanged(self) -> None:
        folder = self._reader.folder
        _require_same(folder, _identity_of(self._reader), _identity_of(_halfulp.RunReader.open(folder)))

    def __reduce__(self) -> tuple[Any, tuple[str, tuple[str, ...]]]:
        """Another process reads it from its folder."""
        return _run_of, (self._reader.folder, _identity_of(self._reader))

    def __repr__(self) -> str:
        return f"<halfulp.Run {self.folder}: {len(self.outputs)} outputs, {self.end_state}>"


def _machine_words(backend: str, device: int | Sequence[int] | None, threads: int | None, lanes: int | str, checkpoint_every: float,
                   keep_checkpoint: bool, figures: bool) -> list[str]:
    others = ", or several of them"
    chosen: list[str] = []
    if isinstance(device, Iterable) and not isinstance(device, (str, bytes)):
        chosen = ["--devices", ",".join(str(_arguments.whole("device", one, others)) for one in device)]
    elif device is not None:
        chosen = ["--device", str(_arguments.whole("device", device, others))]
    words = ["--backend", _arguments.backend_text(backend), *chosen, "--lanes", _arguments.lanes_text(lanes),
             "--checkpoint-every", repr(_arguments.number("checkpoint_every", checkpoint_every))]
    chosen_threads = _arguments.threads_or_none(threads)
    if chosen_threads is not None:
        words += ["--threads", str(chosen_threads)]
    if keep_checkpoint:
        words += ["--keep-checkpoint"]
    return words if figures else [*words, "--no-figures"]


def run(case: Case | str | os.PathLike[str] | Mapping[str, Any], output: str | os.PathLike[str] | None = None, *,
        overwrite: bool = False, backend: str = "auto", device: int | Sequence[int] | None = None, threads: int | None = None,
        lanes: int | str = "auto", checkpoint_every: float = 600.0, keep_checkpoint: bool = False, figures: bool = True,
        messages: Messages | None = None) -> Run:
    """Runs a case from start to end, as ``halfulp run`` does: with all its files, figures, checkpoints and checks.

    The program of this package does it, in a process of its own. Ctrl-C ends it with its state and a checkpoint written,
    with which :func:`resume` goes on, and raises KeyboardInterrupt.

    Parameters
    ----------
    case : Case, str, path or mapping
        What :class:`Case` takes.
    output : path, optional
        The run's folder; default: ``out/NAME`` for a case of that name.
    overwrite : bool
        Whether a run that is in the folder is replaced.
    backend, device, threads, lanes
        As in :class:`Simulation`; device may also be several, e.g. ``(0, 1)``, among which the domain is divided.
    checkpoint_every : float
        s of wall time between checkpoints; 0: only when it is interrupted.
    keep_checkpoint : bool
        Whether a checkpoint of the end is kept, from which :func:`resume` goes on to a later end.
    figures : bool
        Whether figures are drawn at the end, with matplotlib and h5py where they are installed.
    messages : callable, optional
        Is given every line that the program prints, such as ``print``; default: quiet.

    Returns
    -------
    Run

    Raises
    ------
    SimulationBroke
        If the simulation broke down; the results so far are in the folder. Exit code 3.
    Error
        For bad input (exit code 1), if writing fails or there is a run in the folder (4), if the machine fails (5).
    TypeError
        If an argument is no number or no text where it must be one.
    """
    _arguments.function_or_none("messages", messages)
    given = case if isinstance(case, Case) else Case(case)
    folder = _arguments.folder("output", output) if output is not None else Path("out") / given.name
    place = folder.absolute()  # wherever this process goes meanwhile
    with given._for_program() as (its_words, scratch):
        words: list[str | bytes] = ["run", *its_words, "-o", str(folder)]
        words += _machine_words(backend, device, threads, lanes, checkpoint_every, keep_checkpoint, figures)
        carry_out([*words, "--overwrite"] if overwrite else words, messages, scratch=scratch)
    return Run(place)


def resume(folder: str | os.PathLike[str], *, until: float | None = None, backend: str = "auto", device: int | Sequence[int] | None = None,
           threads: int | None = None, lanes: int | str = "auto", checkpoint_every: float = 600.0,
           keep_checkpoint: bool = False, figures: bool = True, messages: Messages | None = None) -> Run:
    """Continues an interrupted run, with the bits of an uninterrupted one, as ``halfulp resume`` does.

    Parameters
    ----------
    folder : path
        Of the run, or what :meth:`Simulation.checkpoint` has written.
    until : float, optional
        Another end, s; of a complete run that has kept a checkpoint of its end, a later one. Changes no earlier bit.
    backend, device, threads, lanes, checkpoint_every, keep_checkpoint, figures, messages
        As in :func:`run`; they need not be those that the run had.

    Returns
    -------
    Run

    Raises
    ------
    SimulationBroke, Error
        As :func:`run`.
    """
    words = ["resume", *_machine_words(backend, device, threads, lanes, checkpoint_every, keep_checkpoint, figures)]
    if until is not None:
        words += ["--until", repr(_arguments.number("until", until))]
    of = _arguments.folder("folder", folder)
    place = of.absolute()
    _, said = carry_out([*words, "--", str(of)], messages)  # whose name may begin with a hyphen
    for line in said.splitlines():
        if line.startswith(COMPLAINT):  # of a damaged checkpoint, without which it went on all the same
            warnings.warn(line.removeprefix(COMPLAINT), stacklevel=2)
    return Run(place)


def rerun(folder: str | os.PathLike[str], output: str | os.PathLike[str] | None = None, *, overwrite: bool = False,
          backend: str = "auto", device: int | Sequence[int] | None = None, threads: int | None = None, lanes: int | str = "auto",
          checkpoint_every: float = 600.0, figures: bool = True, messages: Messages | None = None) -> tuple[Run, Comparison]:
    """Repeats a run from its folder alone, as ``halfulp rerun`` does, and compares the two.

    Parameters
    ----------
    folder : path
        Of a run that has ended.
    output : path, optional
        Of the new run; default: ``FOLDER-again``.
    overwrite, backend, device, threads, lanes, checkpoint_every, figures, messages
        As in :func:`run`.

    Returns
    -------
    tuple of Run and Comparison
        The new run, and whether its bits are those of the old one.

    Raises
    ------
    SimulationBroke, Error
        As :func:`run`.
    """
    of = _arguments.folder("folder", folder)
    first = Run(of)
    again = _arguments.folder("output", output) if output is not None else first.folder.resolve().with_name(first.folder.resolve().name + "-again")
    place = again.absolute()
    words = ["rerun", "-o", str(again), *_machine_words(backend, device, threads, lanes, checkpoint_every, False, figures)]
    if overwrite:
        words += ["--overwrite"]
    carry_out([*words, "--", str(of)], messages, (0, _DIFFERS))
    second = Run(place)
    return second, first.compare(second)
