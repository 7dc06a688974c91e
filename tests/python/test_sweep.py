"""Sweeps by the program."""

import fcntl
import os

import pytest
from conftest import SWAYING, refused, sway

import halfulp


def test_every_run_is_what_it_is_alone_and_is_kept(tank, folder):
    values = {"time.cfl": [0.1, 0.2], "gravity": [[0, -9.81], [1, -5]]}
    sweep = halfulp.sweep(tank, values, "s", jobs=2)
    assert [(row["run"], row["time.cfl"], row["gravity"]) for row in sweep.rows] == [
        ("0000", 0.1, [0.0, -9.81]), ("0001", 0.1, [1.0, -5.0]), ("0002", 0.2, [0.0, -9.81]), ("0003", 0.2, [1.0, -5.0])]
    assert all(row["end_state"] == "complete" and row["total"] == sweep[k].ledger["total"][-1] for k, row in enumerate(sweep.rows))
    tank.set({"time.cfl": 0.1, "gravity": [1, -5]})
    assert halfulp.run(tank, "alone", figures=False).state_hash == sweep.rows[1]["state_hash"]
    tank.set({"time.cfl": 0.2, "gravity": [0, -9.81]})
    when = (folder / "s/0003/run.h5").stat().st_mtime_ns
    again = halfulp.sweep(tank, values, "s")
    assert (folder / "s/0003/run.h5").stat().st_mtime_ns == when, "it was not run again"
    assert [row["state_hash"] for row in again.rows] == [row["state_hash"] for row in sweep.rows]
    assert len(again.rows) == 4
    frame = pytest.importorskip("pandas").DataFrame(again.rows)
    assert again.frame().equals(frame)


def test_names_are_names(tank):
    sweep = halfulp.sweep(tank, {"numerics.kernel": ["wendland-c2", "cubic-spline"]}, "k", jobs=2)
    assert [row["numerics.kernel"] for row in sweep.rows] == ["wendland-c2", "cubic-spline"]
    for wrong in (0.1, "wendland-c2"):
        with pytest.raises(TypeError, match="numerics.kernel"):
            halfulp.sweep(tank, {"numerics.kernel": wrong}, "w")


def test_a_wrong_value_is_said_before_any_runs(tank, folder):
    assert "time.cfl is 5" in refused(lambda: halfulp.sweep(tank, {"time.cfl": [0.1, 5]}, "s"), 1)
    assert not (folder / "s").exists()


def test_a_run_with_another_table_is_not_kept(folder):
    sway(folder / "sway.csv")
    first = halfulp.sweep(halfulp.Case(SWAYING), {"time.cfl": [0.1, 0.2]}, "s")
    sway(folder / "sway.csv", 0.003)
    assert "holds a run with another sway.csv" in refused(lambda: halfulp.sweep(halfulp.Case(SWAYING), {"time.cfl": [0.1, 0.2]}, "s"), 1)
    sway(folder / "sway.csv")
    again = halfulp.sweep(halfulp.Case(SWAYING), {"time.cfl": [0.1, 0.2]}, "s")
    assert [row["state_hash"] for row in again.rows] == [row["state_hash"] for row in first.rows]


def test_the_table_of_a_sweep_that_is_not_complete_is_read(tank, folder):
    halfulp.sweep(tank, {"time.cfl": [0.1, 0.2]}, "s")
    lines = (folder / "s/sweep.csv").read_text().splitlines()
    (folder / "s/sweep.csv").write_text("\n".join([*lines[:2], lines[2].split(",")[0] + ",0.2,,,"]) + "\n")
    row = halfulp.Sweep("s").rows[1]
    assert (row["time.cfl"], row["end_state"], row["total"]) == (0.2, None, None)


def test_texts_may_have_any_letters(tank):
    tank["time.end"] = 0.01
    texts = ['a "b", "c"', "a\\", 'x"', '\\"', "a, b", "it's", "'", "[a", "1.5", "two\nlines"]
    sweep = halfulp.sweep(tank, {"title": texts}, "s")
    assert [row["title"] for row in sweep.rows] == texts
    assert [run.case["title"] for run in (sweep[k] for k in range(len(texts)))] == texts


def test_arguments_of_a_wrong_type_are_told_in_a_sentence(tank, folder):
    assert refused(lambda: halfulp.sweep(tank, {"time.cfl": [0.1]}, "s", jobs=0), 1) == (
        "jobs 0: allowed are 1 and more runs at a time; leave it out for as many as cores.")
    for name, value in (("jobs", 1.5), ("jobs", "2"), ("backend", None), ("device", "0")):
        with pytest.raises(TypeError, match=f"^{name} is {value!r}, but must be "):
            halfulp.sweep(tank, {"time.cfl": [0.1]}, "s", **{name: value})
    assert not (folder / "s").exists()


def test_files_that_are_varied_are_found_beside_the_case(folder, monkeypatch):
    sway(folder / "sway.csv")
    sway(folder / "sub/wide.csv", 0.004)
    key = "motions.sway.translation.table.file"
    case = halfulp.Case(SWAYING)
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    sweep = halfulp.sweep(case, {key: ["sway.csv", "sub/wide.csv", str(folder / "sub/wide.csv")]}, "s")
    assert [row["end_state"] for row in sweep.rows] == ["complete"] * 3
    assert [row[key] for row in sweep.rows] == ["sway.csv", "sub/wide.csv", str(folder / "sub/wide.csv")]
    hashes = [row["state_hash"] for row in sweep.rows]
    assert hashes[0] != hashes[1] == hashes[2]
    table = {"file": "sub/wide.csv", "time": "t_s", "column": "x"}
    assert halfulp.sweep(case, {"motions.sway.translation.table": [table]}, "t").rows[0]["state_hash"] == hashes[1]
    assert "there is no file" in refused(lambda: halfulp.sweep(case, {key: ["none.csv"]}, "u"), 1)
    assert not (folder / "elsewhere/u").exists()


def test_values_that_no_command_line_takes_are_refused(tank):
    sentence = refused(lambda: halfulp.sweep(tank, {"title": ["a" * 140_000]}, "s"), 1)
    assert sentence.startswith('title="aaaaaaaaaaaaa... has 140008 bytes') and "131,071" in sentence


def test_truth_values_are_truth_values_and_runs_stay_where_they_are(tank, folder, monkeypatch):
    tank["time.end"] = 0.01
    sweep = halfulp.sweep(tank, {"numerics.wall_tension": [False, True]}, "s")
    assert [row["numerics.wall_tension"] for row in sweep.rows] == [False, True]
    (folder / "sub").mkdir()
    monkeypatch.chdir(folder / "sub")
    assert [run.case["numerics.wall_tension"] for run in sweep] == [False, True]
    assert len(sweep[:1]) == 1 and sweep[-1].folder == folder / "s/0001"


def test_what_names_no_folder_no_key_and_no_sweep_is_refused(tank, folder):
    with pytest.raises(TypeError, match="folder is None, but must be a path"):
        halfulp.sweep(tank, {"time.cfl": [0.1]}, None)
    with pytest.raises(ValueError, match="values is empty"):
        halfulp.sweep(tank, {}, "s")
    assert "is no key of a case" in refused(lambda: halfulp.sweep(tank, {"time.cfl=0.1 #": [0.2]}, "s"), 1)
    assert "there is no sweep.csv in it" in refused(lambda: halfulp.Sweep("nowhere"), 1)
    assert not list(folder.iterdir())


def test_the_cause_of_the_first_failure_is_told(tank, folder):
    odd = "s\udcff"
    for name in ("0001", "0002"):
        (folder / odd / name).mkdir(parents=True)
    held = os.open(folder / odd / "0001", os.O_RDONLY)
    also = os.open(folder / odd / "0002", os.O_RDONLY)
    try:
        for one in (held, also):
            fcntl.flock(one, fcntl.LOCK_EX)
        sentence = refused(lambda: halfulp.sweep(tank, {"time.cfl": [0.1, 0.15, 0.2]}, odd), 1)
    finally:
        os.close(held)
        os.close(also)
    assert sentence.startswith("2 of 3 runs failed; the first, 0001: another halfulp is writing into s\\xff/0001 and still going"), sentence
    assert [row["end_state"] for row in halfulp.Sweep(odd).rows] == ["complete", "failed: s\\xff/0001.log", "failed: s\\xff/0002.log"]


def test_no_column_of_the_table_is_there_twice(tank, folder):
    sentence = refused(lambda: halfulp.sweep(tank, {"time": [{"end": 0.01, "cfl": 0.1}]}, "s"), 1)
    assert "sweep.csv has a column time of the ledger already; vary keys inside of time" in sentence
    assert not (folder / "s").exists()


def test_values_are_lists_by_key(tank):
    for values in (None, [("time.cfl", [0.1])], "time.cfl"):
        with pytest.raises(TypeError, match="^values is .*, but must be a dict of keys and their values$"):
            halfulp.sweep(tank, values, "s")
    for some in ({"a": 0.1}, b"ab"):
        with pytest.raises(TypeError, match="^the values of time.cfl are .*, but must be a list of values$"):
            halfulp.sweep(tank, {"time.cfl": some}, "s")
