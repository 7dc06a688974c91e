"""The examples run, and so does what docs/python.md shows; the type hints hold."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SOURCE

import halfulp

EXAMPLES = sorted((SOURCE / "examples/python").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example, folder):
    if "plot" in example.read_text(encoding="utf-8"):
        pytest.importorskip("matplotlib")
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(Path(halfulp.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-B", example], env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout


def test_the_document_s_examples_run(folder, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    text = (SOURCE / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.M | re.S)
    assert len(blocks) >= 5
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)


def test_the_document_names_everything():
    text = (SOURCE / "docs/python.md").read_text(encoding="utf-8")
    for name in halfulp.__all__:
        assert name.startswith("__") or re.search(rf"\b{name}\b", text), f"docs/python.md does not name {name}"


def test_every_public_function_is_documented():
    for name in halfulp.__all__:
        one = getattr(halfulp, name)
        if isinstance(one, str):
            continue
        assert one.__doc__, name
        for key, member in vars(one).items() if isinstance(one, type) else ():
            if not key.startswith("_") and (callable(member) or isinstance(member, (property, classmethod))):
                assert getattr(one, key).__doc__, f"{name}.{key}"


def test_the_type_hints_hold(folder):
    pytest.importorskip("mypy")
    environment = {**os.environ, "MYPYPATH": str(Path(halfulp.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", SOURCE / "pyproject.toml", "--cache-dir", folder / "cache"],
                          env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
