"""Cases: what is simulated, read from a file, a text or a dict, and changed by key."""

from __future__ import annotations

import contextlib
import copy
import difflib
import errno
import os
import re
import secrets
import stat
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from . import _arguments, _halfulp
from ._program import in_words_of_python, program
from ._toml import document, key_text, value_text
from .errors import Error

_halfulp.set_program_place(str(program().resolve()))

_LONGEST_NAME = 250  # bytes, with .toml a file's
_LONG = 100_000  # bytes of values, for a command line: Linux takes 131,071 in a word


def _dotted(values: Any, before: str = "") -> list[str]:
    """The keys of a case, with dots, those of lists of tables by their names."""
    if isinstance(values, dict):
        parts = list(values.items())
    elif isinstance(values, list) and values and all(isinstance(one, dict) for one in values):
        parts = [(one.get("name", str(k)), one) for k, one in enumerate(values)]
    else:
        return [before]
    return [key for name, value in parts for key in _dotted(value, f"{before}.{name}" if before else name)]


def shipped_cases() -> dict[str, Path]:
    """The cases that come with halfulp.

    Returns
    -------
    dict of str to pathlib.Path
        Their files by name, in alphabetical order.
    """
    folder = Path(_halfulp.Case.find("dam-break-2d")).parent
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


class Case:
    """A case: everything that defines a simulation, checked and completed with defaults.

    Keys are those of the case file (docs/cases.md), with dots: ``"resolution.spacing"``; elements of lists by their name or
    their number from 0: ``"shapes.water.box.to"``. Lengths in m, times in s, everything in SI units.

    Parameters
    ----------
    source : str, path, mapping or Case
        The name of a shipped case (``"dam-break-2d"``), the path of a TOML file, a dict with the content of one, or
        another case, which is copied.
    name : str, optional
        Of a case from a dict (default ``"case"``): names its runs, and stands in messages; one for a file, without a folder.
    folder : path, optional
        To which paths of files are relative that a case from a dict names (meshes, tables). Default: the present one.

    Raises
    ------
    Error
        With one sentence that names the file, the key, what was found and what is allowed; exit code 1.

    Examples
    --------
    >>> case = halfulp.Case("dam-break-2d")
    >>> case["resolution.spacing"] = 0.02
    >>> case["fluid.sound_speed"]
    34.3
    """

    def __init__(self, source: str | os.PathLike[str] | Mapping[str, Any] | Case, *, name: str | None = None,
                 folder: str | os.PathLike[str] | None = None) -> None:
        self._case: _halfulp.Case
        self._file: Path | None = None  # from which the program can read it too
        self._of_dict: Path | None = None  # where the text of a dict would be a file
        self._completed: dict[str, Any] | None = None
        if not isinstance(source, Mapping) and (name is not None or folder is not None):
            raise TypeError("name and folder are for a case from a dict or a text; this one has its own")
        if isinstance(source, Case):
            self._case, self._file, self._of_dict = source._case, source._file, source._of_dict
        elif isinstance(source, Mapping):
            self._of_dict = self._place(name, folder)
            with self._as_it_is_called():
                self._case = _halfulp.Case.from_text(document(source), str(self._of_dict), [])
        else:
            if not isinstance(source, (str, os.PathLike)):
                raise _arguments.wrong("source", source, "the name of a case, a path, a dict or a Case")
            _arguments.path("source", source)
            path = Path(_halfulp.Case.find(os.fspath(source))).absolute()
            self._case = _halfulp.Case.read(str(path), [])
            self._file = path

    @staticmethod
    def _place(name: str | None, folder: str | os.PathLike[str] | None) -> Path:
        """Where a text would be a file."""
        stem = "case" if name is None else _arguments.text("name", name, "a text") or "case"
        if stem in (".", "..") or "/" in stem or "\0" in stem or len(stem.encode()) > _LONGEST_NAME:
            raise Error(f"the name of the case is {stem[:60]!r}, but must be a file's without a folder, of at most {_LONGEST_NAME} bytes; "
                        "the folder of the files that the case names is given as folder.")
        return (Path() if folder is None else _arguments.path("folder", folder)).absolute() / _arguments.path("name", f"{stem}.toml")

    @classmethod
    def from_text(cls, text: str, *, name: str | None = None, folder: str | os.PathLike[str] | None = None) -> Case:
        """A case from the text of a case file.

        Parameters
        ----------
        text : str
            TOML.
        name, folder
            As above.

        Returns
        -------
        Case

        Raises
        ------
        Error
            As above.
        """
        return cls._of(_halfulp.Case.from_text(_arguments.text("text", text, "the text of a case file"), str(cls._place(name, folder)), []))

    @classmethod
    def _of(cls, case: _halfulp.Case) -> Case:
        made = cls.__new__(cls)
        made._case = case
        made._file = None
        made._of_dict = None
        made._completed = None
        return made

    @contextlib.contextmanager
    def _as_it_is_called(self) -> Iterator[None]:
        """Errors tell of arguments by their names, and so of a case from a dict: a place in the text made of it says nothing."""
        try:
            with in_words_of_python():
                yield
        except Error as error:
            if self._of_dict is not None:
                stem = self._of_dict.stem
                # Or of the file that the program read.
                place = f"(?:{re.escape(str(self._of_dict))}|{re.escape(self._of_dict.name)})"
                error.args = (re.sub(rf"^{place}(?=:)(:\d+)*", lambda _: f'case "{stem}" of a dict', str(error)),)
            raise

    def set(self, values: Mapping[str, Any]) -> Case:
        """Sets several values, which are checked together; either all are set or none.

        Parameters
        ----------
        values : mapping of str to value
            By key, as ``--set`` of the program takes them.

        Returns
        -------
        Case
            This one.

        Raises
        ------
        Error
            For a key or value that is not allowed; exit code 1.
        """
        if not isinstance(values, Mapping):
            raise _arguments.wrong("values", values, "a dict of keys and values")
        overrides = [f"{key_text(key)}={value_text(value)}" for key, value in values.items()]
        with self._as_it_is_called():
            self._case = self._case.overridden(overrides)
        self._completed = None
        return self

    def __setitem__(self, key: str, value: Any) -> None:
        self.set({key: value})

    def __getitem__(self, key: str) -> Any:
        """The value in force, default or given, of a key."""
        value: Any = self._values()
        for word in _arguments.text("key", key, "a text, as in resolution.spacing").split("."):
            if isinstance(value, list):
                named = [one for one in value if isinstance(one, dict) and one.get("name") == word]
                if not named and word.isdecimal() and int(word) < len(value):
                    named = [value[int(word)]]
                value = named[0] if named else None
            else:
                value = value.get(word) if isinstance(value, dict) else None
            if value is None:
                near = difflib.get_close_matches(key, _dotted(self._values()), n=1, cutoff=0.8)
                raise KeyError(f"{self.name} has no {key} in force" + (f"; did you mean {near[0]}?" if near else ""))
        return copy.deepcopy(value)  # a change of it would change nothing of the case

    def __contains__(self, key: str) -> bool:
        try:
            self[key]
        except (KeyError, TypeError):
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __repr__(self) -> str:
        return f"<halfulp.Case {self.name}: {self.title}>"

    def copy(self) -> Case:
        """Another case of the same values."""
        return Case(self)

    @property
    def name(self) -> str:
        """The stem of its file, or the name that it was given."""
        return self._case.name

    @property
    def title(self) -> str:
        """Its title."""
        return self._case.title

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return self._case.dimensions

    @property
    def text(self) -> str:
        """The completed case: every value in force, as TOML that gives the same case when it is read beside the files that it names."""
        return self._case.completed

    def as_dict(self) -> dict[str, Any]:
        """The completed case as a dict, of which :class:`Case` makes the same case again, with ``folder=`` where it names files."""
        return tomllib.loads(self._case.completed)

    def _values(self) -> dict[str, Any]:
        if self._completed is None:
            self._completed = self.as_dict()
        return self._completed

    @property
    def warnings(self) -> list[str]:
        """Where the case departs from the needs of its flow, a sentence each; sets the case up."""
        return self._described()[3]

    @property
    def particles(self) -> tuple[int, int]:
        """Numbers of fluid and of wall particles; sets the case up."""
        fluid, wall, _, _ = self._described()
        return fluid, wall

    def describe(self) -> str:
        """What the case will do: particles, lengths, memory, steps, outputs and warnings, as ``halfulp info`` says it.

        Raises
        ------
        Error
            If the case cannot be set up; exit code 1.
        """
        return self._described()[2]

    def _described(self) -> tuple[int, int, str, list[str]]:
        with self._as_it_is_called():
            return self._case.described()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the completed case as a file that the program reads.

        Parameters
        ----------
        path : path
            A file, replaced if it is there. If writing fails, it stays as it was, unless it has other names or another owner, or
            its folder cannot be written to.

        Raises
        ------
        Error
            If it names files (meshes, tables) by relative paths, as those would have to lie beside it (exit code 1), or
            cannot be written (4).
        """
        to = _arguments.path("path", path)
        relative = [name for name in self._case.files if not Path(name).is_absolute()]
        if relative:
            raise Error(f"{to}: {self.name} names {', '.join(relative)}, which a file elsewhere would not find; "
                        "name them by absolute paths, or copy the case's own file and edit that.")
        try:
            _replace(to, self.text)
        except OSError as error:
            raise Error(f"{to} cannot be written: {error.strerror}.", 4) from error

    @contextlib.contextmanager
    def _for_program(self, varied: Mapping[str, Any] | None = None) -> Iterator[tuple[list[str | bytes], str]]:
        """The words of a command line by which the program reads this case, and a temporary folder that they need.

        Errors tell of the case as it is called.
        """
        with self._as_it_is_called(), contextlib.ExitStack() as kept:
            scratch = tempfile.gettempdir()
            try:
                scratch = kept.enter_context(tempfile.TemporaryDirectory(prefix="halfulp-case-"))
                words = self._words(Path(scratch), varied)
            except OSError as error:
                if error.filename and not str(error.filename).startswith(scratch):  # a file of the case
                    raise Error(f"{error.filename} cannot be read: {error.strerror}.") from error
                cause = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
                raise Error(f"the temporary files of {self.name} cannot be written: {cause}; TMPDIR names another folder for them.",
                            4) from error
            yield words, scratch

    def _words(self, scratch: Path, varied: Mapping[str, Any] | None = None) -> list[str | bytes]:
        """The words of a command line by which the program reads this case; scratch: a folder for its file.

        varied: values by key, of a sweep.
        """
        # Not of a sweep: what is varied may have a default depend on it, which stands in the completed case as a value.
        completed = varied is None and sum(len(one.encode()) for one in self._case.overrides) > _LONG
        if self._file is not None and self._file.is_file():
            if self._file.read_bytes() != self._case.text.encode():
                raise Error(f"{self._file} has changed since this case was read from it; read it again.")
            if not completed:
                return self._with_overrides(self._file)
        file = scratch / f"{self.name}.toml"
        file.write_bytes((self.text if completed else self._case.text).encode())
        for name, path in {**self._varied_files(varied or {}), **self._case.files}.items():
            if Path(name).is_absolute():
                self._require_own_copy(Path(name), Path(path))
                continue
            place = Path(os.path.normpath(scratch / name))
            if not place.is_relative_to(scratch):
                raise Error(f"{self.name} names {name}, outside of its folder; give the file's absolute path.")
            if place == file:
                raise Error(f"{self.name} names {name}, which is what its own file is called; give the case another name.")
            if not place.exists():  # or named twice
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(Path(path).resolve())
        return [str(file)] if completed else self._with_overrides(file)

    def _varied_files(self, varied: Mapping[str, Any]) -> dict[str, str]:
        """Paths of the files that values of a sweep name, relative to the case as its own."""
        files = {}
        for name in _named_files(varied):
            files[name] = str(Path(self._case.path).parent / name)
            if name not in self._case.files and not Path(files[name]).is_file():
                raise Error(f"a run of the sweep needs {name}, but there is no file {files[name]}; name it relative to the folder of "
                            "the case, or by its absolute path.")
        return files

    def _require_own_copy(self, named: Path, used: Path) -> None:
        """The program reads a file where it is named: that must be what this case, of a run with a copy of its own, means."""
        if used == named or (named.is_file() and named.read_bytes() == used.read_bytes()):
            return
        raise Error(f"{self.name} names {named}, which is not what its run was computed with; put it back as it was, "
                    f"or name the run's copy, {used}, instead.")

    def _with_overrides(self, file: Path) -> list[str | bytes]:
        return [str(file), *(word for one in self._case.overrides for word in ("--set", one.encode()))]


def _replace(path: Path, text: str) -> None:
    """Writes a file: beside one that is there, whose place and permissions it takes when it is complete.

    In the file itself where that would lose more: other names or another owner, a folder that cannot be written to, a device.
    """
    place = Path(os.path.realpath(path))
    try:
        there = path.stat()
    except FileNotFoundError:
        there = None
    if there is not None:
        alone = stat.S_ISREG(there.st_mode) and there.st_nlink == 1 and there.st_uid == os.geteuid()
        if not alone or path.absolute().parts[1] in ("dev", "proc") or not os.access(place.parent, os.W_OK):
            path.write_text(text, encoding="utf-8")
            return
        if not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    fresh = place.with_name(f".{secrets.token_hex(8)}")
    try:
        with fresh.open("x", encoding="utf-8") as file:
            file.write(text)
        if there is not None:
            fresh.chmod(stat.S_IMODE(there.st_mode))
        fresh.replace(place)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _named_files(value: Any, key: str = "") -> Iterator[str]:
    """The files that a value names: by keys called file, as all of a case are."""
    if isinstance(value, str) and key.rpartition(".")[2] == "file":
        yield value
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _named_files(one, str(name))
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _named_files(one, key)
