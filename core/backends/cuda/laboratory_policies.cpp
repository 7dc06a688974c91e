// The laboratory's policies, added to those of the CUDA back end.
#include "core/backends/cuda/make_cuda_particles.hpp"
#include "core/backends/cuda/policies.hpp"
#include "core/registry.hpp"

namespace halfulp::cuda {

namespace {

#define HALFULP_ADD(Policy) add_to_registry(cuda_policy<Policy>()),
const bool added[] = {HALFULP_FOR_EACH_LABORATORY_CUDA_POLICY(HALFULP_ADD) true};
#undef HALFULP_ADD

}  // namespace

}  // namespace halfulp::cuda
