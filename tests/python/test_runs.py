"""Whole runs by the program, and runs on disk."""

import contextlib
import csv
import gc
import os
import pickle
import signal
import warnings
from pathlib import Path

import numpy as np
import pytest
from conftest import SWAYING, on_a_full_disk, refused, script, sway

import halfulp


def test_a_run_says_and_writes_what_the_program_does(tank, folder):
    lines = []
    run = halfulp.run(tank, "a", messages=lines.append, figures=False)
    assert lines[0].startswith("tank: A small tank") and any(run.state_hash in line for line in lines)
    assert (run.end_state, len(run.outputs), run.case.text) == ("complete", 6, tank.text)
    assert halfulp.run(tank, figures=False).folder.resolve() == folder / "out" / "tank"
    with open("a/ledger.csv", newline="", encoding="utf-8") as file:
        heading, *rows = csv.reader(file)
    table = run.ledger
    assert heading == [f"{name}[{unit}]" for name, unit in run.ledger_units.items()]
    np.testing.assert_array_equal(np.array(rows, dtype=float), np.column_stack(list(table.values())))
    assert "exists already" in refused(lambda: halfulp.run(tank, "a"), 4)
    assert halfulp.run(tank, "a", overwrite=True).state_hash == run.state_hash


def test_outputs_are_read_when_they_are_asked_for(tank, folder):
    run = halfulp.run(tank, "a", figures=False)
    assert [output.name for output in run.outputs] == [f"{k:06}" for k in range(6)]
    third = run.outputs.at(0.025)
    assert third is run.outputs[3] and third.time >= 0.025
    with pytest.raises(ValueError, match=r"no output at or after 99 s; its last output is at 0\.05"):
        run.outputs.at(99)
    with pytest.raises(TypeError, match="^time is 'a', but must be a number$"):
        run.outputs.at("a")
    assert third["position"].shape == (third.count, 3) and third["pressure"].shape == (third.count,)
    with pytest.raises(ValueError, match="read-only"):
        third["pressure"][0] = 0
    with pytest.raises(KeyError, match="output 000003 has no column colour"):
        third["colour"]
    data = bytearray((folder / "a/outputs/000002.h5").read_bytes())
    data[-100] ^= 1
    (folder / "a/outputs/000002.h5").write_bytes(data)
    assert run.outputs[1]["velocity"].shape == (third.count, 3)
    assert "000002.h5" in refused(lambda: run.outputs[2]["velocity"], 1)
    damages = run.verify()
    assert len(damages) == 1 and "000002.h5" in damages[0]


def test_only_chosen_columns_are_there(tank):
    tank.set({"output.columns": ["position", "pressure"], "output.particles": "fluid", "output.precision": "single"})
    last = halfulp.run(tank, "a", figures=False).outputs[-1]
    assert [name for name in last if name != "id"] == ["position", "pressure"]
    assert last.count == 100 and last["pressure"].dtype == np.float32


def test_another_run_in_its_place_is_noticed(tank):
    first = halfulp.run(tank, "a", figures=False)
    same = pickle.loads(pickle.dumps(first))
    assert same.compare(first) and same.verify() == []
    kept, output = pickle.dumps(first), pickle.dumps(first.outputs.last)
    second = halfulp.run(tank.set({"time.cfl": 0.1}), "a", overwrite=True, figures=False)
    assert pickle.loads(pickle.dumps(second)).state_hash == second.state_hash
    for call in (lambda: first.compare(second), lambda: second.compare(first), first.verify, lambda: pickle.loads(kept)):
        assert "no longer holds the run that was there" in refused(call, 1)
    with pytest.raises(ValueError, match="has no output 000005 of state .* any more"):
        pickle.loads(output)


def test_a_run_that_was_damaged_since_is_verified(tank):
    run = halfulp.run(tank, "a", figures=False)
    content = bytearray(Path("a/run.h5").read_bytes())
    content[len(content) // 2] ^= 1
    Path("a/run.h5").write_bytes(content)
    assert any("run.h5" in one for one in run.verify())


def test_a_resumed_run_is_the_same_run(tank):
    simulation = halfulp.Simulation(tank)
    simulation.step(20)
    simulation.checkpoint("a")
    cut = halfulp.Run("a")
    kept = pickle.dumps(cut)
    whole = halfulp.resume("a", figures=False)
    assert cut.verify() == [] and cut.compare(whole) and pickle.loads(kept).state_hash == whole.state_hash
    assert halfulp.Run("a").outputs[0].state_hash == cut.outputs[0].state_hash


def test_a_program_that_is_killed_says_by_what(tank):
    def kill(line):
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                if int(stat.read_text().rpartition(")")[2].split()[1]) == os.getpid():  # a child
                    os.kill(int(stat.parent.name), signal.SIGKILL)

    sentence = refused(lambda: halfulp.run(tank.set({"time.end": 1000}), "a", figures=False, messages=kill), 137)
    assert sentence.startswith("the program was ended by signal 9 (SIGKILL), which the system sends where there is not enough memory;"), sentence


def test_an_empty_name_is_no_folder(tank):
    halfulp.run(tank, ".", figures=False)
    first = halfulp.Run(".")
    for call in (lambda: halfulp.Run(""), lambda: halfulp.resume(""), lambda: halfulp.rerun(""), lambda: first.compare(""),
                 lambda: halfulp.Simulation.resume("")):
        with pytest.raises(ValueError, match="is empty, but must name a folder"):
            call()


def test_runs_are_compared_to_the_bit(tank):
    a = halfulp.run(tank, "a", figures=False, threads=1)
    b = halfulp.run(tank, "b", figures=False, threads=2, lanes=1)
    assert a.compare(b) and a.compare("b").report.startswith("equal to the bit")
    tank["fluid.artificial_viscosity"] = 0.0500001
    c = halfulp.run(tank, "c", figures=False)
    assert not a.compare(c) and a.compare(c).report.startswith("different")
    again, same = halfulp.rerun("a", "again", figures=False)
    assert same and again.state_hash == a.state_hash


def test_a_complete_run_goes_on_to_a_later_end(tank):
    whole = halfulp.run(tank, "whole", figures=False)
    tank["time.end"] = 0.023
    halfulp.run(tank, "cut", keep_checkpoint=True, figures=False)
    run = halfulp.resume("cut", until=0.05, figures=False)
    assert run.state_hash == whole.state_hash and run.case["time.end"] == 0.05 and run.compare(whole)
    np.testing.assert_array_equal(run.ledger["step"], whole.ledger["step"])
    assert "has no checkpoint of its end" in refused(lambda: halfulp.resume("cut", until=0.1), 1)


def test_the_ledger_is_the_same_with_and_without_pandas(tank):
    run = halfulp.run(tank, "a", figures=False)
    assert isinstance(run.ledger, dict) and run.ledger["total"][-1] == run.ledger["total"][len(run.ledger["total"]) - 1]
    frame = pytest.importorskip("pandas").DataFrame(run.ledger)
    assert run.ledger_frame().equals(frame)


def test_what_is_no_run_is_refused(folder):
    (folder / "empty").mkdir()
    assert "empty holds no run" in refused(lambda: halfulp.Run("empty"), 1)
    assert "nowhere" in refused(lambda: halfulp.Run("nowhere"), 1)
    assert "nowhere" in refused(lambda: halfulp.resume("nowhere"), 1)


def test_a_case_whose_file_has_changed_is_not_run_as_it_was_read(tank, folder):
    tank.write("tank.toml")
    case = halfulp.Case("tank.toml")
    case["time.cfl"] = 0.1
    run = halfulp.run(case, "a", figures=False)
    assert run.case["time.cfl"] == 0.1 and run.provenance["case_path"] == str(folder / "tank.toml")
    (folder / "tank.toml").write_text(tank.text + "\n# another\n")
    assert "has changed since" in refused(lambda: halfulp.run(case, "b"), 1)


def test_arguments_of_a_wrong_type_are_told_in_a_sentence(tank):
    calls = {"threads": (1.5, "two"), "backend": (None, 1), "device": ("0", 1.5), "lanes": (None, 1.5)}
    for call in (lambda **one: halfulp.run(tank, "a", **one), lambda **one: halfulp.resume("a", **one),
                 lambda **one: halfulp.rerun("a", **one), lambda **one: halfulp.Simulation(tank, **one)):
        halfulp.run(tank, "a", overwrite=True, figures=False)
        for name, values in calls.items():
            for value in values:
                with pytest.raises(TypeError) as caught:
                    call(**{name: value})
                assert str(caught.value).startswith(f"{name} is {value!r}, but must be ") and "\n" not in str(caught.value)
    for call in (lambda: halfulp.run(tank, "a", checkpoint_every="often"), lambda: halfulp.resume("a", until="later")):
        with pytest.raises(TypeError, match="(checkpoint_every is 'often'|until is 'later'), but must be a number$"):
            call()
    with pytest.raises(TypeError, match="^device is '1', but must be a whole number, or several of them$"):
        halfulp.run(tank, "a", device=(0, "1"))
    assert halfulp.run(tank, "b", figures=False, threads=np.int32(1), checkpoint_every=np.float32(5)).end_state == "complete"


def test_values_may_be_longer_than_a_word_of_a_command_line(folder):
    sway(folder / "sway.csv")
    case = halfulp.Case(SWAYING, name="tank")
    corners = [[0.5 * k / 5000, 0.5] for k in range(5001)]
    case.set({"shapes.water": {"name": "water", "kind": "fluid", "polygon": [[0, 0], *corners, [0.5, 0]]}, "title": "a" * 140_000})
    (folder / "file.toml").write_text(halfulp.Case(SWAYING).text)
    for k, long in enumerate((case, halfulp.Case("file.toml").set({"title": "a" * 140_000}))):
        run = halfulp.run(long, f"run-{k}", figures=False)
        assert run.case.text == long.text and run.end_state == "complete"
    assert "has 1" in (sentence := refused(lambda: halfulp.sweep(case, {"time.cfl": [0.1]}, "s"), 1)) and "131,071" in sentence


def test_names_of_folders_may_begin_with_a_hyphen(tank):
    tank["time.end"] = 0.02
    halfulp.run(tank, "-r", keep_checkpoint=True, figures=False)
    assert halfulp.resume("-r", until=0.03, figures=False).end_state == "complete"
    again, same = halfulp.rerun("-r", figures=False)
    assert same and again.folder.name == "-r-again"


def test_sentences_name_files_as_the_case_or_the_run_does(folder):
    sway(folder / "sway.csv")
    case = halfulp.Case(SWAYING, name="swaying").set({"time.end": 0.02})
    halfulp.run(case, "run", keep_checkpoint=True, figures=False)
    said = "sway.csv lasts from 0 to 0.05 s, but must last from 0 to time.end = 0.08 s"
    assert refused(lambda: halfulp.resume("run", until=0.08), 1).startswith(
        f"run/run.h5: motions.sway.translation.table.file: run/inputs/0-{said}")
    case["time.end"] = 0.08
    sentence = refused(lambda: halfulp.run(case, "later"), 1)
    assert sentence.startswith(f'case "swaying" of a dict: motions.sway.translation.table.file: {said}')


def test_h5py_may_have_files_of_a_run_open(tank):
    h5py = pytest.importorskip("h5py")
    run = halfulp.run(tank, "a", figures=False)
    with h5py.File("a/run.h5") as file:
        output = file["outputs/000001"]
        assert run.compare("a") and len(halfulp.Run("a").ledger["time"]) > 1
        assert np.array_equal(halfulp.Run("a").outputs[1]["velocity"], output["velocity"][:])
    assert run.verify() == []


def test_another_process_reads_a_run(tank):
    run = halfulp.run(tank, "a", figures=False)
    again = pickle.loads(pickle.dumps(run))
    output = pickle.loads(pickle.dumps(run.outputs[-1]))
    assert (output.name, output.state_hash) == (run.outputs[-1].name, run.outputs[-1].state_hash)
    assert (output["velocity"] == run.outputs[-1]["velocity"]).all()
    assert again.state_hash == run.state_hash and again.folder == run.folder


def test_nothing_is_left_open(tank):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        halfulp.run(tank, "a", figures=False)
        refused(lambda: halfulp.run(tank, "a"), 4)
        gc.collect()


def test_folders_have_names(tank, folder):
    for act in (lambda: halfulp.run(tank, ""), lambda: halfulp.Simulation(tank).checkpoint("")):
        with pytest.raises(ValueError, match="is empty, but must name a folder"):
            act()
    with pytest.raises(TypeError, match="folder is None, but must be a path"):
        halfulp.resume(None)
    with pytest.raises(TypeError, match="messages is 3, but must be a function"):
        halfulp.run(tank, "a", messages=3)
    assert not list(folder.iterdir())


def test_names_of_folders_and_cases_may_be_no_unicode(tank, folder):
    odd = "o\udcffdd"  # as Python has a byte 0xff
    os.mkdir(odd)
    tank.write(f"{odd}/\udcff.toml")
    case = halfulp.Case(f"{odd}/\udcff.toml")
    run = halfulp.run(case, f"{odd}/run", figures=False)
    assert (run.folder, case.name, halfulp.Simulation(case).case.name) == (folder / odd / "run", "\udcff", "\udcff")
    assert "o\\xffdd/\\xff.toml" in run.provenance["case_path"] and run.end_state == "complete"
    with open(f"{odd}/\udcfe.toml", "w", encoding="utf-8") as file:  # without a title, for which the name stands
        file.writelines(line + "\n" for line in tank.text.splitlines() if not line.startswith("title"))
    other = halfulp.run(f"{odd}/\udcfe.toml", f"{odd}/other", figures=False)
    assert (other.case.title, halfulp.Case(f"{odd}/\udcfe.toml").title) == ("\\xfe", "\\xfe")
    assert run.verify() == [] and run.compare(halfulp.run(tank, "a", figures=False))
    with open(f"{odd}/run/ledger.csv", "a", encoding="utf-8") as file:
        file.write("more")
    assert "o\\xffdd/run/ledger.csv is not what run.h5 says" in run.verify()[0]
    again, same = halfulp.rerun(f"{odd}/run", figures=False)
    assert same and again.folder == folder / odd / "run-again"


def test_what_no_file_is_called_is_refused(tank):
    run = halfulp.run(tank, "a", figures=False)
    simulation = halfulp.Simulation(tank)
    for name in ("a\0b", "\ud800"):
        for act in (halfulp.Run, halfulp.Case, halfulp.resume, halfulp.rerun, halfulp.Simulation.resume, halfulp.Sweep, halfulp.tables.read,
                    run.compare, simulation.checkpoint, tank.write, lambda one: halfulp.run(tank, one),
                    lambda one: halfulp.sweep(tank, {"time.cfl": [0.1]}, one), lambda one: halfulp.Case(tank.as_dict(), folder=one)):
            with pytest.raises(ValueError, match="^[a-z]+ is '.*', but must be a name that a file can have"):
                act(name)
        for act in (lambda one: halfulp.run(tank, "b", backend=one), lambda one: halfulp.Simulation(tank, lanes=one)):
            with pytest.raises(TypeError, match="^(backend|lanes) is '.*', but must be "):
                act(name)
    for act in (lambda: halfulp.Case.from_text("\ud800"), lambda: halfulp.Case(tank.as_dict(), name="\ud800")):
        with pytest.raises(TypeError, match="^(text|name) is "):
            act()
    with pytest.raises(TypeError) as caught:
        halfulp.Case.from_text("\ud800" * 1000)
    assert len(str(caught.value)) < 300, "in a sentence"


def test_a_run_without_outputs_says_so(tank):
    run = halfulp.run(tank, "a", figures=False)
    assert run.outputs.last is run.outputs[-1]
    run.outputs = halfulp.runs.Outputs([])
    with pytest.raises(ValueError, match="^the run has no outputs$"):
        run.state_hash  # noqa: B018


def test_the_present_folder_may_change_during_a_run(tank, folder, monkeypatch):
    (folder / "sub").mkdir()

    def go(_):
        os.chdir(folder / "sub")

    def act(call):
        monkeypatch.chdir(folder)
        return call()

    tank["time.end"] = 0.02
    assert act(lambda: halfulp.run(tank, "a", keep_checkpoint=True, messages=go, figures=False)).folder == folder / "a"
    assert act(lambda: halfulp.rerun("a", "b", messages=go, figures=False))[1]
    assert act(lambda: halfulp.resume("a", until=0.03, messages=go, figures=False)).folder == folder / "a"
    assert act(lambda: halfulp.sweep(tank, {"time.cfl": [0.1]}, "s", messages=go)).folder == folder / "s"
    assert " -o a " in halfulp.Run(folder / "a").provenance["command"], "as it was said"


def test_texts_are_the_same_in_any_locale(folder):
    said = script("""
import sys, halfulp
from conftest import TANK
assert sys.getfilesystemencoding() == "ascii"
case = halfulp.Case(TANK).set({"title": "Wasserkästchen"})
lines = []
run = halfulp.run(case, "a", figures=False, messages=lines.append)
sweep = halfulp.sweep(case, {"title": ["größer"]}, "s")
print(ascii([case.title in lines[0], run.case.title, sweep.rows[0]["title"], sweep[0].case.title]))
""", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert said == ascii([True, "Wasserkästchen", "größer", "größer"]) + "\n"


def test_a_full_temporary_folder_is_named(tank, folder, monkeypatch):
    for act in (lambda: halfulp.run(tank, "a"), lambda: halfulp.sweep(tank, {"time.cfl": [0.1]}, "s")):
        assert refused(lambda act=act: on_a_full_disk(act), 4) == (
            "the temporary files of tank cannot be written: File too large; TMPDIR names another folder for them.")
    with pytest.raises(ZeroDivisionError):
        halfulp.run(tank, "a", messages=lambda _: 1 / 0)
    with pytest.raises(FileNotFoundError, match="mine"):  # the script's own
        halfulp.run(tank, "b", messages=lambda _: open("mine"))
