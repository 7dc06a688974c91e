#include "validation/chaos/comparison.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace halfulp {

Divergence divergence(const Ensemble& ensemble, const Ensemble& reference, double spacing)
{
    const bool own = ensemble.name == reference.name;
    Divergence result;
    std::vector<std::vector<double>> all;
    const std::size_t count = std::min(ensemble.members.size(), reference.members.size());
    for (std::size_t k = 0; k < count; ++k) {
        const Member& other = reference.members[own ? (k + 1) % count : k];
        std::vector<double> series = distances(ensemble.members[k], other);
        if (series.empty()) continue;
        for (double& d : series) d /= spacing;
        std::vector<double> times;
        for (const auto& record : ensemble.members[k].records) times.push_back(record.time);
        result.first.push_back(time_beyond(times, series, 1e-3));
        result.second.push_back(time_beyond(times, series, 1e-1));
        if (times.size() > result.times.size()) result.times = times;
        all.push_back(std::move(series));
    }
    for (std::size_t r = 0; r < result.times.size(); ++r) {
        Sample here;
        for (const auto& series : all)
            if (r < series.size()) here.push_back(series[r]);
        if (here.empty()) {
            result.times.resize(r);
            break;
        }
        const auto [low, high] = std::ranges::minmax_element(here);
        double sum = 0;
        for (const double d : here) sum += *low > 0 ? std::log(d) : 0;
        const double typical = *low > 0 ? std::exp(sum / static_cast<double>(here.size())) : 0;
        result.typical.push_back(typical);
        result.smallest.push_back(*low);
        result.largest.push_back(*high);
    }
    return result;
}

double growth_rate(const Divergence& apart, double from, double to)
{
    Sample times;
    Sample logarithms;
    for (std::size_t k = 0; k < apart.times.size(); ++k) {
        if (apart.times[k] < from || apart.times[k] > to || !(apart.typical[k] > 0)) continue;
        times.push_back(apart.times[k]);
        logarithms.push_back(std::log(apart.typical[k]));
    }
    return times.size() > 2 ? fitted_line(times, logarithms).slope : 0;
}

double typical_at(const Divergence& apart, double time)
{
    std::size_t nearest = 0;
    for (std::size_t k = 0; k < apart.times.size(); ++k)
        if (std::abs(apart.times[k] - time) < std::abs(apart.times[nearest] - time)) nearest = k;
    return apart.typical.empty() ? 0 : apart.typical[nearest];
}

Distinction distinguish(const Ensemble& ensemble, const Ensemble& reference, const std::vector<std::size_t>& records)
{
    Distinction result;
    double smallest = 1;
    for (const Quantity quantity : quantities) {
        for (const std::size_t record : records) {
            const Sample a = ensemble.values(quantity, record);
            const Sample b = reference.values(quantity, record);
            if (a.size() < 2 || b.size() < 2) continue;
            const double distance = kolmogorov_smirnov_distance(a, b);
            const auto& test = result.tests.emplace_back(
                QuantityTest{.quantity = quantity,
                             .record = record,
                             .time = reference.members[0].records.at(record).time,
                             .welch = welch_test(a, b),
                             .distance = distance,
                             .distance_p = kolmogorov_smirnov_p(a.size(), b.size(), distance)});
            const auto note = [&](double p, bool of_means) {
                if (p >= smallest) return;
                smallest = p;
                result.quantity = quantity;
                result.record = record;
                result.of_means = of_means;
                result.where =
                    fmt::format("{} at {:.2f} s, {}", name_of(quantity), test.time, of_means ? "mean" : "distribution");
            };
            note(test.welch.p, true);
            note(test.distance_p, false);
        }
    }
    result.smallest_p = std::min(1.0, smallest * 2 * static_cast<double>(result.tests.size()));
    return result;
}

double confirmed_p(const Distinction& found, const Ensemble& ensemble, const Ensemble& reference)
{
    const Sample a = ensemble.values(found.quantity, found.record);
    const Sample b = reference.values(found.quantity, found.record);
    if (a.size() < 2 || b.size() < 2) return 1;
    if (found.of_means) return welch_test(a, b).p;
    return kolmogorov_smirnov_p(a.size(), b.size(), kolmogorov_smirnov_distance(a, b));
}

Sample energy_errors(const Ensemble& ensemble)
{
    Sample errors;
    for (const Member& member : ensemble.members) {
        double sum = 0;
        for (const auto& record : member.records) {
            const double error = record.values[static_cast<std::size_t>(Quantity::energy_error)];
            sum += error * error;
        }
        errors.push_back(std::sqrt(sum / static_cast<double>(member.records.size())));
    }
    return errors;
}

}  // namespace halfulp
