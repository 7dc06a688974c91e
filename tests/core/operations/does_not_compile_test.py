#!/usr/bin/env python3
"""What an addition touches, and what the compiler says where a place is forgotten or an operation sees more than it declares.

Usage: does_not_compile_test.py SOURCE_FOLDER COMPILER [FLAGS...]
An addition is made in a copy of the headers first."""
import contextlib
import pathlib
import shutil
import subprocess
import sys
import tempfile

# What a snippet sees of the formulas, of the schemes too, and of the operations' bodies as well: each takes longer to read.
MODELS = "".join(f'#include "kernels/{name}.hpp"\n' for name in (
    "density_diffusion", "density_filter", "models", "policy", "smoothing", "state_equation", "viscosity", "wall_models"))
SCHEMES = MODELS + '#include "core/schemes/integrators.hpp"\n'
OPERATIONS = SCHEMES + '#include "core/operations/operations.hpp"\n#include "core/operations/perform.hpp"\n'
# What its headers include of the standard library, the most of it.
STANDARD = "".join(f"#include <{name}>\n" for name in (
    "algorithm", "array", "atomic", "bit", "chrono", "cmath", "cstdint", "cstring", "functional", "limits", "map", "memory",
    "numeric", "optional", "span", "string", "tuple", "type_traits", "utility", "variant", "vector"))
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
template double perform<Mine>(const ParticleView<RobustPolicy>&, const ParticleConstants<RobustPolicy, 2>&, std::size_t,
                            const Interval<float>&);
"""
PASS = """
struct Mine {{
    using Reads = Parts<>;
    using NeighbourReads = Parts<Part<field::XsphVelocity, vector>>;
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
    "a pass of declared fields": (PASS.format(writes="Part<field::Rate>", body="data.rate[i].x = data.xsph_velocity[i].x;"), None),
    "a pass that reads a field which it does not declare": (
        PASS.format(writes="Part<field::Rate>", body="data.rate[i].x = data.shifting[i].x;"), "has no member named ‘shifting’"),
    "a pass that writes what it reads of neighbours": (
        PASS.format(writes="Part<field::XsphVelocity>", body="data.xsph_velocity[i].x = 0;"), "writes what it reads of neighbours"),
    "a pass that moves its targets": (
        PASS.format(writes="Part<field::Offset>", body="data.offset[i].x = 0;"), "writes what it reads of neighbours"),
    "an operation that the list does not have": (
        "struct Mine {}; constexpr OperationKind mine = kind_of<Mine>;", "an operation that Operations does not list"),
}


KERNEL = {"kernels/smoothing_kernels/mine.hpp": """
#pragma once
#include "kernels/smoothing_kernels/wendland_c2.hpp"
namespace halfulp {
struct MyKernel : WendlandC2 {
    static constexpr const char* name = "mine";
};
}
"""}
EQUATION = {"kernels/state_equations/mine.hpp": """
#pragma once
#include "kernels/state_equations/linear.hpp"
namespace halfulp {
struct MyEquation : LinearEquation {
    static constexpr const char* name = "mine";
};
}
"""}
DIFFUSION = {"kernels/density_diffusions/mine.hpp": """
#pragma once
#include "kernels/density_diffusions/gradient_of_density.hpp"
#include "precision/annotation.hpp"
namespace halfulp {
struct MyDiffusion {
    static constexpr const char* name = "mine";
    static constexpr auto gradient = GradientOfDensity::none;
    template <class Pair>
    static HALFULP_INLINE auto psi(const Pair& pair)
    {
        return pair.difference * pair.difference;
    }
};
}
"""}
VISCOSITY = {"kernels/laminar_viscosities/mine.hpp": """
#pragma once
#include "kernels/laminar_viscosities/viscous_pair.hpp"
namespace halfulp {
struct MyViscosity {
    static constexpr const char* name = "mine";
    static constexpr bool along_velocity = false;
    static constexpr int lengthwise = 1;
    static double damping(const LatticeSums& sums, int /*dimensions*/) { return sums.scalar; }
    template <int D, class T>
    static HALFULP_INLINE T factor(const ViscousPair<T>& pair, T kinematic_viscosity)
    {
        return pair.approach * kinematic_viscosity;
    }
};
}
"""}
INTEGRATOR = {"core/schemes/mine.hpp": """
#pragma once
#include "core/schemes/scheme.hpp"
#include "kernels/physics.hpp"
namespace halfulp {
struct Mine {
    static constexpr const char* name = "mine";
    static constexpr PreviousState previous_state = PreviousState::none;
    static constexpr bool corrects = true;
    static constexpr ForceTime force_time = ForceTime::end;
    static constexpr bool books_its_error = false;
    static double most_damping(int /*corrector_every*/) { return 2; }
    static void start(Sequence& s) { s.add<RefreshNeighbours>(0); }
    static void step(Sequence& s) { s.add<Kick>(); }
};
}
"""}
WALLS = """struct Mine;
struct MyWalls {
    static constexpr const char* name = "mine";
    using Operation = Mine;
    static constexpr bool follow_the_fluid = true;
    static constexpr bool have_mirror_images = false;
    static constexpr bool clone_pressure = false;
};

}  // namespace halfulp"""
OPERATION = {"core/operations/mine.hpp": """
#pragma once
#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"
namespace halfulp {
struct Mine {
    static constexpr OperationInfo info{"mine", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics&) { return true; }
    using Reads = Parts<Part<field::KindOf>>;
    using Writes = Parts<Part<field::Velocity>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles;
        bool concerns(std::size_t i) const { return this->is_fluid(i); }
        void operator()(std::size_t i, const Interval<typename Basis::Real>&) const { particles.velocity[i].x = 0; }
    };
};
}
"""}


def included(header, file):
    """The line that makes a header know a file."""
    return (header, "#pragma once\n", f'#pragma once\n#include "{file}"\n')


LISTED_KERNEL = ("kernels/models.hpp", "use(gaussian, Gaussian, __VA_ARGS__)", "use(gaussian, Gaussian, __VA_ARGS__) use(mine, MyKernel, __VA_ARGS__)")
LISTED_EQUATION = ("kernels/models.hpp", "use(linear, LinearEquation, __VA_ARGS__)", "use(linear, LinearEquation, __VA_ARGS__) use(mine, MyEquation, __VA_ARGS__)")
LISTED_DIFFUSION = ("kernels/models.hpp", "use(balanced, BalancedDiffusion, __VA_ARGS__)", "use(balanced, BalancedDiffusion, __VA_ARGS__) use(mine, MyDiffusion, __VA_ARGS__)")
LISTED_VISCOSITY = ("kernels/models.hpp", "use(none, NoLaminarViscosity, __VA_ARGS__)", "use(mine, MyViscosity, __VA_ARGS__) use(none, NoLaminarViscosity, __VA_ARGS__)")
LISTED_FILTER = ("kernels/models.hpp", "use(none, NoFilter, __VA_ARGS__)", "use(mine, MyFilter, __VA_ARGS__) use(none, NoFilter, __VA_ARGS__)")
LISTED_WALLS = ("kernels/models.hpp", "use(dynamic, DynamicWalls, __VA_ARGS__)", "use(mine, MyWalls, __VA_ARGS__) use(dynamic, DynamicWalls, __VA_ARGS__)")
LISTED_INTEGRATOR = ("core/schemes/integrators.hpp", "use(verlet, Verlet, __VA_ARGS__)", "use(verlet, Verlet, __VA_ARGS__) use(mine, Mine, __VA_ARGS__)")
COLUMN = ("core/results/columns.hpp", "}  // namespace column", """HALFULP_COLUMN(Mine, "mine", 1, Written<Real>, "1", "mine", false, true, s.particles.offset[i].w)
}  // namespace column""")
LISTED_COLUMN = ("core/results/columns.hpp", "column::DensityResidual>", "column::DensityResidual, column::Mine>")
LISTED_OPERATION = ("core/schemes/operation_list.hpp", "struct FindForces,", "struct FindForces, struct Mine,")
BY_KERNEL = included("kernels/smoothing.hpp", "kernels/smoothing_kernels/mine.hpp")
BY_EQUATION = included("kernels/state_equation.hpp", "kernels/state_equations/mine.hpp")
BY_DIFFUSION = included("kernels/density_diffusion.hpp", "kernels/density_diffusions/mine.hpp")
BY_VISCOSITY = included("kernels/viscosity.hpp", "kernels/laminar_viscosities/mine.hpp")
BY_INTEGRATOR = included("core/schemes/integrators.hpp", "core/schemes/mine.hpp")
BY_OPERATION = included("core/operations/operations.hpp", "core/operations/mine.hpp")
USE_KERNEL = "double support() { return with_kernel(SmoothingKernel::mine, [](auto k) { return k.support; }); }"
USE_EQUATION = "double pressure() { return pressure_over_reference_density(StateEquation::mine, CentredDensity<double>{0.1}, 2.0); }"
USE_DIFFUSION = """
struct Pair {
    double difference = 1;
    StateEquation state_equation() const { return {}; }
    double gravity_along_r() const { return 0; }
    double inverse_stiffness() const { return 1; }
    Vec<2, double> target_gradient() const { return {}; }
    Vec<2, double> neighbour_gradient() const { return {}; }
    Vec<2, double> r() const { return {}; }
    template <class Use> double balanced(Use use) const { return use(DiffusionBalance<2, double>{}, DiffusionBalance<2, double>{}); }
};
double psi() { return diffused_difference(DensityDiffusion::mine, Pair{}); }"""
USE_VISCOSITY = "bool along() { return acts_along_velocity(LaminarViscosity::mine) || laminar_viscosity<2>(LaminarViscosity::mine, ViscousPair<double>{}, 1.0) > 0; }"
USE_INTEGRATOR = "static_assert(info_of(Integrator::mine).corrects);"
INCLUDE_COLUMNS = '}\n#include "core/results/columns.hpp"\nnamespace halfulp {'
USE_COLUMN = """}
#include "core/particles/take_snapshot_body.hpp"
namespace halfulp {
static_assert(std::is_same_v<column::Mine::Value<RobustPolicy>, float>);
bool listed = [] {
    bool found = false;
    for_each_column<RobustPolicy>(AllColumns{}, [&]<class Column>() { found = found || std::is_same_v<Column, column::Mine>; });
    return found;
}();
template SnapshotSource snapshot_source<RobustPolicy, 2>(const ParticleView<RobustPolicy>&, const Domain&, std::shared_ptr<const void>);"""
USE_WALLS = "static_assert(follow_the_fluid(Walls::mine)); void walls(Sequence& s) { s.extrapolate_walls(1); }"
USE_OPERATION = "static_assert(info_of(kind_of<Mine>).target == TargetOfOperation::particles);"
# Name: files and edits of the addition, text, and what the compiler says, if it does not compile.
ADDITIONS = {
    "a smoothing kernel: its file and a line in a list": (KERNEL, [LISTED_KERNEL, BY_KERNEL], USE_KERNEL, None),
    "a smoothing kernel without its file": ({}, [LISTED_KERNEL], USE_KERNEL, "MyKernel"),
    "an equation of state: its file and a line in a list": (EQUATION, [LISTED_EQUATION, BY_EQUATION], USE_EQUATION, None),
    "an equation of state without a pressure": (
        {name: text.replace(" : LinearEquation", "") for name, text in EQUATION.items()}, [LISTED_EQUATION, BY_EQUATION],
        USE_EQUATION, "‘pressure’ is not a member of ‘halfulp::MyEquation’"),
    "a density diffusion: its file and a line in a list": (DIFFUSION, [LISTED_DIFFUSION, BY_DIFFUSION], USE_DIFFUSION, None),
    "a density diffusion that does not say which gradient it needs": (
        {name: text.replace("static constexpr auto gradient = GradientOfDensity::none;", "") for name, text in DIFFUSION.items()},
        [LISTED_DIFFUSION, BY_DIFFUSION], USE_DIFFUSION, "‘gradient’ is not a member of ‘halfulp::MyDiffusion’"),
    "a density diffusion that reads a gradient that it does not declare": (
        {name: text.replace("pair.difference * pair.difference", "pair.difference * pair.target_gradient()[0]") for name, text in DIFFUSION.items()},
        [LISTED_DIFFUSION, BY_DIFFUSION], USE_DIFFUSION, "target_gradient"),
    "a density diffusion that reads another gradient than it declares": (
        {name: text.replace("GradientOfDensity::none", "GradientOfDensity::by_forces").replace(
            "pair.difference * pair.difference", "pair.difference * pair.neighbour_gradient()[0]") for name, text in DIFFUSION.items()},
        [LISTED_DIFFUSION, BY_DIFFUSION], USE_DIFFUSION, "neighbour_gradient"),
    "an operation: its file and a line in a list": (OPERATION, [LISTED_OPERATION, BY_OPERATION], USE_OPERATION, None),
    "an operation without its file": ({}, [LISTED_OPERATION], USE_OPERATION, "incomplete type"),
    "a laminar viscosity: its file and a line in a list": (VISCOSITY, [LISTED_VISCOSITY, BY_VISCOSITY], USE_VISCOSITY, None),
    "a laminar viscosity that does not say along what it acts": (
        {name: text.replace("static constexpr bool along_velocity = false;", "") for name, text in VISCOSITY.items()},
        [LISTED_VISCOSITY, BY_VISCOSITY], USE_VISCOSITY, "‘along_velocity’ is not a member of ‘halfulp::MyViscosity’"),
    "a wall model: its type, its operation and a line in the list of each": (
        OPERATION, [("kernels/wall_models.hpp", "}  // namespace halfulp", WALLS), LISTED_WALLS, LISTED_OPERATION, BY_OPERATION],
        USE_WALLS, None),
    "a wall model without its operation": (
        {}, [("kernels/wall_models.hpp", "}  // namespace halfulp", WALLS), LISTED_WALLS], USE_WALLS, "an operation that Operations does not list"),
    "a wall model that follows the fluid by no operation": (
        {}, [("kernels/wall_models.hpp", "}  // namespace halfulp", WALLS.replace("Operation = Mine", "Operation = void")), LISTED_WALLS],
        USE_WALLS, "walls that follow the fluid need an operation"),
    "a wall model without its type": ({}, [LISTED_WALLS], "", "MyWalls"),
    "a density filter without its type": ({}, [LISTED_FILTER], "", "MyFilter"),
    "an output column: its entry and its place in the list": ({}, [COLUMN, LISTED_COLUMN], USE_COLUMN, None),
    "an output column without its entry": ({}, [LISTED_COLUMN], INCLUDE_COLUMNS, "‘Mine’ is not a member of ‘halfulp::column’"),
    "an output column of a field that there is not": (
        {}, [(COLUMN[0], COLUMN[1], COLUMN[2].replace("offset", "colour")), LISTED_COLUMN], USE_COLUMN, "has no member named ‘colour’"),
    "an integrator: its file and a line in a list": (INTEGRATOR, [LISTED_INTEGRATOR, BY_INTEGRATOR], USE_INTEGRATOR, None),
    "an integrator without its file": ({}, [LISTED_INTEGRATOR], USE_INTEGRATOR, "Mine"),
    "an integrator that does not say what it keeps": (
        {name: text.replace("static constexpr PreviousState previous_state = PreviousState::none;", "") for name, text in INTEGRATOR.items()},
        [LISTED_INTEGRATOR, BY_INTEGRATOR], USE_INTEGRATOR, "‘previous_state’ is not a member of ‘halfulp::Mine’"),
    "an integrator with an operation that there is not": (
        {name: text.replace("s.add<Kick>()", "s.add<struct Leap>()") for name, text in INTEGRATOR.items()},
        [LISTED_INTEGRATOR, BY_INTEGRATOR], USE_INTEGRATOR, "an operation that Operations does not list"),
    "a formulation that nobody handles": (
        {}, [("kernels/physics.hpp", "enum class Formulation { mass_weighted,", "enum class Formulation { mine, mass_weighted,")], "",
        "‘mine’ not handled in switch"),
}


def copy_of(source, folder):
    """The headers of a source folder."""
    for part in ("precision", "kernels", "core"):
        shutil.copytree(pathlib.Path(source) / part, folder / part, ignore=lambda _, names: [n for n in names if n.endswith((".cpp", ".cu", ".py", ".in"))])


@contextlib.contextmanager
def added(folder, files, edits):
    """An addition to a copy of the headers, taken back at the end."""
    before = {folder / name: (folder / name).read_text(encoding="utf-8") for name, _, _ in edits}
    try:
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        for name, old, new in edits:
            text = (folder / name).read_text(encoding="utf-8")
            if old not in text:
                raise LookupError(f"{name} has no \"{old}\" any more: mend this test")
            (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        yield
    finally:
        for path, text in before.items():
            path.write_text(text, encoding="utf-8")
        for name in files:
            (folder / name).unlink()


OPTIONS = ("-std=c++20", "-fopenmp", "-Wall", "-Wno-psabi", "-Werror")


def run_compiler(compiler, *words):
    return subprocess.run((*compiler, *OPTIONS, *words), capture_output=True, text=True, check=False,
                          env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"})


def precompile(compiler, folder, name, text, *words):
    """A header that GCC has read beforehand, which takes most of the time of a snippet; other compilers read it themselves."""
    header = folder / name
    header.write_text(text, encoding="utf-8")
    if "clang" not in compiler[0]:
        done = run_compiler(compiler, *words, "-x", "c++-header", str(header), "-o", f"{header}.gch")
        if done.returncode != 0:
            raise SystemExit(done.stderr)


def seen_by(edits):
    """What a snippet needs to see of an addition, by the files that it touches."""
    touched = [name for name, _, _ in edits]
    if any(name.startswith("core/operations/") or name == "core/schemes/operation_list.hpp" for name in touched):
        return OPERATIONS
    return SCHEMES if any(name.startswith("core/schemes/") or name in ("kernels/wall_models.hpp", "kernels/physics.hpp") for name in touched) else MODELS


def compile_text(source, compiler, headers, beginning, text):
    """What the compiler says of a snippet after one of the headers and a beginning, with the sources of a folder."""
    file = headers.parent / "snippet.cpp"
    file.write_text(f'#include "{headers}"\n{beginning}namespace halfulp {{\n{text}\n}}\n', encoding="utf-8")
    return run_compiler(compiler, "-fsyntax-only", f"-I{source}", str(file))


def is_as_said(name, done, message, compiler):
    # Clang words it otherwise; that it refuses is what counts there.
    words = message if message is None or "clang" not in compiler[0] else "error"
    fine = done.returncode == 0 if words is None else done.returncode != 0 and words in done.stderr
    first = next((line for line in done.stderr.splitlines() if "error" in line), "compiles")
    print(f"{'ok   ' if fine else 'WRONG'} {name}: {first.split('error: ')[-1]}", flush=True)
    return fine


def main():
    source, *compiler = sys.argv[1:]
    wrong = 0
    with tempfile.TemporaryDirectory() as made:
        ahead = pathlib.Path(made)
        precompile(compiler, ahead, "operations.hpp", OPERATIONS, f"-I{source}")
        for name, (text, message) in SNIPPETS.items():
            wrong += not is_as_said(name, compile_text(source, compiler, ahead / "operations.hpp", OPERATIONS, text), message, compiler)
        precompile(compiler, ahead, "standard.hpp", STANDARD)
        copy = ahead / "copy"
        copy_of(source, copy)
        for name, (files, edits, text, message) in ADDITIONS.items():
            try:
                with added(copy, files, edits):
                    done = compile_text(copy, compiler, ahead / "standard.hpp", seen_by(edits), text)
            except LookupError as misfit:
                print(f"WRONG {name}: {misfit.args[0]}", flush=True)
                wrong += 1
                continue
            wrong += not is_as_said(name, done, message, compiler)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
