#!/usr/bin/env python3
"""Draws the figure of `halfulp bench run`, and has what README.md, docs/performance.md, docs/gpu.md and
docs/tutorial/device.md tell of it, for pages.py.
Usage: bench_run.py ROOT
ROOT is the project's folder. The measurements are docs/measured/bench-run-*.json, as `halfulp bench run` writes them
(its run.json, renamed), and docs/measured/dualsphysics.json."""
import hashlib
import json
import pathlib
import re
import sys

from page_text import table

FIGURE = "docs/figures/bench-run.svg"
STAGES = ("set-up", "neighbours", "density rate", "forces", "update", "output", "waiting", "other")


def read(root):
    """The files of bench run by name, and what was measured of other codes."""
    folder = root / "docs/measured"
    runs = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("bench-run-*.json"))}
    for name, file in runs.items():
        if file["format"] != "halfulp bench run 1":
            sys.exit(f"bench_run.py: {folder / name}.json is no file of halfulp bench run.")
    return runs, json.loads((folder / "dualsphysics.json").read_text(encoding="utf-8"))


def digest(root):
    """Of the measurements of which the figure is drawn."""
    return hashlib.sha256(json.dumps(read(root)[0], sort_keys=True).encode()).hexdigest()[:32]


def measured(file):
    return [row for row in file["rows"] if "left_out" not in row]


def millimetres(spacing):
    return f"{1000 * spacing:.4g}"


def mean_neighbours(row):
    """Of the fluid in a step, by the trapezoidal rule over the steps between the outputs, at which they are counted."""
    counts = row["neighbours_of_fluid"]
    if len(counts) < 2 or counts[-1][0] == counts[0][0]:
        return None
    area = sum((b - a) * (m + n) / 2 for (a, m), (b, n) in zip(counts, counts[1:]))
    return area / (counts[-1][0] - counts[0][0])


def neighbours_texts(row):
    mean = mean_neighbours(row)
    if mean is None:
        return "", ""
    return f"{mean / row['fluid']:.0f}", f"{mean * row['steps'] / row['seconds'] / 1e9:.3g}"


def tenths(row):
    """Steps per second in each tenth of the simulated time; none where a tenth has too few steps for a rate."""
    few = 20
    steps = [after[1] - before[1] for before, after in zip(row["tenths"], row["tenths"][1:])]
    if len(steps) < 10 or min(steps) < few:
        return []
    return [count / (after[2] - before[2]) for count, before, after in zip(steps, row["tenths"], row["tenths"][1:])]


def machine_text(name, file):
    machine = file["machine"]
    devices = sorted({row["device"] for row in measured(file)} - {""})
    parts = [f"`{name}.json`: {machine['processor']}, {machine['processors']} processors",
             f"{machine['memory'] / 1e9:.0f} GB", *devices, file["compiler"],
             f"commit {file['commit'][:7]}" + ("" if file["tree"] == "clean" else " with changes"), file["date"],
             f"load average when it began: {machine['load']:.2f}" + (" (not idle)" if machine["load"] > 0.5 else "")]
    return f"{'; '.join(parts)}. `{file['command']}`"


def whole_runs(name, file):
    rows, stages, flow = [], [], []
    for row in measured(file):
        here = (f"`{row['case']}`", millimetres(row["spacing"]), row["back_end"])
        each, rate = neighbours_texts(row)
        rows.append((*here, f"{row['fluid']:,}", f"{row['wall']:,}", each, f"{row['time']:.4g} of {row['end']:.4g}",
                     f"{row['steps']:,}", f"{row['seconds']:.2f}", f"{row['steps'] / row['seconds']:.1f}", rate,
                     f"{row['bytes_per_particle']:.0f}"))
        seconds = [row["stage_seconds"][stage] for stage in STAGES]
        stages.append((*here, *(f"{one:.2f}" for one in seconds), f"{row['seconds'] - row['run_seconds']:.2f}"))
        rates = tenths(row)
        if rates:
            slowest = min(rates)
            flow.append((*here, f"{rates[0]:.1f}", f"{sum(rates[4:6]) / 2:.1f}", f"{rates[9]:.1f}",
                         f"{slowest:.1f} (tenth {rates.index(slowest) + 1})", f"{slowest / rates[0]:.2f}"))
    beginning = ("case", "Δp (mm)", "back end")
    text = [machine_text(name, file),
            table((*beginning, "fluid", "walls", "neighbours of a fluid particle", "simulated (s)", "steps", "time (s)", "steps per second",
                   "10⁹ neighbours per second", "bytes per particle"), rows),
            "Seconds in each stage:",
            table((*beginning, *STAGES, "start and end of the program"), stages)]
    if flow:
        heading = (*beginning, "first tenth", "fifth and sixth", "last", "slowest", "slowest over first")
        text += ["Steps per second in tenths of the simulated time, of runs with at least twenty steps in each:",
                 table(heading, flow)]
    return text


def performance_page(runs, _):
    text = ["Time from the start of `halfulp run` to its end with the case's own settings, outputs included, figures "
            "not. Neighbours are those of fluid particles within the kernel's support, walls included, counted in the "
            "states of the outputs; per second they are their sum over all steps (by the trapezoidal rule between "
            "outputs; every pass of a step visits them again) over the whole time. Bytes are of the particles and "
            "neighbour lists."]
    for name, file in runs.items():
        text += whole_runs(name, file)
    figure = pathlib.Path(FIGURE).relative_to("docs")
    return "\n\n".join(text + [f"![Time of whole runs by stage, and speed over the simulated time]({figure})"])


def kind_of(file):
    """What a file of bench run is of, after the commit in its name, and how many passes over pairs a step has: of the
    case with the settings of the other code and its CFL number of 0.2, of these with Verlet's scheme, or of the case as
    it is shipped; with the CFL number where it is another."""
    settings = dict(word.split("=", 1) for word in file["command"].split() if "=" in word)
    verlet = settings.get("numerics.integrator") == "verlet"
    as_the_other = "numerics.walls" in settings
    usual = "0.2" if as_the_other else None
    cfl = settings.get("time.cfl", usual)
    corrector = settings.get("numerics.corrector_every")
    kind = ", Verlet" if verlet else "" if as_the_other else ", as shipped"
    kind += f", a corrector every {corrector} steps" if corrector else ""
    return kind + (f", CFL {cfl}" if cfl != usual else ""), 1 if verlet else 2


def side_by_side(runs, others):
    """The runs of the other code and of halfulp as it was then, and what bench run has measured since on the same
    device, from the oldest to the latest."""
    found = list(others["runs"])
    for file in sorted(runs.values(), key=lambda file: file["date"]):
        kind, passes_of_kind = kind_of(file)
        for row in measured(file):
            if row["case"] == others["case"] and row["end"] == others["end"] and others["device"] in row["device"]:
                found.append({"code": f"halfulp {file['commit'][:7]}{kind}", "passes": passes_of_kind, "spacing": row["spacing"],
                              "particles": row["fluid"] + row["wall"], "fluid": row["fluid"], "steps": row["steps"],
                              "seconds": row["seconds"], "neighbours": neighbours_texts(row)})
    return found


def by_spacing(found, code, spacing):
    return next((run for run in found if run["code"] == code and run["spacing"] == spacing), None)


def is_own(code):
    return code.startswith("halfulp")


def ratios(found, rival, own):
    """The other code's time over the own, at each spacing that both have."""
    spacings = sorted({run["spacing"] for run in found}, reverse=True)
    pairs = [(by_spacing(found, rival, spacing), by_spacing(found, own, spacing)) for spacing in spacings]
    return [theirs["seconds"] / ours["seconds"] for theirs, ours in pairs if theirs and ours]


def solution_page(runs, others):
    found = side_by_side(runs, others)
    codes = list(dict.fromkeys(run["code"] for run in found))
    rivals = [code for code in codes if not is_own(code)]
    rows = []
    for spacing in sorted({run["spacing"] for run in found}, reverse=True):
        for code in codes:
            run = by_spacing(found, code, spacing)
            if run is None:
                continue
            theirs = [by_spacing(found, rival, spacing) if is_own(code) else None for rival in rivals]
            rows.append((millimetres(spacing), code, str(run["passes"]), f"{run['particles']:,}",
                         f"{run['fluid']:,}" if "fluid" in run else "the same water", *run.get("neighbours", ("", "")),
                         f"{run['steps']:,}", f"{run['seconds']:.4g}",
                         *(f"{one['seconds'] / run['seconds']:.2f}" if one else "" for one in theirs)))
    since = [code for code in codes if is_own(code)][1:]
    later = (f" Later, on the same kind of device by `bench run` with the `--set` of its command ([performance](performance.md#whole-runs)), the case as it was at that commit: "
             f"{'; '.join(since)}." if since else "")
    if any(code.endswith("as shipped") for code in since):
        later += (" As shipped it has other walls and another density diffusion, with which the water is faster, so that at one CFL number it takes "
                  "more steps; and a CFL number of 0.4, with the same forces ([longer steps](#longer-steps)).")
    heading = ("Δp (mm)", "code", "passes per step", "particles", "fluid", "neighbours of a fluid particle", "10⁹ neighbours per second",
               "steps", "time (s)", *(f"{rival} over it" for rival in rivals))
    return "\n\n".join([
        f"`{others['case']}` to {others['end']} s on one {others['device']}, {others['source']}. "
        f"{others['conditions']}.{later} Walls are particles too, whose number differs between the codes: what counts "
        "is the time for the same water.", table(heading, rows)])


def other_codes_page(_, others):
    cpu = others["cpu"]
    codes = cpu["steps_per_second"]
    threads = [key for key in codes[0] if key != "code"]
    return "\n\n".join([
        f"Beside DualSPHysics: `{others['case']}`, spacing {millimetres(cpu['spacing'])} mm, {cpu['processor']}, steps "
        f"per second at the start of the flow, {cpu['source']}. {others['conditions']}.",
        table(("code", *(f"{count} thread{'s' if count != '1' else ''}" for count in threads)),
              [(code["code"], *(f"{code[count]:g}" for count in threads)) for code in codes])])


def passes(run):
    return f"{run['passes']} pass{'es' if run['passes'] > 1 else ''} per step"


def in_short(runs, others):
    """Of the latest halfulp, for a cell of a table: the middle spacing, and the ratios at all of them."""
    found = side_by_side(runs, others)
    own = [run["code"] for run in found if is_own(run["code"]) and "," not in run["code"]][-1]
    spacings = sorted(run["spacing"] for run in found if run["code"] == own)
    run = by_spacing(found, own, spacings[len(spacings) // 2])
    rivals = list(dict.fromkeys(run["code"] for run in found if not is_own(run["code"])))
    words = []
    for rival in rivals:
        theirs = by_spacing(found, rival, run["spacing"])
        all_ratios = ratios(found, rival, own)
        if theirs:
            words.append(f"{rival} ({passes(theirs)}) {theirs['seconds']:.4g} s, {min(all_ratios):.2f} to "
                         f"{max(all_ratios):.2f} times as long at {millimetres(min(spacings))} to "
                         f"{millimetres(max(spacings))} mm")
    shipped = by_spacing(found, own + ", as shipped", run["spacing"])
    beside = f" (as shipped, with other walls and density diffusion, and a CFL number of 0.4 instead of 0.2, {shipped['seconds']:.4g} s)" if shipped else ""
    return (f"`{others['case']}`, {run['fluid']:,} particles of water to {others['end']} s on one {others['device']}, with the "
            f"settings of the other code: {own} ({passes(run)}) {run['seconds']:.4g} s{beside}; " + "; ".join(words))


def whole_runs_as_shipped(runs, _):
    """For a user who wonders how long a run takes: of the case as it is, on a device."""
    rows, states = [], set()
    for file in runs.values():
        if kind_of(file)[0] != ", as shipped":
            continue
        for row in (row for row in measured(file) if row["back_end"].startswith("cuda")):
            rows.append((f"`{row['case']}` at {millimetres(row['spacing'])} mm, {row['end']} s of flow", f"{row['fluid'] + row['wall']:,}",
                         f"{row['steps']:,}", f"{row['seconds']:.1f} s"))
            states.add(f"{row['device'].split(',')[0]}, halfulp {file['commit'][:7]}")
    return "\n\n".join([table(("case", "particles", "steps", "time"), rows), f"({'; '.join(sorted(states))}.)"])


def of(section):
    return lambda root: section(*read(root))


README = {"bench_run.py: in short": of(in_short)}
PERFORMANCE = {"bench_run.py: whole runs": of(performance_page), "bench_run.py: other codes": of(other_codes_page)}
TUTORIAL = {"bench_run.py: as shipped": of(whole_runs_as_shipped)}
DEVICE = {"bench_run.py: time to solution": of(solution_page)}


def drawn_from(root):
    """The digest of the measurements of which the figure was drawn."""
    path = root / FIGURE
    found = re.search(r"measurements ([0-9a-f]{32})", path.read_text(encoding="utf-8")) if path.exists() else None
    return found.group(1) if found else None


def draw(root):
    import drawing
    from drawing import looks, plt

    runs, _ = read(root)
    rows = [row for file in runs.values() for row in measured(file)]
    kinds = [kind_of(file)[0] for file in runs.values() for _ in measured(file)]
    names = [f"{row['case']}, {millimetres(row['spacing'])} mm{kind if 'cuda' in row['back_end'] else ''}\n{row['back_end']}"
             for row, kind in zip(rows, kinds)]
    figure, (bars, flow) = plt.subplots(1, 2, figsize=(13, max(3.5, 1.2 + 0.45 * len(rows))), constrained_layout=True)
    left = [0.0] * len(rows)
    shades = [looks.BLACK, looks.ORANGE, looks.BLUE, looks.SKY, looks.GREEN, looks.PINK, looks.RED, "0.7"]
    for stage, shade in zip(STAGES, shades):
        shares = [row["stage_seconds"][stage] / row["run_seconds"] for row in rows]
        bars.barh(range(len(rows)), shares, left=left, color=shade, edgecolor="white", linewidth=0.4, label=stage)
        left = [a + b for a, b in zip(left, shares)]
    bars.set_yticks(range(len(rows)), names, fontsize=7)
    bars.invert_yaxis()
    bars.set_xlim(0, 1)
    bars.set_xlabel("share of the run's time")
    bars.legend(ncol=4, fontsize=7, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1))
    series = [(row["case"], kind, row["back_end"]) for row, kind in zip(rows, kinds)]
    for k, row in enumerate(rows):
        rates = tenths(row)
        finest = min(other["spacing"] for other, of in zip(rows, series) if of == series[k] and tenths(other)) if rates else 0
        if rates and row["spacing"] == finest:
            flow.plot([10 * n + 5 for n in range(10)], [rate / rates[0] for rate in rates],
                      label=names[k].replace("\n", ", "), **looks.curve(len(flow.lines)))
    flow.set_xlabel("simulated time (% of the run's)")
    flow.set_ylabel("steps per second over those of the first tenth")
    flow.set_ylim(bottom=0)
    flow.legend(fontsize=7, frameon=False)
    drawing.grid(bars, flow)
    drawing.save(figure, root / FIGURE, "bench-run", Description=f"measurements {digest(root)}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    draw(pathlib.Path(sys.argv[1]))
