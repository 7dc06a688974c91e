#!/usr/bin/env python3
"""What the compiler says where an operation sees more than it declares, or a place is forgotten.

Usage: does_not_compile_test.py SOURCE_FOLDER COMPILER [FLAGS...]
Each snippet is compiled after the same beginning, which alone must compile."""
import pathlib
import subprocess
import sys
import tempfile

BEGINNING = """
#include "core/operations/operations.hpp"
#include "core/operations/perform.hpp"
#include "kernels/policy.hpp"
namespace halfulp {
"""
UPDATE = """
struct Mine {{
    using Reads = Parts<Part<field::KindOf>, Part<field::Rate>>;
    using Writes = Parts<Part<field::Velocity>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {{
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles;
        using typename Basis::Real;
        bool concerns(std::size_t i) const {{ return this->is_fluid(i); }}
        void operator()(std::size_t i, const Interval<Real>& interval) const {{ {body} }}
    }};
}};
template void perform<Mine>(const ParticleView<RobustPolicy>&, const ParticleConstants<RobustPolicy, 2>&, std::size_t,
                            const Interval<float>&);
"""
PASS = """
struct Mine {{
    using Reads = Parts<>;
    using NeighbourReads = Parts<Part<field::Smoothing, vector>>;
    using Writes = Parts<{writes}>;
}};
template <class Policy, int D, class T>
struct MyPass : PairPass<Policy, D, T, Mine> {{
    using PairPass<Policy, D, T, Mine>::PairPass, PairPass<Policy, D, T, Mine>::data;
    void finish(std::uint32_t i) const {{ {body} }}
}};
template struct MyPass<RobustPolicy, 2, float>;
"""
SNIPPETS = {
    "an update of declared fields": (UPDATE.format(body="particles.velocity[i].x += interval.length * particles.rate[i].x;"), None),
    "an update that reads a field which it does not declare": (
        UPDATE.format(body="particles.velocity[i].x += interval.length * particles.offset[i].x;"), "has no member named ‘offset’"),
    "an update that writes a field which it only reads": (
        UPDATE.format(body="particles.rate[i].x = interval.length;"), "read-only"),
    "a pass of declared fields": (PASS.format(writes="Part<field::Rate>", body="data.rate[i].x = data.smoothing[i].x;"), None),
    "a pass that reads a field which it does not declare": (
        PASS.format(writes="Part<field::Rate>", body="data.rate[i].x = data.shifting[i].x;"), "has no member named ‘shifting’"),
    "a pass that writes what it reads of neighbours": (
        PASS.format(writes="Part<field::Smoothing>", body="data.smoothing[i].x = 0;"), "writes what it reads of neighbours"),
    "a pass that moves its targets": (
        PASS.format(writes="Part<field::Offset>", body="data.offset[i].x = 0;"), "writes what it reads of neighbours"),
    "an operation that the list does not have": (
        "struct Mine {}; constexpr OperationKind mine = kind_of<Mine>;", "an operation that Operations does not list"),
}


def compile_text(source, compiler, text):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "snippet.cpp"
        file.write_text(BEGINNING + text + "\n}\n", encoding="utf-8")
        return subprocess.run((*compiler, "-std=c++20", "-fsyntax-only", f"-I{source}", str(file)), capture_output=True,
                              text=True, check=False, env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"})


def main():
    source, *compiler = sys.argv[1:]
    wrong = 0
    for name, (text, message) in SNIPPETS.items():
        done = compile_text(source, compiler, text)
        # Clang words it otherwise; that it refuses is what counts there.
        words = message if message is None or "clang" not in compiler[0] else "error"
        fine = done.returncode == 0 if words is None else done.returncode != 0 and words in done.stderr
        first = next((line for line in done.stderr.splitlines() if "error" in line), "compiles")
        print(f"{'ok   ' if fine else 'WRONG'} {name}: {first.split('error: ')[-1]}")
        wrong += not fine
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
