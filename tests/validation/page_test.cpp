// Pages and reports: what is printed, what is written, and the exit code of the verdicts.
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/validation/scratch.hpp"
#include "validation/page.hpp"
#include "validation/report.hpp"

namespace halfulp::test {
namespace {

std::size_t count_of(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST(Html, EscapesText)
{
    EXPECT_EQ(escape_html(R"(a < b & "c" > 'd')"), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
}

constexpr const char* drawing = R"x(<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "x" "http://www.w3.org/x.dtd">
<svg width="10pt" viewBox="0 0 10 10"><metadata><date>today</date></metadata><defs><style type="text/css">*{stroke-linecap: butt}</style>
<clipPath id="p1"><rect/></clipPath><path id="g"/></defs><g clip-path="url(#p1)"><use xlink:href="#g"/><use href="#g"/></g></svg>
)x";

TEST(Html, DrawingsKeepTheirIdsApart)
{
    const std::string svg = inline_svg(drawing, "a-1-");
    EXPECT_EQ(svg.rfind("<svg", 0), 0u);
    EXPECT_TRUE(svg.ends_with("</svg>"));
    for (const char* part : {"<clipPath id=\"a-1-p1\">", "<path id=\"a-1-g\"/>", "url(#a-1-p1)",
                             "xlink:href=\"#a-1-g\"", "<use href=\"#a-1-g\"", "figure svg *{"})
        EXPECT_NE(svg.find(part), std::string::npos) << part;
    EXPECT_EQ(svg.find("metadata"), std::string::npos);
    EXPECT_EQ(svg.find("today"), std::string::npos);
    const std::string repeated = inline_svg("<svg><image id=\"i\"/><image id=\"i\"/><image id=\"i\"/></svg>", "a-");
    EXPECT_EQ(repeated, "<svg><image id=\"a-i\"/><image id=\"a-i-again-1\"/><image id=\"a-i-again-2\"/></svg>");
    EXPECT_EQ(inline_svg("no drawing", "a-"), "");
    EXPECT_EQ(inline_svg("", "a-"), "");
}

TEST(Page, ReplacesReportsAndNothingElse)
{
    const Scratch scratch;
    const auto make = [&] {
        ::testing::internal::CaptureStdout();
        std::string refused;
        try {
            Page(scratch.path(), "sample", "A sample").close();
        } catch (const Error& error) {
            refused = error.what();
        }
        ::testing::internal::GetCapturedStdout();
        return refused;
    };
    for (const char* name : {"report.html", "sample.page.html"}) {
        const std::filesystem::path mine = scratch.path() / name;
        std::ofstream(mine) << "<html>mine</html>";
        EXPECT_NE(make().find("is no report of halfulp"), std::string::npos) << name;
        EXPECT_EQ(text_of(mine), "<html>mine</html>");
        std::filesystem::remove(mine);
        std::filesystem::create_symlink("elsewhere", mine);
        EXPECT_NE(make().find("is no report of halfulp"), std::string::npos) << name;
        std::filesystem::remove(mine);
    }
    EXPECT_EQ(make(), "");
    EXPECT_EQ(make(), "");
}

TEST(Page, PrintsWhatItWrites)
{
    const Scratch scratch;
    ::testing::internal::CaptureStdout();
    Page page(scratch.path() / "new", "sample", "A <sample>");
    page.paragraph("Nothing & more.");
    page.heading("Part \"one\"");
    page.table({"name", "value"}, "what is in it");
    page.row({"a|b", "-1.5e-3"});
    page.row({"<i>", "many"});
    page.verdict(true, "x < 3");
    page.heading("Part two");
    const ExitCode code = page.close();
    const std::string out = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(code, ExitCode::success);
    EXPECT_EQ(
        out.substr(0, out.find("report:")),
        "# A <sample>\n\nNothing & more.\n\n## Part \"one\"\n\nwhat is in it\n\n| name | value |\n|---|---|\n| a\\|b | "
        "-1.5e-3 |\n| <i> | many |\n\npassed: x < 3\n\n## Part two\n\n");

    const std::string fragment = text_of(scratch.path() / "new/sample.page.html");
    for (const char* part : {"<section id=\"sample\">", "<h2>A &lt;sample&gt;</h2>", "<p>Nothing &amp; more.</p>",
                             "Part &quot;one&quot;</h3>", "<caption>what is in it</caption>",
                             "<td>a|b</td><td class=\"number\">-1.5e-3</td>", "<td>&lt;i&gt;</td><td>many</td>",
                             "<strong>passed</strong>x &lt; 3</p>", "</section>"})
        EXPECT_NE(fragment.find(part), std::string::npos) << part;
    EXPECT_EQ(count_of(fragment, "<table>"), count_of(fragment, "</table>"));

    const std::string report = text_of(scratch.path() / "new/report.html");
    EXPECT_EQ(report.rfind("<!DOCTYPE html>", 0), 0u);
    EXPECT_NE(report.find(fragment), std::string::npos);
    for (const char* part : {"1 of 1 verdicts passed", "href=\"#sample-verdict-0\"", "id=\"sample-verdict-0\"",
                             "href=\"#sample-part-1\"", "id=\"sample-part-1\"", "commit ", "logical processor"})
        EXPECT_NE(report.find(part), std::string::npos) << part;
    for (const char* part : {"<script", "src=", "<link", "@import", "http"})
        EXPECT_EQ(report.find(part), std::string::npos) << part;
}

TEST(Page, OneFailedVerdictFailsIt)
{
    const Scratch scratch;
    ::testing::internal::CaptureStdout();
    Page page(scratch.path(), "sample", "A sample");
    page.verdict(true, "first");
    EXPECT_TRUE(page.passed());
    page.verdict(false, "second");
    page.verdict(true, "third");
    EXPECT_FALSE(page.passed());
    const ExitCode code = page.close();
    const std::string out = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(code, ExitCode::differs);
    EXPECT_NE(out.find("passed: first\nFAILED: second\npassed: third\n"), std::string::npos) << out;
    EXPECT_NE(text_of(scratch.path() / "report.html").find("<strong>FAILED</strong>2 of 3 verdicts passed"),
              std::string::npos);
}

TEST(Page, TakesFiguresInAndSaysWhichAreMissing)
{
    const Scratch scratch;
    write_text(scratch.path() / "a.svg", drawing);
    ::testing::internal::CaptureStdout();
    Page page(scratch.path(), "sample", "A sample");
    page.figure(scratch.path() / "a.svg", "first");
    page.figure(scratch.path() / "a.svg", "second");
    page.figure(scratch.path() / "b.svg", "third");
    page.close();
    const std::string out = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(count_of(out, "figure: "), 3u);
    EXPECT_EQ(count_of(out, "was not drawn"), 1u);
    const std::string report = text_of(scratch.path() / "report.html");
    EXPECT_EQ(count_of(report, "<svg"), 2u);
    EXPECT_NE(report.find("Figure b.svg is missing"), std::string::npos);
    std::set<std::string> ids;
    std::size_t count = 0;
    for (std::size_t at = report.find(" id=\""); at != std::string::npos; at = report.find(" id=\"", at + 1)) {
        ids.insert(report.substr(at + 5, report.find('"', at + 5) - at - 5));
        ++count;
    }
    EXPECT_EQ(ids.size(), count) << "every id stands once";
}

TEST(Page, RefusesARowThatDoesNotFit)
{
    const Scratch scratch;
    ::testing::internal::CaptureStdout();
    Page page(scratch.path(), "sample", "A sample");
    page.table({"a", "b"});
    EXPECT_THROW(page.row({"1"}), std::logic_error);
    page.paragraph("The table is at its end.");
    EXPECT_THROW(page.row({"1", "2"}), std::logic_error);
    ::testing::internal::GetCapturedStdout();
}

TEST(Page, SaysThatItsFolderCannotBeMade)
{
    const Scratch scratch;
    write_text(scratch.path() / "file", "");
    try {
        Page(scratch.path() / "file" / "below", "sample", "A sample");
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::output);
        EXPECT_NE(std::string(error.what()).find("--output"), std::string::npos);
    }
}

TEST(Page, IsTakenForAReportOnce)
{
    const Scratch scratch;
    take_closed_pages();
    ::testing::internal::CaptureStdout();
    Page(scratch.path(), "one", "One").close();
    Page(scratch.path(), "two", "Two").close();
    ::testing::internal::GetCapturedStdout();
    const auto pages = take_closed_pages();
    ASSERT_EQ(pages.size(), 2u);
    EXPECT_EQ(pages[0].name, "one");
    EXPECT_EQ(pages[1].name, "two");
    EXPECT_TRUE(take_closed_pages().empty());
}

}  // namespace
}  // namespace halfulp::test
