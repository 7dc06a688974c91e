"""What docs/performance.md tells of `scripts/scaling`, from docs/measured/scaling-*.json as it writes them; for pages.py."""
import json
import sys

from page_text import table

STAGES = ("neighbours", "density rate", "forces", "update", "other")
FLOWS = {("weak", "block"): "block of fluid", ("strong", "block"): "block of fluid", ("weak", "dam-break"): "dam break from its release",
         ("strong", "dam-break"): "dam break in mid-flow"}


def read(root):
    files = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((root / "docs/measured").glob("scaling-*.json"))}
    for name, file in files.items():
        if file["format"] != "halfulp scaling 1":
            sys.exit(f"scaling.py: {name}.json is no file of scripts/scaling.")
    return dict(sorted(files.items(), key=lambda one: one[1]["date"]))


def particles(row):
    return row["fluid"] + row["wall"]


def milliseconds(row):
    """Of a step, over the whole run: without set-up and outputs."""
    return 1e3 * sum(row["stage_seconds"][stage] for stage in STAGES) / row["all_steps"]


def key(row):
    return row["kind"], row["flow"], row["fluid"] / (row["devices"] if row["kind"] == "weak" else 1)


def efficiency(rows, row):
    """Steps of a fluid particle per second and device, over those of one device alone, with as many of them a device or
    in all: two devices share the end walls of a tank twice as wide."""
    alone = next((one for one in rows if one["devices"] == 1 and one["kind"] == row["kind"] and one["flow"] == row["flow"]
                  and abs(key(one)[2] / key(row)[2] - 1) < 0.02), None)
    if alone is None or row["devices"] == 1:
        return None
    return row["fluid"] / milliseconds(row) / row["devices"] / (alone["fluid"] / milliseconds(alone))


def rebuilds(rows, row):
    """Of the part of the run that was measured: a dam break in mid-flow goes on from the checkpoint of another."""
    before = [one["rebuilds"] for one in rows if (row["kind"], row["flow"]) == ("strong", "dam-break") and one["kind"] == "weak"
              and one["flow"] == row["flow"] and particles(one) == particles(row)]
    return row["rebuilds"] - sum(before)


def messages(row):
    """Bytes a step, those of the model, milliseconds under way, share of them hidden."""
    sent = row["messages"]
    model = row.get("model")
    expected = f"{model['bytes_per_step']:,}" if model else ""
    if not sent or row["devices"] == 1:
        return "", "", "", ""
    steps = row["all_steps"]
    hidden = f"{100 * (1 - sent['waited_seconds'] / sent['seconds']):.0f} %" if sent["seconds"] > 0 else ""
    return f"{sent['bytes'] / steps:,.0f}", expected, f"{1e3 * sent['seconds'] / steps:.3f}", hidden


def slowed(rows):
    """Of a block on a device, on another that a second run slows, and on both of them."""
    if len(rows) < 3:
        return []
    first, second, both = rows
    speed = [1e3 / row["milliseconds_per_step"] for row in rows]
    own = [one["own"] for one in both["ranks"]]
    return [f"A block of {particles(both):,} particles beside another run on the second device: {first['milliseconds_per_step']:.1f} ms a step on the "
            f"first, {second['milliseconds_per_step']:.1f} on the second, {both['milliseconds_per_step']:.1f} on both, which is "
            f"{100 * speed[2] / (speed[0] + speed[1]):.1f} % of what both do alone; the first has {100 * own[0] / sum(own):.0f} % of the particles "
            f"(by the speeds alone {100 * speed[0] / (speed[0] + speed[1]):.0f} %)."]


def moving(rows):
    """Of the shipped dam break, part after part of its time."""
    if not rows or not rows[0]["ranks"]:
        return []
    parts = [[one["pass_seconds"] for one in row["ranks"]] for row in rows]
    above = [100 * (max(seconds) * len(seconds) / sum(seconds) - 1) for seconds in parts]
    whole = [sum(seconds) for seconds in zip(*parts)]
    at_the_end = [f"{one['own']:,}" for one in rows[-1]["ranks"]]
    return [f"The shipped dam break, {particles(rows[0]):,} particles cut across its flow, in {len(rows)} parts of equal time: passes of the devices take "
            f"{'; '.join(' and '.join(f'{one:.2f}' for one in seconds) for seconds in parts)} s, the longest {', '.join(f'{one:.1f}' for one in above)} % above the mean, "
            f"in all {100 * (max(whole) * len(whole) / sum(whole) - 1):.1f} %; at the end the devices have {' and '.join(at_the_end)} particles."]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def groups(row):
    """Milliseconds a step: neighbours, passes over pairs, the rest."""
    stage = {name: 1e3 * seconds / row["all_steps"] for name, seconds in row["stage_seconds"].items()}
    return [stage["neighbours"], stage["density rate"] + stage["forces"], stage["update"] + stage["other"]]


def losses(rows):
    """Of each case that was run on every device alone and on all of them: its rows on all, milliseconds a step of each
    device alone, on all of them, lost, and lost by the model of `halfulp info CASE --ranks N` for these devices. What is
    lost counts from what the devices would do together if each went on as it does alone."""
    cases = {}
    for row in rows:
        cases.setdefault((row["flow"], row["size"], row["wide"]), []).append(row)
    for runs in cases.values():
        together = [row for row in runs if row["devices"] > 1]
        devices = sorted({row["device"] for row in runs if row["devices"] == 1})
        if not together or not devices or "model" not in together[0]:
            continue
        alone = [[row for row in runs if row.get("device") == device] for device in devices]
        times = [mean(row["milliseconds_per_step"] for row in one) for one in alone]
        times *= together[0]["devices"] // len(times)  # ranks of a CPU are alike
        both = mean(row["milliseconds_per_step"] for row in together)
        model = together[0]["model"]
        rebuilds_a_step = together[0]["rebuilds"] / together[0]["all_steps"]
        best = 1 / sum(1 / one for one in times)
        # As the run had them; with walls, of which most are dry, those of the model.
        own = [rank["own"] for rank in together[0]["ranks"]]
        shares = model["work"] if together[0]["wall"] else [one / sum(own) for one in own]
        slowest = max(share * one for share, one in zip(shares, times))
        added = model["step_milliseconds"] + rebuilds_a_step * model["rebuild_milliseconds"]
        measured_groups = [mean(one) for one in zip(*map(groups, together))]
        # Of the first device, which waits for the slowest while it has nothing to do. What a step loses it loses where
        # displacements are compared, in passes, which begin at the edge, and at its end, where ranks meet: in these parts
        # in what was measured.
        of_step = [part * model["step_milliseconds"] for part in (0.1, 0.4, 0.5)]
        first = [shares[0] * mean(one) for one in zip(*map(groups, alone[0]))]
        first = [one + more for one, more in zip(first, of_step)]
        first[0] += rebuilds_a_step * model["rebuild_milliseconds"]
        first[2] += slowest - shares[0] * times[0]
        yield {"row": together[0], "alone": times, "together": both, "lost": both - best, "unequal": slowest - best, "model": slowest - best + added,
               "bytes": together[0]["messages"]["bytes"] / together[0]["all_steps"], "groups": measured_groups, "model_groups": first}


def lost_of(rows):
    found = list(losses(rows))
    if not found:
        return []
    table_rows = [(FLOWS["weak", one["row"]["flow"]], f"{particles(one['row']):,}", ", ".join(f"{time:.2f}" for time in one["alone"]), f"{one['together']:.2f}",
                   f"{one['lost']:.3f}", f"{one['model']:.3f} ({100 * (one['model'] / one['lost'] - 1):+.0f} %)", f"{one['unequal']:.3f}",
                   *(f"{measured:.2f}, {model:.2f}" for measured, model in zip(one["groups"], one["model_groups"])),
                   f"{one['bytes']:,.0f}, {one['row']['model']['bytes_per_step']:,}") for one in found]
    return ["the same cases on each device alone and on all of them, in turns, milliseconds per step after the first tenth; what is lost is more than what the "
            "devices would need together at the speeds of each alone. Stages are of the first device and whole runs. The model is `halfulp info CASE --ranks N` "
            "with the speeds of the devices alone, the number of rebuilds and, of the blocks, the shares of the particles as they were.",
            table(("flow", "particles", "each alone", "together", "lost", "lost by the model", "of that by unequal shares and devices",
                   "neighbours: measured, model", "passes", "update and other", "bytes sent per step: counted, model"), table_rows)]


def kind_of_devices(file):
    return ", ".join(sorted({one.split(": ", 1)[1] for one in file["machine"]["devices"]}))


# Measured after the model's constants were fitted to the other files of their kind: what the model foretells, each apart.
FORETOLD = ("scaling-h200-lost-third", "scaling-h200-lost-fourth")


def lost_in(files):
    """Names and rows of the files that have what so many devices of a kind, or processors, lose, the newest first; of
    those that the model is fitted to, or of one that it foretells."""
    of_kind = {}
    for name, file in reversed(files.items()):
        rows = [row for row in file["rows"] if row["kind"] == "lost"]
        if rows:
            machine = file["machine"]
            on = (len(machine["devices"]), kind_of_devices(file) or machine["processor"], name if name in FORETOLD else "")
            names, together = of_kind.setdefault(on, ([], []))
            names.append(name)
            together += rows
    return of_kind


def of_file(name, file):
    machine = file["machine"]
    text = [f"`{name}.json`: {machine['processor']}, {machine['processors']} processors; {len(machine['devices'])} devices: "
            f"{kind_of_devices(file)}; {file['program']}; {file['date']}."]
    for one in file["hashes"]:
        text.append(f"State hashes of {one['what']}: {'equal' if one['equal'] else '**different**'} ({', '.join(one['of'])}).")
    for kind, tell in (("slowed", slowed), ("moving", moving)):
        text += tell([row for row in file["rows"] if row["kind"] == kind])
    rows = [row for row in file["rows"] if row["kind"] in ("weak", "strong")]
    if not rows:
        return text
    speeds, stages = [], []
    for row in rows:
        share = efficiency(rows, row)
        rate = particles(row) / milliseconds(row) / 1e3 / row["devices"]
        lost = row.get("model", {}).get("lost")
        begin = (row["kind"], FLOWS[row["kind"], row["flow"]], str(row["devices"]), f"{particles(row):,}")
        speeds.append((*begin, f"{row['all_steps']:,}", f"{milliseconds(row):.3f}", f"{rate:.1f}", f"{100 * share:.1f} %" if share else "",
                       f"{100 / (1 + lost):.1f} %" if lost is not None else ""))
        per_step = [1e3 * row["stage_seconds"][stage] / row["all_steps"] for stage in STAGES]
        stages.append((*begin, *(f"{one:.3f}" for one in per_step), f"{rebuilds(rows, row):,} in {row['all_steps']:,}", *messages(row)))
    beginning = ("scaling", "flow", "devices", "particles")
    text.append(table((*beginning, "steps", "ms per step", "million particle steps per second and device", "efficiency", "the model's at most"), speeds))
    text.append("Milliseconds per step of the first device; messages of the steps, without what changes devices in a rebuild:")
    text.append(table((*beginning, *STAGES, "rebuilds, in steps", "bytes sent per step", "the model's at the start", "ms under way", "hidden"), stages))
    return text


def section(root):
    files = read(root)
    lines = [line for name, file in files.items() for line in of_file(name, file)]
    for names, rows in lost_in(files).values():
        told = lost_of(rows)
        if told:
            lines += [f"{' and '.join(f'`{name}.json`' for name in reversed(names))}{' together' if len(names) > 1 else ''}: {told[0]}", *told[1:]]
    return "\n\n".join(lines)
