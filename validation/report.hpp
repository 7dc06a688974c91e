// A report: one HTML file that needs nothing else, with the pages of one or several experiments; and pieces of HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace halfulp {

// Text escaped for an element or a quoted attribute.
std::string escape_html(std::string_view text);

// A drawing as it can stand in a page: from <svg to </svg>, without its metadata, and with `prefix` before every id, so
// that the clip paths and glyphs of several drawings stay apart; every id stands once. Empty if the text holds no
// drawing.
std::string inline_svg(std::string_view drawing, std::string_view prefix);

// A table up to its first row, and its end. The caption may be empty.
std::string table_head(const std::string& caption, const std::vector<std::string>& header);
inline constexpr const char* table_end = "</tbody>\n</table>\n";

struct Verdict {
    bool passed = false;
    std::string text;  // what was asked
};

// The part of a report that is one page of an experiment.
struct ReportSection {
    std::string name;  // the anchor; letters, digits and hyphens
    std::string title;
    std::string body;                   // HTML below the title
    std::vector<std::string> headings;  // in the body, with the anchors heading_anchor(name, index)
    std::vector<Verdict> verdicts;      // in the body, with the anchors verdict_anchor(name, index)
    std::string command_line;
    double seconds = 0;  // that it took, or that it took to find its results in the cache
};

std::string heading_anchor(const std::string& name, std::size_t index);
std::string verdict_anchor(const std::string& name, std::size_t index);

// A verdict in the section's body.
std::string verdict_html(const ReportSection& section, std::size_t index);

// <section>...</section>, as it stands in a report.
std::string section_html(const ReportSection& section);

// As every report begins, by which one is known.
inline constexpr std::string_view report_beginning =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" "
    "content=\"halfulp\">\n";

// The whole document. command_line: of the program. Date, machine and build are looked up.
std::string report_html(const std::string& title, const std::string& command_line,
                        const std::vector<ReportSection>& sections);

}  // namespace halfulp
