// Samples of a problem's probes while its simulation goes on.
#pragma once

#include <cstddef>
#include <vector>

#include "core/evolution/simulation.hpp"
#include "core/output/probe_series.hpp"

namespace halfulp {

class ProbeRecorder {
public:
    explicit ProbeRecorder(const Problem& problem);

    // To be called at the start and after every step: samples the probes that are due, which each is when first asked
    // and at the first step at or past each multiple of its interval. Changes neither the state nor a step.
    void look(const Simulation& simulation);

    // Goes on from what was measured before, with the columns of empty_series.
    void restore(const std::vector<ProbeSeries>& measured);

    // All that was measured; a series for each probe, in the order of the case.
    [[nodiscard]] const std::vector<ProbeSeries>& series() const { return series_; }
    // The same, but only what was measured since the last call.
    [[nodiscard]] std::vector<ProbeSeries> take_pending();

private:
    // Waits for the first multiple of the interval after a time.
    void wait_after(std::size_t probe, double time);

    std::vector<ProbeSeries> series_;
    std::vector<double> intervals_;       // s
    std::vector<double> next_;            // the multiple of its interval that each probe waits for, a whole number
    std::vector<std::size_t> handed_on_;  // samples of each
};

}  // namespace halfulp
