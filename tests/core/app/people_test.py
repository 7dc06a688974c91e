#!/usr/bin/env python3
"""Help, lists, summaries for other programs, completion and colours. Usage: people_test.py PROGRAM"""
import array
import csv
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess

import program
from program import ProgramTest


class Help(ProgramTest):
    def test_the_program_alone_and_help_print_help(self):
        told = self.succeed("--help")
        self.assertEqual(self.succeed(), told)
        self.assertEqual(self.succeed("help"), told)
        self.assertRegex(told, r"(?m)^  help ")
        for command in ("run", "resume", "list", "compare", "completion"):
            self.assertRegex(told, rf"(?m)^  {command} ")
            self.assertEqual(self.succeed("help", command), self.succeed(command, "--help"))
        self.assertIn('no command "rnu"', self.fail_with(1, "help", "rnu"))

    def test_the_manual_page_has_every_option_of_every_command(self):
        manual = (pathlib.Path(__file__).parents[3] / "docs/halfulp.1").read_text(encoding="utf-8").replace("\\-", "-")
        version = re.search(r"^halfulp (\S+)", self.succeed("--version")).group(1)
        self.assertIn(f'"halfulp {version}"', manual.splitlines()[0])
        told = self.succeed("--help")
        commands = re.findall(r"(?m)^  (\w+) ", told[told.index("Subcommands:"):])
        described = re.search(r"(?s)^\.SH COMMANDS$(.*?)^\.SH ", manual, re.M).group(1)
        self.assertEqual(sorted(re.findall(r"(?m)^\.TP\n\.B (\w+)$", described)), sorted(commands))
        sections = re.findall(r'(?ms)^\.SS "?([^"\n]*)"?\n(.*?)(?=^\.S[SH] |\Z)', manual)
        for command in set(commands) - {"help", "validate", "bench"}:
            mine = [text for title, text in sections if command in re.split(r", | and |: ", title)]
            headings = re.findall(r"(?m)^\.TP\n(.*)$", "".join(mine))
            written = {option for heading in headings for option in re.findall(r"--[a-z-]+", heading)}
            offered = set(re.findall(r"(?m)^ +(?:-\w,)?(--[\w-]+)", self.succeed(command, "--help"))) - {"--help"}
            self.assertEqual(written, offered, command)

    def test_the_values_of_a_case_on_request(self):
        short, whole = self.succeed("info", "tank.toml"), self.succeed("info", "tank.toml", "--case")
        self.assertTrue(short.startswith("tank: A small tank\n  particles "), short)
        self.assertIn("sound_speed = 30", whole)
        self.assertEqual(short.splitlines()[-1].split(), ["every", "value", "halfulp", "info", "tank.toml", "--case"])
        self.assertTrue(whole.endswith("\n" + "".join(short.splitlines(keepends=True)[:-1])), whole)
        told = json.loads(self.succeed("info", "tank.toml", "--case", "--json"))
        self.assertTrue(any(line.startswith("sound_speed = 30") for line in told["values"]))

    def test_short_words(self):
        for command in ("run", "resume", "rerun"):
            self.assertRegex(self.succeed(command, "--help"), r"-q,--quiet")
        self.assertEqual(len(re.findall(r"(?m)^ *\d+ %", self.succeed("run", "tank.toml", "-o", "a"))), 10)
        self.assertEqual(len(re.findall(r"(?m)^ *\d+ %", self.succeed("run", "tank.toml", "-o", "b", "-q"))), 0)


class List(ProgramTest):
    def test_every_case_has_a_line(self):
        shipped = sorted(path.stem for path in (pathlib.Path(__file__).parents[3] / "cases").glob("*.toml"))
        self.assertEqual(self.succeed("list", "--names").split(), shipped)
        lines = self.succeed("list").splitlines()
        self.assertEqual([line.split()[0] for line in lines], shipped)
        self.assertRegex(self.succeed("list"), r"(?m)^dam-break-2d +2D +0\.006667 m +Dam break in a closed tank, 2D$")

    def test_own_cases_come_first_and_a_wrong_one_is_told(self):
        (self.folder / "cases").mkdir()
        shutil.copy(self.folder / "tank.toml", self.folder / "cases/dam-break-2d.toml")
        (self.folder / "cases/wrong.toml").write_text("resolution = 3\n")
        told = self.succeed("list")
        self.assertRegex(told, r"(?m)^dam-break-2d +2D +0\.05 m +A small tank$")
        self.assertRegex(told, r"(?m)^wrong +.*resolution")
        self.assertIn("taylor-green-2d", told)

    def test_particles_are_those_of_info(self):
        (line,) = [line for line in self.succeed("list", "--particles").splitlines() if line.startswith("ramp-3d")]
        fluid, wall = re.search(r"(\d+) fluid +(\d+) wall", line).groups()
        self.assertIn(f"({fluid} fluid, {wall} wall)", self.succeed("info", "ramp-3d"))


class Json(ProgramTest):
    def both(self, *words, code=0):
        """The object on standard output, which holds nothing else, and what was said on standard error."""
        found, out, err = self.run_program(*words)
        self.assertEqual(found, code, err)
        self.assertEqual(out.count("\n"), 1, out)
        return json.loads(out), err

    def test_a_run(self):
        summary, said = self.both("run", "tank.toml", "-o", "a", "--json")
        self.assertIn("100 %", said)
        self.assertNotIn("state hash", said)
        with (self.folder / "a/ledger.csv").open(newline="", encoding="utf-8") as file:
            heading, *rows = csv.reader(file)
        names = [name.split("[")[0] for name in heading]
        for which, row in (("first", rows[0]), ("last", rows[-1])):
            self.assertEqual(list(summary["ledger"][which]), names)
            self.assertEqual([float(value) for value in row], list(summary["ledger"][which].values()))
        self.assertEqual((summary["case"], summary["folder"], summary["end_state"], summary["exit_code"]), ("tank", "a", "complete", 0))
        self.assertEqual((summary["outputs"], summary["warnings"], summary["breakdown"]), (6, [], None))
        out = self.succeed("run", "tank.toml", "-o", "b")
        self.assertIn(summary["state_hash"], out)
        self.assertIn(f"{summary['particles']['fluid']} fluid, {summary['particles']['wall']} wall", out)
        told, said = self.both("rerun", "a", "--json", "--quiet")
        self.assertEqual(said, "")
        self.assertEqual((told["equal"], told["state_hash"], told["report"][0][:16]), (True, summary["state_hash"], "equal to the bit"))

    def test_a_run_that_breaks_down_or_is_refused(self):
        words = ("run", "tank.toml", "--set", "shapes.water.velocity=[-29,0]", "--set", "time.cfl=1", "--json", "-q")
        summary, said = self.both(*words, "-o", "a", code=3)
        self.assertEqual((summary["end_state"], summary["exit_code"]), ("stopped", 3))
        self.assertIn(summary["breakdown"]["what"], said)
        self.assertRegex(said, f"fluid particle {summary['breakdown']['particle']} ")
        code, out, err = self.run_program(*words, "-o", "a")
        self.assertEqual((code, out), (4, ""))
        self.assertIn("exists already", self.one_sentence(err))

    def test_warnings_and_texts(self):
        title = r'title="A \"tank\" \\ with an ü\n and a line"'
        summary, _ = self.both("info", "tank.toml", "--json", "--set", title, "--set", "numerics.walls=dynamic", "--set", "numerics.density_diffusion=fourtakas")
        self.assertEqual(summary["title"], 'A "tank" \\ with an ü\\n and a line')
        self.assertEqual(len(summary["warnings"]), 1)
        self.assertIn('numerics.walls is "dynamic"', summary["warnings"][0])
        self.assertEqual((summary["spacing"], summary["end"], summary["particles"]["fluid"]), (0.05, 0.05, 100))
        self.fail_with(1, "info", "tank.toml", "--json", "--picture")

    def test_info_names_the_speed_below_which_absolute_densities_stall_where_a_flow_is_slower(self):
        stall = "absolute densities stall below"
        speed = json.loads(self.succeed("info", "still-water", "--json"))["plain_float"]["stalling_speed"]
        for factor, slower in ((0.5, True), (2, False)):
            told = self.succeed("info", "still-water", "--set", f"shapes.water.velocity=[{factor * speed},0]")
            self.assertEqual(stall in told, slower, told)

    def test_a_sweep(self):
        words = ("sweep", "tank.toml", "--vary", "time.cfl=0.1,0.2", "--vary", "title=\"a\"", "--set", "time.end=0.02", "-o", "s", "--json")
        told, said = self.both(*words)
        self.assertIn("2 complete", said)
        self.assertEqual((told["folder"], told["table"], told["exit_code"]), ("s", "s/sweep.csv", 0))
        with (self.folder / "s/sweep.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(told["runs"]), 2)
        for row, run in zip(rows, told["runs"], strict=True):
            self.assertEqual((run["run"], run["folder"], run["end_state"]), (row["run"], "s/" + row["run"], "complete"))
            self.assertEqual(run["values"], {key: row[key] for key in ("time.cfl", "title")})
            self.assertEqual(run["state_hash"], row["state_hash"])
            self.assertEqual({name: float(row[name]) for name in run["ledger"]}, run["ledger"])
        told, _ = self.both("sweep", "tank.toml", "--vary", "shapes.water.velocity=[-29,0]", "--set", "time.cfl=1", "-o", "broken", "--json", code=3)
        self.assertEqual(told["exit_code"], 3)
        self.assertRegex(told["runs"][0]["end_state"], "^stopped: ")
        _, out, err = self.run_program(*words[:-3], "--set", "time.end=0.03", "-o", "s", "--json")
        self.assertEqual(out, "")
        self.assertIn("another case", self.one_sentence(err))

    def test_a_run_s_folder_is_none_for_a_sweep(self):
        self.succeed("run", "tank.toml", "-o", "a")
        before = sorted(path.name for path in (self.folder / "a").iterdir())
        self.assertIn("a: this is the folder of a run", self.fail_with(4, "sweep", "tank.toml", "--vary", "time.cfl=0.1,0.2", "-o", "a"))
        self.assertEqual(sorted(path.name for path in (self.folder / "a").iterdir()), before)
        self.assertIn("a: this is a run, but a case is needed", self.fail_with(1, "run", "a"))

    def test_runs_on_disk(self):
        self.succeed("run", "tank.toml", "-o", "a")
        self.succeed("run", "tank.toml", "-o", "b", "--set", "fluid.artificial_viscosity=0.06")
        told, _ = self.both("info", "a", "--json", "--case")
        self.assertEqual([output["name"] for output in told["outputs"]], [f"{k:06}" for k in range(6)])
        self.assertIn(told["outputs"][-1]["state_hash"], self.succeed("info", "a"))
        self.assertEqual((told["end_state"], told["provenance"]["precision"]), ("complete", "robust"))
        self.assertTrue(any(line.startswith('title = "A small tank"') for line in told["case"]))
        told, _ = self.both("info", "a", "--json", "--verify")
        self.assertEqual((told["verified"], told["damages"]), (True, []))
        with (self.folder / "a/ledger.csv").open("a") as file:
            file.write("1\n")
        told, said = self.both("info", "a", "--json", "--verify", code=1)
        self.assertEqual((told["verified"], len(told["damages"])), (False, 1))
        self.assertIn(told["damages"][0], said)
        told, _ = self.both("compare", "a", "b", "--json", code=2)
        self.assertFalse(told["equal"])
        self.assertIn("the cases differ: fluid.artificial_viscosity = 0.05 in A, 0.06 in B", told["report"])
        self.assertEqual(told["report"], [line for line in self.run_program("compare", "a", "b")[1].splitlines() if line])


class Pictures(ProgramTest):
    def test_nothing_is_cut_off_at_the_edges(self):
        """Panels of any shape: the outermost pixels are white."""
        if subprocess.run(["/usr/bin/python3", "-c", "import h5py, matplotlib"], capture_output=True).returncode != 0:
            self.skipTest("there is no matplotlib")
        look = ("import sys, matplotlib.image as image\nfor path in sys.argv[1:]:\n    p = image.imread(path)[:, :, :3]\n"
                "    print(*(edge.min() for edge in (p[:, 0], p[:, -1], p[0], p[-1])))")
        for k, (width, height) in enumerate([(1.0, 0.8), (2.0, 0.6), (0.6, 1.6)]):
            self.succeed("run", "tank.toml", "-o", k, "--set", f"shapes.tank.hollow_box.to=[{width},{height}]",
                         "output.figures=true")
            self.succeed("info", "tank.toml", "--picture", "-o", f"{k}.png", "--set", f"shapes.tank.hollow_box.to=[{width},{height}]")
            pictures = [str(self.folder / str(k) / "figures/particles.png"), str(self.folder / f"{k}.png")]
            done = subprocess.run(["/usr/bin/python3", "-c", look, *pictures], capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, "1.0 1.0 1.0 1.0\n" * 2, f"{width} x {height} m")
        # In 3D, a thin tank among them, and in 2D a long one with the colours of a pressure.
        for case, *words in (("dam-break-3d",), ("spheric10-3d",), ("tank.toml", "shapes.water.hydrostatic=true", "shapes.tank.hollow_box.to=[5,0.6]")):
            settings = [word for setting in words for word in ("--set", setting)]
            self.succeed("info", case, "--picture", "-o", "a.png", *settings)
            done = subprocess.run(["/usr/bin/python3", "-c", look, str(self.folder / "a.png")], capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, "1.0 1.0 1.0 1.0\n", case)


    def test_a_jet_that_no_tank_holds_is_in_the_picture(self):
        """A column of fluid strikes a thin, high plate: of the plate alone the picture would be a stripe without fluid."""
        if subprocess.run(["/usr/bin/python3", "-c", "import h5py, matplotlib"], capture_output=True).returncode != 0:
            self.skipTest("there is no matplotlib")
        (self.folder / "jet.toml").write_text("""gravity = [0, 0]
resolution = { spacing = 0.05 }
fluid = { sound_speed = 20, artificial_viscosity = 0.02 }
time = { end = 0.02 }
output = { interval = 0.01 }
shapes = [
    { name = "plate", kind = "wall", box = { from = [0, -2], to = [0.15, 2] } },
    { name = "jet", kind = "fluid", box = { from = [-1, -0.1], to = [0, 0.1] }, velocity = [1, 0] },
]
""")
        self.succeed("run", "jet.toml", "-o", "a")
        look = ("import sys, matplotlib.image as image\np = image.imread(sys.argv[1])[:, :, :3]\nleft = p[:, :int(0.75 * p.shape[1])]\n"
                "print(p.shape[0] / p.shape[1], (left.max(axis=2) - left.min(axis=2) > 0.2).mean())")
        done = subprocess.run(["/usr/bin/python3", "-c", look, str(self.folder / "a/figures/particles.png")], capture_output=True, text=True, check=True)
        tall, coloured = map(float, done.stdout.split())
        self.assertLess(tall, 2)
        self.assertGreater(coloured, 0.005, "the jet, left of the colour bar")

    def drawn(self, case, *words):
        """The positions that the program hands to its drawing script, which a copy of its data stands in for."""
        (self.folder / "python").write_text('#!/bin/sh\ncp "$3" data\n')
        (self.folder / "python").chmod(0o755)
        done = subprocess.run([program.PROGRAM, "info", case, "--picture", "-o", "a.png", *words], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "HALFULP_PYTHON": str(self.folder / "python")}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        numbers = array.array("d", (self.folder / "data").read_bytes().split(b"\ndata\n", 1)[1])
        return list(zip(numbers[0::7], numbers[1::7]))

    def test_periodic_cases_are_drawn_from_zero(self):
        for case, period in (("taylor-green-2d", (1, 1)), ("standing-wave-2d", (2, None))):
            for axis, length in enumerate(period):
                if length is None:
                    continue
                values = [position[axis] for position in self.drawn(case)]
                spacing = 0.02
                self.assertAlmostEqual(min(values), spacing / 2, 6, case)
                self.assertAlmostEqual(max(values), length - spacing / 2, 6, case)

    def test_probes_are_drawn(self):
        probes = 'probes=[{name="P",measures="pressure",at=[0,0.1]},{name="H",measures="level",at=[0.3,0]},{name="F",measures="force"},{name="Q",measures="flow",at=[0.2,0],normal=[1,0]}]'
        self.drawn("tank.toml", "--set", probes)
        head = (self.folder / "data").read_bytes().split(b"\ndata\n", 1)[0].decode().splitlines()
        self.assertEqual([line for line in head if line.startswith("probe")],
                         ["probe point 0 0.1 0 P", "probe gauge 0.3 0 0 H", "probe plane 0.2 0 0 1 0 0 Q"])
        self.succeed("info", "tank.toml", "--picture", "-o", "with.svg", "--set", probes)
        self.succeed("info", "tank.toml", "--picture", "-o", "without.svg")
        drawn, blank = ((self.folder / name).read_text().count("<!-- probes -->") for name in ("with.svg", "without.svg"))
        self.assertEqual((drawn, blank), (1, 0), "in the legend")
        of_gauges = 'probes=[{name="H",measures="level",at=[0.3,0]}]'
        self.succeed("info", "tank.toml", "--picture", "-o", "gauges.svg", "--set", of_gauges)
        in_legend = [[f"<!-- {text}" in (self.folder / name).read_text() for text in ("probes -->", "gauges of the level -->", "planes of flow")]
                     for name in ("with.svg", "gauges.svg")]
        self.assertEqual(in_legend, [[True, True, True], [False, True, False]], "what is there, and nothing else")

    def assert_said(self, look, said):
        """What a script prints that imports picture.py."""
        scripts = pathlib.Path(__file__).resolve().parents[3] / "core/output"
        done = subprocess.run(["/usr/bin/python3", "-B", "-c", look, str(scripts)], capture_output=True, text=True, check=False)
        if done.returncode == 3:
            self.skipTest("there is no matplotlib")
        self.assertEqual((done.returncode, done.stdout), (0, said), done.stderr)

    def test_probes_beside_each_other_share_a_label(self):
        """It is beside the marker of the first that it names."""
        look = """
import sys, types, unittest.mock
import numpy as np
sys.path.insert(0, sys.argv[1])
import picture
said = []
picture.write_name = lambda axis, name, at, **where: said.append((name, *(float(one) for one in at)))
setup = types.SimpleNamespace(values={"gravity": "0 -9.81"}, support=0.1, limits=lambda: (np.zeros(3), np.array([2, 1, 0])),
    probes=[("point", np.array([0, y, 0]), name) for name, y in (("P1", 0.1), ("P2", 0.15), ("P3", 0.2), ("far", 0.9), ("off", 0.95))]
           + [("point", np.array([x, y, 0]), name) for name, x, y in (("A", 1, 0.1), ("B", 1, 0.15), ("C", 1, 0.2), ("D", 1.05, 0.16))]
           + [("gauge", np.array([0.1, 0, 0]), "H"), ("plane", np.array([0.5, 0, 0, 1, 0, 0]), "Q"),
              ("plane", np.array([0.5, 0, 0, 0, 0, 1]), "that lies in the section")])
picture.draw_probes(setup, unittest.mock.MagicMock(), 0, 1)
print(sorted(said))
"""
        self.assert_said(look, "[('D, A, B, +1', 1.05, 0.16), ('H', 0.1, 1.0), ('P1, P2, P3', 0.0, 0.1), ('Q', 0.5, 0.0), "
                               "('far, off', 0.0, 0.9)]\n")

    def test_a_slanted_plane_of_flow_is_where_it_meets_the_section(self):
        look = """
import sys, types, unittest.mock
import numpy as np
sys.path.insert(0, sys.argv[1])
import picture
axis = unittest.mock.MagicMock()
axis.transLimits.transform.return_value = (0.5, 0.5)
setup = types.SimpleNamespace(values={"gravity": "0 0 -9.81"}, support=0.1, limits=lambda: (np.zeros(3), np.array([2, 1, 1])),
    probes=[("plane", np.array([0.5, 0.25, 0.3, 2, 2, 0]), "Q")])
picture.draw_probes(setup, axis, 0, 2, 0.75)
(first, second), at = axis.axline.call_args.args, axis.annotate.call_args_list[-1].args[1]
print([float(one) for one in (*first, second[0] - first[0], abs(second[1] - first[1]), *at)])
"""
        self.assert_said(look, "[0.0, 0.3, 0.0, 1.0, 0.0, 0.3]\n")

    def test_what_is_not_a_picture_of_a_case_stays(self):
        """A file of somebody, even a picture, a link, and what is no file; its own are replaced."""
        words = ("info", "tank.toml", "--picture", "-o")
        os.mkfifo(self.folder / "pipe.png")
        (self.folder / "folder.png").mkdir()
        (self.folder / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\nmine")
        (self.folder / "victim").write_text("precious")
        (self.folder / "link.png").symlink_to("victim")
        (self.folder / "lost.png").symlink_to("nowhere")
        for name, told in (("pipe.png", "is no file"), ("folder.png", "a folder of that name"), ("photo.png", "has not drawn"),
                           ("link.png", "a link of that name"), ("lost.png", "a link of that name"), (f"{250 * 'a'}.png", "240 bytes")):
            sentence = self.fail_with(1, *words, name)
            self.assertIn(told, sentence)
            self.assertTrue(sentence.endswith("; give another name."), sentence)
        self.assertEqual((self.folder / "photo.png").read_bytes(), b"\x89PNG\r\n\x1a\nmine")
        self.assertEqual((self.folder / "victim").read_text(), "precious")
        self.assertFalse((self.folder / "nowhere").exists())
        if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True).returncode != 0:
            self.skipTest("there is no matplotlib")
        for name in ("a.png", "a.pdf", "a.svg"):
            (self.folder / name).touch()
            for _ in range(2):
                self.succeed(*words, name)
            self.assertGreater((self.folder / name).stat().st_size, 1000)
        self.assertEqual(list(self.folder.glob("*.new")), [])

    def test_nothing_is_said_beside_pictures(self):
        """Of a short run whose rows are hardly apart, and of a title whose letters the font does not have."""
        if subprocess.run(["/usr/bin/python3", "-c", "import h5py, matplotlib"], capture_output=True).returncode != 0:
            self.skipTest("there is no matplotlib")
        title = ("--set", 'title="\u6c34"')
        self.succeed("run", "still-water", *title, "--set", "time.end=0.0005", "--set", "resolution.spacing=0.05", "-o", "a")
        self.assertTrue((self.folder / "a/figures/ledger.png").is_file())
        self.succeed("info", "tank.toml", "--picture", "-o", "a.png", *title)

    def test_names_that_no_picture_can_have(self):
        for name in ("x.txt", "x", "x.png.gz"):
            self.assertIn(f"-o {name}: the name of a picture must end in .png", self.fail_with(1, "info", "tank.toml", "--picture", "-o", name))


class Completion(ProgramTest):
    def complete(self, *words):
        """What bash offers for the last word."""
        script = ('source <(halfulp completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _halfulp; printf "%s\\n" "${COMPREPLY[@]}"')
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        (self.folder / "bin").mkdir(exist_ok=True)
        if not (self.folder / "bin/halfulp").exists():
            (self.folder / "bin/halfulp").symlink_to(program.PROGRAM)
        done = subprocess.run(["bash", "-c", script, "bash", *words], cwd=self.folder, env=environment, text=True, capture_output=True, check=False)
        self.assertEqual(done.stderr, "")
        return [line for line in done.stdout.splitlines() if line]

    def test_bash(self):
        (self.folder / "my run").mkdir()
        self.assertEqual(self.complete("halfulp", "resume", "my"), ["my run"])
        self.assertEqual(self.complete("halfulp", "re"), ["resume", "rerun"])
        self.assertEqual(self.complete("halfulp", "run", "--ke"), ["--keep-checkpoint"])
        self.assertEqual(self.complete("halfulp", "resume", "a", "--un"), ["--until"])
        self.assertEqual(self.complete("halfulp", "run", "dam-"), ["dam-break-2d", "dam-break-3d"])
        self.assertEqual(self.complete("halfulp", "info", "tan"), ["tank.toml"])
        self.assertEqual(self.complete("halfulp", "compare", "b"), ["bin"])
        self.assertEqual(self.complete("halfulp", "run", "tank.toml", "-o", "b"), ["bin"])
        self.assertEqual(self.complete("halfulp", "run", "tank.toml", "--threads", "b"), [])
        self.assertEqual(self.complete("halfulp", "help", "swe"), ["sweep"])
        self.assertEqual(self.complete("halfulp", "completion", ""), ["bash", "zsh", "fish"])

    def test_every_option_is_in_every_script(self):
        scripts = {shell: self.succeed("completion", shell) for shell in ("bash", "zsh", "fish")}
        for command in ("run", "resume", "rerun", "sweep", "list", "info", "compare", "completion"):
            for option in re.findall(r"(?m)^ +(?:-\w,)?--([\w-]+)", self.succeed(command, "--help")):
                self.assertRegex(scripts["bash"], rf"(?s)\n    {command}\)\n.*?--{option}\b.*?;;\n")
                self.assertRegex(scripts["zsh"], rf"(?s)\n    {command}\) _arguments.*?'\*--{option}\[.*?;;\n")
                self.assertRegex(scripts["fish"], rf"(?m)^complete -c halfulp -n '__fish_seen_subcommand_from {command}'.* -l {option}\b")
        self.assertIn("allowed are bash, zsh and fish", self.fail_with(1, "completion", "tcsh"))

    def test_the_shells_read_them(self):
        for shell, words in (("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])):
            if shutil.which(shell):
                script = self.folder / f"completion.{shell}"
                script.write_text(self.succeed("completion", shell))
                done = subprocess.run([shell, *words, script], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)


class Colours(ProgramTest):
    WARNED = ("info", "tank.toml", "--set", "numerics.walls=dynamic", "--set", "numerics.density_diffusion=fourtakas")

    def on_a_terminal(self, *words, **environment):
        near, far = pty.openpty()
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        process = self.start(*words, stdout=far, stderr=far, env={**kept, "TERM": "xterm", **environment})
        os.close(far)
        said = b""
        try:
            while part := os.read(near, 4096):
                said += part
        except OSError:  # the terminal is gone with the program
            pass
        os.close(near)
        process.wait(timeout=60)
        return said.decode().replace("\r\n", "\n")

    def test_only_on_a_terminal_that_wants_them(self):
        plain = self.succeed(*self.WARNED)
        self.assertNotIn("\033[", plain)
        coloured = self.on_a_terminal(*self.WARNED)
        self.assertRegex(coloured, "(?m)^\033\\[33m  warning .*\033\\[0m$")
        self.assertEqual(re.sub("\033\\[\\d+m", "", coloured), plain)
        self.assertEqual(self.on_a_terminal(*self.WARNED, NO_COLOR="1"), plain)
        self.assertEqual(self.on_a_terminal(*self.WARNED, TERM="dumb"), plain)
        self.assertEqual(self.on_a_terminal(*self.WARNED, NO_COLOR=""), coloured, "an empty one is none (no-color.org)")

    def test_errors_and_verdicts(self):
        self.assertRegex(self.on_a_terminal("run", "nowhere"), "^\033\\[31mhalfulp: There is no case .*\033\\[0m\n$")
        self.assertRegex(self.on_a_terminal("run", "tank.toml", "--threads", "x"), "^\033\\[31mhalfulp: ")
        self.succeed("run", "tank.toml", "-o", "a")
        self.assertRegex(self.on_a_terminal("compare", "a", "a"), "^\033\\[32mequal to the bit")


if __name__ == "__main__":
    program.main()
