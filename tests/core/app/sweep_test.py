#!/usr/bin/env python3
"""Many runs of one case, side by side. Usage: sweep_test.py PROGRAM"""
import csv
import fcntl
import os
import re
import shutil
import signal
import subprocess
import tomllib

import program
from program import ProgramTest


class Sweep(ProgramTest):
    def rows(self, folder="s"):
        with (self.folder / folder / "sweep.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def test_every_run_is_what_it_is_alone(self):
        self.succeed("sweep", "tank.toml", "--vary", "time.cfl=0.1,0.2", "--vary", "gravity=[0,-9.81],[1,-5]", "--set", "time.end=0.03",
                     "-o", "s", "--jobs", "2")
        rows = self.rows()
        self.assertEqual([(row["run"], row["time.cfl"], row["gravity"]) for row in rows],
                         [("0000", "0.1", "[0,-9.81]"), ("0001", "0.1", "[1,-5]"), ("0002", "0.2", "[0,-9.81]"), ("0003", "0.2", "[1,-5]")])
        self.assertEqual(len({row["state_hash"] for row in rows}), 4)
        for row in rows:
            name = f"alone-{row['run']}"
            out = self.succeed("run", "tank.toml", "--set", f"time.cfl={row['time.cfl']}", f"gravity={row['gravity']}", "time.end=0.03", "-o", name)
            self.assertIn(row["state_hash"], out)
            self.assertEqual((self.folder / name / "ledger.csv").read_bytes(), (self.folder / "s" / row["run"] / "ledger.csv").read_bytes())
            with (self.folder / name / "ledger.csv").open(newline="") as file:
                last = list(csv.reader(line for line in file if not line.startswith("#")))[-1]
            self.assertEqual(float(row["step"]), float(last[0]))
            self.assertEqual(row["end_state"], "complete")
            self.assertIn(f"state hash        {row['state_hash']}", (self.folder / "s" / f"{row['run']}.log").read_text())

    def test_what_has_ended_is_kept_and_the_rest_goes_on(self):
        words = ("sweep", "tank.toml", "--vary", "time.cfl=0.05,0.06,0.07,0.08", "--set", "time.end=0.6", "-o", "s", "--jobs", "2")
        process = self.start(*words)
        self.wait_for("s/0001/run.h5")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (143, ""), out)
        self.assertIn("the same command continues it", out)
        self.assertIn("not started", [row["end_state"] for row in self.rows()])
        kept = {row["run"]: os.stat(self.folder / "s" / row["run"] / "run.h5").st_mtime_ns for row in self.rows() if row["end_state"] == "complete"}
        self.succeed(*words)
        rows = self.rows()
        self.assertEqual([row["end_state"] for row in rows], ["complete"] * 4)
        for name, when in kept.items():
            self.assertEqual(os.stat(self.folder / "s" / name / "run.h5").st_mtime_ns, when, "it was not run again")
        out = self.succeed("run", "tank.toml", "--set", "time.cfl=0.05", "time.end=0.6", "-o", "alone")
        self.assertIn(rows[0]["state_hash"], out)

    def test_more_values_are_added_and_fewer_refused(self):
        words = ("sweep", "tank.toml", "--set", "time.end=0.01", "-o", "s", "--vary")
        self.succeed(*words, "time.cfl=0.05,0.06,0.07")
        table = (self.folder / "s/sweep.csv").read_bytes()
        self.assertIn("s/0002 holds a run of a sweep with more values", self.fail_with(1, *words, "time.cfl=0.05,0.06"))
        self.assertEqual((self.folder / "s/sweep.csv").read_bytes(), table)
        self.succeed(*words, "time.cfl=0.05,0.06,0.07,0.08")
        self.assertEqual([row["time.cfl"] for row in self.rows()], ["0.05", "0.06", "0.07", "0.08"])

    def test_two_sweeps_do_not_share_a_folder(self):
        words = ("sweep", "tank.toml", "--vary", "time.cfl=0.05,0.06", "--set", "time.end=1000", "-o", "s", "--jobs", "2")
        first = self.start(*words)
        self.wait_for("s/0001/run.h5")
        logs = {path.name: path.stat().st_ino for path in (self.folder / "s").glob("*.log")}
        self.assertIn("another halfulp is writing into s and still going", self.fail_with(4, *words))
        self.assertIn("another halfulp is writing", self.fail_with(4, "run", "tank.toml", "-o", "s"))
        self.assertEqual({path.name: path.stat().st_ino for path in (self.folder / "s").glob("*.log")}, logs)
        first.send_signal(signal.SIGINT)
        _, err = first.communicate(timeout=60)
        self.assertEqual((first.returncode, err), (130, ""))
        self.assertEqual([row["end_state"] for row in self.rows()], ["interrupted"] * 2)

    def test_runs_that_are_interrupted_before_they_begin_have_not_failed(self):
        # 400,000 particles, which take a moment to be set up.
        (self.folder / "slow.toml").write_text(program.CASE.replace("spacing = 0.05", "spacing = 0.001").replace("end = 0.05", "end = 1"))
        process = self.start("sweep", "slow.toml", "--vary", "time.cfl=0.05,0.06", "-o", "s", "--jobs", "2")
        self.wait_for("s/*.log", number=2)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (143, ""), out)
        self.assertIn("0 failed", out)
        self.assertEqual([row["end_state"] for row in self.rows()], ["interrupted"] * 2)

    # A moment passes before a child becomes another program.
    SLOW_START = r"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <unistd.h>
        int execv(const char* path, char* const words[])
        {
            int (*own)(const char*, char* const[]) = (int (*)(const char*, char* const[]))dlsym(RTLD_NEXT, "execv");
            for (int k = 0; k < 100; ++k) usleep(10000);
            return own(path, words);
        }"""

    def test_an_interrupt_is_not_lost_on_a_run_that_is_being_started(self):
        if program.sanitized():
            self.skipTest("a library that is loaded before the address sanitizer's")
        process = self.start("sweep", "tank.toml", "--vary", "time.cfl=0.05,0.06", "--set", "time.end=1000", "-o", "s", "--jobs", "2",
                             env=self.preloaded(self.SLOW_START))
        self.addCleanup(process.kill)
        self.wait_for("s/*.log", number=2)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (143, ""), out)
        self.assertEqual([row["end_state"] for row in self.rows()], ["interrupted"] * 2)

    def test_a_run_that_is_interrupted_alone(self):
        process = self.start("sweep", "tank.toml", "--vary", "time.end=1000,0.01", "-o", "s", "--jobs", "1")
        self.wait_for("s/0000/run.h5")
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=True).stdout.split()
        os.kill(int(children[0]), signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (130, ""), out)
        self.assertIn("1 complete, 0 stopped, 0 failed, 1 unfinished, of 2", out)
        self.assertIn("the same command continues it", out)

    def test_a_table_of_somebody_else(self):
        (self.folder / "s").mkdir()
        for notes in ("run,my notes\n1,2\n", "run,"):
            (self.folder / "s/sweep.csv").write_text(notes)
            self.assertIn("s/sweep.csv is no file of a sweep", self.fail_with(4, "sweep", "tank.toml", "--vary", "time.cfl=0.1,0.2", "-o", "s"))
            self.assertEqual((self.folder / "s/sweep.csv").read_text(), notes)

    def test_none_goes_on_when_the_sweep_cannot(self):
        process = self.start("sweep", "tank.toml", "--vary", "time.end=1000,1,1", "-o", "s", "--jobs", "2")
        self.wait_for("s/0001/run.h5")
        (self.folder / "s/0002.log").mkdir()
        (self.folder / "s/0002.log/mine").write_text("mine")
        _, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (5, "halfulp: a run whose words go to s/0002.log cannot be started: File exists.\n"))
        # It can be written into again.
        self.succeed("run", "tank.toml", "-o", "s/0000", "--overwrite")

    def test_a_run_that_was_killed_is_resumed_or_begun_again(self):
        words = ("sweep", "tank.toml", "--vary", "time.cfl=0.05", "--set", "time.end=0.6", "-o", "s")
        process = self.start(*words, start_new_session=True)
        self.wait_for("s/0000/run.h5")
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        self.succeed(*words)
        self.assertEqual(self.rows()[0]["end_state"], "complete")

    def test_runs_end_with_a_sweep_that_is_killed(self):
        """Alone: they write their checkpoints, for which the next one waits."""
        words = ("sweep", "tank.toml", "--vary", "time.cfl=0.05,0.06", "--set", "time.end=0.6", "-o", "s", "--jobs", "2")
        process = self.start(*words)
        for name in ("0000", "0001"):
            self.wait_for(f"s/{name}/run.h5")
        process.kill()
        process.communicate(timeout=60)
        self.succeed(*words)
        self.assertEqual([row["end_state"] for row in self.rows()], ["complete"] * 2)
        self.assertIn("resumed_1", self.succeed("info", "s/0000"))

    def test_ends_with_the_program_that_reads_what_it_prints(self):
        """It prints nothing before its end, so no write would tell it."""
        process = self.start("sweep", "tank.toml", "--vary", "time.cfl=0.05,0.06", "--set", "time.end=1000", "-o", "s", "--jobs", "2")
        self.addCleanup(process.kill)
        for name in ("0000", "0001"):
            self.wait_for(f"s/{name}/run.h5")
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 128 + signal.SIGPIPE)
        for name in ("0000", "0001"):
            self.assertEqual(self.provenance(f"s/{name}", "end_state"), "interrupted")

    def test_a_run_that_fails_is_told_whatever_its_folder_says(self):
        words = ("sweep", "tank.toml", "--vary", "time.cfl=0.05", "--set", "time.end=0.6", "-o", "s")
        process = self.start(*words)
        self.wait_for("s/0000/run.h5")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        descriptor = os.open(self.folder / "s" / "0000", os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        code, out, _ = self.run_program(*words)
        self.assertEqual(code, 1, out)
        self.assertIn("0 complete, 0 stopped, 1 failed, of 1", out)
        self.assertIn("another halfulp is writing", (self.folder / "s" / "0000.log").read_text())

    def test_a_run_that_has_lost_an_output_is_not_complete(self):
        words = ("sweep", "tank.toml", "--vary", "time.cfl=0.05,0.06", "-o", "s")
        self.succeed(*words)
        before, log = self.rows(), (self.folder / "s/0001.log").read_text()
        (self.folder / "s/0001/outputs/000001.h5").unlink()
        code, out, err = self.run_program(*words)
        self.assertEqual(code, 1, out)
        self.assertIn("1 complete, 0 stopped, 1 failed, of 2", out)
        self.assertRegex(err, "the first, 0001: .*s/0001/outputs/000001.h5 was removed or changed .* remove s/0001 and give the same command")
        self.assertEqual(self.rows()[1]["end_state"], "failed: s/0001/outputs/000001.h5")
        self.assertEqual((self.folder / "s/0001.log").read_text(), log, "of the run that was complete")
        shutil.rmtree(self.folder / "s/0001")
        self.succeed(*words)
        self.assertEqual([row["state_hash"] for row in self.rows()], [row["state_hash"] for row in before])

    def test_links_are_not_followed(self):
        """Nor replaced: they are of somebody else, also one that leads nowhere, or to a table of another sweep."""
        words = ("sweep", "tank.toml", "--vary", "time.cfl=0.1", "--set", "time.end=0.01", "-o")
        self.succeed(*words, "other")
        (self.folder / "s").mkdir()
        for name in ("0000.log", "sweep.csv", "sweep.csv.new"):
            for victim in (self.folder / "victim", self.folder / "none", self.folder / "other" / name):
                if victim.name == "victim":
                    victim.write_text("run,")
                before = victim.read_bytes() if victim.exists() else None
                link = self.folder / "s" / name
                link.symlink_to(victim)
                self.assertIn(f"s/{name} is no file of a sweep", self.fail_with(4, *words, "s"))
                self.assertEqual([path.name for path in (self.folder / "s").iterdir()], [name])
                self.assertEqual(victim.read_bytes() if victim.exists() else None, before)
                link.unlink()
        (self.folder / "place").mkdir()
        (self.folder / "s/0000").symlink_to(self.folder / "place")
        self.assertIn("s/0000 is a link, but what a run writes stays in its folder", self.fail_with(4, *words, "s"))
        self.assertEqual(list((self.folder / "place").iterdir()), [])
        (self.folder / "s/0000").unlink()
        self.succeed(*words, "s")

    def test_what_is_of_others_stays(self):
        words = ("sweep", "tank.toml", "--vary", "time.cfl=0.1,0.2", "--set", "time.end=0.01", "-o", "s")
        (self.folder / "s").mkdir()
        for name in ("sweep.csv", "sweep.csv.new", "0001.log"):
            mine = self.folder / "s" / name
            mine.write_text("mine")
            self.assertIn(f"s/{name} is no file of a sweep of halfulp", self.fail_with(4, *words))
            self.assertEqual([path.name for path in (self.folder / "s").iterdir()], [name])
            self.assertEqual(mine.read_text(), "mine")
            mine.unlink()
        os.mkfifo(self.folder / "s/sweep.csv")
        self.assertIn("s/sweep.csv is no file of a sweep", self.fail_with(4, *words))
        (self.folder / "s/sweep.csv").unlink()
        self.succeed(*words)
        (self.folder / "s/sweep.csv.new").write_text("run,ti")  # of one that was killed
        self.succeed(*words)
        self.assertFalse((self.folder / "s/sweep.csv.new").exists())

    def test_folder_that_is_moved_away(self):
        """Another sweep that has taken its name keeps its runs."""
        words = ("sweep", "tank.toml", "--vary", "time.end=1,1.1,1.2", "--jobs", "1", "-o", "s")
        process = self.start(*words)
        self.wait_for("s/0000/run.h5")
        (self.folder / "s").rename(self.folder / "moved")
        self.succeed("sweep", "tank.toml", "--vary", "time.end=0.01,0.02,0.03", "-o", "s")
        before = {path: path.read_bytes() for path in (self.folder / "s").rglob("*") if path.is_file()}
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4)
        self.assertIn("the folder s was moved to moved while its sweep went on", self.one_sentence(err))
        self.assertEqual({path: path.read_bytes() for path in (self.folder / "s").rglob("*") if path.is_file()}, before)
        (self.folder / "s").rename(self.folder / "other")
        (self.folder / "moved").rename(self.folder / "s")
        self.succeed(*words)
        self.assertEqual([row["end_state"] for row in self.rows()], ["complete"] * 3)

    def test_one_that_breaks_down_does_not_end_the_others(self):
        code, out, err = self.run_program("sweep", "tank.toml", "--vary", "numerics.density_bound=1e-6,0.3", "--set", "time.end=0.02", "-o", "s")
        self.assertEqual((code, err), (3, ""))
        self.assertIn("1 complete, 1 stopped, 0 failed, of 2", out)
        self.assertTrue(self.rows()[0]["end_state"].startswith("stopped: its density"))

    def test_ends_where_ended_children_are_not_told_of(self):
        """As by a parent that ignores SIGCHLD, which a program inherits."""
        code, out, err = self.run_program("sweep", "tank.toml", "--vary", "time.cfl=0.1,0.2", "--set", "time.end=0.01", "-o", "s",
                                          preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual((code, "2 complete" in out), (0, True), err)

    def test_a_case_from_a_pipe_is_refused(self):
        os.mkfifo(self.folder / "pipe")
        self.assertIn("a sweep reads its case for every run, but pipe can be read once only; give a file",
                      self.fail_with(1, "sweep", "pipe", "--vary", "time.cfl=0.1,0.2", "-o", "s"))

    def test_wrong_words_are_refused_before_anything_runs(self):
        for words, sentence in (
                (("time.cfl=0.1,7",), "time.cfl is 7, but must be"), (("time.cfl=",), "give a key and its values"),
                (("nonsense",), "give a key and its values"), (("time.cfl=0.1,,0.2",), "give a key and its values"),
                (("time.speed=1,2",), "time.speed")):
            self.assertIn(sentence, self.fail_with(1, "sweep", "tank.toml", *(word for one in words for word in ("--vary", one)), "-o", "s"))
            self.assertFalse((self.folder / "s").exists())
        self.succeed("sweep", "tank.toml", "--vary", "time.cfl=0.1", "--set", "time.end=0.01", "-o", "s")
        before = (self.folder / "s" / "0000" / "run.h5").read_bytes()
        self.assertIn("another case or of other values", self.fail_with(1, "sweep", "tank.toml", "--vary", "time.cfl=0.2", "--set", "time.end=0.01", "-o", "s"))
        self.assertEqual((self.folder / "s" / "0000" / "run.h5").read_bytes(), before)

    def test_what_only_the_set_up_finds_is_said_before_anything_runs(self):
        self.assertRegex(
            self.fail_with(1, "sweep", "tank.toml", "--vary", "time.cfl=0.1,0.2", "--vary", "shapes.water.box.to=[0.5,0.25],[1e-9,0.25]", "-o", "s"),
            r"water.* That is run 0001, with time\.cfl=0\.1, shapes\.water\.box\.to=\[1e-9,0\.25\]\.$")
        self.assertFalse((self.folder / "s").exists())

    def test_a_key_is_varied_once(self):
        """Of two values of one key the last would count, and the table would show the first."""
        for words, sentence in ((("time.cfl=0.1,0.2", "time.cfl=0.4"), "halfulp: --vary time.cfl is given twice; give all its values in one, "
                                                                       "as in --vary time.cfl=0.1,0.4."),
                                (("fluid.density=900", "fluid={sound_speed=20}"), "halfulp: --vary fluid would set fluid.density, which is varied "
                                                                                  "before it, anew; vary fluid first, or one of them.")):
            self.assertEqual(self.fail_with(1, "sweep", "tank.toml", "--vary", words[0], "--vary", words[1], "-o", "s"), sentence)
            self.assertFalse((self.folder / "s").exists())

    def test_numbers_have_no_quotation_marks(self):
        self.succeed("sweep", "tank.toml", "--vary", "time.cfl=0.05,0.06", "-o", "s")
        lines = (self.folder / "s/sweep.csv").read_text().splitlines()
        self.assertRegex(lines[1], r"^0000,0\.05,complete,")

    def test_no_run_is_put_into_its_folder(self):
        words = ("sweep", "tank.toml", "--vary", "time.cfl=0.05", "-o", "s")
        self.succeed(*words)
        self.assertEqual(self.fail_with(1, "run", "tank.toml", "-o", "s", "--overwrite"),
                         "halfulp: s is the folder of a sweep; give the run another one.")
        self.succeed(*words)

    def test_what_is_wrong_with_a_value_names_its_option(self):
        for option, key in (("--vary", "fluid.densty"), ("--set", "fluid.densyti")):
            self.assertIn(f"halfulp: {option} {key}=900: unknown key", self.fail_with(1, "sweep", "tank.toml", "--vary", "time.cfl=0.1", "-o", "s", option, f"{key}=900"))
        self.assertFalse((self.folder / "s").exists())

    def test_no_number_of_jobs(self):
        for jobs in ("0", "-1"):
            self.assertEqual(self.fail_with(1, "sweep", "tank.toml", "--vary", "time.cfl=0.1", "-o", "s", "--jobs", jobs),
                             f"halfulp: --jobs {jobs}: allowed are 1 and more runs at a time; leave it out for as many as cores.")
        self.assertFalse((self.folder / "s").exists())

    def test_texts_with_quotation_marks(self):
        """Those of TOML; a comma in them separates no values, and an apostrophe begins no text."""
        written = [r'"a \"b\", \"c\""', r'"a\\"', r"'a, b\'", "it's", "plain", r'"x\""']
        titles = ['a "b", "c"', "a\\", "a, b\\", "it's", "plain", 'x"']
        self.succeed("sweep", "tank.toml", "--vary", "title=" + ",".join(written), "--set", "time.end=0.01", "-o", "s")
        self.assertEqual([row["title"] for row in self.rows()], written)
        for row, title in zip(self.rows(), titles, strict=True):
            line = re.search(r"(?m)^title = .*$", self.succeed("info", f"s/{row['run']}", "--case"))
            self.assertEqual(tomllib.loads(line[0])["title"], title)

    def test_a_batch_wants_a_device(self):
        self.assertIn("--backend auto: a sweep needs a definite back end",
                      self.fail_with(1, "sweep", "tank.toml", "--vary", "time.cfl=0.1", "-o", "s", "--backend", "auto"))
        words = ("sweep", "tank.toml", "--vary", "time.cfl=0.1,0.2", "--set", "time.end=0.01", "-o", "s", "--backend", "cuda", "--device", "4096")
        self.assertIn("--backend cpu runs without it", self.fail_with(5, *words))
        self.assertFalse((self.folder / "s").exists())

    def test_a_batch_is_what_its_runs_are_alone(self):
        words = ("sweep", "tank.toml", "--vary", "fluid.artificial_viscosity=0.02,0.05", "--vary", "numerics.integrator=kick-drift-kick,implicit-midpoint",
                 "--set", "time.end=0.03", "-o")
        code, out, err = self.run_program(*words, "batch", "--backend", "cuda")
        if code == 5 and "--backend cpu runs without it" in err:
            self.skipTest(err)
        self.assertEqual((code, err), (0, ""), out)
        self.assertIn("1, of 2 runs", out)
        self.assertIn("0001, and runs like it: the rounds of numerics.integrator", out)
        self.succeed(*words, "processes")
        for one, other in zip(self.rows("batch"), self.rows("processes"), strict=True):
            self.assertEqual({**one, "wall_seconds": 0}, {**other, "wall_seconds": 0})
            self.assertEqual((self.folder / "batch" / one["run"] / "ledger.csv").read_bytes(),
                             (self.folder / "processes" / one["run"] / "ledger.csv").read_bytes())
        before = {row["run"]: os.stat(self.folder / "batch" / row["run"] / "run.h5").st_mtime_ns for row in self.rows("batch")}
        self.succeed(*words, "batch", "--backend", "cuda")
        for name, when in before.items():
            self.assertEqual(os.stat(self.folder / "batch" / name / "run.h5").st_mtime_ns, when, "it was not run again")


if __name__ == "__main__":
    program.main()
