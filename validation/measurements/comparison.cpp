#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "validation/measurements/measurements.hpp"

namespace halfulp {

MeasuredData::MeasuredData(std::optional<std::filesystem::path> folder) : folder_(std::move(folder))
{
    std::error_code unknown;
    if (folder_ && !std::filesystem::is_directory(*folder_, unknown)) {
        throw input_error(
            fmt::format("--data {}: is not a folder; give the one that holds the measured curves, or leave --data out",
                        folder_->string()));
    }
}

std::optional<std::filesystem::path> MeasuredData::path(const std::string& file, const std::string& use)
{
    std::error_code unknown;
    if (folder_ && std::filesystem::exists(*folder_ / file, unknown)) return std::filesystem::absolute(*folder_ / file);
    const std::string sentence = folder_ ? fmt::format("{} is not in {}: {}.", file, folder_->string(), use)
                                         : fmt::format("No --data folder with {} was given: {}.", file, use);
    if (std::ranges::find(missing_, sentence) == missing_.end()) missing_.push_back(sentence);
    return {};
}

std::optional<NumberTable> MeasuredData::table(const std::string& file, const std::string& use)
{
    const auto found = path(file, use);
    if (!found) return {};
    return read_number_table(*found);
}

Series MeasuredRun::probe(const std::string& name, const std::string& column) const
{
    for (const ProbeSeries& probe : probes) {
        if (probe.name == name) return {probe.time(), probe[column]};
    }
    throw std::out_of_range(fmt::format("case {} has no probe \"{}\"", source.name, name));
}

Score compared(const std::string& name, std::optional<double> computed, double measured, const std::string& unit,
               double limit, Deviation deviation)
{
    const bool relative = deviation == Deviation::relative;
    Score score;
    score.name = name;
    score.measured = fmt::format("{:.4g} {}", measured, unit);
    if (limit > 0)
        score.asked =
            relative ? fmt::format("within {:.3g} %", 100 * limit) : fmt::format("within {:.3g} {}", limit, unit);
    if (!computed) {
        score.computed = "none";
        score.met = !(limit > 0);
        return score;
    }
    const double away = relative ? (*computed - measured) / measured : *computed - measured;
    score.computed = relative ? fmt::format("{:.4g} {} ({:+.2f} %)", *computed, unit, 100 * away)
                              : fmt::format("{:.4g} {} ({:+.3g})", *computed, unit, away);
    score.met = !(limit > 0) || std::abs(away) <= limit;
    return score;
}

}  // namespace halfulp
