// Commands of the program with runs of which the library that stands in for that of HDF5 tells what an input says.
#include "commands_in_process.hpp"

#include <array>
#include <cmath>
#include <optional>

#include <sys/stat.h>

#include "core/app/resume_point.hpp"
#include "core/evolution/probe_recorder.hpp"
#include "core/evolution/watch.hpp"
#include "core/output/verify.hpp"
#include "source.hpp"
#include "stand_in_library.hpp"

namespace halfulp::fuzzing {

namespace {

namespace fs = std::filesystem;

// Whether files were added to some folders, or taken away: they then have another time.
class Untouched {
public:
    explicit Untouched(const fs::path& run)
    {
        for (const char* name : {"", "outputs", "probes", ".."}) folders_.push_back(run / name);
        times_ = times();
    }
    void require() const
    {
        const std::vector<timespec> now = times();
        for (std::size_t k = 0; k < now.size(); ++k) {
            if (now[k].tv_sec != times_[k].tv_sec || now[k].tv_nsec != times_[k].tv_nsec)
                fault("a command that reads a run has changed what is in " + folders_[k].string());
        }
    }

private:
    [[nodiscard]] std::vector<timespec> times() const
    {
        std::vector<timespec> all;
        for (const fs::path& folder : folders_) {
            struct stat status {};
            if (::stat(folder.c_str(), &status) != 0) fault("a command has removed " + folder.string());
            all.push_back(status.st_mtim);
        }
        return all;
    }

    std::vector<fs::path> folders_;
    std::vector<timespec> times_;
};

// A run of which the library has read what is edited, once.
const fs::path& known(const fs::path& run)
{
    know(run / "run.h5");
    know(run / "outputs/000000.h5");
    return run;
}

// Of an output and, with the rest of the input, of run.h5.
void craft(Source& source, const fs::path& run)
{
    Source of_output = source.part(source.take<std::uint8_t>());
    if (!of_output.ended()) craft_answers(run / "outputs/000000.h5", of_output);
    if (!source.ended()) craft_answers(run / "run.h5", source);
}

// Whatever an input has changed is undone when this ends.
class Crafted {
public:
    Crafted(Source& source, const fs::path& run) { craft(source, run); }
    void end()
    {
        ended_ = true;
        answer_as_written();
    }
    ~Crafted()
    {
        if (ended_) return;
        try {
            answer_as_written();
        } catch (const std::exception&) {  // another fault is on its way
        }
    }
    Crafted(const Crafted&) = delete;
    Crafted& operator=(const Crafted&) = delete;

private:
    bool ended_ = false;
};

// The problem of a run's case, prepared anew where it is not the one that it was written with.
const Problem& problem_of(const RunReader& reader)
{
    static const std::string as_written = case_as_toml(short_problem().source);
    static std::optional<Problem> other;
    if (reader.content().case_completed == as_written) return short_problem();
    return other.emplace(prepare(case_of(reader)));
}

// As `resume` does before it writes, and a step.
void judge_and_step(const fs::path& run)
{
    static const StateHash own = fingerprint_of(short_problem());
    const RunFolder held = RunFolder::existing(run);
    const RunReader reader(held.path());
    const RunToResume to_resume = read_run_to_resume(reader, false, check_sentence);
    if (to_resume.complete) return;
    const Problem& problem = problem_of(reader);
    if (!to_resume.problem_hash.empty() && to_resume.problem_hash != own.text()) return;
    if (!to_resume.from) return;
    const ResumePoint& from = *to_resume.from;
    Simulation simulation(problem, make_cpu_backend(problem, {.threads = 1, .lanes = 1}), from.checkpoint.simulation);
    from.check(simulation, problem);
    ProbeRecorder probes(problem);
    probes.restore(from.kept.probes);
    Watch watch(problem);
    const auto through_walls = from.kept.provenance.find("through_walls");
    if (through_walls != from.kept.provenance.end()) watch.remember(through_walls->second);
    if (!std::isfinite(simulation.ledger_row().total)) fault("a state that is not finite");
    try {
        for (const LedgerRow& row : rows_of(from.kept.ledger)) watch.check(simulation, row);
        simulation.step();
    } catch (const SimulationBroke& broke) {
        check_sentence(broke.breakdown.what + ".");
    }
    probes.look(simulation);
}

}  // namespace

void feed_answers(Bytes input)
{
    static const fs::path& whole = known(runs().whole);
    static const fs::path& other = known(runs().other);
    static const Untouched untouched(whole);
    static std::array commands{Command(add_info_command, {"info", "--case", whole}),
                               Command(add_info_command, {"info", "--verify", whole}),
                               Command(add_compare_command, {"compare", whole, other})};
    Source source(input);
    const std::size_t which = source.take<std::uint8_t>() % commands.size();
    const bool as_written = source.ended();
    Crafted crafted(source, whole);
    commands[which].carry_out();
    crafted.end();
    // The other run has fewer outputs.
    const ExitCode right = which == 2 ? ExitCode::differs : ExitCode::success;
    if (as_written && commands[which].code() != right) fault("what halfulp has written is refused");
    untouched.require();
}

void feed_resumption(Bytes input)
{
    static const fs::path& cut = known(runs().cut);
    static const Untouched untouched(cut);
    static const Folder folder;
    static Command operators(add_operators_command,
                             {"operators", cut, "--field", "pressure", "--output", "0", "-o", folder.path() / "results",
                              "--overwrite", "--csv", "--backend", "cpu", "--threads", "1"});
    Source source(input);
    const auto command = source.take<std::uint8_t>();
    const bool as_written = source.ended();
    Crafted crafted(source, cut);
    // The operators seldom: they set the case up anew and write files.
    const bool success = command % 16 == 15 ? operators.carry_out()
                         : command % 4 == 0 ? accepted([&] { (void)RunWriter::hold(cut, true); }, ExitCode::output)
                                            : accepted([&] { judge_and_step(cut); });
    crafted.end();
    if (as_written && !success) fault("what halfulp has written is refused");
    untouched.require();
}

}  // namespace halfulp::fuzzing
