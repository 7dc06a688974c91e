"""Tables of docs/strategies.md, from what `halfulp bench strategies, order, memory, list-life, layouts` have left in
docs/measured; for pages.py."""
from page_text import number, rows_of, table


def sums_on_one_thread(root):
    rows = [row for row in rows_of(root, "strategies") if row["threads"] == "1"]
    out = [[row["strategy"].replace("production", "**the solver's passes**: lists, eight targets a vector, one pass for both rates, KBN sums, works"),
            "" if row["strategy"] == "production" else row["width"], number(row, "time[ms]", 1), f"{float(row['pairs[1/s]']) * 1e-6:.0f}",
            number(row, "over_basic[1]", 2), number(row, "force_difference[ulp]", 0), number(row, "rate_difference[ulp]", 0)] for row in rows]
    return table(["strategy", "pairs at a time", "ms", "million pairs/s", "over basic", "du/dt [ulp]", "ds/dt [ulp]"], out)


def sums_on_threads(root, name="strategies"):
    rows = [row for row in rows_of(root, name) if row["threads"] != "1"]
    threads = list(dict.fromkeys(row["threads"] for row in rows))
    out = []
    for name in dict.fromkeys(row["strategy"] for row in rows):
        own = {row["threads"]: row for row in rows if row["strategy"] == name}
        last = own[threads[-1]]
        megabytes = "" if name == "production" else f"{float(last['bytes']) * 1e-6:.1f}"
        out.append([name.removeprefix("threads, ").replace("production", "**the solver's passes**"),
                    *(f"{float(own[count]['time[ms]']):.1f} ({float(own[count]['over_best[1]']):.2f})" for count in threads), megabytes])
    return table(["strategy", *(f"{count} threads" for count in threads), f"sums on {threads[-1]}, MB"], out)


# Percent gained by each, as printed in table 5 of 2013: GTX 480, Tesla 1060.
LADDER = {"blocks by occupancy": (7.3, 17.4), "two arrays": (18.9, 28.9), "nine stored ranges": (3.1, 12.9), "kernels by kind": (2.6, 11.3),
          "cells of side r/2": (22.7, 12.8)}


def ladder(root):
    out = []
    for row in rows_of(root, "strategies-device"):
        name = row["strategy"]
        printed = [f"{1 + percent / 100:.3f}" for percent in LADDER.get(name, ())] or ["", ""]
        own = int(row["block"]) > 0
        out.append([name, number(row, "time[ms]", 2), number(row, "over_basic[1]", 2), number(row, "over_before[1]", 3), *printed,
                    number(row, "force_difference[ulp]", 0), number(row, "rate_difference[ulp]", 0), row["registers"] if own else "",
                    row["block"] if own else "", number(row, "occupancy[1]", 2) if own else "", number(row, "bytes_per_particle", 0)])
    return table(["strategy", "ms", "over basic", "over the one before, below the sixth over it", "2013: GTX 480", "Tesla 1060", "du/dt [ulp]",
                  "ds/dt [ulp]", "registers", "block", "occupancy", "bytes a particle"], out)


def partly_on_the_device(root):
    out = []
    for row in rows_of(root, "strategies-device-parts"):
        times = [float(row[f"{part}[ms]"]) for part in ("cells", "sums", "update", "transfers")]
        out.append([row["where"].replace("all of it: the program", "all of it: the solver"), *(f"{time:.2f}" for time in times), f"{sum(times):.1f}",
                    f"{100 * times[-1] / sum(times):.1f} %" if times[-1] > 0 else ""])
    return table(["where", "cells or lists [ms]", "sums", "update", "transfers", "all", "of it transfers; 2013: 9.4 %"], out)


def in_order(root, part):
    """part: the first 10 rows, orders in memory, or the others, orders of lists; on a device and on one thread of a CPU."""
    both = [(rows_of(root, "order-device"), "device"), (rows_of(root, "order"), "CPU")]
    names = list(dict.fromkeys(row["strategy"] for rows, _ in both for row in part(rows)))
    out = []
    for name in names:
        cells = [name]
        for rows, _ in both:
            own = [row for row in part(rows) if row["strategy"] == name]
            cells += [number(own[0], "time[ms]", 2), number(own[0], "over_first[1]", 2),
                      f"{float(own[0]['force_difference[ulp]']):.0f}, {float(own[0]['rate_difference[ulp]']):.0f}"] if own else ["", "", ""]
        out.append(cells)
    return table(["", "device [ms]", "over the first", "du/dt, ds/dt [ulp]", "CPU [ms]", "over the first", "du/dt, ds/dt [ulp]"], out)


ORDERS = 10  # in memory


def order_in_memory(root):
    return in_order(root, lambda rows: rows[:ORDERS])


def order_in_lists(root):
    return in_order(root, lambda rows: rows[ORDERS:])


def memory(root):
    out = []
    for name, where in (("memory-device", "device"), ("memory", "CPU")):
        for row in rows_of(root, name):
            out.append([where, f"{int(row['particles']):,}", row["tier"], number(row, "estimate_per_particle", 0),
                        number(row, "bytes_per_particle", 0), f"{float(row['free_bytes']) * 1e-9:.1f}",
                        f"{float(row['most_particles']) * 1e-6:.0f}", number(row, "step[ms]", 2)])
    return table(["", "particles", "neighbours", "bytes a particle, estimated", "measured", "memory free [GB]", "most particles [million]",
                  "ms a step"], out)


PRINTED_TIERS = ("778 (FastCells)", "", "155 to 160 (SlowCells)")


def memory_of_2013(root):
    rows = rows_of(root, "memory-2013")
    first = float(rows[0]["sums[ms]"])
    return table(["tier", "sums over pairs [ms]", "over the first", "du/dt [ulp]", "ds/dt [ulp]", "bytes a particle of arrays, cells and ranges",
                  "2013: in all"],
                 [[row["tier"], number(row, "sums[ms]", 2), f"{float(row['sums[ms]']) / first:.2f}", number(row, "force_difference[ulp]", 0),
                   number(row, "rate_difference[ulp]", 0), number(row, "bytes_per_particle", 0), printed]
                  for row, printed in zip(rows, PRINTED_TIERS, strict=True)])


# ms a step for lists made every 1, 5 and 10 steps on a Tesla C1060, and every step on one core of 2.33 GHz.
LIFE = {50: (1.67, .98, .89, 26.97), 75: (3.10, 1.78, 1.61, 57.19), 100: (5.58, 3.22, 2.95, 98.09), 150: (10.55, 6.07, 5.51, 227.75),
        200: (18.32, 10.40, 9.65, 400.69), 225: (23.95, 13.60, 12.38, 494.37), 250: (31.23, 18.87, 17.51, 596.70)}


def list_life(root):
    device = rows_of(root, "list-life-device")
    cpu = rows_of(root, "list-life")
    out = []
    for row in device:
        size = int(row["size"])
        every = int(row["every[steps]"])
        named = {"0": f"by displacements ({float(row['steps_a_rebuild']):.0f} steps)", "1": "step"}.get(row["every[steps]"], f"{every} steps")

        def times(rows):
            own = {int(one["every[steps]"]): one for one in rows if int(one["size"]) == size}
            return [f"{float(own[every]['step[ms]']):.3f}", f"{float(own[1]['step[ms]']) / float(own[every]['step[ms]']):.2f}"] if own else ["", ""]
        printed = LIFE[size]
        k = {1: 0, 5: 1, 10: 2}.get(every)
        out.append([f"{int(row['particles']):,}" if every == 1 else "", named, *times(device), *times(cpu),
                    *([f"{printed[k]}", f"{printed[0] / printed[k]:.2f}"] if k is not None else ["", ""]), f"{printed[3]}" if every == 1 else ""])
    return table(["particles", "lists every", "device [ms]", "gain", "one thread [ms]", "gain", "paper, Tesla C1060 [ms]", "gain",
                  "paper, one core of 2.33 GHz [ms]"], out)


STRUCTURES = {"structures, written whole": 98, "structures, what has changed written": 73, "arrays of three numbers": 25, "arrays of four numbers": 13}
WIDE = {"particle by particle": (237, 120), "transposed": (75, 568), "chunks of 2": (63, 294), "chunks of 4": (58, 422), "chunks of 8": (59, 53),
        "chunks of 16": (91, 41)}


def layouts(root, name):
    """Rows of the device and of the CPU by layout and number of particles side by side."""
    return [{(row["layout"], row["together"]): row for row in rows_of(root, file) if row["table"] == name} for file in ("layouts-device", "layouts")]


def structures(root):
    device, cpu = layouts(root, "structures")
    first = "structures, written whole"
    out = []
    for name, ms in STRUCTURES.items():
        cells = [name]
        for rows in (device, cpu):
            row = rows[name, "1"]
            cells += [number(row, "update[ms]", 3), f"{float(rows[first, '1']['update[ms]']) / float(row['update[ms]']):.2f}", number(row, "iteration[ms]", 2)]
        out.append([*cells, f"{ms}", f"{STRUCTURES[first] / ms:.2f}"])
    return table(["layout", "device: position update [ms]", "gain", "iteration [ms]", "CPU: position update [ms]", "gain", "iteration [ms]",
                  "the chapter, GT 750M [ms]", "gain"], out)


def wide(root):
    device, cpu = layouts(root, "wide")
    return table(["layout", "device [ms]", "CPU, a particle at a time [ms]", "16 side by side [ms]", "the chapter, Intel HD GT2 [ms]", "i7-4712HQ [ms]"],
                 [[name, number(device[name, "1"], "update[ms]", 2), number(cpu[name, "1"], "update[ms]", 1), number(cpu[name, "16"], "update[ms]", 1),
                   f"{gpu}", f"{core}"] for name, (gpu, core) in WIDE.items()])


SECTIONS = {"pages.py: sums, one thread": sums_on_one_thread, "pages.py: sums, threads": sums_on_threads,
            "pages.py: sums, sixteen threads": lambda root: sums_on_threads(root, "strategies-sixteen-cores"),
            "pages.py: ladder": ladder, "pages.py: partly on the device": partly_on_the_device,
            "pages.py: order in memory": order_in_memory, "pages.py: order in lists": order_in_lists, "pages.py: memory": memory,
            "pages.py: memory of 2013": memory_of_2013, "pages.py: list life": list_life, "pages.py: structures": structures,
            "pages.py: wide arrays": wide}
