// The page of an experiment: its text, tables, figures and verdicts, printed and as its part of a report.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.hpp"
#include "validation/report.hpp"
#include "validation/seconds.hpp"

namespace halfulp {

// Throws an Error if it cannot be made.
void make_folder(const std::filesystem::path& folder);

// Throws an Error if something stands under the name of a file that an experiment would replace and is none of an
// earlier one, which begins so.
void refuse_foreign(const std::filesystem::path& file, std::string_view kind, std::string_view beginning);

// The name of the report in a folder, which is made. Throws an Error if that cannot be, or if something stands there
// that is no report of an experiment.
std::filesystem::path report_in(const std::filesystem::path& folder);

// Everything is printed to standard output as Markdown at once and kept as HTML until close(). Texts are plain: what
// would be HTML in them is escaped. An experiment makes one page.
class Page {
public:
    // name: the experiment's, letters, digits and hyphens. Makes the folder; throws an Error if it cannot, or if what
    // close() would replace is of somebody else.
    Page(std::filesystem::path folder, std::string name, std::string title);

    void paragraph(const std::string& text);
    void heading(const std::string& text);
    // Begins a table; it ends where something else begins. The caption may be empty.
    void table(const std::vector<std::string>& header, const std::string& caption = "");
    // One row of it, as long as the header. Printed at once: a long study is read while it runs.
    void row(const std::vector<std::string>& cells);
    // Takes in an SVG file; where it is missing the page says so.
    void figure(const std::filesystem::path& svg, const std::string& caption);
    // Runs validation/SCRIPT.py on a table, which draws TABLE.svg beside it (drawing.py), and takes that in.
    void draw(const std::filesystem::path& table, const std::string& script, const std::string& caption);
    // "passed: ..." or "FAILED: ...". text: what was asked, with its limits.
    void verdict(bool passed, const std::string& text);

    // Each of these with the values that its text has places for, as in fmt::format.
    template <class... Values>
    void paragraph(fmt::format_string<Values...> text, Values&&... values)
    {
        paragraph(fmt::format(text, std::forward<Values>(values)...));
    }
    template <class... Values>
    void heading(fmt::format_string<Values...> text, Values&&... values)
    {
        heading(fmt::format(text, std::forward<Values>(values)...));
    }
    template <class... Values>
    void table(const std::vector<std::string>& header, fmt::format_string<Values...> caption, Values&&... values)
    {
        table(header, fmt::format(caption, std::forward<Values>(values)...));
    }
    // " | " stands between the cells of a row.
    template <class... Values>
    void row(fmt::format_string<Values...> cells, Values&&... values)
    {
        row(cells_of(fmt::format(cells, std::forward<Values>(values)...)));
    }
    template <class... Values>
    void draw(const std::filesystem::path& drawn, const std::string& script, fmt::format_string<Values...> caption,
              Values&&... values)
    {
        draw(drawn, script, fmt::format(caption, std::forward<Values>(values)...));
    }
    template <class... Values>
    void verdict(bool passed, fmt::format_string<Values...> text, Values&&... values)
    {
        verdict(passed, fmt::format(text, std::forward<Values>(values)...));
    }

    [[nodiscard]] bool passed() const;
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

    // Writes NAME.page.html, the part of a report, and report.html, a whole one. To be called once, at the end: success
    // or, if a verdict failed, differs. Throws an Error when they cannot be written.
    ExitCode close();

private:
    static std::vector<std::string> cells_of(const std::string& row);
    [[nodiscard]] std::filesystem::path file_of_section() const { return folder_ / (section_.name + ".page.html"); }
    void end_table();
    // A blank line where Markdown needs one.
    void begin_block();
    void print_line(const std::string& line);

    std::filesystem::path folder_;
    std::filesystem::path report_;
    ReportSection section_;
    std::size_t columns_ = 0;  // of the table that is open; 0: none is
    std::size_t figures_ = 0;
    bool after_line_ = false;  // was the last thing printed a line that the next block must not join?
    double started_ = seconds_now();
};

// The pages closed since the last call, for a report of several experiments.
std::vector<ReportSection> take_closed_pages();

}  // namespace halfulp
