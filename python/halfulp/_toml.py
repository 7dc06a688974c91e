"""Values of Python as TOML, as far as cases have them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def value_text(value: Any) -> str:
    """One value, on one line."""
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {value_text(one)}" for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(one) for one in value) + "]"
    raise TypeError(f"a case has numbers, texts, truth values, lists and dicts, not {type(value).__name__}")


def document(table: Mapping[str, Any]) -> str:
    """A whole case: plain values first, then a table each, then a table for each element of a list."""
    lines = [f"{_key(key)} = {value_text(value)}" for key, value in table.items() if not _is_table(value) and not _is_tables(value)]
    for key, value in table.items():
        if _is_table(value):
            lines += ["", f"[{_key(key)}]", *_entries(value)]
        elif _is_tables(value):
            for one in value:
                lines += ["", f"[[{_key(key)}]]", *_entries(one)]
    return "\n".join(lines) + "\n"


def _entries(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {value_text(value)}" for key, value in table.items()]


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(one, Mapping) for one in value)


def _key(key: str) -> str:
    bare = key != "" and all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in key)
    return key if bare else json.dumps(key)
