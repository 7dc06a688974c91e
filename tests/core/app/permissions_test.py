#!/usr/bin/env python3
"""What a user may not read, write or start is said in one sentence. Usage: permissions_test.py PROGRAM"""
import os
import resource
import shutil
import subprocess

import program
from program import ProgramTest


class UnprivilegedTest(ProgramTest):
    """Runs by a user whom permissions and limits concern, which root they do not."""

    def run_as_nobody(self, words, **more):
        if os.geteuid() == 0:
            if shutil.which("setpriv") is None:
                self.skipTest("there is no setpriv")
            # Outside of the folders of root.
            if not (self.folder / "halfulp").exists():  # one that has just ended may be busy still
                shutil.copy(program.PROGRAM, self.folder / "halfulp")
            self.folder.chmod(0o777)
            words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "./halfulp", *words]
        else:
            words = [program.PROGRAM, *words]
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=60, **more)

    def succeed_as_nobody(self, *words, **more):
        done = self.run_as_nobody(words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def fail_as_nobody(self, expected, *words, **more):
        done = self.run_as_nobody(words, **more)
        self.assertEqual(done.returncode, expected, done.stderr)
        return self.one_sentence(done.stderr)


class FewProcesses(UnprivilegedTest):
    """OpenMP's library would abort with a message of its own."""

    def test_of_which_threads_are_some(self):
        few = lambda: resource.setrlimit(resource.RLIMIT_NPROC, (50, 50))  # noqa: E731
        more = {"env": dict(os.environ, OMP_NUM_THREADS="3000"), "preexec_fn": few}
        sentence = self.fail_as_nobody(5, "run", "tank.toml", "-o", "a", "--threads", "3000", **more)
        self.assertRegex(sentence, r"3000 threads were asked for, but this machine allows only \d+ .* use fewer with --threads or OMP_NUM_THREADS")
        # Setting a case up goes on with one, and so does a run that asks for no more.
        for words in (["--version"], ["info", "tank.toml"], ["run", "tank.toml", "-o", "a", "--threads", "1", "-q"]):
            self.succeed_as_nobody(*words, **more)


class Unreadable(UnprivilegedTest):
    """What may not be read is said to be that, not to be absent or another program's."""

    def test_folder(self):
        (self.folder / "locked").mkdir(mode=0)
        self.addCleanup((self.folder / "locked").chmod, 0o755)
        for words in (["info", "locked"], ["rerun", "locked"], ["compare", "locked", "locked"], ["info", "locked/case.toml"]):
            self.assertIn("Permission denied", self.fail_as_nobody(1, *words))
        for words in (["resume", "locked"], ["run", "tank.toml", "-o", "locked/a"]):
            self.assertIn("Permission denied", self.fail_as_nobody(4, *words))

    def test_file_of_a_run(self):
        self.succeed("run", "tank.toml", "-o", "a")
        for path in (self.folder / "a").rglob("*"):
            path.chmod(0o777)
        (self.folder / "a").chmod(0o777)
        before = (self.folder / "a/run.h5").read_bytes()
        (self.folder / "a/run.h5").chmod(0)
        for words in (["info", "a"], ["resume", "a"], ["compare", "a", "a"]):
            self.assertIn("cannot read a/run.h5: Permission denied", self.fail_as_nobody(1, *words))
        for more in ([], ["--overwrite"]):
            self.assertIn("cannot read a/run.h5, so whether its run may be replaced is unknown", self.fail_as_nobody(4, "run", "tank.toml", "-o", "a", *more))
        (self.folder / "a/run.h5").chmod(0o600)
        self.assertEqual((self.folder / "a/run.h5").read_bytes(), before)


if __name__ == "__main__":
    program.main()
