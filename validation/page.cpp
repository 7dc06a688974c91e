#include "validation/page.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <boost/algorithm/string.hpp>

#include "core/app/commands.hpp"
#include "core/app/draw.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/text_files.hpp"

namespace halfulp {

namespace {

std::vector<ReportSection>& closed_pages()
{
    static std::vector<ReportSection> pages;
    return pages;
}

// A cell of a Markdown table.
std::string cell_text(std::string text)
{
    boost::replace_all(text, "|", "\\|");
    boost::replace_all(text, "\n", " ");
    return text;
}

// Numbers stand at the right, so that their digits can be compared.
bool looks_like_number(const std::string& cell)
{
    const std::size_t first = cell.find_first_not_of("+-");
    return first != std::string::npos && first <= 1 && cell[first] >= '0' && cell[first] <= '9';
}

void print_row(const std::vector<std::string>& cells)
{
    for (const std::string& cell : cells) fmt::print("| {} ", cell_text(cell));
    fmt::print("|\n");
}

}  // namespace

void make_folder(const std::filesystem::path& folder)
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) {
        throw output_error(fmt::format("cannot make the folder {}: {}; choose another with --output", folder.string(),
                                       failed.message()));
    }
}

void refuse_foreign(const std::filesystem::path& file, std::string_view kind, std::string_view beginning)
{
    std::error_code none;
    if (std::filesystem::symlink_status(file, none).type() == std::filesystem::file_type::not_found) return;
    if (!std::filesystem::is_symlink(file, none) && beginning_of(file, beginning.size()) == beginning) return;
    throw output_error(fmt::format(
        "{} is no {} of halfulp, but one in this folder would replace it: move it away, or choose another folder with "
        "--output",
        file.string(), kind));
}

std::filesystem::path report_in(const std::filesystem::path& folder)
{
    make_folder(folder);
    refuse_foreign(folder / "report.html", "report", report_beginning);
    return folder / "report.html";
}

Page::Page(std::filesystem::path folder, std::string name, std::string title) : folder_(std::move(folder))
{
    section_.name = std::move(name);
    section_.title = std::move(title);
    section_.command_line = experiment_command_line();
    report_ = report_in(folder_);
    refuse_foreign(file_of_section(), "report", fmt::format("<section id=\"{}\">", section_.name));
    fmt::print("# {}\n\n", section_.title);
    std::fflush(stdout);
}

void Page::end_table()
{
    if (columns_ == 0) return;
    columns_ = 0;
    section_.body += table_end;
    fmt::print("\n");
}

void Page::begin_block()
{
    end_table();
    if (after_line_) fmt::print("\n");
    after_line_ = false;
}

void Page::print_line(const std::string& line)
{
    fmt::print("{}\n", line);
    std::fflush(stdout);
    after_line_ = true;
}

void Page::paragraph(const std::string& text)
{
    begin_block();
    section_.body += fmt::format("<p>{}</p>\n", escape_html(text));
    fmt::print("{}\n\n", text);
    std::fflush(stdout);
}

void Page::heading(const std::string& text)
{
    begin_block();
    section_.body += fmt::format("<h3 id=\"{}\">{}</h3>\n", heading_anchor(section_.name, section_.headings.size()),
                                 escape_html(text));
    section_.headings.push_back(text);
    fmt::print("## {}\n\n", text);
    std::fflush(stdout);
}

void Page::table(const std::vector<std::string>& header, const std::string& caption)
{
    begin_block();
    if (header.empty()) throw std::logic_error("a table needs columns");
    columns_ = header.size();
    section_.body += table_head(caption, header);
    if (!caption.empty()) fmt::print("{}\n\n", caption);
    print_row(header);
    for (std::size_t i = 0; i < columns_; ++i) fmt::print("|---");
    fmt::print("|\n");
    std::fflush(stdout);
}

void Page::row(const std::vector<std::string>& cells)
{
    if (cells.size() != columns_) {
        throw std::logic_error(
            fmt::format("a row of {} cells in a table of {} columns (page {})", cells.size(), columns_, section_.name));
    }
    section_.body += "<tr>";
    for (const std::string& cell : cells)
        section_.body +=
            fmt::format("<td{}>{}</td>", looks_like_number(cell) ? " class=\"number\"" : "", escape_html(cell));
    section_.body += "</tr>\n";
    print_row(cells);
    std::fflush(stdout);
}

std::vector<std::string> Page::cells_of(const std::string& row)
{
    std::vector<std::string> cells;
    boost::iter_split(cells, row, boost::first_finder(" | "));
    return cells;
}

void Page::figure(const std::filesystem::path& svg, const std::string& caption)
{
    end_table();
    std::ifstream file(svg, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string drawing = inline_svg(text, fmt::format("{}-figure-{}-", section_.name, ++figures_));
    if (drawing.empty()) {
        section_.body += fmt::format("<p class=\"data\">Figure {} is missing: it was not drawn. {}</p>\n",
                                     escape_html(svg.filename().string()), escape_html(caption));
        print_line(fmt::format("figure: none, {} was not drawn (see above)", svg.string()));
    } else {
        section_.body +=
            fmt::format("<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>\n", drawing, escape_html(caption));
        print_line(fmt::format("figure: {}", svg.string()));
    }
}

void Page::draw(const std::filesystem::path& table, const std::string& script, const std::string& caption)
{
    end_table();
    print_line(fmt::format("table: {}", table.string()));
    const std::filesystem::path svg = std::filesystem::path(table).replace_extension(".svg");
    // One of an earlier study must not stand for this one.
    std::error_code none;
    std::filesystem::remove(svg, none);
    const auto file = shipped_script(script + ".py", "validation/" + script + ".py");
    if (file.empty()) print_line(fmt::format("{}.py is not installed with this program", script));
    else if (run_python(file, table) == 127) print_line("there is no python3; install the package python3-matplotlib");
    figure(svg, caption);
    section_.body += fmt::format("<p class=\"data\">Data: {}</p>\n", escape_html(table.filename().string()));
}

void Page::verdict(bool passed, const std::string& text)
{
    end_table();
    section_.verdicts.push_back({passed, text});
    section_.body += verdict_html(section_, section_.verdicts.size() - 1);
    print_line(fmt::format("{}: {}", passed ? "passed" : "FAILED", text));
}

bool Page::passed() const { return std::ranges::all_of(section_.verdicts, &Verdict::passed); }

ExitCode Page::close()
{
    end_table();
    section_.seconds = seconds_now() - started_;
    replace_file(file_of_section(), section_html(section_));
    replace_file(report_, report_html(section_.title, section_.command_line, {section_}));
    print_line(fmt::format("report: {}", report_.string()));
    closed_pages().push_back(section_);
    return passed() ? ExitCode::success : ExitCode::differs;
}

std::vector<ReportSection> take_closed_pages() { return std::exchange(closed_pages(), {}); }

}  // namespace halfulp
