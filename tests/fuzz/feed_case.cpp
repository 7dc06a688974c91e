// Case files.
#include <cstddef>
#include <string>

#include "core/setup/geometry.hpp"
#include "core/setup/problem.hpp"
#include "core/setup/read_case.hpp"
#include "feeding.hpp"

namespace halfulp::fuzzing {

namespace {

// What set-up takes milliseconds for under the sanitizers.
constexpr double few_sites = 3000;

// A case may name these, as part.stl and motion.csv.
constexpr std::string_view tetrahedron = R"(solid part
vertex 0 0 0 vertex 0 1 0 vertex 1 0 0
vertex 0 0 0 vertex 1 0 0 vertex 0 0 1
vertex 0 0 0 vertex 0 0 1 vertex 0 1 0
vertex 1 0 0 vertex 0 1 0 vertex 0 0 1
endsolid part
)";
constexpr std::string_view motion = "t_s,angle\n0,0\n0.5,3\n1,-2\n2,5\n";

const std::filesystem::path& folder()
{
    static const Folder folder;
    static const auto mesh = folder.file("part.stl", bytes_of(tetrahedron));
    static const auto table = folder.file("motion.csv", bytes_of(motion));
    return folder.path();
}

// The completed case, written and read again, is the same case.
void check_completed(const Case& c)
{
    const std::string completed = case_as_toml(c);
    std::string again;
    if (!accepted([&] { again = case_as_toml(read_case_text(completed, c.path)); }))
        fault("the completed case is refused:\n" + completed);
    if (again != completed) fault("the completed case is another one:\n" + completed + "\nand\n" + again);
}

void set_up(const Case& c)
{
    const Geometry geometry(c);
    const SiteEstimate sites = estimate_sites(c, geometry);
    bool relaxed = false;
    for (const Shape& shape : c.shapes) relaxed = relaxed || shape.fill == "relaxed";
    if (sites.particles + sites.interior + sites.rows > few_sites / (relaxed ? 10 : 1)) return;
    const Problem problem = prepare(c);
    for (const PrescribedMotion& moved : problem.motions) static_cast<void>(moved.at(c.time.end / 2));
}

}  // namespace

void feed_case(Bytes input)
{
    Case c;
    if (!accepted([&] { c = read_case_text(text_of(input), folder() / "case.toml"); })) return;
    check_completed(c);
    accepted([&] { set_up(c); });
}

}  // namespace halfulp::fuzzing
