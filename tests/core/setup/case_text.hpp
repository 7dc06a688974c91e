// Small cases for the tests of set-up.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/setup/case.hpp"
#include "core/setup/read_case.hpp"
#include "tests/core/setup/least_case.hpp"

namespace halfulp {

// `text` with the first `what` replaced.
inline std::string with(std::string text, const std::string& what, const std::string& by)
{
    const std::size_t position = text.find(what);
    EXPECT_NE(position, std::string::npos) << what;
    return position == std::string::npos ? text : text.replace(position, what.size(), by);
}

// A file "case.toml" in a folder of its own, removed with the object.
class CaseFile {
public:
    explicit CaseFile(const std::string& text)
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "halfulp-case-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        std::ofstream(path()) << text;
    }
    ~CaseFile() { std::filesystem::remove_all(folder_); }
    CaseFile(const CaseFile&) = delete;
    CaseFile& operator=(const CaseFile&) = delete;

    [[nodiscard]] std::filesystem::path path() const { return folder_ / "case.toml"; }
    [[nodiscard]] std::filesystem::path folder() const { return folder_; }

private:
    std::filesystem::path folder_;
};

inline Case case_from(const std::string& text, const std::vector<std::string>& overrides = {})
{
    return read_case(CaseFile(text).path(), overrides);
}

// The sentence of the Error that `action` throws, checked to be one for bad input.
template <class Action>
std::string sentence_of(Action action, ExitCode expected = ExitCode::bad_input)
{
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), expected);
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

}  // namespace halfulp
