// The seal that stands before every HDF5 file of a run, which is looked at before the HDF5 library opens it.
#include "core/output/sealed_file.hpp"
#include "feeding.hpp"

namespace halfulp::fuzzing {

void feed_seal(Bytes input)
{
    static const Folder folder;
    const std::filesystem::path path = folder.file("run.h5", input);
    if (!accepted([&] { check_seal(path, "run"); })) return;
    if (!accepted([&] { read_seal(path, "run"); })) fault("a file that is whole has a head that is not");
    if (accepted([&] { check_seal(path, "output"); })) fault("a file of two kinds");
    if (input.size() < seal_size) fault("a file shorter than its head is taken for whole");
}

}  // namespace halfulp::fuzzing
