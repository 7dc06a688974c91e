#!/usr/bin/env python3
"""A clock of the day that is set back or forward, by an hour once or whenever it is read, changes nothing of a run: neither its
bits nor when it takes checkpoints, lists outputs and shows its progress. Usage: clock_test.py PROGRAM"""
import re
import signal
import subprocess
import sys

import program
from program import ProgramTest, sanitized


class Clock(ProgramTest):
    HOUR = 3600
    LIBRARY = """
        #define _GNU_SOURCE
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>
        int clock_gettime(clockid_t clock, struct timespec *now)
        {
            const long result = syscall(SYS_clock_gettime, clock, now);
            if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return (int)result;
        #ifdef AFTER
            if (access(AFTER, F_OK) == 0) now->tv_sec += SECONDS;
        #else
            static long readings;
            now->tv_sec += SECONDS * __sync_add_and_fetch(&readings, 1);
        #endif
            return (int)result;
        }
        int gettimeofday(struct timeval *restrict now, void *restrict zone)
        {
            struct timespec exact;
            clock_gettime(CLOCK_REALTIME, &exact);
            now->tv_sec = exact.tv_sec;
            now->tv_usec = exact.tv_nsec / 1000;
            return 0;
        }
        time_t time(time_t *place)
        {
            struct timespec exact;
            clock_gettime(CLOCK_REALTIME, &exact);
            if (place) *place = exact.tv_sec;
            return exact.tv_sec;
        }
        """
    LONG = ("run", "tank.toml", "-o", "a", "--set", "time.end=1000")

    def setUp(self):
        super().setUp()
        if sanitized():
            self.skipTest("a program with the address sanitizer takes no library before its own")

    def shifted(self, seconds):
        """The environment in which the clock of the day has moved by that from one reading to the next."""
        environment = self.preloaded(self.LIBRARY, f"-DSECONDS={seconds}")
        words = [sys.executable, "-c", "import time; a = time.time(); print(round(time.time() - a))"]
        seen = subprocess.run(words, env=environment, capture_output=True, text=True).stdout.strip()
        self.assertEqual(seen, str(seconds), "the library moves the clock")
        return environment

    def interrupt(self, process):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (130, ""))
        return out

    def test_files_and_progress(self):
        words = ("run", "tank.toml", "--set", 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003}]')
        self.succeed(*words, "-o", "whole")
        for seconds in (-self.HOUR, self.HOUR):
            out = self.succeed(*words, "-o", "a", "--overwrite", env=self.shifted(seconds))
            left = re.findall(r"steps/s  (\S+) left", out)
            self.assertGreater(len(left), 5)
            for one in left:
                self.assertRegex(one, r"^\d+:\d\d$", "less than an hour")
            self.assertNotIn("  -", "".join(line for line in out.splitlines() if "particle steps" in line))
            self.assertRegex(self.provenance("a", "wall_seconds"), r"^\d{1,3}\.\d+$", "not an hour")
            for path in (self.folder / "whole").rglob("*"):
                if path.is_file() and path.name != "run.h5":
                    self.assertEqual((self.folder / "a" / path.relative_to(self.folder / "whole")).read_bytes(), path.read_bytes(), path)
            self.assertEqual(self.outputs("a"), self.outputs("whole"))

    def test_checkpoints_under_a_clock_that_goes_back(self):
        process = self.start(*self.LONG, "--quiet", "--checkpoint-every", "0.01", env=self.shifted(-self.HOUR))
        self.wait_until(lambda: all((self.folder / "a" / name).exists() for name in ("checkpoint.0", "checkpoint.1")))
        self.interrupt(process)

    def test_checkpoints_under_a_clock_that_goes_forward(self):
        process = self.start(*self.LONG, "--quiet", "--checkpoint-every", self.HOUR, env=self.shifted(self.HOUR))
        self.wait_until(lambda: len(list((self.folder / "a").glob("outputs/0*.h5"))) > 5)
        self.interrupt(process)
        self.assertEqual([path.name for path in (self.folder / "a").glob("checkpoint.*")], ["checkpoint.1"], "the one of the interrupt alone")

    def test_list_of_outputs_after_the_clock_is_set_back(self):
        """After the first hundred, outputs are listed when a part of the time has passed."""
        mark = self.folder / "back"
        environment = self.preloaded(self.LIBRARY, f"-DSECONDS={-self.HOUR}", f'-DAFTER="{mark}"')
        # An end whose outputs fit on a small disk.
        process = self.start(*self.LONG, "--quiet", "--set", "time.end=100", "--set", "output.interval=1e-4", env=environment)
        self.wait_until(lambda: (self.folder / "a/run.xdmf").exists() and len(self.outputs("a")) > 110)
        mark.touch()
        before = len(self.outputs("a"))
        self.wait_until(lambda: len(self.outputs("a")) > before + 10)
        self.interrupt(process)


if __name__ == "__main__":
    program.main()
