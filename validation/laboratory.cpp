#include "validation/laboratory.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "core/error.hpp"
#include "kernels/density.hpp"
#include "precision/compensated.hpp"
#include "precision/position.hpp"

namespace halfulp {

std::vector<PolicyInfo> laboratory_policies(Scale scale)
{
    constexpr std::array<std::string_view, 4> telling{"robust/position=global", "robust/update=plain",
                                                      "robust/sums=plain", "double/position=global"};
    std::vector<PolicyInfo> chosen;
    for (const PolicyInfo& policy : policies()) {
        const bool tells = std::ranges::find(telling, policy.name) != telling.end();
        if (policy.number != "quad" && (scale != Scale::quick || policy.bundle || tells)) chosen.push_back(policy);
    }
    return chosen;
}

std::vector<PolicyInfo> laboratory_policies(const std::vector<std::string>& names)
{
    const std::vector<PolicyInfo> all = laboratory_policies(Scale::full);
    const auto named = [](const std::vector<PolicyInfo>& among, const std::string& name) {
        return std::ranges::find(among, name, &PolicyInfo::name);
    };
    std::vector<PolicyInfo> chosen;
    for (const std::string& name : names) {
        const auto found = named(all, name);
        if (found == all.end())
            throw input_error(fmt::format("--policy is \"{}\", but must be {}", name, policy_names(all)));
        if (named(chosen, name) == chosen.end()) chosen.push_back(*found);
    }
    return chosen;
}

std::string double_reference(const PolicyInfo& policy) { return policy.cell_is_one ? "double" : "double/units=si"; }
std::string quad_reference(const PolicyInfo& policy) { return policy.cell_is_one ? "quad" : "quad/units=si"; }

bool has_double_parts(const PolicyInfo& policy)
{
    return policy.number != "float" || policy.position == GlobalDouble::name || policy.sums == "double";
}

StartRounding start_rounding(const PolicyInfo& policy)
{
    if (policy.number != "float" || policy.update != PlainUpdate::name) return {};
    return {.positions = policy.position == GlobalCoordinate::name,
            .densities = policy.density != CentredStorage::name};
}

Problem start_as_held(Problem problem, const PolicyInfo& policy)
{
    const StartRounding rounding = start_rounding(policy);
    const auto side = static_cast<double>(problem.parameters.cell_side);
    const float reference = problem.parameters.reference_density;
    for (InitialParticle& particle : problem.particles.stored()) {
        if (rounding.positions) {
            for (std::size_t c = 0; c < static_cast<std::size_t>(problem.source.dimensions); ++c) {
                const double exact = particle.cell[c] + static_cast<double>(particle.offset[c]);
                const double held = static_cast<double>(static_cast<float>(exact * side)) / side;
                if (!locate(held, particle.cell[c]))
                    throw input_error("a particle's rounded position lies outside of the 32-bit range of cells");
                particle.offset[c] = static_cast<float>(held - particle.cell[c]);
            }
        }
        if (!rounding.densities) continue;
        const CentredDensity<float> s{particle.density};
        if (policy.density == AbsoluteStorage::name) {
            const float stored = AbsoluteStorage::stored(s, reference);
            particle.density = static_cast<float>(
                AbsoluteStorage::centred(static_cast<double>(stored), static_cast<double>(reference)).s);
        } else {
            particle.density = RelativeStorage::centred(RelativeStorage::stored(s, reference), reference).s;
        }
    }
    return problem;
}

}  // namespace halfulp
