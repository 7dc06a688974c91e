"""What the tests of the Python package share."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import halfulp

SOURCE = Path(__file__).resolve().parents[2]

# 100 particles of fluid, 0.05 s, six outputs: a fraction of a second.
TANK: dict[str, Any] = {
    "title": "A small tank",
    "resolution": {"spacing": 0.05, "smoothing_ratio": 1.5},
    "fluid": {"sound_speed": 30, "artificial_viscosity": 0.05},
    "time": {"end": 0.05, "cfl": 0.2},
    "output": {"interval": 0.01, "ledger_every": 5, "figures": False},
    "shapes": [
        {"name": "tank", "kind": "wall", "hollow_box": {"from": [0, 0], "to": [1.0, 0.8]}, "layers": 2},
        {"name": "water", "kind": "fluid", "box": {"from": [0, 0], "to": [0.5, 0.5]}},
    ],
    "probes": [{"name": "floor", "measures": "pressure", "at": [0.2, 0], "interval": 0.004}],
}

# The same, swaying by the table sway.csv beside it.
SWAYING: dict[str, Any] = {**TANK, "motions": [{"name": "sway", "frame": "moving", "translation": {
    "direction": [1, 0], "table": {"file": "sway.csv", "time": "t_s", "column": "x"}}}]}


def sway(file: Path, amplitude: float = 0.002) -> None:
    """Writes that table."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"t_s,x\n0,0\n0.02,{amplitude / 4}\n0.05,{amplitude}\n", encoding="utf-8")


@pytest.fixture
def tank() -> halfulp.Case:
    return halfulp.Case(TANK, name="tank")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test runs in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(action: Any, exit_code: int) -> str:
    """The sentence with which an action is refused."""
    with pytest.raises(halfulp.Error) as caught:
        action()
    assert caught.value.exit_code == exit_code
    sentence = str(caught.value)
    assert sentence and "\n" not in sentence and "halfulp: " not in sentence and "Traceback" not in sentence
    return sentence


def script(words: str, **environment: str) -> str:
    """What a program of Python says, which ends well and in good time."""
    path = f"{Path(halfulp.__file__).parents[1]}:{Path(__file__).parent}"
    done = subprocess.run([sys.executable, "-B", "-"], input=words, env={**os.environ, "PYTHONPATH": path, **environment}, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stdout
    return done.stdout


def on_a_full_disk(action: Any) -> Any:
    """What an action does where files take 100 bytes."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        return action()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
