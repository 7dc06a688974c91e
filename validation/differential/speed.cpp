// halfulp bench differential: MPS and LSMPS operators by every form of neighbour search, on the host and on a CUDA
// device, beside the figures of Murotani et al. 2015 (Comput. Part. Mech. 2, 261), who measured in double on a Tesla
// K20. Their particles: 61^3 of a regular lattice, r_e = 3.1 spacings.
#include <cstring>

#include "core/app/build_info.hpp"
#include "validation/device/device.hpp"
#include "validation/differential/counted.hpp"
#include "validation/differential/lattice_field.hpp"
#include "validation/differential/machines.hpp"
#include "validation/differential/murotani_2015.hpp"
#include "validation/differential/solver_times.hpp"
#include "validation/experiment.hpp"
#include "validation/seconds.hpp"

namespace halfulp::differential {

namespace {

struct Arguments : BenchOptions {
    static constexpr const char* folder_help = "Folder for tables and report";
    int edge = 61;
    int large = 200;
    double seconds = 0.5;
    std::string backend = "all";
    int device = 0;
};

struct OneMachine {
    const char* name;
    bool is_device;
    Peak peak;
};

std::vector<OneMachine> machines_of(const Arguments& arguments, Page& page)
{
    std::vector<OneMachine> machines;
    if (arguments.backend != "cuda") machines.push_back({"cpu", false, peak_of_host()});
    if (arguments.backend != "cpu") {
        const std::string why = use_device(arguments.device);
        if (why.empty()) machines.push_back({"cuda", true, peak_of_device(arguments.device)});
        else if (arguments.backend == "cuda") throw input_error(fmt::format("--backend cuda: {}.", why));
        else page.paragraph("Without a device: {}.", why);
    }
    for (const OneMachine& one : machines) {
        page.paragraph("{}: {}; peak {:.3g} Gflop/s in single, {:.3g} in double precision, {}.", one.name, one.peak.of,
                       1e-9 * one.peak.in_float, 1e-9 * one.peak.in_double,
                       one.is_device ? "by its clock and units" : "measured with chains of fused multiply-adds");
    }
    return machines;
}

const char* name_of(Operator which)
{
    switch (which) {
    case Operator::gradient: return "gradient";
    case Operator::laplacian: return "Laplacian";
    case Operator::lsmps: return "LSMPS";
    case Operator::compensated_lsmps: return "LSMPS, compensated";
    }
    __builtin_unreachable();
}
const char* name_of(Domain domain) { return domain == Domain::sphere ? "sphere" : "cube"; }
template <class T>
constexpr const char* name_of_type = sizeof(T) == sizeof(float) ? "float" : "double";

// 1,234,567
std::string grouped(std::int64_t number)
{
    std::string text = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), ",");
    return text;
}
std::string or_nothing(double value, const char* unit = "")
{
    return value > 0 ? fmt::format("{:.4g}{}", value, unit) : "";
}

template <class T>
std::string bits_of(const std::vector<Four<T>>& results)
{
    return digest_text({reinterpret_cast<const char*>(results.data()), results.size() * sizeof(Four<T>)});
}

class Bench {
public:
    explicit Bench(const Arguments& arguments)
        : arguments_(arguments), page_(arguments.folder, "differential", "Differential operators: times"),
          times_(
              arguments.folder, "differential-times",
              "table,machine,search,divisions,slack,domain,operator,number,edge,time[ms],printed_time[ms],efficiency[%],"
              "printed_efficiency[%],neighbours[1/s],registers,occupancy[%]"),
          visits_(arguments.folder, "differential-visits",
                  "machine,search,divisions,slack,candidates,in_sphere,in_cube,printed_candidates"),
          shapes_(arguments.folder, "differential-shapes",
                  "machine,operator,domain,number,neighbours,error[1],time[ns],printed"),
          solver_(arguments.folder, "differential-solver", "machine,what,edge,plain[ms],compensated[ms],made[ms],bytes")
    {
        page_.paragraph(
            "{}^3 particles of a regular lattice, r_e = {} spacings, the field sin kx sin ky sin kz with k = {} over the spacing. "
            "The paper's figures are of a Tesla K20 in double (peak 1,170 Gflop/s). Program {} {}.",
            arguments.edge, reach, wave_number, build::commit, build::tree);
        machines_ = machines_of(arguments, page_);
    }
    ExitCode run()
    {
        visits();
        forms();
        divisions();
        counts();
        sizes();
        shapes();
        against_the_solver();
        page_.verdict(
            compared_ > 0 && different_ == 0,
            "the same bits in every form of the search and on every machine: {} evaluations compared, {} differ",
            compared_, different_);
        page_.draw(times_.complete(), "differential_times", "Times of all forms, and over the divisions of buckets.");
        page_.paragraph("tables: {}, {}, {}, {}", times_.complete().string(), visits_.complete().string(),
                        shapes_.complete().string(), solver_.complete().string());
        return page_.close();
    }

private:
    Search search_of(int divisions, double slack = 1)
    {
        return {places_of(arguments_.edge), reach, slack, divisions, above_the_face};
    }

    // (a)
    void visits()
    {
        constexpr std::int64_t printed[] = {160'103'007, 99'252'847, 76'765'625};
        constexpr std::int64_t in_sphere = 26'382'775;
        constexpr std::int64_t in_cube = 71'473'375;
        page_.heading("(a) Candidates and neighbours, the particle itself counted");
        page_.table({"slack", "divisions", "candidates", "printed", "in the sphere", "of candidates", "printed",
                     "in the cube", "of candidates", "printed", "forms and machines"},
                    "the paper states a slack of 1.1; its integers are those of 1");
        bool all_met = true;
        for (const double slack : {1.0, 1.1}) {
            for (int divided = 1; divided <= most_divisions; ++divided) {
                Search search = search_of(divided, slack);
                const auto particles = particles_of<float>(places_of(arguments_.edge));
                std::optional<Visits> first;
                int counted = 0;
                for (const OneMachine& machine : machines_) {
                    for (const Form form : all_forms) {
                        if (form == Form::stored_lists) continue;  // they hold no candidates
                        const Visits v = machine.is_device ? count_on_device(search, form, particles)
                                                           : count_on_host(search, form, particles);
                        visits_.row(machine.name, search.name_of(form), divided, slack, v.candidates, v.in_sphere,
                                    v.in_cube, slack == 1 ? printed[divided - 1] : 0);
                        if (!first) first = v;
                        all_met = all_met && v.candidates == first->candidates && v.in_sphere == first->in_sphere &&
                                  v.in_cube == first->in_cube;
                        ++counted;
                    }
                }
                if (slack == 1) {
                    of_divisions_.push_back(*first);
                    all_met = all_met && first->candidates == printed[divided - 1];
                }
                all_met = all_met && first->in_sphere == in_sphere && first->in_cube == in_cube;
                constexpr const char* hits[] = {"16 %", "26 %", "34 %"};
                constexpr const char* cube_hits[] = {"44 %", "72 %", "93 %"};
                const auto share = [&](std::int64_t n) {
                    return 100.0 * static_cast<double>(n) / static_cast<double>(first->candidates);
                };
                page_.row("{} | {} | {} | {} | {} | {:.1f} % | {} | {} | {:.1f} % | {} | {} agree", slack, divided,
                          grouped(first->candidates), slack == 1 ? grouped(printed[divided - 1]) : "",
                          grouped(first->in_sphere), share(first->in_sphere), slack == 1 ? hits[divided - 1] : "",
                          grouped(first->in_cube), share(first->in_cube), slack == 1 ? cube_hits[divided - 1] : "",
                          counted);
            }
        }
        if (arguments_.edge == 61)
            page_.verdict(all_met, "the integers of tables 1 and 2 in every form, on every machine");
    }

    // Evaluates, books the row and compares the bits with those of the same sums by another form.
    template <class T>
    Applied<T> measured(const char* table, const OneMachine& machine, Search& search, int divided, int edge,
                        const Setting& setting, const std::vector<Four<T>>& particles)
    {
        const Applied<T> applied = machine.is_device ? apply_on_device(search, setting, particles, arguments_.seconds)
                                                     : apply_on_host(search, setting, particles, arguments_.seconds);
        const std::string sums = fmt::format("{} {} {} {} {}", edge, divided, static_cast<int>(setting.which),
                                             static_cast<int>(setting.domain), name_of_type<T>);
        const std::string bits = bits_of(applied.results);
        const auto [known, is_new] = bits_.try_emplace(sums, bits);
        if (!is_new) {
            ++compared_;
            different_ += known->second == bits ? 0 : 1;
        }
        const Printed printed = edge == 61 ? printed_for(setting, divided) : Printed{};
        const double milliseconds = 1e3 * applied.seconds;
        times_.row(table, machine.name, search.name_of(setting.form), divided, 1, name_of(setting.domain),
                   name_of(setting.which), name_of_type<T>, edge, milliseconds, printed.milliseconds,
                   edge == arguments_.edge ? efficiency<T>(machine, setting, divided, applied.seconds) : 0,
                   printed.efficiency, edge == arguments_.edge ? neighbours(setting.domain) / applied.seconds : 0,
                   applied.registers, 100 * applied.occupancy);
        return applied;
    }
    [[nodiscard]] double neighbours(Domain domain) const
    {
        const Visits& v = of_divisions_.front();
        return static_cast<double>((domain == Domain::sphere ? v.in_sphere : v.in_cube) - v.particles);
    }
    // In percent of the peak of the number type; for stored lists as if they were searched for: only what is needed
    // counts.
    template <class T>
    [[nodiscard]] double efficiency(const OneMachine& machine, const Setting& setting, int divided,
                                    double seconds) const
    {
        const double peak = sizeof(T) == sizeof(float) ? machine.peak.in_float : machine.peak.in_double;
        Visits visits = of_divisions_[static_cast<std::size_t>(divided - 1)];
        if (setting.form == Form::stored_lists)
            visits.candidates = setting.domain == Domain::sphere ? visits.in_sphere : visits.in_cube;
        return peak > 0 ? 100 * operations(setting.which, setting.domain, visits) / seconds / peak : 0;
    }

    // (b), figure 6
    void forms()
    {
        for (const OneMachine& machine : machines_) {
            page_.heading("(b) Forms of the search, {}", machine.name);
            page_.table({"search", "operator", "double: ms", "efficiency", "K20: ms", "efficiency", "float: ms",
                         "efficiency", "neighbours/s", "registers", "occupancy"},
                        "one division, sphere; registers and occupancy double / float");
            Search search = search_of(1);
            const auto in_double = particles_of<double>(places_of(arguments_.edge));
            const auto in_float = particles_of<float>(places_of(arguments_.edge));
            for (const Form form : all_forms) {
                for (const Operator which : all_operators) {
                    const Setting setting{form, which, Domain::sphere};
                    const auto d = measured("b", machine, search, 1, arguments_.edge, setting, in_double);
                    const auto f = measured("b", machine, search, 1, arguments_.edge, setting, in_float);
                    const Printed printed = printed_for(setting, 1);
                    page_.row(
                        "{} | {} | {:.3f} | {:.1f} % | {} | {} | {:.3f} | {:.1f} % | {:.3g} | {} | {}",
                        search.name_of(form), name_of(which), 1e3 * d.seconds,
                        efficiency<double>(machine, setting, 1, d.seconds), or_nothing(printed.milliseconds),
                        or_nothing(printed.efficiency, " %"), 1e3 * f.seconds,
                        efficiency<float>(machine, setting, 1, f.seconds), neighbours(Domain::sphere) / f.seconds,
                        d.registers > 0 ? fmt::format("{} / {}", d.registers, f.registers) : "",
                        d.registers > 0 ? fmt::format("{:.0f} / {:.0f} %", 100 * d.occupancy, 100 * f.occupancy) : "");
                }
            }
        }
    }

    // (c), figure 7
    void divisions()
    {
        for (const OneMachine& machine : machines_) {
            page_.heading("(c) Divisions of buckets and interaction domains, {}", machine.name);
            page_.table({"divisions", "domain", "operator", "double: ms", "efficiency", "K20: ms", "efficiency",
                         "float: ms", "efficiency"},
                        "forward star by rows of buckets");
            const auto in_double = particles_of<double>(places_of(arguments_.edge));
            const auto in_float = particles_of<float>(places_of(arguments_.edge));
            for (int divided = 1; divided <= most_divisions; ++divided) {
                Search search = search_of(divided);
                for (const Domain domain : all_domains) {
                    for (const Operator which : all_operators) {
                        const Setting setting{Form::star_rows, which, domain};
                        const auto d = measured("c", machine, search, divided, arguments_.edge, setting, in_double);
                        const auto f = measured("c", machine, search, divided, arguments_.edge, setting, in_float);
                        const Printed printed = printed_for(setting, divided);
                        page_.row("{} | {} | {} | {:.3f} | {:.1f} % | {} | {} | {:.3f} | {:.1f} %", divided,
                                  name_of(domain), name_of(which), 1e3 * d.seconds,
                                  efficiency<double>(machine, setting, divided, d.seconds),
                                  or_nothing(printed.milliseconds), or_nothing(printed.efficiency, " %"),
                                  1e3 * f.seconds, efficiency<float>(machine, setting, divided, f.seconds));
                    }
                }
            }
        }
    }

    // (d)
    void counts()
    {
        page_.heading("(d) Operations");
        const Visits& visits = of_divisions_.back();
        const OperationCount model = lsmps_in_cube(visits);
        page_.table(
            {"LSMPS, cube, three divisions", "additions", "multiplications", "fused multiply-adds", "operations"});
        page_.row("printed (table 3) | 517,552,261 | 1,077,775,150 | 861,766,158 | 3,318,859,727");
        page_.row("3 C + 43 N + 67 P | {} | {} | {} | {}", grouped(model.adds), grouped(model.multiplies),
                  grouped(model.fused), grouped(model.total()));
        const auto ours = [&]<class Chosen>() {
            const Vec<3, Counted> r{{Counted(1.0), Counted(-1.0), Counted(2.0)}};
            const Vec<3, Counted> other{{Counted(0.5), Counted(0.25), Counted(1.0)}};
            const Counts candidate = counts_of([&] { Chosen::contains(r - other, Counted(reach)); });
            GradientByLsmps::Sums<Counted> sums{};
            const OperatorConstants<Counted> c{Counted(reach), Counted(1 / reach), Counted(1.0), Counted(1.0),
                                               Counted(1 / 1.5)};
            const Counts neighbour =
                counts_of([&] { sums.take(Chosen::weight(r, c.inverse_reach), r, Counted(2.0) - Counted(1.0), c); });
            const Counts particle = counts_of([&] { sums.result(c); });
            return std::array{candidate, neighbour, particle};
        };
        const auto of_cube = ours.operator()<CubicDomain>();
        const auto sum_of = [&](auto what) {
            return of_cube[0].*what * visits.candidates + of_cube[1].*what * visits.in_cube +
                   of_cube[2].*what * visits.particles;
        };
        const std::int64_t others = sum_of(&Counts::divisions) + sum_of(&Counts::roots);
        page_.row("of this code, counted | {} | {} | {} | {}", grouped(sum_of(&OperationCount::adds)),
                  grouped(sum_of(&OperationCount::multiplies)), grouped(sum_of(&OperationCount::fused)),
                  grouped(sum_of(&OperationCount::adds) + sum_of(&OperationCount::multiplies) +
                          2 * sum_of(&OperationCount::fused) + others));
        page_.table({"of this code", "of a candidate C", "of a neighbour N", "of a particle P"},
                    "additions + multiplications + fused multiply-adds + divisions and square roots");
        const auto text = [](const Counts& c) {
            return fmt::format("{} + {} + {} + {}", c.adds, c.multiplies, c.fused, c.divisions + c.roots);
        };
        const auto of_sphere = ours.operator()<SphericalDomain>();
        page_.row("cube | {} | {} | {}", text(of_cube[0]), text(of_cube[1]), text(of_cube[2]));
        page_.row("sphere | {} | {} | {}", text(of_sphere[0]), text(of_sphere[1]), text(of_sphere[2]));
        page_.verdict(model.total() == 3'318'859'727 || arguments_.edge != 61, "the model gives table 3 to the unit");
    }

    // (e)
    void sizes()
    {
        page_.heading("(e) Single against double precision");
        page_.table({"machine", "particles", "search", "double: ms", "float: ms", "ratio"},
                    "LSMPS, sphere, one division");
        for (const int edge : {arguments_.edge, arguments_.large}) {
            if (edge == 0) continue;
            const auto places = places_of(edge);
            Search search(places, reach, 1, 1, above_the_face);
            for (const OneMachine& machine : machines_) {
                for (const Form form : {Form::list_table, Form::star_rows, Form::occupied_cells, Form::stored_lists}) {
                    const Setting setting{form, Operator::lsmps, Domain::sphere};
                    const double d =
                        measured("e", machine, search, 1, edge, setting, particles_of<double>(places)).seconds;
                    const double f =
                        measured("e", machine, search, 1, edge, setting, particles_of<float>(places)).seconds;
                    page_.row("{} | {}^3 | {} | {:.3f} | {:.3f} | {:.2f}", machine.name, edge, search.name_of(form),
                              1e3 * d, 1e3 * f, d / f);
                }
            }
        }
    }

    // (i)
    void shapes()
    {
        constexpr double disorder = 0.1;
        page_.heading("(i) Sphere against cube: what an error costs");
        page_.table(
            {"machine", "operator", "domain", "r_e", "neighbours", "error", "error x neighbours",
             "float: ns a particle", "error x ns"},
            "lattice disordered by {} spacings, forward star, three divisions; errors of double against the exact "
            "derivatives inside, rms over rms; the cube also with the reach at which it has the sphere's volume",
            disorder);
        const auto places = places_of(arguments_.edge, disorder);
        const double of_equal_volume = reach * std::cbrt(3.14159265358979 / 6);
        for (const OneMachine& machine : machines_) {
            for (const Operator which : all_operators) {
                for (const auto& [domain, r_e] : {std::pair{Domain::sphere, reach}, std::pair{Domain::cube, reach},
                                                  std::pair{Domain::cube, of_equal_volume}}) {
                    Search search(places, r_e, 1, most_divisions, disorder + above_the_face);
                    const Setting setting{Form::star_rows, which, domain};
                    const auto exact = apply_on_host(search, setting, particles_of<double>(places), 0);
                    const auto in_float = particles_of<float>(places);
                    const double seconds =
                        (machine.is_device ? apply_on_device(search, setting, in_float, arguments_.seconds)
                                           : apply_on_host(search, setting, in_float, arguments_.seconds))
                            .seconds;
                    const Visits v = count_on_host(search, Form::star_rows, in_float);
                    const double count = static_cast<double>(v.particles);
                    const double around =
                        static_cast<double>((domain == Domain::sphere ? v.in_sphere : v.in_cube)) / count - 1;
                    const double error = error_inside(places, exact.results, which);
                    const double nanoseconds = 1e9 * seconds / count;
                    page_.row("{} | {} | {} | {:.3f} | {:.1f} | {:.3e} | {:.3g} | {:.3g} | {:.3g}", machine.name,
                              name_of(which), name_of(domain), r_e, around, error, error * around, nanoseconds,
                              error * nanoseconds);
                    shapes_.row(machine.name, name_of(which), fmt::format("{} {:.3f}", name_of(domain), r_e), "float",
                                around, error, nanoseconds, 0);
                }
            }
        }
    }
    // What the solver does with the same particles: find_gradient is first-order LSMPS in the sphere.
    void against_the_solver()
    {
        page_.heading("Against the solver's own search");
        page_.table(
            {"machine", "particles", "search", "LSMPS, plain sums: ms", "compensated: ms", "made once: ms", "MB"},
            "first-order LSMPS in the sphere, float; compensated: KBN sums and exact cofactors, which the solver's pass "
            "has; made once: structures of the other forms by threads of the host, the solver's rebuild where it runs");
        for (const int edge : {arguments_.edge, arguments_.large}) {
            if (edge == 0) continue;
            const auto places = places_of(edge);
            const auto particles = particles_of<float>(places);
            const auto expected = [&] {
                Search search(places, reach, 1, 1, above_the_face);
                const Setting setting{Form::star_rows, Operator::lsmps, Domain::sphere};
                return apply_on_host(search, setting, particles_of<double>(places), 0).results;
            }();
            for (const OneMachine& machine : machines_) {
                for (const auto& [form, divided] :
                     {std::pair{Form::list_table, 1}, std::pair{Form::star_rows, 1}, std::pair{Form::star_rows, 2},
                      std::pair{Form::star_rows, 3}, std::pair{Form::occupied_cells, 1},
                      std::pair{Form::occupied_cells, 2}, std::pair{Form::stored_lists, 1}})
                    measure_form(machine, edge, form, divided, places, particles);
                for (const NeighbourStorage storage : {NeighbourStorage::stored, NeighbourStorage::none})
                    measure_solver(machine, edge, storage, expected);
            }
        }
        page_.verdict(from_solver_ < 1e-5, "the solver's gradients are those of double, rms within 1e-5: {:.2e}",
                      from_solver_);
    }
    void measure_form(const OneMachine& machine, int edge, Form form, int divided,
                      const std::vector<Vec<3, double>>& places, const std::vector<Four<float>>& particles)
    {
        const double begun = seconds_now();
        Search search(places, reach, 1, divided, above_the_face);
        search.with(form, Domain::sphere, machine.is_device ? 32 : 1, [](const auto&, const auto&) {});
        const double made = 1e3 * (seconds_now() - begun);
        const auto milliseconds = [&](Operator which) {
            return 1e3 *
                   measured("j", machine, search, divided, edge, {form, which, Domain::sphere}, particles).seconds;
        };
        const double plain = milliseconds(Operator::lsmps);
        const double compensated = milliseconds(Operator::compensated_lsmps);
        const std::string what =
            fmt::format("{}, {} division{}", search.name_of(form), divided, divided == 1 ? "" : "s");
        page_.row("{} | {}^3 | {} | {:.3f} | {:.3f} | {:.1f} | ", machine.name, edge, what, plain, compensated, made);
        solver_.row(machine.name, what, edge, plain, compensated, made, 0);
    }
    void measure_solver(const OneMachine& machine, int edge, NeighbourStorage storage,
                        const std::vector<Four<double>>& expected)
    {
        const SolverTimes t =
            times_of_solver(edge, storage, machine.is_device ? arguments_.device : -1, arguments_.seconds, expected);
        if (!t.left_out.empty()) {
            page_.row("{} | {}^3 | the solver's: left out, {} |  |  |  | ", machine.name, edge, t.left_out);
            return;
        }
        const std::string what =
            storage == NeighbourStorage::stored ? "the solver's, lists" : "the solver's, without lists";
        page_.row("{} | {}^3 | {} |  | {:.3f} | {:.1f} | {:.0f}", machine.name, edge, what, 1e3 * t.gradient,
                  1e3 * t.rebuild, 1e-6 * t.bytes);
        solver_.row(machine.name, what, edge, 0, 1e3 * t.gradient, 1e3 * t.rebuild, t.bytes);
        from_solver_ = std::fmax(from_solver_, t.error);
    }

    const Arguments& arguments_;
    Page page_;
    Table times_;
    Table visits_;
    Table shapes_;
    Table solver_;
    std::vector<OneMachine> machines_;
    std::vector<Visits> of_divisions_;         // with a slack of 1
    std::map<std::string, std::string> bits_;  // of the first evaluation of the same sums
    double from_solver_ = 0;                   // of the solver's gradients, the largest rms error
    int compared_ = 0;
    int different_ = 0;
};

ExitCode run_experiment(const Arguments& arguments) { return Bench(arguments).run(); }

const bool registered = register_bench<Arguments>(
    "differential",
    "MPS and LSMPS operators by every form of neighbour search, on CPU and device, beside published figures",
    run_experiment, [](CLI::App& command, Arguments& arguments) {
        add(command, "--edge", arguments.edge, "Particles along the lattice's edge; published figures are of 61",
            CLI::Range(16, 400));
        add(command, "--large", arguments.large, "The same of the larger lattice of table (e); 0: none",
            CLI::Range(0, 400));
        add(command, "--seconds", arguments.seconds, "Shortest time to measure each row for", CLI::Range(0.0, 600.0));
        add(command, "--backend", arguments.backend, "all: CPU and device where there is one; cpu; cuda",
            CLI::IsMember({"all", "cpu", "cuda"}));
        add(command, "--device", arguments.device, "Which CUDA device");
    });

}  // namespace

}  // namespace halfulp::differential
