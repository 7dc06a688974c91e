"""Finds the Python package of this version, for scripts that use it: beside validation/ in the sources, in the same folder
where it is installed. Its tables and looks need no compiled module, nor anything but Python's standard library."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Before any other version that is installed.
sys.path[:0] = [str(place) for place in (HERE.parent / "python", HERE / "python") if (place / "halfulp").is_dir()]
