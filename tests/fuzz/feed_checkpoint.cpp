// Files of checksummed blocks, and checkpoints in them.
#include <string>
#include <vector>

#include "core/evolution/checkpoint.hpp"
#include "core/output/block_file.hpp"
#include "feeding.hpp"

namespace halfulp::fuzzing {

void feed_checkpoint(Bytes input)
{
    static const Folder folder;
    const std::filesystem::path path = folder.file("checkpoint.0", input);
    if (!accepted([&] { read_blocks(path); })) return;
    std::vector<std::string> warnings;
    accepted([&] { read_checkpoint(folder.path(), warnings); });
    for (const std::string& warning : warnings) check_sentence(warning);
}

}  // namespace halfulp::fuzzing
