// halfulp validate differential: errors of MPS and LSMPS operators, of discretisation and of rounding, and the
// condition of their matrices.
#include "validation/differential/accuracy.hpp"
#include "validation/columns.hpp"
#include "validation/statistics.hpp"

namespace halfulp::differential {

std::string cells_of(const std::array<double, quantity_count>& numbers)
{
    std::string text;
    for (const double number : numbers) text += fmt::format("{}{:.2e}", text.empty() ? "" : " | ", number);
    return text;
}
std::vector<std::string> header_with(std::vector<std::string> first)
{
    for (const char* name : quantity_names) first.emplace_back(name);
    return first;
}

Case snapshot_case(const StudyOptions& options)
{
    // At 0.5 s the front has reached the middle of the tank, at 0.9 s water falls back from the far wall.
    return case_with("dam-break-2d", {fmt::format("resolution.spacing={}", options.choose(0.03, 0.02, 0.01)),
                                      fmt::format("time.end={}", options.choose(0.5, 0.9, 0.9))});
}

Arrangement<2> broken_dam(const Case& c)
{
    Arrangement<2> water;
    FluidState state;
    const Simulated run = simulate(prepare(c), 1'000'000, [&](const Problem& problem, const Simulation& simulation) {
        state = fluid_of(problem, simulation.snapshot());
    });
    if (run.broke) throw Error(ExitCode::stopped, fmt::format("{} breaks down before its snapshot is taken", c.name));
    for (const auto& x : state.position)
        water.places.push_back({{x[0] / c.resolution.spacing, x[1] / c.resolution.spacing}});
    const auto neighbours = neighbours_of<SphericalDomain>(water.places, reach);
    const double full = lattice_constants<2, SphericalDomain>(reach).number_density;
    for (std::size_t i = 0; i < water.places.size(); ++i) {
        double density = 0;
        for (const std::uint32_t j : neighbours[i])
            density += SphericalDomain::weight(water.places[j] - water.places[i], 1 / reach);
        water.where.push_back(density < 0.97 * full ? Place::face : Place::inside);
    }
    return water;
}

namespace {

constexpr std::array waves{0.1, 0.2, 0.4};
constexpr std::size_t fields = 3 + waves.size();
std::string field_name(std::size_t k)
{
    return k == 0   ? "linear"
           : k == 1 ? "quadratic"
           : k == 2 ? "hydrostatic, 1 % noise"
                    : fmt::format("wave, k = {}", waves[k - 3]);
}

struct OfFields {
    std::vector<PlaceErrors> errors;
    static auto members(auto& self) { return std::tie(self.errors); }
};

template <class Domain, int D>
OfFields all_fields(const Arrangement<D>& arrangement)
{
    const auto neighbours = neighbours_of<Domain>(arrangement.places, reach);
    OfFields result;
    for (std::size_t k = 0; k < fields; ++k) {
        const auto samples = k == 0   ? sampled(linear_field<D>(), arrangement.places, 0)
                             : k == 1 ? sampled(quadratic_field<D>(), arrangement.places, 0)
                             : k == 2 ? hydrostatic(arrangement.places, 0.01)
                                      : sampled(wave_field<D>(), arrangement.places, waves[k - 3]);
        result.errors.push_back(errors_of<Domain>(arrangement, neighbours, samples, reach));
    }
    return result;
}

class Accuracy {
public:
    explicit Accuracy(const StudyOptions& options)
        : options_(options), page_(options.folder, "differential", "Differential operators: accuracy"),
          study_("differential", options),
          errors_(options.folder, "differential-errors",
                  "arrangement,domain,field,place,quantity,particles,rms[1],largest[1]"),
          orders_(options.folder, "differential", "disorder,place,quantity,edge,spacing[1],rms[1]")
    {
        page_.paragraph(
            "Operators of the moving-particle semi-implicit method (MPS) and least-squares fits of first and second order (LSMPS), "
            "r_e = {} spacings. Errors are root mean squares over that of the exact derivative at the same particles.",
            reach);
    }
    ExitCode run()
    {
        discretisation();
        convergence();
        find_rounding_errors(options_, page_, study_);
        find_conditions(options_, page_, study_);
        return page_.close();
    }

private:
    // (f)
    void discretisation()
    {
        page_.heading("(f) Discretisation, in double");
        const int edge = options_.choose(12, 16, 24);
        const auto amplitudes = options_.choose<std::vector<double>>({0, 0.1}, {0, 0.01, 0.05, 0.1, 0.2, 0.3},
                                                                     {0, 0.01, 0.05, 0.1, 0.2, 0.3});
        Measurements<std::pair<std::string, const char*>, OfFields> measurements;  // arrangement, domain
        for (const double amplitude : amplitudes) {
            for (const bool cube : {false, true}) {
                measurements.add(
                    {amplitude == 0 ? "lattice" : fmt::format("disorder {}", amplitude), cube ? "cube" : "sphere"},
                    parameter_key("differential",
                                  {"part=errors", fmt::format("edge={}", edge), fmt::format("disorder={}", amplitude),
                                   fmt::format("cube={}", cube)}),
                    [edge, amplitude, cube] {
                        const auto box = lattice_box<3>(edge, amplitude, reach);
                        return cube ? all_fields<CubicDomain>(box) : all_fields<SphericalDomain>(box);
                    });
            }
        }
        const Case c = snapshot_case(options_);
        measurements.add({"dam break, 2D", "sphere"}, job_key("differential", c, {"part=errors"}),
                         [c] { return all_fields<SphericalDomain>(broken_dam(c)); });

        page_.table(
            header_with({"arrangement", "domain", "place", "particles"}),
            "field: sin along every axis, k = 0.2 over the spacing; disorder in spacings; {}^3 particles; the dam break "
            "has its free surface as its face",
            edge);
        double linear_by_first = 0;
        double quadratic_by_second = 0;
        double mps_on_lattice = 0;
        study_.run(measurements, [&](const auto& of, const OfFields& result) {
            const auto& errors = result.errors;
            const auto& [name, domain] = of;
            for (std::size_t k = 0; k < fields; ++k) {
                for (std::size_t place = 0; place < place_count; ++place) {
                    if (errors[k].particles[place] == 0) continue;
                    for (std::size_t q = 0; q < quantity_count; ++q) {
                        errors_.row(name, domain, field_name(k), place_names[place], quantity_names[q],
                                    errors[k].particles[place], errors[k].rms[place][q], errors[k].largest[place][q]);
                    }
                    const auto of = [&](Quantity q) { return errors[k].rms[place][static_cast<std::size_t>(q)]; };
                    if (k == 0) linear_by_first = std::fmax(linear_by_first, of(Quantity::lsmps_gradient));
                    if (k <= 1) {
                        quadratic_by_second = std::fmax(quadratic_by_second, of(Quantity::second_gradient));
                        quadratic_by_second = std::fmax(quadratic_by_second, of(Quantity::second_laplacian));
                    }
                    if (name == "lattice" && place == 0) {
                        if (k == 0) mps_on_lattice = std::fmax(mps_on_lattice, of(Quantity::mps_gradient));
                        if (k <= 1) mps_on_lattice = std::fmax(mps_on_lattice, of(Quantity::mps_laplacian));
                    }
                    if (k == 4) {
                        page_.row("{} | {} | {} | {} | {}", name, domain, place_names[place],
                                  errors[k].particles[place], cells_of(errors[k].rms[place]));
                    }
                }
            }
            if (errors[0].undetermined > 0)
                page_.paragraph("{}, {}: {} particles have no fit of second order.", name, domain,
                                errors[0].undetermined);
        });
        page_.verdict(mps_on_lattice < 1e-11,
                      "MPS inside a lattice: the gradient of a linear field and the Laplacian of a "
                      "quadratic one within 1e-11: {:.1e}",
                      mps_on_lattice);
        page_.verdict(linear_by_first < 1e-10,
                      "LSMPS of first order: the gradient of a linear field within 1e-10, at every place "
                      "of every arrangement: {:.1e}",
                      linear_by_first);
        page_.verdict(quadratic_by_second < 1e-8,
                      "LSMPS of second order: gradient and Laplacian of a quadratic field within "
                      "1e-8, likewise: {:.1e}",
                      quadratic_by_second);
    }
    // Refined lattices of a box of side 1.
    void convergence()
    {
        page_.heading("Convergence on refined lattices");
        const auto edges = options_.choose<std::vector<int>>({12, 16, 24}, {12, 16, 24, 32}, {12, 16, 24, 32, 48, 64});
        constexpr double waves_in_box =
            0.5;  // k times the box's side: smooth enough for the terms that disorder adds to show
        constexpr std::array amplitudes{0.0, 0.3};
        Measurements<double, PlaceErrors> measurements;  // amplitude
        for (const double amplitude : amplitudes) {
            for (const int edge : edges) {
                measurements.add(amplitude,
                                 parameter_key("differential", {"part=order", fmt::format("edge={}", edge),
                                                                fmt::format("disorder={}", amplitude)}),
                                 [edge, amplitude] {
                                     const auto box = lattice_box<3>(edge, amplitude, reach);
                                     return errors_of<SphericalDomain>(
                                         box, neighbours_of<SphericalDomain>(box.places, reach),
                                         sampled(wave_field<3>(), box.places, waves_in_box / edge), reach);
                                 });
            }
        }
        page_.table(header_with({"disorder", "place", "spacings of the box"}),
                    "a wave of k = {} over the box's side, sphere; the last row of each is the order of convergence",
                    waves_in_box);
        std::vector<PlaceErrors> of_edges;
        std::map<std::string, double> order;
        study_.run(measurements, [&](double amplitude, const PlaceErrors& errors) {
            of_edges.push_back(errors);
            if (of_edges.size() < edges.size()) return;
            for (const Place place : {Place::inside, Place::face, Place::corner}) {
                const auto at = static_cast<std::size_t>(place);
                std::array<Sample, quantity_count> log_errors;
                Sample log_spacing;
                for (std::size_t k = 0; k < edges.size(); ++k) {
                    log_spacing.push_back(-std::log(edges[k]));
                    page_.row("{} | {} | {} | {}", amplitude, place_names[at], edges[k], cells_of(of_edges[k].rms[at]));
                    for (std::size_t q = 0; q < quantity_count; ++q) {
                        log_errors[q].push_back(std::log(of_edges[k].rms[at][q]));
                        orders_.row(amplitude, place_names[at], quantity_names[q], edges[k], 1.0 / edges[k],
                                    of_edges[k].rms[at][q]);
                    }
                }
                std::string cells;
                for (std::size_t q = 0; q < quantity_count; ++q) {
                    const double slope = fitted_line(log_spacing, log_errors[q]).slope;
                    order[fmt::format("{} {} {}", amplitude, place_names[at], q)] = slope;
                    cells += fmt::format(" | {:.2f}", slope);
                }
                page_.row("{} | {} | order{}", amplitude, place_names[at], cells);
            }
            of_edges.clear();
        });
        const auto of = [&](double amplitude, const char* place, Quantity q) {
            return order.at(fmt::format("{} {} {}", amplitude, place, static_cast<int>(q)));
        };
        const auto near = [](double value, double expected) { return std::abs(value - expected) < 0.4; };
        bool on_lattice = true;
        for (std::size_t q = 0; q < quantity_count; ++q)
            on_lattice = on_lattice && near(of(0, "inside", Quantity(q)), 2);
        page_.verdict(on_lattice,
                      "inside a lattice every operator converges with the square of the spacing (order 2 within 0.4)");
        page_.verdict(
            of(0.3, "inside", Quantity::mps_gradient) < 0.4 && of(0.3, "inside", Quantity::mps_laplacian) < -0.6,
            "of disordered particles MPS's gradient does not converge and its Laplacian diverges, with order -1");
        page_.verdict(near(of(0.3, "inside", Quantity::lsmps_gradient), 1) &&
                          near(of(0.3, "inside", Quantity::second_gradient), 2) &&
                          near(of(0.3, "inside", Quantity::second_laplacian), 1),
                      "LSMPS does: gradients with orders 1 and 2, the Laplacian with order 1 (within 0.4)");
        page_.verdict(
            near(of(0, "corner", Quantity::lsmps_gradient), 1) && near(of(0, "corner", Quantity::second_gradient), 2),
            "in a corner of the lattice, too");
        page_.draw(orders_.complete(), "differential",
                   "Errors over the spacing: inside a lattice, inside disordered particles, on a face.");
    }

    const StudyOptions& options_;
    Page page_;
    Study study_;
    Table errors_;
    Table orders_;
};

ExitCode run_experiment(const StudyOptions& options) { return Accuracy(options).run(); }

const bool registered = register_study<StudyOptions>(
    "differential", "MPS and LSMPS operators: convergence, digits of single precision, conditioning", run_experiment);

}  // namespace

}  // namespace halfulp::differential
