// A back end that fails in the middle of a run.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/backends/backend.hpp"

namespace halfulp::test {

// What a run asks of a back end once it has begun.
enum class Request { complete, ledger_totals, sample, rates, snapshot_source, begin_snapshot, take_snapshot, save };

// Another back end before whose requests something is done: it may throw, or take the device away.
class FailingBackend : public Backend {
public:
    using Before = std::function<void(Request)>;

    FailingBackend(std::unique_ptr<Backend> whole, Before before)
        : whole_(std::move(whole)), before_(std::make_shared<Before>(std::move(before)))
    {
    }
    void prescribe(const CourseOfStep& course) override { whole_->prescribe(course); }
    void execute(const Operation& operation, double step) override { whole_->execute(operation, step); }
    void complete() override
    {
        (*before_)(Request::complete);
        whole_->complete();
    }
    [[nodiscard]] StepLimits limits() const override { return whole_->limits(); }
    [[nodiscard]] LedgerTotals ledger_totals() const override { return before(Request::ledger_totals).ledger_totals(); }
    [[nodiscard]] std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& places) const override
    {
        return before(Request::sample).sample(places);
    }
    [[nodiscard]] Rates rates() const override { return before(Request::rates).rates(); }
    [[nodiscard]] SnapshotSource snapshot_source() const override
    {
        return before(Request::snapshot_source).snapshot_source();
    }
    [[nodiscard]] std::function<SnapshotSource()> begin_snapshot() override
    {
        (*before_)(Request::begin_snapshot);
        return [before = before_, take = whole_->begin_snapshot()] {
            (*before)(Request::take_snapshot);
            return take();
        };
    }
    [[nodiscard]] SavedParticles save() const override { return before(Request::save).save(); }
    void restore(const Problem& problem, const SavedParticles& saved) override { whole_->restore(problem, saved); }
    [[nodiscard]] std::uint64_t rebuilds() const override { return whole_->rebuilds(); }
    [[nodiscard]] std::size_t bytes() const override { return whole_->bytes(); }
    [[nodiscard]] std::vector<StageTime> stage_times() const override { return whole_->stage_times(); }
    [[nodiscard]] std::string description() const override { return whole_->description(); }

protected:
    void replace(std::unique_ptr<Backend> whole) { whole_ = std::move(whole); }

private:
    [[nodiscard]] const Backend& before(Request request) const
    {
        (*before_)(request);
        return *whole_;
    }

    std::unique_ptr<Backend> whole_;
    std::shared_ptr<Before> before_;
};

// Fails as a device does, once it has waited for so many steps; from then on in all that is asked of it. A copy of an
// output that was begun before is taken.
inline FailingBackend::Before after_steps(int steps, std::function<void()> fail)
{
    return [left = steps, fail = std::move(fail)](Request request) mutable {
        if (request == Request::take_snapshot) return;  // in another thread
        if (request == Request::complete ? left-- <= 0 : left < 0) fail();
    };
}

}  // namespace halfulp::test
