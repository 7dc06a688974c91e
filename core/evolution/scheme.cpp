#include "core/evolution/scheme.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/operations/operations.hpp"

namespace halfulp {

namespace {

bool needs(const Operation& operation, const Physics& physics)
{
    bool is_needed = false;
    with_operation(operation.kind, [&]<class Op>() { is_needed = Op::needed(physics); });
    return is_needed;
}

std::vector<SchemeBlock> needed(std::vector<SchemeBlock> blocks, const Physics& physics)
{
    for (SchemeBlock& block : blocks) {
        std::erase_if(block.entries, [&](const SchemeEntry& entry) { return !needs(entry.operation, physics); });
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

void check_declaration(const IntegratorInfo& info, const std::vector<SchemeBlock>& step, const Physics& physics)
{
    const std::vector<Operation> all = operations_of(step);
    const auto refuse = [&](const std::string& what) {
        throw std::logic_error(fmt::format("The integrator \"{}\" contradicts itself: {}.", info.name, what));
    };
    const auto has = [&](OperationKind kind) {
        return std::ranges::any_of(all, [&](const Operation& one) { return one.kind == kind; });
    };
    Physics of_integrator = physics;
    of_integrator.previous_state = info.previous_state;
    bool keeps = false;
    for (const Operation& one : all) {
        const bool is_needed = needs(one, of_integrator);
        for (const PreviousState other :
             {PreviousState::none, PreviousState::start_of_step, PreviousState::step_before}) {
            Physics with_other = of_integrator;
            with_other.previous_state = other;
            if (!is_needed && needs(one, with_other))
                refuse(fmt::format("its step has {}, which its previous_state does not provide for",
                                   info_of(one.kind).name));
            keeps = keeps || (is_needed && !needs(one, with_other));
        }
    }
    if (info.previous_state != PreviousState::none && !keeps)
        refuse("it declares a previous_state, but no operation of its step keeps or uses one");
    for (const OperationKind kind : {kind_of<FilterDensity>, kind_of<FindXsphVelocity>, kind_of<ShiftParticles>}) {
        if (info.corrects && !has(kind))
            refuse(fmt::format("it says that it corrects, but its step has no {}", info_of(kind).name));
    }
    if (info.books_its_error != has(kind_of<BookIntegratorError>))
        refuse(info.books_its_error ? "it says that it books its error, but its step does not"
                                    : "its step books its error, but it does not say so (books_its_error)");
}

std::vector<Operation> operations_for_outputs(const Physics& physics) { return for_outputs(Operations{}, physics); }

Scheme scheme_of(Integrator integrator, const Physics& physics, const SchemeSettings& settings)
{
    const auto scheme = [&]<class Chosen>(Chosen) {
        Sequence start(settings);
        Chosen::start(start);
        Sequence step(settings);
        Chosen::step(step);
        std::vector<SchemeBlock> whole_step = step.take();
        check_declaration(info_of(integrator), whole_step, physics);
        return Scheme{.start = needed(start.take(), physics),
                      .step = needed(std::move(whole_step), physics),
                      .force_time = Chosen::force_time};
    };
    switch (integrator) {
        HALFULP_INTEGRATORS(HALFULP_VISIT_MODEL, Integrator, scheme)
    }
    __builtin_unreachable();
}

}  // namespace halfulp
