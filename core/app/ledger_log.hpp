// The rows of a run's ledger on their way from the simulation to the summary, the watch and the files.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/app/floating_point.hpp"
#include "core/app/run.hpp"
#include "core/evolution/watch.hpp"

namespace halfulp {

// Keeps rows for the summary and passes them on in batches.
class LedgerLog {
public:
    // modes: null if another part of the program checks them
    LedgerLog(RunOutcome& outcome, Watch& watch, FloatingPointWatch* modes)
        : outcome_(outcome), watch_(watch), modes_(modes)
    {
    }

    void take_row(const Simulation& simulation)
    {
        if (modes_ != nullptr) modes_->look(place_of(simulation));
        add(simulation.ledger_row());
    }
    // Resumes after rows written before.
    void restore(const std::vector<LedgerRow>& rows)
    {
        for (const LedgerRow& row : rows) add(row);
        pending_.clear();
    }
    std::vector<LedgerRow> take_pending() { return std::exchange(pending_, {}); }

private:
    void add(const LedgerRow& row)
    {
        if (any_ && row.step == outcome_.last.step) return;
        if (!any_) outcome_.first = row;
        any_ = true;
        outcome_.last = row;
        outcome_.largest_residual = std::max(outcome_.largest_residual, std::abs(row.residual));
        outcome_.largest_density_deviation = std::max(outcome_.largest_density_deviation, row.max_density_deviation);
        outcome_.largest_speed = std::max(outcome_.largest_speed, row.max_speed);
        outcome_.front.push_back({row.time, row.front});
        outcome_.watched.push_back({row.time, row.max_density_deviation, row.max_speed, row.time_step});
        watch_.look(row);
        pending_.push_back(row);
    }

    RunOutcome& outcome_;
    Watch& watch_;
    FloatingPointWatch* modes_;
    std::vector<LedgerRow> pending_;
    bool any_ = false;
};

}  // namespace halfulp
