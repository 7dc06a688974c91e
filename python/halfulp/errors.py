"""Errors of the package: the program's own sentences and exit codes."""

from __future__ import annotations


class Error(Exception):
    """What a user can correct, in one sentence: what was found where, what is allowed, the remedy.

    Attributes
    ----------
    exit_code : int
        With which the program ends for the same cause: 1 bad input, 3 the simulation broke down, 4 writing failed,
        5 this machine cannot do it.
    """

    def __init__(self, sentence: str, exit_code: int = 1) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


class SimulationBroke(Error):
    """A particle broke a rule of :doc:`physics`, such as the bound on the density; no step follows.

    Attributes
    ----------
    particle : int or None
        Id of the particle, its row in snapshots of all particles. This and the following are None where the run breaks no
        rule of a particle, and to six digits where the program carried it out.
    position : tuple of float or None
        Where it was, m, three components.
    time : float or None
        Of the start of the step that failed, s.
    step : int or None
        Number of steps before it.
    exit_code : int
        3.
    """

    def __init__(self, sentence: str, particle: int | None = None, position: tuple[float, float, float] | None = None,
                 time: float | None = None, step: int | None = None) -> None:
        super().__init__(sentence, 3)
        self.particle = particle
        self.position = position
        self.time = time
        self.step = step
