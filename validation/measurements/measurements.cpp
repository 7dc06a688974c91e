// halfulp validate experiment: cases that others have measured, run and scored against what they found.
#include "validation/measurements/measurements.hpp"

#include "core/app/case_options.hpp"
#include "core/app/interrupts.hpp"
#include "core/backends/make_backend.hpp"
#include "core/evolution/probe_recorder.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

const std::vector<MeasuredCase>& measured_cases()
{
    static const std::vector<MeasuredCase> all{linear_sloshing(), column(),       lobovsky_2d(),  lobovsky_3d(),
                                               spheric2(),        spheric10_2d(), spheric10_3d(), cehinav_sloshing()};
    return all;
}

struct Arguments : StudyOptions {
    std::vector<std::string> names;
    std::vector<int> particles;
    CaseOptions source;  // its overrides, for every case
    std::optional<std::string> data;
    std::string backend = "auto";
};

MeasuredRun record(const Case& c, const BackendOptions& backend)
{
    const Problem problem = prepare(c);
    Simulation simulation(problem, make_backend(problem, backend).backend);
    ProbeRecorder probes(problem);
    MeasuredRun run{.fluid = problem.fluid, .wall = problem.wall};
    const auto look = [&] {
        probes.look(simulation);
        if (!c.front || simulation.steps() % static_cast<std::uint64_t>(c.output.ledger_every) != 0) return;
        const LedgerRow row = simulation.ledger_row();
        run.front.add(row.time, row.front);
    };
    look();
    run.broke = breaks_down([&] {
        while (simulation.time() < c.time.end) {
            simulation.step();
            look();
            if (interrupted()) {
                throw Error(code_of_interrupt(),
                            fmt::format("experiment: interrupted at {:.3g} s of {}; what was run to the end is kept",
                                        simulation.time(), c.name));
            }
        }
    });
    run.steps = simulation.steps();
    run.time = simulation.time();
    for (const ProbeSeries& series : probes.series()) run.columns.push_back(series.values);
    return run;
}

constexpr std::array look_names{"computed", "line", "points"};  // of Curve::Look

void write_curve(Table& table, const Curve& curve, const std::string& source)
{
    for (std::size_t i = 0; i < curve.series.time.size(); ++i) {
        const bool band = i < curve.band.time.size();
        table.row(curve.panel, look_names.at(static_cast<std::size_t>(curve.look)), source, curve.series.time[i],
                  curve.series.value[i], band ? fmt::format("{}", curve.band.low[i]) : "",
                  band ? fmt::format("{}", curve.band.high[i]) : "");
    }
}

// What was measured stands in every comparison; one is enough.
void write_curves(const std::filesystem::path& folder, const MeasuredCase& one, const std::vector<int>& particles,
                  const std::vector<Comparison>& comparisons, Page& page)
{
    Table table(folder, "experiment-" + one.name, fmt::format("panel,look,source,{},value,low,high", one.abscissa));
    for (const Curve& curve : comparisons.back().curves) {
        if (curve.look != Curve::Look::computed) write_curve(table, curve, curve.source);
    }
    for (std::size_t k = 0; k < comparisons.size(); ++k) {
        for (const Curve& curve : comparisons[k].curves) {
            if (curve.look == Curve::Look::computed)
                write_curve(table, curve, fmt::format("{} {}", particles[k], one.resolution));
        }
    }
    page.draw(table.complete(), "measurements", "{}: {}; what was computed beside what was measured.", one.name,
              one.summary);
}

// Scores from the coarsest to the finest; the finest is judged.
void write_scores(const std::filesystem::path& folder, const MeasuredCase& one, const std::vector<int>& particles,
                  const std::vector<MeasuredRun>& runs, const std::vector<Comparison>& comparisons, Page& page)
{
    Table table(folder, "experiment-" + one.name + "-scores",
                "particles,fluid,wall,steps,end[s],broke,quantity,unit,measured,computed,asked,met");
    std::vector<std::string> header{"quantity", "measured", "asked"};
    std::vector<std::string> size{"particles, fluid + wall", "", ""};
    std::vector<std::string> steps{"steps", "", ""};
    bool broke = false;
    const auto number = [](std::optional<double> value) { return value ? fmt::format("{}", *value) : ""; };
    for (std::size_t k = 0; k < runs.size(); ++k) {
        for (const Score& score : comparisons[k].scores) {
            table.row(particles[k], runs[k].fluid, runs[k].wall, runs[k].steps, runs[k].time, runs[k].broke, score.name,
                      score.unit, number(score.measured_number), number(score.computed_number), score.asked, score.met);
        }
        header.push_back(fmt::format("computed, {} {}", particles[k], one.resolution));
        size.push_back(fmt::format("{} + {}", runs[k].fluid, runs[k].wall));
        steps.push_back(fmt::format("{}{}", runs[k].steps,
                                    runs[k].broke ? fmt::format(", STOPPED at {:.3g} s", runs[k].time) : ""));
        broke = broke || runs[k].broke;
    }
    page.table(header, "case {}; {}", one.case_file, one.citation);
    page.row(size);
    page.row(steps);
    const Comparison& finest = comparisons.back();
    for (std::size_t i = 0; i < finest.scores.size(); ++i) {
        std::vector<std::string> cells{finest.scores[i].name, finest.scores[i].measured, finest.scores[i].asked};
        for (const Comparison& comparison : comparisons) cells.push_back(comparison.scores.at(i).computed);
        page.row(cells);
    }
    if (broke) page.verdict(false, "{}: every run reaches its end", one.name);
    for (const Score& score : finest.scores) {
        if (score.asked.empty()) continue;
        page.verdict(score.met, "{}: {} {}: measured {}, computed {}", one.name, score.name, score.asked,
                     score.measured, score.computed);
    }
}

std::vector<int> resolutions_of(const MeasuredCase& one, const Arguments& arguments)
{
    if (!arguments.particles.empty()) return arguments.particles;
    return arguments.choose<std::vector<int>>({one.resolutions.quick}, {one.resolutions.usual}, one.resolutions.full);
}

ExitCode run_experiment(const Arguments& arguments)
{
    auto chosen = cases_named(measured_cases(), arguments.names, "validate experiment");
    if (arguments.names.empty())
        std::erase_if(chosen, [&](const MeasuredCase* one) { return one->resolutions.from > arguments.scale; });
    MeasuredData data(arguments.data);
    // One run at a time with all threads: the finest takes most of the time.
    StudyOptions one_at_a_time = arguments;
    one_at_a_time.threads = 1;
    const BackendOptions backend{
        .kind = backend_kind_from(arguments.backend), .cpu = {.threads = arguments.threads}, .cuda = {}};
    Page page(arguments.folder, "experiment", "Experiments: pressures, levels and fronts as measured");
    Study study("experiment", one_at_a_time);
    std::size_t told = 0;
    for (const MeasuredCase* one : chosen) {
        const std::vector<int> particles = resolutions_of(*one, arguments);
        Measurements<Case, MeasuredRun> measurements;
        for (const int count : particles) {
            std::vector<std::string> overrides{fmt::format("resolution.spacing={}", one->length / count)};
            overrides.insert(overrides.end(), arguments.source.overrides.begin(), arguments.source.overrides.end());
            Case c = case_with(one->case_file, overrides);
            if (one->prepare) one->prepare(c, data);
            measurements.add(c, job_key("experiment", c), [c, backend] { return record(c, backend); });
        }
        page.heading("{}: {}", one->name, one->summary);
        std::vector<MeasuredRun> runs;
        std::vector<Comparison> comparisons;
        study.run(measurements, [&](const Case& c, const MeasuredRun& measured) {
            MeasuredRun& run = runs.emplace_back(measured);
            run.source = c;
            run.scale = arguments.scale;
            comparisons.push_back(one->compare(run, data));
        });
        for (; told < data.missing().size(); ++told) page.paragraph(data.missing()[told]);
        write_scores(arguments.folder, *one, particles, runs, comparisons, page);
        write_curves(arguments.folder, *one, particles, comparisons, page);
    }
    return page.close();
}

const bool registered = register_study<Arguments>(
    "experiment", "Dam breaks, collapsing columns and sloshing tanks against measurements", run_experiment,
    [](CLI::App& command, Arguments& arguments) {
        command.add_option("name", arguments.names,
                           fmt::format("Which, of {}; without: with --quick the first, otherwise those in 2D, with "
                                       "--full all, each at three resolutions",
                                       names_of(measured_cases())));
        command
            .add_option("--data", arguments.data,
                        "Folder with the measured curves, CSV files; without it only published tables count")
            ->type_name("FOLDER");
        add(command, "--particles", arguments.particles,
            "Resolutions to run instead of the case's own, coarsest first, counted as its table says",
            CLI::Range(4, 2000));
        arguments.source.add_overrides(command);
        command
            .add_option("--backend", arguments.backend,
                        "auto (a CUDA device where there is one), cpu or cuda; changes no bit of the result")
            ->type_name("NAME");
        command.footer(
            "Runs go one after another with all threads. Give --data the folder of the files that the page names.");
    });

}  // namespace

}  // namespace halfulp
