// The moments of a run at which outputs and rows of the ledger are due. None of them shortens a step: each is met by
// the first step that reaches it.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/evolution/simulation.hpp"
#include "core/setup/case.hpp"

namespace halfulp {

class OutputMoments {
public:
    explicit OutputMoments(const Case& c)
        : interval_(c.output.interval), ledger_every_(static_cast<std::uint64_t>(c.output.ledger_every))
    {
    }

    [[nodiscard]] bool output_is_due(const Simulation& simulation) const
    {
        return simulation.time() >= static_cast<double>(next_) * interval_;
    }
    [[nodiscard]] bool row_is_due(const Simulation& simulation) const
    {
        return simulation.steps() % ledger_every_ == 0;
    }
    // Advances to the first output whose time lies ahead. A quotient, which is rounded, gives a nearby number first,
    // since there may be 2^53 outputs.
    void pass_outputs(const Simulation& simulation)
    {
        const double passed = std::floor(simulation.time() / interval_);
        if (passed > static_cast<double>(next_) + 1) next_ = static_cast<std::uint64_t>(passed) - 1;
        while (static_cast<double>(next_) * interval_ <= simulation.time()) ++next_;
    }

private:
    double interval_;  // s
    std::uint64_t ledger_every_;
    std::uint64_t next_ = 1;
};

}  // namespace halfulp
