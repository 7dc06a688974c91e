// Description of one key of a case file: its name, meaning and allowed values.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>

namespace halfulp {

struct Key {
    std::string_view name;
    std::string_view meaning;  // with its unit; written as the key's comment
    bool required = false;
    bool applies = true;               // whether the key applies, given the values read so far
    std::string_view applies_to = {};  // the setting it belongs to, for the error if it does not apply
};

// An interval of numbers; an infinite end is no bound.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_included = true;
    bool high_included = true;

    [[nodiscard]] bool holds(double x) const
    {
        return (low_included ? x >= low : x > low) && (high_included ? x <= high : x < high);
    }
};

// A key whose values are the enumerators of Enum, from 0 on, named in their order.
template <class Archive, class Enum>
void choice(Archive& a, const Key& key, Enum& value, std::initializer_list<std::string_view> names)
{
    std::string text(names.begin()[static_cast<std::size_t>(value)]);
    a.one_of(key, text, names);
    value = static_cast<Enum>(std::find(names.begin(), names.end(), text) - names.begin());
}

inline constexpr Range any_number{};
inline constexpr Range positive{.low = 0, .low_included = false};
inline constexpr Range not_negative{.low = 0};

// The range of lengths, densities and speeds, from which other quantities are formed: with it their squares and
// quotients stay within single precision in SI units.
inline constexpr Range scale{.low = 1e-15, .high = 1e15};
inline constexpr Range signed_scale{.low = -1e15, .high = 1e15};

// A particle's cell is the origin's plus its own in the case: with both below 2^30 the sum fits in 32 bits.
inline constexpr Range cell_range{.low = -1073741824, .high = 1073741824};

}  // namespace halfulp
