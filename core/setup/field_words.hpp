// The field's words for what a case calls otherwise (docs/words.md), to suggest the key or the value that is meant.
#pragma once

#include <span>
#include <string_view>

namespace halfulp {

// A word of other codes and papers, in small letters with hyphens: for a key of a case, by its dotted path, or for one
// of the values of a key, by the key's name.
struct FieldWord {
    std::string_view word;
    std::string_view key;
    std::string_view value{};
};

std::span<const FieldWord> field_words_for_keys();
std::span<const FieldWord> field_words_for_values();

// The path of the key that is meant by a word in a table of a case ("time.", or "" for the case itself): in that table
// if the word has a meaning there. Capitals and underscores make no difference. Empty if it has none.
std::string_view key_meant_by(std::string_view word, std::string_view table);

// The value that is meant by a word for a key; empty if it has none.
std::string_view value_meant_by(std::string_view word, std::string_view key);

}  // namespace halfulp
