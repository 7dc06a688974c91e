"""What the tests of the program share: running it in a folder of its own and reading what it said."""
import hashlib
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = None  # set by main()

# 100 particles of fluid, 0.05 s, six outputs: a fraction of a second.
CASE = """title = "A small tank"
[resolution]
spacing = 0.05
smoothing_ratio = 1.5
[fluid]
sound_speed = 30
artificial_viscosity = 0.05
[time]
end = 0.05
cfl = 0.2
[output]
interval = 0.01
ledger_every = 5
figures = false
[[shapes]]
name = "tank"
kind = "wall"
hollow_box = { from = [0, 0], to = [1.0, 0.8] }
layers = 2
[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0, 0], to = [0.5, 0.5] }
"""


def digests(folder):
    """Of every file under a folder."""
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in pathlib.Path(folder).rglob("*") if path.is_file()}


class ProgramTest(unittest.TestCase):
    """Each test runs in an empty folder that holds tank.toml; it is removed afterwards."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="halfulp-app-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "tank.toml").write_text(CASE)

    def start(self, *words, **options):
        """The program, started; one thread, since several only wait for each other in a case so small."""
        words = [str(word) for word in words]
        if words[:1] == ["run"] and not {"--threads", "--device", "--devices", "cuda"} & set(words):
            words += ["--threads", "1"]
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([options.pop("program", PROGRAM), *words], cwd=options.pop("cwd", self.folder), text=True, **options)

    def wait_until(self, condition, patience=60, every=0.01):
        """Returns as soon as the condition holds, and fails if it does not within that many seconds."""
        deadline = time.monotonic() + patience
        while not condition():
            self.assertLess(time.monotonic(), deadline, f"still waiting after {patience} s")
            time.sleep(every)

    def wait_for(self, pattern, patience=60, number=1):
        """Returns as soon as there are that many files of a name in the test's folder, which may have wildcards."""
        self.wait_until(lambda: len(list(self.folder.glob(pattern))) >= number, patience)

    def run_program(self, *words, **options):
        """(exit code, standard output, standard error) of a finished run."""
        patience = options.pop("patience", 120)  # s
        process = self.start(*words, **options)
        out, err = process.communicate(timeout=patience)
        return process.returncode, out, err

    def succeed(self, *words, **options):
        """Standard output of a run that must succeed without a word of complaint."""
        code, out, err = self.run_program(*words, **options)
        self.assertEqual((code, err), (0, ""), " ".join(map(str, words)))
        return out

    def fail_with(self, expected, *words, **options):
        """The one sentence on standard error of a run that must fail with an exit code."""
        code, _, err = self.run_program(*words, **options)
        self.assertEqual(code, expected, err)
        return self.one_sentence(err)

    def one_sentence(self, err):
        self.assertEqual(err.count("\n"), 1, f"one line is wanted on standard error, not {err!r}")
        self.assertTrue(err.startswith("halfulp: "), err)
        for ugly in ("terminate called", "what():", "HDF5-DIAG", "Traceback", "unexpected:"):
            self.assertNotIn(ugly, err)
        return err.strip()

    def run_on_small_disk(self, size, words):
        """The finished program, run where disk/ is a file system of that size; what it left in disk/a is in kept/."""
        (self.folder / "disk").mkdir()
        # In a name space of its own, gone with the shell that made it.
        script = f'mount -t tmpfs -o size={size} tmpfs disk || exit 77; "$@"; code=$?; cp -r disk/a kept; exit $code'
        try:
            done = subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", PROGRAM, *words],
                                  cwd=self.folder, capture_output=True, text=True, timeout=120)
        except FileNotFoundError:
            self.skipTest("there is no unshare")
        if done.returncode in (1, 77) and "halfulp" not in done.stderr:
            self.skipTest("a file system cannot be mounted here: " + done.stderr.strip())
        return done

    def preloaded(self, source, *flags):
        """The environment for a program before whose libraries one is loaded that is made of this C source."""
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            self.skipTest("there is no C compiler")
        (self.folder / "first.c").write_text(source)
        done = subprocess.run([compiler, "-shared", "-fPIC", "-O1", *flags, "first.c", "-o", "first.so", "-ldl", "-lpthread"],
                              cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest("the compiler cannot make a library: " + done.stderr)
        return {**os.environ, "LD_PRELOAD": str(self.folder / "first.so")}

    def outputs(self, run):
        """[(name, step, hash)] that `halfulp info` lists for a run."""
        return re.findall(r"^  (\d{6})\s+(\d+)\s+\S+\s+([0-9a-f]{32})$", self.succeed("info", run), re.MULTILINE)

    def provenance(self, run, key):
        found = re.search(rf"^  {re.escape(key)} +(.*)$", self.succeed("info", run), re.MULTILINE)
        self.assertTrue(found, f"{key} is not in the provenance")
        return found.group(1)

    def warnings(self, text):
        """Those that the program printed, of a summary or of info."""
        return re.findall(r"(?m)^  warning +(.*)$", text)


def sanitized():
    """Whether the program is one with the address sanitizer, which needs terabytes of addresses and to be loaded first."""
    return b"__asan_init" in pathlib.Path(PROGRAM).read_bytes()


def limit_file_size(bytes_allowed):
    """For preexec_fn: no file may grow beyond this, which is how a full disk looks to a program."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_allowed, bytes_allowed))


def main():
    """Usage: SCRIPT PROGRAM [unittest's own arguments]"""
    global PROGRAM
    PROGRAM = os.path.abspath(sys.argv[1])
    sys.modules["program"].PROGRAM = PROGRAM
    unittest.main(module="__main__", argv=[sys.argv[0], *sys.argv[2:]])
