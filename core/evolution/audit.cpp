#include "core/evolution/audit.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/machine_error.hpp"
#include "core/output/checksum.hpp"

namespace halfulp {

namespace {

StateHash checksum_of(std::span<const std::byte> bytes)
{
    Checksum checksum;
    checksum.absorb(bytes.data(), bytes.size());
    return checksum.value();
}

}  // namespace

Audit::Audit(const Problem& problem, const MakeBackend& make, const SimulationState* from, bool beside)
    : dimensions_(problem.source.dimensions), physics_(problem.physics), beside_(beside)
{
    try {
        thread_ = std::thread([this, &problem, &make, from] { repeat(problem, make, from); });
    } catch (const std::system_error&) {
        throw Error(ExitCode::unsupported, "--audit: the system has no thread left to repeat the steps in");
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return made_ || failure_; });
    if (!failure_) return;
    stop_ = true;
    changed_.notify_all();
    lock.unlock();
    thread_.join();
    std::rethrow_exception(failure_);
}

Audit::~Audit()
{
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

// The whole life of the repetition is in this thread, as a CUDA device and OpenMP's threads belong to the one that has
// chosen them.
void Audit::repeat(const Problem& problem, const MakeBackend& make, const SimulationState* from)
{
    std::optional<Breakdown> breakdown;
    std::exception_ptr failure;
    const auto attempt = [&](const auto& act) {
        try {
            act();
        } catch (const SimulationBroke& broke) {
            breakdown = broke.breakdown;
        } catch (...) {
            failure = std::current_exception();
        }
    };
    std::unique_ptr<Simulation> simulation;
    attempt([&] {
        simulation = from != nullptr ? std::make_unique<Simulation>(problem, make(), *from)
                                     : std::make_unique<Simulation>(problem, make());
        on_ = simulation->backend().description();
    });
    std::unique_lock lock(mutex_);
    repetition_ = std::move(simulation);
    if (repetition_) taken_ = repetition_->steps();
    made_ = true;
    const auto is_asked = [this] { return !asked_.empty() && asked_.front().step <= taken_; };
    while (true) {
        failure_ = failure;
        breakdown_ = breakdown;
        const bool ended = failure_ || breakdown_;
        if (ended || (taken_ >= goal_ && !is_asked())) changed_.notify_all();
        changed_.wait(lock, [&] { return stop_ || (!ended && (taken_ < goal_ || is_asked())); });
        if (stop_) break;
        const bool asked = is_asked();
        const std::function<void(const Simulation&)> act = asked ? asked_.front().act : nullptr;
        lock.unlock();
        attempt([&] {
            if (asked) act(*repetition_);
            else repetition_->step();
        });
        lock.lock();
        if (asked) asked_.pop_front();
        taken_ = repetition_->steps();
    }
    repetition_.reset();
}

void Audit::follow(const Simulation& simulation)
{
    if (!beside_) return;
    {
        const std::lock_guard lock(mutex_);
        goal_ = std::max(goal_, simulation.steps());
    }
    changed_.notify_all();
}

void Audit::ask(const Simulation& simulation, std::function<void(const Simulation&)> act)
{
    {
        const std::lock_guard lock(mutex_);
        asked_.push_back({simulation.steps(), std::move(act)});
    }
    changed_.notify_all();
}

void Audit::reach(std::uint64_t step)
{
    std::unique_lock lock(mutex_);
    goal_ = std::max(goal_, step);
    changed_.notify_all();
    changed_.wait(lock, [&] { return (taken_ >= step && asked_.empty()) || breakdown_ || failure_; });
    if (!failure_) return;
    try {
        std::rethrow_exception(failure_);
    } catch (const MachineError& error) {  // of another machine than the run's
        throw Error(ExitCode::unsupported, fmt::format("the audit on {} cannot go on: {}", on_, error.cause()));
    }
}

std::string Audit::audit_of_steps_to(std::uint64_t last) const
{
    const std::uint64_t first = audited_step() + 1;
    return fmt::format("the audit of {} on {} found a difference",
                       equal_ == 0     ? fmt::format("the start at step {}", last)
                       : first >= last ? fmt::format("step {}", last)
                                       : fmt::format("steps {} to {}", first, last),
                       on_);
}

void Audit::compare(const Simulation& simulation, const std::function<std::optional<std::string>()>& also)
{
    if (simulation.broken_at_start()) return;  // which the first step says
    const std::uint64_t step = simulation.steps();
    reach(step);
    const auto compare_also = [&] {
        const std::optional<std::string> difference = also ? also() : std::nullopt;
        if (difference) throw AuditFailed(fmt::format("{}: {}", audit_of_steps_to(step), *difference));
    };
    if (equal_ > 0 && audited_step() == step) return compare_also();
    if (breakdown_) {
        throw AuditFailed(fmt::format("{}: the repetition broke down in step {}, and the run did not: particle {}: {}",
                                      audit_of_steps_to(step), taken_ + 1, breakdown_->id, breakdown_->what));
    }
    const SimulationState run = simulation.state();
    const SimulationState repeated = repetition_->state();
    // What is kept is what was compared, also where memory changes in between.
    std::vector<StateHash> checksums;
    for (const SavedBuffer& buffer : repeated.particles.buffers) checksums.push_back(checksum_of(buffer.take()));
    if (const auto difference = difference_between(run, repeated, dimensions_, physics_))
        throw AuditFailed(fmt::format("{}: {}", audit_of_steps_to(step), difference->sentence), difference);
    compare_also();
    keep(repeated, run, checksums);
    ++equal_;
}

void Audit::compare_breakdown(const Simulation& simulation, const Breakdown& breakdown)
{
    const std::uint64_t step = simulation.steps() + 1;
    reach(step);
    if (breakdown_ && taken_ + 1 == step) return;
    throw AuditFailed(fmt::format(
        "{}: the run broke down in step {}, and its repetition {}: particle {}: {}", audit_of_steps_to(step), step,
        breakdown_ ? fmt::format("in step {}", taken_ + 1) : std::string("did not"), breakdown.id, breakdown.what));
}

// The repetition's, which is equal to the simulation's and as a rule nearer.
void Audit::keep(const SimulationState& repeated, const SimulationState& run, const std::vector<StateHash>& checksums)
{
    kept_.resize(checksums.size());
    for (std::size_t k = 0; k < kept_.size(); ++k) {
        KeptBuffer& kept = kept_[k];
        kept.name = repeated.particles.buffers[k].name;
        kept.checksum = checksums[k];
        const auto copy = [&kept](const SavedBuffer& from) {
            const std::span<const std::byte> bytes = from.take();
            kept.bytes.assign(bytes.begin(), bytes.end());
            return checksum_of(kept.bytes) == kept.checksum;
        };
        if (copy(repeated.particles.buffers[k])) continue;
        const auto& others = run.particles.buffers;
        const auto other = std::ranges::find(others, kept.name, &SavedBuffer::name);
        if (other != others.end() && copy(*other)) continue;
        equal_ = 0;  // nothing whole is kept
        throw AuditFailed(fmt::format("{}: while the state was copied, its field \"{}\" changed in memory",
                                      audit_of_steps_to(repeated.clock.steps()), kept.name));
    }
    audited_ = repeated;
    audited_.particles.buffers.clear();
}

SimulationState Audit::audited() const
{
    SimulationState state = audited_;
    for (const KeptBuffer& kept : kept_) {
        if (checksum_of(kept.bytes) != kept.checksum) {
            throw Error(ExitCode::unsupported,
                        fmt::format("the copy of the state of step {} was changed in memory: its field \"{}\" is not "
                                    "what was copied",
                                    audited_step(), kept.name));
        }
        state.particles.buffers.push_back({kept.name, kept.bytes.size(), read_from(kept.bytes)});
    }
    return state;
}

}  // namespace halfulp
