"""Simulations in this process: the program's bits, arrays without copies, checkpoints."""

import copy
import ctypes
import gc
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import SWAYING, refused, sway

import halfulp


def assert_same_table(a, b):
    assert list(a) == list(b)
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


CASES = {
    "dam-break-2d": {"resolution.spacing": 0.04, "time.end": 0.1},
    "sway-tank-2d": {"resolution.spacing": 0.04, "time.end": 0.1},
    "ramp-3d": {"time.end": 0.002, "output.interval": 0.001},
}


@pytest.mark.parametrize("name", CASES)
def test_a_simulation_has_the_bits_of_the_program(name):
    case = halfulp.Case(name).set({**CASES[name], "output.figures": False})
    run = halfulp.run(case, "whole", threads=1)
    simulation = halfulp.Simulation(case, threads=2)
    assert simulation.run()
    assert simulation.state_hash == run.state_hash
    assert_same_table(simulation.ledger, run.ledger)
    assert simulation.ledger_row() == {name: column[-1] for name, column in run.ledger.items()}
    assert list(simulation.probes) == list(run.probes)
    for probe in run.probes:
        assert_same_table(simulation.probes[probe], {name: values for name, values in run.probes[probe].items() if "filtered" not in name})
    snapshot = simulation.snapshot()
    last = run.outputs[-1]
    assert (snapshot.time, snapshot.step, snapshot.state_hash) == (last.time, last.step, last.state_hash)
    assert_same_table(snapshot, last)
    assert snapshot.units == last.read().units


def test_a_cut_simulation_goes_on_to_the_bit(tank):
    run = halfulp.run(tank, "whole")
    first = halfulp.Simulation(tank, threads=1)
    first.run(until=0.02)
    first.checkpoint("cut")
    assert halfulp.Run("cut").end_state == "interrupted"
    assert halfulp.Run("cut").verify() == []
    second = halfulp.Simulation.resume("cut", threads=2, lanes=1)
    assert (second.time, second.steps, second.state_hash) == (first.time, first.steps, first.state_hash)
    second.step(3)
    second.checkpoint("cut again")
    second.run()
    assert second.state_hash == run.state_hash
    assert_same_table(second.ledger, run.ledger)
    assert_same_table(second.probes["floor"], run.probes["floor"])
    by_program = halfulp.resume("cut again")
    assert by_program.end_state == "complete" and by_program.state_hash == run.state_hash
    assert_same_table(by_program.ledger, run.ledger)
    assert_same_table(by_program.probes["floor"], run.probes["floor"])


def test_a_simulation_whose_case_names_a_file_goes_on(folder, monkeypatch):
    sway(folder / "sway.csv")
    case = halfulp.Case(SWAYING, name="tank")
    whole = halfulp.Simulation(case)
    first = halfulp.Simulation(case)
    first.run(until=0.02)
    first.checkpoint("cut")
    (folder / "sway.csv").unlink()  # the run has its own copy
    second = halfulp.Simulation.resume("cut/run.h5")
    second.step(3)
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    second.checkpoint("cut again")
    third = halfulp.Simulation.resume("cut again")
    assert whole.run() and third.run()
    assert third.state_hash == whole.state_hash
    assert halfulp.resume("cut again").state_hash == whole.state_hash


def test_no_checkpoint_is_written_when_a_file_of_the_case_has_changed(folder):
    table = folder / "sway.csv"
    sway(table)
    first = halfulp.Simulation(halfulp.Case(SWAYING, name="tank"))
    first.step(3)
    sway(table, 0.003)
    assert "has changed or is gone" in refused(lambda: first.checkpoint("cut"), 1)
    table.unlink()
    assert "has changed or is gone" in refused(lambda: first.checkpoint("cut"), 1)
    assert not (folder / "cut").exists()


def test_a_checkpoint_of_the_end_leaves_no_row_in_a_longer_run(tank):
    later = tank.copy()
    later["time.end"] = 0.08
    tank["output.interval"] = later["output.interval"] = 0.013
    tank["output.ledger_every"] = later["output.ledger_every"] = 7
    whole = halfulp.run(later, "whole")
    simulation = halfulp.Simulation(tank)
    simulation.run()
    simulation.checkpoint("cut")
    assert_same_table(halfulp.resume("cut", until=0.08).ledger, whole.ledger)
    rows = len(simulation.ledger["time"])
    simulation.step(5)  # past the end: every seventh step and where an output is due, as before
    assert len(simulation.ledger["time"]) < rows + 5
    assert "has gone past time.end = 0.05 s" in refused(lambda: simulation.checkpoint("late"), 1)


def test_times_that_are_none_are_refused(tank, folder):
    simulation = halfulp.Simulation(tank)
    for until in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="must be a finite time"):
            simulation.run(until=until)
    for interval in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="0 or more"):
            simulation.run(callback=lambda s: None, interval=interval)
    assert simulation.steps == 0
    simulation.run(until=0.01, callback=lambda s: None, interval=1e-30)  # after every step
    sway(folder / "sway.csv")
    with pytest.raises(ValueError, match="begin with a later time.end"):
        halfulp.Simulation(halfulp.Case(SWAYING)).run(until=0.06)


def test_an_interrupted_run_of_the_program_goes_on_here(tank):
    tank["time.end"] = 1000.0  # s: ends by the interrupt alone
    tank["output.interval"] = 100.0

    ended = threading.Event()

    def interrupt():  # as a terminal's Ctrl-C
        while not Path("cut/run.h5").exists() and not ended.wait(0.001):
            pass
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    helper = threading.Thread(target=interrupt)
    helper.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            halfulp.run(tank, "cut")
    finally:
        ended.set()
        helper.join()
    assert halfulp.Run("cut").end_state == "interrupted"
    simulation = halfulp.Simulation.resume("cut")
    simulation.step(5)
    whole = halfulp.Simulation(tank)
    while whole.steps < simulation.steps:
        whole.step()
    assert whole.state_hash == simulation.state_hash


def test_what_cannot_be_resumed_is_refused(tank):
    halfulp.run(tank, "whole")
    assert "has no checkpoint, as it has ended" in refused(lambda: halfulp.Simulation.resume("whole"), 1)
    assert "nowhere" in refused(lambda: halfulp.Simulation.resume("nowhere"), 1)
    simulation = halfulp.Simulation(tank)
    assert "exists already" in refused(lambda: simulation.checkpoint("whole"), 4)
    simulation.checkpoint("whole", overwrite=True)
    assert halfulp.Simulation.resume("whole").steps == 0


def test_a_callback_comes_at_its_moments_and_can_end_the_run(tank):
    moments = []
    assert halfulp.Simulation(tank).run(callback=lambda s: moments.append(s.time), interval=0.02)
    assert len(moments) == 3 and all(0 <= moment - due < 0.002 for moment, due in zip(moments, (0.02, 0.04, 0.05), strict=True))
    every_step = []
    simulation = halfulp.Simulation(tank)
    assert not simulation.run(callback=lambda s: every_step.append(s.steps) or s.steps < 4)
    assert every_step == [1, 2, 3, 4] and simulation.steps == 4
    with pytest.raises(ZeroDivisionError):
        simulation.run(callback=lambda s: 1 / 0)
    assert simulation.steps == 5
    assert simulation.run()


def test_a_snapshot_owns_its_memory_and_is_not_copied(tank):
    simulation = halfulp.Simulation(tank)
    before = simulation.snapshot()
    position = before["position"]
    fluid, wall = simulation.particles
    assert position.shape == (fluid + wall, 3) and position.dtype == np.float64
    assert before["velocity"].dtype == np.float32 and before["kind"].dtype == np.uint8
    assert before.fluid.sum() == fluid
    # Over memory that is not numpy's; a copy would be numpy's own.
    assert not position.flags.owndata and not isinstance(position.base, np.ndarray)
    kept = position.copy()
    simulation.run()
    assert not np.array_equal(simulation.snapshot()["position"], kept)
    del simulation, before
    gc.collect()
    np.testing.assert_array_equal(position, kept)
    position[0] = 0  # the memory may be written to


def test_a_checkpoint_of_the_end_has_its_row_where_a_run_ends_with_it(tank):
    tank["time.end"] = 0.054
    whole = halfulp.run(tank, "whole")
    simulation = halfulp.Simulation(tank)
    simulation.run()
    simulation.checkpoint("cut")
    run = halfulp.resume("cut")
    assert_same_table(run.ledger, whole.ledger)
    assert run.ledger["time"][-1] == simulation.time


def test_a_simulation_that_goes_on_from_the_end_has_its_row(tank):
    tank["time.end"] = 0.054
    run = halfulp.run(tank, "run", keep_checkpoint=True)
    simulation = halfulp.Simulation.resume("run")
    assert_same_table(simulation.ledger, run.ledger)
    simulation.checkpoint("cut")
    assert_same_table(halfulp.resume("cut").ledger, run.ledger)


def test_a_breakdown_is_an_error_that_stays(tank):
    tank["time.cfl"] = 1.0
    tank["shapes.water.velocity"] = [-29, 0]
    simulation = halfulp.Simulation(tank)
    with pytest.raises(halfulp.SimulationBroke, match="broke down in step") as caught:
        simulation.run()
    broke = caught.value
    assert broke.exit_code == 3 and 0 <= broke.particle < sum(simulation.particles)
    assert broke.step == simulation.steps and broke.time == simulation.time and len(broke.position) == 3
    with pytest.raises(halfulp.SimulationBroke, match="broke down in step"):
        simulation.step()
    assert "is not written" in refused(lambda: simulation.checkpoint("broken"), 3)
    with pytest.raises(halfulp.SimulationBroke, match="broke down in step") as caught:
        halfulp.run(tank, "broken")
    program_s = caught.value
    assert (program_s.particle, program_s.step) == (broke.particle, broke.step)
    assert program_s.position == pytest.approx(broke.position, rel=1e-5) and program_s.time == pytest.approx(broke.time, rel=1e-5)
    assert halfulp.Run("broken").end_state.startswith("stopped: ")


def test_a_changed_rounding_mode_is_noticed(tank):
    simulation = halfulp.Simulation(tank, threads=1)
    simulation.step()
    library = ctypes.CDLL("libm.so.6")
    upward = 0x800
    try:
        assert library.fesetround(upward) == 0
        sentences = [refused(one, 5) for one in (simulation.step, simulation.snapshot, simulation.ledger_row,
                                                 lambda: simulation.state_hash, lambda: simulation.checkpoint("never"))]
    finally:
        library.fesetround(0)
    assert all("round" in sentence for sentence in sentences), sentences
    assert not Path("never").exists()
    simulation.step()
    assert simulation.steps == 2


def test_what_a_machine_has_not_is_refused(tank):
    assert "lanes 3: allowed are" in refused(lambda: halfulp.Simulation(tank, lanes=3), 1)
    assert "tpu" in refused(lambda: halfulp.Simulation(tank, "tpu"), 1)
    assert "threads -1: allowed are 1 to 4096" in refused(lambda: halfulp.Simulation(tank, threads=-1), 1)
    if not halfulp.built_with_cuda():
        assert "CUDA" in refused(lambda: halfulp.Simulation(tank, "cuda"), 5)


def test_fluid_behind_walls_is_noticed_and_remembered():
    # A kernel of three spacings is too wide to keep the water out of the floor.
    case = halfulp.Case("inviscid-tank-2d").set({"resolution.smoothing_ratio": 3, "time.end": 1.2, "output.figures": False})
    run = halfulp.run(case, "a")
    simulation = halfulp.Simulation(case)
    simulation.run()
    told = [warning for warning in simulation.warnings if "through a wall" in warning]
    assert told and told[0] in run.warnings
    simulation.checkpoint("cut")
    assert halfulp.Run("cut").provenance["through_walls"] == run.provenance["through_walls"]


def test_warnings_are_those_of_the_program(tank):
    assert not tank.warnings
    tank.set({"numerics.walls": "dynamic", "numerics.density_diffusion": "fourtakas"})
    assert len(tank.warnings) == 1 and set(tank.warnings) <= set(halfulp.Simulation(tank).warnings)
    assert all(warning in tank.describe() for warning in tank.warnings)
    tank.set({"resolution.spacing": 0.06, "time.step": "fixed", "time.size": 0.003, "time.end": 0.006})
    assert len(tank.warnings) > 1 and tank.warnings == halfulp.run(tank, "warned", figures=False).warnings


def test_arguments_of_a_wrong_type_change_nothing(tank):
    simulation = halfulp.Simulation(tank, threads=np.int64(1), lanes=np.int64(1))
    for call, sentence in ((lambda: simulation.step(1.5), "count is 1.5, but must be a whole number"),
                           (lambda: simulation.run(until="1"), "until is '1', but must be a number"),
                           (lambda: simulation.run(interval=None), "interval is None, but must be a number"),
                           (lambda: halfulp.Simulation(tank, neighbours=3),
                            'neighbours is 3, but must be "auto", "stored", "compact", "masks" or "none"')):
        with pytest.raises(TypeError, match=f"^{sentence}$"):
            call()
    with pytest.raises(ValueError, match="^threads is 1099511627776, but must be at most 2147483647, or None"):
        halfulp.Simulation(tank, threads=2**40)
    assert simulation.steps == 0


def test_a_callback_stops_with_a_truth_value_of_numpy(tank):
    simulation = halfulp.Simulation(tank)
    assert simulation.run(callback=lambda one: one.snapshot()["position"].max() < 0) is False and simulation.steps == 1
    assert simulation.run(until=0.01, callback=lambda one: 0) is True, "a number is no answer"


def test_what_is_damaged_is_said_when_a_run_goes_on(tank):
    simulation = halfulp.Simulation(tank)
    simulation.step(20)
    simulation.checkpoint("cut")
    assert "overwrite=True" in refused(lambda: simulation.checkpoint("cut"), 4)
    file = next(Path("cut").glob("checkpoint*"))
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert re.search(r"cut has no checkpoint that is whole: .*checkpoint\.1 is damaged", refused(lambda: halfulp.Simulation.resume("cut"), 1))
    with pytest.warns(UserWarning, match="checkpoint.1 is damaged"):
        assert halfulp.resume("cut", figures=False).end_state == "complete"


def test_an_older_checkpoint_is_told_of(tank):
    tank.write("tank.toml")
    process = subprocess.Popen([halfulp.program(), "run", "tank.toml", "-o", "cut", "--set", "time.end=1000", "--checkpoint-every", "0.05",
                                "--quiet", "--no-figures"], stdout=subprocess.DEVNULL)
    while len(list(Path("cut").glob("checkpoint.?"))) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    newest = max(Path("cut").glob("checkpoint.?"), key=lambda one: one.stat().st_mtime_ns)
    content = bytearray(newest.read_bytes())
    content[len(content) // 2] ^= 1
    newest.write_bytes(content)
    with pytest.warns(UserWarning, match=rf"{newest.name} is damaged"):
        simulation = halfulp.Simulation.resume("cut")
    assert any("is damaged" in one for one in simulation.warnings)


def test_snapshots_and_outputs_are_equal_to_themselves(tank):
    snapshot = halfulp.Simulation(tank).snapshot()
    assert snapshot == snapshot and snapshot != halfulp.Simulation(tank).snapshot() and len({snapshot, snapshot}) == 1
    outputs = halfulp.run(tank, "a", figures=False).outputs
    assert outputs.index(outputs[2]) == 2 and outputs[1] in outputs
    assert outputs[1].count == int(outputs[1].fluid.sum()) + int((outputs[1]["kind"] == 1).sum())


def test_a_command_line_may_name_files_that_are_no_unicode(tank, monkeypatch):
    monkeypatch.setattr(sys, "orig_argv", ["python", "\udcff.py"])
    halfulp.Simulation(tank).checkpoint("cut")
    assert "\\udcff.py" in halfulp.Run("cut").provenance["command"]


def test_a_simulation_is_not_copied(tank):
    simulation = halfulp.Simulation(tank)
    for act in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="^a simulation cannot be copied or pickled; write a checkpoint, "):
            act(simulation)
