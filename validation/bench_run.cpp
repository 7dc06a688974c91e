// halfulp bench run: the time to solution of whole shipped cases, as a user starts them. Each row is the program's own
// `run` in a process of its own, outputs included; what took its time is read from the run that it leaves. Everything
// goes into one JSON file, from which bench_run.py draws the tables of the documentation.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sstream>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <unistd.h>

#include "core/app/build_info.hpp"
#include "core/app/child_process.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/json.hpp"
#include "core/app/machine.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/run_file.hpp"
#include "core/output/text_files.hpp"
#include "validation/experiment.hpp"
#include "validation/pair_count.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view format = "halfulp bench run 1";

struct Arguments : BenchOptions {
    static constexpr const char* folder_help = "Folder for run.json, and for each run until it is measured";
    std::vector<std::string> cases{"dam-break-2d", "dam-break-3d", "spheric2"};
    std::vector<double> sizes{1, 1.5, 3};
    std::vector<std::string> back_ends{"cpu", "cuda"};
    std::vector<int> threads;
    int device = 0;
    double end = 0;
    std::vector<std::string> overrides;
};

struct Row {
    std::string name;
    std::string spacing;  // m
    std::string back_end;
    int threads = 0;  // 0: as the program chooses
};

std::string array_of(const std::vector<std::string>& values, const std::string& separator = ", ")
{
    return fmt::format("[{}]", fmt::join(values, separator));
}

// "a 1.5, b c 2" -> {"a": 1.5, "b c": 2}
JsonObject stages_of(const std::string& text)
{
    JsonObject stages;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts >> std::ws, part, ',');)
        stages.add_json(part.substr(0, part.rfind(' ')), part.substr(part.rfind(' ') + 1));
    return stages;
}

// "0 0 0.1; 1 5 2" -> [[0, 0, 0.1], [1, 5, 2]]
std::string tenths_of(std::string text)
{
    std::vector<std::string> all;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts >> std::ws, part, ';');) {
        std::ranges::replace(part, ' ', ',');
        all.push_back('[' + part + ']');
    }
    return array_of(all);
}

std::string last_line(const fs::path& log)
{
    std::ifstream lines(log);
    std::string last;
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) last = line;
    return last;
}

// Removes a run at the end of a scope, an interrupt included: it may be large, and nobody has asked for it.
struct Removed {
    InterruptsCaught interrupts{};
    const fs::path& run;
    ~Removed()
    {
        std::error_code ignored;
        fs::remove_all(run, ignored);
    }
};

class Bench {
public:
    explicit Bench(const Arguments& arguments) : arguments_(arguments), run_(fs::path(arguments.folder) / "run")
    {
        std::error_code error;
        program_ = fs::read_symlink("/proc/self/exe", error).string();
        make_folder(arguments.folder);
        // The last is that by way of which the partial one is written.
        for (const fs::path& file : {path(), partial(), partial_name(partial())})
            refuse_foreign(file, "file of measurements", fmt::format("{{\"format\": \"{}\"", format));
        if (fs::symlink_status(run_, error).type() != fs::file_type::not_found) {  // it would be removed
            throw output_error(
                fmt::format("{} exists already, where the runs are to be made that are removed once they are measured: "
                            "remove it, or choose another folder with --output.",
                            run_.string()));
        }
        const Machine machine = this_machine();
        double load = 0;
        getloadavg(&load, 1);
        JsonObject of_machine;
        of_machine.add("processor", describe_processor());
        of_machine.add("processors", machine.processors);
        of_machine.add("memory", machine.memory);
        of_machine.add("load", load);
        head_.add("format", format);
        head_.add("date", fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))));
        // Without the folder in which the program happens to be.
        const std::string& line = experiment_command_line();
        head_.add("command", "halfulp" + line.substr(std::min(line.find(' '), line.size())));
        head_.add("version", build::version);
        head_.add("commit", build::commit);
        head_.add("tree", build::tree);
        head_.add("sources", build::sources);  // their digest, the same for commits that change none of them
        head_.add("compiler", build::compiler);
        head_.add("flags", build::flags);
        head_.add("machine", of_machine);
    }

    // Measures a row and writes what is measured. One that is interrupted is none.
    void measure(const Row& row)
    {
        JsonObject start;
        start.add("case", row.name);
        start.add_json("spacing", row.spacing);
        JsonObject json = start;
        std::optional<std::string> obstacle;
        try {
            obstacle = measure(row, json);
        } catch (const Error& error) {
            obstacle = error.what();
        }
        if (interrupted()) {
            throw Error(code_of_interrupt(),
                        rows_.empty() ? std::string("bench run: interrupted; nothing is measured yet.")
                                      : fmt::format("bench run: interrupted; {} has the {} row{} measured before.",
                                                    partial().string(), rows_.size(), rows_.size() == 1 ? "" : "s"));
        }
        if (obstacle) {
            json = start;
            json.add("back_end", row.back_end);
            json.add("left_out", *obstacle);
            fmt::print("| {} | {} | {} | left out: {} | | | | | | |\n", row.name, row.spacing, row.back_end, *obstacle);
        }
        std::fflush(stdout);
        rows_.push_back(json.text());
        JsonObject all = head_;
        all.add_json("rows", array_of(rows_, ",\n    "));
        replace_file(partial(), all.text() + '\n');
    }

    // Gives the file its name, once it has all of its rows: an earlier one stays until then.
    fs::path complete() const
    {
        if (std::rename(partial().c_str(), path().c_str()) != 0) {
            throw output_error(fmt::format("{} cannot be written: {}; the rows are in {}.", path().string(),
                                           halfulp::words_of(errno), partial().string()));
        }
        return path();
    }

private:
    [[nodiscard]] fs::path path() const { return fs::path(arguments_.folder) / "run.json"; }
    [[nodiscard]] fs::path partial() const { return fs::path(arguments_.folder) / "run.json.new"; }

    [[nodiscard]] std::vector<std::string> overrides_of(const Row& row) const
    {
        std::vector<std::string> all{"resolution.spacing=" + row.spacing};
        if (arguments_.end > 0) all.push_back(fmt::format("time.end={}", arguments_.end));
        all.insert(all.end(), arguments_.overrides.begin(), arguments_.overrides.end());
        return all;
    }

    [[nodiscard]] std::vector<std::string> words_of(const Row& row) const
    {
        std::vector<std::string> words{"run",         row.name,      "--quiet",   "--no-figures", "-o",
                                       run_.string(), "--overwrite", "--backend", row.back_end};
        if (row.threads > 0) words.insert(words.end(), {"--threads", std::to_string(row.threads)});
        if (row.back_end == "cuda") words.insert(words.end(), {"--device", std::to_string(arguments_.device)});
        for (const std::string& one : overrides_of(row)) words.insert(words.end(), {"--set", one});
        return words;
    }

    // What was found; or why nothing was.
    std::optional<std::string> measure(const Row& row, JsonObject& json) const
    {
        // First, so that no memory or processor is taken from the run. Only the particles' number is needed later.
        Problem problem = prepare(case_with(row.name, overrides_of(row)));
        problem.particles = {};
        const Removed removed{.run = run_};
        make_folder(run_);
        const fs::path log = run_ / "bench.log";
        const std::vector<std::string> words = words_of(row);
        const double begun = seconds_now();
        if (interrupted()) return {};
        const std::optional<int> status = run_child([&] {
            const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
            dup2(file, 1);
            dup2(file, 2);
            std::vector<char*> pointers{const_cast<char*>("halfulp")};
            for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
            pointers.push_back(nullptr);
            execv(program_.c_str(), pointers.data());
        });
        const double seconds = seconds_now() - begun;
        if (!status) return {};
        if (status != 0) return last_line(log);
        read(row, problem, seconds, json);
        json.add("command", fmt::format("halfulp {}", fmt::join(words, " ")));
        return {};
    }

    void read(const Row& row, const Problem& problem, double seconds, JsonObject& json) const
    {
        const RunReader reader(run_);
        const OutputInfo& last = reader.outputs().back();
        const double count = static_cast<double>(problem.fluid + problem.wall);
        json.add("dimensions", problem.source.dimensions);
        json.add("fluid", problem.fluid);
        json.add("wall", problem.wall);
        json.add("precision", reader.entry("precision"));
        json.add("back_end", reader.entry("backend"));
        json.add("device", reader.entry("device"));
        json.add("end", problem.source.time.end);
        json.add("time", last.time);
        json.add("steps", last.step);
        json.add("rebuilds", reader.ledger().back().rebuilds);
        json.add("outputs", reader.outputs().size());
        json.add_json("seconds", fmt::format("{:.3f}", seconds));  // of the process; the rest is of the run
        json.add_json("run_seconds", reader.entry("wall_seconds"));
        json.add("stage_seconds", stages_of(reader.entry("stage_seconds")));
        json.add_json("tenths", tenths_of(reader.entry("tenths")));
        json.add_json("bytes_per_particle", fmt::format("{:.1f}", std::stod(reader.entry("memory")) / count));
        std::vector<std::string> neighbours;
        for (const OutputInfo& output : reader.outputs()) {
            if (const auto number = neighbours_of_fluid(problem, reader.output(output)))
                neighbours.push_back(fmt::format("[{}, {}]", output.step, *number));
        }
        json.add_json("neighbours_of_fluid", array_of(neighbours));  // at each output: step, number
        json.add("state_hash", last.hash);
        fmt::print("| {} | {} | {} | {} | {} | {} | {:.1f} | {} |\n", row.name, row.spacing, problem.fluid,
                   problem.wall, reader.entry("backend"), last.step, seconds, reader.entry("stage_seconds"));
    }

    const Arguments& arguments_;
    fs::path run_;
    std::string program_;
    JsonObject head_;
    std::vector<std::string> rows_;
};

// The spacing of a case as it is shipped over `size`, to six digits.
std::string spacing_of(const std::string& name, double size)
{
    return fmt::format("{:.6g}", case_with(name).resolution.spacing / size);
}

ExitCode run_experiment(const Arguments& arguments)
{
    std::vector<Row> rows;
    for (const std::string& name : arguments.cases) {
        for (const double size : arguments.sizes) {
            for (const std::string& back_end : arguments.back_ends) {
                std::vector<int> threads = arguments.threads;
                if (threads.empty() || back_end != "cpu") threads = {0};
                for (const int count : threads) rows.push_back({name, spacing_of(name, size), back_end, count});
            }
        }
    }
    Bench bench(arguments);
    fmt::print(
        "Whole runs from the start of the program to its end, outputs included, figures not.\n\n"
        "| case | spacing (m) | fluid | walls | back end | steps | time (s) | of which (s) |\n|---|---|---|---|---|---|---|---|\n");
    for (const Row& row : rows) bench.measure(row);
    fmt::print("\nall figures: {}\n", bench.complete().string());
    return ExitCode::success;
}

const bool registered = register_bench<Arguments>(
    "run", "Whole shipped cases as halfulp run starts them: time to solution, its stages, pairs, bytes a particle",
    run_experiment, [](CLI::App& command, Arguments& arguments) {
        add(command, "--cases", arguments.cases, "Cases by name, or TOML files");
        add(command, "--sizes", arguments.sizes, "The case's own spacing over that of the run: 2 is half the spacing",
            CLI::Range(0.01, 100.0));
        add(command, "--back-ends", arguments.back_ends, "cpu, cuda", CLI::IsMember({"cpu", "cuda"}));
        add(command, "--threads", arguments.threads, "Threads of the CPU, a row each (default: as for halfulp run)",
            CLI::Range(1, 4096));
        add(command, "--device", arguments.device, "Which CUDA device");
        add(command, "--end", arguments.end, "Simulated time, s (default: the case's own)", CLI::PositiveNumber);
        command.add_option("--set", arguments.overrides, "KEY=VALUE for all of the cases")->expected(1)->take_all();
    });

}  // namespace

}  // namespace halfulp
