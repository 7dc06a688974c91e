#include "core/app/describe_ranks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/app/summary.hpp"
#include "core/backends/cpu/cpu_backend.hpp"
#include "core/distribution/shares.hpp"
#include "core/evolution/simulation.hpp"

namespace halfulp {

std::string describe_ranks(const Problem& problem, int ranks)
{
    refuse_number_of_ranks(ranks);
    const std::vector<RankShare> shares = shares_at_start(problem, static_cast<std::size_t>(std::max(1, ranks)));
    const BytesOfStep bytes = bytes_sent_in_step(problem, operations_of(scheme_of(problem).step));
    const auto [least, most] = std::ranges::minmax(shares, {}, &RankShare::own);
    std::uint64_t copies = 0;
    std::uint64_t sent = 0;
    std::uint64_t most_sent = 0;
    std::uint64_t most_held = 0;
    for (const RankShare& share : shares) {
        const std::uint64_t received = bytes.of_all * share.halo + bytes.of_fluid_alone * share.fluid_of_halo;
        copies += share.halo;
        sent += received;
        most_sent = std::max(most_sent, received);
        most_held = std::max(most_held, share.own + share.halo);
    }
    const auto all = static_cast<double>(problem.particles.size());
    const double particle =
        static_cast<double>(cpu_bytes_per_particle(problem.source.numerics.precision, problem.physics));
    const double lists = neighbour_bytes(problem) / all * static_cast<double>(most.own);
    std::string text;
    const auto out = std::back_inserter(text);
    fmt::format_to(
        out,
        "  ranks             {}: {} to {} particles each, and copies of others': {} in all, {:.3g} % of the particles\n",
        shares.size(), least.own, most.own, copies, 100 * static_cast<double>(copies) / all);
    fmt::format_to(
        out,
        "  sent              {} bytes a step for a copy of fluid, {} for one of a wall: {} in all, {} to one rank at most\n",
        bytes.of_all + bytes.of_fluid_alone, bytes.of_all, bytes_text(static_cast<double>(sent)),
        bytes_text(static_cast<double>(most_sent)));
    fmt::format_to(out, "  memory of a rank  about {} at most, once the case is read\n",
                   bytes_text(particle * static_cast<double>(most_held) + lists));
    return text;
}

}  // namespace halfulp
