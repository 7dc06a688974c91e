// Diagnostics of particles in the host's memory: sums for the energy ledger, snapshots with hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core/particles/ledger_terms.hpp"
#include "core/particles/order.hpp"
#include "core/particles/probe_terms.hpp"
#include "core/results/snapshot.hpp"
#include "precision/exact_sum.hpp"

namespace halfulp {

// Sums over all particles, per unit of particle mass, in units of the state: rounded once, in LedgerTotals::sums.
struct LedgerSums {
    double kinetic = 0;
    double potential = 0;
    double compressive_fluid = 0;
    double compressive_wall = 0;
    double central = 0;  // potential energy of the central force
    std::array<double, works.size()> work{};
    std::array<double, 3> momentum{};
    std::array<double, 3> angular_momentum{};  // about the case's origin; in 2D only the last
    double max_speed = 0;
    double max_density_deviation = 0;  // of the fluid
    double front = 0;                  // largest x of the fluid relative to the case's origin, in cell sides
};

// Exact sums as they are gathered: the result has the same bits for any order and partition, whatever the number of
// back ends.
struct LedgerTotals {
    std::array<ExactSum, LedgerSum::count> exact;
    double speed2 = 0;
    double density = 0;
    double front = -std::numeric_limits<double>::infinity();

    void add(int sum, double term) { exact[static_cast<std::size_t>(sum)].add(term); }
    void raise_speed(double value) { speed2 = larger(speed2, value); }
    void raise_density(double value) { density = larger(density, value); }
    void raise_front(double value) { front = larger(front, value); }
    void merge(const LedgerTotals& other);
    [[nodiscard]] LedgerSums sums() const;
};

template <class Policy, int D>
LedgerTotals ledger_totals(const ParticleView<Policy>& particles, const Domain& domain);

// The contributions of all particles to each probe point.
template <class Policy, int D>
std::vector<ProbeTotals> probe_totals(const ParticleView<Policy>& particles, const Domain& domain,
                                      const std::vector<ProbePlace>& places);

// The rates of the last passes over neighbours, in ascending id: du/dt (0 for walls unless their forces are wanted) and
// ds/dt in units of the state. `remainder` is the rounding error to double of a wider number type.
struct Rates {
    std::vector<std::array<double, 4>> leading;
    std::vector<std::array<double, 4>> remainder;
};

template <class Policy, int D>
Rates rates_of(const ParticleView<Policy>& particles, const Domain& domain)
{
    using Real = typename Policy::Real;
    const Real unit_rate = Policy::Density::rate(Real(1), Real(domain.parameters.reference_density));
    Rates rates;
    rates.leading.resize(particles.count);
    rates.remainder.resize(particles.count);
    const std::vector<std::uint32_t> places = places_by_id(particles.cell, particles.count);
    for (std::size_t row = 0; row < particles.count; ++row) {
        const std::size_t i = places[row];
        for (int c = 0; c < 4; ++c) {
            const bool moved = particles.kind[i] == Kind::fluid || domain.physics.wall_forces;
            const Real rate = c == 3 ? Real(particles.rate[i].w / unit_rate) : moved ? particles.rate[i][c] : Real(0);
            const auto k = static_cast<std::size_t>(c);
            rates.leading[row][k] = static_cast<double>(rate);
            rates.remainder[row][k] = static_cast<double>(Real(rate - Real(rates.leading[row][k])));
        }
    }
    return rates;
}

// The particles from which outputs are made, and the index of each row.
struct ShownParticles {
    std::shared_ptr<const void> particles;
    std::vector<std::uint32_t> place;
};

// Writes the row of the particle at an index to `to`.
using WriteRow = void (*)(const void* particles, std::uint32_t place, std::byte* to);

// A column, or the positions in the case's coordinates, in ascending id. Compiled once for all policies.
ColumnSource column_source(Column column, const std::shared_ptr<const ShownParticles>& from, WriteRow write);
std::function<void(std::uint64_t, std::uint64_t, double*)> place_source(
    const std::shared_ptr<const ShownParticles>& from, WriteRow write);

// The columns and the hash; the caller fills in time and step. `keep`: owner of the particles' memory, if the source is
// to keep it alive.
template <class Policy, int D>
SnapshotSource snapshot_source(const ParticleView<Policy>& particles, const Domain& domain,
                               std::shared_ptr<const void> keep = {});

template <class Policy, int D>
Snapshot take_snapshot(const ParticleView<Policy>& particles, const Domain& domain)
{
    return whole(snapshot_source<Policy, D>(particles, domain));
}

}  // namespace halfulp
