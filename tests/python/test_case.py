"""Cases: from a file, a text and a dict, changed with the program's own checks."""

import copy
import enum
import multiprocessing
import os
import pickle
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import SOURCE, SWAYING, TANK, on_a_full_disk, refused, sway

import halfulp


def test_a_shipped_case_is_the_program_s():
    case = halfulp.Case("dam-break-2d")
    assert (case.name, case.dimensions) == ("dam-break-2d", 2)
    said = subprocess.run([halfulp.program(), "info", "dam-break-2d", "--case"], capture_output=True, text=True, check=True).stdout
    assert case.text in said
    assert case.describe() in said
    fluid, wall = case.particles
    assert f"{fluid + wall} ({fluid} fluid, {wall} wall)" in said
    assert sorted(halfulp.shipped_cases()) == sorted(path.stem for path in (SOURCE / "cases").glob("*.toml"))


def test_a_dict_and_its_text_are_the_same_case(tank, folder):
    (folder / "tank.toml").write_text(tank.text)
    assert halfulp.Case(folder / "tank.toml").text == tank.text
    assert halfulp.Case.from_text(tank.text).text == tank.text
    assert halfulp.Case(tank.as_dict()).text == tank.text
    tank.write("other.toml")
    assert halfulp.Case("other.toml").text == tank.text


def test_values_are_read_by_their_keys_given_or_not(tank):
    assert tank["resolution.spacing"] == 0.05
    assert tank["fluid.density"] == 1000
    assert tank["shapes.water.box.to"] == tank["shapes.1.box.to"] == [0.5, 0.5]
    assert "fluid.density" in tank and "fluid.colour" not in tank
    with pytest.raises(KeyError, match="tank has no fluid.colour"):
        tank["fluid.colour"]


def test_values_are_set_by_their_keys(tank):
    before = tank.copy()
    tank["time.cfl"] = 0.1
    tank["shapes.water.box.to"] = np.array([0.3, 0.25])
    tank["numerics.wall_tension"] = False
    tank["numerics.kernel"] = "cubic-spline"
    assert (tank["time.cfl"], tank["shapes.water.box.to"], tank["numerics.wall_tension"]) == (0.1, [0.3, 0.25], False)
    assert tank["numerics.kernel"] == "cubic-spline"
    assert before["time.cfl"] == 0.2 and before["shapes.water.box.to"] == [0.5, 0.5]
    tank.set({"shapes.water.hydrostatic": True, "time.end": np.float64(0.02)})
    assert tank["shapes.water.hydrostatic"] and tank["time.end"] == 0.02


def test_what_is_wrong_is_said_by_the_program_and_changes_nothing(tank):
    text = tank.text
    assert "time.cfl is -1, but must be greater than 0" in refused(lambda: tank.set({"time.cfl": -1}), 1)
    assert "resolution.spacng" in refused(lambda: tank.set({"resolution.spacng": 1}), 1)
    assert "time.cfl" in refused(lambda: tank.set({"time.end": 1, "time.cfl": "fast"}), 1)
    assert tank.text == text
    assert refused(lambda: halfulp.Case({**TANK, "fluid": {}}, name="tank"), 1).startswith('case "tank" of a dict: '), "it has no file"
    with pytest.raises(KeyError, match="no shapes.water.hydrostatc in force; did you mean shapes.water.hydrostatic?"):
        tank["shapes.water.hydrostatc"]
    assert "the nearest name is" in refused(lambda: halfulp.Case("dam-break-2"), 1)
    with pytest.raises(TypeError, match="not complex"):
        tank["time.cfl"] = 1j


def test_what_no_case_has_is_named_by_its_key():
    for more, sentence in (({5: 1}, "the keys of a case are texts, but one is 5"),
                           ({"fluid.density": 998}, r"'fluid.density' is no key of a dict; nest it as {'fluid': {'density': ...}}, "),
                           ({"fluid": {**TANK["fluid"], "density": None}}, "fluid.density is None; leave it out for its default"),
                           ({"gravity": [0, None]}, "gravity.1 is None")):
        with pytest.raises(TypeError, match=re.escape(sentence)):
            halfulp.Case({**TANK, **more})


def test_files_are_found_beside_the_case():
    ramp = halfulp.Case("ramp-3d")
    given = halfulp.Case(ramp.as_dict(), name="ramp-3d", folder=SOURCE / "cases")
    assert given.text == ramp.text
    assert given.particles == ramp.particles
    assert "ramp.stl" in refused(lambda: given.write(Path("elsewhere.toml")), 1)
    given.set({"time.end": 0.001, "output.interval": 0.001, "resolution.spacing": ramp["resolution.spacing"] * 2})
    run = halfulp.run(given, "there", figures=False, threads=1)
    assert run.state_hash == halfulp.run(halfulp.Case("ramp-3d").set({
        "time.end": 0.001, "output.interval": 0.001, "resolution.spacing": ramp["resolution.spacing"] * 2}), "here", figures=False).state_hash


def test_an_empty_key_or_a_quoted_one_is_a_key():
    assert "a colour" in refused(lambda: halfulp.Case({**TANK, "fluid": {**TANK["fluid"], "a colour": 1}}), 1)


def test_files_are_those_of_the_folder_in_which_the_case_was_made(folder, monkeypatch):
    sway(folder / "sway.csv")
    sway(folder / "sub/sway.csv", 0.004)
    (folder / "swaying.toml").write_text(halfulp.Case(SWAYING).text)
    cases = [halfulp.Case(SWAYING), halfulp.Case("swaying.toml")]
    alone = halfulp.run(cases[0], "alone").state_hash
    monkeypatch.chdir("sub")
    for k, case in enumerate(cases):
        simulation = halfulp.Simulation(case)
        simulation.run()
        assert simulation.state_hash == halfulp.run(case, f"run-{k}").state_hash == alone


def test_a_run_s_case_is_run_with_the_run_s_files_or_not_at_all(folder):
    table = folder / "sway.csv"
    sway(table)
    swaying = halfulp.Case({**SWAYING, "motions": [{**SWAYING["motions"][0], "translation": {
        **SWAYING["motions"][0]["translation"], "table": {"file": str(table), "time": "t_s", "column": "x"}}}]})
    run = halfulp.run(swaying, "run")
    assert halfulp.run(run.case, "again").state_hash == run.state_hash
    sway(table, 0.003)
    assert "is not what its run was computed with" in refused(lambda: halfulp.run(run.case, "other"), 1)
    table.unlink()
    assert "is not what its run was computed with" in refused(lambda: halfulp.run(run.case, "other"), 1)


def test_any_spelling_of_a_file_will_do_but_not_the_case_s_own(folder):
    sway(folder / "sway.csv")
    named = lambda name: halfulp.Case({**SWAYING, "motions": [{**SWAYING["motions"][0], "translation": {  # noqa: E731
        **SWAYING["motions"][0]["translation"], "table": {"file": name, "time": "t_s", "column": "x"}}}]}, name="tank")
    assert halfulp.run(named("./sway.csv"), "a").state_hash == halfulp.run(named("sway.csv"), "b").state_hash
    (folder / "sway.csv").rename("tank.toml")
    table = (folder / "tank.toml").read_text()
    assert "give the case another name" in refused(lambda: halfulp.run(named("tank.toml"), "c"), 1)
    assert (folder / "tank.toml").read_text() == table


def test_a_file_may_have_the_line_ends_of_windows(tank, folder):
    (folder / "windows.toml").write_bytes(tank.text.replace("\n", "\r\n").encode())
    assert halfulp.run("windows.toml", "windows").state_hash == halfulp.run(tank, "unix").state_hash


def test_an_element_of_a_list_that_is_not_given_is_not_set_alone(tank):
    assert "gravity is not given, so that no element of it can be set alone; set all of it to an array of 2 numbers" in refused(
        lambda: tank.set({"gravity.0": 0}), 1)
    tank["gravity"] = [0, -9.81]
    tank["gravity.0"] = 1
    assert tank["gravity"] == [1, -9.81]


def test_a_case_is_the_same_in_another_process(tank, folder):
    sway(folder / "sway.csv")
    swaying = halfulp.Case(SWAYING, name="swaying").set({"time.end": 0.02})
    run = halfulp.run(swaying, "run", figures=False)
    (folder / "sway.csv").unlink()  # the run has its own
    for case in (tank, halfulp.Case("dam-break-2d").set({"time.cfl": 0.1}), swaying, run.case):
        for other in (pickle.loads(pickle.dumps(case)), copy.deepcopy(case)):
            assert (other.name, other.text) == (case.name, case.text)
            other["time.cfl"] = 0.15
            assert case["time.cfl"] != 0.15
    assert halfulp.Simulation(pickle.loads(pickle.dumps(run.case))).run()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(halfulp.Case.describe, (tank,)) == tank.describe()


def test_a_name_is_one_for_a_folder(folder):
    for name in ("..", ".", "a/b", "../up", "/abs", "x" * 251, "nul\0"):
        assert "the name of the case is " in refused(lambda name=name: halfulp.Case(TANK, name=name), 1)
    with pytest.raises(TypeError, match="^name is 3, but must be a text$"):
        halfulp.Case(TANK, name=3)
    assert halfulp.run(halfulp.Case(TANK, name="x" * 250), figures=False).folder.name == "x" * 250


def test_what_is_no_case_is_refused_in_a_sentence():
    with pytest.raises(TypeError, match="^source is None, but must be the name of a case, a path, a dict or a Case$"):
        halfulp.Case(None)
    with pytest.raises(TypeError, match="^text is 3, but must be the text of a case file$"):
        halfulp.Case.from_text(3)


def test_what_a_case_answers_is_a_copy(tank):
    tank["fluid"]["density"] = 900
    tank["probes"].append({"name": "second"})
    assert tank["fluid.density"] == 1000 and len(tank["probes"]) == 1


def test_keys_are_names_with_dots(tank):
    assert "is no key of a case" in refused(lambda: tank.set({"time.end=0.3 #": 1}), 1)
    with pytest.raises(TypeError, match="a key is 3"):
        tank.set({3: 1})
    assert 3 not in tank and tank["time.end"] == 0.05


def test_set_up_tells_of_a_dict_by_its_name():
    case = halfulp.Case({**TANK, "shapes": [*TANK["shapes"], {**TANK["shapes"][1], "name": "more"}]}, name="two")
    for act in (lambda: case.particles, lambda: halfulp.Simulation(case), lambda: halfulp.run(case, "a"), lambda: halfulp.run(case.copy(), "a")):
        assert refused(act, 1).startswith('case "two" of a dict: the shapes "water" and "more" overlap'), refused(act, 1)
    assert refused(lambda: case.set({"time.cfl": 5}), 1).startswith("--set time.cfl=5: ")


def test_a_name_is_for_what_has_none(tank):
    with pytest.raises(TypeError, match="name and folder are for"):
        halfulp.Case("dam-break-2d", name="mine")
    with pytest.raises(TypeError, match="name and folder are for"):
        halfulp.Case(tank, folder="here")


def test_paths_and_members_of_enumerations_are_their_values(tank):
    class Kernel(enum.Enum):
        CUBIC = "cubic-spline"

    tank["numerics.kernel"] = Kernel.CUBIC
    assert tank["numerics.kernel"] == "cubic-spline"
    tank["title"] = Path("a/b")
    assert tank.title == "a/b"
    with pytest.raises(TypeError, match="texts in Unicode"):
        tank["title"] = "\udcff"


def test_a_file_is_written_whole_or_stays(tank, folder):
    umask = os.umask(0o027)
    try:
        tank.write("new.toml")
    finally:
        os.umask(umask)
    assert (folder / "new.toml").stat().st_mode & 0o777 == 0o640
    (folder / "new.toml").chmod(0o604)
    (folder / "link.toml").symlink_to("new.toml")
    before = tank.text
    tank["time.cfl"] = 0.1
    assert refused(lambda: on_a_full_disk(lambda: tank.write("link.toml")), 4) == "link.toml cannot be written: File too large."
    assert (folder / "new.toml").read_text() == before
    tank.write("link.toml")
    assert (folder / "new.toml").read_text() == tank.text and (folder / "new.toml").stat().st_mode & 0o777 == 0o604
    assert sorted(path.name for path in folder.iterdir()) == ["link.toml", "new.toml"] and (folder / "link.toml").is_symlink()
    os.link("new.toml", "again.toml")
    tank["time.cfl"] = 0.2
    tank.write("again.toml")
    assert (folder / "new.toml").read_text() == tank.text, "one file of two names"
    tank.write("/dev/null")  # a device stays one
    assert Path("/dev/null").is_char_device()
    ends = os.pipe()
    tank.write(f"/dev/fd/{ends[1]}")
    assert os.read(ends[0], 100_000).decode() == tank.text
    for end in ends:
        os.close(end)
    Path("loop.toml").symlink_to("loop.toml")
    assert "cannot be written: Too many levels of symbolic links" in refused(lambda: tank.write("loop.toml"), 4)
    assert Path("loop.toml").is_symlink()
    assert "cannot be written: Is a directory" in refused(lambda: tank.write(folder), 4)
    assert "cannot be written: No such file or directory" in refused(lambda: tank.write("none/tank.toml"), 4)


def test_names_and_folders_of_a_wrong_type_are_told_in_a_sentence(tank):
    for act in (lambda one: halfulp.Case(TANK, name=one), lambda one: halfulp.Case(TANK, folder=one), tank.write):
        for value in (0, 3, b"a"):
            with pytest.raises(TypeError, match=f"^(name|folder|path) is {value!r}, but must be a (text|path)$"):
                act(value)


def test_whole_numbers_have_64_bits(tank):
    for number in (2**63, -2**63 - 1, 10**5000):
        with pytest.raises(ValueError, match="^a whole number of [0-9]+ bits is given, but a case has those of 64; give it with a d"):
            tank["time.end"] = number
    assert "time.end is -9223372036854775808, but must be greater than 0" in refused(lambda: tank.set({"time.end": -2**63}), 1)
    assert "9.223372036854776e+18 s" in refused(lambda: tank.set({"time.end": 2**63 - 1}), 1)


def test_keys_of_a_dict_may_have_any_letters():
    assert 'unknown key "wave \U0001f30a\\x7f"' in refused(lambda: halfulp.Case({**TANK, "wave \U0001f30a\x7f": 1}), 1)
    with pytest.raises(TypeError, match="texts in Unicode"):
        halfulp.Case({**TANK, "\udcff": 1})
