// Flows with an analytic solution: the case of each, what is measured against what, and the errors allowed.
#pragma once

#include "validation/columns.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

// One point of the curve that is drawn beside the exact one: over time, or along a profile.
struct CurvePoint {
    double x;
    double measured;
    double exact;
};

struct Criterion {
    std::string name;        // of an error, e.g. "period, relative error"
    double tolerance;        // at the finest of the resolutions
    double quick_tolerance;  // at the quick one
    // p of error ~ (spacing)^p from the coarsest resolution to the finest that it has to reach; 0: none is claimed, the
    // error ends where something else than the spacing makes it (docs/accuracy.md).
    double least_order = 0;
};

struct AnalyticResult {
    std::uint64_t steps = 0;
    bool broke = false;
    std::vector<CurvePoint> curve;
    std::vector<double> errors;  // one for each criterion
    static auto members(auto& self) { return std::tie(self.steps, self.broke, self.curve, self.errors); }

    // The largest of all moments counts.
    void raise(std::size_t criterion, double error);
};

// Runs a case with these overrides, and has `look` add to the result every `every` steps.
AnalyticResult follow(const std::string& case_name, const std::vector<std::string>& overrides, std::uint64_t every,
                      const std::function<void(AnalyticResult&, const Problem&, const Simulation&)>& look);

struct AnalyticCase {
    std::string name;
    std::string summary;
    std::string case_file;   // by name
    std::string resolution;  // what `particles` counts, e.g. "particles a radius"
    std::string y_label;     // of the curve
    std::string x_label = "time (s)";
    std::vector<int> particles;
    int quick;
    std::vector<Criterion> criteria;
    std::function<AnalyticResult(int particles)> run;  // on one thread
};

std::vector<AnalyticCase> drops();
std::vector<AnalyticCase> flows();

}  // namespace halfulp
