#include "core/app/describe_ranks.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/app/summary.hpp"
#include "core/backends/cpu/cpu_backend.hpp"
#include "core/backends/cuda/cuda_backend.hpp"
#include "core/distribution/shares.hpp"
#include "core/evolution/simulation.hpp"

namespace halfulp {

namespace {

// Work on a copy, over that on an own particle: it is sorted and updated, but no pass over pairs visits it.
constexpr double work_of_copy = 0.1;

// Fitted to eight cases of 2 to 16 million particles on two pairs of H200 (docs/measured/scaling-h200-lost.json and
// -lost-again.json), whose losses they give to within 9.0 %; those of a third, foretold, to within 19 %. In a step
// ranks meet, passes begin at the edge and copies are updated; in a rebuild particles that stay, leave or are copied
// are chosen and packed, and the lists of half as many particles take more than half of the time.
constexpr double milliseconds_of_step = 0.170;
constexpr double milliseconds_of_rebuild = 0.222;
constexpr double milliseconds_of_rebuilt_particle = 0.246e-6;

}  // namespace

ModelOfRanks model_of_ranks(const Problem& problem, int ranks)
{
    refuse_number_of_ranks(ranks);
    const std::vector<RankShare> shares = shares_at_start(problem, static_cast<std::size_t>(std::max(1, ranks)));
    const BytesOfStep bytes = bytes_sent_in_step(problem, operations_of(scheme_of(problem).step));
    const auto [least, most] = std::ranges::minmax(shares, {}, &RankShare::own);
    ModelOfRanks model{.ranks = shares.size(),
                       .least_own = least.own,
                       .most_own = most.own,
                       .bytes_of_fluid = bytes.of_all + bytes.of_fluid_alone,
                       .bytes_of_wall = bytes.of_all};
    if (shares.size() > 1) {
        model.step_milliseconds = milliseconds_of_step;
        model.rebuild_milliseconds =
            milliseconds_of_rebuild + milliseconds_of_rebuilt_particle * static_cast<double>(most.own);
    }
    const std::optional<CudaRankBytes> device = cuda_bytes_of_rank(problem, shares.size());
    std::uint64_t most_held = 0;
    double work = 0;
    double most_work = 0;
    for (const RankShare& share : shares) {
        const auto work_on = [](std::uint64_t particles, std::uint64_t fluid) {
            return static_cast<double>(fluid) * work_at_start(Kind::fluid) +
                   static_cast<double>(particles - fluid) * work_at_start(Kind::wall);
        };
        const std::uint64_t received = bytes.of_all * share.halo + bytes.of_fluid_alone * share.fluid_of_halo;
        model.copies += share.halo;
        model.sent += received;
        model.most_sent = std::max(model.most_sent, received);
        most_held = std::max(most_held, share.own + share.halo);
        if (device) {
            const double listless = device->particle * static_cast<double>(share.own + share.halo);
            const double listed = listless + device->list * static_cast<double>(share.fluid);
            model.listless_device_memory = std::max(model.listless_device_memory.value_or(0), listless);
            model.device_memory = std::max(model.device_memory.value_or(0), listed);
        }
        const double own = work_on(share.own, share.fluid);
        work += own;
        model.work.push_back(own);
        most_work = std::max(most_work, own + work_of_copy * work_on(share.halo, share.fluid_of_halo));
    }
    for (double& part : model.work) part = work > 0 ? part / work : 0;
    if (work > 0) model.lost = most_work * static_cast<double>(shares.size()) / work - 1;
    const auto all = static_cast<double>(problem.particles.size());
    const auto particle =
        static_cast<double>(cpu_bytes_per_particle(problem.source.numerics.precision, problem.physics));
    model.memory =
        particle * static_cast<double>(most_held) + neighbour_bytes(problem) / all * static_cast<double>(most.own);
    return model;
}

std::string describe_ranks(const ModelOfRanks& model, std::size_t particles)
{
    std::string text;
    const auto out = std::back_inserter(text);
    fmt::format_to(
        out,
        "  ranks             {}: {} to {} particles each, and copies of others': {} in all, {:.3g} % of the particles\n",
        model.ranks, model.least_own, model.most_own, model.copies,
        100 * static_cast<double>(model.copies) / static_cast<double>(particles));
    fmt::format_to(
        out,
        "  sent              {} bytes a step for a copy of fluid, {} for one of a wall: {} in all, {} to one rank at most\n",
        model.bytes_of_fluid, model.bytes_of_wall, bytes_text(static_cast<double>(model.sent)),
        bytes_text(static_cast<double>(model.most_sent)));
    fmt::format_to(out,
                   "  time lost         about {:.2g} % of a step by unequal shares and work on copies, at the start; "
                   "on CPUs messages add to it\n",
                   100 * model.lost);
    if (model.ranks > 1) {
        const double unequal = std::ranges::max(model.work) * static_cast<double>(model.ranks) - 1;
        fmt::format_to(out,
                       "  on devices        about {:.2g} % by unequal shares, {:.2f} ms of a step and {:.2f} ms of a "
                       "rebuild of the lists (as on two H200 of one machine)\n",
                       100 * unequal, model.step_milliseconds, model.rebuild_milliseconds);
    }
    fmt::format_to(out, "  memory of a rank  about {} at most, once the case is read", bytes_text(model.memory));
    if (model.device_memory)
        fmt::format_to(out, "; on a device {}, {} without neighbour lists", bytes_text(*model.device_memory),
                       bytes_text(*model.listless_device_memory));
    text += '\n';
    return text;
}

JsonObject ranks_as_json(const ModelOfRanks& model)
{
    JsonObject object;
    object.add("number", model.ranks)
        .add("least_own", model.least_own)
        .add("most_own", model.most_own)
        .add("copies", model.copies)
        .add("bytes_of_fluid", model.bytes_of_fluid)
        .add("bytes_of_wall", model.bytes_of_wall)
        .add("bytes_per_step", model.sent)
        .add("most_bytes_to_one", model.most_sent)
        .add("lost", model.lost)
        .add_json("work", fmt::format("[{}]", fmt::join(model.work, ", ")))
        .add("step_milliseconds", model.step_milliseconds)
        .add("rebuild_milliseconds", model.rebuild_milliseconds)
        .add("memory_bytes", model.memory);
    if (model.device_memory) {
        object.add("device_bytes", *model.device_memory)
            .add("device_bytes_without_lists", *model.listless_device_memory);
    }
    return object;
}

}  // namespace halfulp
