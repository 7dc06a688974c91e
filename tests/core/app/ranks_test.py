#!/usr/bin/env python3
"""A run on several ranks, threads or MPI processes, has the files of an undivided one. Usage: ranks_test.py PROGRAM"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

import program
from audit_test import FLIP
from program import ProgramTest


class RankTest(ProgramTest):
    PROBE = 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003,filter=0.01},{name="f",measures="force",bodies=["tank"],interval=0.01}]'
    CASE = ("run", "tank.toml", "--set", "time.end=0.25", "--set", "output.interval=0.02", "--set", PROBE)

    def check_same(self, whole, other):
        self.assertEqual(self.outputs(whole), self.outputs(other))
        for name in ("ledger.csv", "run.xdmf", "probes/p.csv", "probes/f.csv"):
            self.assertEqual((self.folder / whole / name).read_bytes(), (self.folder / other / name).read_bytes(), name)
        for path in sorted((self.folder / whole / "outputs").iterdir()):
            self.assertEqual(path.read_bytes(), (self.folder / other / "outputs" / path.name).read_bytes(), path.name)

    def outputs_of(self, name):
        return len(list((self.folder / name / "outputs").glob("[0-9]*.h5")))

    def wait_for_outputs(self, process, name, number):
        deadline = time.monotonic() + 60
        while process.poll() is None and self.outputs_of(name) < number and time.monotonic() < deadline:
            time.sleep(0.002)

    def check_resumed(self, before, after):
        """Interrupted, and gone on with elsewhere, has the files of `whole`."""
        process = self.start(*self.CASE, "-o", "cut", *before, "-q")
        self.wait_for_outputs(process, "cut", 4)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.succeed("resume", "cut", *after)
        self.check_same("whole", "cut")


class Ranks(RankTest):
    """Threads of the program."""

    def test_same_files(self):
        self.succeed(*self.CASE, "-o", "whole")
        for ranks in (1, 2, 5):
            self.succeed(*self.CASE, "-o", f"by-{ranks}", "--ranks", ranks)
            self.check_same("whole", f"by-{ranks}")
            self.assertIn(f"{ranks} ranks, each: cpu, 1 thread", self.provenance(f"by-{ranks}", "backend"))
        self.assertIn("equal to the bit", self.succeed("compare", "whole", "by-5"))

    def test_tells_of_each_rank(self):
        for ranks in ((), ("--ranks", "3")):
            summary = json.loads(self.succeed(*self.CASE, "-o", "told", "--overwrite", *ranks, "--json", "-q"))
            number = 3 if ranks else 0
            self.assertEqual(len(summary["ranks"]), number)
            if ranks:
                self.assertEqual(sum(one["own"] for one in summary["ranks"]), sum(summary["particles"].values()))
                self.assertEqual(sum(one["sent_bytes"] for one in summary["ranks"]), summary["messages"]["bytes"])
                for one in summary["ranks"]:
                    self.assertGreater(one["copies"], 0)
                    self.assertGreater(one["pass_seconds"], 0)
                    self.assertLess(one["pass_seconds"], summary["wall_seconds"])
        out = self.succeed(*self.CASE, "-o", "told", "--overwrite", "--ranks", "3")
        self.assertRegex(out, r"  ranks +3: \d+ to \d+ particles each, \d+ to \d+ copies of others', passes of \d+\.\d\d to \d+\.\d\d s\n")

    def test_resumed_on_another_number(self):
        self.succeed(*self.CASE, "-o", "whole")
        self.check_resumed(("--ranks", "3"), ("--ranks", "2", "--threads", "1"))

    def test_breaks_down_at_the_same_particle(self):
        case = ("run", "tank.toml", "--set", "fluid.sound_speed=3", "--set", "numerics.density_bound=0.05", "--json")
        ends = []
        for ranks in ((), ("--ranks", "4")):
            code, out, _ = self.run_program(*case, "-o", f"end{len(ranks)}", *ranks)
            self.assertEqual(code, 3)
            ends.append(json.loads(out)["breakdown"])
        self.assertEqual(*ends)
        self.assertIn("density", str(ends[0]))

    def test_refusals(self):
        self.assertIn("allowed are 1 to 1024", self.fail_with(1, *self.CASE, "-o", "x", "--ranks", "1025"))
        self.assertIn("allowed are 1 to 1024", self.fail_with(1, *self.CASE, "-o", "x", "--ranks", "-1"))
        self.assertIn("--ranks", self.fail_with(1, *self.CASE, "-o", "x", "--ranks", "2", "--backend", "cuda"))
        self.assertIn("--ranks", self.fail_with(1, *self.CASE, "-o", "x", "--ranks", "2", "--devices", "0,1"))
        self.assertIn("--device", self.fail_with(1, *self.CASE, "-o", "x", "--devices", "0,0", "--device", "1"))
        self.assertIn("omit one", self.fail_with(1, *self.CASE, "-o", "x", "--devices", "0", "--backend", "cpu"))
        self.assertIn("--devices: ", self.fail_with(5, *self.CASE, "-o", "x", "--devices", "-1"))
        self.assertIn("--devices: ", self.fail_with(5, "run", "--devices", "0,-1", *self.CASE[1:], "-o", "x"))
        self.assertFalse((self.folder / "x").exists())


class Devices(RankTest):
    """Several ranks of one CUDA device, and of two where there are two."""

    def setUp(self):
        super().setUp()
        code, _, err = self.run_program(*self.CASE, "-o", "whole", "--backend", "cuda")
        if code == 5:
            self.skipTest(err.strip())
        self.assertEqual(code, 0, err)
        self.two = "0,1" if self.run_program(*self.CASE, "-o", "two", "--devices", "0,1")[0] == 0 else "0,0"

    def test_same_files(self):
        for devices in ("0", self.two, "0,0,0"):
            self.succeed(*self.CASE, "-o", "by", "--overwrite", "--devices", devices)
            self.check_same("whole", "by")
        self.assertIn("3 ranks, each: cuda", self.provenance("by", "backend"))

    def test_resumed_on_ranks_of_the_cpu(self):
        self.check_resumed(("--devices", self.two), ("--ranks", "3", "--threads", "1"))

    def test_resumed_on_one(self):
        self.check_resumed(("--devices", self.two), ("--device", "0"))

    def test_breaks_down_at_the_same_particle(self):
        case = ("run", "tank.toml", "--set", "fluid.sound_speed=3", "--set", "numerics.density_bound=0.05", "--json")
        ends = []
        for devices in (("--backend", "cuda"), ("--devices", self.two)):
            code, out, _ = self.run_program(*case, "-o", "end", "--overwrite", *devices)
            self.assertEqual(code, 3)
            ends.append(json.loads(out)["breakdown"])
        self.assertEqual(*ends)


class ProcessTest(RankTest):
    """The program as MPI processes on this machine."""

    def setUp(self):
        super().setUp()
        if shutil.which("mpirun") is None:
            self.skipTest("there is no mpirun")
        if program.sanitized():
            self.skipTest("what an MPI library leaves behind is no finding")
        if b"MPI_Init_thread" not in pathlib.Path(program.PROGRAM).read_bytes():
            code, _, err = self.finished(*self.CASE, "-o", "x")
            self.assertEqual(code, 5)
            self.assertIn("built without MPI", err)
            self.skipTest("this program was built without MPI")

    def together(self, *words, processes=2, environment=None, before=()):
        """The program as several processes, started; a session of its own, so that a signal reaches all of it."""
        environment = {**(environment or os.environ), "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                       "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}  # which containers forbid
        return subprocess.Popen(["mpirun", "-n", str(processes), *before, program.PROGRAM, *map(str, words)], cwd=self.folder,
                                env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def children(self, launcher):
        return subprocess.run(["pgrep", "-P", str(launcher.pid)], capture_output=True, text=True, check=False).stdout.split()

    def finished(self, *words, processes=2, environment=None, before=()):
        process = self.together(*words, processes=processes, environment=environment, before=before)
        out, err = process.communicate(timeout=240)
        return process.returncode, out, err

    def sentence_of(self, err):
        said = [line for line in err.splitlines() if line.startswith("halfulp: ")]
        self.assertEqual(len(said), 1, err)
        return said[0]


class Processes(ProcessTest):
    """Each with a CPU. In the environment KILLS=50 for so many kills."""
    KILLS = int(os.environ.get("KILLS", "4"))

    def test_same_files(self):
        self.succeed(*self.CASE, "-o", "whole")
        code, out, err = self.finished(*self.CASE, "-o", "by-processes", "--threads", "1")
        self.assertEqual(code, 0, err)
        self.assertNotIn("halfulp:", err)  # a launcher may have remarks of its own
        self.assertEqual(out.count("state hash"), 1, "rank 0 alone speaks")
        self.assertNotIn("\033", out, "its terminal is the launcher's, which writes into a pipe")
        self.check_same("whole", "by-processes")
        # What Slurm's srun tells of their number, instead of Open MPI's launcher.
        code, out, err = self.finished(*self.CASE, "-o", "by-tasks", "--threads", "1",
                                       before=("env", "-u", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS=2"))
        self.assertEqual((code, out.count("state hash")), (0, 1), err)
        self.assertIn("2 ranks", self.provenance("by-tasks", "backend"))
        self.check_same("whole", "by-tasks")

    def test_audited_by_rank_0(self):
        self.succeed(*self.CASE, "-o", "whole")
        code, out, err = self.finished(*self.CASE, "-o", "audited", "--threads", "1", "--audit", "40", "--json", "-q", processes=3)
        self.assertEqual(code, 0, err)
        told = json.loads(out)
        self.assertEqual(told["audit"]["equal"], 1 + -(-told["steps"] // 40))
        self.assertIn("cpu", told["audit"]["on"])
        self.check_same("whole", "audited")
        code, _, err = self.finished(*self.CASE, "-o", "x", "--audit", "40", "--audit-on", "cuda")
        self.assertEqual(code, 5, err)
        self.assertIn("--audit-on cuda: name a device that the other processes do not use", err)

    def test_an_audit_finds_a_bit_flipped_in_another_process(self):
        self.succeed(*self.CASE, "-o", "whole")
        code, out, err = self.finished(*self.CASE, "--set", "time.end=0.03", "-o", "start", "--threads", "1", "--json", "-q")
        self.assertEqual(code, 0, err)
        held = json.loads(out)["ranks"][1]
        flips = {**self.preloaded(FLIP), "FLIP_BYTES": str(16 * (held["own"] + held["copies"])), "FLIP_RANK": "1", "FLIP_AFTER": str(self.folder / "run/outputs/000001.h5")}
        for seed in range(40):  # spares and copies leave no trace
            shutil.rmtree(self.folder / "run", ignore_errors=True)
            code, _, err = self.finished(*self.CASE, "-o", "run", "--threads", "1", "--audit", "10", "-q", environment={**flips, "FLIP_SEED": str(seed)})
            if code != 0:
                break
            self.check_same("whole", "run")
        self.assertEqual(code, 6, err)
        self.assertRegex(self.sentence_of(err), r"^halfulp: the audit of steps \d+ to \d+ on cpu, .* found a difference: ")
        code, _, err = self.finished("resume", "run", "--threads", "1", processes=3)
        self.assertEqual(code, 0, err)
        self.check_same("whole", "run")

    def test_a_killed_process_ends_all_and_the_run_goes_on_elsewhere(self):
        self.succeed(*self.CASE, "-o", "whole")
        process = self.together(*self.CASE, "-o", "cut", "--threads", "1", "--checkpoint-every", "0.05", processes=3)
        self.wait_for_outputs(process, "cut", 4)
        children = self.children(process)
        self.assertEqual(len(children), 3)
        os.kill(int(children[1]), signal.SIGKILL)
        process.communicate(timeout=120)
        self.assertNotEqual(process.returncode, 0)
        code, _, err = self.finished("resume", "cut", "--threads", "1")
        self.assertEqual(code, 0, err)
        self.check_same("whole", "cut")

    def test_a_signal_to_every_process_ends_the_run_with_a_checkpoint(self):
        """As a batch system sends it before the time is up."""
        self.succeed(*self.CASE, "-o", "whole")
        process = self.together(*self.CASE, "-o", "cut", "--threads", "1", processes=2)
        self.wait_for_outputs(process, "cut", 4)
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        self.assertEqual(len(children), 2)
        os.kill(int(children[1]), signal.SIGXCPU)
        for child in reversed(children):  # rank 0 last
            os.kill(int(child), signal.SIGUSR1)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 128 + signal.SIGUSR1, err)
        self.assertIn("halfulp resume cut continues it", out)
        self.succeed("resume", "cut")
        self.check_same("whole", "cut")

    def test_processes_killed_at_random(self):
        """One process of those of the moment, which ends all; the run goes on with another number of them. Not while they
        are being started: Open MPI's launcher may hang then."""
        self.succeed(*self.CASE, "-o", "whole")
        random.seed(23)
        kills = processes = 0

        def words():
            resumes = any((self.folder / "cut").glob("checkpoint.[01]"))
            return (*(("resume", "cut") if resumes else (*self.CASE, "-o", "cut", "--overwrite")), "--threads", "1")

        def checkpoints():
            return [path.stat().st_mtime_ns for path in (self.folder / "cut").glob("checkpoint.[01]")]

        while kills < self.KILLS:
            processes = random.choice([n for n in (2, 3, 4) if n != processes])
            before = checkpoints()
            run = self.together(*words(), "--checkpoint-every", "0.02", processes=processes)
            deadline = time.monotonic() + 60
            while run.poll() is None and checkpoints() == before and time.monotonic() < deadline:
                time.sleep(0.002)
            time.sleep(random.uniform(0, 0.3))
            children = self.children(run)
            if run.poll() is None and children:
                os.kill(int(random.choice(children)), signal.SIGKILL)
            _, err = run.communicate(timeout=120)
            if run.returncode == 0:  # complete: another round
                self.check_same("whole", "cut")
                shutil.rmtree(self.folder / "cut")
            else:
                self.assertEqual(run.returncode, 128 + signal.SIGKILL, err)
                kills += 1
        code, _, err = self.finished(*words(), processes=3 if processes == 2 else 2)
        self.assertEqual(code, 0, err)
        self.check_same("whole", "cut")

    def test_ends_with_one_sentence(self):
        code, _, err = self.finished(*self.CASE, "-o", "x", "--set", "resolution.spacing=-1")
        self.assertEqual(code, 1)
        self.assertIn("resolution.spacing is -1", self.sentence_of(err))
        code, _, err = self.finished("info", "tank.toml")
        self.assertEqual(code, 1)
        self.assertIn("only run and resume can use several", self.sentence_of(err))
        code, _, err = self.finished(*self.CASE, "-o", "x", "--ranks", "2")
        self.assertEqual(code, 1)
        self.assertIn("the ranks are the 2 processes", self.sentence_of(err))
        code, _, err = self.finished(*self.CASE, "-o", "x", "--backend", "cuda", "--ranks", "2")
        self.assertEqual(code, 1)
        self.assertIn("are those of the CPU", self.sentence_of(err))
        code, _, err = self.finished(*self.CASE, "-o", "x", "--devices", "0,999")
        self.assertEqual(code, 5)
        self.assertRegex(self.sentence_of(err), "--devices: rank [01] of 2: .*; leave it out$")
        self.assertFalse((self.folder / "x").exists())

    def test_a_breakdown_ends_all(self):
        case = ("run", "tank.toml", "--set", "fluid.sound_speed=3", "--set", "numerics.density_bound=0.05", "--json")
        code, alone, _ = self.run_program(*case, "-o", "alone")
        self.assertEqual(code, 3)
        for audited in ((), ("--audit", "7")):
            code, out, _ = self.finished(*case, "-o", "together", "--overwrite", "--threads", "1", *audited)
            self.assertEqual(code, 3)
            self.assertEqual(json.loads(alone)["breakdown"], json.loads(out)["breakdown"])


class ProcessesOnDevices(ProcessTest):
    """Each with a CUDA device, or a part of the only one."""

    def setUp(self):
        super().setUp()
        code, _, err = self.run_program(*self.CASE, "-o", "whole", "--backend", "cuda")
        if code == 5:
            self.skipTest(err.strip())
        self.assertEqual(code, 0, err)

    def test_same_files(self):
        for processes in (2, 3):
            code, out, err = self.finished(*self.CASE, "-o", "by", "--overwrite", "--backend", "cuda", processes=processes)
            self.assertEqual(code, 0, err)
            self.assertEqual(out.count("state hash"), 1, "rank 0 alone speaks")
            self.check_same("whole", "by")
            self.assertIn(f"{processes} ranks, each: cuda", self.provenance("by", "backend"))

    def test_takes_devices_of_itself_where_each_process_has_one(self):
        code, _, err = self.finished(*self.CASE, "-o", "by", processes=2)
        self.assertEqual(code, 0, err)
        self.check_same("whole", "by")
        two = self.run_program(*self.CASE, "-o", "two", "--devices", "0,1")[0] == 0
        self.assertIn("each: cuda" if two else "each: cpu", self.provenance("by", "backend"))

    def test_resumed_on_ranks_of_the_cpu_and_back(self):
        process = self.together(*self.CASE, "-o", "cut", "--backend", "cuda", "--checkpoint-every", "0.05", processes=2)
        self.wait_for_outputs(process, "cut", 4)
        os.kill(int(self.children(process)[1]), signal.SIGKILL)
        process.communicate(timeout=120)
        self.assertNotEqual(process.returncode, 0)
        process = self.start("resume", "cut", "--ranks", "3", "-q")
        self.wait_for_outputs(process, "cut", 8)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        code, _, err = self.finished("resume", "cut", "--devices", "0", processes=3)
        self.assertEqual(code, 0, err)
        self.check_same("whole", "cut")

    def test_breaks_down_at_the_same_particle(self):
        case = ("run", "tank.toml", "--set", "fluid.sound_speed=3", "--set", "numerics.density_bound=0.05", "--json")
        code, alone, _ = self.run_program(*case, "-o", "alone", "--backend", "cpu")
        self.assertEqual(code, 3)
        code, out, _ = self.finished(*case, "-o", "together", "--backend", "cuda")
        self.assertEqual(code, 3)
        self.assertEqual(json.loads(alone)["breakdown"], json.loads(out)["breakdown"])


if __name__ == "__main__":
    program.main()
