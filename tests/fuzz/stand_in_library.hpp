// A library that is linked in place of that of HDF5: it has the calls by which halfulp reads, and answers them from
// trees in memory, in microseconds. What halfulp writes, it reads as it is written; of a file that is crafted it
// answers as an input says, which no seal can tell.
#pragma once

#include <cstddef>
#include <filesystem>

#include "source.hpp"

namespace halfulp::fuzzing {

// Reads a file once and for all, as long as it is not replaced.
void know(const std::filesystem::path& file);

// From now on, what the library tells of that file is changed by the edits that an input names, and one of its calls
// fails, if the input wants that.
void craft_answers(const std::filesystem::path& file, Source& source);

// As the files are, again. Throws a std::logic_error if identifiers were left open.
void answer_as_written();

}  // namespace halfulp::fuzzing
