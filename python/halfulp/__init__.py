"""halfulp: weakly compressible SPH in robust single precision, with the same bits everywhere.

A case is read or made (:class:`Case`), simulated step by step in this process (:class:`Simulation`) or run as a whole
with all its files (:func:`run`, :func:`resume`, :func:`rerun`, :func:`sweep`), and read from disk (:class:`Run`).
Results have the bits that the program ``halfulp`` gives, on any number of threads, lanes and any back end.
"""

from __future__ import annotations

import os as _os

# How long waiting threads spin, as in the program: with OpenMP's default two threads are many times slower beside another
# busy program. The library reads it when it is loaded, below; a setting of the user's stands.
if "OMP_WAIT_POLICY" not in _os.environ and "GOMP_SPINCOUNT" not in _os.environ:
    _os.environ["GOMP_SPINCOUNT"] = "1000"

from ._processor import refuse_unsupported_processor as _refuse  # noqa: E402

_refuse()

from . import plot  # noqa: E402
from ._halfulp import built_with_cuda, commit as __commit__, version as __version__  # noqa: E402
from ._program import program  # noqa: E402
from .case import Case, shipped_cases  # noqa: E402
from .errors import Error, SimulationBroke  # noqa: E402
from .runs import Comparison, Output, Run, rerun, resume, run  # noqa: E402
from .simulation import Simulation, Snapshot  # noqa: E402
from .sweeps import Sweep, sweep  # noqa: E402

__all__ = ["Case", "Comparison", "Error", "Output", "Run", "Simulation", "SimulationBroke", "Snapshot", "Sweep",
           "built_with_cuda", "plot", "program", "rerun", "resume", "run", "shipped_cases", "sweep",
           "__commit__", "__version__"]
