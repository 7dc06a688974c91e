#include "core/distribution/world.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/registry.hpp"

namespace halfulp {

namespace {

struct World {
    Peers* peers = nullptr;
    bool called = false;
};

// As their launchers tell the processes of Open MPI, MPICH and their kin; Slurm's srun --mpi=pmix gives each a rank by
// PMIx, and their number as that of a step's tasks, which programs without MPI are given, too.
int processes_started()
{
    for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
        if (const char* const value = std::getenv(name)) return std::atoi(value);
    }
    const char* const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
    return tasks != nullptr && std::getenv("PMIX_RANK") != nullptr ? std::atoi(tasks) : 1;
}

World& the_world()
{
    static World one;
    return one;
}

}  // namespace

Peers* world() { return the_world().peers; }

void enter_world()
{
    if (processes_started() < 2) return;
    for (const WorldMaker& maker : registry<WorldMaker>()) {
        the_world().peers = maker.enter();
        if (world() != nullptr) return;
    }
    throw Error(
        ExitCode::unsupported,
        fmt::format("{} processes were started together, but this halfulp was built without MPI: start it alone, "
                    "or build it where there is an MPI library (docs/ranks.md)",
                    processes_started()));
}

CallToRanks call_ranks(CallToRanks mine)
{
    World& all = the_world();
    all.called = true;
    Bytes message;
    write(message, mine);
    all.peers->broadcast(message);
    const auto call = MessageReader(message).take<CallToRanks>();
    if (call.begins) all.peers->fail();  // unless it finishes
    return call;
}

void leave_world(int code)
{
    World& all = the_world();
    if (all.peers == nullptr) return;
    if (!all.called) call_ranks({});
    for (const WorldMaker& maker : registry<WorldMaker>()) maker.leave(code);
}

}  // namespace halfulp
