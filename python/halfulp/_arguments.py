"""Arguments of the wrong type, each refused in one sentence: what was found, what is allowed.

Which numbers and names are allowed is said by the program.
"""

from __future__ import annotations

import operator
import os
import sys
from pathlib import Path
from typing import Any

_MOST = 2**31 - 1  # of the program's whole numbers
_LONGEST_SHOWN = 200  # letters of a value


def whole(name: str, value: Any, others: str = "") -> int:
    """A whole number, of numpy too. others: what else is allowed."""
    try:
        if isinstance(value, bool):  # an index, to Python
            raise TypeError
        found = int(operator.index(value))
    except TypeError:
        raise wrong(name, value, f"a whole number{others}") from None
    if abs(found) > _MOST:
        raise ValueError(f"{name} is {_shown(found)}, but must be {'at most ' if found > 0 else 'at least -'}{_MOST}{others}")
    return found


def device_or_none(value: Any) -> int:
    """A CUDA device, from 0; -1 for none."""
    if value is None:
        return -1
    found = whole("device", value)
    if found < 0:
        raise ValueError(f"device is {found}, but must be at least 0")
    return found


def number(name: str, value: Any) -> float:
    """A number, of numpy too."""
    try:
        if not isinstance(value, (str, bytes, bytearray, bool)):
            return float(value)
    except (TypeError, ValueError):
        pass
    except OverflowError:
        raise ValueError(f"{name} is {_shown(value)}, but must be a number of at most {sys.float_info.max:.3g}") from None
    raise wrong(name, value, "a number")


def limits_or_none(name: str, value: Any) -> tuple[float, float] | None:
    """Two numbers, the lower one first."""
    if value is None:
        return None
    allowed = "two numbers, the lower one first"
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        found = [number(name, one) for one in value]
    except TypeError:
        raise wrong(name, value, allowed) from None
    if len(found) != 2 or not found[0] <= found[1]:
        raise ValueError(f"{name} is {_shown(value)}, but must be {allowed}")
    return found[0], found[1]


def text(name: str, value: Any, allowed: str) -> str:
    """A name."""
    if not isinstance(value, str) or not is_unicode(value):
        raise wrong(name, value, allowed)
    return value


def word(name: str, value: Any, allowed: str) -> str:
    """A name that a command line takes."""
    found = text(name, value, allowed)
    if "\0" in found:
        raise wrong(name, value, allowed)
    return found


def is_unicode(value: str) -> bool:
    """Whether it has letters alone, and no halves of some (surrogates)."""
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def path(name: str, value: Any) -> Path:
    """A file or a folder."""
    if not isinstance(value, (str, os.PathLike)) or not isinstance(os.fspath(value), str):
        raise wrong(name, value, "a path")
    try:
        nameable = b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:
        nameable = False
    if not nameable:
        raise ValueError(f"{name} is {_shown(value)}, but must be a name that a file can have: without the character of code 0, "
                         f"and in {sys.getfilesystemencoding()}")
    return Path(value)


def folder(name: str, value: Any) -> Path:
    """A folder, which an empty text does not name."""
    found = path(name, value)
    if value in ("", b""):
        raise ValueError(f"{name} is empty, but must name a folder; the present one is '.'")
    return found


def function_or_none(name: str, value: Any) -> None:
    """Refuses what cannot be called."""
    if value is not None and not callable(value):
        raise wrong(name, value, "a function")


def threads_or_none(value: Any) -> int | None:
    """A number of threads; None: as many as the program takes."""
    return None if value is None else whole("threads", value, ", or None for as many as suit the case")


def lanes_text(value: Any) -> str:
    """A number of lanes, or "auto"."""
    others = ', or "auto"'
    return word("lanes", value, f"a whole number{others}") if isinstance(value, str) else str(whole("lanes", value, others))


def backend_text(value: Any, allowed: str = '"auto", "cpu" or "cuda"') -> str:
    """The name of a back end."""
    return word("backend", value, allowed)


def wrong(name: str, value: Any, allowed: str) -> TypeError:
    """The error for a value of the wrong type."""
    return TypeError(f"{name} is {_shown(value)}, but must be {allowed}")


def _shown(value: Any) -> str:
    try:
        shown = repr(value)
    except ValueError:  # a whole number of more digits than Python writes
        return f"a whole number of {value.bit_length()} bits"
    return shown if len(shown) <= _LONGEST_SHOWN else shown[:_LONGEST_SHOWN] + "..."
