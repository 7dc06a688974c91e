// halfulp sweep: many runs of one case with different values, side by side: each a process with one thread, or in
// batches on a device.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include <fcntl.h>
#include <omp.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/case_options.hpp"
#include "core/app/commands.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/progress.hpp"
#include "core/app/run_batch.hpp"
#include "core/app/summary.hpp"
#include "core/backends/batches.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/run_file.hpp"
#include "core/output/text_files.hpp"
#include "core/setup/departures.hpp"
#include "core/setup/read_case.hpp"

extern char** environ;

namespace halfulp {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_runs = 100'000;
// Runs whose particles are prepared at a time, for batches.
constexpr std::size_t most_prepared = 1U << 12U;

struct SweepArguments {
    CaseOptions source;
    std::vector<std::string> varied;
    std::string folder;
    int jobs = 0;
    std::string backend = "cpu";
    int device = 0;
    std::string command_line;
};

// A key and the values that it takes, as they are written in a case.
struct Axis {
    std::string key;
    std::vector<std::string> values;
};

struct Member {
    std::string name;                    // of its folder: "0000"
    std::vector<std::string> overrides;  // of the axes, in their order
    std::string completed;               // the case
    std::string end_state;
    pid_t process = 0;
    bool resumed = false;
    bool alone = true;  // not in a batch
    bool done = false;
};

// Commas within brackets or quotes belong to a value.
std::vector<std::string> split_values(std::string_view text)
{
    std::vector<std::string> values(1);
    int depth = 0;
    bool quoted = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (!quoted && (c == '[' || c == '{')) ++depth;
        if (!quoted && (c == ']' || c == '}')) --depth;
        if (c == ',' && depth == 0 && !quoted) values.emplace_back();
        else values.back() += c;
    }
    return values;
}

Axis axis_of(const std::string& word)
{
    const std::size_t equals = word.find('=');
    Axis axis{word.substr(0, equals), {}};
    if (equals != std::string::npos) axis.values = split_values(std::string_view(word).substr(equals + 1));
    const auto is_empty = [](const std::string& value) { return value.empty(); };
    if (axis.key.empty() || axis.values.empty() || std::any_of(axis.values.begin(), axis.values.end(), is_empty)) {
        throw input_error(
            fmt::format("--vary {}: give a key and its values, separated by commas, as in --vary "
                        "time.cfl=0.1,0.2,0.4.",
                        shortened(word)));
    }
    return axis;
}

// Every combination of the values, the last axis first.
std::vector<Member> members_of(const std::vector<Axis>& axes)
{
    std::size_t count = 1;
    for (const Axis& axis : axes) {
        count *= axis.values.size();
        if (count > most_runs)
            throw input_error(fmt::format("--vary makes more than {} runs; give fewer values.", most_runs));
    }
    const std::size_t digits = std::max<std::size_t>(4, fmt::formatted_size("{}", count - 1));
    std::vector<Member> members(count);
    for (std::size_t k = 0; k < count; ++k) {
        members[k].name = fmt::format("{:0{}}", k, digits);
        std::size_t left = k;
        members[k].overrides.resize(axes.size());
        for (std::size_t a = axes.size(); a-- > 0;) {
            const Axis& axis = axes[a];
            members[k].overrides[a] = axis.key + "=" + axis.values[left % axis.values.size()];
            left /= axis.values.size();
        }
    }
    return members;
}

class Sweep {
public:
    Sweep(const SweepArguments& arguments, std::vector<Axis> axes)
        : arguments_(arguments), axes_(std::move(axes)), folder_(arguments.folder), members_(members_of(axes_))
    {
        // Whatever is wrong with one of them is said before any of them runs.
        for (Member& member : members_) {
            CaseOptions source = arguments_.source;
            source.overrides = overrides_of(member);
            member.completed = case_as_toml(source.read());
        }
        if (on_device()) refuse_without_device();
        std::error_code error;
        program_ = fs::read_symlink("/proc/self/exe", error);
        fs::create_directories(folder_, error);
        if (error)
            throw Error(ExitCode::output, fmt::format("{} cannot be made: {}.", folder_.string(), error.message()));
        for (Member& member : members_) look_at(member);
    }

    ExitCode carry_out()
    {
        catch_interrupts();
        if (on_device()) carry_out_batches();
        carry_out_alone();
        write_table();
        release_interrupts();
        return report();
    }

private:
    // A problem of a batch, and what its run is started with.
    struct Prepared {
        std::size_t member;
        Problem problem;
        std::optional<ResumePoint> from;
        RunOptions options;
    };

    [[nodiscard]] bool on_device() const { return backend_kind_from(arguments_.backend) == BackendKind::cuda; }
    // Throws an Error if the device cannot run even the first of them.
    void refuse_without_device() const
    {
        CaseOptions source = arguments_.source;
        source.overrides = overrides_of(members_.front());
        const std::string why = why_no_cuda(prepare(source.read()), {.device = arguments_.device});
        if (!why.empty())
            throw Error(ExitCode::unsupported, fmt::format("--backend cuda: {}; --backend cpu runs without it", why));
    }

    // The runs that can be in batches; the others are left for processes of their own.
    void carry_out_batches()
    {
        const CudaOptions options{.device = arguments_.device};
        const std::size_t most = most_runs_in_batch();
        std::size_t next = 0;
        while (next < members_.size() && !interrupted()) {
            std::vector<std::unique_ptr<Prepared>> prepared;
            for (; next < members_.size() && prepared.size() < std::min(most, most_prepared); ++next) {
                if (members_[next].done) continue;
                if (auto one = prepare_for_batch(next, options)) prepared.push_back(std::move(one));
            }
            std::vector<const Problem*> problems;
            for (const auto& one : prepared) problems.push_back(&one->problem);
            const auto batches = batches_of(problems, options, most);
            if (!batches.empty()) fmt::print("  batches           {}\n", sizes_of(batches));
            std::fflush(stdout);
            for (const std::vector<std::size_t>& batch : batches) {
                std::vector<Prepared*> chosen;
                for (const std::size_t k : batch) chosen.push_back(prepared[k].get());
                if (!interrupted()) carry_out_batch(chosen, options);
            }
        }
    }

    // Nothing for a run that goes alone.
    std::unique_ptr<Prepared> prepare_for_batch(std::size_t k, const CudaOptions& options)
    {
        Member& member = members_[k];
        CaseOptions source = arguments_.source;
        source.overrides = overrides_of(member);
        auto one = std::make_unique<Prepared>(Prepared{k, prepare(source.read()), {}, {}});
        std::string why = why_alone(one->problem);
        if (why.empty()) why = why_no_cuda(one->problem, options);
        if (!why.empty()) {
            if (told_alone_.insert(why).second)
                fmt::print("  on the CPU        {}, and runs like it: {}\n", member.name, why);
            return {};
        }
        member.alone = false;
        one->options.folder = folder_of(member);
        one->options.overwrite = true;
        one->options.quiet = true;
        one->options.command_line = arguments_.command_line;
        one->options.warnings = departures(one->problem);
        if (member.resumed) resume(*one, member);
        return one;
    }

    // From its last checkpoint, or from the start where there is none.
    void resume(Prepared& one, const Member& member) const
    {
        const RunFolder held = RunFolder::existing(folder_of(member));
        const RunReader reader(held.path());
        std::vector<std::string> warnings;
        one.from = read_resume_point(reader, warnings);
        for (const std::string& warning : warnings) fmt::print(stderr, "halfulp: {} {}.\n", member.name, warning);
        if (!one.from) return;
        if (fingerprint_of(one.problem).text() != one.from->checkpoint.problem.text()) {
            throw input_error(
                fmt::format("{} cannot be resumed: with this version of halfulp it would not start as it did; choose "
                            "another folder.",
                            folder_of(member).string()));
        }
        one.options.held = held;
    }

    void carry_out_batch(const std::vector<Prepared*>& chosen, const CudaOptions& options)
    {
        std::vector<BatchedRun> runs;
        for (Prepared* one : chosen) runs.push_back({&one->problem, one->options, std::move(one->from)});
        ProgressLine line(stdout);
        const auto show = [&](std::size_t ended, double fraction) {
            if (line.due())
                line.show(fmt::format("{} of {} runs, {} of the batch at work, {} left", count_done() + ended,
                                      members_.size(), chosen.size() - ended,
                                      time_left_text(line.elapsed(), fraction)));
        };
        const auto make = [&](const std::vector<const Problem*>& problems) {
            return make_cuda_batch(problems, options);
        };
        const std::vector<EndOfRun> ends =
            run_batch(std::move(runs), make, describe_cuda_device(arguments_.device), show);
        line.clear();
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            Member& member = members_[chosen[k]->member];
            const auto& [outcome, failure] = ends[k];
            std::string log = failure.empty() ? "" : failure + '\n';
            if (outcome) {
                log = printable(summarise(chosen[k]->problem, *outcome));
                if (outcome->breakdown) log += fmt::format("broke down: {}\n", outcome->breakdown->what);
                member.done = !outcome->interrupted;
            }
            member.end_state = outcome ? RunReader(folder_of(member)).entry("end_state")
                                       : fmt::format("failed: {}", log_of(member).string());
            replace_file(log_of(member), log);
        }
    }

    [[nodiscard]] static std::string sizes_of(const std::vector<std::vector<std::size_t>>& batches)
    {
        std::vector<std::size_t> sizes;
        for (const auto& batch : batches) sizes.push_back(batch.size());
        constexpr std::size_t shown_at_most = 8;
        const bool all = sizes.size() <= shown_at_most;
        if (!all) sizes.resize(shown_at_most);
        return fmt::format("{}, of {}{} runs", batches.size(), fmt::join(sizes, ", "), all ? "" : ", ...");
    }

    // Each a process.
    void carry_out_alone()
    {
        const auto jobs = static_cast<std::size_t>(arguments_.jobs > 0 ? arguments_.jobs : omp_get_num_procs());
        ProgressLine line(stdout);
        const std::size_t before = count_done();
        std::size_t next = 0;
        std::size_t running = 0;
        while (true) {
            for (; running < jobs && next < members_.size() && !interrupted(); ++next) {
                if (members_[next].done || !members_[next].alone) continue;
                start(members_[next]);
                ++running;
            }
            if (running == 0) break;
            if (line.due()) line.show(text(before, running, line.elapsed()));
            running -= wait_for_one() ? 1 : 0;
        }
        line.clear();
    }

    [[nodiscard]] std::vector<std::string> overrides_of(const Member& member) const
    {
        std::vector<std::string> all = arguments_.source.overrides;
        all.insert(all.end(), member.overrides.begin(), member.overrides.end());
        return all;
    }
    [[nodiscard]] fs::path folder_of(const Member& member) const { return folder_ / member.name; }
    [[nodiscard]] fs::path log_of(const Member& member) const { return folder_ / (member.name + ".log"); }

    // A run that is there already is kept if it has ended, and otherwise resumed.
    void look_at(Member& member) const
    {
        std::error_code error;
        if (!fs::exists(folder_of(member) / "run.h5", error)) return;
        const RunReader reader(folder_of(member));
        if (reader.content().case_completed != member.completed) {
            throw input_error(fmt::format("{} holds a run of another case or of other values; choose another folder.",
                                          folder_of(member).string()));
        }
        member.end_state = reader.entry("end_state");
        member.done = reader.has_ended();
        member.resumed = !member.done;
    }

    void start(Member& member) const
    {
        std::vector<std::string> words{program_.string()};
        const fs::path folder = folder_of(member);
        if (member.resumed) {
            words.insert(words.end(), {"resume", folder.string()});
        } else {
            words.insert(words.end(), {"run", arguments_.source.name_or_path, "-o", folder.string(), "--overwrite"});
            for (const std::string& one : overrides_of(member)) words.insert(words.end(), {"--set", one});
        }
        words.insert(words.end(), {"--backend", "cpu", "--threads", "1", "--no-figures", "--quiet"});
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        const fs::path log = log_of(member);
        posix_spawn_file_actions_addopen(&files, 1, cleared(log).c_str(), new_file | O_CLOEXEC, 0666);
        posix_spawn_file_actions_adddup2(&files, 1, 2);
        const int failure = posix_spawn(&member.process, program_.c_str(), &files, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&files);
        if (failure != 0)
            throw Error(ExitCode::unsupported, fmt::format("a run cannot be started: {}.", std::strerror(failure)));
    }

    // Of those that run; returns after a moment, so that an interrupt is passed on. True if one ended.
    bool wait_for_one()
    {
        int status = 0;
        const pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended <= 0) {
            if (interrupted() && !told_) {
                for (const Member& member : members_) {
                    if (member.process > 0) kill(member.process, SIGTERM);
                }
                told_ = true;
            }
            usleep(20'000);
            return false;
        }
        const auto found = std::find_if(members_.begin(), members_.end(),
                                        [ended](const Member& member) { return member.process == ended; });
        if (found == members_.end()) return false;
        found->process = 0;
        // What its folder says may be of an earlier attempt: it counts where the process has ended as it should.
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        const auto ended_with = [code](ExitCode one) { return code == static_cast<int>(one); };
        found->done = ended_with(ExitCode::success) || ended_with(ExitCode::stopped);
        found->end_state = found->done || code > 128  // by a signal
                               ? RunReader(folder_of(*found)).entry("end_state")
                               : fmt::format("failed: {}", log_of(*found).string());
        return true;
    }

    [[nodiscard]] std::size_t count_done() const
    {
        return static_cast<std::size_t>(
            std::count_if(members_.begin(), members_.end(), [](const Member& member) { return member.done; }));
    }

    [[nodiscard]] std::string text(std::size_t before, std::size_t running, double elapsed) const
    {
        const std::size_t done = count_done();
        const double fraction = static_cast<double>(done - before) /
                                static_cast<double>(std::max<std::size_t>(1, members_.size() - before));
        return fmt::format("{} of {} runs, {} at work, {} left", done, members_.size(), running,
                           time_left_text(elapsed, fraction));
    }

    // A row a run: its values, how it ended, and the last row of its ledger.
    void write_table() const
    {
        const fs::path path = folder_ / "sweep.csv";
        std::ostringstream out;
        out << "run";
        for (const Axis& axis : axes_) out << ',' << axis.key;
        out << ",end_state,state_hash,wall_seconds";
        for (const LedgerColumn& column : ledger_columns) out << ',' << column.name;
        out << '\n';
        const auto quoted = [](const std::string& text) {
            std::string all = "\"";
            for (const char c : text) all += c == '"' ? std::string("\"\"") : std::string(1, c);
            return all + '"';
        };
        for (const Member& member : members_) {
            out << member.name;
            for (const std::string& one : member.overrides) out << ',' << quoted(one.substr(one.find('=') + 1));
            out << ',' << quoted(member.end_state.empty() ? "not started" : member.end_state);
            if (member.done) {
                const RunReader reader(folder_of(member));
                const std::vector<LedgerRow> ledger = reader.ledger();
                out << ',' << (reader.outputs().empty() ? "" : reader.outputs().back().hash) << ','
                    << reader.entry("wall_seconds");
                if (!ledger.empty()) {
                    for (const LedgerColumn& column : ledger_columns)
                        out << ',' << fmt::format("{}", ledger.back().*column.member);
                }
            }
            out << '\n';
        }
        replace_file(path, out.str());
    }

    [[nodiscard]] ExitCode report() const
    {
        const auto count = [&](auto which) {
            return std::count_if(members_.begin(), members_.end(),
                                 [&](const Member& member) { return which(member.end_state); });
        };
        const auto complete = count([](const std::string& end) { return end == "complete"; });
        const auto stopped = count([](const std::string& end) { return end.starts_with("stopped"); });
        const auto failed = count([](const std::string& end) { return end.starts_with("failed"); });
        fmt::print("  runs              {} complete, {} stopped, {} failed, of {}\n", complete, stopped, failed,
                   members_.size());
        for (const Member& member : members_) {
            if (!member.end_state.starts_with("failed")) continue;
            fmt::print("                    {}: see {}\n", member.name, log_of(member).string());
        }
        fmt::print("  table             {}\n", (folder_ / "sweep.csv").string());
        if (static_cast<std::size_t>(complete) == members_.size()) return ExitCode::success;
        if (interrupted()) {
            fmt::print("  interrupted       the same command goes on with it\n");
            return code_of_interrupt();
        }
        return failed > 0 ? ExitCode::bad_input : ExitCode::stopped;
    }

    const SweepArguments& arguments_;
    std::vector<Axis> axes_;
    fs::path folder_;
    fs::path program_;
    std::vector<Member> members_;
    bool told_ = false;  // the runs, of an interrupt
    std::set<std::string> told_alone_;
};

ExitCode sweep(const SweepArguments& arguments)
{
    if (backend_kind_from(arguments.backend) == BackendKind::automatic)
        throw input_error("--backend auto: a sweep runs on the back end that is named, cpu or cuda.");
    std::vector<Axis> axes;
    for (const std::string& word : arguments.varied) axes.push_back(axis_of(word));
    return Sweep(arguments, std::move(axes)).carry_out();
}

}  // namespace

void add_sweep_command(CLI::App& app, CommandContext& context)
{
    auto arguments = std::make_shared<SweepArguments>();
    CLI::App* command = app.add_subcommand(
        "sweep", "Run a case with every combination of some values, side by side on the processor's cores");
    command->add_option("case", arguments->source.name_or_path, "A case by name (e.g. dam-break-2d) or a TOML file")
        ->required()
        ->type_name("CASE");
    command
        ->add_option("--vary", arguments->varied,
                     "A key of the case and its values, e.g. --vary resolution.spacing=0.02,0.01; given several times, "
                     "every combination is run")
        ->required()
        ->type_name("KEY=VALUE,...")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    arguments->source.add_overrides(*command);
    command->add_option("-o,--output", arguments->folder, "Folder for the runs (0000, 0001, ...) and sweep.csv")
        ->required()
        ->type_name("FOLDER");
    command
        ->add_option("--jobs", arguments->jobs,
                     "Runs at a time on the CPU, each on one thread (default: as many as cores)")
        ->check(CLI::PositiveNumber)
        ->type_name("NUMBER");
    command
        ->add_option(
            "--backend", arguments->backend,
            "cpu (each run a process), or cuda (many runs at once as a batch on a device; runs that cannot be in one are "
            "processes on the CPU, and it is said why); changes no bit of the result")
        ->type_name("NAME")
        ->capture_default_str();
    command->add_option("--device", arguments->device, "Which CUDA device, from 0")->type_name("N");
    command->footer(
        "Each run is what halfulp run makes of its values, to the bit. Runs that have ended are kept, interrupted ones\n"
        "resumed: the same command goes on where it was. Exit code 0: all complete; 3: some broke down; 1: some failed.");
    command->callback([arguments, &context] {
        arguments->command_line = context.command_line;
        context.code = sweep(*arguments);
    });
}

}  // namespace halfulp
