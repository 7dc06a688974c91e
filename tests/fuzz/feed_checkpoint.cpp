// Files of checksummed blocks, and checkpoints in them: restored as a state of the small run, and gone on with.
#include <cmath>
#include <string>
#include <vector>

#include "core/evolution/checkpoint.hpp"
#include "core/output/block_file.hpp"
#include "feeding.hpp"
#include "small_run.hpp"

namespace halfulp::fuzzing {

namespace {

void go_on(const Checkpoint& checkpoint)
{
    Simulation simulation(small_problem(), small_backend(), checkpoint.simulation);
    if (!std::isfinite(simulation.ledger_row().total)) fault("a state that is not finite");
    try {
        simulation.step();
    } catch (const SimulationBroke& broke) {
        check_sentence(broke.breakdown.what + ".");
    }
}

}  // namespace

void feed_checkpoint(Bytes input)
{
    static const Folder folder;
    const std::filesystem::path path = folder.file("checkpoint.0", input);
    if (!accepted([&] { read_blocks(path); })) return;
    std::vector<std::string> warnings;
    accepted([&] {
        if (const auto checkpoint = read_checkpoint(folder.path(), warnings)) go_on(*checkpoint);
    });
    for (const std::string& warning : warnings) check_sentence(warning);
}

}  // namespace halfulp::fuzzing
