// Published experiments: the case of each, what was measured, and how a run is scored against it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/setup/case.hpp"
#include "core/setup/table.hpp"
#include "validation/measurements/scores.hpp"
#include "validation/study.hpp"

namespace halfulp {

// Files of measured curves, which are not part of the program: from the folder that --data names, or none.
class MeasuredData {
public:
    // Throws an Error if there is such an option and no such folder.
    explicit MeasuredData(std::optional<std::filesystem::path> folder);

    // Nothing if there is no such file; then `use`, what is left out without it, is said in missing(). Throws an Error
    // for a file that cannot be read as a table.
    std::optional<NumberTable> table(const std::string& file, const std::string& use);
    // The same of its path.
    std::optional<std::filesystem::path> path(const std::string& file, const std::string& use);
    // A sentence for each file that was asked for in vain.
    [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

private:
    std::optional<std::filesystem::path> folder_;
    std::vector<std::string> missing_;
};

// A run of the case.
struct MeasuredRun {
    std::uint64_t fluid = 0;  // particles
    std::uint64_t wall = 0;
    std::uint64_t steps = 0;
    bool broke = false;
    double time = 0;                                          // s; the end, or where it broke
    std::vector<std::vector<std::vector<double>>> columns{};  // of each probe
    Series front{};                                           // m; empty unless the case has a [front]
    static auto members(auto& r) { return std::tie(r.fluid, r.wall, r.steps, r.broke, r.time, r.columns, r.front); }
    // Not part of what is kept.
    Case source{};
    Scale scale = Scale::usual;

    // Of the case's probe of that name.
    [[nodiscard]] Series probe(const std::string& name, const std::string& column) const;
};

struct Score {
    std::string name;      // of the quantity
    std::string measured;  // with its unit
    std::string asked;     // e.g. "within 3 %"; empty: shown and not judged
    std::string computed;  // with its unit and the deviation
    bool met = true;       // what is asked
    // The same as numbers, for tables; empty where there is none.
    std::string unit{};  // of both; "1": a ratio
    std::optional<double> measured_number{};
    std::optional<double> computed_number{};
};

enum class Deviation { relative, absolute };

// A number beside a measured one. limit: the largest deviation allowed, as a fraction or in the numbers' own unit; 0:
// not judged.
Score compared(const std::string& name, std::optional<double> computed, double measured, const std::string& unit,
               double limit, Deviation deviation = Deviation::relative);

// One curve of the figure.
struct Curve {
    enum class Look { computed, line, points };
    std::string panel;   // the label of its ordinate; curves of one label share a panel
    std::string source;  // whose it is; for what was computed the page puts the resolution
    Look look = Look::computed;
    Series series;
    Band band;  // around it; empty: none
};

struct Comparison {
    std::vector<Score> scores;  // the same quantities for every run
    std::vector<Curve> curves;

    // A score of compared().
    void add_score(const std::string& name, std::optional<double> computed, double measured, const std::string& unit,
                   double limit = 0, Deviation deviation = Deviation::relative)
    {
        scores.push_back(compared(name, computed, measured, unit, limit, deviation));
    }
    // A score of mean_deviation(); limit: the largest allowed, 0: not judged.
    void add_deviation(const std::string& name, const std::string& measured, std::optional<double> deviation,
                       double limit = 0);

    void add_computed(const std::string& panel, const Series& series)
    {
        curves.push_back({.panel = panel, .source = "", .series = series, .band = {}});
    }
    void add_measured(const std::string& panel, const std::string& source, Curve::Look look, const Series& series)
    {
        curves.push_back({panel, source, look, series, {}});
    }
};

struct Resolutions {
    Scale from;  // the smallest scale at which the case is carried out without being named
    int quick;
    int usual;
    std::vector<int> full;
};

struct MeasuredCase {
    std::string name;
    std::string summary;
    std::string citation;
    std::string case_file;                                          // by name
    std::string resolution = "particles across the water's depth";  // what a resolution counts
    double length;                                                  // m, which holds that many spacings
    std::string abscissa = "time (s)";
    Resolutions resolutions;
    std::function<void(Case&, MeasuredData&)> prepare;  // optional: what the case takes from measured curves
    std::function<Comparison(const MeasuredRun&, MeasuredData&)> compare;
};

MeasuredCase lobovsky_2d();
MeasuredCase lobovsky_3d();
MeasuredCase spheric2();
MeasuredCase spheric10_2d();
MeasuredCase spheric10_3d();
MeasuredCase cehinav_sloshing();
MeasuredCase column();
MeasuredCase linear_sloshing();

}  // namespace halfulp
