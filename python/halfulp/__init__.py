"""halfulp: weakly compressible SPH in robust single precision, with the same bits everywhere.

A case is read or made (:class:`Case`), simulated step by step in this process (:class:`Simulation`) or run as a whole
with all its files (:func:`run`, :func:`resume`, :func:`rerun`, :func:`sweep`), and read from disk (:class:`Run`).
Results have the bits that the program ``halfulp`` gives, on any number of threads, lanes and any back end.

What is named here is loaded when it is first asked for. :mod:`halfulp.tables` and :mod:`halfulp.looks` need Python's
standard library alone, :mod:`halfulp.plot` numpy and matplotlib; the others the compiled module of the package.
"""

from __future__ import annotations

import importlib as _importlib
import importlib.util as _importlib_util
import os as _os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import looks, plot, tables
    from ._halfulp import built_with_cuda, commit as __commit__, version as __version__
    from ._program import program
    from .case import Case, shipped_cases
    from .errors import Error, SimulationBroke
    from .outputs import Output
    from .runs import Comparison, Run, rerun, resume, run
    from .simulation import Simulation, Snapshot
    from .sweeps import Sweep, sweep

# How long waiting threads spin, as in the program: with OpenMP's default two threads are many times slower beside another
# busy program. The library reads it when it is loaded, with the module; a setting of the user's stands.
if "OMP_WAIT_POLICY" not in _os.environ and "GOMP_SPINCOUNT" not in _os.environ:
    _os.environ["GOMP_SPINCOUNT"] = "1000"

from ._processor import refuse_unsupported_processor as _refuse  # noqa: E402

_refuse()

__all__ = ["Case", "Comparison", "Error", "Output", "Run", "Simulation", "SimulationBroke", "Snapshot", "Sweep",
           "built_with_cuda", "looks", "plot", "program", "rerun", "resume", "run", "shipped_cases", "sweep", "tables",
           "__commit__", "__version__"]

# Where each name is, and its name there.
_PLACES = {"Case": "case", "shipped_cases": "case", "Error": "errors", "SimulationBroke": "errors", "Comparison": "runs",
           "Output": "outputs", "Run": "runs", "rerun": "runs", "resume": "runs", "run": "runs", "Simulation": "simulation",
           "Snapshot": "simulation", "Sweep": "sweeps", "sweep": "sweeps", "program": "_program",
           "built_with_cuda": "_halfulp", "__commit__": "_halfulp", "__version__": "_halfulp"}
_OWN_MODULES = ("looks", "plot", "tables")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'halfulp' has no attribute {name!r}")
    if name in _OWN_MODULES:
        return _importlib.import_module("." + name, __name__)
    try:
        value = getattr(_importlib.import_module("." + _PLACES[name], __name__), name.strip("_"))
    except ImportError as cause:
        if _importlib_util.find_spec(__name__ + "._halfulp") is not None:
            raise
        raise ImportError(f"halfulp.{name} needs the package's compiled module, which is not in {__path__[0]} for this Python: install "
                          "the package (pip install .), or take it from a build folder (PYTHONPATH=BUILD/python)") from cause
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
