// A back end on the CPU whose memory or results are damaged once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

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
    // Is given the back end's own memory: on the CPU saved fields are not copied.
    using Damage = std::function<void(const SavedParticles&)>;

    // For schemes without loops, whose steps are completed once.
    FaultyBackend(std::unique_ptr<Backend> whole, TimeOfDamage when, Damage damage)
        : FailingBackend(std::move(whole), [](Request) {}), when_(when), damage_(std::move(damage))
    {
    }
    void execute(const Operation& operation, double step) override
    {
        FailingBackend::execute(operation, step);
        if (step_ == when_.step && operation.kind == when_.after) damage_(save());
    }
    void complete() override
    {
        FailingBackend::complete();
        if (step_ == when_.step && !when_.after) damage_(save());
        ++step_;
    }

private:
    TimeOfDamage when_;
    Damage damage_;
    std::uint64_t step_ = 0;  // that is being taken; 0: the start
};

}  // namespace halfulp::test
