// A run of 24 particles, the one that fed states and files are of.
#pragma once

#include <memory>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/evolution/simulation.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp::fuzzing {

inline constexpr const char* small_case = R"(
[resolution]
spacing = 0.1
[fluid]
sound_speed = 20
[time]
end = 1
cfl = 0.1
[output]
interval = 0.1
[[shapes]]
name = "floor"
kind = "wall"
box = { from = [0, -0.3], to = [0.4, 0] }
[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0, 0], to = [0.4, 0.3] }
[[probes]]
name = "p"
measures = "pressure"
at = [0.2, 0.1]
interval = 0.01
)";

inline const Problem& small_problem()
{
    static const Problem problem = prepare(read_case_text(small_case, "small.toml"));
    return problem;
}

inline std::unique_ptr<Backend> small_backend()
{
    return make_cpu_backend(small_problem(), {.threads = 1, .lanes = 1});
}

}  // namespace halfulp::fuzzing
