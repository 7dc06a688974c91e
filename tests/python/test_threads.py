"""Simulations and the other threads, signals and processes of a script."""

import _thread
import multiprocessing
import signal
import threading
import time

import numpy as np
import pytest
from conftest import refused, script

import halfulp


def test_the_interpreter_goes_on_during_steps_and_ctrl_c_ends_them(tank):
    tank["time.end"] = 1000.0  # s
    simulation = halfulp.Simulation(tank)
    ended = threading.Event()

    def interrupt():  # another thread of Python: it runs only if steps leave the interpreter free
        while simulation.steps == 0 and not ended.wait(0.001):
            pass
        _thread.interrupt_main()

    helper = threading.Thread(target=interrupt)
    helper.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            simulation.run()
    finally:
        ended.set()
        helper.join()
    assert 0 < simulation.time < 1000
    steps = simulation.steps
    simulation.step()
    assert simulation.steps == steps + 1


def test_a_handler_of_a_signal_looks_at_the_simulation(tank, folder):
    tank["time.end"] = 1000.0  # s
    simulation = halfulp.Simulation(tank)
    seen = []

    def handle(*_):
        seen.append(simulation.steps)
        simulation.checkpoint("cut", overwrite=True)
        if len(seen) == 3:
            raise RuntimeError("enough")

    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)
    try:
        with pytest.raises(RuntimeError, match="enough"):
            simulation.run()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen == sorted(set(seen)) and seen[-1] == simulation.steps
    assert halfulp.Simulation.resume("cut").state_hash == simulation.state_hash


def test_threads_that_look_see_states_of_steps(tank):
    """One thread steps; others see what was there after some number of steps, of the state and of the ledger and probes."""
    tank.set({"output.ledger_every": 1, "probes.floor.interval": 0.0002, "time.end": 0.2})
    hashes, ledger, floor = {}, None, None
    alone = halfulp.Simulation(tank, threads=1)
    for _ in range(150):
        hashes[alone.steps] = alone.state_hash
        alone.step()
    ledger, floor = alone.ledger, alone.probes["floor"]
    simulation = halfulp.Simulation(tank, threads=1)
    stepping = threading.Thread(target=lambda: simulation.step(140))
    seen = []

    def look():
        while stepping.is_alive():
            snapshot, rows, samples = simulation.snapshot(), simulation.ledger, simulation.probes["floor"]
            seen.append((snapshot.step, snapshot.state_hash))
            assert len({len(one) for one in rows.values()}) == 1
            assert np.array_equal(rows["kinetic"], ledger["kinetic"][:len(rows["kinetic"])])
            assert np.array_equal(samples["pressure_fluid"], floor["pressure_fluid"][:len(samples["time"])])

    failures = []

    def watched():
        try:
            look()
        except BaseException as error:  # of a thread, which pytest would only warn of
            failures.append(error)

    looking = [threading.Thread(target=watched) for _ in range(3)]
    stepping.start()
    for thread in looking:
        thread.start()
    for thread in (stepping, *looking):
        thread.join()
    assert not failures
    assert len({step for step, _ in seen}) > 10 and all(hashes[step] == state_hash for step, state_hash in seen)
    # Two that step share the steps out.
    both = [threading.Thread(target=lambda: simulation.step(4)) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert simulation.steps == 148 and simulation.state_hash == hashes[148]


def test_processes_that_were_forked_are_told_to_be_spawned(tank):
    OF_PARENT[:] = [halfulp.Simulation(tank, threads=2)]
    OF_PARENT[0].step()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        for act in (forked_particles, forked_simulation, forked_step, forked_checkpoint):
            sentence = pool.apply_async(act, (tank,)).get(timeout=60)
            assert "forked" in sentence and "spawn" in sentence


def forked_particles(tank):
    return refused(lambda: tank.particles, 5)


def forked_simulation(tank):
    return refused(lambda: halfulp.Simulation(tank), 5)


OF_PARENT = []  # a simulation that a forked process has, too


def forked_step(_):
    return refused(OF_PARENT[0].step, 5)


def forked_checkpoint(_):
    return refused(lambda: OF_PARENT[0].checkpoint("cut"), 5)


def test_a_forked_process_reads_runs_whatever_other_threads_did(tank):
    halfulp.run(tank, "a", figures=False)
    assert script("""
import os, signal, threading, halfulp
halfulp.Run  # is loaded
def read():
    while True:
        halfulp.Run("a").verify()
for _ in range(3):
    threading.Thread(target=read, daemon=True).start()
for _ in range(20):
    process = os.fork()
    if process == 0:
        signal.alarm(10)
        halfulp.Run("a")
        os._exit(0)
    assert os.waitpid(process, 0)[1] == 0
""") == ""


def test_a_handler_and_another_thread_write_checkpoints(tank):
    """Each has what the other waits for only in one order."""
    assert script("""
import signal, threading, halfulp
from conftest import TANK
simulation = halfulp.Simulation({**TANK, "time": {"end": 1000.0, "cfl": 0.2}}, threads=1)
seen = []
def write():
    while len(seen) < 5:
        simulation.checkpoint("thread", overwrite=True)
def handle(*_):
    simulation.checkpoint("handler", overwrite=True)
    seen.append(halfulp.Run("handler").state_hash == simulation.state_hash)
    if len(seen) == 5:
        raise RuntimeError
    signal.setitimer(signal.ITIMER_REAL, 0.05)
signal.signal(signal.SIGALRM, handle)
thread = threading.Thread(target=write)
thread.start()
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    simulation.run()
except RuntimeError:
    thread.join()
print(all(seen), len(seen))
""") == "True 5\n"


@pytest.mark.parametrize("act", ["simulation.run()", "simulation.snapshot()", "halfulp.Run('a').verify()"])
def test_a_program_ends_while_a_thread_is_at_work(tank, act):
    halfulp.run(tank, "a", figures=False)
    assert script(f"""
import threading, time, halfulp
from conftest import TANK
simulation = halfulp.Simulation({{**TANK, "time": {{"end": 1000.0, "cfl": 0.2}}}}, threads=1)
def work():
    while True:
        {act}
threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
""") == ""


def test_what_a_program_has_in_use_at_its_end_is_no_news():
    assert script("""
import ctypes, halfulp
ctypes.pythonapi.Py_IncRef(ctypes.py_object(halfulp.Case("dam-break-2d")._case))
""") == ""

