// STL files, and the particles inside.
#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/setup/fill.hpp"
#include "core/setup/geometry.hpp"
#include "core/setup/mesh.hpp"
#include "core/setup/read_case.hpp"
#include "feeding.hpp"

namespace halfulp::fuzzing {

namespace {

constexpr const char* filled = R"(dimensions = 3
[resolution]
spacing = {:e}
[fluid]
sound_speed = 20
[time]
end = 1
[output]
interval = 0.1
[[shapes]]
name = "water"
kind = "fluid"
mesh = {{ file = "part.stl" }}
)";

}  // namespace

void feed_mesh(Bytes input)
{
    static const Folder folder;
    const std::filesystem::path path = folder.file("part.stl", input);
    Mesh mesh;
    if (!accepted([&] { mesh = read_mesh(path, 1, {}, "case.toml:13: shapes.water.mesh.file"); })) return;
    double extent = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        for (const auto& corner : mesh.corners) {
            low = std::min(low, corner[i]);
            high = std::max(high, corner[i]);
        }
        extent = std::max(extent, high - low);
    }
    accepted([&] { arrange(read_case_text(fmt::format(filled, extent / 6), folder.path() / "case.toml")); });
}

}  // namespace halfulp::fuzzing
