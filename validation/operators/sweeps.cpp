

#include "validation/laboratory.hpp"
#include "validation/operators/measure.hpp"

namespace halfulp {

namespace {

constexpr std::int32_t near_origin = 1;       // cells
constexpr std::int32_t split_far = 1000;      // cells
constexpr double usual_deviation = 1e-3;      // |s| of a flow at a thirtieth of the sound speed
constexpr double allowed_ulps = 3;            // of robust: a few roundings of every term, which add up as terms do
constexpr double allowed_factor = 1.2;        // of robust over the best policy without double
constexpr double allowed_difference = 1e-30;  // between two evaluations in 113 bits

struct Point {
    std::int32_t displacement;
    double deviation;
    auto operator<=>(const Point&) const = default;
};

std::string cells_away(std::int32_t cells) { return fmt::format("{} cell{}", cells, cells == 1 ? "" : "s"); }

std::string text_of(const Point& point)
{
    return fmt::format("{} away, |s| up to {:g}", cells_away(point.displacement), point.deviation);
}

const char* rate_name(bool density) { return density ? "density rate" : "acceleration"; }

std::string ulps_text(double relative_error)
{
    const double ulps = in_ulps(relative_error);
    return ulps < 100 ? fmt::format("{:.3g}", ulps) : fmt::format("{:.1e}", ulps);
}

class Sweeps {
public:
    Sweeps(Page& page, const StudyOptions& options, int dimensions)
        : page_(page), options_(options), dimensions_(dimensions), policies_(laboratory_policies(options.scale))
    {
        using Cells = std::vector<std::int32_t>;
        using List = std::vector<double>;
        const Cells decades{1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
        for (const std::int32_t cells : options.choose<Cells>({1, 1000, 1'000'000, 1'000'000'000}, decades, decades))
            by_displacement_.push_back({cells, usual_deviation});
        for (const double deviation :
             options.choose<List>({1e-7, 1e-5, 1e-3, 1e-1}, {1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1},
                                  {1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1}))
            by_deviation_.push_back({near_origin, deviation});
    }

    void run()
    {
        measure();
        page_.heading("Displacement from the origin, {}D", dimensions_);
        tables(
            by_displacement_, "displacement",
            [](const Point& p) { return fmt::format("{:g}", double(p.displacement)); },
            fmt::format("by displacement in cells, |s| up to {:g}", usual_deviation));
        page_.paragraph(
            "Where global coordinates of single precision round all particles to a few places, nothing is left to be evaluated: the "
            "error from the start as held falls to zero there, and that from the exact start is the result itself.");
        page_.heading("Deviation of the density from rest, {}D", dimensions_);
        tables(
            by_deviation_, "deviation", [](const Point& p) { return fmt::format("{:g}", p.deviation); },
            fmt::format("by the largest |s|, {} cell from the origin", near_origin));
        page_.heading("Where the errors come from, {}D", dimensions_);
        for (const std::int32_t displacement : {near_origin, split_far}) split_tables({displacement, usual_deviation});
        judge_references();
        judge_displacement();
        judge_robust();
        judge_against_others();
    }

private:
    [[nodiscard]] Block block_at(const Point& point) const
    {
        const int edge = dimensions_ == 2 ? options_.choose(20, 24, 32) : 14;
        return {
            .dimensions = dimensions_, .edge = edge, .displacement = point.displacement, .deviation = point.deviation};
    }

    void measure()
    {
        std::vector<Point> points = by_displacement_;
        points.insert(points.end(), by_deviation_.begin(), by_deviation_.end());
        std::vector<std::pair<std::string, Point>> measured;
        std::vector<Job> jobs;
        for (const PolicyInfo& policy : policies_) {
            for (const Point& point : points) {
                if (!errors_.try_emplace({policy.name, point}).second) continue;
                const Block block = block_at(point);
                const bool split = point.deviation == usual_deviation &&
                                   (point.displacement == near_origin || point.displacement == split_far);
                measured.emplace_back(policy.name, point);
                jobs.push_back({job_key("operators", case_of(block, policy.name),
                                        {fmt::format("deviation={}", block.deviation), fmt::format("split={}", split)}),
                                [block, name = policy.name, split] { return measure_operators(block, name, split); }});
            }
        }
        const Block far = block_at(by_displacement_.back());
        for (const char* quad : {"quad", "quad/units=si"})
            jobs.push_back({job_key("operators-quad", case_of(far, quad)),
                            [far, quad] { return difference_of_quads(far, quad); }});
        Study("operators", options_).run(jobs, [&](std::size_t k, const Result& result) {
            if (k < measured.size()) errors_[measured[k]] = result.as<OperatorErrors>();
            else quad_difference_ = std::max(quad_difference_, result.as<double>());
        });
    }

    // A row for each policy, whose cells `write` adds.
    template <class Write>
    void table_of_policies(const std::vector<std::string>& columns, const std::string& caption, Write write)
    {
        std::vector<std::string> header{"precision"};
        header.insert(header.end(), columns.begin(), columns.end());
        page_.table(header, caption);
        for (const PolicyInfo& policy : policies_) {
            std::vector<std::string> cells{policy.name};
            write(policy, cells);
            page_.row(cells);
        }
    }

    template <class Label>
    void tables(const std::vector<Point>& points, const std::string& what, Label label, const std::string& caption)
    {
        Table table(options_.folder, fmt::format("operators-{}-{}d", what, dimensions_),
                    "precision,bundle,displacement[cells],deviation[1],rate,rms_start[1],largest_start[1],rms_held[1],"
                    "largest_held[1],rms_start[ulp],rms_held[ulp],median_held[ulp of each component]");
        std::vector<std::string> labels;
        for (const Point& point : points) labels.push_back(label(point));
        for (const bool held : {false, true}) {
            for (const bool density : {false, true}) {
                table_of_policies(labels,
                                  fmt::format("rms error of the {} in ulps, from {}, {}", rate_name(density),
                                              held ? "the start as held" : "the exact start", caption),
                                  [&](const PolicyInfo& policy, std::vector<std::string>& cells) {
                                      for (const Point& point : points) {
                                          const ErrorOfRate& e = errors_.at({policy.name, point}).of(density);
                                          cells.push_back(ulps_text(held ? e.rms_held : e.rms_start));
                                          if (held) continue;
                                          table.row(policy.name, policy.bundle, point.displacement, point.deviation,
                                                    rate_name(density), e.rms_start, e.largest_start, e.rms_held,
                                                    e.largest_held, in_ulps(e.rms_start), in_ulps(e.rms_held),
                                                    e.own_ulps);
                                      }
                                  });
            }
        }
        page_.draw(table.complete(), "operators",
                   "Above: the bundles, from the exact start (lines) and from the start as held (dotted, where it "
                   "differs). Below: every policy from the exact start. All {}.",
                   caption);
    }

    void split_tables(const Point& point)
    {
        Table table(options_.folder, fmt::format("operators-sources-{}-{}d", point.displacement, dimensions_),
                    "precision,bundle,rate,source,share[1],share[ulp]");
        std::vector<std::string> columns(source_names.begin(), source_names.end());
        columns.emplace_back("all");
        for (const bool density : {false, true}) {
            table_of_policies(columns,
                              fmt::format("share of each source in the error of the {}, rms in ulps, {}",
                                          rate_name(density), text_of(point)),
                              [&](const PolicyInfo& policy, std::vector<std::string>& cells) {
                                  const ErrorOfRate& e = errors_.at({policy.name, point}).of(density);
                                  for (std::size_t k = 0; k < source_count; ++k) {
                                      cells.push_back(ulps_text(e.share[k]));
                                      table.row(policy.name, policy.bundle, rate_name(density), source_names[k],
                                                e.share[k], in_ulps(e.share[k]));
                                  }
                                  cells.push_back(ulps_text(e.rms_start));
                              });
        }
        page_.draw(table.complete(), "operators",
                   "What each source adds to the error of the bundles, {} from the origin. Shares add "
                   "up as vectors, that is about in squares.",
                   cells_away(point.displacement));
    }

    // The host's evaluation against the back end's, in the policies' arithmetic and in quadruple precision.
    void judge_references()
    {
        std::map<std::string, std::int32_t> differ;  // the nearest displacement at which bits do
        for (const auto& [key, errors] : errors_) {
            if (errors.differing == 0) continue;
            const auto [found, first] = differ.try_emplace(key.first, key.second.displacement);
            if (!first) found->second = std::min(found->second, key.second.displacement);
        }
        std::string where;
        for (const auto& [policy, displacement] : differ)
            where += fmt::format("; not {}, from {} cells on", policy, displacement);
        page_.verdict(differ.empty(),
                      "{}D: the host's evaluation over all pairs, with all sources in a policy's arithmetic, has the "
                      "bits of the back end, which finds its neighbours by cells, for every policy at every point{}",
                      dimensions_, where);
        page_.verdict(quad_difference_ <= allowed_difference,
                      "{}D: the reference on the host and the back end in quadruple precision agree to {:g} (largest "
                      "difference {:.1e})",
                      dimensions_, allowed_difference, quad_difference_);
    }

    void judge_displacement()
    {
        std::vector<std::string> same;
        std::vector<std::string> differ;
        for (const PolicyInfo& policy : policies_) {
            if (!policy.relative_to_cell) continue;
            const auto& here = errors_.at({policy.name, by_displacement_.front()});
            const bool equal = std::ranges::all_of(by_displacement_, [&](const Point& point) {
                return errors_.at({policy.name, point}).digest == here.digest;
            });
            (equal ? same : differ).push_back(policy.name);
        }
        page_.verdict(
            differ.empty() && !same.empty(),
            "{}D: the rates of every policy with positions relative to cells ({} policies) have the same bits "
            "at every displacement{}",
            dimensions_, same.size() + differ.size(),
            differ.empty() ? "" : fmt::format("; not those of {}", fmt::join(differ, ", ")));
    }

    void judge_robust()
    {
        std::string worst[2];
        double largest[2] = {0, 0};
        for (const auto& [key, errors] : errors_) {
            if (key.first != "robust") continue;
            for (const bool density : {false, true}) {
                const double error = in_ulps(errors.of(density).rms_start);
                if (error < largest[density]) continue;
                largest[density] = error;
                worst[density] = text_of(key.second);
            }
        }
        page_.verdict(
            largest[0] <= allowed_ulps && largest[1] <= allowed_ulps,
            "{}D: robust errs by at most {} ulps (rms) everywhere; largest {:.2f} in the acceleration ({}) and "
            "{:.2f} in the density rate ({})",
            dimensions_, allowed_ulps, largest[0], worst[0], largest[1], worst[1]);
    }

    // Robust over each other policy without double, from the exact start: where it is farthest behind.
    void judge_against_others()
    {
        page_.table({"precision", "farthest ahead of robust: robust's error over its", "where",
                     "farthest behind: its error over robust's", "where"},
                    "policies without double against robust, over all points and both rates");
        double factor = 0;
        std::string where = "none";
        for (const PolicyInfo& policy : policies_) {
            if (has_double_parts(policy) || policy.name == "robust") continue;
            double ahead = 0;
            double behind = 0;
            std::string at[2];
            for (const auto& [key, errors] : errors_) {
                if (key.first != policy.name) continue;
                for (const bool density : {false, true}) {
                    const double own = errors.of(density).rms_start;
                    const double robust = errors_.at({"robust", key.second}).of(density).rms_start;
                    const auto place = fmt::format("{}, {}", rate_name(density), text_of(key.second));
                    if (robust / own > ahead) ahead = robust / own, at[0] = place;
                    if (own / robust > behind) behind = own / robust, at[1] = place;
                }
            }
            page_.row("{} | {:.2f} | {} | {:.3g} | {}", policy.name, ahead, at[0], behind, at[1]);
            if (ahead > factor) factor = ahead, where = fmt::format("{}, {}", policy.name, at[0]);
        }
        page_.verdict(
            factor <= allowed_factor,
            "{}D: robust's error is within {} times that of every policy without double, at every point and in "
            "both rates; largest ratio {:.2f} ({})",
            dimensions_, allowed_factor, factor, where);
    }

    Page& page_;
    const StudyOptions& options_;
    int dimensions_;
    std::vector<PolicyInfo> policies_;
    std::vector<Point> by_displacement_;
    std::vector<Point> by_deviation_;
    std::map<std::pair<std::string, Point>, OperatorErrors> errors_;
    double quad_difference_ = 0;
};

}  // namespace

void sweep_operators(Page& page, const StudyOptions& options, int dimensions)
{
    Sweeps(page, options, dimensions).run();
}

}  // namespace halfulp
