"""The examples run, and so do those of the documents; the type hints hold."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SOURCE

import halfulp

EXAMPLES = sorted((SOURCE / "examples/python").glob("*.py"))
COARSER = {"waves": ["0.04"], "walls": ["0.1"]}  # spacings, m, of those that take half a minute as they are


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example, folder):
    if "plot" in example.read_text(encoding="utf-8"):
        pytest.importorskip("matplotlib")
    # On one thread: several wait for each other where other tests run beside them, and take twice the processor's time.
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(Path(halfulp.__file__).parents[1]), "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-B", example, *COARSER.get(example.stem, ())], env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout


PAGES = sorted(page for page in (SOURCE / "docs").rglob("*.md") if "```python" in page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(SOURCE / "docs")))
def test_a_page_s_examples_run(page, folder, monkeypatch, capsys):
    pytest.importorskip("matplotlib").use("Agg")
    text = page.read_text(encoding="utf-8")
    if "import pandas" in text:
        pytest.importorskip("pandas")
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.M | re.S)
    if any("h5py" in block for block in blocks):
        pytest.importorskip("h5py")
    # The runs that pages read, as small as they still do what the page tells.
    if any("out/obstacle" in block for block in blocks):
        obstacle = halfulp.Case(SOURCE / "examples/cases/obstacle.toml").set({"resolution.spacing": 0.02, "time.end": 0.3})
        halfulp.run(obstacle, "out/obstacle", figures=False)
    if any("out/dam-break-2d" in block for block in blocks):
        halfulp.run(halfulp.Case("dam-break-2d").set({"resolution.spacing": 0.06, "time.end": 0.1}), "out/dam-break-2d", figures=False)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)
    assert capsys.readouterr().out


@pytest.mark.parametrize("path", sorted((SOURCE / "examples/cases").glob("*.toml")), ids=lambda path: path.stem)
def test_a_shown_case_runs(path):
    simulation = halfulp.Simulation(halfulp.Case(path).set({"output.figures": False}), threads=1)
    simulation.step(3)
    assert not [warning for warning in simulation.case.warnings if "exceeded" not in warning]


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
