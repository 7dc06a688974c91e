#include "core/evolution/scheme.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace halfulp {

Scheme kick_drift_kick()
{
    using enum OperationKind;
    return {
        .name = "kick-drift-kick",
        // The density rate only serves the first variable step: its pairs give the signal speed.
        .start = {{refresh_neighbours, 0}, {density_rate}, {forces}},
        .step =
            {
                {kick, 0.5},
                {refresh_neighbours, 1},
                {drift, 0.5},
                {density_rate},
                {update_density, 1},
                {drift, 0.5},
                {forces},
                {kick, 0.5},
            },
    };
}

Scheme scheme_by_name(std::string_view name)
{
    if (name == "kick-drift-kick") return kick_drift_kick();
    throw input_error(fmt::format("numerics.integrator: \"{}\" is unknown; allowed: \"kick-drift-kick\"", name));
}

}  // namespace halfulp
