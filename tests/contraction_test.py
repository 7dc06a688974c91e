"""No compiler has fused neighbouring sums and differences of products behind our back.

The source writes fma where it means it; these become vfmadd, vfmsub, vfnmadd and vfnmsub. The alternating forms vfmaddsub
and vfmsubadd stand nowhere in it: where one is found, a compiler has contracted in spite of -ffp-contract=off, as GCC 12
does when it vectorises straight-line code (cmake/HalfulpCompileOptions.cmake turns that off).

contraction_test.py OBJDUMP PROGRAM...
"""
import re
import subprocess
import sys

ALTERNATING = re.compile(r"\bvfm(addsub|subadd)\d*p[sd]\b")


def contracted(objdump, program):
    """The functions of a program in which an alternating multiply-add stands."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", program], capture_output=True, text=True, check=True).stdout
    if "vfmaddsub" not in text and "vfmsubadd" not in text:  # an expression takes longer to find, and line by line longer still
        return []
    function, found = "", set()
    for line in text.splitlines():
        if line.endswith(">:"):
            function = line.split("<", 1)[1][:-2]
        elif ALTERNATING.search(line):
            found.add(function)
    return sorted(found)


if __name__ == "__main__":
    failed = False
    for path in sys.argv[2:]:
        for name in contracted(sys.argv[1], path):
            failed = True
            print(f"{path}: {name[:200]} has a vfmaddsub or vfmsubadd that the source does not")
    sys.exit(failed)
