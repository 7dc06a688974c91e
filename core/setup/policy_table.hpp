// A table of the program's precision policies as data, for reading cases, checks and listings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace halfulp {

struct PolicyInfo {
    std::string name;
    std::string number;  // "float", "double" or "quad"
    // The names of the parts (kernels/policy.hpp).
    std::string position;
    std::string density;
    std::string pressure;
    std::string kernels;
    std::string sums;
    std::string update;
    std::string distance;
    std::string units;
    bool bundle = true;                     // with a name of its own
    bool every_physics = true;              // or only pressure, gravity, artificial viscosity and a central force
    bool relative_to_cell = true;           // has the same accuracy everywhere
    bool cell_is_one = true;                // in scaled units
    bool reversible = false;                // the bundle of that name, or derived from it
    int digits = 24;                        // of the number type
    std::vector<std::string_view> columns;  // of outputs (core/particles/take_snapshot_body.hpp)
    struct Size {
        std::size_t components;
        std::size_t bytes;  // of a number
    };
    std::vector<Size> sizes;  // of these columns
    std::size_t always = 0;   // the first so many are in every output, the others where output.columns asks for them

    [[nodiscard]] bool on_request(std::string_view column) const
    {
        for (std::size_t k = always; k < columns.size(); ++k) {
            if (columns[k] == column) return true;
        }
        return false;
    }
};

// Bundles first.
const std::vector<PolicyInfo>& policies();

// Null if there is no such policy in this program.
const PolicyInfo* find_policy(std::string_view name);

// The bundles among these, then the number of policies derived from a bundle, for a user who mistyped one.
std::string policy_names(const std::vector<PolicyInfo>& among = policies());

// Number of policies of halfulp-lab that this program lacks.
std::size_t policies_of_laboratory_alone();

// Reason why there is no policy of that name, to follow it in a sentence: the allowed names, or that the laboratory has
// it.
std::string why_no_policy(std::string_view name);

}  // namespace halfulp
