#pragma once

#include <string>

namespace halfulp {

// The least that a case must say: 12 lines.
inline const std::string least_case = R"(title = "Least"
[resolution]
spacing = 0.1
[fluid]
sound_speed = 20
[time]
end = 1
[output]
interval = 0.1
[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0, 0], to = [1, 0.5] }
)";

}  // namespace halfulp
