// The audit of a simulation: its steps are done again by another simulation of the same problem, on another machine
// (a device, a number of ranks or of lanes), and the states are compared to the bit. As no bit depends on the machine,
// a difference is a fault: of memory, of a processor, or of this program.
//
// The repetition continues from its copy of the last audited state in a thread of its own: concurrently with the
// simulation, but never ahead of it, or only when a comparison needs it. It reads nothing of the simulation.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/evolution/simulation.hpp"
#include "core/evolution/state_difference.hpp"

namespace halfulp {

// What an audit has found, in a sentence without a full stop.
class AuditFailed : public std::runtime_error {
public:
    explicit AuditFailed(const std::string& sentence, std::optional<StateDifference> difference = {})
        : std::runtime_error(sentence), difference_(std::move(difference))
    {
    }
    // Nothing if one of the two broke down.
    [[nodiscard]] const std::optional<StateDifference>& difference() const { return difference_; }

private:
    std::optional<StateDifference> difference_;
};

class Audit {
public:
    using MakeBackend = std::function<std::unique_ptr<Backend>()>;

    // make: the back end of the repetition, called in the thread that uses it. from: the state from which the
    // simulation was restored, if it was. beside: whether the repetition goes on while the simulation does. Throws what
    // making it throws.
    Audit(const Problem& problem, const MakeBackend& make, const SimulationState* from, bool beside);
    ~Audit();
    Audit(const Audit&) = delete;
    Audit& operator=(const Audit&) = delete;

    // To be called after every step of the simulation.
    void follow(const Simulation& simulation);
    // To be called between two steps, before follow() of the next: `act` is called with the repetition when that has
    // reached the same step, in its thread, unless it ends earlier. `act` must not influence the steps.
    void ask(const Simulation& simulation, std::function<void(const Simulation& repetition)> act);
    // To be called between two steps: waits until the repetition has done all steps so far, and all that was asked for,
    // then compares the states and, if they are equal, keeps a copy. also: reports what else differs, in words, if the
    // states do not. Throws AuditFailed, or whatever ended the repetition, such as a lost device.
    void compare(const Simulation& simulation, const std::function<std::optional<std::string>()>& also = {});
    // After a breakdown within a step: throws AuditFailed unless the repetition breaks down in the same one.
    void compare_breakdown(const Simulation& simulation, const Breakdown& breakdown);

    // The number of states found equal so far.
    [[nodiscard]] std::uint64_t equal() const { return equal_; }
    // The last of these states, in the host's memory. Throws an Error if its copy has been damaged since.
    [[nodiscard]] SimulationState audited() const;
    [[nodiscard]] std::uint64_t audited_step() const { return audited_.clock.steps(); }
    // The repetition's back end, e.g. "cpu, 2 threads, 8 lanes".
    [[nodiscard]] const std::string& on() const { return on_; }

private:
    struct KeptBuffer {
        std::string name;
        std::vector<std::byte> bytes;
        StateHash checksum;
    };

    void repeat(const Problem& problem, const MakeBackend& make, const SimulationState* from);
    // Lets the repetition continue, and waits until it has taken `step` steps and done what was asked for, or has
    // ended. Rethrows whatever ended it, unless that was a breakdown.
    void reach(std::uint64_t step);
    // Keeps the repetition's state, whose fields have the given checksums. A field that has changed in memory since is
    // taken from the run's state, which was found equal. Throws AuditFailed if that has changed, too.
    void keep(const SimulationState& repeated, const SimulationState& run, const std::vector<StateHash>& checksums);
    // How the sentence about a difference begins.
    [[nodiscard]] std::string audit_of_steps_to(std::uint64_t last) const;

    int dimensions_;
    Physics physics_;
    bool beside_;
    std::string on_;
    SimulationState audited_;  // without particles
    std::vector<KeptBuffer> kept_;
    std::uint64_t equal_ = 0;

    std::mutex mutex_;
    std::condition_variable changed_;
    // The state of the thread's work, protected by the mutex. The simulation itself belongs to the thread until that
    // waits.
    std::unique_ptr<Simulation> repetition_;
    bool made_ = false;
    bool stop_ = false;
    std::uint64_t goal_ = 0;
    std::uint64_t taken_ = 0;
    struct Asked {
        std::uint64_t step;
        std::function<void(const Simulation&)> act;
    };
    std::deque<Asked> asked_;
    std::optional<Breakdown> breakdown_;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace halfulp
