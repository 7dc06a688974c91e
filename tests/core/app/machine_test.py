#!/usr/bin/env python3
"""A machine that fails or rounds otherwise: memory that runs out, modes of floating point that something has changed. The
program says one sentence and leaves a known exit code. Usage: machine_test.py PROGRAM"""
import os
import pathlib
import re
import resource
import shutil
import subprocess

import program
from program import ProgramTest, sanitized


class Machine(ProgramTest):
    """A machine that would compute other bits, or has too little memory, is refused with one sentence."""

    def setUp(self):
        super().setUp()
        if sanitized():
            self.skipTest("a program with the address sanitizer takes neither a library before its own nor a limit of addresses")

    # Sets bits of the processor's mode in one thread: in the main one (THREAD 0), the n-th that is made (n) or all that
    # are made (-1); at the thread's start or, with AFTER, when the main thread asks for the time and that file exists.
    # With RENAMED: in the thread that gives a file such a name, when it does so for the n-th time (THREAD).
    LIBRARY = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <pthread.h>
        #include <signal.h>
        #include <stdlib.h>
        #include <string.h>
        #include <time.h>
        #include <ucontext.h>
        #include <unistd.h>
        #include <xmmintrin.h>
        static void set(void) { _mm_setcsr(_mm_getcsr() | BITS); }
        #ifdef RENAMED
        int rename(const char *from, const char *to)
        {
            int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
            static int times;
            if (strstr(to, RENAMED) && __sync_add_and_fetch(&times, 1) == THREAD) set();
            return real(from, to);
        }
        #else
        static pthread_t changed;  /* the thread whose mode is changed after its start */
        struct start { void *(*run)(void *); void *with; int number; };
        static void *begin(void *given)
        {
            struct start start = *(struct start *)given;
            free(given);
        #ifndef AFTER
            if (THREAD < 0 || start.number == THREAD) set();
        #endif
            return start.run(start.with);
        }
        int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with)
        {
            int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
            static int made;
            struct start *start = malloc(sizeof *start);
            start->run = run;
            start->with = with;
            start->number = __sync_add_and_fetch(&made, 1);
            int number = start->number;  /* the new thread frees start */
            int result = real(thread, how, begin, start);
            if (number == THREAD) changed = *thread;
            return result;
        }
        #ifdef AFTER
        /* What a handler changes here is what the thread goes on with. */
        static void change(int signal, siginfo_t *info, void *context) { ((ucontext_t *)context)->uc_mcontext.fpregs->mxcsr |= BITS; }
        __attribute__((constructor)) static void prepare(void)
        {
            struct sigaction action = {.sa_sigaction = change, .sa_flags = SA_SIGINFO | SA_RESTART};
            sigaction(SIGUSR2, &action, NULL);
            if (THREAD == 0) changed = pthread_self();
        }
        int clock_gettime(clockid_t clock, struct timespec *time)
        {
            static int done;
            int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
            if (gettid() == getpid() && !done && access(AFTER, F_OK) == 0) {
                done = 1;
                pthread_kill(changed, SIGUSR2);
            }
            return real(clock, time);
        }
        #else
        __attribute__((constructor)) static void prepare(void) { if (THREAD == 0) set(); }
        #endif
        #endif
        """

    def library_that_sets(self, bits, *more, threads=None):
        """The environment for a run with the library; OpenMP's threads from the start, for runs that count them."""
        if os.uname().machine != "x86_64":
            self.skipTest("this is no processor with an MXCSR")
        environment = self.preloaded(self.LIBRARY, f"-DBITS={bits:#x}", *more)
        return environment if threads is None else {**environment, "OMP_NUM_THREADS": str(threads)}

    def test_modes_that_a_library_has_set(self):
        for bits, words in ((0x8000, "subnormal results are flushed to zero (FTZ)"), (0x0040, "subnormal operands are taken for zero (DAZ)"),
                            (0x8040, "FTZ"), (0x2000, "does not round to nearest"), (0x4000, "does not round to nearest"),
                            (0x6000, "does not round to nearest")):
            with self.subTest(hex(bits)):
                environment = self.library_that_sets(bits, "-DTHREAD=0")
                for command in (("run", "tank.toml", "-o", "a"), ("info", "tank.toml")):
                    self.assertIn(words, self.fail_with(5, *command, env=environment))
        self.assertFalse((self.folder / "a").exists(), "nothing is created for a run that cannot be")

    def test_modes_of_single_threads(self):
        for bits, words in ((0x8000, "FTZ"), (0x0040, "DAZ"), (0x6000, "does not round to nearest")):
            with self.subTest(hex(bits)):
                environment = self.library_that_sets(bits, "-DTHREAD=-1")
                sentence = self.fail_with(5, "run", "tank.toml", "-o", "a", "--threads", "3", env=environment)
                self.assertIn(words, sentence)
                self.assertIn("in thread 1", sentence)
                self.assertFalse((self.folder / "a").exists())

    def test_mode_of_a_thread_that_sets_the_case_up(self):
        environment = self.library_that_sets(0x2000, "-DTHREAD=1", threads=2)
        for command in (("run", "tank.toml", "-o", "a", "--threads", "1"), ("info", "tank.toml")):
            self.assertIn("does not round to nearest in thread 1;", self.fail_with(5, *command, env=environment))
        self.assertFalse((self.folder / "a").exists())

    def test_modes_of_the_threads_that_write(self):
        for bits, words in ((0x8000, "FTZ)"), (0x0040, "DAZ)"), (0x2000, "does not round to nearest"), (0x6000, "does not round to nearest")):
            with self.subTest(hex(bits)):
                environment = self.library_that_sets(bits, "-DTHREAD=-1", threads=1)
                sentence = self.fail_with(5, "run", "tank.toml", "-o", "a", "--threads", "1", env=environment)
                self.assertIn(words + " in the thread that writes outputs;", sentence)
                self.assertFalse((self.folder / "a").exists())
        # Two are made to see whether they can be and for computing, the third is the one that writes and makes the fourth.
        environment = self.library_that_sets(0x2000, "-DTHREAD=4", threads=2)
        sentence = self.fail_with(5, "run", "tank.toml", "-o", "a", "--threads", "2", env=environment)
        self.assertIn("does not round to nearest in thread 1 of those that write outputs;", sentence)
        self.assertFalse((self.folder / "a").exists())

    def ended_by_change(self, environment, where, *words):
        """(the outputs of the run that a changed mode ended, those that it should have had, the steps between which it changed)"""
        command = ("run", "tank.toml", "--set", "output.ledger_every=1", *words)
        self.succeed(*command, "-o", "whole", "--overwrite")
        sentence = self.fail_with(5, *command, "-o", "a", "--overwrite", env=environment)
        self.assertIn(f"does not round to nearest in {where}; something loaded with halfulp", sentence)
        found = re.search(r"changed the mode (?:between step (\d+) \(t = \S+ s\) and|in) step (\d+) \(t = \S+ s\), and what was written since then may be affected\. ", sentence)
        self.assertTrue(found, sentence)
        self.assertTrue(self.provenance("a", "end_state").startswith("failed: the processor does not round to nearest"))
        self.succeed("info", "--verify", "a")
        self.assertIn("No checkpoint had been taken" if "0" in words else "halfulp resume a goes on from the last checkpoint", sentence)
        return self.outputs("a"), self.outputs("whole"), [int(step or found.group(2)) for step in found.groups()]

    def test_mode_that_changes_in_the_middle_of_a_run(self):
        """Of the main thread and of one of OpenMP's."""
        for thread, threads in ((0, 1), (1, 2)):
            environment = self.library_that_sets(0x4000, f"-DTHREAD={thread}", '-DAFTER="a/outputs/000002.h5"', threads=threads)
            with self.subTest(thread=thread):
                for every in ("0", "1e-6"):
                    shutil.rmtree(self.folder / "a", ignore_errors=True)
                    kept, whole, (before, after) = self.ended_by_change(environment, f"thread {thread}", "--threads", threads, "--checkpoint-every", every)
                    self.assertGreaterEqual(len(kept), 3)
                    self.assertLess(len(kept), len(whole))
                    self.assertEqual(kept, whole[: len(kept)], "with the bits they should have")
                    self.assertGreaterEqual(before, int(kept[2][1]))
                    # The clock is asked within steps and, for the time that outputs take, between them.
                    self.assertIn(after - before, (0, 1), "it is looked at whenever a row of the ledger is taken")
                self.succeed("resume", "a", "--threads", threads)
                self.assertEqual(self.outputs("a"), whole)
                self.assertEqual((self.folder / "a/ledger.csv").read_bytes(), (self.folder / "whole/ledger.csv").read_bytes())

    def test_mode_that_changes_where_outputs_are_written(self):
        # The first thread is asked at the start, each of the others writes an output.
        environment = self.library_that_sets(0x2000, "-DTHREAD=4", threads=1)
        words = ("the thread that writes outputs", "--threads", "1", "--checkpoint-every", "0")
        kept, whole, steps = self.ended_by_change(environment, *words)
        self.assertEqual(kept, whole[:2])
        self.assertEqual(steps, [int(step) for _, step, _ in whole[1:3]])
        # While one is written, the mode changes in its thread.
        environment = self.library_that_sets(0x2000, '-DRENAMED="/000000.h5"', "-DTHREAD=1", threads=1)
        kept, whole, steps = self.ended_by_change(environment, *words)
        self.assertEqual((kept, steps), (whole[:1], [0, 0]))

    def test_mode_that_changes_at_the_very_end(self):
        # Filtered samples are the last that is written, over the others.
        environment = self.library_that_sets(0x2000, '-DRENAMED="/p.csv"', "-DTHREAD=2", threads=1)
        probe = 'probes=[{name="p",measures="pressure",at=[0,0.1],interval=0.003,filter=0.01}]'
        kept, whole, steps = self.ended_by_change(environment, "thread 0", "--threads", "1", "--checkpoint-every", "0", "--set", probe)
        self.assertEqual((kept, steps), (whole, [int(whole[-1][1])] * 2))

    def test_memory_that_runs_out(self):
        """With ever less of it, from where all is well to where not even the case fits."""
        words = ("run", "dam-break-3d", "--set", "resolution.spacing=0.02", "--set", "time.end=0.001", "--quiet", "--no-figures")
        sentences = []
        for threads in (1, 3):
            for megabytes in range(240, 40, -20):
                limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
                code, _, err = self.run_program(*words, "-o", "a", "--overwrite", "--threads", threads, preexec_fn=limit)
                if "error while loading shared libraries" in err:
                    break
                with self.subTest(megabytes=megabytes, threads=threads):
                    self.assertIn(code, (0, 4, 5), err)
                    if code != 0:
                        sentences.append(self.one_sentence(err))
        self.assertTrue(any("not enough memory" in one and "ulimit -v" in one for one in sentences), sentences)
        self.assertTrue(any("particles take about" in one for one in sentences), sentences)

    def test_its_process_has_its_name(self):
        """Also where it has restarted itself, as it does unless told how threads wait: ps and pkill look for it."""
        told = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
        process = self.start("run", "tank.toml", "--set", "time.end=1000", "-o", "a", env={k: v for k, v in os.environ.items() if k not in told})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.wait_for("a/run.h5")
        self.assertEqual(pathlib.Path(f"/proc/{process.pid}/comm").read_text(), os.path.basename(program.PROGRAM)[:15] + "\n")

    def test_stacks_that_no_thread_can_have(self):
        """OpenMP's library would end the program with a message of its own. What it does not understand it ignores."""
        for size in ("999999999999", "900000 G"):
            told = self.fail_with(5, "run", "tank.toml", "-o", "a", "--threads", "2", env={**os.environ, "OMP_STACKSIZE": size})
            self.assertIn(f"OMP_STACKSIZE is {size}, but", told)
            self.assertFalse((self.folder / "a").exists(), "nothing is created for a run that cannot be")
        for size in ("8M", "512", " 64 k", "4 MB", "99999999999999999999", "1"):
            code, _, err = self.run_program("info", "tank.toml", env={**os.environ, "OMP_STACKSIZE": size})
            self.assertEqual(code, 0, err)
            self.assertNotIn("halfulp:", err)

    def test_memory_is_what_was_counted_on(self):
        """4.3 million sites inside a tank whose gravity has a component along its rows take 69 MB, and not three times that."""
        limited = lambda megabytes: lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        enough = next(megabytes for megabytes in range(40, 1000, 10)
                      if self.run_program("info", "tank.toml", preexec_fn=limited(megabytes), env={**os.environ, "OMP_NUM_THREADS": "1"})[0] == 0)
        (self.folder / "large.toml").write_text(
            program.CASE.replace("spacing = 0.05", "spacing = 0.001").replace("to = [1.0, 0.8]", "to = [2.08, 2.07]")
            .replace("to = [0.5, 0.5]", "to = [0.05, 0.05]") + "\n")
        code, _, err = self.run_program("info", "large.toml", "--set", "gravity=[1,-9.81]", preexec_fn=limited(enough + 130),
                                        env={**os.environ, "OMP_NUM_THREADS": "1"})
        self.assertEqual((code, err), (0, ""))

    def test_without_proc(self):
        """Handles lead to nothing where /proc is not mounted, and that is said."""
        hidden = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0" "$@"']
        if subprocess.run([*hidden, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no mounts of one's own here")
        told = subprocess.run([*hidden, program.PROGRAM, "run", "tank.toml", "-o", "a", "--threads", "1", "--quiet"], cwd=self.folder,
                              capture_output=True, text=True, check=False)
        self.assertEqual(told.returncode, 5, told.stderr)
        self.assertIn("mount /proc", self.one_sentence(told.stderr))

    def test_what_was_found_is_in_the_provenance(self):
        self.succeed("run", "tank.toml", "-o", "a", "--threads", "3")
        found = self.provenance("a", "floating_point")
        self.assertIn("computed in 3 threads", found)
        if os.uname().machine == "x86_64":
            self.assertTrue(found.endswith("MXCSR 0x1f80"), found)
        self.assertTrue(self.provenance("a", "processor"))
        # Masks of exceptions change no bit and are no reason to refuse; they are told.
        environment = self.library_that_sets(0, "-DTHREAD=0")
        self.succeed("run", "tank.toml", "-o", "b", env=environment)
        self.assertEqual(self.outputs("a"), self.outputs("b"))


if __name__ == "__main__":
    program.main()
