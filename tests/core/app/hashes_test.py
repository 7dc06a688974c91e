#!/usr/bin/env python3
"""State hashes after a few steps, against those that are kept in hashes.csv: no change of the code may change a bit.

Usage: hashes_test.py PROGRAM [--jobs N] [-- OPTION...]
                                         checks every row whose precision the program has, N at a time; the options are
                                         those of its runs: -- --ranks 3, -- --backend cuda
       hashes_test.py PROGRAM --write    writes the rows of the precisions that the program has anew, and keeps the others
Every shipped case in robust, reversible and double, some with each integrator; every other precision in the cases of
OTHERS. A row is a run of some
25 of the largest steps, or a refusal, whose sentence counts."""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE.parents[2] / "cases"
TABLE = HERE / "hashes.csv"
STEPS = 25
# What the precision reversible, and those of the laboratory, ask for.
PLAIN = ("numerics.walls=dynamic", "numerics.density_diffusion=none")
REVERSIBLE = (*PLAIN, "time.step=fixed", "fluid.artificial_viscosity=0", "numerics.wall_tension=true")
OTHERS = (
    ("colliding-drops-2d", PLAIN),
    ("collapse-column-2d", PLAIN),
    ("ramp-3d", (*PLAIN, "resolution.spacing=0.04")),
    ("rolling-tank-2d", PLAIN),
    ("taylor-green-2d", PLAIN),
    ("oscillating-drop-2d", (*PLAIN, "numerics.kernel=gaussian")),
    ("still-water", ()),
)
# In robust and double.
INTEGRATORS = ("numerics.integrator=verlet numerics.corrector_every=7", "numerics.integrator=implicit-midpoint",
               "numerics.integrator=leap-frog", "numerics.integrator=predictor-corrector",
               "numerics.integrator=symplectic", "numerics.integrator=discrete-gradient")
BY_INTEGRATOR = ("colliding-drops-2d", "ramp-3d", "rolling-tank-2d", "still-water", "taylor-green-2d")
# With its own spacing it took a sixth of the time of all rows.
COARSER = {"spheric10-3d": ("resolution.spacing=0.0093",)}


def run(program, *words):
    return subprocess.run((program, *words), capture_output=True, text=True, check=False)


def settings_of(words):
    return [word for setting in words for word in ("--set", setting)]


def end_of(program, case, settings):
    """Of some STEPS of the largest steps, in s; None where the program refuses the case."""
    done = run(program, "info", str(CASES / f"{case}.toml"), *settings_of(settings))
    found = re.search(r"^ *steps +.* of (?:at most )?(\S+) s", done.stdout, re.MULTILINE)
    return f"{STEPS * float(found.group(1)):.4g}" if done.returncode == 0 else None


def result_of(program, case, settings, options=()):
    """The state's hash, or the sentence of a refusal without the file's name."""
    with tempfile.TemporaryDirectory() as folder:
        done = run(program, "run", str(CASES / f"{case}.toml"), "-o", f"{folder}/run", "--no-figures", "--quiet",
                   *settings_of(settings), *options)
    if done.returncode == 0:
        return re.search(r"state hash +(\w+)", done.stdout).group(1)
    sentence = [line for line in done.stderr.splitlines() if "halfulp" in line or ": " in line][-1]
    return "refused: " + re.sub(r"^halfulp: (.*?\.toml(:\d+)?: |--set \S+: )?", "", sentence)


def precisions_of(program):
    names = [line.split()[0] for line in run(program, "info", "--precisions").stdout.splitlines() if line.strip()]
    return [name for name in names if re.fullmatch(r"(robust|reversible|naive|dualsphysics|gpusph|double|quad)(/\S+)?", name)]


def wanted_rows(program):
    for precision in precisions_of(program):
        if precision in ("robust", "reversible", "double"):
            rows = [(case.stem, COARSER.get(case.stem, ())) for case in sorted(CASES.glob("*.toml"))]
            if precision == "reversible":
                rows += [(case, (*REVERSIBLE, *settings)) for case, settings in rows]
            else:
                rows += [(case, settings.split()) for case in BY_INTEGRATOR for settings in INTEGRATORS]
        else:
            rows = OTHERS[:1] if precision.startswith("quad") else OTHERS  # which is slow
        for case, settings in rows:
            settings = (f"numerics.precision={precision}", *settings)
            end = end_of(program, case, settings)
            if end is not None:
                settings += (f"time.end={end}",)
            yield case, precision, " ".join(settings[1:])


def write(program):
    kept = []
    have = precisions_of(program)
    if TABLE.exists():
        kept = [row for row in rows_of_the_table() if row["precision"] not in have]
    rows = []
    for case, precision, settings in wanted_rows(program):
        result = result_of(program, case, (f"numerics.precision={precision}", *settings.split()))
        rows.append({"case": case, "precision": precision, "settings": settings, "result": result})
        print(f"{case} {precision}: {result}", flush=True)
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ("case", "precision", "settings", "result"), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows + kept)


def rows_of_the_table():
    with TABLE.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def main():
    words = sys.argv[:sys.argv.index("--")] if "--" in sys.argv else sys.argv
    options = sys.argv[len(words) + 1:]
    program = words[1]
    if "--write" in words:
        write(program)
        return 0
    have = set(precisions_of(program))
    not_compiled = set()
    rows = rows_of_the_table()
    compared = [row for row in rows if row["precision"] in have]

    def is_right(row):
        found = result_of(program, row["case"], (f"numerics.precision={row['precision']}", *row["settings"].split()), options)
        if "was not compiled for CUDA" in found:
            not_compiled.add(row["precision"])
            return None
        if found != row["result"]:
            print(f"{row['case']} {row['precision']} {row['settings']}\n  should be {row['result']}\n  but is    {found}", flush=True)
        return found == row["result"]

    jobs = int(words[words.index("--jobs") + 1]) if "--jobs" in words else 1
    with ThreadPoolExecutor(jobs) as pool:
        right = list(pool.map(is_right, compared))
    wrong = right.count(False)
    hashes = sum(one is not None and not row["result"].startswith("refused") for row, one in zip(compared, right))
    print(f"{hashes} hashes and {len(right) - right.count(None) - hashes} refusals compared, {wrong} differ; precisions that this program does not "
          f"have{' there' if options else ''}: {', '.join(sorted({row['precision'] for row in rows} - have | not_compiled)) or 'none'}")
    return 1 if wrong or hashes == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
