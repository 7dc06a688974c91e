#include <cstring>

#include "core/output/state_hash.hpp"
#include "core/particles/report.hpp"
#include "kernels/state_equation.hpp"
#include "precision/policy.hpp"

namespace halfulp {

namespace {

template <class Value>
constexpr ColumnType type_of()
{
    if constexpr (std::is_same_v<Value, float>) return ColumnType::float32;
    else if constexpr (std::is_same_v<Value, double>) return ColumnType::float64;
    else if constexpr (std::is_same_v<Value, std::int32_t>) return ColumnType::int32;
    else return ColumnType::uint8;
}

// A column in the order of ids; value(i, c) is component c of the particle at place i.
template <class Value, class Get>
Column make_column(const char* name, const char* unit, const char* description, bool state, int components,
                   const std::vector<std::uint32_t>& place_of_id, Get value)
{
    Column column{name, unit, description, type_of<Value>(), components, state, {}};
    const std::size_t count = place_of_id.size();
    column.data.resize(count * static_cast<std::size_t>(components) * sizeof(Value));
#pragma omp parallel for schedule(static)
    for (std::size_t id = 0; id < count; ++id) {
        for (int c = 0; c < components; ++c) {
            const Value v = value(place_of_id[id], c);
            std::memcpy(column.data.data() +
                            (id * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)) * sizeof(Value),
                        &v, sizeof(Value));
        }
    }
    return column;
}

template <class Real>
void absorb(ParticleDigest& digest, Real value)
{
    std::array<std::uint32_t, sizeof(Real) / 4> words{};
    std::memcpy(words.data(), &value, sizeof(Real));
    for (const auto word : words) digest.absorb(word);
}

}  // namespace

template <class Policy, int D>
Snapshot take_snapshot(const Buffers<Policy>& buffers, const Frame& frame)
{
    using Real = typename Policy::Real;
    const std::size_t count = buffers.count();
    std::vector<std::uint32_t> place(count);
    std::uint64_t first = 0;
    std::uint64_t second = 0;
#pragma omp parallel for schedule(static) reduction(+ : first, second)
    for (std::size_t i = 0; i < count; ++i) {
        place[static_cast<std::uint32_t>(buffers.cell[i].w)] = static_cast<std::uint32_t>(i);
        ParticleDigest digest;
        digest.absorb(static_cast<std::uint32_t>(buffers.cell[i].w));
        digest.absorb(static_cast<std::uint32_t>(buffers.kind[i]));
        const Four<Real> x_residual = buffers.offset_residual_of(i);
        const Four<Real> u_residual = buffers.velocity_residual_of(i);
        for (int c = 0; c < D; ++c) {
            digest.absorb(static_cast<std::uint32_t>(buffers.cell[i][c]) - static_cast<std::uint32_t>(frame.origin[c]));
            absorb(digest, buffers.offset[i][c]);
            absorb(digest, buffers.velocity[i][c]);
            if constexpr (Policy::Update::has_residual) {
                absorb(digest, x_residual[c]);
                absorb(digest, u_residual[c]);
            }
        }
        absorb(digest, buffers.velocity[i].w);
        if constexpr (Policy::Update::has_residual) absorb(digest, u_residual.w);
        const ParticleDigest::Words words = digest.finish();
        first += words.first;
        second += words.second;
    }

    Snapshot snapshot;
    snapshot.count = count;
    snapshot.hash.words = {first, second};
    auto& columns = snapshot.columns;
    const Real stiffness = static_cast<Real>(frame.parameters.stiffness);
    const Real to_velocity = static_cast<Real>(frame.units.velocity);
    const Real to_pressure = static_cast<Real>(frame.units.density * frame.units.velocity * frame.units.velocity);
    columns.push_back(
        make_column<double>("position", "m", "global position", false, 3, place, [&](std::uint32_t i, int c) {
            if (c >= D) return static_cast<double>(buffers.cell[i][c]) * frame.units.length;
            const double origin = frame.origin[static_cast<std::size_t>(c)];
            return (origin + position_of<Policy, D>(buffers, frame, i)[c]) * frame.units.length;
        }));
    columns.push_back(make_column<Real>("velocity", "m/s", "velocity, without rounding from the state", true, 3, place,
                                        [&](std::uint32_t i, int c) { return buffers.velocity[i][c] * to_velocity; }));
    columns.push_back(make_column<Real>("density_deviation", "1", "rho/rho0 - 1", true, 1, place,
                                        [&](std::uint32_t i, int) { return buffers.velocity[i].w; }));
    columns.push_back(
        make_column<Real>("pressure", "Pa", "from the equation of state", false, 1, place, [&](std::uint32_t i, int) {
            return to_pressure * pressure_over_reference_density(frame.physics.state_equation,
                                                                 CentredDensity<Real>{buffers.velocity[i].w},
                                                                 stiffness);
        }));
    columns.push_back(
        make_column<std::uint8_t>("kind", "1", "0 fluid, 1 wall", true, 1, place,
                                  [&](std::uint32_t i, int) { return static_cast<std::uint8_t>(buffers.kind[i]); }));
    columns.push_back(make_column<std::int32_t>("cell", "1", "cell index, the case's origin included", true, 3, place,
                                                [&](std::uint32_t i, int c) { return buffers.cell[i][c]; }));
    columns.push_back(make_column<Real>("offset", "cell side", "from the centre of the cell", true, 3, place,
                                        [&](std::uint32_t i, int c) { return buffers.offset[i][c]; }));
    if constexpr (Policy::Update::has_residual) {
        columns.push_back(make_column<Real>("offset_residual", "cell side", "what rounding has kept out of the offset",
                                            true, 3, place,
                                            [&](std::uint32_t i, int c) { return buffers.offset_residual[i][c]; }));
        columns.push_back(
            make_column<Real>("velocity_residual", "m/s", "what rounding has kept out of the velocity", true, 3, place,
                              [&](std::uint32_t i, int c) { return buffers.velocity_residual[i][c] * to_velocity; }));
        columns.push_back(make_column<Real>("density_residual", "1", "what rounding has kept out of rho/rho0 - 1", true,
                                            1, place,
                                            [&](std::uint32_t i, int) { return buffers.velocity_residual[i].w; }));
    }
    return snapshot;
}

#define HALFULP_INSTANTIATE(Policy)                                                   \
    template Snapshot take_snapshot<Policy, 2>(const Buffers<Policy>&, const Frame&); \
    template Snapshot take_snapshot<Policy, 3>(const Buffers<Policy>&, const Frame&);
HALFULP_FOR_EACH_POLICY(HALFULP_INSTANTIATE)
#undef HALFULP_INSTANTIATE

}  // namespace halfulp
