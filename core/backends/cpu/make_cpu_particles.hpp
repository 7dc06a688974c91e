// Construction of the CPU back end for one policy, as functions, so that only one translation unit sees its types.
#pragma once

#include <memory>

#include "core/backends/cpu/cpu_particles.hpp"

namespace halfulp {

struct CpuPolicy {
    const char* name;
    std::unique_ptr<Backend> (*make)(const Problem& problem, const CpuSettings& settings);
    std::size_t (*bytes_per_particle)(const Physics& physics);
    int usual_lanes;
};

// Defined for every policy of kernels/policies.hpp.
template <class Policy>
CpuPolicy cpu_policy();

template <class Policy>
CpuPolicy cpu_policy_as()
{
    return {.name = Policy::name,
            .make = [](const Problem& problem, const CpuSettings& settings) -> std::unique_ptr<Backend> {
                if (problem.source.dimensions == 2) return std::make_unique<CpuParticles<Policy, 2>>(problem, settings);
                return std::make_unique<CpuParticles<Policy, 3>>(problem, settings);
            },
            .bytes_per_particle = bytes_per_particle<Policy>,
            .usual_lanes = usual_lanes<Policy>};
}

}  // namespace halfulp
