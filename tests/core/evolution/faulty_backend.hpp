// A back end on the CPU whose memory or results are damaged once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/schemes/operation_list.hpp"
#include "tests/core/app/failing_backend.hpp"

namespace halfulp::test {

// When the damage is done: between two steps, after so many, or within that step to what an operation has found.
struct TimeOfDamage {
    std::uint64_t step = 1;
    std::optional<OperationKind> after = {};
};

class FaultyBackend final : public FailingBackend {
public:
    // Is given the fields to change in place.
    using Damage = std::function<void(const SavedParticles&)>;

    // For schemes without loops, whose steps are completed once. remake: for a back end whose memory is not the host's,
    // between two steps only: another one of the problem, which goes on with the damaged state.
    FaultyBackend(std::unique_ptr<Backend> whole, TimeOfDamage when, Damage damage, const Problem* problem = nullptr,
                  std::function<std::unique_ptr<Backend>()> remake = {})
        : FailingBackend(std::move(whole), [](Request) {}), when_(when), damage_(std::move(damage)), problem_(problem),
          remake_(std::move(remake))
    {
    }
    void execute(const Operation& operation, double step) override
    {
        limits_.reset();
        FailingBackend::execute(operation, step);
        if (step_ == when_.step && operation.kind == when_.after) change();
    }
    void complete() override
    {
        FailingBackend::complete();
        if (step_ == when_.step && !when_.after) change();
        ++step_;
    }
    [[nodiscard]] StepLimits limits() const override { return limits_ ? *limits_ : FailingBackend::limits(); }

private:
    // On the CPU saved fields are the back end's own memory.
    void change()
    {
        SavedParticles all = save();
        if (!remake_) return damage_(all);
        std::vector<std::vector<std::byte>> copies;
        for (SavedBuffer& buffer : all.buffers) {
            const auto bytes = buffer.take();
            copies.emplace_back(bytes.begin(), bytes.end());
        }
        for (std::size_t k = 0; k < copies.size(); ++k) all.buffers[k].read = read_from(copies[k]);
        damage_(all);
        limits_ = limits();
        replace(remake_());
        restore(*problem_, all);
    }

    TimeOfDamage when_;
    Damage damage_;
    std::optional<StepLimits> limits_;  // of the step before, which a restored back end does not have
    const Problem* problem_;
    std::function<std::unique_ptr<Backend>()> remake_;
    std::uint64_t step_ = 0;  // that is being taken; 0: the start
};

}  // namespace halfulp::test
