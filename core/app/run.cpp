#include "core/app/run.hpp"

#include <utility>

#include "core/app/floating_point.hpp"
#include "core/app/provenance.hpp"
#include "core/app/ranks.hpp"
#include "core/app/run_in_progress.hpp"

namespace halfulp {

RunOutcome run(const Problem& problem, const RunOptions& options, std::optional<ResumePoint> from)
{
    check_floating_point_of_threads();  // the threads that have set up the case
    const StateHash hash = from ? from->checkpoint.problem : fingerprint_of(problem);
    begin_on_ranks(hash);
    ChosenBackend chosen = make_backend(problem, options.backend);
    if (options.wrap_backend) chosen.backend = options.wrap_backend(std::move(chosen.backend));
    Provenance machine = provenance_of_machine(chosen.device);  // the back end has set its number of threads
    const bool on_device = !chosen.device.empty();
    Simulation simulation = from ? Simulation(problem, std::move(chosen.backend), from->checkpoint.simulation)
                                 : Simulation(problem, std::move(chosen.backend));
    std::unique_ptr<Audit> audit;
    if (options.audit.every > 0) {
        // On CPUs they would be in each other's way.
        const bool beside = on_device || options.audit.kind == BackendKind::cuda;
        audit = std::make_unique<Audit>(
            problem, [&] { return make_audit_backend(problem, options.audit, options.backend, on_device); },
            from ? &from->checkpoint.simulation : nullptr, beside);
    }
    if (from) {
        from->check(simulation, problem);
        from->checkpoint.simulation.particles.buffers.clear();  // and the memory they were read into
    }
    RunInProgress run(problem, options,
                      {.simulation = std::move(simulation),
                       .problem = hash,
                       .machine = std::move(machine),
                       .why_not_cuda = chosen.why_not_cuda,
                       .audit = std::move(audit)},
                      std::move(from));
    while (run.goes_on()) {
        run.begin_step();
        run.complete_step();
        run.record();
    }
    return run.end();
}

}  // namespace halfulp
