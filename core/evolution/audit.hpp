// The audit of a simulation: its steps are done again by another simulation of the same problem, on another machine
// (a device, a number of ranks or of lanes), and the states are compared to the bit. As no bit depends on the machine,
// a difference is a fault: of memory, of a processor, or of this program.
//
// The repetition stands at the last audited state, of which it is the copy, and goes on from there in a thread of its
// own: beside the simulation, never ahead of it, or when a comparison asks for it. It reads nothing of the simulation.
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

    // To be told of every step that the simulation has taken.
    void follow(const Simulation& simulation);
    // Between two steps, before the next is followed: has something done with the repetition at this step, in its
    // thread, unless it ends before. It must not change a step.
    void ask(const Simulation& simulation, std::function<void(const Simulation& repetition)> act);
    // Between two steps: has all steps so far done again and all done that was asked for, compares and, if all is
    // equal, keeps a copy of the state. also: what else differs, in words, if the states do not. Throws AuditFailed, or
    // what has ended the repetition, such as a lost device.
    void compare(const Simulation& simulation, const std::function<std::optional<std::string>()>& also = {});
    // After a breakdown within a step: throws AuditFailed unless the repetition breaks down in the same one.
    void compare_breakdown(const Simulation& simulation, const Breakdown& breakdown);

    // Whether a state was found equal, and how many.
    [[nodiscard]] std::uint64_t equal() const { return equal_; }
    // The last of them, on the host. Throws an Error if its copy was damaged since.
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
    // Lets the repetition go on and waits until it has taken so many steps and done what was asked, or has ended.
    // Throws what has ended it but a breakdown.
    void reach(std::uint64_t step);
    // The state of the repetition, whose fields have these checksums; or a field of the run's, which was found equal,
    // where it was changed since. Throws AuditFailed if both were.
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
    // Of the thread's work, under the mutex; the simulation itself belongs to the thread until it waits.
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
