#!/usr/bin/env python3
"""validate through the program: its reports, its cache, what stops it. Usage: validate_test.py PROGRAM"""
import csv
import html.parser
import os
import pathlib
import re
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "core/app"))
import program  # noqa: E402
from program import ProgramTest  # noqa: E402

PATIENCE = 600  # s: a busy machine is not what is tested
# What a study writes every minute where it is not on a terminal.
PROGRESS = re.compile(r"^[a-z-]+: \d+ of \d+ measurements, .* left\n", re.MULTILINE)
# 100 particles, a second or two.
REVERSAL = ["validate", "reversal", "--quick", "--cfl", "0.1", "--exact-steps", "20"]


class Document(html.parser.HTMLParser):
    """The ids of a document, what its links point to, and the names of its elements."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.elements, self.open = [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)
        if tag not in ("meta", "br", "img", "hr", "link"):
            self.open.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name.endswith("href") or name == "src":
                self.links.append(value)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes something else"


class Validate(ProgramTest):
    def run_program(self, *words, **options):
        process = self.start(*words, **options)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, PROGRESS.sub("", err)

    def read_report(self, path):
        text = (self.folder / path).read_text()
        document = Document(text)
        self.assertEqual(document.open, [], "every element is closed")
        self.assertEqual(len(document.ids), len(set(document.ids)), "every id stands once")
        for link in document.links:
            self.assertTrue(link.startswith(("#", "data:")), f"{link[:80]} is outside of the report")
            if link.startswith("#"):
                self.assertIn(link[1:], document.ids)
        self.assertNotIn("script", document.elements)
        return text, document

    def test_all_writes_one_report_of_those_named(self):
        out = self.succeed("validate", "all", "reversal", "energy", "--quick", "-o", "all")
        for name in ("energy", "reversal"):
            self.assertIn(f"$ halfulp validate {name} --quick -o all/{name}", out)
            self.assertTrue(list((self.folder / f"all/{name}").glob(f"{name}*.csv")))
            self.assertTrue((self.folder / f"all/{name}/report.html").exists())
        self.assertRegex(out, r"(?m)^\| energy \| passed \| \d+:\d\d \|$")
        self.assertIn("passed: all experiments", out)
        self.assertFalse((self.folder / "all/front").exists())
        text, document = self.read_report("all/report.html")
        for anchor in ("energy", "reversal", "commands"):
            self.assertIn(anchor, document.ids)
        self.assertTrue(re.search(r"(\d+) of \1 verdicts passed", text))
        self.assertIn("halfulp validate all reversal energy --quick -o all", text)
        self.assertIn("halfulp validate energy --quick -o all/energy", text)
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            return
        self.assertGreaterEqual(text.count("<svg"), 2)

    def test_all_goes_on_after_a_failure_and_says_so(self):
        # Where the first experiment's folder should be is a file.
        (self.folder / "all").mkdir()
        (self.folder / "all/energy").write_text("")
        code, out, err = self.run_program("validate", "all", "energy", "reversal", "--quick", "-o", "all")
        self.assertEqual((code, err), (2, ""))
        self.assertIn("FAILED: cannot make the folder all/energy", out)
        self.assertIn("| reversal | passed |", out)
        self.assertIn("| energy | FAILED |", out)
        text, _ = self.read_report("all/report.html")
        self.assertIn("9 of 10 verdicts passed", text)
        self.assertIn("could not be carried out: cannot make the folder", text)

    def test_words_that_cannot_be(self):
        self.assertIn("energy", self.fail_with(1, "validate", "all", "nonsense"))
        self.fail_with(1, "validate", "all", "--quick", "--full")
        self.assertIn("once", self.fail_with(1, *REVERSAL, "--steps", "10", "10", "-o", "a"))

    def test_every_experiment_has_the_options_of_a_study(self):
        names = re.findall(r"^  ([a-z-]+) {2,}", self.succeed("validate", "--help").split("ubcommands:")[1], re.MULTILINE)
        self.assertIn("energy", names)
        self.assertIn("all", names)
        for name in names:
            text = self.succeed("validate", name, "--help")
            for option in ("--quick", "--full", "--output", "--fresh", "--threads"):
                self.assertIn(option, text, name)

    def test_reversal(self):
        self.succeed(*REVERSAL, "--steps", "50", "20000", "-o", "a")  # the second turns too late and is left out
        with (self.folder / "a/reversal.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({row["steps[1]"] for row in rows}, {"50"})
        self.assertEqual({row["origin[cells]"] for row in rows}, {"0", "4000"})
        for row in rows:
            where = f"{row['precision']} at {row['origin[cells]']}"
            self.assertLess(float(row["broke_at[steps]"]), 0, where)
            self.assertGreater(float(row["moved[m]"]), 1e-4, where)
            if row["precision"] == "reversible":
                self.assertEqual(float(row["changed[1]"]), 0, where)
        # Cell + offset has the same bits everywhere; a global coordinate in float does not.
        error = {(row["precision"], row["origin[cells]"]): float(row["error_at_turn[m]"]) for row in rows}
        self.assertGreater(error["robust", "0"], 0)
        self.assertLess(error["robust", "4000"], 1.01 * error["robust", "0"])
        self.assertGreater(error["naive", "4000"], 100 * error["naive", "0"])
        self.assertIn("give fewer steps", self.fail_with(1, *REVERSAL, "--steps", "20000", "-o", "b"))
        self.assertIn("fixed", self.fail_with(1, *REVERSAL, "--case", "dam-break-2d", "--spacing", "0.1", "-o", "c"))

    def test_energy(self):
        words = ["validate", "energy", "--quick", "--spacing", "0.1"]
        # A policy that --quick leaves out runs where it is named; CFL numbers come in any order.
        words += ["--policy", "robust", "naive", "robust/density=absolute"]
        first = self.succeed(*words, "--cfl", "0.3", "0.1", "-o", "a")
        second = self.succeed(*words, "--cfl", "0.1", "0.3", "0.1", "-o", "b")
        self.assertEqual([line for line in first.splitlines() if line.startswith("| robust")],
                         [line for line in second.splitlines() if line.startswith("| robust")])
        with (self.folder / "a/energy-inviscid-tank-2d-1.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["policy"], row["cfl[1]"]) for row in rows],
                         [(name, cfl) for name in words[-3:] for cfl in ("0.3", "0.1")])
        for name in ("quad", "rubust"):
            error = self.fail_with(1, "validate", "energy", "--policy", name, "-o", "c")
            self.assertIn(f'--policy is "{name}", but must be robust, reversible, double, naive, dualsphysics or gpusph,',
                          error)

    def test_budget(self):
        words = ["validate", "budget", "--quick", "--spacing", "0.05", "--pairs", "50", "--drop-steps", "3"]
        out = self.succeed(*words, "-o", "a")
        self.assertNotIn("FAILED", out)
        with (self.folder / "a/budget-losses.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        bits = {(row["held"], row["cfl[1]"]): float(row["bits[1]"]) for row in rows}
        # Ten times smaller steps lose log2(10) = 3.3 bits more: that of the binades is what may differ.
        more = bits["position: offset in a cell", "0.01"] - bits["position: offset in a cell", "0.1"]
        self.assertAlmostEqual(more, 3.32, delta=0.2)
        self.succeed(*words, "--threads", "3", "-o", "b")
        for table in ("budget", "budget-particles", "budget-residuals", "budget-pairs", "budget-momentum"):
            name = f"{table}.csv"
            self.assertEqual((self.folder / "a" / name).read_bytes(), (self.folder / "b" / name).read_bytes())
        error = self.fail_with(1, *words, "--case", "oscillating-drop-2d", "-o", "c")
        self.assertIn("choose a case without them", error)
        self.succeed(*words, "--set", "numerics.kernel=cubic-spline", "--end", "0.01", "-o", "d")

    def test_cost(self):
        # How long things take is not asked here, nor does the experiment.
        self.succeed("validate", "cost", "--quick", "--cube", "5", "--square", "8", "--quad-cube", "3", "--rounds", "1",
                     "-o", "a")
        with (self.folder / "a/cost.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        for name in ("robust", "naive", "reversible", "double", "quad"):
            self.assertTrue([row for row in rows if row["precision"] == name], name)
        size = {(row["precision"], row["dimensions"]): float(row["buffers[bytes]"]) for row in rows}
        # Robust's buffers have two residuals of four floats each more, and place and move of a course, along which its
        # lists last: those of global coordinates are made for none.
        self.assertEqual(size["robust", "3"] - size["naive", "3"], 64)
        for row in rows:
            self.assertGreater(float(row["to_robust[1]"]), 0, row["precision"])
            self.assertGreaterEqual(float(row["all[bytes]"]), float(row["buffers[bytes]"]), row["precision"])

    def test_interrupted_it_goes_on_where_it_was(self):
        words = ["validate", "energy", "--quick", "--cfl", "0.1", "0.01"]
        process = self.start(*words, "--threads", "1", "-o", "a")
        self.wait_for("a/cache/*.rows", patience=PATIENCE)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130, err)
        self.assertNotIn("Traceback", err)
        kept = len(list(self.folder.glob("a/cache/*.rows")))
        told = re.search(r"interrupted; (\d+) of (\d+) measurements are kept", err)
        self.assertTrue(told, err)
        self.assertEqual(int(told[1]), kept)
        self.assertLess(kept, int(told[2]))
        self.assertEqual(len(list((self.folder / "a/cache").iterdir())), kept, "nothing half written is left")

        code, out, err = self.run_program(*words, "-o", "a")
        self.assertEqual(code, 0, err)
        self.assertIn(f"{kept} of {told[2]} measurements are kept from before", err)
        # What was put together from two runs is what one run gives.
        self.succeed(*words, "--threads", "3", "-o", "b")
        tables = sorted(table.name for table in (self.folder / "a").glob("*.csv"))
        self.assertEqual(len(tables), 2)
        for table in tables:
            self.assertEqual((self.folder / "a" / table).read_bytes(), (self.folder / "b" / table).read_bytes(), table)
        code, _, err = self.run_program(*words, "--fresh", "-o", "a")
        self.assertEqual((code, err), (0, ""))

    def begun(self, *words):
        """An experiment that has begun its second table, whose measurements take a second each."""
        (self.folder / "a/reversal-film.csv.new").unlink(missing_ok=True)
        process = self.start(*REVERSAL[:-1], *words, "--steps", "10", "--threads", "1", "-o", "a")
        self.addCleanup(process.kill)
        self.wait_for("a/reversal-film.csv.new", patience=PATIENCE)
        return process

    def test_interrupted_it_leaves_the_tables_of_an_earlier_one(self):
        self.succeed(*REVERSAL, "--steps", "10", "-o", "a")
        before = {path.name: path.read_bytes() for path in (self.folder / "a").iterdir() if path.is_file()}
        self.assertIn("reversal-film.csv", before)
        for number, steps in ((signal.SIGTERM, "20000"), (signal.SIGHUP, "20001"), (signal.SIGXCPU, "20002")):
            process = self.begun(steps)
            process.send_signal(number)
            _, err = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 128 + number, err)
            # Between its two sets of measurements the study does not catch signals, and the program ends at once.
            self.assertRegex(err, r"reversal: interrupted; |\nhalfulp: interrupted\.")
            after = {path.name: path.read_bytes() for path in (self.folder / "a").iterdir() if path.is_file()}
            self.assertEqual({name: after.get(name) for name in before}, before)
            self.assertLessEqual(set(after) - set(before), {"reversal-film.csv.new"})
        code, _, err = self.run_program(*REVERSAL, "--steps", "10", "-o", "a")
        self.assertEqual(code, 0, err)
        self.assertEqual(list(self.folder.glob("a/*.new")), [])

    def test_interrupted_all_tells_what_it_has(self):
        process = self.start("validate", "all", "reversal", "energy", "--quick", "--threads", "1", "-o", "all")
        self.wait_for("all/energy/cache/*.rows", patience=PATIENCE)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 143, err)
        text, _ = self.read_report("all/report.html")
        self.assertIn("halfulp: 1 of 2 experiments", text)
        self.assertFalse((self.folder / "all/energy/report.html").exists())
        self.assertEqual(list(self.folder.glob("all/energy/*.csv")), [])

    def test_two_in_one_folder(self):
        """The table of one that another has begun anew is not taken for a complete one."""
        first = self.begun("20000")
        code, _, err = self.run_program(*REVERSAL, "--steps", "10", "-o", "a")
        self.assertEqual(code, 0, err)
        whole = (self.folder / "a/reversal-film.csv").read_bytes()
        _, err = first.communicate(timeout=PATIENCE)
        self.assertEqual(first.returncode, 4, err)
        self.assertIn("another experiment has begun to write it meanwhile", err)
        self.assertEqual((self.folder / "a/reversal-film.csv").read_bytes(), whole)

    def test_without_matplotlib(self):
        (self.folder / "without").mkdir()
        (self.folder / "without/matplotlib.py").write_text("raise ImportError\n")
        (self.folder / "a").mkdir()
        (self.folder / "a/reversal.svg").write_text("<svg>old</svg>")
        environment = dict(os.environ, PYTHONPATH=str(self.folder / "without"))
        out = self.succeed(*REVERSAL, "--steps", "10", "-o", "a", env=environment)
        self.assertIn("install the package python3-matplotlib", out)
        self.assertIn("figure: none", out)
        text, _ = self.read_report("a/report.html")
        self.assertIn("Figure reversal.svg is missing", text)
        self.assertNotIn("old</svg>", text, "a figure of an earlier study does not stand for this one")


if __name__ == "__main__":
    program.main()
