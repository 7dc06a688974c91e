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


def of_file(name, file):
    machine = file["machine"]
    devices = machine["devices"]
    text = [f"`{name}.json`: {machine['processor']}, {machine['processors']} processors; {len(devices)} devices: "
            f"{', '.join(sorted({one.split(': ', 1)[1] for one in devices}))}; {file['program']}; {file['date']}."]
    for one in file["hashes"]:
        text.append(f"State hashes of {one['what']}: {'equal' if one['equal'] else '**different**'} ({', '.join(one['of'])}).")
    text += slowed([row for row in file["rows"] if row["kind"] == "slowed"])
    rows = [row for row in file["rows"] if row["kind"] != "slowed"]
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
    return "\n\n".join(line for name, file in read(root).items() for line in of_file(name, file))
