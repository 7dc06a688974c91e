#include "validation/report.hpp"

#include <ctime>
#include <map>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>

#include "core/app/build_info.hpp"
#include "core/app/machine.hpp"
#include "core/app/progress.hpp"

namespace halfulp {

namespace {

// Black on white, no colour without a word beside it, tables and figures whole on paper.
constexpr const char* style = R"(
body { font: 16px/1.5 "Liberation Sans", Arial, Helvetica, sans-serif; color: #111; background: #fff; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.8rem; margin: 0 0 1rem; } h2 { font-size: 1.4rem; margin: 2.5rem 0 0.5rem; border-bottom: 1px solid #999; } h3 { font-size: 1.1rem; margin: 1.8rem 0 0.5rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 0.3rem; color: #333; }
th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid #ccc; text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid #333; vertical-align: bottom; }
td.number { text-align: right; white-space: nowrap; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; display: block; } figcaption { font-size: 0.9rem; color: #333; }
code { font-family: "Liberation Mono", Menlo, Consolas, monospace; font-size: 0.85rem; overflow-wrap: anywhere; }
a { color: #0072b2; } .data { font-size: 0.85rem; color: #555; }
.verdict { padding: 0.3rem 0.7rem; border-left: 0.4rem solid; } .verdict strong { margin-right: 0.5rem; }
.passed { border-color: #009e73; } .failed { border-color: #d55e00; } .failed strong { color: #b34700; } .passed strong { color: #00684c; }
@media print { body { font-size: 10pt; max-width: none; margin: 0; padding: 0; } h2, h3, caption { break-after: avoid; } figure, tr, .verdict { break-inside: avoid; } thead { display: table-header-group; } a { color: inherit; text-decoration: none; } }
)";

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

std::string verdict_word(bool passed) { return passed ? "passed" : "FAILED"; }

std::string machine_text()
{
    const Machine machine = this_machine();
    std::string text = fmt::format("{}; {} logical processor{}", machine.processor, machine.processors,
                                   machine.processors == 1 ? "" : "s");
    if (machine.memory > 0) text += fmt::format("; {:.1f} GiB of memory", machine.memory / (1 << 30));
    return text;
}

std::string code(const std::string& text) { return "<code>" + escape_html(text) + "</code>"; }

std::string head(const std::string& command_line)
{
    std::string html = "<table class=\"head\">\n";
    const auto row = [&](const char* what, const std::string& content) {
        html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", what, content);
    };
    row("made", fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))));
    row("command", code(command_line));
    row("program",
        escape_html(fmt::format("halfulp {}, commit {}, tree {}", build::version, build::commit, build::tree)));
    row("compiled", escape_html(fmt::format("{}, {}", build::compiler, build::type)) + ", " + code(build::flags));
    row("machine", escape_html(machine_text()));
    return html + "</table>\n";
}

std::string verdict_table(const std::vector<ReportSection>& sections)
{
    std::string html = table_head("Verdicts", {"verdict", "experiment", "what was asked"});
    std::size_t failed = 0;
    std::size_t count = 0;
    for (const ReportSection& section : sections) {
        for (std::size_t i = 0; i < section.verdicts.size(); ++i) {
            const Verdict& v = section.verdicts[i];
            html += fmt::format(
                "<tr class=\"{}\"><td><strong>{}</strong></td><td>{}</td><td><a href=\"#{}\">{}</a></td></tr>\n",
                v.passed ? "passed" : "failed", verdict_word(v.passed), escape_html(section.name),
                verdict_anchor(section.name, i), escape_html(v.text));
            ++count;
            if (!v.passed) ++failed;
        }
    }
    if (count == 0) return "<p>There is no verdict.</p>\n";
    return fmt::format("<p class=\"verdict {}\"><strong>{}</strong>{} of {} verdicts passed</p>\n",
                       failed == 0 ? "passed" : "failed", verdict_word(failed == 0), count - failed, count) +
           html + table_end;
}

std::string contents(const std::vector<ReportSection>& sections)
{
    std::string html = "<nav>\n<ul>\n";
    for (const ReportSection& section : sections) {
        html += fmt::format("<li><a href=\"#{}\">{}</a>", section.name, escape_html(section.title));
        if (!section.headings.empty()) html += "<ul>\n";
        for (std::size_t i = 0; i < section.headings.size(); ++i)
            html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", heading_anchor(section.name, i),
                                escape_html(section.headings[i]));
        html += section.headings.empty() ? "</li>\n" : "</ul></li>\n";
    }
    return html + "</ul>\n</nav>\n";
}

std::string command_table(const std::vector<ReportSection>& sections)
{
    std::string html =
        "<h2 id=\"commands\">Commands</h2>\n" +
        table_head(
            "What each part was made with, and how long that took; less where measurements were kept from before",
            {"part", "command", "h:min:s"});
    for (const ReportSection& section : sections)
        html += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td></tr>\n", escape_html(section.name),
                            code(section.command_line), duration_text(section.seconds));
    return html + table_end;
}

}  // namespace

std::string escape_html(std::string_view text)
{
    std::string escaped(text);
    using Pair = std::pair<const char*, const char*>;
    // & first: the others bring it in.
    for (const auto& [plain, entity] :
         {Pair{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}})
        boost::replace_all(escaped, plain, entity);
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

std::string table_head(const std::string& caption, const std::vector<std::string>& header)
{
    std::string html = "<table>\n";
    if (!caption.empty()) html += fmt::format("<caption>{}</caption>\n", escape_html(caption));
    html += "<thead><tr>";
    for (const std::string& cell : header) html += fmt::format("<th>{}</th>", escape_html(cell));
    return html + "</tr></thead>\n<tbody>\n";
}

std::string heading_anchor(const std::string& name, std::size_t index)
{
    return fmt::format("{}-part-{}", name, index);
}

std::string verdict_anchor(const std::string& name, std::size_t index)
{
    return fmt::format("{}-verdict-{}", name, index);
}

std::string verdict_html(const ReportSection& section, std::size_t index)
{
    const Verdict& v = section.verdicts.at(index);
    return fmt::format("<p class=\"verdict {}\" id=\"{}\"><strong>{}</strong>{}</p>\n", v.passed ? "passed" : "failed",
                       verdict_anchor(section.name, index), verdict_word(v.passed), escape_html(v.text));
}

std::string section_html(const ReportSection& section)
{
    return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", section.name, escape_html(section.title),
                       section.body);
}

std::string report_html(const std::string& title, const std::string& command_line,
                        const std::vector<ReportSection>& sections)
{
    std::string html = fmt::format(
        "{2}<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
        "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escape_html(title), style, report_beginning);
    html += head(command_line) + verdict_table(sections) + contents(sections);
    for (const ReportSection& section : sections) html += section_html(section);
    return html + command_table(sections) + "</body>\n</html>\n";
}

}  // namespace halfulp
