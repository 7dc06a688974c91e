#!/usr/bin/env python3
"""Files of a run while others act on them: moved, taken, foreign, equal, too large. Usage: files_test.py PROGRAM"""
import ctypes
import os
import pathlib
import signal
import subprocess
import time

import program
from program import ProgramTest


class Files(ProgramTest):
    LONG = ("run", "tank.toml", "--quiet", "--set", "time.end=1000", "--set", "output.interval=0.02", "--checkpoint-every", "0.05")

    def content(self, name):
        return {path.relative_to(self.folder / name): path.read_bytes() for path in (self.folder / name).rglob("*") if path.is_file()}

    def test_folder_that_is_moved_away_from_a_run(self):
        process = self.start(*self.LONG, "-o", "a")
        self.wait_for("a/checkpoint.0")
        (self.folder / "a").rename(self.folder / "moved")
        self.assertIn("another halfulp is writing into moved and still going", self.fail_with(4, "resume", "moved"))
        self.succeed("run", "tank.toml", "-o", "a")
        second = self.content("a")
        before = len(self.outputs("moved"))
        self.wait_until(lambda: len(self.outputs("moved")) >= before + 5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (130, ""))
        self.assertIn("halfulp resume moved", out)
        self.assertIn("moved/run.h5", out)
        self.assertEqual(self.content("a"), second, "the new run is as it was")
        self.assertGreater(len(self.outputs("moved")), before)
        for name in ("a", "moved"):
            self.succeed("info", "--verify", name)
        # What it has is what a run that was left alone has.
        self.succeed("run", "tank.toml", "-o", "b", "--quiet", "--set", "time.end=0.1", "--set", "output.interval=0.02")
        self.assertEqual(self.outputs("moved")[:5], self.outputs("b")[:5])

    def test_folders_that_are_exchanged_while_two_runs_write(self):
        """Each run goes on in the folder that it began in, whatever its name is at the moment."""
        exchange = getattr(ctypes.CDLL(None), "renameat2", None)
        here, exchanged = -100, 2
        names = [os.fsencode(self.folder / name) for name in ("a", "b")]
        speeds = [f"fluid.sound_speed={speed}" for speed in (30, 40)]
        runs = [self.start(*self.LONG, "--set", speed, "-o", name) for name, speed in zip("ab", speeds)]
        for name in "ab":
            self.wait_for(name + "/checkpoint.0")
        for _ in range(201):  # odd: they end exchanged
            if exchange is None or exchange(here, names[0], here, names[1], exchanged) != 0:
                for process in runs:
                    process.kill()
                    process.communicate()
                self.skipTest("this system does not exchange folders")
            time.sleep(0.005)
        for process in runs:
            process.send_signal(signal.SIGINT)
            self.assertEqual((process.communicate(timeout=60)[1], process.returncode), ("", 130))
        for name, speed in zip("ba", speeds):
            self.succeed("info", "--verify", name)
            self.succeed("run", "tank.toml", "-o", name + "-alone", "--quiet", "--set", speed, "--set", "time.end=0.08", "--set",
                         "output.interval=0.02")
            self.assertEqual(self.outputs(name)[:4], self.outputs(name + "-alone")[:4])

    def test_what_is_not_of_a_run_is_not_replaced(self):
        probe = ["--set", 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003}]']
        names = ("run.h5", "ledger.csv", "run.xdmf", "breakdown.vtk", "checkpoint.0", "checkpoint.1", "outputs/000003.h5",
                 "outputs/vertices-164.h5", "probes/p.csv", "run.h5.new", "ledger.csv.new", "run.xdmf.new", "breakdown.vtk.new",
                 "checkpoint.new", "outputs/000003.h5.new", "outputs/vertices-164.h5.new", "probes/p.csv.new")
        for k, name in enumerate(names):
            mine = self.folder / str(k) / name
            mine.parent.mkdir(parents=True)
            mine.write_text("mine")
            for more in ([], ["--overwrite"]):
                sentence = self.fail_with(4, "run", "tank.toml", "-o", k, *probe, *more)
                self.assertIn(f"{k}/{name} is no file of a run of halfulp", sentence)
                self.assertEqual(self.content(str(k)), {pathlib.Path(name): b"mine"})
        # Beside a run, too: what took the place of its tables, even the case itself.
        for name in ("ledger.csv", "run.xdmf", "probes/p.csv"):
            self.succeed("run", "tank.toml", "-o", "a", "--overwrite", *probe)
            (self.folder / "a" / name).write_text(program.CASE)
            before = self.content("a")
            self.assertIn(f"a/{name} is no file of a run", self.fail_with(4, "run", f"a/{name}", "-o", "a", "--overwrite", *probe))
            self.assertEqual(self.content("a"), before)
            (self.folder / "a" / name).unlink()
        # And a table of a probe that it did not have, or an output after its own.
        self.succeed("run", "tank.toml", "-o", "a", "--overwrite")
        for name in ("probes/p.csv", "outputs/000020.h5", "checkpoint.1", "ledger.csv.new"):
            self.succeed("run", "tank.toml", "-o", "a", "--overwrite")
            (self.folder / "a" / name).parent.mkdir(exist_ok=True)
            (self.folder / "a" / name).write_text("mine")
            before = self.content("a")
            self.assertIn(f"a/{name} is no file of a run", self.fail_with(4, "run", "tank.toml", "-o", "a", "--overwrite", *probe))
            self.assertEqual(self.content("a"), before)
            (self.folder / "a" / name).unlink()

    def test_files_of_others_in_place_of_a_checkpoint(self):
        process = self.start(*self.LONG, "-o", "a")
        self.wait_for("a/checkpoint.1")
        process.kill()
        process.communicate(timeout=60)
        resume = ("resume", "a", "--until", "1")
        (self.folder / "a/checkpoint.0").write_text("notes of somebody")
        code, _, err = self.run_program(*resume)
        self.assertEqual(code, 4, err)
        self.assertIn("a/checkpoint.0 is no file of a run of halfulp, but a run in this folder would replace it", err)
        self.assertEqual((self.folder / "a/checkpoint.0").read_text(), "notes of somebody")
        # As a machine may leave one that has lost its power.
        for nothing in (b"", bytes(4096)):
            (self.folder / "a/checkpoint.0").write_bytes(nothing)
            process = self.start("resume", "a", "--quiet", "--checkpoint-every", "0.05")
            self.wait_until(lambda: (self.folder / "a/checkpoint.0").read_bytes()[:1] not in (b"", b"\0"))
            process.kill()
            process.communicate(timeout=60)
            self.wait_until(lambda: (self.folder / "a/checkpoint.1").exists())

    def test_pipes_under_names_of_a_run(self):
        for name in ("ledger.csv", "run.xdmf", "breakdown.vtk", "outputs/000001.h5", "outputs/000900.h5"):
            self.succeed("run", "tank.toml", "-o", "a", "--overwrite")
            (self.folder / "a" / name).unlink(missing_ok=True)
            os.mkfifo(self.folder / "a" / name)
            self.assertIn(f"a/{name} is no file of a run", self.fail_with(4, "run", "tank.toml", "-o", "a", "--overwrite"))
            self.assertTrue((self.folder / "a" / name).is_fifo())
            (self.folder / "a" / name).unlink()

    PROBE = ("--set", 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003}]')
    # What a run leaves that is killed while it writes a file: nothing, the beginning, or zeros where its seal will be.
    PARTIAL = {"run.h5.new": bytes(600), "ledger.csv.new": b"step[1],ti", "run.xdmf.new": b"", "checkpoint.new": b"halfulp chec",
               "breakdown.vtk.new": b"# vtk DataFile Version 3.0\nhalfulp: arou", "outputs/000003.h5.new": bytes(100),
               "outputs/vertices-164.h5.new": b"", "probes/p.csv.new": b"time[s],pressure"}
    FOREIGN = ("notes.new", "ledger.new", "outputs/notes.new", "outputs/mine.h5.new", "probes/q.csv.new", "new")

    def put(self, folder, files):
        for name, content in files.items():
            (self.folder / folder / name).parent.mkdir(exist_ok=True)
            (self.folder / folder / name).write_bytes(content)

    def check_cleared(self, folder):
        names = {str(path) for path in self.content(folder)}
        self.assertEqual({name for name in names if name.endswith("new")}, set(self.FOREIGN))
        for name in self.FOREIGN:
            self.assertEqual((self.folder / folder / name).read_bytes(), b"mine")

    def cut_off(self):
        process = self.start(*self.LONG, *self.PROBE, "-o", "a")
        self.wait_for("a/checkpoint.0")
        process.kill()
        process.communicate()

    def test_what_a_killed_run_has_begun_to_write(self):
        """It is cleared away by the next run in its folder; other names that end alike are not."""
        self.succeed("run", "tank.toml", "-o", "a", *self.PROBE)
        for more in (self.PROBE, []):
            self.put("a", self.PARTIAL | dict.fromkeys(self.FOREIGN, b"mine"))
            self.succeed("run", "tank.toml", "-o", "a", "--overwrite", *more)
            self.check_cleared("a")

    def test_what_a_killed_run_has_begun_to_write_and_goes_on_with(self):
        self.cut_off()
        self.put("a", self.PARTIAL | dict.fromkeys(self.FOREIGN, b"mine"))
        process = self.start("resume", "a", "--quiet", "--threads", "1", "--checkpoint-every", "0.05")
        before = (self.folder / "a/checkpoint.0").stat().st_mtime_ns
        self.wait_until(lambda: (self.folder / "a/checkpoint.0").stat().st_mtime_ns != before)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (130, ""))
        self.check_cleared("a")

    def test_what_is_not_of_a_resumed_run_is_not_replaced(self):
        self.cut_off()
        for name in ("ledger.csv.new", "checkpoint.new", "outputs/000900.h5", "outputs/000900.h5.new", "breakdown.vtk"):
            self.put("a", {name: b"mine"})
            before = self.content("a")
            self.assertIn(f"a/{name} is no file of a run of halfulp", self.fail_with(4, "resume", "a"))
            self.assertEqual(self.content("a"), before)
            (self.folder / "a" / name).unlink()

    def test_figures_that_are_not_of_a_run(self):
        if subprocess.run(["/usr/bin/python3", "-c", "import h5py, matplotlib"], capture_output=True).returncode != 0:
            self.skipTest("there is no matplotlib")
        (self.folder / "a/figures").mkdir(parents=True)
        (self.folder / "a/figures/particles.png").write_text("mine")
        for more in ([], ["--overwrite"]):
            code, _, err = self.run_program("run", "tank.toml", "-o", "a", "--set", "output.figures=true", *more)
            self.assertEqual((code, err), (0, "figures.py: a/figures/particles.png is not drawn, since a file of that name is there already.\n"))
            self.assertEqual((self.folder / "a/figures/particles.png").read_text(), "mine")
            self.assertTrue((self.folder / "a/figures/ledger.png").exists())
        self.succeed("run", "tank.toml", "-o", "a", "--overwrite")
        self.assertEqual(list(self.content("a/figures")), [pathlib.Path("particles.png")], "the run's own are gone with it")

    # After the first look at the folder `outputs` a second passes.
    SLOW_LOOK = r"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <string.h>
        #include <sys/stat.h>
        #include <unistd.h>
        int lstat(const char* path, struct stat* status)
        {
            static int (*own)(const char*, struct stat*);
            static int looks;
            if (!own) own = (int (*)(const char*, struct stat*))dlsym(RTLD_NEXT, "lstat");
            const int result = own(path, status);
            const size_t length = strlen(path);
            if (length >= 8 && strcmp(path + length - 8, "/outputs") == 0 && looks++ == 0) sleep(1);
            return result;
        }"""

    def test_a_folder_that_another_run_makes_meanwhile(self):
        """Its files are not taken for foreign ones by a run that has not found the folder."""
        if program.sanitized():
            self.skipTest("a library that is loaded before the address sanitizer's")
        slow = self.start("run", "tank.toml", "-o", "a", env=self.preloaded(self.SLOW_LOOK))
        time.sleep(0.3)
        code, _, err = self.run_program("run", "tank.toml", "-o", "a")
        _, err_of_slow = slow.communicate(timeout=60)
        self.assertEqual(sorted((code, slow.returncode)), [0, 4])
        self.assertRegex(err + err_of_slow, r"\Ahalfulp: (another halfulp is writing into a|a/run.h5 exists already).*\n\Z")
        self.succeed("info", "--verify", "a")

    def test_several_runs_at_once_into_one_folder(self):
        """One has it at a time; whatever then stands there is a run from its beginning to its end."""
        for k in range(8):
            more = [("--overwrite", "--set", f"time.end={end}") for end in (0.01, 0.02, 0.03, 0.04)]
            if k % 2 == 1:  # resume beside them
                self.succeed("run", "tank.toml", "-o", "a", "--overwrite", "--keep-checkpoint")
            processes = [self.start("run", "tank.toml", "-o", "a", *words) for words in more]
            if k % 2 == 1:
                processes += [self.start("resume", "a", "--until", "0.06", "--threads", "1") for _ in range(2)]
            codes = []
            for process in processes:
                _, err = process.communicate(timeout=120)
                codes.append(process.returncode)
                if process.returncode != 0:
                    self.one_sentence(err)
                    self.assertRegex(err, "another halfulp is writing into a|there is no run at a|a holds no run|"
                                          "has no checkpoint of its end|has come to t = .* already")
            self.assertIn(0, codes)
            self.assertLessEqual(set(codes), {0, 1, 4})
            self.succeed("info", "--verify", "a")
            self.assertEqual(self.provenance("a", "end_state"), "complete")
            self.assertEqual([str(path) for path in (self.folder / "a").rglob("*.new")], [])
            self.succeed("rerun", "a", "-o", "again", "--overwrite")

    def test_folder_is_held_until_its_figures_are_drawn(self):
        """Else they could be another run's, or lie beside one that has none."""
        python = self.folder / "python"
        python.write_text('#!/bin/sh\ntouch drawing\nwhile test ! -e drawn; do sleep 0.05; done\n')
        python.chmod(0o755)
        environment = dict(os.environ, HALFULP_PYTHON=str(python))
        process = self.start("run", "tank.toml", "-o", "a", "--set", "output.figures=true", env=environment)
        self.addCleanup(process.kill)
        self.wait_for("drawing")
        for words in (("run", "tank.toml", "-o", "a", "--overwrite"), ("resume", "a")):
            self.assertIn("another halfulp is writing into a", self.fail_with(4, *words))
        (self.folder / "drawn").touch()
        _, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (0, ""))
        self.succeed("run", "tank.toml", "-o", "a", "--overwrite")

    def test_an_interrupt_ends_the_drawing(self):
        python = self.folder / "python"
        python.write_text('#!/bin/sh\ntouch drawing\nexec sleep 1000\n')
        python.chmod(0o755)
        process = self.start("run", "tank.toml", "-o", "a", "--set", "output.figures=true", env=dict(os.environ, HALFULP_PYTHON=str(python)))
        self.addCleanup(process.kill)
        self.wait_for("drawing")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=20)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertIn("not all were drawn (interrupted); the run itself is complete", out)
        self.assertEqual(self.provenance("a", "end_state"), "complete")

    def test_links_pipes_and_beginnings_under_names_of_figures(self):
        if subprocess.run(["/usr/bin/python3", "-c", "import h5py, matplotlib"], capture_output=True).returncode != 0:
            self.skipTest("there is no matplotlib")
        figures = self.folder / "a/figures"
        draw = ("run", "tank.toml", "-o", "a", "--set", "output.figures=true", "--overwrite")
        self.succeed(*draw)
        drawn = {path.name: path.read_bytes() for path in figures.iterdir()}
        # A link stays, and what it leads to, a figure of another run too; nothing comes to be at the end of one.
        (self.folder / "other.png").write_bytes(drawn["ledger.png"])
        links = (figures / "ledger.png", figures / "particles.png.new")
        for target in ("other.png", "nothing.png"):
            for link in links:
                link.unlink(missing_ok=True)
                link.symlink_to(self.folder / target)
            code, _, err = self.run_program(*draw, "--set", "time.end=0.02")
            self.assertEqual((code, sorted(err.splitlines())), (0, [
                "figures.py: a/figures/ledger.png is not drawn, since a link of that name is there already.",
                "figures.py: a/figures/particles.png is not drawn, since a/figures/particles.png.new is there already."]))
            self.assertTrue(all(link.is_symlink() for link in links))
            self.assertFalse((self.folder / "nothing.png").exists())
            self.assertEqual((self.folder / "other.png").read_bytes(), drawn["ledger.png"])
        for link in links:
            link.unlink()
        # A figure that was cut off is drawn anew, whether it has its first bytes or none.
        (figures / "ledger.png.new").write_bytes(drawn["ledger.png"][:400])
        (figures / "particles.png").write_bytes(b"")
        self.succeed(*draw)
        self.assertEqual({path.name: path.read_bytes() for path in figures.iterdir()}, drawn)
        for name in ("ledger.png", "ledger.png.new"):
            (figures / name).unlink(missing_ok=True)
            os.mkfifo(figures / name)
            code, _, err = self.run_program(*draw)
            what = "a file of that name" if name == "ledger.png" else "a/figures/ledger.png.new"
            self.assertEqual((code, err), (0, f"figures.py: a/figures/ledger.png is not drawn, since {what} is there already.\n"))
            self.assertTrue((figures / name).is_fifo())
            (figures / name).unlink()

    def test_equal_runs_make_equal_files(self):
        """All but run.h5, which says how long the run took and, with its path, where it was."""
        (self.folder / "roll.csv").write_text("t_s,degrees\n" + "".join(f"{0.1 * k},{0.01 * k * k}\n" for k in range(12)))
        words = ["run", "tank.toml", "-o", "a", "--set",
                 'motions=[{name="roll",rotation={pivot=[0.5,0],table={file="roll.csv",column="degrees"}}}]', "--set",
                 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003,filter=0.01}]']
        for compression in ("none", "deflate"):
            contents = []
            for threads in (1, 2):
                time.sleep(1.1 * (threads - 1))  # times of day in files are in whole seconds
                self.succeed(*words, "--overwrite", "--threads", threads, "--set", f'output.compression="{compression}"')
                contents.append(self.content("a"))
            different = [str(name) for name in contents[0] if contents[0][name] != contents[1].get(name)]
            self.assertEqual((different, contents[0].keys()), (["run.h5"], contents[1].keys()))
            self.assertGreater(len(contents[0]), 10)

    def test_input_with_a_long_name(self):
        """Its copy gets something before and behind its name, for which file systems have no room; of letters of two bytes
        none is cut in half."""
        for name in (251 * "r" + ".csv", "r" + 125 * "\u00e4" + ".csv"):
            (self.folder / name).write_text("t_s,degrees\n0,0\n1,1\n")
            motion = f'motions=[{{name="roll",rotation={{pivot=[0.5,0],table={{file="{name}",column="degrees"}}}}}}]'
            self.succeed("run", "tank.toml", "-o", "a", "--overwrite", "--set", motion, "--set", "time.end=0.01")
            copy, = (self.folder / "a/inputs").iterdir()
            self.assertTrue(copy.name.startswith("0-") and copy.name.endswith(".csv"), copy.name)
            (self.folder / name).unlink()
            self.assertIn("equal to the bit", self.succeed("rerun", "a", "-o", "b", "--overwrite"))
            self.succeed("info", "--verify", "a")

    # Puts another file in the place of one when the HDF5 library is about to open it.
    SWAPPER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
int64_t H5Fopen(const char* path, unsigned flags, int64_t access)
{
    static int opened;
    if (++opened == NUMBER) rename("other.h5", PLACE);
    return ((int64_t (*)(const char*, unsigned, int64_t)) dlsym(RTLD_NEXT, "H5Fopen"))(path, flags, access);
}
"""

    def test_file_that_is_replaced_after_it_was_verified(self):
        """The HDF5 library, which may crash on what is damaged, does not open it."""
        if program.sanitized():
            self.skipTest("a library that is loaded before the address sanitizer's")
        self.succeed("run", "tank.toml", "-o", "a")
        operators = ("operators", "a", "--field", "pressure", "--output", "3", "-o", "o")
        for number, place, words in ((1, "a/run.h5", ("info", "a")), (2, "a/outputs/000003.h5", operators)):
            environment = self.preloaded(self.SWAPPER, f"-DNUMBER={number}", f'-DPLACE="{place}"')
            before = (self.folder / place).read_bytes()
            (self.folder / "other.h5").write_bytes(before[:700] + bytes(len(before) - 700))
            self.assertIn(f"{place} is damaged: its checksum differs", self.fail_with(1, *words, env=environment))
            self.assertFalse((self.folder / "other.h5").exists(), "it has taken its place")
            (self.folder / place).write_bytes(before)

    def test_pipes(self):
        """A case may come through a pipe; what is read again may not; nothing waits for a writer that does not come."""
        os.mkfifo(self.folder / "pipe")
        self.assertIn("pipe: this is a pipe into which no program writes", self.fail_with(1, "info", "pipe"))
        table = 'motions=[{name="roll",rotation={pivot=[0.5,0],table={file="pipe",column="degrees"}}}]'
        self.assertIn("the table is a pipe or a device, but it is read more than once", self.fail_with(1, "run", "tank.toml", "--set", table))
        mesh = 'shapes.water.mesh={file="pipe"}'
        self.fail_with(1, "run", "tank.toml", "--set", mesh)
        self.succeed("run", "tank.toml", "-o", "a")
        # A writer that takes its time.
        script = '(sleep 0.3; cat tank.toml) | "$@"'
        for words in (["info", "/dev/stdin"], ["run", "/dev/stdin", "-o", "b", "--quiet"]):
            done = subprocess.run(["sh", "-c", script, "sh", program.PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.outputs("a"), self.outputs("b"))

    def test_outputs_beyond_the_disk(self):
        words = ("run", "tank.toml", "-o", "a", "--set", "time.end=1e9", "--set", "output.interval=1e-3")
        self.assertRegex(self.fail_with(4, *words), r"outputs of 25.2 kB are .* but the disk of a has \S+ .B free: choose a longer output.interval")
        self.assertFalse((self.folder / "a").exists())
        sentence = self.fail_with(4, *words, "--set", 'output.columns=["velocity"]', "--set", 'output.particles="fluid"')
        self.assertIn("outputs of 1.6 kB are", sentence, "100 particles with velocity and id")


if __name__ == "__main__":
    program.main()
