"""The program that lies in the package, and what it says."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from .errors import Error, SimulationBroke

Messages = Callable[[str], object]

# What sentences of the program name, as the functions here call it.
_ARGUMENTS = {"--overwrite": "overwrite=True", "--keep-checkpoint": "keep_checkpoint=True",
              **{f"--{name}": name for name in ("backend", "threads", "lanes", "devices", "device", "neighbours", "jobs", "until")},
              "--checkpoint-every": "checkpoint_every"}

_BROKE = 3
_DIFFERS = 2
COMPLAINT = "halfulp: "  # with which a line begins that tells of something wrong


def in_arguments(sentence: str) -> str:
    """A sentence of the program, in the words of the functions here."""
    for option, argument in _ARGUMENTS.items():
        sentence = re.sub(rf"(?<![\w-]){option}(?![\w-])", argument, sentence)  # not within the name of a file
    return sentence.removesuffix("; --help, also after a command, lists commands and options")


@contextlib.contextmanager
def in_words_of_python() -> Iterator[None]:
    """Errors are told so."""
    try:
        yield
    except Error as error:
        error.args = (in_arguments(str(error)),)
        raise


def program() -> Path:
    """The program ``halfulp`` of this package.

    Returns
    -------
    pathlib.Path
        Its file, which the command ``halfulp`` starts.
    """
    return Path(__file__).resolve().parent / "bin" / "halfulp"


def main() -> None:
    """The command ``halfulp``: becomes the program."""
    os.environ.setdefault("HALFULP_PYTHON", sys.executable)
    os.execv(program(), ["halfulp", *sys.argv[1:]])


def carry_out(words: Sequence[str | bytes], messages: Messages | None, accepted: Sequence[int] = (0,), *,
              scratch: str | None = None) -> tuple[int, str]:
    """Runs the program and returns its exit code and what it printed.

    words: names of files as texts; what is read as TOML as bytes, since TOML is UTF-8 whatever names of files are.
    scratch: a temporary folder with the case and the files that it names; these are told by their names in the case.

    Its lines are passed on as they come. Ctrl-C is passed on once, so that a run ends with its state and a checkpoint
    written, and then raised here. An exit code that is not accepted is raised with the program's sentence.
    """
    # Processes of an MPI program may each have runs of their own: without these the program takes itself for one of several.
    of_launcher = ("OMPI_", "PMI_", "PMIX_")
    environment = {"HALFULP_PYTHON": sys.executable,
                   **{name: value for name, value in os.environ.items() if not name.startswith(of_launcher)}}
    # In a group of its own: a terminal's Ctrl-C reaches this process alone, and the program by it. Python has it in its main thread
    # only; what another thread has started gets it from the terminal.
    alone = threading.current_thread() is threading.main_thread()
    try:
        process = subprocess.Popen([program(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, encoding="utf-8", errors="replace", env=environment, start_new_session=alone)
    except OSError as error:
        if error.errno != errno.E2BIG:
            raise
        longest = os.fsdecode(max(words, key=len))
        raise Error(f"{longest[:20]}... has {len(os.fsencode(longest))} bytes, and all words for the program together "
                    f"{sum(len(os.fsencode(word)) for word in words)}, but Linux takes 131,071 and some 2 million: give shorter values, "
                    "fewer of them, or long ones in the dict or the text of the case.") from error
    lines: list[str] = []
    interrupted = False
    assert process.stdout is not None
    while True:
        try:
            for line in process.stdout:
                said = line.rstrip("\n")
                lines.append(said.replace(f"{scratch}/", "") if scratch else said)
                if messages is not None:
                    messages(lines[-1])
            code = process.wait()
            break
        except KeyboardInterrupt:
            interrupted = True
            process.send_signal(signal.SIGINT)
        except BaseException:  # of messages
            process.terminate()
            process.wait()
            process.stdout.close()
            raise
    process.stdout.close()
    if interrupted:
        raise KeyboardInterrupt
    if code in accepted:
        return code, "\n".join(lines)
    if code < 0:
        raise Error(f"the program was ended by signal {-code}{_cause_of(-code)}; what it had written by then is kept.", 128 - code)
    sentences = [line.removeprefix(COMPLAINT) for line in lines if line.startswith(COMPLAINT)]
    sentence = in_arguments(sentences[-1] if sentences else f"the program ended with exit code {code}: " + " ".join(lines[-3:]))
    if code == _BROKE:
        raise _broke(sentence)
    raise Error(sentence, code)


def _cause_of(number: int) -> str:
    """Its name, and what it often means."""
    name = f" ({signal.Signals(number).name})" if number in set(signal.Signals) else ""
    return name + (", which the system sends where there is not enough memory" if number == signal.SIGKILL else "")


def _broke(sentence: str) -> SimulationBroke:
    """With what the sentence says of where and when, to six digits."""
    found = re.search(r"broke down in step (\d+) \(t = (\S+) s\): \w+ particle (\d+) at \((\S+), (\S+), (\S+)\) m", sentence)
    if found is None:
        return SimulationBroke(sentence)
    step, time, particle, x, y, z = found.groups()
    return SimulationBroke(sentence, int(particle), (float(x), float(y), float(z)), float(time), int(step) - 1)
