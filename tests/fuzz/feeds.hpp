// Entry points by which the fuzzer and the replay of its corpus reach every reader of a user's file.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace halfulp::fuzzing {

using Bytes = std::span<const std::uint8_t>;

// Each takes the content of one input and returns if the reader took it or refused it with a sentence fit to be shown.
// Whatever else a reader does (another exception, a signal, a finding of a sanitizer) is a fault of the program; what
// a reader took and gave back wrong is thrown as a std::logic_error.
void feed_case(Bytes input);        // a case file, through its checks; small ones through set-up, too
void feed_override(Bytes input);    // --set options, one a line, to the least case
void feed_expression(Bytes input);  // a field of two dimensions or, from an odd first byte on, of three
void feed_table(Bytes input);       // a CSV file; then as a motion
void feed_mesh(Bytes input);        // an STL file; then as the form of a fluid
void feed_checkpoint(Bytes input);  // a file of checksummed blocks; then as a checkpoint, with a step
void feed_seal(Bytes input);        // what stands before an HDF5 file of a run
void feed_run(Bytes input);         // edits of the HDF5 files of a run; then a command that reads these
void feed_resume(Bytes input);      // the same; then a command that computes, too
// With a library in place of that of HDF5, which tells of these files what an input says:
void feed_answers(Bytes input);     // a command that reads them
void feed_resumption(Bytes input);  // a run is resumed, up to a step and before it writes, or is about to be replaced

struct Feed {
    const char* name;  // of the target and of its folder in corpus/
    void (*feed)(Bytes input);
};

inline constexpr std::array feeds{
    Feed{"case", feed_case},   Feed{"override", feed_override}, Feed{"expression", feed_expression},
    Feed{"table", feed_table}, Feed{"mesh", feed_mesh},         Feed{"checkpoint", feed_checkpoint},
    Feed{"seal", feed_seal},   Feed{"run", feed_run},           Feed{"resume", feed_resume}};
inline constexpr std::array feeds_of_stand_in{Feed{"answers", feed_answers}, Feed{"resumption", feed_resumption}};

}  // namespace halfulp::fuzzing
