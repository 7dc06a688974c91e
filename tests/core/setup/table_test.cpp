// CSV files by hand: what is read, and what is said of those that cannot be.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.hpp"
#include "core/setup/table.hpp"

namespace halfulp {
namespace {

class Table : public testing::Test {
protected:
    Table()
    {
        const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::temp_directory_path() / fmt::format("halfulp-table-{}-{}.csv", test->name(), getpid());
    }
    ~Table() override { std::filesystem::remove(path_); }

    NumberTable read(const std::string& text)
    {
        std::ofstream(path_, std::ios::binary) << text;
        return read_number_table(path_);
    }
    // What is said, after the file's name.
    std::string refusal(const std::string& text)
    {
        try {
            const NumberTable table = read(text);
            return std::to_string(table.ascending_column("time").size()) + " rows accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::bad_input);
            const std::string sentence = error.what();
            EXPECT_EQ(sentence.rfind(path_.string(), 0), 0U) << sentence;
            return sentence.substr(path_.string().size());
        }
    }

    std::filesystem::path path_;
};

TEST_F(Table, ReadsNamesAndNumbers)
{
    const NumberTable table = read("# a roll\r\ntime, angle\r\n0,-1.5e-3\r\n\r\n 0.25 , 7\n#\n1e2,0");
    EXPECT_EQ(table.names, (std::vector<std::string>{"time", "angle"}));
    EXPECT_EQ(table.rows(), 3U);
    EXPECT_EQ(table.column("time"), (std::vector<double>{0, 0.25, 100}));
    EXPECT_EQ(table.ascending_column("time"), (std::vector<double>{0, 0.25, 100}));
    EXPECT_EQ(table.column("angle"), (std::vector<double>{-1.5e-3, 7, 0}));
    EXPECT_EQ(table.lines, (std::vector<std::size_t>{3, 5, 7}));
    // As some programs write signs.
    EXPECT_EQ(read("time,angle\n+0,+5e-6\n1,-2\n").column("angle"), (std::vector<double>{5e-6, -2}));
    EXPECT_EQ(refusal("time,angle\n0,+-5\n"),
              ":2: column \"angle\" has \"+-5\", but must have a finite number; write one, or leave the row out.");
    // As R and spreadsheets write names.
    EXPECT_EQ(read("\"time\", \" angle \"\n0,1\n").names, (std::vector<std::string>{"time", "angle"}));
}

TEST_F(Table, SaysWhatIsWrongAndWhere)
{
    EXPECT_EQ(refusal("time,angle\n0,1\n1,2x\n"),
              ":3: column \"angle\" has \"2x\", but must have a finite number; write one, or leave the row out.");
    EXPECT_EQ(refusal("time,angle\n0,\n"),
              ":2: column \"angle\" has \"\", but must have a finite number; write one, or leave the row out.");
    EXPECT_EQ(refusal("time,angle\ninf,1\n"),
              ":2: column \"time\" has \"inf\", but must have a finite number; write one, or leave the row out.");
    EXPECT_EQ(refusal("time,angle\n\n0,1,2\n"),
              ":3: has 3 numbers, but the first line names 2 columns; write one number for each.");
    EXPECT_EQ(refusal("time,\n0,1\n"), ":1: column 2 has no name; the first line must name every column.");
    EXPECT_EQ(refusal("time;angle\n0;1,5\n"),
              ":1: semicolons stand between the columns; write commas there, and points in numbers.");
    EXPECT_EQ(refusal("time,angle\n0;1,5\n"),
              ":2: semicolons stand between the columns; write commas there, and points in numbers.");
    EXPECT_EQ(
        refusal("# time angle\ntime angle\n0 1.5\n"),
        ":3: spaces stand between the columns; write commas there, also in the first line, which names the columns.");
    EXPECT_EQ(refusal("time,time\n0,1\n"), ":1: two columns are named \"time\"; give each a name of its own.");
    EXPECT_EQ(refusal("time,angle\n0,1\n1,1\n1,2\n"),
              ":4: column \"time\" has 1 after 1, but must ascend from row to row; sort the rows, each value once.");
    EXPECT_EQ(refusal("t_s,angle\n0,1\n"), " has no column \"time\", but t_s and angle; give the name of one of them.");
    EXPECT_EQ(refusal("time,angle\n"),
              ": has no numbers; write a line with the columns' names and then a line for each row.");
}

TEST_F(Table, SaysThatAFileIsMissing)
{
    try {
        read_number_table(path_);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.what(), path_.string() + ": the table cannot be read; check that it exists and may be read.");
    }
    EXPECT_THROW(read_number_table(std::filesystem::temp_directory_path()), Error);
}

}  // namespace
}  // namespace halfulp
