// Cases that have an exact answer: what each measures, against what, and how close it has to come.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "validation/columns.hpp"
#include "validation/experiment.hpp"
#include "validation/study.hpp"

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
};

// Runs a case with these overrides, looked at every `every` steps, and adds its steps and whether it broke.
void follow(AnalyticResult& result, const std::string& case_name, const std::vector<std::string>& overrides,
            std::uint64_t every, const Look& look);

struct AnalyticCase {
    std::string name;
    std::string summary;
    std::string case_file;   // by name
    std::string resolution;  // what `particles` counts, e.g. "particles a radius"
    std::string x_label;     // of the curve
    std::string y_label;
    std::vector<int> particles;
    int quick;
    std::vector<Criterion> criteria;
    std::function<AnalyticResult(int particles)> run;  // on one thread
};

AnalyticCase oscillating_drop();
AnalyticCase elliptical_drop();
AnalyticCase taylor_green();
AnalyticCase poiseuille();
AnalyticCase couette();
AnalyticCase standing_wave();
AnalyticCase hydrostatic_tank();
AnalyticCase rotating_square();

}  // namespace halfulp
