#include "core/app/set_up.hpp"

#include <omp.h>

#include <fmt/format.h>

#include "core/app/progress.hpp"
#include "core/error.hpp"

namespace halfulp {

Problem set_up(const Case& c)
{
    return prepare(c, [&](std::uint64_t particles) {
        // Of a particle: 100 million took 7.8 s on 16 threads (docs/performance.md).
        constexpr double seconds_of_a_thread = 1.3e-6;
        constexpr double long_for_a_user = 20;
        const double seconds = seconds_of_a_thread * static_cast<double>(particles) / omp_get_max_threads();
        if (seconds < long_for_a_user) return;
        complain(fmt::format("halfulp: setting up {:.3g} particles (resolution.spacing = {} m) takes about {}",
                             static_cast<double>(particles), c.resolution.spacing, duration_text(seconds)));
    });
}

}  // namespace halfulp
