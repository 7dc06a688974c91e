#!/usr/bin/env python3
"""A run that was cut off goes on, and one that was changed is found out. Usage: resume_test.py PROGRAM"""
import fcntl
import os
import random
import re
import shutil
import signal
import subprocess
import time

import program
from program import ProgramTest


class Resume(ProgramTest):
    """A run that was cut off anywhere goes on to the files that it would have had."""

    CASE = ("run", "tank.toml", "--set", "time.end=0.5", "--set", "output.interval=0.02", "--set",
            'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003,filter=0.01}]')

    def cut_off(self, name, after, how, *more):
        """Starts the run, or goes on with it, and sends a signal after some seconds; the exit code, or None if that came too late."""
        words = ("resume", name, "--threads", "1") if self.checkpoints(name) else (*self.CASE, "-o", name, "--overwrite")
        process = self.start(*words, "--quiet", *more)
        try:
            _, err = process.communicate(timeout=after)
            self.assertEqual((process.returncode, err), (0, ""))
            return None
        except subprocess.TimeoutExpired:
            process.send_signal(how)
            process.communicate(timeout=60)
            return process.returncode

    def checkpoints(self, name):
        return sorted((self.folder / name).glob("checkpoint.[01]"))

    def interrupted(self, name, *more, checkpoints=1):
        """A run that was interrupted somewhere in its middle, once or more often, until there are so many checkpoints."""
        for _ in range(6):
            resumes = bool(self.checkpoints(name))
            if not resumes:
                shutil.rmtree(self.folder / name, ignore_errors=True)
            there = self.output_files(name)
            process = self.start(*(("resume", name, "--threads", "1") if resumes else (*self.CASE, "-o", name)), "--quiet", *more)
            # By what it has done, since a busy machine may take any time for that.
            deadline = time.monotonic() + 60
            while process.poll() is None and self.output_files(name) < there + 3 and time.monotonic() < deadline:
                time.sleep(0.002)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            if process.returncode == 130 and len(self.checkpoints(name)) >= checkpoints:
                return
        self.fail("the run is over before it is interrupted")

    def output_files(self, name):
        return len(list((self.folder / name / "outputs").glob("[0-9]*.h5")))

    def check_same(self, whole, other):
        self.assertEqual(self.outputs(whole), self.outputs(other))
        for name in ("ledger.csv", "run.xdmf", "probes/p.csv"):
            self.assertEqual((self.folder / whole / name).read_bytes(), (self.folder / other / name).read_bytes(), name)
        self.assertEqual(self.checkpoints(other), [], "of a run that is complete none is left")

    def test_outputs_of_some_particles(self):
        fluid, box = ("--set", "output.particles=fluid"), ("--set", "output.within={from=[0.0,0.0],to=[0.52,0.2]}")
        for k, chosen in enumerate((fluid, box, fluid + box)):
            whole, cut = f"whole-{k}", f"cut-{k}"
            self.succeed(*self.CASE, *chosen, "-o", whole, "--quiet")
            for _ in range(6):
                shutil.rmtree(self.folder / cut, ignore_errors=True)
                process = self.start(*self.CASE, *chosen, "-o", cut, "--quiet", "--checkpoint-every", "0.001")
                deadline = time.monotonic() + 60
                while process.poll() is None and (self.output_files(cut) < 4 or not self.checkpoints(cut)) and time.monotonic() < deadline:
                    time.sleep(0.002)
                process.kill()
                process.communicate(timeout=60)
                if process.returncode != 0:
                    break
            self.succeed("resume", cut)
            self.check_same(whole, cut)
            self.succeed("info", "--verify", cut)

    def test_interrupted_and_resumed(self):
        self.succeed(*self.CASE, "-o", "whole")
        self.interrupted("cut")
        self.assertEqual(self.provenance("cut", "end_state"), "interrupted")
        self.assertIn("halfulp resume cut", self.fail_with(1, "rerun", "cut"))
        self.succeed("info", "--verify", "cut")
        out = self.succeed("resume", "cut", "--threads", "2", "--lanes", "8")
        self.assertIn("resumed           in step", out)
        self.check_same("whole", "cut")
        self.succeed("info", "--verify", "cut")
        self.assertIn("complete: there is nothing to resume", self.succeed("resume", "cut"))

    def test_not_while_another_program_has_the_run(self):
        """Neither one that goes on with it, nor one that has only begun to."""
        self.interrupted("cut")
        before = {path: path.read_bytes() for path in (self.folder / "cut").rglob("*") if path.is_file()}
        descriptor = os.open(self.folder / "cut", os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        self.assertIn("another halfulp is writing into cut", self.fail_with(4, "resume", "cut"))
        self.assertEqual({path: path.read_bytes() for path in before}, before)
        # Asked before anything is read, or what is read may be old when it is gone on with: even of what cannot be read.
        (self.folder / "cut" / "run.h5").write_bytes(b"half a file, as another program's")
        self.assertIn("another halfulp is writing into cut", self.fail_with(4, "resume", "cut"))
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        self.fail_with(1, "resume", "cut")

    def test_what_the_run_was_warned_of(self):
        """A kernel of three spacings is too wide to keep the water out of the floor."""
        case = ("run", "inviscid-tank-2d", "--set", "resolution.smoothing_ratio=3", "--set", "time.end=8", "--quiet", "--no-figures")
        self.succeed(*case, "-o", "whole")
        process = self.start(*case, "-o", "cut")
        self.wait_until(lambda: "through_walls" in self.run_program("info", "cut")[1], patience=100)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, "it was not over yet")
        self.succeed("resume", "cut", "--quiet", "--no-figures")
        self.assertEqual(self.provenance("cut", "through_walls"), self.provenance("whole", "through_walls"))
        told = self.warnings(self.succeed("info", "cut"))
        self.assertEqual(told, self.warnings(self.succeed("info", "whole")))
        self.assertIn("through a wall: ", " ".join(told))

    def test_what_a_part_that_is_thrown_away_was_warned_of(self):
        """A run that breaks down after its last checkpoint and ends before that, this time."""
        self.succeed("run", "tank.toml", "-o", "cut", "--set", "time.end=0.02", "--set", "output.interval=0.1", "--set", "fluid.sound_speed=8",
                     "--set", "numerics.density_bound=0.1", "--quiet", "--keep-checkpoint")
        code, out, err = self.run_program("resume", "cut", "--until", "2", "--quiet")
        self.assertEqual(code, 3, err)
        self.assertGreater(float(re.search(r"STOPPED t = ([0-9.e-]+) s", out)[1]), 0.05)
        self.assertTrue((self.folder / "cut/breakdown.vtk").exists())
        self.succeed("resume", "cut", "--until", "0.05", "--quiet")
        self.assertFalse((self.folder / "cut/breakdown.vtk").exists())
        self.assertEqual(self.provenance("cut", "end_state"), "complete")
        self.assertNotIn("surroundings", self.succeed("info", "cut"))
        self.succeed("info", "--verify", "cut")

    def test_killed_again_and_again(self):
        self.succeed(*self.CASE, "-o", "whole")
        random.seed(3)
        kills = 0
        recorded = False
        # Ever later, so that it comes to an end on a busy machine, too.
        while self.cut_off("cut", random.uniform(0.03, 0.3) * (1 + kills / 10), signal.SIGKILL, "--checkpoint-every", "0.01") is not None:
            kills += 1
            self.assertLess(kills, 200)
            recorded = bool(self.checkpoints("cut")) and self.provenance("cut", "end_state") == "complete"
        self.assertGreater(kills, 0)
        if recorded:  # the last kill came after the end's record, and resume leaves as it is what is complete
            for path in self.checkpoints("cut"):
                path.unlink()
        self.check_same("whole", "cut")

    def test_damaged_checkpoints(self):
        self.succeed(*self.CASE, "-o", "whole")
        self.interrupted("cut", "--checkpoint-every", "0.01", checkpoints=2)
        newest = max(self.checkpoints("cut"), key=lambda path: path.stat().st_mtime_ns)
        content = bytearray(newest.read_bytes())
        content[len(content) // 2] ^= 4
        newest.write_bytes(content)
        code, _, err = self.run_program("resume", "cut")
        self.assertEqual(code, 0)
        self.assertRegex(self.one_sentence(err), r"is damaged: the checksum .* The checkpoint of step \d+ is taken instead")
        self.check_same("whole", "cut")
        self.interrupted("lost")
        for path in self.checkpoints("lost"):
            path.write_bytes(path.read_bytes()[:-1])
        code, out, err = self.run_program("resume", "lost")
        self.assertEqual(code, 0)
        self.assertIn("it is cut off. No other checkpoint is left", err)
        self.assertIn("lost has no checkpoint to resume from: the run starts again from its case", out)
        self.check_same("whole", "lost")

    def test_what_cannot_be_resumed(self):
        self.assertIn("no run", self.fail_with(1, "resume", "nowhere"))
        process = self.start(*self.CASE, "-o", "cut")
        self.wait_for("cut/run.xdmf")
        self.assertIn("another halfulp is writing", self.fail_with(4, *self.CASE, "-o", "cut", "--overwrite"))
        process.kill()
        process.communicate()
        (self.folder / "tank.toml").rename(self.folder / "gone.toml")  # the run's own copy is enough
        self.assertIn("cut has no checkpoint to resume from: the run starts again from its case", self.succeed("resume", "cut"))
        (self.folder / "gone.toml").rename(self.folder / "tank.toml")
        self.succeed(*self.CASE, "-o", "whole")
        self.check_same("whole", "cut")
        self.succeed("info", "--verify", "cut")
        self.interrupted("other")
        ledger = self.folder / "other/ledger.csv"
        self.assertTrue(ledger.exists())
        self.succeed("run", "tank.toml", "-o", "third")
        shutil.copy(self.folder / "third/run.h5", self.folder / "other/run.h5")
        self.assertIn("complete", self.succeed("resume", "other"))
        self.assertIn("checkpoint-every", self.fail_with(1, "run", "tank.toml", "--checkpoint-every", "-1"))

    def test_files_of_the_case_are_kept(self):
        table = self.folder / "roll.csv"
        table.write_text("t_s,degrees\n" + "".join(f"{0.1 * k},{0.01 * k * k}\n" for k in range(12)))
        motion = 'motions=[{name="roll",rotation={pivot=[0.5,0],table={file="roll.csv",column="degrees"}}}]'
        self.succeed(*self.CASE, "-o", "whole", "--set", motion)
        self.interrupted("cut", "--set", motion)
        table.unlink()  # the run has its own
        self.succeed("resume", "cut")
        self.check_same("whole", "cut")
        self.assertIn("equal to the bit", self.succeed("rerun", "cut", "--lanes", "1"))
        copy = self.folder / "cut/inputs/0-roll.csv"
        copy.write_text(copy.read_text().replace("0.16", "0.17"))
        self.assertIn("inputs/0-roll.csv is not the copy", self.fail_with(1, "rerun", "cut", "-o", "other"))
        self.assertIn("inputs/0-roll.csv is not the copy", self.fail_with(1, "info", "--verify", "cut"))

    def test_input_that_is_the_copy_of_the_run_it_replaces(self):
        (self.folder / "roll.csv").write_text("t_s,degrees\n" + "".join(f"{0.1 * k},{0.01 * k * k}\n" for k in range(12)))
        motion = 'motions=[{{name="roll",rotation={{pivot=[0.5,0],table={{file="{}",column="degrees"}}}}}}]'
        self.succeed("run", "tank.toml", "-o", "a", "--set", motion.format("roll.csv"))
        first = self.outputs("a")
        (self.folder / "roll.csv").unlink()
        for _ in range(2):
            (copy,) = (self.folder / "a/inputs").iterdir()
            self.succeed("run", "tank.toml", "-o", "a", "--overwrite", "--set", motion.format(f"a/inputs/{copy.name}"))
            self.assertEqual(self.outputs("a"), first)
        self.assertEqual(len(list((self.folder / "a/inputs").iterdir())), 1)
        self.succeed("info", "--verify", "a")

    # Kills the program before a certain one of its calls that change what is on the disk.
    KILLER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
static void count(void)
{
    static int left = -1;
    if (left < 0) left = atoi(getenv("KILL_AT"));
    if (left > 0 && --left == 0) kill(getpid(), SIGKILL);
}
#define CHANGE(name, declared, given) int name declared { \\
    int (*real) declared = (int (*) declared) dlsym(RTLD_NEXT, #name); count(); return real given; }
CHANGE(rename, (const char* from, const char* to), (from, to))
CHANGE(unlink, (const char* path), (path))
CHANGE(unlinkat, (int folder, const char* path, int flags), (folder, path, flags))
CHANGE(remove, (const char* path), (path))
CHANGE(mkdir, (const char* path, mode_t mode), (path, mode))
CHANGE(fsync, (int file), (file))
CHANGE(fdatasync, (int file), (file))
"""

    def test_killed_at_every_change_of_the_disk_while_it_replaces_a_run(self):
        """What is there is the old run or the new one, whole; it is resumed to its end."""
        if program.sanitized():
            self.skipTest("a library that is loaded before the address sanitizer's")
        environment = self.preloaded(self.KILLER)
        table = self.folder / "roll.csv"
        motion = 'motions=[{name="roll",rotation={pivot=[0.5,0],table={file="roll.csv",column="degrees"}}}]'
        # A probe that the new run has not.
        more = ("--set", 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003},{name="q",measures="pressure",at=[0,0.1],interval=0.003}]')
        for name, factor in (("new", 0.02), ("old", 0.01)):
            table.write_text("t_s,degrees\n" + "".join(f"{0.1 * k},{factor * k * k}\n" for k in range(12)))
            self.succeed(*self.CASE, "-o", name, "--set", motion, *(more if name == "old" else ()))
            if name == "new":
                table.rename(self.folder / "new.csv")
        self.interrupted("cut", "--set", motion, *more)
        shutil.copy(self.folder / "new.csv", table)
        whole = {self.provenance(name, "problem_hash"): name for name in ("old", "new")}
        self.assertEqual(len(whole), 2)
        found = []
        before = None
        for call in range(1, 200):
            shutil.rmtree(self.folder / "a", ignore_errors=True)
            shutil.copytree(self.folder / "cut", self.folder / "a")
            process = self.start(*self.CASE, "-o", "a", "--overwrite", "--quiet", "--set", motion,
                                 env={**environment, "KILL_AT": str(call)})
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, -signal.SIGKILL)
            state = {path: path.stat().st_size for path in (self.folder / "a").rglob("*")}
            if state == before:
                continue
            before = state
            self.succeed("info", "--verify", "a")
            name = whole[self.provenance("a", "problem_hash")]
            unnamed = list((self.folder / "a/inputs").glob("*.new"))
            outputs = self.outputs("a")
            found.append(name + (" with an output" if outputs else " without names of copies" if unnamed else ""))
            self.succeed("resume", "a", "--quiet")
            self.check_same(name, "a")
            self.succeed("info", "--verify", "a")
            if outputs and name == "new":
                break
            if name == "new":  # of one that did not begin a copy may be left, until the next one
                self.assertEqual(list((self.folder / "a").rglob("*.new")), [])
                self.assertFalse((self.folder / "a/probes/q.csv").exists())
        for state in ("old with an output", "new without names of copies", "new", "new with an output"):
            self.assertIn(state, found)

    def test_run_again(self):
        self.succeed("run", "tank.toml", "-o", "a", "--set", "fluid.sound_speed=31")
        (self.folder / "tank.toml").unlink()  # what the run says of itself is enough
        self.assertIn("equal to the bit", self.succeed("rerun", "a", "--threads", "2", "--lanes", "8"))
        self.assertEqual(self.outputs("a"), self.outputs("a-again"))
        self.assertIn("a-again", self.fail_with(4, "rerun", "a"))
        self.assertIn("is the run itself", self.fail_with(1, "rerun", "a", "-o", "./a", "--overwrite"))

    def test_disk_that_fills_up(self):
        self.succeed(*self.CASE, "-o", "whole")
        words = [*self.CASE, "-o", "disk/a", "--threads", "1", "--quiet", "--checkpoint-every", "0.01"]
        done = self.run_on_small_disk("1200k", words)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("No space left on device", done.stderr)
        # Where there is room it goes on from the last checkpoint that there was room for.
        self.succeed("resume", "kept")
        self.check_same("whole", "kept")

    def test_disk_that_fills_up_before_a_checkpoint(self):
        self.succeed(*self.CASE, "-o", "whole")
        done = self.run_on_small_disk("720k", [*self.CASE, "-o", "disk/a", "--threads", "1", "--quiet"])
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(self.checkpoints("kept"), [])
        self.assertIn("the run starts again from its case", self.succeed("resume", "kept"))
        self.check_same("whole", "kept")

    def test_output_that_was_damaged_meanwhile(self):
        """What a run keeps is looked at to its last bit before it goes on."""
        self.succeed(*self.CASE, "-o", "whole")
        self.interrupted("cut")
        self.assertGreater(len(self.outputs("cut")), 2)
        output = self.folder / "cut/outputs/000001.h5"
        data = bytearray(output.read_bytes())
        data[-7] ^= 4
        output.write_bytes(data)
        self.assertIn("cut/outputs/000001.h5 is damaged: its checksum differs", self.fail_with(1, "resume", "cut"))
        shutil.copy(self.folder / "whole/outputs/000001.h5", output)
        for list_of_vertices in (self.folder / "cut/outputs").glob("vertices-*"):
            list_of_vertices.write_bytes(list_of_vertices.read_bytes()[:-1])
        self.succeed("resume", "cut")
        self.check_same("whole", "cut")
        self.succeed("info", "--verify", "cut")


class WithoutCheckpoints(ProgramTest):
    """Of halfulp-lab, which has precisions that checkpoints do not hold."""

    def test_precision_that_has_no_checkpoints(self):
        alone = ("--set", "numerics.walls=dynamic", "--set", "numerics.density_diffusion=none")
        process = self.start(*Resume.CASE, "-o", "wide", "--set", "numerics.precision=quad", *alone)
        self.wait_for("wide/run.xdmf")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130)
        self.assertIn('the precision "quad" has no checkpoints', self.one_sentence(err))
        self.assertRegex(out, r"(?m)^interrupted: the state at the end of the last step is written$")
        self.assertIn("wide has no checkpoint to resume from: the run starts again from its case", self.succeed("resume", "wide"))


if __name__ == "__main__":
    program.main()
