#!/usr/bin/env python3
"""A run that is interrupted is complete up to there; what a terminal sees of a run. Usage: interrupted_test.py PROGRAM"""
import os
import pty
import re
import resource
import select
import shutil
import signal
import subprocess
import time

import program
from program import ProgramTest


class Interrupted(ProgramTest):
    def interrupt(self, number):
        process = self.start("run", "tank.toml", "-o", "a", "--set", "time.end=1000", "--set", "output.interval=0.01")
        self.wait_for("a/run.xdmf")
        time.sleep(0.2)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (128 + number, ""))
        self.assertIn("interrupted", out)
        self.assertIn("halfulp resume a continues it", out)
        outputs = self.outputs("a")
        self.assertGreaterEqual(len(outputs), 2)
        self.assertEqual(self.provenance("a", "end_state"), "interrupted")
        return outputs

    def test_by_the_user(self):
        outputs = self.interrupt(signal.SIGINT)
        # The state it stopped at is that of a run which was never disturbed.
        self.succeed("run", "tank.toml", "-o", "b", "--set", "time.end=0.02", "--set", "output.interval=0.01")
        self.assertEqual(self.outputs("b")[1], outputs[1])

    def test_by_the_system(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGUSR1, signal.SIGALRM):
            self.interrupt(number)
            self.assertEqual(len(list((self.folder / "a").glob("checkpoint.[01]"))), 1)
            shutil.rmtree(self.folder / "a")

    def test_sent_to_the_process_and_to_its_group(self):
        """As by timeout(1): a second signal within moments of the first."""
        process = self.start("run", "tank.toml", "-o", "a", "--set", "time.end=1000", "--set", "output.interval=0.01")
        self.wait_for("a/run.xdmf")
        for _ in range(200):
            process.send_signal(signal.SIGINT)
            time.sleep(0.0005)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (130, ""))
        self.assertIn("halfulp resume a continues it", out)

    def test_without_a_reader(self):
        """As in halfulp run ... | head -1"""
        words = ("run", "tank.toml", "--set", "time.end=0.5", "--set", "output.interval=0.02")
        self.succeed(*words, "-o", "whole")
        for more in ([], ["--quiet"]):
            process = self.start(*words, "-o", "a", "--overwrite", *more)
            if not more:
                process.stdout.readline()
            process.stdout.close()
            err = process.stderr.read()
            process.stderr.close()
            code = process.wait(timeout=60)
            if more:  # it prints at its end only
                self.assertEqual((code, err), (141, ""))
            else:
                self.assertEqual(code, 141, err)
                self.assertIn("standard output was closed; interrupted: ", self.one_sentence(err))
                self.assertIn("halfulp resume a continues it", err)
                self.assertEqual(self.provenance("a", "end_state"), "interrupted")
                self.succeed("resume", "a")
            self.assertEqual(self.provenance("a", "end_state"), "complete")
            self.assertEqual(self.outputs("a"), self.outputs("whole"))

    def test_without_a_reader_of_either_stream(self):
        """As in halfulp run ... 2>&1 | head -1"""
        process = self.start("run", "tank.toml", "-o", "a", "--set", "time.end=0.5", stderr=subprocess.STDOUT)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 141)
        self.assertEqual(self.provenance("a", "end_state"), "interrupted")
        with open("/dev/full", "w") as full:
            self.assertEqual(self.run_program("info", "nowhere", stderr=full)[0], 1)

    def test_limit_of_processor_time(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 20))
        process = self.start("run", "tank.toml", "-o", "a", "--quiet", "--set", "time.end=1000", preexec_fn=limit)
        out, err = process.communicate(timeout=100)
        self.assertEqual((process.returncode, err), (128 + signal.SIGXCPU, ""))
        self.assertIn("halfulp resume a continues it", out)

    def test_signals_that_are_ignored_from_the_start(self):
        """As by nohup."""
        ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        process = self.start("run", "tank.toml", "-o", "a", "--quiet", "--set", "time.end=1000", preexec_fn=ignore)
        self.wait_for("a/run.xdmf")
        process.send_signal(signal.SIGHUP)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)

    def test_killed(self):
        process = self.start("run", "tank.toml", "-o", "a", "--set", "time.end=1000", "--set", "output.interval=0.01")
        self.wait_for("a/run.xdmf")
        time.sleep(0.2)
        process.kill()
        process.communicate()
        self.assertGreaterEqual(len(self.outputs("a")), 1)
        self.assertEqual(self.provenance("a", "end_state"), "running", "which is how a run that died can be told")


class Terminal(ProgramTest):
    def test_plain_lines_when_not_on_one(self):
        out = self.succeed("run", "tank.toml", "-o", "a")
        self.assertNotIn("\r", out)
        self.assertNotIn("\033", out)
        self.assertRegex(out, r"(?m)^ *\d+ %  t = ", "progress all the same")

    def test_one_line_rewritten_on_one(self):
        ours, theirs = pty.openpty()
        process = self.start("run", "tank.toml", "-o", "a", "--set", "time.end=3", stdout=theirs)
        os.close(theirs)
        text = b""
        while True:
            ready, _, _ = select.select([ours], [], [], 60)
            try:
                part = os.read(ours, 65536) if ready else b""
            except OSError:  # the other end is closed
                part = b""
            if not part:
                break
            text += part
        _, err = process.communicate(timeout=60)
        os.close(ours)
        self.assertEqual((process.returncode, err), (0, ""))
        progress = re.findall(rb"\r *\d+ %  t = [^\r\n]*\033\[K", text)
        self.assertGreaterEqual(len(progress), 2)
        self.assertIn(b"state hash", text)


if __name__ == "__main__":
    program.main()
