// Mistakes in the least case, and what the user reads.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "case_text.hpp"

namespace halfulp {

// The least case with `what` replaced by `by` (an empty `what` puts it in front), and the sentence after the folder.
struct WrongCase {
    const char* what;
    const char* by;
    const char* sentence;
};

inline void PrintTo(const WrongCase& w, std::ostream* out) { *out << w.sentence; }

// Reads the case and does with it what `use` does; one of both must refuse it.
template <class Use>
void expect_sentence(const WrongCase& wrong, const Use& use)
{
    const CaseFile file(*wrong.what != '\0' ? with(least_case, wrong.what, wrong.by) : wrong.by + least_case);
    const std::string sentence = sentence_of([&] { use(read_case(file.path(), {})); });
    EXPECT_EQ(sentence.rfind((file.folder() / "case.toml").string() + ":", 0), 0U) << sentence;
    EXPECT_NE(sentence.find(wrong.sentence), std::string::npos) << sentence;
    EXPECT_TRUE(sentence.back() == '.' || sentence.back() == '?') << sentence;
    EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '\n'), 0);
}

}  // namespace halfulp
