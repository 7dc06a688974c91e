#include "core/evolution/probe_recorder.hpp"

#include <cmath>
#include <utility>

namespace halfulp {

ProbeRecorder::ProbeRecorder(const Problem& problem)
{
    for (const Probe& probe : problem.source.probes) {
        series_.push_back(empty_series(probe, problem.source));
        intervals_.push_back(probe.interval);
    }
    next_.resize(series_.size());
    handed_on_.resize(series_.size());
}

void ProbeRecorder::wait_after(std::size_t probe, double time)
{
    next_[probe] = std::floor(time / intervals_[probe]) + 1;
    if (next_[probe] * intervals_[probe] <= time) ++next_[probe];
}

void ProbeRecorder::restore(const std::vector<ProbeSeries>& measured)
{
    for (std::size_t k = 0; k < series_.size(); ++k) {
        series_[k].values = measured.at(k).values;
        handed_on_[k] = series_[k].time().size();
        if (handed_on_[k] > 0) wait_after(k, series_[k].time().back());
    }
}

std::vector<std::size_t> ProbeRecorder::look(const Simulation& simulation)
{
    const double time = simulation.time();
    std::vector<std::size_t> due;
    for (std::size_t k = 0; k < series_.size(); ++k) {
        if (!(time >= next_[k] * intervals_[k])) continue;
        due.push_back(k);
        wait_after(k, time);
    }
    if (due.empty()) return due;
    const auto sampled = simulation.sample(due);
    for (std::size_t i = 0; i < due.size(); ++i) {
        auto& values = series_[due[i]].values;
        values[0].push_back(time);
        for (std::size_t c = 0; c < sampled[i].size(); ++c) values[c + 1].push_back(sampled[i][c]);
    }
    return due;
}

std::vector<ProbeSeries> ProbeRecorder::take_pending()
{
    std::vector<ProbeSeries> pending;
    for (std::size_t k = 0; k < series_.size(); ++k) {
        const ProbeSeries& all = series_[k];
        ProbeSeries some{.name = all.name,
                         .columns = all.columns,
                         .description = all.description,
                         .filter = all.filter,
                         .values = {}};
        for (const std::vector<double>& column : all.values)
            some.values.emplace_back(column.begin() + static_cast<std::ptrdiff_t>(handed_on_[k]), column.end());
        pending.push_back(std::move(some));
        handed_on_[k] = all.time().size();
    }
    return pending;
}

}  // namespace halfulp
