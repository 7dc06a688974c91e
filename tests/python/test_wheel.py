"""A wheel, installed in an empty environment, draws a picture; it is made of what has been built."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import SOURCE

import halfulp

BUILD = os.environ.get("HALFULP_BUILD", "")


# What pip says where PyPI, or a part of a file from it, does not come.
NO_PYPI = ("No matching distribution", "Connection", "Temporary failure", "timed out", "HTTP error", "IncompleteRead", "ProtocolError", "SSL")


def out_of_reach(said):
    return any(word in said for word in NO_PYPI)


@pytest.fixture
def environment(folder):
    """The environment's folder, with the wheel in it."""
    if not BUILD or not (SOURCE / "build/python-environment/bin/auditwheel").exists():
        pytest.skip("there is no build/python-environment with which wheels are made (scripts/python-environment)")
    wheels = folder / "wheels"
    made = subprocess.run([SOURCE / "scripts/wheel", "--built", BUILD, "--into", wheels], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    (wheel,) = wheels.glob("*.whl")
    assert "manylinux" in wheel.name, "the libraries that it needs are not in it"
    with zipfile.ZipFile(wheel) as content:
        licences = [name.split("/")[-2] for name in content.namelist() if name.endswith("/copyright")]
        libraries = [name for name in content.namelist() if name.startswith("halfulp.libs/lib")]
    assert any("hdf5" in name for name in libraries) and any("hdf5" in name for name in licences), licences
    # Without what this test's own Python has installed.
    python = Path(sys.executable).resolve()
    subprocess.run([python, "-m", "venv", folder / "clean"], check=True)
    pip = [folder / "clean/bin/pip", "install", "--disable-pip-version-check", "--no-compile", "-q", "--retries", "2", f"{wheel}[plot]"]
    try:
        done = subprocess.run(pip, capture_output=True, text=True, check=False, timeout=150)
    except subprocess.TimeoutExpired:
        pytest.skip("PyPI, from which a wheel's numpy and matplotlib come, is too slow")
    if done.returncode != 0 and out_of_reach(done.stderr):
        pytest.skip("PyPI, from which a wheel's numpy and matplotlib come, is out of reach")
    assert done.returncode == 0, done.stderr
    return folder / "clean"


def test_a_picture_from_a_wheel(environment, folder):
    alone = {"PATH": f"{environment}/bin:/usr/bin:/bin", "HOME": str(folder), "MPLBACKEND": "Agg"}

    def say(*words):
        done = subprocess.run(words, env=alone, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    python = environment / "bin/python"
    assert Path(say(python, "-c", "import halfulp; print(halfulp.__file__)").strip()).is_relative_to(environment)
    say(python, SOURCE / "examples/python/first_picture.py")
    assert (folder / "out/first_picture.png").read_bytes().startswith(b"\x89PNG")
    # The command is the program, with its cases and scripts beside it, and draws with the environment's Python.
    assert say(environment / "bin/halfulp", "--version").startswith(f"halfulp {halfulp.__version__} ")
    said = say(environment / "bin/halfulp", "run", "dam-break-2d", "--set", "resolution.spacing=0.04", "--set", "time.end=0.02")
    assert "out/dam-break-2d/figures/" in said
    assert (folder / "out/dam-break-2d/figures/particles.png").exists()
    case = halfulp.Case("dam-break-2d").set({"resolution.spacing": 0.04, "time.end": 0.02})
    assert halfulp.Run(folder / "out/dam-break-2d").state_hash == halfulp.run(case, folder / "here", figures=False).state_hash
