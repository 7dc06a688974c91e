#include "core/setup/spelling.hpp"

#include <algorithm>
#include <cstddef>

namespace halfulp {

namespace {

// Restricted Damerau-Levenshtein distance: a swap of neighbouring letters, the commonest slip, counts once.
std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.size()][b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view given, const std::vector<std::string_view>& allowed)
{
    std::string_view nearest;
    // Beyond half of the letters any word is equally close.
    std::size_t least = std::max<std::size_t>(2, given.size() / 2) + 1;
    for (const std::string_view name : allowed) {
        const std::size_t distance = edit_distance(given, name);
        if (distance < least && distance < std::max(given.size(), name.size())) {
            least = distance;
            nearest = name;
        }
    }
    return nearest;
}

std::string enumerate_names(const std::vector<std::string_view>& names, std::string_view last_joint)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " " + std::string(last_joint) + " " : std::string(", ");
        text += names[i];
    }
    return text;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blank = " \t\r";
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

}  // namespace halfulp
