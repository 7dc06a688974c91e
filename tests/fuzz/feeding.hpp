// Shared parts of the feeds.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "feeds.hpp"

namespace halfulp::fuzzing {

inline std::string text_of(Bytes input) { return {input.begin(), input.end()}; }

[[noreturn]] inline void fault(const std::string& what) { throw std::logic_error(what); }

// One line that can be printed, and ends like a sentence.
inline void check_sentence(const std::string& sentence)
{
    for (const char letter : sentence) {
        const auto code = static_cast<unsigned char>(letter);
        if (code < 0x20 || code == 0x7f) fault("a sentence with a control character: " + sentence);
    }
    if (sentence.empty() || (sentence.back() != '.' && sentence.back() != '?'))
        fault("a sentence without an end: " + sentence);
}

// False where the action refused its input, by the exit code of bad input or another one that is right for it.
template <class Action>
bool accepted(const Action& action, ExitCode also = ExitCode::bad_input)
{
    try {
        action();
        return true;
    } catch (const Error& error) {
        // Too many particles for the machine are its fault.
        if (error.code() != ExitCode::bad_input && error.code() != ExitCode::unsupported && error.code() != also)
            fault(std::string("neither called bad input nor too much: ") + error.what());
        check_sentence(error.what());
        return false;
    }
}

// A folder of this process, under TMPDIR or, without it, in memory where there is such a place; removed when the
// process ends by itself.
class Folder {
public:
    Folder()
    {
        std::string pattern = (place() / "halfulp-fuzz-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) fault("no temporary folder");
        path_ = pattern;
    }
    ~Folder()
    {
        std::error_code failure;
        std::filesystem::remove_all(path_, failure);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    // Writes a file and returns its path.
    [[nodiscard]] std::filesystem::path file(std::string_view name, Bytes content) const
    {
        const std::filesystem::path path = path_ / name;
        std::ofstream stream(path, std::ios::binary | std::ios::trunc);
        stream.write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
        return path;
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    static std::filesystem::path place()
    {
        const std::filesystem::path memory = "/dev/shm";
        std::error_code failure;
        const bool in_memory = std::getenv("TMPDIR") == nullptr && std::filesystem::is_directory(memory, failure) &&
                               ::access(memory.c_str(), W_OK) == 0;
        return in_memory ? memory : std::filesystem::temp_directory_path();
    }

    std::filesystem::path path_;
};

inline Bytes bytes_of(std::string_view text)
{
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace halfulp::fuzzing
