
#include "validation/differential/accuracy.hpp"
#include "validation/differential/conditioning.hpp"
#include "validation/statistics.hpp"

namespace halfulp::differential {

namespace {

struct Kept {
    std::vector<double> first;
    std::vector<double> second;
    static auto members(auto& self) { return std::tie(self.first, self.second); }
};
Kept kept(const Conditions& conditions) { return {conditions.first, conditions.second}; }

}  // namespace

void find_conditions(const StudyOptions& options, Page& page, Study& study)
{
    Table conditions(options.folder, "differential-conditions",
                     "order,place,domain,scale[spacings],condition,by_double,own,float_error,double_error,eigen_error");
    Table disorder(options.folder, "differential-disorder", "arrangement,order,median,percent99,largest,undetermined");
    page.heading("(h) Condition of the matrices");
    page.table(
        {"place", "domain", "condition", "expected", "Eigen in double", "own in float", "own solution in float, u",
         "in double, u", "Eigen's in double, u"},
        "first order; errors of solutions against Eigen in quadruple precision, relative to |x|, in units of the number "
        "type's roundoff u times the condition");
    constexpr std::array places{Place::inside, Place::face, Place::edge, Place::corner};
    // Computed apart, in 30 digits.
    constexpr double expected_first[2][4] = {{1.000, 1.421, 2.234, 2.758}, {1.000, 1.461, 2.182, 2.482}};
    bool as_expected = true;
    bool accurate = true;
    const auto book = [&](int order, Place place, const char* domain, double scale, const Conditioning& c) {
        conditions.row(order, place_names[static_cast<std::size_t>(place)], domain, scale, c.condition, c.by_double,
                       c.own, c.float_error, c.double_error, c.by_double_error);
        accurate =
            accurate && c.float_error < 12 * c.condition * 0x1p-24 && c.double_error < 12 * c.condition * 0x1p-53;
        return fmt::format("{:.2g} | {:.2g} | {:.2g}", c.float_error / c.condition * 0x1p24,
                           c.double_error / c.condition * 0x1p53, c.by_double_error / c.condition * 0x1p53);
    };
    for (const bool cube : {false, true}) {
        for (std::size_t k = 0; k < places.size(); ++k) {
            const Conditioning c = first_order_at(places[k], cube);
            const double expected = expected_first[cube ? 1 : 0][k];
            as_expected = as_expected && std::abs(c.condition - expected) < 0.0006;
            const std::string errors = book(1, places[k], cube ? "cube" : "sphere", 1.5, c);
            page.row("{} | {} | {:.4f} | {:.3f} | {:.4f} | {:.4f} | {}",
                     place_names[static_cast<std::size_t>(places[k])], cube ? "cube" : "sphere", c.condition, expected,
                     c.by_double, c.own, errors);
        }
    }
    page.table({"place", "r_s over the spacing", "condition", "expected", "Eigen in double", "own solution in float, u",
                "in double, u", "Eigen's in double, u"},
               "second order, sphere");
    constexpr std::array scales{0.01, 0.1, 1.0, 1.5, 2.0, 3.1, 10.0, 100.0};
    constexpr double expected_second[3][scales.size()] = {{4.0e4, 398, 5.0, 5.0, 5.0, 12, 126, 1.3e4},
                                                          {5.5e5, 5.5e3, 81, 56, 52, 73, 612, 6.0e4},
                                                          {6.1e5, 6.1e3, 109, 85, 87, 122, 851, 8.2e4}};
    for (const Place place : places) {
        const std::size_t row = place == Place::inside ? 0 : place == Place::face ? 1 : 2;
        for (std::size_t k = 0; k < scales.size(); ++k) {
            const Conditioning c = second_order_at(place, scales[k]);
            const double expected = place == Place::edge ? 0 : expected_second[row][k];
            as_expected = as_expected && (expected == 0 || std::abs(c.condition / expected - 1) < 0.06);
            const std::string errors = book(2, place, "sphere", scales[k], c);
            page.row("{} | {} | {:.4g} | {} | {:.4g} | {}", place_names[static_cast<std::size_t>(place)], scales[k],
                     c.condition, expected == 0 ? "" : fmt::format("{:g}", expected), c.by_double, errors);
        }
    }
    page.verdict(as_expected, "condition numbers as computed apart in 30 digits, to the digits that are given");
    page.verdict(accurate, "solutions of this code within 12 u times the condition, in float and double");

    page.table({"arrangement", "order", "median", "99 %", "largest", "undetermined", "of particles"},
               "all particles, free surface included; sphere, r_s = 1.5 spacings");
    const auto amplitudes = options.choose<std::vector<double>>({0.3}, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3});
    const int edge = options.choose(8, 12, 20);
    Measurements<std::string, Kept> measurements;
    for (const double amplitude : amplitudes)
        measurements.add(fmt::format("disorder {}", amplitude),
                         parameter_key("differential", {"part=conditions", fmt::format("edge={}", edge),
                                                        fmt::format("disorder={}", amplitude)}),
                         [=] { return kept(conditions_of(lattice_box<3>(edge, amplitude, reach), reach)); });
    const Case c = snapshot_case(options);
    measurements.add("dam break, 2D", job_key("differential", c, {"part=conditions"}),
                     [c] { return kept(conditions_of(broken_dam(c), reach)); });
    study.run(measurements, [&](const std::string& name, const Kept& kept) {
        for (const auto& [order, all] : {std::pair{1, &kept.first}, std::pair{2, &kept.second}}) {
            Sample known;
            for (const double value : *all)
                if (std::isfinite(value)) known.push_back(value);
            const std::size_t undetermined = all->size() - known.size();
            const double most = *std::ranges::max_element(known);
            disorder.row(name, order, quantile(known, 0.5), quantile(known, 0.99), most, undetermined);
            page.row("{} | {} | {:.3g} | {:.3g} | {:.3g} | {} | {}", name, order, quantile(known, 0.5),
                     quantile(known, 0.99), most, undetermined, all->size());
        }
    });
}

}  // namespace halfulp::differential
