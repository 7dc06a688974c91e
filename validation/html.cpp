#include "validation/report.hpp"

#include <map>

#include <boost/algorithm/string/replace.hpp>

namespace halfulp {

namespace {

// matplotlib names images by their pixels, so equal ones have one id. A reference goes to the first, which looks the
// same.
void tell_repeated_ids_apart(std::string& svg)
{
    constexpr std::string_view begin = " id=\"";
    std::map<std::string, int> times;
    for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
        const std::size_t first = at + begin.size();
        const std::size_t end = svg.find('"', first);
        if (end == std::string::npos) return;
        const int before = times[svg.substr(first, end - first)]++;
        if (before > 0) svg.insert(end, "-again-" + std::to_string(before));
    }
}

}  // namespace

std::string escape_html(std::string_view text)
{
    std::string escaped;
    for (const char c : text) {
        switch (c) {
        case '&': escaped += "&amp;"; break;
        case '<': escaped += "&lt;"; break;
        case '>': escaped += "&gt;"; break;
        case '"': escaped += "&quot;"; break;
        case '\'': escaped += "&#39;"; break;
        default: escaped += c;
        }
    }
    return escaped;
}

std::string inline_svg(std::string_view drawing, std::string_view prefix)
{
    constexpr std::string_view close = "</svg>";
    const std::size_t begin = drawing.find("<svg");
    const std::size_t end = drawing.rfind(close);
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
    std::string svg(drawing.substr(begin, end + close.size() - begin));

    constexpr std::string_view metadata_close = "</metadata>";
    const std::size_t metadata = svg.find("<metadata");
    const std::size_t metadata_end = svg.find(metadata_close);
    if (metadata != std::string::npos && metadata_end != std::string::npos && metadata < metadata_end)
        svg.erase(metadata, metadata_end + metadata_close.size() - metadata);

    const std::string own(prefix);
    boost::replace_all(svg, " id=\"", " id=\"" + own);
    tell_repeated_ids_apart(svg);
    boost::replace_all(svg, "href=\"#", "href=\"#" + own);
    boost::replace_all(svg, "url(#", "url(#" + own);
    // matplotlib's style sheet is for all elements; here that would be those of the page.
    boost::replace_all(svg, "<style type=\"text/css\">*{", "<style type=\"text/css\">figure svg *{");
    return svg;
}

}  // namespace halfulp
