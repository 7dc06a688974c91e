"""Tables of docs/experiments.md, from what `scripts/measure-experiments` has left in docs/measured/experiments.json, and of
docs/accuracy.md from the tables of `validate front` and `validate before-impact`; for pages.py."""
import importlib.machinery
import importlib.util
import json
import math
import pathlib
import re
import sys

from page_text import rows_of, short, signed, table

MEASURED = "docs/measured/experiments.json"
SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "scripts/measure-experiments"
SETTINGS = {"shipped": "as shipped", "no-slip": "no slip", "dynamic": "dynamic walls", "modified-dynamic": "mDBC"}


def percent(score):
    return signed(100 * (score["computed"] / score["measured"] - 1))


def milliseconds(score):
    return signed(1e3 * (score["computed"] - score["measured"]), whole=True)


def kilopascals(score):
    return short(1e-3 * score["computed"])


def share(score):
    return short(100 * score["computed"])


# The columns of an experiment's table. A column: its head, the quantities by how their names begin, how a score is told, and
# how what was measured is, which the first row has. Resolutions count particles across the water's depth, H.
IMPACTS = [1, 2, 3, 4]
ROLLING = (
    ("beginnings of four impacts, ms off", [f"beginning of impact {k}" for k in IMPACTS], milliseconds, lambda s: f"{s['measured']:.3f} s"),
    ("times of their highest samples, ms off", [f"time of impact {k}" for k in IMPACTS], milliseconds, lambda s: f"{s['measured']:.3f} s"),
    ("impulses, % off", [f"impulse of impact {k}" for k in IMPACTS], percent, lambda s: f"{s['measured']:.0f} Pa s"),
    ("highest samples, kPa", [f"peak of impact {k}" for k in IMPACTS], kilopascals, lambda s: f"{1e-3 * s['measured']:.1f} kPa"),
    ("of the mean over 2H/c0, kPa", [f"peak of impact {k}, both averaged" for k in IMPACTS], kilopascals, lambda s: f"{1e-3 * s['measured']:.1f} kPa"))
WALL = (
    ("arrival at sensor 2, % off", ["arrival at sensor 2"], percent, lambda s: f"{s['measured']:.4f} s"),
    ("% of the time inside the band", ["pressure at sensor 2 inside the band"], share, None),
    ("mean pressure after the impact and on two plateaus, % off", ["mean pressure at sensor 2", "plateau at sensor 2", "second plateau at sensor 2"], percent,
     lambda s: f"{s['measured']:.0f} Pa"),
    ("levels at four gauges, % off", [f"level at gauge {k}" for k in IMPACTS], share, None))
EXPERIMENTS = {
    "linear-sloshing": (("frequency of the level at the wall, % off", ["frequency of the level"], percent, lambda s: f"{s['measured']:.4f} Hz"),
                        ("of the pressure on it, % off", ["frequency of the pressure"], percent, None)),
    "lobovsky-2d": WALL, "lobovsky-3d": WALL,
    "spheric2": (
        ("arrival at P1, % off", ["arrival at P1"], percent, lambda s: f"{s['measured']:.3f} s"),
        ("level H4 over 6 s, % off", ["level H4"], share, None),
        ("1 cm of water at H3, H2, H1, % off", [f"1 cm of water at H{k}" for k in (3, 2, 1)], percent, lambda s: f"{s['measured']:.3f} s"),
        ("highest pressures at P1 to P4, kPa", [f"highest pressure at P{k}" for k in IMPACTS], kilopascals, lambda s: f"{1e-3 * s['measured']:.1f} kPa")),
    "spheric10-2d": ROLLING, "spheric10-3d": ROLLING,
    "cehinav-sloshing": (
        ("first peak of the fluid alone, of all particles, % off", ["peak of the fluid alone", "peak of all particles"], percent, lambda s: f"{1e-3 * s['measured']:.2f} kPa"),
        ("their times, ms off", ["time of the peak of the fluid alone", "time of the peak of all particles"], milliseconds, lambda s: f"{s['measured']:.3f} s"),
        ("until 2.2 s, mean, % off", ["mean deviation to 2.2 s, the fluid alone", "mean deviation to 2.2 s, all particles"], share, None))}


def scores_of(run, names):
    """Those whose names begin so, in this order; of several the shortest: `peak of impact 1` is also the beginning of others."""
    found = []
    for name in names:
        own = [score for score in run["scores"] if score["quantity"].startswith(name)]
        if own:
            found.append(min(own, key=lambda score: len(score["quantity"])))
    return found


def told(run, score, how):
    """Bold where it meets what is asked, which a run that stopped does not."""
    if score["computed"] == "" or math.isnan(score["computed"]):
        return "none"
    text = how(score)
    return f"**{text}**" if score["asked"] and score["met"] == "1" and not run["broke"] else text


def joined(texts):
    """With a common unit once, at the end."""
    units = {text.partition(" ")[2] for text in texts}
    if len(units) == 1 and (unit := units.pop()):
        texts = [text.partition(" ")[0] for text in texts[:-1]] + [f"{texts[-1].partition(' ')[0]} {unit}"]
    return ", ".join(texts)


def script():
    """scripts/measure-experiments, as a module."""
    loader = importlib.machinery.SourceFileLoader("measure_experiments", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def experiment(name):
    columns = EXPERIMENTS[name]

    def make(root):
        runs = json.loads((root / MEASURED).read_text(encoding="utf-8"))
        own = [(settings, int(particles), run) for (one, settings, particles), run in ((key.split("/"), run) for key, run in runs.items()) if one == name]
        own.sort(key=lambda row: (list(SETTINGS).index(row[0]), row[1]))
        if not own:
            sys.exit(f"pages.py: {MEASURED} has no run of {name}; scripts/measure-experiments {name} makes them.")
        whole = own[0][2]
        measured = [joined([how(score) for score in scores_of(whole, names)]) if how else "" for _, names, _, how in columns]
        asked = [next((score["asked"] for score in scores_of(whole, names) if score["asked"]), "") for _, names, *_ in columns]
        rows = [["measured", "", "", "", *measured], ["asked", "", "", "", *asked]]
        for settings, particles, run in own:
            cells = [joined([told(run, score, how) for score in scores_of(run, names)]) for _, names, how, _ in columns]
            cells = ["none" if set(cell.split(", ")) == {"none"} else cell for cell in cells]
            stopped = f", stopped at {run['end[s]']:.3g} s" if run["broke"] else ""
            rows.append([SETTINGS[settings], f"H/{particles}", f"{run['fluid']:,.0f} + {run['wall']:,.0f}", f"{run['steps']:,.0f}{stopped}", *cells])
        return table(["", "spacing", "particles", "steps", *(head for head, *_ in columns)], rows)

    return make


def origins(root):
    """The states and days of all runs, and which there are not, in two sentences."""
    runs = json.loads((root / MEASURED).read_text(encoding="utf-8"))
    measure = script()
    states = {(run["date"], re.match(r"(.*) \(commit (\w{7}).*?, (.*)\)", run["program"]).groups()) for run in runs.values()}
    said = "The tables are of " + "; ".join(f"{program}, commit {commit}, {tree}, {date}" for date, (program, commit, tree) in sorted(states)) + "."
    lacking = [f"`{name}`" for name in map(measure.name_of, measure.RUNS) if name not in runs]
    return said + (f" Not carried out yet: {', '.join(lacking)}." if lacking else "")


def front(root):
    rows = rows_of(root, "figures/front-scores")
    references = list(dict.fromkeys(row["reference"] for row in rows))
    out = []
    for particles in dict.fromkeys(row["particles"] for row in rows):
        own = [next(row for row in rows if (row["particles"], row["reference"]) == (particles, reference)) for reference in references]
        out.append([f"L/{particles}", *(f"{float(row['lag[1]']):.2f}; {100 * float(row['mean_deviation[1]']):.1f} %, {100 * float(row['largest_deviation[1]']):.1f} %; "
                                        f"{signed(100 * (float(row['speed[1]']) - 1))} %; {100 * float(row['mean_deviation_as_published[1]']):.1f} %" for row in own)])
    return table(["spacing", *(f"{reference}: lag; mean, largest; speed; mean with the times as published" for reference in references)], out)


def before_impact(root):
    rows = rows_of(root, "figures/before-impact")
    out = []
    for case in dict.fromkeys(row["case"] for row in rows):
        own = [row for row in rows if row["case"] == case]

        def of(end, column):
            return f"{end(float(row[column]) for row in own) + 0:.2f}".replace("-0.00", "0.00").replace("-", "−")

        out.append([f"`{case}`", f"{float(own[-1]['time[s]']):.2f} s", f"{of(min, 'lowest_pressure[1]')}, {of(max, 'highest_pressure[1]')}",
                    f"{of(min, 'gap[1]')}, {of(max, 'gap[1]')}", of(max, "above[1]")])
    return table(["case, as shipped", "to", "pressure over ρ0 g H, lowest and highest",
                  "water over the dry floor, lowest and highest from its place, spacings", "highest water over its surface at the start, spacings"], out)


SECTIONS = {f"pages.py: {name}": experiment(name) for name in EXPERIMENTS}
SECTIONS["pages.py: states of the runs"] = origins
ACCURACY = {"pages.py: front": front, "pages.py: before the first impact": before_impact}
