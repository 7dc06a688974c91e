// Validators of options that take a number: decimal, within a range. CLI11 itself would read 010 as eight, replace a
// number that is too large by the largest, and say of anything else only that it could not convert it.
#pragma once

#include <charconv>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/error.hpp"

namespace halfulp {

namespace detail {

// A validator that replaces the word by the number as it is read here. refuse(value, in_range): what is wrong with it,
// if anything.
template <class T, class Refuse>
CLI::Validator number_of(const char* kind, const Refuse& refuse)
{
    return {[=](std::string& word) -> std::string {
                T value{};
                const char* const end = word.data() + word.size();
                const auto read = std::from_chars(word.data() + (word.starts_with('+') ? 1 : 0), end, value);
                const std::string given = one_line(shortened(word));
                if (read.ptr != end || read.ec == std::errc::invalid_argument)
                    return fmt::format("{} is no {}", given, kind);
                const std::string wrong = refuse(value, read.ec == std::errc());
                if (!wrong.empty()) return fmt::format("{} is {}", given, wrong);
                word = fmt::format("{}", value);
                return {};
            },
            ""};
}

}  // namespace detail

template <class T>
CLI::Validator whole_number(T lowest = std::numeric_limits<T>::lowest())
{
    return detail::number_of<T>("whole number", [lowest](T value, bool in_range) {
        if (in_range && value >= lowest) return std::string();
        return fmt::format("out of range: allowed are whole numbers from {} to {}", lowest,
                           std::numeric_limits<T>::max());
    });
}

// Accepts infinity and NaN: the caller decides whether they are allowed.
inline CLI::Validator number()
{
    return detail::number_of<double>("number", [](double /*value*/, bool in_range) {
        return in_range ? std::string() : std::string("too large or too small for a number");
    });
}

}  // namespace halfulp
