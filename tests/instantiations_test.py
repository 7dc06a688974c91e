"""How many loops over pairs are compiled for each policy: passes x kernels x dimensions x numbers of lanes, as functions
that the compiler has left in the libraries (it puts some into others), and kernels of the CUDA back end. Each has a
budget: what is to be compiled in every combination is paid for here, and a model that can be chosen at run time is not.

instantiations_test.py NM LIBRARY_OR_OBJECT...
"""
import collections
import re
import subprocess
import sys

# Functions a policy may have, by the number of tables that it has (numbers of lanes x dimensions) and what it covers:
# measured with g++ 12 and nvcc 13, and a tenth to a fifth more for other compilers. A kernel of the device visits
# neighbours in one of three ways (lists, ranges, lists of the runs of a batch), in one of two dimensions; lists of few
# targets in a kernel of their own, in the passes for forces and density rate that are compiled for some physics.
EVERY_PHYSICS = 56
PRESSURE_AND_VISCOSITY = 11
CUDA_EVERY_PHYSICS = 345
CUDA_PRESSURE_AND_VISCOSITY = 260
POLICIES_OF_EVERY_PHYSICS = ("RobustPolicy", "DoublePolicy", "NaivePolicy", "DualSphysicsPolicy", "GpuSphPolicy")

LOOP = re.compile(r"PairLoopBody<halfulp::(\w+), (\d), (\d+)>::drive<(halfulp::.*)>\(")
KERNEL = re.compile(r"pass_over_(?:lists|lists_of_runs|ranges)<halfulp::\w+<halfulp::(\w+), ")


def functions(nm, library):
    text = subprocess.run([nm, "-C", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split(" ", 2)[2] for line in text.splitlines() if line.count(" ") >= 2}


def main(nm, libraries):
    loops, tables, kernels = collections.Counter(), collections.defaultdict(set), collections.Counter()
    for name in set().union(*(functions(nm, library) for library in libraries)):
        if found := LOOP.search(name):
            loops[found[1]] += 1
            tables[found[1]].add((found[2], found[3]))
        elif "device_stub" not in name and (found := KERNEL.search(name)):
            kernels[found[1]] += 1
    failed = not loops
    if failed:
        print("no loop over pairs was found: is PairLoopBody::drive called otherwise?")
    print(f"{'policy':<60} tables  loops  budget  kernels  budget")
    for policy, count in sorted(loops.items(), key=lambda item: (-item[1], item[0])):
        whole = policy in POLICIES_OF_EVERY_PHYSICS
        budget = len(tables[policy]) * (EVERY_PHYSICS if whole else PRESSURE_AND_VISCOSITY)
        on_device = CUDA_EVERY_PHYSICS if whole else CUDA_PRESSURE_AND_VISCOSITY
        over = count > budget or kernels[policy] > on_device
        failed = failed or over
        print(f"{policy:<60} {len(tables[policy]):>6} {count:>6} {budget:>7} {kernels[policy]:>8} {on_device if kernels[policy] else 0:>7}"
              + ("  over its budget" if over else ""))
    print(f"{'all':<60} {sum(map(len, tables.values())):>6} {sum(loops.values()):>6} {'':>7} {sum(kernels.values()):>8}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
