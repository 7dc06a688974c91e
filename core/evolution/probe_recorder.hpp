// Sampling of a problem's probes during its simulation.
#pragma once

#include <cstddef>
#include <vector>

#include "core/evolution/simulation.hpp"
#include "core/output/probe_series.hpp"

namespace halfulp {

class ProbeRecorder {
public:
    explicit ProbeRecorder(const Problem& problem);

    // To be called at the start and after every step: samples the probes that are due, at the first call and at the
    // first step at or past each multiple of their interval. Changes neither the state nor a step. Returns the indices
    // of the sampled probes.
    std::vector<std::size_t> look(const Simulation& simulation);

    // Resumes after earlier measurements, with the columns of empty_series.
    void restore(const std::vector<ProbeSeries>& measured);

    // All measurements; a series for each probe, in the order of the case.
    [[nodiscard]] const std::vector<ProbeSeries>& series() const { return series_; }
    // Only the measurements since the last call.
    [[nodiscard]] std::vector<ProbeSeries> take_pending();

private:
    // Sets the next sample to the first multiple of the interval after a time.
    void wait_after(std::size_t probe, double time);

    std::vector<ProbeSeries> series_;
    std::vector<double> intervals_;       // s
    std::vector<double> next_;            // the next multiple of its interval for each probe, a whole number
    std::vector<std::size_t> handed_on_;  // number of samples of each
};

}  // namespace halfulp
