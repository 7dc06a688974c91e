"""Processes that were forked off one whose threads had computed: OpenMP's threads are not in them, and it waits for them."""

from __future__ import annotations

import os

from .errors import Error


class _Forked:
    """Whether this process is one of those."""

    def __init__(self) -> None:
        self._computed = False
        self._without_threads = False
        os.register_at_fork(after_in_child=self._note)

    def _note(self) -> None:
        self._without_threads = self._computed

    def refuse(self) -> None:
        """Before anything computes.

        Raises
        ------
        Error
            In such a process; exit code 5.
        """
        if self._without_threads:
            raise Error("this process was forked off one in which halfulp had computed, and has lost its threads; start processes with "
                        "multiprocessing's \"spawn\", or with halfulp.sweep.", 5)
        self._computed = True


forked = _Forked()
