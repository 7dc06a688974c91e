"""Values of Python as TOML, as far as cases have them."""

from __future__ import annotations

import enum
import json
import os
import re
from collections.abc import Mapping
from typing import Any

from . import _arguments
from .errors import Error

_LEAST, _MOST = -2**63, 2**63 - 1  # of TOML's whole numbers


def key_text(key: Any) -> str:
    """A key with dots, as --set takes it."""
    if not isinstance(key, str):
        raise TypeError(f"a key is {key!r}, but must be a text, as in resolution.spacing")
    if not re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", key):
        raise Error(f"{key!r} is no key of a case; it has letters, digits, - and _, with dots between names, as in resolution.spacing.")
    return key


def value_text(value: Any) -> str:
    """One value, on one line."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, enum.Enum):
        value = value.value
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and not _LEAST <= value <= _MOST:
        raise ValueError(f"a whole number of {value.bit_length() + 1} bits is given, but a case has those of 64; "
                         "give it with a decimal point")
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        _refuse_what_cases_have_not(value, "the value")
        return "{ " + ", ".join(f"{_key(key)} = {value_text(one)}" for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(one) for one in value) + "]"
    raise TypeError(f"a case has numbers, texts, truth values, lists and dicts, not {type(value).__name__}")


def document(table: Mapping[str, Any]) -> str:
    """A whole case: plain values first, then a table each, then a table for each element of a list."""
    _refuse_what_cases_have_not(table, "")
    lines = [f"{_key(key)} = {value_text(value)}" for key, value in table.items() if not _is_table(value) and not _is_tables(value)]
    for key, value in table.items():
        if _is_table(value):
            lines += ["", f"[{_key(key)}]", *_entries(value)]
        elif _is_tables(value):
            for one in value:
                lines += ["", f"[[{_key(key)}]]", *_entries(one)]
    return "\n".join(lines) + "\n"


def _refuse_what_cases_have_not(value: Any, where: str) -> None:
    if isinstance(value, Mapping):
        for key, one in value.items():
            if not isinstance(key, str):
                raise TypeError(f"the keys of {where or 'a case'} are texts, but one is {key!r}")
            if "." in key and not where:
                first, rest = key.split(".", 1)
                raise TypeError(f"{key!r} is no key of a dict; nest it as {{{first!r}: {{{rest!r}: ...}}}}, or set it in the case: case[{key!r}] = ...")
            _refuse_what_cases_have_not(one, f"{where}.{key}" if where else key)
    elif isinstance(value, (list, tuple)):
        for k, one in enumerate(value):
            _refuse_what_cases_have_not(one, f"{where}.{k}")
    elif value is None:
        raise TypeError(f"{where} is None; leave it out for its default")


def _entries(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {value_text(value)}" for key, value in table.items()]


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(one, Mapping) for one in value)


def _key(key: str) -> str:
    bare = key != "" and all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in key)
    return key if bare else _quoted(key)


def _quoted(text: str) -> str:
    if not _arguments.is_unicode(text):
        raise TypeError(f"a case has texts in Unicode, not {text!r}")
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
