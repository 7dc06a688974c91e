#include "validation/reversal/returns.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "validation/laboratory.hpp"

namespace halfulp {

// A policy that no longer moves returns without error. It counts where it moved as far as double, to this share.
constexpr double moved_share = 0.1;

const Return& reference(const Returns& all, const std::string& policy)
{
    const auto found = all.find(double_reference(*find_policy(policy)));
    return found != all.end() ? found->second : all.at("double");
}

bool counts(const Returns& all, const std::string& policy)
{
    const double moved = reference(all, policy).moved;
    const Return& r = all.at(policy);
    return r.broke_at < 0 && std::abs(r.moved - moved) <= moved_share * moved;
}

double told(const Return& r) { return std::max(r.distance, r.resolution); }

double error_at_turn(const Returns& all, const std::string& policy)
{
    const Return& r = all.at(policy);
    return std::max(farthest(r.turn, reference(all, policy).turn), r.resolution);
}

std::string return_text(const Returns& all, const std::string& policy)
{
    const Return& r = all.at(policy);
    if (r.broke_at >= 0) return fmt::format("stopped after {} steps", r.broke_at);
    if (!counts(all, policy)) return fmt::format("{:.2g} of double's way only", r.moved / reference(all, policy).moved);
    if (r.changed == 0) return "0";
    return r.distance <= r.resolution ? fmt::format("below {:.1e}", r.resolution) : fmt::format("{:.1e}", r.distance);
}

std::string turn_text(const Returns& all, const std::string& policy)
{
    if (&reference(all, policy) == &all.at(policy)) return "";
    const double error = error_at_turn(all, policy);
    return std::isfinite(error) ? fmt::format("{:.1e}", error) : "stopped";
}

}  // namespace halfulp
