#include "core/app/sweep_processes.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

#include <fcntl.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/app/child_process.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/progress.hpp"
#include "core/app/stopwatch.hpp"
#include "core/error.hpp"
#include "core/output/posix_file.hpp"
#include "core/setup/program_place.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

class Processes {
public:
    explicit Processes(Sweep& sweep) : sweep_(sweep), program_(program_place()) {}
    // After a failure ends all of them, so that no run goes on unnoticed.
    ~Processes()
    {
        pass_on(SIGTERM);
        for (const auto& [process, member] : processes_) waitpid(process, nullptr, 0);
    }
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;

    void carry_out()
    {
        const auto jobs = static_cast<std::size_t>(sweep_.arguments.jobs.value_or(omp_get_num_procs()));
        ProgressLine line(stdout);
        const std::size_t before = sweep_.count_done();
        std::size_t next = 0;
        std::size_t running = 0;
        while (true) {
            for (; running < jobs && next < sweep_.members.size() && !interrupted(); ++next) {
                if (sweep_.members[next].done || !sweep_.members[next].alone) continue;
                start(next);
                ++running;
            }
            if (running == 0) break;
            if (line.due()) line.show(text(before, running, line.elapsed()));
            running -= wait_for_one() ? 1 : 0;
        }
        line.clear();
    }

private:
    void start(std::size_t k)
    {
        sweep_.require_folder();
        const SweepMember& member = sweep_.members[k];
        std::vector<std::string> words{program_.string()};
        const fs::path folder = sweep_.folder_of(member);
        if (member.resumed) {
            words.insert(words.end(), {"resume", folder.string()});
        } else {
            words.insert(words.end(),
                         {"run", sweep_.arguments.source.name_or_path, "-o", folder.string(), "--overwrite"});
            for (const std::string& one : sweep_.overrides_of(member)) words.insert(words.end(), {"--set", one});
        }
        words.insert(words.end(), {"--backend", "cpu", "--threads", "1", "--no-figures", "--quiet"});
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        if (member.resumed) wait_for_earlier(folder);
        const fs::path log = sweep_.log_of(member);
        const auto cannot = [&] {
            return Error(ExitCode::unsupported, fmt::format("a run whose words go to {} cannot be started: {}.",
                                                            log.string(), std::strerror(errno)));
        };
        const int words_go_to = ::open(cleared(sweep_.held(log)).c_str(), new_file | O_CLOEXEC, 0666);
        if (words_go_to < 0) throw cannot();
        const pid_t process = start_child(
            [&] {
                dup2(words_go_to, 1);
                dup2(words_go_to, 2);
                execv(program_.c_str(), arguments.data());
            },
            SIGTERM);
        const Error failure = cannot();
        ::close(words_go_to);
        if (process < 0) throw failure;
        processes_[process] = k;
    }

    // If a sweep was killed, its runs write their checkpoints and end; this waits for them, within half a minute from
    // now.
    void wait_for_earlier(const fs::path& folder) const
    {
        constexpr double most_seconds = 30;
        while (seconds_since(begun_) < most_seconds && !interrupted()) {
            try {
                RunFolder::existing(folder);
                return;
            } catch (const Error& error) {
                if (error.code() != ExitCode::output) return;  // no run is there, which it says itself
                usleep(50'000);
            }
        }
    }

    // Of those that run; returns after a moment, so that an interrupt is passed on. True if one ended.
    bool wait_for_one()
    {
        int status = 0;
        const pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended <= 0) {
            look_for_reader();
            if (interrupted() && !std::exchange(told_, true)) pass_on(SIGTERM);
            usleep(20'000);
            return false;
        }
        const auto found = processes_.find(ended);
        if (found == processes_.end()) return false;
        SweepMember& member = sweep_.members[found->second];
        processes_.erase(found);
        sweep_.require_folder();
        // What its folder says may be of an earlier attempt: it counts where the process has ended as it should.
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        const auto ended_with = [code](ExitCode one) { return code == static_cast<int>(one); };
        member.done = ended_with(ExitCode::success) || ended_with(ExitCode::stopped);
        if (member.done || code > 128) member.state = state_of(RunReader(sweep_.folder_of(member)));  // by a signal
        else if ((told_ || interrupted()) && WIFSIGNALED(status))
            member.state.text = "interrupted";  // before it had begun
        else member.state.text = failed_text(sweep_.log_of(member));
        return true;
    }

    void pass_on(int signal) const
    {
        for (const auto& [process, member] : processes_) kill(process, signal);
    }

    [[nodiscard]] std::string text(std::size_t before, std::size_t running, double elapsed) const
    {
        const std::size_t done = sweep_.count_done();
        const double fraction = static_cast<double>(done - before) /
                                static_cast<double>(std::max<std::size_t>(1, sweep_.members.size() - before));
        return fmt::format("{} of {} runs, {} at work, {} left", done, sweep_.members.size(), running,
                           time_left_text(elapsed, fraction));
    }

    Sweep& sweep_;
    fs::path program_;
    std::map<pid_t, std::size_t> processes_;  // at work, by member
    bool told_ = false;                       // the runs, of an interrupt
    WallClock::time_point begun_ = WallClock::now();
};

}  // namespace

void carry_out_alone(Sweep& sweep) { Processes(sweep).carry_out(); }

}  // namespace halfulp
