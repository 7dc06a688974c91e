// Finding neighbours and summing over them on the CPU, behind one interface for every number of lanes. All give the
// same bits.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/particles/buffers.hpp"
#include "kernels/parameters.hpp"

namespace halfulp {

struct PairSettings {
    Parameters<3, float> parameters{};
    std::string kernel;
    bool viscous = false;
    bool signal_speed = true;  // wanted for a variable step
    int search_cells = 2;      // support + skin, in cells
    int lanes = 1;
};

template <class Policy, int D>
class PairEngine {
public:
    using Real = typename Policy::Real;

    PairEngine() = default;
    virtual ~PairEngine() = default;
    PairEngine(const PairEngine&) = delete;
    PairEngine& operator=(const PairEngine&) = delete;

    // Finds the neighbours of all particles, which are in the canonical order.
    virtual void rebuild(const Buffers<Policy>& buffers) = 0;
    // ds/dt of all particles, into rate.w; returns the largest signal speed c_a + max_b |h u.r|/(r^2 + eta^2), or 0 if
    // the settings do not want it.
    virtual Real density_rate(Buffers<Policy>& buffers) = 0;
    // du/dt of the fluid, into rate and viscous_rate; returns the largest |du/dt|.
    virtual Real forces(Buffers<Policy>& buffers) = 0;
    // Held by the neighbour lists.
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

// The numbers of lanes there are for a policy: float 1, 4, 8; double 1, 2, 4.
template <class Policy, int D>
std::unique_ptr<PairEngine<Policy, D>> make_pair_engine(const PairSettings& settings);

// Throw an Error that says what there is.
[[noreturn]] void throw_no_kernel(const PairSettings& settings);
[[noreturn]] void throw_no_lanes(const PairSettings& settings, const char* precision, const std::vector<int>& allowed);

}  // namespace halfulp
