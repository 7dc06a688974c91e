#include "validation/budget/loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/evolution/simulation.hpp"
#include "core/operations/operations.hpp"
#include "kernels/density.hpp"
#include "precision/compensated.hpp"
#include "validation/arithmetic.hpp"

namespace halfulp {

Loss loss_of(float value, float rate, float interval)
{
    const float change = rate * interval;
    if (!(std::abs(change) > 0)) return {};
    float after = value;
    float none = 0;
    PlainUpdate::advance(after, none, rate, 0.0F, interval);
    constexpr int digits = std::numeric_limits<float>::digits;
    const int below = value == 0 ? 0 : std::ilogb(value) - std::ilogb(change);
    return {.counts = true, .whole = after == value, .bits = static_cast<double>(std::clamp(below, 0, digits))};
}

void Tally::add(const Loss& loss)
{
    if (!loss.counts) return;
    ++changes;
    lost += loss.whole ? 1 : 0;
    bits += loss.bits;
}

namespace {

// The share of a step that an operation takes at a time.
double fraction_of(const Scheme& scheme, OperationKind kind)
{
    for (const Operation& operation : in_order(operations_of(scheme.step)))
        if (operation.kind == kind) return operation.fraction;
    throw std::logic_error("the integrator has no such operation");
}

}  // namespace

std::vector<Loss> losses_of(const Problem& problem, const HeldParticle& particle, Holding holding, double step)
{
    const Scheme scheme = scheme_of(problem);
    const auto interval = [&](OperationKind kind) { return static_cast<float>(fraction_of(scheme, kind) * step); };
    const auto dimensions = static_cast<std::size_t>(problem.source.dimensions);
    std::vector<Loss> losses;
    const auto components = [&](const auto& values, const auto& rates, OperationKind kind) {
        for (std::size_t c = 0; c < dimensions; ++c) losses.push_back(loss_of(values[c], rates[c], interval(kind)));
    };
    const auto coordinates = [&](double cells_away) {
        std::array<float, 3> x{};
        for (std::size_t c = 0; c < dimensions; ++c) {
            const std::int64_t cells = std::int64_t(particle.cell[c]) - problem.source.origin.cells[c];
            x[c] =
                static_cast<float>(static_cast<double>(cells) + static_cast<double>(particle.offset[c]) + cells_away);
        }
        components(x, particle.velocity, kind_of<Drift>);
    };
    const auto density = [&](auto storage) {
        using Storage = decltype(storage);
        const float reference = problem.parameters.reference_density;
        losses.push_back(loss_of(Storage::stored(CentredDensity<float>{particle.density}, reference),
                                 Storage::rate(particle.rate[3], reference), interval(kind_of<UpdateDensity>)));
    };
    switch (holding) {
    case offset_in_cell: components(particle.offset, particle.velocity, kind_of<Drift>); break;
    case coordinate_at_origin: coordinates(0); break;
    case coordinate_4000: coordinates(4000); break;
    case coordinate_million: coordinates(1e6); break;
    case velocity_held: components(particle.velocity, particle.rate, kind_of<Kick>); break;
    case density_centred: density(CentredStorage{}); break;
    case density_relative: density(RelativeStorage{}); break;
    case density_absolute: density(AbsoluteStorage{}); break;
    case holding_count: break;
    }
    return losses;
}

Residuals residuals_of(const Problem& problem, const std::vector<HeldParticle>& particles, Quantity quantity)
{
    Residuals result;
    double squares = 0;
    const auto add = [&](float value, float residual) {
        const double size = std::abs(static_cast<double>(residual)) / (0.5 * ulp_of(value));
        result.largest = std::max(result.largest, size);
        result.mean += size;
        squares += static_cast<double>(residual) * static_cast<double>(residual);
        const auto bin = static_cast<std::size_t>(size * static_cast<double>(Residuals::bins));
        ++result.histogram[std::min(bin, Residuals::bins - 1)];
        ++result.count;
    };
    for (const HeldParticle& p : particles) {
        if (p.kind != Kind::fluid) continue;
        if (quantity == Quantity::density) {
            add(p.density, p.density_residual);
            continue;
        }
        for (std::size_t c = 0; c < static_cast<std::size_t>(problem.source.dimensions); ++c) {
            if (quantity == Quantity::position) add(p.offset[c], p.offset_residual[c]);
            else add(p.velocity[c], p.velocity_residual[c]);
        }
    }
    result.mean /= result.count;
    result.root_mean_square = std::sqrt(squares / result.count);
    for (double& share : result.histogram) share /= result.count;
    return result;
}

}  // namespace halfulp
