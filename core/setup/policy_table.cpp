#include "core/setup/policy_table.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/laboratory.hpp"
#include "core/registry.hpp"
#include "core/setup/policy_info.hpp"
#include "core/setup/spelling.hpp"
#include "kernels/policies.hpp"

namespace halfulp {

namespace {

std::vector<PolicyInfo> all_policies()
{
    std::vector<PolicyInfo> all;
#define HALFULP_ADD(Policy) all.push_back(info_of<Policy>());
    HALFULP_FOR_EACH_PROGRAM_POLICY(HALFULP_ADD)
#undef HALFULP_ADD
    all.insert(all.end(), registry<PolicyInfo>().begin(), registry<PolicyInfo>().end());
    std::stable_partition(all.begin(), all.end(), [](const PolicyInfo& info) { return info.bundle; });
    return all;
}

}  // namespace

const std::vector<PolicyInfo>& policies()
{
    static const std::vector<PolicyInfo> all = all_policies();
    return all;
}

const PolicyInfo* find_policy(std::string_view name)
{
    for (const PolicyInfo& info : policies())
        if (info.name == name) return &info;
    return nullptr;
}

std::string policy_names(const std::vector<PolicyInfo>& among)
{
    std::vector<std::string_view> bundles;
    std::size_t others = 0;
    for (const PolicyInfo& info : among) {
        if (info.bundle) bundles.push_back(info.name);
        else ++others;
    }
    std::string text = enumerate_names(bundles, "or");
    if (others > 0)
        text +=
            fmt::format(", or one of {} that differ from these in some parts (halfulp-lab info --precisions)", others);
    return text;
}

std::size_t policies_of_laboratory_alone()
{
    return registry<PolicyInfo>().empty() ? std::size(laboratory_policy_names) : 0;
}

std::string why_no_policy(std::string_view name)
{
    if (policies_of_laboratory_alone() == 0 ||
        std::ranges::find(laboratory_policy_names, name) == std::end(laboratory_policy_names))
        return fmt::format("but must be {}", policy_names());
    std::vector<std::string_view> here;
    for (const PolicyInfo& info : policies()) here.push_back(info.name);
    return fmt::format("which this program does not have; it has {}, and halfulp-lab has it ({})",
                       enumerate_names(here, "and"), how_to_build_laboratory);
}

}  // namespace halfulp
