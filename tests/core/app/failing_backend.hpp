// A back end that fails in the middle of a run.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/backends/backend.hpp"

namespace halfulp::test {

// Another back end that fails as a device does, once it has waited for so many steps; from then on in all that it does.
class FailingBackend final : public Backend {
public:
    FailingBackend(std::unique_ptr<Backend> whole, int steps, std::function<void()> fail)
        : whole_(std::move(whole)), left_(steps), fail_(std::move(fail))
    {
    }
    void prescribe(const CourseOfStep& course) override { whole_->prescribe(course); }
    void execute(const Operation& operation, double step) override { whole_->execute(operation, step); }
    void complete() override
    {
        if (left_-- <= 0) fail_();
        whole_->complete();
    }
    [[nodiscard]] StepLimits limits() const override { return whole_->limits(); }
    [[nodiscard]] LedgerTotals ledger_totals() const override { return alive().ledger_totals(); }
    [[nodiscard]] std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& places) const override
    {
        return alive().sample(places);
    }
    [[nodiscard]] Rates rates() const override { return alive().rates(); }
    [[nodiscard]] SnapshotSource snapshot_source() const override { return alive().snapshot_source(); }
    [[nodiscard]] std::function<SnapshotSource()> begin_snapshot() override
    {
        static_cast<void>(alive());
        return whole_->begin_snapshot();
    }
    [[nodiscard]] SavedParticles save() const override { return alive().save(); }
    void restore(const SavedParticles& saved) override { whole_->restore(saved); }
    [[nodiscard]] std::uint64_t rebuilds() const override { return whole_->rebuilds(); }
    [[nodiscard]] std::size_t bytes() const override { return whole_->bytes(); }
    [[nodiscard]] std::vector<StageTime> stage_times() const override { return whole_->stage_times(); }
    [[nodiscard]] std::string description() const override { return whole_->description(); }

private:
    [[nodiscard]] const Backend& alive() const
    {
        if (left_ < 0) fail_();
        return *whole_;
    }

    std::unique_ptr<Backend> whole_;
    int left_;
    std::function<void()> fail_;
};

}  // namespace halfulp::test
