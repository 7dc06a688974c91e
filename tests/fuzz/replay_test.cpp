// Every input that the fuzzer started from or once found a fault with, without the fuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <vector>

#include "feeds.hpp"

namespace halfulp::fuzzing {

void PrintTo(const Feed& feed, std::ostream* out) { *out << feed.name; }

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

class Corpus : public testing::TestWithParam<Feed> {};

TEST_P(Corpus, IsReadOrRefusedWithASentence)
{
    std::vector<fs::path> files = files_in(fs::path(HALFULP_CORPUS) / GetParam().name);
    EXPECT_FALSE(files.empty());
    if (GetParam().feed == feed_case) {
        for (const fs::path& shipped : files_in(HALFULP_TEST_CASES)) files.push_back(shipped);
    }
    for (const fs::path& path : files) {
        std::ifstream stream(path, std::ios::binary);
        const std::vector<std::uint8_t> content{std::istreambuf_iterator<char>(stream), {}};
        try {
            GetParam().feed(content);
        } catch (const std::exception& fault) {
            ADD_FAILURE() << path << ": " << fault.what();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Fuzzed, Corpus, testing::ValuesIn(HALFULP_FEEDS),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace halfulp::fuzzing
