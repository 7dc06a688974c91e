#include "commands_in_process.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>

#include "core/app/interrupts.hpp"
#include "core/app/run.hpp"
#include "core/evolution/probe_recorder.hpp"
#include "core/output/run_content.hpp"

namespace halfulp::fuzzing {

namespace {

// Entries of the provenance that a command looks for by their names; the others, which are only listed, are left out.
constexpr std::array wanted_entries{"end_state", "case_path", "origin.cells", "problem_hash", "wall_seconds"};

// The standard streams of C lead to a text while this exists.
class Printed {
public:
    Printed()
        : stream_(open_memstream(&text_, &size_)), out_(std::exchange(stdout, stream_)),
          err_(std::exchange(stderr, stream_))
    {
    }
    ~Printed()
    {
        stdout = out_;
        stderr = err_;
        std::fclose(stream_);
        std::free(text_);
    }
    Printed(const Printed&) = delete;
    Printed& operator=(const Printed&) = delete;
    [[nodiscard]] std::string text() const
    {
        std::fflush(stream_);
        return {text_, size_};
    }

private:
    char* text_ = nullptr;
    std::size_t size_ = 0;
    std::FILE* stream_;
    std::FILE* out_;
    std::FILE* err_;
};

// Whether it has nothing but printable ASCII and line ends: most of what is printed, quickly looked at.
#ifdef __clang__
__attribute__((no_sanitize("address", "undefined", "coverage")))
#endif
bool is_plain(const std::string& text)
{
    const char* const letters = text.data();
    const std::size_t size = text.size();
    unsigned others = 0;
    for (std::size_t k = 0; k < size; ++k)
        others |= static_cast<unsigned>((letters[k] < ' ' || letters[k] > '~') && letters[k] != '\n');
    return others == 0;
}

}  // namespace

const Problem& short_problem()
{
    static const Problem problem = [] {
        std::string text = small_case;
        const std::string_view end = "end = 1";
        text.replace(text.find(end), end.size(), "end = 0.003");
        return prepare(read_case_text(text, "small.toml"));
    }();
    return problem;
}

Runs::Runs()
{
    const Problem& problem = short_problem();
    RunOptions options;
    options.folder = whole;
    options.quiet = true;
    options.backend = {.kind = BackendKind::cpu, .cpu = {.threads = 1, .lanes = 1}, .cuda = {}};
    run(problem, options);
    RunContent content = read_run_content(whole / "run.h5");
    std::erase_if(content.provenance, [](const auto& entry) {
        return std::ranges::find(wanted_entries, entry.first) == wanted_entries.end();
    });
    write_run_content(whole / "run.h5", content);
    std::filesystem::copy(whole, other, std::filesystem::copy_options::recursive);
    content.probes.clear();
    content.outputs.resize(1);
    write_run_content(other / "run.h5", content);
    Simulation simulation(problem, make_cpu_backend(problem, options.backend.cpu));
    RunWriter writer(cut, true, 2, problem.source.text, case_as_toml(problem.source),
                     {{"end_state", "running"}, {"case_path", "small.toml"}, {"origin.cells", "0 0 0"}},
                     ProbeRecorder(problem).series(), problem.source.output);
    writer.write_ledger({simulation.ledger_row()});
    writer.write_output(simulation.snapshot_source());
    for (int step = 0; step < 3; ++step) simulation.step();
    writer.sync();
    write_checkpoint(cut, {.number = 1,
                           .problem = fingerprint_of(problem),
                           .length = writer.length(),
                           .wall_seconds = 1,
                           .simulation = simulation.state()});
}

const Runs& runs()
{
    static const Runs runs;
    return runs;
}

void copy_run(const std::filesystem::path& run, const std::filesystem::path& copy)
{
    for (bool copied = false; !copied;) {
        std::filesystem::remove_all(copy);
        std::error_code failure;
        std::filesystem::copy(run, copy, std::filesystem::copy_options::recursive, failure);
        copied = !failure;
        // By the fuzzer's clock.
        if (failure && failure != std::errc::interrupted) fault("cannot copy a run: " + failure.message());
    }
}

Command::Command(void (*add)(CLI::App& app, CommandContext& context), std::vector<std::string> words)
    : app_(std::make_shared<CLI::App>()), words_(std::move(words))
{
    add(*app_, context_);
    std::ranges::reverse(words_);
}

bool Command::carry_out(ExitCode also)
{
    context_.code = ExitCode::success;
    bool taken = false;
    std::exception_ptr fault_of_command;  // thrown when the standard streams are back, which tell it
    std::string text;
    {
        const Printed printed;
        try {
            taken = accepted([&] { app_->parse(std::vector<std::string>(words_)); }, also);
        } catch (...) {
            fault_of_command = std::current_exception();
        }
        text = printed.text();
    }
    release_interrupts();
    if (fault_of_command) std::rethrow_exception(fault_of_command);
    if (!is_plain(text) && printable(text) != text)
        fault("a command printed what is not fit to be shown: " + one_line(text));
    if (!taken) context_.code = ExitCode::bad_input;
    return context_.code == ExitCode::success;
}

std::vector<std::string> on_one_thread(std::vector<std::string> words)
{
    for (const char* word : {"--threads", "1", "--lanes", "1", "--backend", "cpu", "--no-figures"})
        words.emplace_back(word);
    return words;
}

}  // namespace halfulp::fuzzing
