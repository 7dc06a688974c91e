// Tests that run once for every precision policy of a program: which, their names, and what a failure calls the policy.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <ostream>
#include <string>
#include <vector>

#include "core/registry.hpp"
#include "core/setup/policy_table.hpp"

namespace halfulp {

inline void PrintTo(const PolicyInfo& policy, std::ostream* out) { *out << policy.name; }

namespace test {

// Those of the program; in a test of the laboratory those that only this one has.
inline std::vector<PolicyInfo> policies_to_try()
{
    return registry<PolicyInfo>().empty() ? policies() : registry<PolicyInfo>();
}

// Letters, digits and _, as tests are called.
inline std::string name_of_policy(const testing::TestParamInfo<PolicyInfo>& info)
{
    std::string name = info.param.name;
    for (char& letter : name) {
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
    }
    return name;
}

}  // namespace test
}  // namespace halfulp
