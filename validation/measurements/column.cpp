// The collapse of a column against Koshizuka and Oka 1996 and Martin and Moyce 1952.
#include <cmath>

#include <fmt/format.h>

#include "core/output/front.hpp"
#include "validation/measurements/measurements.hpp"

namespace halfulp {

namespace {

constexpr double width = 0.146;  // m, L of the case; the column is 2L high

Comparison compare(const MeasuredRun& run, MeasuredData& data)
{
    Comparison result;
    const Front& front = run.source.front.value();
    const double gravity = -run.source.gravity[1];
    const double to_scaled_time = std::sqrt(2 * gravity / front.length);
    std::vector<std::array<double, 2>> history;
    Series computed;
    for (std::size_t i = 0; i < run.front.time.size(); ++i) {
        history.push_back({run.front.time[i], run.front.value[i]});
        computed.add(run.front.time[i] * to_scaled_time, (run.front.value[i] - front.start) / front.length);
    }
    const std::string panel = "front, x/L";
    const auto scores = score_front(front, gravity, history);
    const bool passed = accepted(front, scores);
    for (std::size_t k = 0; k < scores.size(); ++k) {
        const FrontScore& score = scores[k];
        result.scores.push_back(
            {fmt::format("front, mean deviation from {}, with a lag of {:.2f} t sqrt(2g/L)", score.reference,
                         score.lag),
             fmt::format("{} points", score.points),
             fmt::format("within {:.0f} %, and not faster than every table by more than {:.0f} %, nor slower",
                         100 * front.tolerance, 100 * speed_tolerance),
             fmt::format("{:.1f} %, largest {:.1f} %; speed {:+.1f} %", 100 * score.mean_deviation,
                         100 * score.largest_deviation, 100 * (score.speed - 1)),
             passed});
        Series points;
        for (const auto& [t, x] : front.references[k].points) points.add(t - score.lag, x);
        result.add_measured(panel, score.reference, Curve::Look::points, points);
    }
    result.add_computed(panel, computed);

    // At the wall behind the column; the height that is left of 2L.
    Series height = run.probe("height", "level");
    for (double& t : height.time) t *= to_scaled_time;
    for (double& h : height.value) h /= 2 * front.length;
    if (const auto table =
            data.table("martin_moyce1952_height_n2_2_a57mm.csv", "the height of the column is left out")) {
        Series measured{table->ascending_column("tau_t_sqrt_g_over_a"), table->column("h_over_h0")};
        for (double& t : measured.time) t *= std::sqrt(2.0);  // tau has g, the front's time 2g
        const auto away = mean_deviation(height, measured, 0, computed.time.back());
        result.scores.push_back({"height at the wall behind, mean deviation from Martin and Moyce 1952",
                                 fmt::format("{} points", measured.time.size()), "",
                                 away ? fmt::format("{:.1f} %", 100 * *away) : "none", true});
        result.add_measured("height at the wall behind, h/2L", "Martin and Moyce 1952", Curve::Look::points, measured);
    }
    result.add_computed("height at the wall behind, h/2L", height);
    return result;
}

}  // namespace

MeasuredCase column()
{
    return {.name = "column",
            .summary = "a column twice as high as wide collapses, 2D",
            .citation =
                "Koshizuka and Oka, Nucl. Sci. Eng. 123 (1996) 421; Martin and Moyce, Phil. Trans. A 244 (1952) 312",
            .case_file = "collapse-column-2d",
            .resolution = "particles across the column's width",
            .length = width,
            .abscissa = "time t sqrt(2g/L)",
            .resolutions = {.from = Scale::usual, .quick = 20, .usual = 40, .full = {20, 40, 80}},
            .prepare = {},
            .compare = compare};
}

}  // namespace halfulp
