// The laboratory's policies, added to those of the CPU back end.
#include "kernels/laboratory_policies.hpp"

#include "core/backends/cpu/make_cpu_particles.hpp"
#include "core/registry.hpp"

namespace halfulp {

namespace {

const bool added[] = {
#define HALFULP_ADD(Policy) add_to_registry(cpu_policy<Policy>()),
    HALFULP_FOR_EACH_LABORATORY_POLICY(HALFULP_ADD) HALFULP_FOR_EACH_QUAD_POLICY(HALFULP_ADD)
#undef HALFULP_ADD
};

}  // namespace

}  // namespace halfulp
