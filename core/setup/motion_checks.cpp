#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/setup/case_checks.hpp"

namespace halfulp {

// Each wall must have at most one motion, and a moving frame applies to everything.
void check_motions(const Case& c, const KeyPlaces& places)
{
    std::map<std::string_view, std::string_view> mover;
    for (const Shape& s : c.shapes) {
        if (s.slides()) mover[s.name] = "its own velocity";
    }
    const bool slides = !mover.empty();
    const std::vector<std::string> walls = wall_names(c);
    for (const Motion& m : c.motions) {
        const std::string path = "motions." + m.name;
        if (!m.rotation && !m.translation) {
            throw places.fault(path, "{} has neither a rotation nor a translation; give one of them.", path);
        }
        for (std::size_t i = 0; i < 3; ++i) {
            if (!m.rotation || c.period[i] == 0) continue;
            const bool along = c.dimensions == 3 && m.rotation->axis[i] != 0 && m.rotation->axis[(i + 1) % 3] == 0 &&
                               m.rotation->axis[(i + 2) % 3] == 0;
            if (along) continue;
            throw places.fault(path,
                               "{} turns about an axis that period.{} = {} m does not lie along, so what turns does "
                               "not repeat itself; remove one of them.",
                               path, i, c.period[i]);
        }
        if (m.frame == MotionFrame::moving && (c.motions.size() > 1 || slides || !m.bodies.empty())) {
            throw places.fault(path + ".frame",
                               "{}.frame is \"moving\", in which all walls are at rest, but {}; remove one of them.",
                               path,
                               c.motions.size() > 1 ? "there is another motion"
                               : slides             ? "a wall has a velocity"
                                                    : "bodies are named");
        }
        if (m.frame == MotionFrame::moving && c.central_force) {
            throw places.fault(path + ".frame",
                               "{}.frame is \"moving\", in which the centre of central_force would move, too; set it "
                               "to \"laboratory\", or remove central_force.",
                               path);
        }
        check_bodies(m.bodies, walls, path + ".bodies", places);
        for (const std::string& wall : walls) {
            if (!has_body(m.bodies, wall)) continue;
            if (const auto [other, first] = mover.emplace(wall, m.name); !first) {
                throw places.fault(path, "{} moves the wall \"{}\", which {} moves already; leave it to one of them.",
                                   path, wall, other->second);
            }
        }
    }
}

}  // namespace halfulp
