// Errors that a user can act on, each with one clear sentence (what, where, what is allowed, the remedy) and the exit
// code.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

// nvcc's host pass does not compile fmt.
#ifndef __CUDACC__
#include <fmt/format.h>
#endif

namespace halfulp {

enum class ExitCode {
    success = 0,
    bad_input = 1,      // the command line, a case file or another input file is wrong
    differs = 2,        // compare: the two runs are not equal to the bit
    stopped = 3,        // the simulation broke down: a non-finite number, a density out of bounds
    output = 4,         // writing failed: no space, no permission, the run exists already
    unsupported = 5,    // this machine cannot run the program
    audit = 6,          // a state is not the one that comes out when its steps are done again on another machine
    interrupted = 130,  // by Ctrl-C; by another signal, 128 and its number (core/app/interrupts.hpp)
};

// A text in printable form on one line: control characters and bytes that are not UTF-8 as \n or \x1b.
std::string one_line(std::string_view text);

// The same of a text of several lines, which it remains: of a report that quotes files.
std::string printable(std::string_view text);

// User input as quoted in a message: its beginning and "..." if it is long.
std::string shortened(std::string_view text);

// Prints a line on standard error; whether that can be written is no matter: there is nowhere left to say so.
void complain(const std::string& line);

// The message may quote arbitrary file content, so it is stored as one_line.
class Error : public std::runtime_error {
public:
    Error(ExitCode code, const std::string& sentence);
    [[nodiscard]] ExitCode code() const { return code_; }

private:
    ExitCode code_;
};

inline Error input_error(const std::string& sentence) { return {ExitCode::bad_input, sentence}; }
inline Error output_error(const std::string& sentence) { return {ExitCode::output, sentence}; }

#ifndef __CUDACC__
// Each with the values that its sentence has places for, as in fmt::format.
template <class... Values>
Error input_error(fmt::format_string<Values...> sentence, Values&&... values)
{
    return input_error(fmt::format(sentence, std::forward<Values>(values)...));
}
template <class... Values>
Error output_error(fmt::format_string<Values...> sentence, Values&&... values)
{
    return output_error(fmt::format(sentence, std::forward<Values>(values)...));
}
#endif

}  // namespace halfulp
