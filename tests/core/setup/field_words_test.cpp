// The field's words: what they suggest exists, and is what a reader is told.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "case_text.hpp"
#include "core/setup/field_words.hpp"

namespace halfulp {
namespace {

std::string sentence_with(const std::string& override_text)
{
    const CaseFile file(least_case);
    return sentence_of([&] { read_case(file.path(), {override_text}); });
}

bool ends_with(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() && text.ends_with(end);
}

TEST(FieldWords, SuggestKeys)
{
    for (const FieldWord& one : field_words_for_keys()) {
        const std::string key(one.key);
        const std::string table = key.substr(0, key.find('.') + 1);
        std::string word(one.word);
        std::ranges::replace(word, '-', '_');
        const std::string told = sentence_with(fmt::format("{}{}=1", table, word));
        EXPECT_TRUE(ends_with(told, fmt::format("unknown key \"{}{}\"; did you mean {}?", table, word, key))) << told;
        // Of the wrong type: a key that there is.
        const std::string of_key = sentence_with(key + "=[[2000-01-01]]");
        EXPECT_EQ(of_key.find("unknown key"), std::string::npos) << of_key;
    }
    EXPECT_TRUE(ends_with(sentence_with("fluid.dt=1"), "did you mean time.size?"));
    EXPECT_TRUE(ends_with(sentence_with("output.DT=1"), "did you mean output.interval?"));
}

TEST(FieldWords, SuggestValues)
{
    const std::map<std::string, std::string> overrides{
        {"walls", "numerics.walls={}"},
        {"kernel", "numerics.kernel={}"},
        {"density_diffusion", "numerics.density_diffusion={}"},
        {"integrator", "numerics.integrator={}"},
        {"state_equation", "fluid.state_equation={}"},
        {"laminar_viscosity", "fluid.laminar_viscosity={}"},
        {"kind", "shapes.water.kind={}"},
        {"measures", "probes=[{{name=\"a\",measures=\"{}\",at=[0,0]}}]"},
    };
    for (const FieldWord& one : field_words_for_values()) {
        const std::string told = sentence_with(fmt::format(fmt::runtime(overrides.at(std::string(one.key))), one.word));
        const std::string end = fmt::format("; did you mean \"{}\"?", one.value);
        EXPECT_TRUE(ends_with(told, end)) << told;
        EXPECT_NE(told.find(fmt::format("\"{}\"", one.value)), told.size() - end.size() + end.find('"')) << told;
    }
    EXPECT_TRUE(ends_with(sentence_with("numerics.walls=mDBC"), "did you mean \"modified-dynamic\"?"));
    EXPECT_TRUE(ends_with(sentence_with("numerics.integrator=symplectc"), "did you mean \"symplectic\"?"));
}

}  // namespace
}  // namespace halfulp
