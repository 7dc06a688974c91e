// Construction of the CPU back end for one policy, as functions, so that only one translation unit sees its types.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/backends/cpu/cpu_particles.hpp"
#include "core/backends/ranks.hpp"
#include "core/operations/exchange.hpp"

namespace halfulp {

struct CpuPolicy {
    const char* name;
    // Makes an undivided back end or, with settings.peers, rank 0 of several. others: the threads of the other ranks,
    // if they belong to this process.
    std::unique_ptr<Backend> (*make)(const Problem& problem, const CpuSettings& settings,
                                     std::unique_ptr<LocalRanks> others);
    // The service of another rank.
    void (*serve)(const Problem& problem, const CpuSettings& settings, const std::function<void()>& check);
    std::size_t (*bytes_per_particle)(const Physics& physics);
    BytesOfStep (*bytes_of_step)(const std::vector<Operation>& step, const Physics& physics, int dimensions);
    int usual_lanes;
};

[[noreturn]] void refuse_ranks(const char* precision);  // throws an Error

namespace detail {

// Multiprecision numbers are library objects, whose bytes another rank could not read.
template <class Policy>
inline constexpr bool can_be_divided = std::is_trivially_copyable_v<typename Policy::Real>;

template <class Policy, int D>
std::unique_ptr<Backend> make_cpu(const Problem& problem, const CpuSettings& settings,
                                  std::unique_ptr<LocalRanks>& others)
{
    if (settings.peers == nullptr) return std::make_unique<CpuParticles<Policy, D>>(problem, settings);
    if constexpr (can_be_divided<Policy>)
        return std::make_unique<Ranks<CpuParticles<Policy, D>>>(problem, settings, std::move(others));
    else refuse_ranks(Policy::name);
}

}  // namespace detail

// Defined for every policy of kernels/policies.hpp.
template <class Policy>
CpuPolicy cpu_policy();

template <class Policy>
CpuPolicy cpu_policy_as()
{
    return {.name = Policy::name,
            .make =
                [](const Problem& problem, const CpuSettings& settings, std::unique_ptr<LocalRanks> others) {
                    if (problem.source.dimensions == 2) return detail::make_cpu<Policy, 2>(problem, settings, others);
                    return detail::make_cpu<Policy, 3>(problem, settings, others);
                },
            .serve =
                [](const Problem& problem, const CpuSettings& settings, const std::function<void()>& check) {
                    if constexpr (detail::can_be_divided<Policy>) {
                        if (problem.source.dimensions == 2)
                            Ranks<CpuParticles<Policy, 2>>::serve(problem, settings, check);
                        else Ranks<CpuParticles<Policy, 3>>::serve(problem, settings, check);
                    } else {
                        refuse_ranks(Policy::name);
                    }
                },
            .bytes_per_particle =
                [](const Physics& physics) {
                    return bytes_per_particle<Policy>(physics) + course_bytes_per_particle<Policy>(physics);
                },
            .bytes_of_step =
                [](const std::vector<Operation>& step, const Physics& physics, int dimensions) {
                    return dimensions == 2 ? bytes_of_step<Policy, 2>(step, physics)
                                           : bytes_of_step<Policy, 3>(step, physics);
                },
            .usual_lanes = usual_lanes<Policy>};
}

}  // namespace halfulp
