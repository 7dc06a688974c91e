// halfulp validate differential: errors of MPS and LSMPS operators, of discretisation and of rounding, and the
// condition of their matrices.
#include <cmath>
#include <limits>

#include <CLI/CLI.hpp>

#include "validation/columns.hpp"
#include "validation/differential/conditioning.hpp"
#include "validation/differential/discretisation.hpp"
#include "validation/experiment.hpp"
#include "validation/statistics.hpp"

namespace halfulp::differential {

namespace {

constexpr double reach = 3.1;  // spacings

// One number of each quantity, in a row.
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

struct Named {
    std::string name;
    PlaceErrors errors;
};

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

// The water of a dam break in a tank, as it breaks; free surface by the number density (Koshizuka and Oka 1996: below
// 97 % of that of the lattice).
Arrangement<2> broken_dam(const Case& c)
{
    Arrangement<2> water;
    FluidState state;
    simulate(prepare(c), 1'000'000, [&](const Problem& problem, const Simulation& simulation) {
        state = fluid_of(problem, simulation.snapshot());
    });
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

class Accuracy {
public:
    explicit Accuracy(const StudyOptions& options)
        : options_(options), page_(options.folder, "differential", "Differential operators: accuracy"),
          study_("differential", options),
          errors_(options.folder, "differential-errors",
                  "arrangement,domain,field,place,quantity,particles,rms[1],largest[1]"),
          orders_(options.folder, "differential", "disorder,place,quantity,edge,spacing[1],rms[1]"),
          rounding_(
              options.folder, "differential-rounding",
              "policy,displacement[cells],reference[amplitude],scale[spacings],quantity,whole[ulp],as_stored[ulp]"),
          shares_(options.folder, "differential-shares", "policy,quantity,part,share[ulp]"),
          conditions_(
              options.folder, "differential-conditions",
              "order,place,domain,scale[spacings],condition,by_double,own,float_error,double_error,eigen_error"),
          disorder_(options.folder, "differential-disorder", "arrangement,order,median,percent99,largest,undetermined")
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
        rounding();
        conditioning();
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
        std::vector<Job> jobs;
        std::vector<std::pair<std::string, const char*>> names;
        for (const double amplitude : amplitudes) {
            for (const bool cube : {false, true}) {
                names.emplace_back(amplitude == 0 ? "lattice" : fmt::format("disorder {}", amplitude),
                                   cube ? "cube" : "sphere");
                jobs.push_back({parameter_key("differential",
                                              {"part=errors", fmt::format("edge={}", edge),
                                               fmt::format("disorder={}", amplitude), fmt::format("cube={}", cube)}),
                                [edge, amplitude, cube] {
                                    const auto box = lattice_box<3>(edge, amplitude, reach);
                                    return cube ? all_fields<CubicDomain>(box) : all_fields<SphericalDomain>(box);
                                }});
            }
        }
        const Case c = snapshot_case();
        names.emplace_back("dam break, 2D", "sphere");
        jobs.push_back(
            {job_key("differential", c, {"part=errors"}), [c] { return all_fields<SphericalDomain>(broken_dam(c)); }});

        page_.table(
            header_with({"arrangement", "domain", "place", "particles"}),
            "field: sin along every axis, k = 0.2 over the spacing; disorder in spacings; {}^3 particles; the dam break "
            "has its free surface as its face",
            edge);
        double linear_by_first = 0;
        double quadratic_by_second = 0;
        double mps_on_lattice = 0;
        study_.run(jobs, [&](std::size_t job, const Result& result) {
            const auto errors = result.as<OfFields>().errors;
            const auto& [name, domain] = names[job];
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
    Case snapshot_case() const
    {
        // At 0.5 s the front has reached the middle of the tank, at 0.9 s water falls back from the far wall.
        return case_with("dam-break-2d", {fmt::format("resolution.spacing={}", options_.choose(0.03, 0.02, 0.01)),
                                          fmt::format("time.end={}", options_.choose(0.5, 0.9, 0.9))});
    }

    // Refined lattices of a box of side 1.
    void convergence()
    {
        page_.heading("Convergence on refined lattices");
        const auto edges = options_.choose<std::vector<int>>({12, 16, 24}, {12, 16, 24, 32}, {12, 16, 24, 32, 48, 64});
        constexpr double waves_in_box =
            0.5;  // k times the box's side: smooth enough for the terms that disorder adds to show
        constexpr std::array amplitudes{0.0, 0.3};
        std::vector<Job> jobs;
        for (const double amplitude : amplitudes) {
            for (const int edge : edges) {
                jobs.push_back({parameter_key("differential", {"part=order", fmt::format("edge={}", edge),
                                                               fmt::format("disorder={}", amplitude)}),
                                [edge, amplitude] {
                                    const auto box = lattice_box<3>(edge, amplitude, reach);
                                    return errors_of<SphericalDomain>(
                                        box, neighbours_of<SphericalDomain>(box.places, reach),
                                        sampled(wave_field<3>(), box.places, waves_in_box / edge), reach);
                                }});
            }
        }
        page_.table(header_with({"disorder", "place", "spacings of the box"}),
                    "a wave of k = {} over the box's side, sphere; the last row of each is the order of convergence",
                    waves_in_box);
        std::vector<PlaceErrors> of_edges;
        std::map<std::string, double> order;
        study_.run(jobs, [&](std::size_t job, const Result& result) {
            of_edges.push_back(result.as<PlaceErrors>());
            if (of_edges.size() < edges.size()) return;
            const double amplitude = amplitudes[job / edges.size()];
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

    // (g)
    void rounding()
    {
        const PartsPolicy robust{.name = "robust"};
        std::vector<PartsPolicy> policies{robust};
        const auto with = [&](const char* name, auto change) {
            PartsPolicy policy = robust;
            policy.name = name;
            change(policy);
            policies.push_back(policy);
        };
        with("robust/position=global", [](auto& p) { p.position = PositionPart::global; });
        with("robust/position=global-double", [](auto& p) { p.position = PositionPart::global_double; });
        with("robust/position=double-float", [](auto& p) { p.position = PositionPart::double_float; });
        with("robust/value=absolute", [](auto& p) { p.value = ValuePart::absolute; });
        with("robust/sums=plain", [](auto& p) { p.sums = SumPart::plain; });
        with("robust/sums=kahan", [](auto& p) { p.sums = SumPart::kahan; });
        with("robust/sums=double-float", [](auto& p) { p.sums = SumPart::double_float; });
        with("robust/sums=double", [](auto& p) { p.sums = SumPart::in_double; });
        with("robust/solve=adjugate", [](auto& p) { p.solve = SolvePart::adjugate; });
        with("robust/weight=expanded", [](auto& p) { p.weight = WeightPart::expanded; });
        with("naive", [](auto& p) {
            p.position = PositionPart::global;
            p.value = ValuePart::absolute;
            p.sums = SumPart::plain;
            p.solve = SolvePart::adjugate;
            p.weight = WeightPart::expanded;
        });
        with("double", [](auto& p) { p.in_double = true; });

        const auto displacements =
            options_.choose<std::vector<std::int64_t>>({0, 1'000'000'000}, {0, 100, 10'000, 1'000'000, 1'000'000'000},
                                                       {0, 100, 1'000, 10'000, 1'000'000, 100'000'000, 1'000'000'000});
        const auto references =
            options_.choose<std::vector<double>>({0, 1e6}, {0, 1, 1e2, 1e4, 1e6}, {0, 1, 1e2, 1e4, 1e6});
        RoundingStart base;
        base.edge = options_.choose(10, 12, 14);
        struct Point {
            std::size_t policy;
            RoundingStart start;
            bool shares;
        };
        std::vector<Point> points;
        for (std::size_t p = 0; p < policies.size(); ++p) {
            const auto add = [&](std::int64_t displacement, double reference, bool shares) {
                RoundingStart start = base;
                start.displacement = displacement;
                start.reference = reference;
                points.push_back({p, start, shares});
            };
            for (const std::int64_t displacement : displacements) add(displacement, 0, false);
            for (const double reference : references)
                if (reference != 0) add(0, reference, false);
            add(displacements.back(), references.back(), false);
            add(1000, 100, true);
        }
        // Scales of the fits, in cells of nothing else changed.
        const auto scales =
            options_.choose<std::vector<double>>({1.5, 100, 1e10}, {1e-10, 0.01, 0.1, 1, 1.5, 2, 3.1, 10, 100, 1e10},
                                                 {1e-10, 0.01, 0.1, 1, 1.5, 2, 3.1, 10, 100, 1e10});
        const std::size_t first_of_scales = points.size();
        for (const double scale : scales) {
            PartsPolicy policy = robust;
            policy.scale = scale;
            policy.name = fmt::format("robust, r_s = {}", scale);
            policies.push_back(policy);
            points.push_back({policies.size() - 1, base, false});
        }
        std::vector<Job> jobs;
        for (const Point& point : points) {
            const PartsPolicy& policy = policies[point.policy];
            jobs.push_back({parameter_key("differential", {"part=rounding", "policy=" + policy.name,
                                                           fmt::format("edge={}", point.start.edge),
                                                           fmt::format("displacement={}", point.start.displacement),
                                                           fmt::format("reference={}", point.start.reference),
                                                           fmt::format("shares={}", point.shares)}),
                            [policy, point] { return rounding_errors(policy, point.start, point.shares); }});
        }
        page_.heading("(g) Rounding, in ulps");
        page_.paragraph(
            "Errors of float against quadruple precision for the same {0}^3 disordered particles (a = {1}), inside, rms over rms, in "
            "ulps of single precision (2^-23). Every policy has the same start: cells of four spacings, offsets of single "
            "precision, the field in double. robust: positions as cell and offset, values less the reference, compensated sums "
            "(KBN), exact cofactors, factored weights; the others differ as their names say.",
            base.edge, base.disorder);
        std::vector<RoundingErrors> found;
        study_.run(jobs, [&](std::size_t job, const Result& result) {
            found.push_back(result.as<RoundingErrors>());
            const Point& point = points[job];
            const PartsPolicy& policy = policies[point.policy];
            for (std::size_t q = 0; q < quantity_count; ++q) {
                if (point.shares) {
                    for (std::size_t part = 0; part < share_count; ++part)
                        shares_.row(policy.name, quantity_names[q], share_names[part], found.back().shares[q][part]);
                } else {
                    rounding_.row(policy.name, point.start.displacement, point.start.reference, policy.scale,
                                  quantity_names[q], found.back().whole[q], found.back().as_stored[q]);
                }
            }
        });
        const auto errors_at = [&](std::size_t policy, std::int64_t displacement,
                                   double reference) -> const RoundingErrors& {
            for (std::size_t k = 0; k < points.size(); ++k) {
                const Point& p = points[k];
                if (p.policy == policy && p.start.displacement == displacement && p.start.reference == reference &&
                    !p.shares)
                    return found[k];
            }
            throw std::logic_error("a point that was not measured");
        };
        const std::size_t count = 13;  // of the policies that are compared
        const auto over = [&](const std::string& caption, const std::vector<std::string>& heads, const auto& error) {
            for (std::size_t q = 0; q < quantity_count; ++q) {
                std::vector<std::string> header{quantity_names[q]};
                header.insert(header.end(), heads.begin(), heads.end());
                page_.table(header, "{}", caption);
                for (std::size_t p = 0; p < count; ++p) {
                    std::vector<std::string> cells{policies[p].name};
                    for (std::size_t k = 0; k < heads.size(); ++k)
                        cells.push_back(fmt::format("{:.3g}", error(p, k)[q]));
                    page_.row(cells);
                }
            }
        };
        std::vector<std::string> heads;
        for (const std::int64_t displacement : displacements) heads.push_back(fmt::format("{} cells", displacement));
        over("over the displacement from the origin, reference 0; against the exact start", heads,
             [&](std::size_t p, std::size_t k) { return errors_at(p, displacements[k], 0).whole; });
        heads.clear();
        for (const double reference : references) heads.push_back(fmt::format("{:g}", reference));
        over("over the reference that the field has beside its amplitude of 1, at the origin; against the exact start",
             heads, [&](std::size_t p, std::size_t k) { return errors_at(p, 0, references[k]).whole; });
        heads = {"at the origin, reference 0", "against the start as stored",
                 fmt::format("{} cells away, reference {:g}", displacements.back(), references.back()), "digits there"};
        over("whole errors; digits: -log10 of the error", heads, [&](std::size_t p, std::size_t k) {
            const RoundingErrors& here = errors_at(p, 0, 0);
            const RoundingErrors& there = errors_at(p, displacements.back(), references.back());
            if (k < 3) return k == 0 ? here.whole : k == 1 ? here.as_stored : there.whole;
            std::array<double, quantity_count> digits{};
            for (std::size_t q = 0; q < quantity_count; ++q)
                digits[q] = std::fmax(0.0, -std::log10(there.whole[q] * 0x1p-23));
            return digits;
        });
        heads.assign(share_names.begin(), share_names.end());
        std::size_t of_shares = 0;
        over("shares of the parts, 1,000 cells away, reference 100", heads, [&](std::size_t p, std::size_t k) {
            for (of_shares = 0; !(points[of_shares].policy == p && points[of_shares].shares);) ++of_shares;
            std::array<double, quantity_count> share{};
            for (std::size_t q = 0; q < quantity_count; ++q) share[q] = found[of_shares].shares[q][k];
            return share;
        });
        const auto terms = cancellation(base);
        page_.paragraph(
            "Sums of magnitudes over magnitudes of sums, median: MPS gradient {:.3g}, MPS Laplacian {:.3g}, right-hand side "
            "of LSMPS {:.3g}.",
            terms[0], terms[1], terms[2]);
        page_.table(header_with({"r_s over the spacing"}), "robust, over the scale of the fits, at the origin");
        for (std::size_t k = 0; k < scales.size(); ++k)
            page_.row("{} | {}", scales[k], cells_of(found[first_of_scales + k].whole));

        page_.draw(rounding_.complete(), "differential_rounding",
                   "Rounding errors over the displacement from the origin and over the field's reference.");
        bool same = true;
        for (const std::int64_t displacement : displacements)
            same = same && errors_at(0, displacement, 0).whole == errors_at(0, 0, 0).whole;
        same = same && errors_at(0, displacements.back(), references.back()).whole == errors_at(0, 0, 0).whole;
        page_.verdict(same, "robust errs by the same at every displacement and reference, to the bit");
        double worst = 0;
        double least = std::numeric_limits<double>::infinity();
        const std::size_t naive = 11;
        for (std::size_t q = 0; q < quantity_count; ++q) {
            worst = std::fmax(worst, errors_at(0, 0, 0).as_stored[q]);
            least = std::fmin(least, errors_at(naive, displacements.back(), 0).whole[q]);
        }
        page_.verdict(worst < 10,
                      "robust's errors against the start as stored are below 10 ulps in every operator: {:.2g}", worst);
        page_.verdict(least > 1e5, "naive keeps less than two digits 10^9 cells away: at least {:.2g} ulps", least);
    }

    // (h)
    void conditioning()
    {
        page_.heading("(h) Condition of the matrices");
        page_.table(
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
            conditions_.row(order, place_names[static_cast<std::size_t>(place)], domain, scale, c.condition,
                            c.by_double, c.own, c.float_error, c.double_error, c.by_double_error);
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
                page_.row("{} | {} | {:.4f} | {:.3f} | {:.4f} | {:.4f} | {}",
                          place_names[static_cast<std::size_t>(places[k])], cube ? "cube" : "sphere", c.condition,
                          expected, c.by_double, c.own, errors);
            }
        }
        page_.table({"place", "r_s over the spacing", "condition", "expected", "Eigen in double",
                     "own solution in float, u", "in double, u", "Eigen's in double, u"},
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
                page_.row("{} | {} | {:.4g} | {} | {:.4g} | {}", place_names[static_cast<std::size_t>(place)],
                          scales[k], c.condition, expected == 0 ? "" : fmt::format("{:g}", expected), c.by_double,
                          errors);
            }
        }
        page_.verdict(as_expected, "condition numbers as computed apart in 30 digits, to the digits that are given");
        page_.verdict(accurate, "solutions of this code within 12 u times the condition, in float and double");

        page_.table({"arrangement", "order", "median", "99 %", "largest", "undetermined", "of particles"},
                    "all particles, free surface included; sphere, r_s = 1.5 spacings");
        const auto amplitudes = options_.choose<std::vector<double>>({0.3}, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3});
        const int edge = options_.choose(8, 12, 20);
        std::vector<Job> jobs;
        std::vector<std::string> names;
        for (const double amplitude : amplitudes) {
            names.push_back(fmt::format("disorder {}", amplitude));
            jobs.push_back({parameter_key("differential", {"part=conditions", fmt::format("edge={}", edge),
                                                           fmt::format("disorder={}", amplitude)}),
                            [=] { return kept(conditions_of(lattice_box<3>(edge, amplitude, reach), reach)); }});
        }
        const Case c = snapshot_case();
        names.emplace_back("dam break, 2D");
        jobs.push_back({job_key("differential", c, {"part=conditions"}),
                        [c] { return kept(conditions_of(broken_dam(c), reach)); }});
        study_.run(jobs, [&](std::size_t job, const Result& result) {
            const auto kept = result.as<Kept>();
            for (const auto& [order, all] : {std::pair{1, &kept.first}, std::pair{2, &kept.second}}) {
                Sample known;
                for (const double value : *all)
                    if (std::isfinite(value)) known.push_back(value);
                const std::size_t undetermined = all->size() - known.size();
                const double most = *std::ranges::max_element(known);
                disorder_.row(names[job], order, quantile(known, 0.5), quantile(known, 0.99), most, undetermined);
                page_.row("{} | {} | {:.3g} | {:.3g} | {:.3g} | {} | {}", names[job], order, quantile(known, 0.5),
                          quantile(known, 0.99), most, undetermined, all->size());
            }
        });
    }
    struct Kept {
        std::vector<double> first;
        std::vector<double> second;
        static auto members(auto& self) { return std::tie(self.first, self.second); }
    };
    static Kept kept(const Conditions& conditions) { return {conditions.first, conditions.second}; }

    const StudyOptions& options_;
    Page page_;
    Study study_;
    Table errors_;
    Table orders_;
    Table rounding_;
    Table shares_;
    Table conditions_;
    Table disorder_;
};

ExitCode run_experiment(const StudyOptions& options) { return Accuracy(options).run(); }

const bool registered = register_study<StudyOptions>(
    "differential", "MPS and LSMPS operators: convergence, digits of single precision, conditioning", run_experiment);

}  // namespace

}  // namespace halfulp::differential
