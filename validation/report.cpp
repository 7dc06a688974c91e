#include "validation/report.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

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

std::string verdict_word(bool passed) { return passed ? "passed" : "FAILED"; }

std::string head_row(const std::string& what, const std::string& html)
{
    return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", what, html);
}

std::string machine_text()
{
    const Machine machine = this_machine();
    std::string text = fmt::format("{}; {} logical processor{}", machine.processor, machine.processors,
                                   machine.processors == 1 ? "" : "s");
    if (machine.memory > 0) text += fmt::format("; {:.1f} GiB of memory", machine.memory / (1 << 30));
    return text;
}

std::string head(const std::string& command_line)
{
    std::string html = "<table class=\"head\">\n";
    html += head_row("made", fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))));
    html += head_row("command", "<code>" + escape_html(command_line) + "</code>");
    html += head_row("program", escape_html(fmt::format("halfulp {}, commit {}, tree {}", build::version, build::commit,
                                                        build::tree)));
    html += head_row("compiled", escape_html(fmt::format("{}, {}", build::compiler, build::type)) + ", <code>" +
                                     escape_html(build::flags) + "</code>");
    html += head_row("machine", escape_html(machine_text()));
    return html + "</table>\n";
}

std::string verdict_table(const std::vector<ReportSection>& sections)
{
    std::string html =
        "<table>\n<caption>Verdicts</caption>\n<thead><tr><th>verdict</th><th>experiment</th><th>what was "
        "asked</th></tr></thead>\n<tbody>\n";
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
    html += "</tbody>\n</table>\n";
    if (count == 0) return "<p>There is no verdict.</p>\n";
    return fmt::format("<p class=\"verdict {}\"><strong>{}</strong>{} of {} verdicts passed</p>\n",
                       failed == 0 ? "passed" : "failed", verdict_word(failed == 0), count - failed, count) +
           html;
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
        "<h2 id=\"commands\">Commands</h2>\n<table>\n<caption>What each part was made with, and how long that took; "
        "less where measurements were kept from before</caption>\n<thead><tr><th>part</th><th>command</th><th>h:min:s"
        "</th></tr></thead>\n<tbody>\n";
    for (const ReportSection& section : sections)
        html +=
            fmt::format("<tr><td>{}</td><td><code>{}</code></td><td class=\"number\">{}</td></tr>\n",
                        escape_html(section.name), escape_html(section.command_line), duration_text(section.seconds));
    return html + "</tbody>\n</table>\n";
}

}  // namespace

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
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
        "<h1>{0}</h1>\n",
        escape_html(title), style);
    html += head(command_line) + verdict_table(sections) + contents(sections);
    for (const ReportSection& section : sections) html += section_html(section);
    return html + command_table(sections) + "</body>\n</html>\n";
}

}  // namespace halfulp
