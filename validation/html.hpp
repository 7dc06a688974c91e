// Pieces of HTML for reports.
#pragma once

#include <string>
#include <string_view>

namespace halfulp {

// Text as it stands in an element or a quoted attribute.
std::string escape_html(std::string_view text);

// A drawing as it can stand in a page: from <svg to </svg>, without its metadata, and with `prefix` before every id, so
// that the clip paths and glyphs of several drawings stay apart; every id stands once. Empty if the text holds no
// drawing.
std::string inline_svg(std::string_view drawing, std::string_view prefix);

}  // namespace halfulp
