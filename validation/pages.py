#!/usr/bin/env python3
"""Writes what README.md and the pages of docs/ tell of measurements: no figure of these sections is typed by hand.
Usage: pages.py ROOT           writes them anew, between their marks in the pages
       pages.py ROOT --check   says which of them differ from the measurements; exit code 1 if any does
ROOT is the project's folder. The measurements are what `scripts/figures --measure` keeps in docs/measured/figures, with the
command and the commit of each in origins.json, what `scripts/measure-cases` keeps in docs/measured/cases.json, and files of
`halfulp bench` (bench_run.py, pages_strategies.py) and `scripts/scaling` (scaling.py) in docs/measured."""
import json
import math
import pathlib
import re
import sys

import bench_run
import pages_experiments
import pages_strategies
import scaling
from page_text import rows_of, short, table


# Case, what its particles count, and the orders that are asked of its criteria.
ANALYTIC = (("drop", "per radius", "Monaghan and Rafiee 2013", "oscillating-drop-2d", (0.5, 0.8, 0)),
            ("elliptical-drop", "per radius", "Monaghan 1994", "elliptical-drop-2d", (0, 0)),
            ("standing-wave", "in the depth", "case", "standing-wave-2d", (0, 0)),
            ("taylor-green", "per wavelength", "case", "taylor-green-2d", (0,)),
            ("poiseuille", "across", "case", "poiseuille-2d", (1.5,)),
            ("couette", "across", "case", "couette-2d", (0.7,)),
            ("hydrostatic", "in the depth", "case", "still-water", (0.4, 0.5)),
            ("rotating-square", "per side", "case", "rotating-square-2d", (0, 0)))


def analytic(root):
    out = []
    for name, counted, label, case, orders in ANALYTIC:
        rows = rows_of(root, f"figures/analytic-{name}-errors")
        criteria = list(dict.fromkeys(row["criterion"] for row in rows))
        for number, (criterion, order) in enumerate(zip(criteria, orders, strict=True)):
            own = [row for row in rows if row["criterion"] == criterion]
            errors = [short(float(row["error"])) for row in own]
            first = number == 0
            out.append([f"`{name}` ([{label}](../cases/{case}.toml))" if first else "", criterion,
                        ", ".join(row["particles"] for row in own) + " " + counted if first else "",
                        errors[0] if len(set(errors)) == 1 else ", ".join(errors),
                        f"{float(own[-1]['tolerance']):g}" + (f", order {order}" if order else "")])
    return table(["name", "quantity", "particles", "error", "tolerance"], out)


def energy_step(root):
    """Of the bundles, at the CFL numbers of the page."""
    rows = {(row["policy"], float(row["cfl[1]"])): row for row in rows_of(root, "figures/energy-inviscid-tank-2d-1")}
    far = {(row["policy"], int(row["distance[cells]"])): row for row in rows_of(root, "figures/energy-distance-inviscid-tank-2d")}
    out = []
    for cfl in (0.3, 0.1, 0.03, 0.01, 0.003):
        away = far["naive", 4096] if cfl == 0.01 else None
        out.append([f"{cfl:g}", f"{int(rows['robust', cfl]['steps[1]']):,}", short(abs(float(rows["robust", cfl]["double_change[1]"]))),
                    *(short(float(rows[policy, cfl]["deviation[1]"])) for policy in ("robust", "gpusph", "dualsphysics", "naive")),
                    short(float(away["deviation[1]"])) + (", another flow" if float(away["kinetic_deviation[1]"]) > 0.01 else "") if away else ""])
    return table(["CFL", "steps", "integrator, in double", "`robust`, at any distance", "`gpusph`", "`dualsphysics`", "`naive` at the origin",
                  "`naive` 4,096 cells away"], out)


def distance(cells):
    if cells < 1_000_000:
        return f"{cells:,}"
    exponent = int(math.log10(cells))
    mantissa = cells / 10 ** exponent
    return f"10{str(exponent).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}" if mantissa == 1 else f"{mantissa:.1f}e{exponent}"


def energy_distance(root):
    rows = rows_of(root, "figures/energy-distance-inviscid-tank-2d")
    cells = (0, 64, 512, 4096, 262144, 16777216, 134217728, 1_000_000_000)
    out = []
    for policy in ("robust", "gpusph", "dualsphysics", "naive", "robust/position=global", "robust/position=double-float",
                   "robust/position=global-double", "double/position=global"):
        own = {int(row["distance[cells]"]): row for row in rows if row["policy"] == policy}
        same = len({row["state_hash"] for row in own.values()}) == 1
        texts = []
        for place in cells:
            row = own[place]
            text = short(float(row["deviation[1]"]))
            if row["failed_at[s]"] not in ("", "nan"):
                text += ", failed"
            elif row["frozen"] in ("1", "true"):
                text += ", frozen"
            elif float(row["kinetic_deviation[1]"]) > 0.01:
                text += " *"
            texts.append(text)
        out.append([f"`{policy}`" + (" (the same bits)" if same else ""), *texts])
    return table(["policy, CFL 0.01, collapse", *(distance(place) + (" cells" if place == 0 else "") for place in cells)], out)


def pools(root):
    rows = rows_of(root, "figures/pools")
    passes = {}
    for row in rows:
        passes.setdefault((row["precision"], int(row["cells[1]"])), []).append(row)
    most = max(len(own) for own in passes.values())
    out = []
    for (precision, cells), own in passes.items():
        here = cells == 0
        differences = ", ".join(short(float(own[k]["difference[m]"])) for k in (0, most // 3, most - 1) if k < len(own))
        last = own[-1]
        ended = len(own) == most
        out.append([f"`{precision}`", distance(cells), "" if here else f"{sum(row['same_bits'] == '1' for row in own)} of {most}",
                    "" if here else differences, f"{int(last['moved[1]']):,}",
                    short(abs(float(last["energy_error[1]"]))) if ended else f"stopped at {float(last['time[s]']):.2g} s"])
    return table(["precision", "cells away", "outputs with the same bits", "difference at 0, 0.5, 1.5 s [m]", "fluid moved along both axes",
                  "energy error"], out)


ALL_LOST = 2.0 ** 22  # ulps; half of the result


def ulps(value):
    return "all lost" if value >= ALL_LOST else short(value, 3)


def operators(root):
    rows = {(row["precision"], int(row["displacement[cells]"])): float(row["rms_start[ulp]"])
            for row in rows_of(root, "figures/operators-displacement-2d") if row["rate"] == "acceleration"}
    places = (1, 100, 1000, 10_000, 1_000_000, 100_000_000, 1_000_000_000)
    return table(["policy", *map(distance, places)],
                 [["`robust`, `reversible`" if policy == "robust" else f"`{policy}`", *(ulps(rows[policy, place]) for place in places)]
                  for policy in ("robust", "robust/position=global", "robust/position=global-double", "gpusph", "dualsphysics", "naive",
                                 "double", "double/position=global")])


def sources(root):
    rows = [row for row in rows_of(root, "figures/operators-sources-1000-2d") if row["rate"] == "acceleration"]
    names = list(dict.fromkeys(row["source"] for row in rows))
    share = {(row["precision"], row["source"]): float(row["share[ulp]"]) for row in rows}
    whole = {row["precision"]: float(row["rms_start[ulp]"]) for row in rows_of(root, "figures/operators-displacement-2d")
             if row["rate"] == "acceleration" and row["displacement[cells]"] == "1000"}
    return table(["policy", *names, "all"],
                 [[f"`{policy}`", *(short(share[policy, name], 3) for name in names), short(whole[policy], 3)]
                  for policy in ("robust", "robust/sums=plain", "robust/kernels=horner", "robust/kernels=powers", "robust/density=absolute",
                                 "robust/pressure=powers", "naive/kernels=factored")])


def pressures(root):
    rows = rows_of(root, "figures/operators-pressure")
    deviations = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
    error = {(row["storage"], row["evaluation"], float(row["deviation[1]"])): float(row["rms_sum[c0^2]"]) for row in rows}
    ways = dict.fromkeys((row["storage"], row["evaluation"]) for row in rows)
    powers = "10" + "⁻"
    return table(["density stored, evaluation", *(powers + "⁰¹²³⁴⁵⁶⁷"[round(-math.log10(d))] for d in deviations)],
                 [[f"{storage}, {evaluation.replace('horner', 'Horner')}", *(short(error[storage, evaluation, d]) for d in deviations)] for storage, evaluation in ways])


def reversal(root):
    """Of each run the largest number of steps before the turn."""
    runs = {}
    for row in rows_of(root, "figures/reversal"):
        key = (row["precision"], row["origin[cells]"], row["cfl[1]"])
        if key not in runs or int(row["steps[1]"]) > int(runs[key]["steps[1]"]):
            runs[key] = row
    cfls = ("0.3", "0.1", "0.03")
    steps = [f"{int(runs['robust', '0', cfl]['steps[1]']):,}" for cfl in cfls]
    out = [["steps before the turn", *steps, *steps, steps[-1]]]
    for policy in ("double", "reversible", "robust", "robust/sums=plain", "robust/density=absolute", "robust/kernels=powers", "robust/update=plain",
                   "robust/position=global", "robust/position=double-float", "gpusph", "dualsphysics", "naive"):
        back = [float(runs[policy, "0", cfl]["distance[m]"]) for cfl in cfls]
        turn = [float(runs[policy, origin, cfl]["error_at_turn[m]"]) for origin, cfl in [("0", cfl) for cfl in cfls] + [("4000", "0.03")]]
        out.append([policy, *map(short, back), *(("" for _ in turn) if policy == "double" else map(short, turn))])
    return table(["precision", "back: CFL 0.3", "0.1", "0.03", "at the turn: CFL 0.3", "0.1", "0.03", "4,000 cells away"], out)


def cases(root):
    return json.loads((root / "docs/measured/cases.json").read_text(encoding="utf-8"))


def shipped_cases(root):
    """The rows of the page with the particles, steps and processor time that were measured; none of a case that was not."""
    measured = cases(root)
    page = (root / "docs/cases.md").read_text(encoding="utf-8")
    block = re.search(r"<!-- pages.py: shipped cases -->\n\n(.*?)\n\n<!--", page, re.S).group(1)
    out = []
    lacking = {path.stem for path in (root / "cases").glob("*.toml")} - set(re.findall(r"^\| \[`(.*?)`\]", block, re.M))
    if lacking:
        sys.exit(f"pages.py: docs/cases.md has no line for {', '.join(sorted(lacking))} among its shipped cases; write one.")
    for line in block.split("\n")[2:]:
        name, what, source, particles = (cell.strip() for cell in line.strip("|").split("|")[:4])
        one = measured.get(re.search(r"`(.*?)`", name).group(1))
        if one:
            seconds = one["processor_seconds"]
            out.append([name, what, source, f"{one['fluid']:,} + {one['wall']:,}", f"{int(one['steps']):,}" + ("" if one["end_state"] == "complete" else f", breaks down at {one['time']:.3g} s"),
                        "below 0.1 s" if seconds < 0.1 else f"{short(seconds)} s"])
        else:
            out.append([name, what, source, particles, "", ""])
    return table(["case", "description", "source", "fluid + wall particles", "steps", "processor time"], out)


def ledgers(root):
    out = []
    for name, one in cases(root).items():
        if one["available_energy"] > 0 and one["ledger"]["last"]["residual"] != 0:
            residual = one["ledger"]["last"]["residual"] / one["available_energy"]
            out.append([f"`{name}`, {one['time']:.3g} s", f"{int(one['steps']):,}", short(residual).replace("-", "−", 1) if residual < 0 else short(residual),
                        short(abs(one["largest_residual"]) / one["available_energy"])])
    return table(["case", "steps", "residual at the end / available energy", "largest on the way"], out)


def momentum(root):
    """The largest changes on the way, of some policies."""
    shown = ("robust", "reversible", "robust/density=relative", "robust/sums=plain", "robust/update=plain", "naive", "naive/update=compensated",
             "dualsphysics", "gpusph", "double")
    names = ("momentum[1]", "angular_momentum[1]", "centre[spacings]")
    largest = {}
    for row in rows_of(root, "figures/symmetry"):
        own = largest.setdefault(row["precision"], [0.0] * len(names))
        largest[row["precision"]] = [max(before, abs(float(row[name]))) for before, name in zip(own, names, strict=True)]
    return table(["policy", "momentum", "angular momentum", "centre of mass"],
                 [[f"`{policy}`", *map(short, largest[policy])] for policy in shown])


SECTIONS = {"docs/accuracy.md": {"pages.py: analytic": analytic, "pages.py: energy over the step": energy_step, "pages.py: ledgers": ledgers,
                             **pages_experiments.ACCURACY},
            "docs/cases.md": {"pages.py: shipped cases": shipped_cases},
            "docs/laboratory.md": {"pages.py: operators, displacement": operators, "pages.py: operators, sources": sources,
                                  "pages.py: operators, pressure of a pair": pressures, "pages.py: energy over the distance": energy_distance,
                                  "pages.py: fish pass": pools, "pages.py: momentum": momentum, "pages.py: reversal": reversal},
            "docs/experiments.md": pages_experiments.SECTIONS,
            "docs/strategies.md": pages_strategies.SECTIONS,
            "docs/performance.md": {**bench_run.PERFORMANCE, "scaling.py: devices": scaling.section},
            "docs/gpu.md": bench_run.DEVICE,
            "docs/tutorial/device.md": bench_run.TUTORIAL,
            "README.md": bench_run.README}


def drawn(root, page, name, make):
    """What stands around a section in the page, and what it should be with it. A section within a line stays there."""
    text = (root / page).read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->", "<!-- {}: end of {} -->".format(*name.split(": ", 1))
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        sys.exit(f"pages.py: {page} needs the lines {begin} and {end}, once each and in this order.")
    before, after = text[:text.index(begin)] + begin, text[text.index(end):]
    gap = "\n\n" if text[len(before)] == "\n" else ""
    return text, before + gap + make(root) + gap + after


def main():
    words = sys.argv[1:]
    if len(words) not in (1, 2) or words[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    root = pathlib.Path(words[0])
    differ = []
    for page, sections in SECTIONS.items():
        for name, make in sections.items():
            present, made = drawn(root, page, name, make)
            if present != made:
                differ.append(f"{page}: {name}")
                if len(words) == 1:
                    (root / page).write_text(made, encoding="utf-8")
    if len(words) == 1:
        return 0
    if bench_run.drawn_from(root) != bench_run.digest(root):
        differ.append(f"{bench_run.FIGURE} (validation/bench_run.py draws it anew)")
    if differ:
        print("pages.py: " + ", ".join(differ) + " is not what is measured; validation/pages.py writes pages anew.")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
