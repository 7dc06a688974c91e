"""Tables, looks, and the part of the package that needs no compiled module."""

import subprocess
import sys

import pytest
from conftest import SOURCE

import halfulp
from halfulp import looks, tables

TABLE = """precision,time[s],error[1]
double,0.5,0
robust,0.5,1e-9
"double, far",0.5,
robust,1,2e-9
"""


def test_rows_numbers_and_groups(folder):
    path = folder / "table.csv"
    path.write_text(TABLE)
    assert tables.columns(path) == ["precision", "time[s]", "error[1]"]
    rows = tables.read(str(path))
    assert len(rows) == 4 and rows[2] == {"precision": "double, far", "time[s]": "0.5", "error[1]": ""}
    groups = tables.groups(rows, "precision")
    assert list(groups) == ["double", "robust", "double, far"]
    assert tables.numbers(groups["robust"], "error[1]") == [1e-9, 2e-9]
    assert [len(own) for own in tables.groups(rows, "time[s]", "precision").values()] == [1, 1, 1, 1]
    assert ("1", "robust") in tables.groups(rows, "time[s]", "precision")
    with pytest.raises(ValueError, match=r"row 2 of the table has '' in its column error\[1\], but must have a number"):
        tables.numbers(rows, "error[1]")
    with pytest.raises(KeyError, match=r"the table has no column error; it has precision, time\[s\], error\[1\]"):
        tables.numbers(rows, "error")
    assert tables.points(rows[:2], "time[s]", "error[1]") == [(0.5,), (1e-9,)]
    assert tables.points(rows[:1], "time[s]", "error[1]") == [[], []]
    path.write_text("")
    assert tables.read(path) == [] and tables.columns(path) == []


def test_tables_of_other_programs_and_what_is_no_table(folder):
    path = folder / "table.csv"
    path.write_text(TABLE, encoding="utf-8-sig")  # with the mark of a byte order, as some save it
    assert tables.columns(path)[0] == "precision" and tables.read(path)[0]["precision"] == "double"
    path.write_bytes("höhe\n1\n".encode("latin-1"))
    for read in (tables.read, tables.columns):
        with pytest.raises(ValueError, match="table.csv is no text in UTF-8; save it in that encoding"):
            read(path)
        with pytest.raises(TypeError, match="^table is 3, but must be a path$"):
            read(3)
    for text, sentence in (("a,b,a\n1,2,3\n", "table.csv has 2 columns called 'a', but each must have a name of its own"),
                           ('a,b\n1,2\n\n"1\n1",2,3\n', "line 5 of .*table.csv has 3 cells, but its first line names 2 columns")):
        path.write_text(text)
        with pytest.raises(ValueError, match=sentence):
            tables.read(path)
    path.write_text("a,b,c\n1\n")
    assert tables.read(path) == [{"a": "1", "b": "", "c": ""}]
    path.write_text(TABLE)
    rows = tables.read(path)
    for act in (lambda: tables.groups(rows, "error"), lambda: tables.points(rows, "error", "time[s]")):
        with pytest.raises(KeyError, match="the table has no column error; it has precision"):
            act()
    with pytest.raises(ValueError, match=r"row 2 of the table has '' in its column error\[1\]"):
        tables.points(rows, "time[s]", "error[1]")
    for act in (lambda: tables.numbers(path, "time[s]"), lambda: tables.groups("table.csv", "precision"),
                lambda: tables.points(None, "a", "b")):
        with pytest.raises(TypeError, match="^rows is .*, but must be rows of a table; "):
            act()
    with pytest.raises(TypeError, match="no names are given"):
        tables.groups(rows)


def test_a_policy_has_its_own_look_and_others_have_none_of_those():
    own = {tuple(map(str, looks.policy(name, 0).values())) for name in looks.POLICIES}
    others = [tuple(map(str, looks.policy(f"other {k}", k).values())) for k in range(13)]
    assert len(own) == len(looks.POLICIES) and len(set(others)) == 13 and not own & set(others)
    assert len({tuple(map(str, looks.curve(k).values())) for k in range(7)}) == 7


def test_every_name_is_there():
    names = set(halfulp.__all__)
    assert names <= set(dir(halfulp))
    for name in names:
        assert getattr(halfulp, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Simulator'"):
        halfulp.Simulator  # noqa: B018


def said(words):
    """With the sources alone in reach: no module, and no numpy."""
    done = subprocess.run([sys.executable, "-S", "-B", "-c", words], env={"PYTHONPATH": str(SOURCE / "python")}, capture_output=True,
                          text=True, check=False)
    return done.stdout + done.stderr.strip().split("\n")[-1]


def test_without_the_module_tables_and_looks_are_there_and_the_rest_says_what_it_needs():
    assert said("from halfulp import looks, tables; print(looks.BLUE, tables.groups([], 'a'))") == "#0072b2 {}\n"
    for name in ("Run", "Case", "__version__"):
        told = said(f"import halfulp; halfulp.{name}")
        assert told.startswith(f"ImportError: halfulp.{name} needs the package's compiled module, which is not in {SOURCE}"), told
        assert told.endswith("or take it from a build folder (PYTHONPATH=BUILD/python)")
    assert said("import halfulp; halfulp.plot").endswith("No module named 'numpy'")
