#include "core/evolution/scheme.hpp"

#include <type_traits>

#include "core/operations/operations.hpp"

namespace halfulp {

namespace {

std::vector<SchemeBlock> needed(std::vector<SchemeBlock> blocks, const Physics& physics)
{
    for (SchemeBlock& block : blocks) {
        std::erase_if(block.entries, [&](const SchemeEntry& entry) {
            bool is_needed = false;
            with_operation(entry.operation.kind, [&]<class Op>() { is_needed = Op::needed(physics); });
            return !is_needed;
        });
    }
    return blocks;
}

template <class... Listed>
std::vector<Operation> for_outputs(OperationList<Listed...> /*list*/, const Physics& physics)
{
    std::vector<Operation> operations;
    const auto add = [&]<class Op>(std::type_identity<Op>) {
        if (Op::info.stage == Stage::output && Op::needed(physics)) operations.push_back({kind_of<Op>});
    };
    (add(std::type_identity<Listed>{}), ...);
    return operations;
}

}  // namespace

std::vector<Operation> operations_for_outputs(const Physics& physics) { return for_outputs(Operations{}, physics); }

Scheme scheme_of(Integrator integrator, const Physics& physics, const SchemeSettings& settings)
{
    const auto scheme = [&]<class Chosen>(Chosen) {
        Sequence start(settings);
        Chosen::start(start);
        Sequence step(settings);
        Chosen::step(step);
        return Scheme{.start = needed(start.take(), physics),
                      .step = needed(step.take(), physics),
                      .force_time = Chosen::force_time};
    };
    switch (integrator) {
        HALFULP_INTEGRATORS(HALFULP_VISIT_MODEL, Integrator, scheme)
    }
    __builtin_unreachable();
}

}  // namespace halfulp
