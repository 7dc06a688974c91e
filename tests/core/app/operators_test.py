#!/usr/bin/env python3
"""halfulp operators, and columns that a run computes for its outputs. Usage: operators_test.py PROGRAM"""
import csv
import fcntl
import os
import pathlib

import program
from program import digests, ProgramTest


def rows_of(table):
    """Of a table, by the names of its columns without units."""
    with open(table, newline="") as file:
        return [{name.split("[")[0]: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


class Operators(ProgramTest):
    def setUp(self):
        super().setUp()
        self.succeed("run", "tank.toml", "-o", "tank", "-q")

    def test_of_the_present_folder_lie_beside_it(self):
        told = self.succeed("operators", ".", "--field", "pressure", "--output", "last", cwd=self.folder / "tank")
        self.assertIn("tank-operators-pressure: ", told)
        self.assertTrue((self.folder / "tank-operators-pressure/outputs/000005.h5").is_file())

    def test_derivatives_of_a_field(self):
        before = digests(self.folder / "tank")
        told = self.succeed("operators", "tank", "--field", "pressure", "--csv")
        self.assertRegex(told, r"^6 outputs of tank written to tank-operators-pressure: position, kind, pressure, "
                               r"pressure_gradient, pressure_laplacian, divergence, vorticity, condition\n$")
        self.assertEqual(digests(self.folder / "tank"), before, "the run is as it was")
        folder = self.folder / "tank-operators-pressure"
        rows = rows_of(folder / "outputs/000005.csv")
        fluid = [row for row in rows if row["kind"] == 0]
        self.assertEqual(len(fluid), 100)
        self.assertTrue(any(row["divergence"] != 0 for row in fluid))
        for row in rows:
            if row["kind"] == 1:
                self.assertEqual([row[name] for name in ("divergence", "vorticity_z", "pressure_laplacian")], [0, 0, 0])
        scene = (folder / "operators.xdmf").read_text()
        self.assertEqual(scene.count("<Time "), 6)
        self.assertIn("outputs/000005.h5:/pressure_laplacian", scene)

    def test_a_field_that_is_computed_anyway_is_there_once(self):
        self.succeed("run", "tank.toml", "-o", "more", "-q", "--set", 'output.columns=["position","velocity","kind","vorticity","condition"]')
        for field, columns in (("vorticity_z", "vorticity, vorticity_z_gradient, vorticity_z_laplacian, divergence, condition"),
                               ("condition", "condition, condition_gradient, condition_laplacian, divergence, vorticity")):
            told = self.succeed("operators", "more", "--field", field, "--csv", "--output", "last")
            self.assertTrue(told.endswith(f": position, kind, {columns}\n"), told)
            heading = (self.folder / f"more-operators-{field}/outputs/000005.csv").read_text().splitlines()[0].split(",")
            self.assertEqual(len(heading), len(set(heading)))

    def test_a_linear_field_has_its_gradient(self):
        self.succeed("operators", "tank", "--field", "position_y", "--output", "last", "--csv")
        rows = rows_of(self.folder / "tank-operators-position_y/outputs/000005.csv")
        for row in rows:
            if row["kind"] == 1:
                continue
            self.assertAlmostEqual(row["position_y_gradient_x"], 0, delta=1e-5)
            self.assertAlmostEqual(row["position_y_gradient_y"], 1, delta=1e-5)
            self.assertAlmostEqual(row["position_y_laplacian"], 0, delta=1e-3)

    def test_nothing_is_overwritten_unasked(self):
        self.succeed("operators", "tank", "--field", "pressure", "--output", "last", "-o", "there", "--csv")
        before = digests(self.folder)
        self.assertIn("--overwrite", self.fail_with(4, "operators", "tank", "--field", "pressure", "-o", "there"))
        self.assertIn("folder of a run",
                      self.fail_with(4, "operators", "tank", "--field", "pressure", "-o", "tank", "--overwrite"))
        (self.folder / "other/outputs").mkdir(parents=True)
        (self.folder / "other/outputs/000002.h5").write_text("mine")
        self.assertIn("stays", self.fail_with(4, "operators", "tank", "--field", "pressure", "-o", "other", "--overwrite"))
        self.assertEqual((self.folder / "other/outputs/000002.h5").read_text(), "mine")
        (self.folder / "scene").mkdir()
        (self.folder / "scene/operators.xdmf").write_text('<?xml version="1.0"?>\n<Xdmf Version="3.0">\n  <Domain/></Xdmf>')
        self.assertIn("stays", self.fail_with(4, "operators", "tank", "--field", "pressure", "-o", "scene", "--overwrite"))
        self.assertEqual({path: digest for path, digest in digests(self.folder).items() if path in before}, before)
        self.succeed("operators", "tank", "--field", "velocity_y", "--output", "5", "-o", "there", "--csv", "--overwrite")
        self.assertIn("velocity_y_gradient_x",
                      (self.folder / "there/outputs/000005.csv").read_text().splitlines()[0])

    def test_no_other_field_is_left_beside(self):
        self.succeed("operators", "tank", "--field", "velocity_x", "-o", "there", "--csv")
        (self.folder / "there/outputs/notes.csv").write_text("mine")
        self.succeed("operators", "tank", "--field", "pressure", "--output", "3", "-o", "there", "--overwrite")
        self.assertEqual(sorted(path.name for path in (self.folder / "there/outputs").iterdir()),
                         ["000003.h5", "notes.csv", "vertices-260.h5"])

    def test_nothing_is_written_into_a_run(self):
        before = digests(self.folder / "tank")
        paths = set(self.folder.rglob("*"))
        (self.folder / "way").symlink_to("tank/outputs")
        for folder in ("tank", "tank/outputs", "tank/figures", "tank/sub", "tank/sub/sub", "way/sub"):
            self.assertIn("files stay as they are", self.fail_with(4, "operators", "tank", "--field", "pressure", "-o", folder, "--overwrite"))
        self.assertEqual(digests(self.folder / "tank"), before)
        self.assertEqual(set(self.folder.rglob("*")) - paths, {self.folder / "way"}, "nor is a folder left")

    def test_a_field_that_is_not_there(self):
        self.assertEqual(self.fail_with(1, "operators", "tank", "--field", "nothing", "--output", "last")[:75],
                         "halfulp: --field nothing: output 000005 of tank has no such field; give one"[:75])
        self.assertFalse((self.folder / "tank-operators-nothing").exists())
        self.succeed("run", "tank.toml", "-o", "bare", "--set", "time.end=0.001", 'output.columns=["cell", "kind"]')
        self.assertIn("has no such field; the case chose columns without any in output.columns.",
                      self.fail_with(1, "operators", "bare", "--field", "pressure"))

    def test_what_is_of_others_stays(self):
        words = ("operators", "tank", "--field", "pressure", "--output", "3", "-o", "there", "--csv")
        names = ("operators.xdmf", "outputs/000003.h5", "outputs/000003.csv", "outputs/vertices-260.h5")
        for name in (*names, *(f"{name}.new" for name in names[:3])):
            mine = self.folder / "there" / name
            mine.parent.mkdir(parents=True, exist_ok=True)
            for content in ("mine", "of mine, but not cut off"):
                mine.write_text(content)
                for more in ((), ("--overwrite",)):
                    self.assertIn(f"there/{name} is not of `halfulp operators` and stays", self.fail_with(4, *words, *more))
                    self.assertEqual(digests(self.folder / "there").keys(), {mine})
                    self.assertEqual(mine.read_text(), content)
            mine.unlink()
        # Beside its own results, too; what it has begun itself, when it was killed, is cleared away.
        self.succeed(*words)
        table = self.folder / "there/outputs/000003.csv"
        before = table.read_text()
        table.write_text("mine")
        self.assertIn("stays", self.fail_with(4, *words, "--overwrite"))
        self.assertEqual(table.read_text(), "mine")
        table.write_text(before)
        for name, content in (("operators.xdmf", b"<?xml"), ("outputs/000003.h5", bytes(700)), ("outputs/000003.csv", before[:9].encode())):
            (self.folder / "there" / f"{name}.new").write_bytes(content)
        self.succeed(*words, "--overwrite")
        self.assertEqual(table.read_text(), before)
        self.assertEqual({str(path.relative_to(self.folder / "there")) for path in digests(self.folder / "there")}, set(names))

    def test_links_are_not_followed(self):
        words = ("operators", "tank", "--field", "pressure", "--output", "3", "--csv", "-o")
        self.succeed(*words, "there")
        (self.folder / "there").rename(self.folder / "elsewhere")
        before = digests(self.folder / "elsewhere")
        (self.folder / "there").mkdir()
        (self.folder / "there/outputs").symlink_to(self.folder / "elsewhere/outputs")
        self.assertIn("there/outputs is a link", self.fail_with(4, *words, "there", "--overwrite"))
        (self.folder / "elsewhere/outputs/000003.h5").unlink()  # nor is anything added there
        (self.folder / "elsewhere/outputs/000003.csv").unlink()
        self.assertIn("there/outputs is a link", self.fail_with(4, *words, "there"))
        self.assertLess(digests(self.folder / "elsewhere").items(), before.items())
        (self.folder / "there/outputs").unlink()
        (self.folder / "there/outputs").mkdir()
        vertices = next(path.name for path in (self.folder / "elsewhere/outputs").glob("vertices-*.h5"))
        for name in ("operators.xdmf", "outputs/000003.h5.new", "outputs/000003.csv.new", f"outputs/{vertices}", f"outputs/{vertices}.new"):
            (self.folder / "victim").write_text("precious")
            (self.folder / "there" / name).unlink(missing_ok=True)
            (self.folder / "there" / name).symlink_to(self.folder / "victim")
            self.assertIn(f"there/{name} is a link", self.fail_with(4, *words, "there", "--overwrite"))
            self.assertEqual((self.folder / "victim").read_text(), "precious", name)
            (self.folder / "there" / name).unlink()

    def test_one_at_a_time_in_a_folder(self):
        (self.folder / "there").mkdir()
        descriptor = os.open(self.folder / "there", os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        self.assertIn("another halfulp is writing", self.fail_with(4, "operators", "tank", "--field", "pressure", "-o", "there"))
        self.assertEqual(digests(self.folder / "there"), {})

    def test_threads_change_no_bit(self):
        for threads in ("1", "2"):
            self.succeed("operators", "tank", "--field", "pressure", "-o", f"with{threads}", "--threads", threads)
        for file in sorted((self.folder / "with1/outputs").iterdir()):
            self.assertEqual(file.read_bytes(), (self.folder / "with2/outputs" / file.name).read_bytes(), file.name)

    def test_what_is_wrong_is_told(self):
        self.assertIn("velocity_x, velocity_y", self.fail_with(1, "operators", "tank", "--field", "presure"))
        self.assertIn("000000 to 000005", self.fail_with(1, "operators", "tank", "--field", "pressure", "--output", "77"))
        self.assertFalse((self.folder / "tank-operators-presure").exists())
        self.succeed("run", "tank.toml", "-o", "few", "-q", "--set", 'output.columns=["velocity"]')
        self.assertIn('"kind"', self.fail_with(1, "operators", "few", "--field", "velocity_x"))
        # Nothing is left of what could not begin.
        before = sorted(self.folder.iterdir())
        self.assertIn("--threads -3", self.fail_with(1, "operators", "tank", "--field", "pressure", "--threads", "-3", "-o", "there"))
        self.run_program("operators", "few", "--field", "velocity_x", "-o", "there")
        self.fail_with(1, "operators", "tank", "--field", "pressure", "--threads", "2", "--backend", "cuda", "-o", "there")
        self.assertEqual(sorted(self.folder.iterdir()), before)
        self.succeed("run", "tank.toml", "-o", "fluid", "-q", "--set", 'output.columns=["position","pressure"]',
                     "--set", "output.particles=fluid")
        told = self.succeed("operators", "fluid", "--field", "pressure")
        self.assertNotIn("vorticity", told, "there is no velocity")
        self.assertIn("id, position", told)


class Columns(ProgramTest):
    ASKED = 'output.columns=["position","kind","cell","offset","velocity","vorticity","divergence","condition"]'

    def test_a_run_computes_what_its_outputs_ask_for(self):
        self.succeed("run", "tank.toml", "-o", "plain", "-q")
        self.succeed("run", "tank.toml", "-o", "asked", "-q", "--set", self.ASKED)
        self.assertNotIn("different", self.succeed("compare", "plain", "asked"))
        for name in ("vorticity", "divergence", "condition"):
            self.assertNotIn(f":/{name}<", (self.folder / "plain/run.xdmf").read_text())
            self.assertIn(f":/{name}<", (self.folder / "asked/run.xdmf").read_text())
        # The same operators, with sums in another order.
        self.succeed("operators", "asked", "--field", "divergence", "--csv")
        rows = rows_of(self.folder / "asked-operators-divergence/outputs/000005.csv")
        self.succeed("info", "--verify", "asked")
        self.assertIn("what halfulp operators has written of a run", self.fail_with(1, "info", "asked-operators-divergence"))
        for option in ("--ranks=2", "--set=time.end=1"):
            self.assertIn(f"asked is a run, of which info shows the results; {option.split('=')[0]} is for a case.",
                          self.fail_with(1, "info", "asked", option))
        self.assertTrue(any(abs(row["vorticity_z"]) > 1e-3 for row in rows))

    def test_refusals(self):
        sentence = self.fail_with(1, "run", "tank.toml", "-o", "a", "--set", self.ASKED, "--set",
                                  "numerics.integrator=implicit-midpoint")
        self.assertIn("halfulp operators", sentence)
        self.assertIn("vorticity", self.fail_with(1, "run", "tank.toml", "-o", "a", "--set", 'output.columns=["vortex"]'))


if __name__ == "__main__":
    program.main()
