// Registration of the laboratory's policies in the table.
#include "kernels/quad_policies.hpp"

#include "core/registry.hpp"
#include "core/setup/policy_info.hpp"
#include "kernels/laboratory_policies.hpp"

namespace halfulp {

namespace {

const bool added[] = {
#define HALFULP_ADD(Policy) add_to_registry(info_of<Policy>()),
    HALFULP_FOR_EACH_LABORATORY_POLICY(HALFULP_ADD) HALFULP_FOR_EACH_QUAD_POLICY(HALFULP_ADD)
#undef HALFULP_ADD
};

}  // namespace

}  // namespace halfulp
