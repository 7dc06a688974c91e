#include "validation/differential/murotani_2015.hpp"

#include "validation/differential/counted.hpp"

namespace halfulp::differential {

double operations(Operator which, Domain domain, const Visits& v)
{
    const bool sphere = domain == Domain::sphere;
    switch (which) {
    case Operator::gradient:
        return static_cast<double>(sphere ? gradient_in_sphere(v) : 3 * v.candidates + 43 * v.in_cube);
    case Operator::laplacian:
        return static_cast<double>(sphere ? laplacian_in_sphere(v) : 3 * v.candidates + 18 * v.in_cube);
    case Operator::lsmps:
    case Operator::compensated_lsmps:
        return static_cast<double>(sphere ? lsmps_in_sphere(v) : lsmps_in_cube(v).total());
    }
    __builtin_unreachable();
}

Printed printed_for(const Setting& setting, int divisions)
{
    const auto row = [&](Printed gradient, Printed laplacian, Printed lsmps) {
        return setting.which == Operator::gradient    ? gradient
               : setting.which == Operator::laplacian ? laplacian
                                                      : lsmps;
    };
    const bool sphere = setting.domain == Domain::sphere;
    if (setting.form == Form::list_table && divisions == 1 && sphere) return row({24.6, 8.0}, {17.2, 8.8}, {23.6, 8.9});
    if (setting.form != Form::star_rows) return {};
    if (divisions == 1 && sphere) return row({17.0, 11.5}, {11.1, 13.7}, {15.4, 13.7});
    if (divisions == 3 && sphere) return row({9.3, 15.1}, {6.5, 14.5}, {8.8, 17.6});
    if (divisions == 3) return row({}, {}, {11.48, 24.7});  // by its efficiency and operations
    return {};
}

}  // namespace halfulp::differential
