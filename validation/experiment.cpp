#include "validation/experiment.hpp"

#include <cerrno>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <system_error>

#include "core/app/interrupts.hpp"
#include "core/app/progress.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

void add_study_options(CLI::App& command, StudyOptions& options)
{
    options.folder = "out/validate-" + command.get_name();
    add(command, "-o,--output", options.folder, "Folder for tables, figures, the report and the cache")
        ->type_name("FOLDER");
    CLI::Option* const quick = command.add_flag_callback(
        "--quick", [&options] { options.scale = Scale::quick; }, "Few and coarse measurements (seconds to a minute)");
    command
        .add_flag_callback(
            "--full", [&options] { options.scale = Scale::full; }, "More and finer measurements than usual (long)")
        ->excludes(quick);
    command.add_flag("--fresh", options.fresh,
                     "Measure anew what is in the cache already; without it an interrupted study continues");
    add(command, "--threads", options.threads,
        "Measurements at a time (default: OMP_NUM_THREADS or all the machine offers); changes no result",
        CLI::Range(0, 4096))
        ->type_name("N");
}

void add_bench_options(CLI::App& command, BenchOptions& options, const char* folder_help)
{
    options.folder = "out/bench-" + command.get_name();
    add(command, "-o,--output", options.folder, folder_help);
}

Simulated simulate(Problem problem, std::uint64_t every, const Look& look, const CpuOptions& cpu)
{
    return simulate(std::move(problem), every, look, [&](const Problem& of) { return make_cpu_backend(of, cpu); });
}

Simulated simulate(Problem problem, std::uint64_t every, const Look& look,
                   const std::function<std::unique_ptr<Backend>(const Problem&)>& make)
{
    Simulated result;
    result.problem = std::move(problem);
    const double end = result.problem.source.time.end;
    Simulation simulation(result.problem, make(result.problem));
    look(result.problem, simulation);
    result.broke = breaks_down([&] {
        while (simulation.time() < end) {
            simulation.step();
            if (simulation.steps() % every == 0 || simulation.time() >= end) look(result.problem, simulation);
        }
    });
    result.time = simulation.time();
    result.hash = simulation.snapshot().hash;
    result.steps = simulation.steps();
    return result;
}

std::vector<bool> simulate_together(const std::vector<const Problem*>& problems, BatchOfRuns made, std::uint64_t every,
                                    const std::string& name,
                                    const std::function<void(std::size_t, const Simulation&)>& look)
{
    std::vector<std::size_t> going_on(problems.size());
    std::iota(going_on.begin(), going_on.end(), std::size_t{0});
    std::vector<std::unique_ptr<Simulation>> simulations;
    for (const std::size_t k : going_on) {
        simulations.push_back(
            std::make_unique<Simulation>(*problems[k], std::move(made.runs[k]), Simulation::InBatch{}));
    }
    made.batch->carry_out();
    made.batch->sum_ledgers(going_on);
    for (const std::size_t k : going_on) {
        simulations[k]->complete_start();
        look(k, *simulations[k]);
    }
    std::vector<bool> broke(problems.size());
    const auto attempt = [&](const auto& part) {
        for (const std::size_t k : going_on)
            if (!broke[k]) broke[k] = breaks_down([&] { part(k, *simulations[k]); });
    };
    const auto end = [&](std::size_t k) { return problems[k]->source.time.end; };
    ProgressLine line(stderr);
    const InterruptsCaught interrupts;
    while (!going_on.empty()) {
        if (interrupted()) throw Error(code_of_interrupt(), fmt::format("{}: interrupted", name));
        attempt([](std::size_t /*k*/, Simulation& simulation) { simulation.begin_step(); });
        made.batch->carry_out();
        attempt([&](std::size_t k, Simulation& simulation) {
            simulation.complete_step();
            if (simulation.steps() % every == 0 || simulation.time() >= end(k)) look(k, simulation);
        });
        std::erase_if(going_on, [&](std::size_t k) { return broke[k] || simulations[k]->time() >= end(k); });
        if (!line.due() || going_on.empty()) continue;
        const double fraction = simulations[going_on.front()]->time() / end(going_on.front());
        line.show(fmt::format("{}: {} runs together, {}, {} left", name, going_on.size(), duration_text(line.elapsed()),
                              time_left_text(line.elapsed(), fraction)));
    }
    line.clear();
    return broke;
}

Case case_with(const std::string& name, const std::vector<std::string>& overrides)
{
    return read_case(find_case(name), overrides);
}

Case case_with(const std::string& name, const Variant& variant)
{
    std::vector<std::string> overrides;
    const auto set = [&](const char* key, double value) {
        if (value > 0) overrides.push_back(fmt::format("{}={}", key, value));
    };
    set("resolution.spacing", variant.spacing);
    set("time.cfl", variant.cfl);
    set("time.end", variant.end);
    if (variant.cells != 0) overrides.push_back(fmt::format("origin.cells=[{},{}]", variant.cells, -variant.cells));
    if (!variant.precision.empty()) overrides.push_back("numerics.precision=" + variant.precision);
    return case_with(name, overrides);
}

namespace {

std::filesystem::path path_in(const std::filesystem::path& folder, const std::string& name)
{
    std::error_code ignored;  // opening the file fails then, too
    std::filesystem::create_directories(folder, ignored);
    return folder / (name + ".csv");
}

}  // namespace

Table::Table(const std::filesystem::path& folder, const std::string& name, const std::string& header)
try : path_(path_in(folder, name)), fresh_(fresh_name(path_)), file_(fresh_, new_file) {
    write(header + '\n');
    has_rows_ = false;
} catch (int) {
    throw output_error(fmt::format("{}: cannot be written; choose another folder with --output", path_.string()));
}

Table::~Table() noexcept(false)
{
    if (complete_) return;
    if (std::uncaught_exceptions() == exceptions_) take_name();
    else if (!has_rows_ && file_.is(fresh_)) ::unlink(fresh_.c_str());
}

const std::filesystem::path& Table::complete()
{
    if (!std::exchange(complete_, true)) take_name();
    return path_;
}

void Table::take_name()
{
    if (!file_.is(fresh_)) {
        throw output_error(
            fmt::format("{}: another experiment has begun to write it meanwhile; choose another folder with --output",
                        path_.string()));
    }
    if (std::rename(fresh_.c_str(), path_.c_str()) != 0) {
        throw output_error(fmt::format("{}: cannot be written: {}; choose another folder with --output", path_.string(),
                                       words_of(errno)));
    }
}

void Table::add_text(std::string& line, std::string_view text)
{
    const char* const quote = text.find(',') == text.npos ? "" : "\"";
    fmt::format_to(std::back_inserter(line), "{0}{1}{0},", quote, text);
}

void Table::write(const std::string& line)
{
    if (complete_) throw std::logic_error(path_.string() + " gets a row after its end");
    has_rows_ = true;
    try {
        file_.write(line.data(), line.size());
    } catch (int) {
        throw output_error(fmt::format("{}: could not be written; is the disk full?", path_.string()));
    }
}

}  // namespace halfulp
