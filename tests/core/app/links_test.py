#!/usr/bin/env python3
"""Symbolic links under names that a run writes. Usage: links_test.py PROGRAM"""
import shutil
import signal
import subprocess
import time

import program
from program import digests, ProgramTest


class Links(ProgramTest):
    """What a run writes stays in its folder, whatever stands there under the names that it takes."""

    PROBE = ("--set", 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.01}]', "--set", "output.interval=0.02")

    def test_links_are_refused(self):
        """They are of somebody else, wherever they lead, and are neither followed nor replaced."""
        self.succeed("run", "tank.toml", "-o", "other", *self.PROBE)
        self.succeed("run", "tank.toml", "-o", "a", "--keep-checkpoint", *self.PROBE)
        names = ("run.h5", "ledger.csv", "run.xdmf", "breakdown.vtk", "probes/p.csv", "outputs/000000.h5", "outputs/000001.h5",
                 "outputs/000042.h5", "outputs/vertices-164.h5", "checkpoint.0", "checkpoint.1", "checkpoint")
        (self.folder / "victim").write_text("precious")
        for name in names:
            for link in (self.folder / "a" / name, self.folder / "a" / f"{name}.new"):
                if link.name == "checkpoint" or (link.name.startswith("checkpoint.") and link.name not in ("checkpoint.0", "checkpoint.1")):
                    continue  # no name of a run
                shutil.rmtree(self.folder / "work", ignore_errors=True)
                shutil.copytree(self.folder / "a", self.folder / "work")
                link = self.folder / "work" / link.relative_to(self.folder / "a")
                link.unlink(missing_ok=True)
                for target in ("victim", "nothing", f"other/{name}"):
                    link.symlink_to(self.folder / target)
                    before = digests(self.folder)
                    said = f"work/{link.relative_to(self.folder / 'work')} is a link, but what a run writes stays in its folder"
                    self.assertIn(said, self.fail_with(4, "run", "tank.toml", "-o", "work", "--overwrite", *self.PROBE), target)
                    # Resume reads run.h5, checkpoints and outputs before.
                    code, _, err = self.run_program("resume", "work", "--until", "0.1")
                    self.assertIn(code, (1, 4), err)
                    if code == 4:
                        self.assertIn(said, err.splitlines()[-1])
                    self.assertEqual((link.is_symlink(), digests(self.folder)), (True, before))
                    link.unlink()

    def test_links_of_checkpoints_are_refused_by_resume(self):
        self.succeed("run", "tank.toml", "-o", "a", "--keep-checkpoint")
        for name in ("checkpoint.0", "checkpoint.1"):
            link = self.folder / "a" / name
            if link.exists():
                link.rename(self.folder / name)
            link.symlink_to(self.folder / name)
        self.assertIn("is a link, but what a run writes stays in its folder", self.fail_with(4, "resume", "a", "--until", "0.1"))

    def test_folders_of_a_run_are_no_links(self):
        (self.folder / "elsewhere").mkdir()
        (self.folder / "elsewhere" / "000000.h5").write_text("precious")
        for name in ("outputs", "probes", "inputs"):
            (self.folder / name).mkdir()
            (self.folder / name / name).symlink_to(self.folder / "elsewhere")
            self.assertIn("is a link, but what a run writes stays in its folder",
                          self.fail_with(4, "run", "tank.toml", "-o", name, "--overwrite", *self.PROBE))
            self.assertEqual([path.name for path in (self.folder / "elsewhere").iterdir()], ["000000.h5"])
            self.assertEqual((self.folder / "elsewhere" / "000000.h5").read_text(), "precious")


    def test_what_a_link_leads_to_is_not_removed(self):
        """Of what an earlier run had and the new one has not either."""
        (self.folder / "roll.csv").write_text("t_s,degrees\n0,0\n1,0\n")
        motion = ["--set", 'motions=[{name="roll",rotation={pivot=[0.5,0],table={file="roll.csv",column="degrees"}}}]']
        for name, file in (("probes", "p.csv"), ("inputs", "0-roll.csv")):
            self.succeed("run", "tank.toml", "-o", name, "--keep-checkpoint", *motion, *self.PROBE)
            (self.folder / name / name).rename(self.folder / f"{name}-elsewhere")
            (self.folder / name / name).symlink_to(self.folder / f"{name}-elsewhere")
            (self.folder / f"{name}-elsewhere" / f"{file}.new").touch()
            for words in (("run", "tank.toml", "-o", name, "--overwrite"), ("resume", name, "--until", "0.1")):
                self.assertIn(f"{name}/{name} is a link, but what a run writes stays in its folder", self.fail_with(4, *words))
            self.assertEqual(sorted(path.name for path in (self.folder / f"{name}-elsewhere").iterdir()), [file, f"{file}.new"])

    def test_folder_of_outputs_that_becomes_a_link(self):
        (self.folder / "elsewhere").mkdir()
        process = self.start("run", "tank.toml", "-o", "a", "--quiet", "--set", "time.end=1000")
        self.wait_for("a/outputs/000001.h5")
        (self.folder / "link").symlink_to(self.folder / "elsewhere")
        (self.folder / "a/outputs").rename(self.folder / "a/aside")
        (self.folder / "link").rename(self.folder / "a/outputs")
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4)
        # A file that is being written at that moment has lost its folder.
        self.assertRegex(self.one_sentence(err), "is a link, but what a run writes stays in its folder|cannot write .*: No such file")
        self.assertLessEqual(len(list((self.folder / "elsewhere").iterdir())), 1, "no output but one that is being written")

    def test_folder_of_probes_that_becomes_a_link(self):
        """Its filtered columns, which are written at the end, do not follow it."""
        (self.folder / "elsewhere").mkdir()
        probe = 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003,filter=0.01}]'
        process = self.start("run", "tank.toml", "-o", "a", "--quiet", "--set", "time.end=1000", "--set", probe)
        self.wait_for("a/outputs/000001.h5")
        (self.folder / "a/probes").rename(self.folder / "a/aside")
        (self.folder / "a/probes").symlink_to(self.folder / "elsewhere")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4)
        self.assertIn("a/probes is a link, but what a run writes stays in its folder", self.one_sentence(err))
        self.assertEqual(list((self.folder / "elsewhere").iterdir()), [])

    def test_folder_of_figures_is_no_link(self):
        if subprocess.run(["/usr/bin/python3", "-c", "import h5py, matplotlib"], capture_output=True).returncode != 0:
            self.skipTest("there is no matplotlib")
        self.succeed("run", "tank.toml", "-o", "other", "--set", "output.figures=true")
        figures = {path.name: path.read_bytes() for path in (self.folder / "other/figures").iterdir()}
        self.assertGreater(len(figures), 1)
        (self.folder / "a").mkdir()
        (self.folder / "a/figures").symlink_to(self.folder / "other/figures")
        for more in ([], ["--overwrite"]):
            code, _, err = self.run_program("run", "tank.toml", "-o", "a", "--set", "output.figures=true", "--set", "time.end=0.02", *more)
            self.assertEqual(code, 0)
            self.assertEqual(err, "figures.py: a/figures is a link, but what a run writes stays in its folder: remove the link.\n")
            self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "other/figures").iterdir()}, figures)


if __name__ == "__main__":
    program.main()
