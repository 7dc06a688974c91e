// Short simulations with their state's hash and energy ledger recorded on the way, and their comparison bit by bit.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/error.hpp"
#include "core/evolution/simulation.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp::test {

using Overrides = std::vector<std::string>;

inline Overrides operator+(Overrides a, const Overrides& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

inline const Overrides in_double = {"numerics.precision=double"};

inline Problem problem_of(const std::string& case_name, const Overrides& overrides)
{
    return prepare(read_case(find_case(case_name), overrides));
}

// One thread unless said otherwise: several are slower for the few hundred particles of a test.
inline Simulation simulation_of(const Problem& problem, CpuOptions options = {.threads = 1, .lanes = 0})
{
    return {problem, make_cpu_backend(problem, options)};
}

// The numbers of lanes that this processor has for a problem's precision, in ascending order.
inline std::vector<int> lane_counts(const Problem& problem)
{
    std::vector<int> counts;
    for (const int lanes : {1, 2, 4, 8, 16}) {
        try {
            make_cpu_backend(problem, {.threads = 1, .lanes = lanes});
            counts.push_back(lanes);
        } catch (const Error&) {
            continue;
        }
    }
    return counts;
}

// The particles of a problem, and its origin, moved by whole cells to where no case file may put them.
inline void move(Problem& problem, const std::array<std::int32_t, 3>& by)
{
    for (std::size_t c = 0; c < 3; ++c) {
        problem.source.origin.cells[c] += by[c];
        problem.centre.cell[c] += by[c];
        for (ProbePlace& place : problem.probes) place.at.cell[c] += by[c];
        for (InitialParticle& particle : problem.particles.stored()) particle.cell[c] += by[c];
    }
}

inline const Column& column(const Snapshot& snapshot, const std::string& name)
{
    const auto found = std::find_if(snapshot.columns.begin(), snapshot.columns.end(),
                                    [&](const Column& column) { return column.name == name; });
    if (found == snapshot.columns.end()) throw std::out_of_range("no column " + name);
    return *found;
}

template <class T>
std::vector<T> values_of(const Column& column)
{
    std::vector<T> values(column.data.size() / sizeof(T));
    std::memcpy(values.data(), column.data.data(), column.data.size());
    return values;
}

// The numbers of a column of either floating-point type.
inline std::vector<double> doubles_of(const Snapshot& snapshot, const std::string& name)
{
    const Column& found = column(snapshot, name);
    if (found.type == ColumnType::float64) return values_of<double>(found);
    const auto values = values_of<float>(found);
    return std::vector<double>(values.begin(), values.end());
}

struct Moment {
    LedgerRow row;
    Snapshot snapshot;
};

struct Trajectory {
    std::array<std::int32_t, 3> origin{};
    std::vector<Moment> moments;

    [[nodiscard]] const LedgerRow& last() const { return moments.back().row; }
};

inline void record(Simulation& simulation, std::uint64_t steps, std::uint64_t every, Trajectory& trajectory)
{
    for (std::uint64_t step = simulation.steps();; ++step) {
        if (step % every == 0) trajectory.moments.push_back({simulation.ledger_row(), simulation.snapshot()});
        if (step == steps) return;
        simulation.step();
    }
}

// The states at the start and after every `every` steps up to `steps`.
inline Trajectory trajectory_of(const Problem& problem, std::unique_ptr<Backend> backend, std::uint64_t steps,
                                std::uint64_t every)
{
    Trajectory trajectory{.origin = problem.source.origin.cells, .moments = {}};
    Simulation simulation(problem, std::move(backend));
    record(simulation, steps, every, trajectory);
    return trajectory;
}

// The same, saved after `at` steps and gone on with by another back end.
inline Trajectory resumed_trajectory_of(const Problem& problem, std::unique_ptr<Backend> first,
                                        std::unique_ptr<Backend> second, std::uint64_t at, std::uint64_t steps,
                                        std::uint64_t every)
{
    Trajectory trajectory{.origin = problem.source.origin.cells, .moments = {}};
    Simulation begun(problem, std::move(first));
    record(begun, at, every, trajectory);
    Simulation simulation(problem, std::move(second), begun.state());
    if (at % every == 0) trajectory.moments.pop_back();  // to be recorded once more, as it is after the change
    record(simulation, steps, every, trajectory);
    return trajectory;
}

inline Trajectory trajectory_of(const Problem& problem, CpuOptions options, std::uint64_t steps, std::uint64_t every)
{
    return trajectory_of(problem, make_cpu_backend(problem, options), steps, every);
}

// Whether every bit of a column is compared: those of the state, and what was computed of it by passes over pairs.
inline bool is_compared(const Column& one)
{
    for (const char* analysis : {"vorticity", "divergence", "condition", "gradient", "laplacian"})
        if (one.name == analysis) return true;
    return one.state;
}

// Where two states differ first, by id and then by column; empty if nowhere.
inline std::string first_difference(const Snapshot& a, const Snapshot& b, const std::array<std::int32_t, 3>& origin_a,
                                    const std::array<std::int32_t, 3>& origin_b)
{
    if (a.count != b.count) return "the numbers of particles";
    for (std::uint64_t id = 0; id < a.count; ++id) {
        for (const Column& there : a.columns) {
            if (!is_compared(there)) continue;
            const Column& here = column(b, there.name);
            const std::size_t size = size_of(there.type);
            for (int c = 0; c < there.components; ++c) {
                const std::size_t at =
                    (id * static_cast<std::size_t>(there.components) + static_cast<std::size_t>(c)) * size;
                std::uint64_t x = 0;
                std::uint64_t y = 0;
                std::memcpy(&x, there.data.data() + at, size);
                std::memcpy(&y, here.data.data() + at, size);
                if (there.name == "cell") {
                    x = static_cast<std::uint32_t>(x) - static_cast<std::uint32_t>(origin_a[std::size_t(c)]);
                    y = static_cast<std::uint32_t>(y) - static_cast<std::uint32_t>(origin_b[std::size_t(c)]);
                }
                if (x != y) return fmt::format("particle {}, {}[{}]: bits {:#x} and {:#x}", id, there.name, c, x, y);
            }
        }
    }
    return {};
}

// Every moment that both have: hash, every column of state or analyses and every number of the ledger. Fails once,
// naming the first step, particle and column.
inline void expect_same_bits(const Trajectory& a, const Trajectory& b, const std::string& what)
{
    const std::size_t common = std::min(a.moments.size(), b.moments.size());
    ASSERT_GT(common, 1U);
    for (std::size_t k = 0; k < common; ++k) {
        const Moment& x = a.moments[k];
        const Moment& y = b.moments[k];
        const std::string difference = first_difference(x.snapshot, y.snapshot, a.origin, b.origin);
        ASSERT_TRUE(difference.empty()) << what << ", step " << x.row.step << ": " << difference;
        ASSERT_EQ(x.snapshot.hash, y.snapshot.hash) << what << ", step " << x.row.step << ": only the hash differs";
        for (const LedgerColumn& number : ledger_columns)
            ASSERT_EQ(std::bit_cast<std::uint64_t>(x.row.*number.member),
                      std::bit_cast<std::uint64_t>(y.row.*number.member))
                << what << ", step " << x.row.step << ": ledger column " << number.name;
    }
}

// How a run ends that breaks down: the particle, what it did, where and when, and the state of all.
inline std::string breakdown_of(const Problem& problem, std::unique_ptr<Backend> backend)
{
    Simulation simulation(problem, std::move(backend));
    try {
        for (int k = 0; k < 20'000; ++k) simulation.step();
    } catch (const SimulationBroke& broke) {
        return fmt::format("{} {} {} {} {}", broke.breakdown.id, broke.breakdown.what, broke.breakdown.position[0],
                           simulation.time(), simulation.snapshot().hash.text());
    }
    return "did not break";
}

}  // namespace halfulp::test
