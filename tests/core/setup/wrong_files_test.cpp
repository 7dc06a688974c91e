// Files that are none, cases at the edge of what can be numbered, and motions with gaps.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include "case_text.hpp"
#include "core/setup/geometry.hpp"
#include "core/setup/host_memory.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {
namespace {

namespace fs = std::filesystem;

const std::string tank = "[[shapes]]\nname = \"tank\"\nkind = \"wall\"\nhollow_box = { from = [0, 0], to = [1, 1] }\n";
const std::string rolling = least_case + tank +
                            "[[motions]]\nname = \"roll\"\n[motions.rotation]\npivot = [0, 0]\n"
                            "table = { file = \"roll.csv\", column = \"angle\" }\n";

std::string set_up(const fs::path& path)
{
    return sentence_of([&] { prepare(read_case(path, {})); });
}

TEST(WrongFiles, CasesThatAreNoText)
{
    const CaseFile file("");
    const std::string path = file.path().string();
    EXPECT_EQ(set_up(path), path + ": resolution.spacing is missing; give it (distance between particles, m).");
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(set_up(path), path + ":1:1: there is the byte 0x00, which no text has; save the file as text.");
    // UTF-16, as some editors save it.
    std::ofstream(path, std::ios::binary) << std::string("\xff\xfet\0i\0", 6);
    EXPECT_EQ(set_up(path), path + ":1:1: the file is text in UTF-16; save it as UTF-8.");
    fs::resize_file(path, (std::uintmax_t{16} << 20U) + 1);
    EXPECT_EQ(set_up(path), path + ": the case file has more than 16 MiB, and cannot be one; give another.");
    EXPECT_EQ(set_up("/dev/zero"), "/dev/zero: the case file has more than 16 MiB, and cannot be one; give another.");
}

TEST(WrongFiles, CasesThatMayNotBeRead)
{
    if (::geteuid() == 0) GTEST_SKIP() << "the superuser may read everything";
    const CaseFile file(least_case);
    fs::permissions(file.path(), fs::perms::none);
    EXPECT_EQ(set_up(file.path()),
              file.path().string() + ": the case file cannot be read; check that it exists and may be read.");
}

TEST(Files, MayHaveAByteOrderMarkAndLineEndsOfDos)
{
    std::string dos;
    for (const char letter : least_case) dos += letter == '\n' ? "\r\n" : std::string(1, letter);
    const std::string expected = case_as_toml(case_from(least_case));
    EXPECT_EQ(case_as_toml(case_from("\xef\xbb\xbf" + dos)), expected);

    const CaseFile file(rolling);
    std::ofstream(file.folder() / "roll.csv", std::ios::binary) << "\xef\xbb\xbft_s,angle\r\n0,0\r\n1,2\r\n";
    EXPECT_NO_THROW(prepare(read_case(file.path(), {})));
}

// A table for a run of 1 s, and the sentence after "roll.csv".
struct WrongTable {
    const char* text;
    const char* sentence;
};

void PrintTo(const WrongTable& w, std::ostream* out) { *out << w.sentence; }

class WrongTables : public testing::TestWithParam<WrongTable> {};

TEST_P(WrongTables, GiveOneSentenceThatNamesKeyLineAndRemedy)
{
    const CaseFile file(rolling);
    std::ofstream(file.folder() / "roll.csv", std::ios::binary) << GetParam().text;
    const std::string place = file.path().string() + ":18: motions.roll.rotation.table";
    const std::string sentence = set_up(file.path());
    EXPECT_EQ(sentence.rfind(place, 0), 0U) << sentence;
    EXPECT_NE(sentence.find(GetParam().sentence), std::string::npos) << sentence;
    EXPECT_EQ(sentence.back(), '.');
}

INSTANTIATE_TEST_SUITE_P(
    Motions, WrongTables,
    testing::Values(
        WrongTable{"t_s,angle\n0,1\n0.5,\n1,2\n",
                   "roll.csv:3: column \"angle\" has \"\", but must have a finite number; write one, or leave the row "
                   "out."},
        WrongTable{"t_s,angle\n0,1\n0.5\n1,2\n",
                   "roll.csv:3: has 1 number, but the first line names 2 columns; write one number for each."},
        WrongTable{"t_s,angle\n0,1\n,5\n1,2\n", "roll.csv:3: column \"t_s\" has \"\", but must have a finite number; "},
        WrongTable{"t_s,angle\n0,1\n0.5,2\n0.5,3\n1,2\n",
                   "roll.csv:4: column \"t_s\" has 0.5 after 0.5, but must ascend from row to row; sort the rows, each "
                   "value once."},
        WrongTable{"t_s,angle\n0,1\n0.5,2\n0.4,3\n1,2\n", "roll.csv:4: column \"t_s\" has 0.4 after 0.5, but must "},
        WrongTable{"t_s,angle\n0,1\nnan,2\n1,2\n", "roll.csv:3: column \"t_s\" has \"nan\", but must have a finite"},
        WrongTable{"t_s,angle\n0,1\n0.5,-inf\n1,2\n", "roll.csv:3: column \"angle\" has \"-inf\", but must have a "},
        WrongTable{"t_s,angle\n0,1\n0.5,1e999\n1,2\n", "roll.csv:3: column \"angle\" has \"1e999\", but must have a "},
        WrongTable{"t_s,angle\n0,1\n0.9,2\n",
                   "roll.csv lasts from 0 to 0.9 s, but must last from 0 to time.end = 1 s; shorten the run or give a "
                   "longer table."},
        WrongTable{
            "t_s,angle\n0.1,1\n2,2\n",
            "roll.csv lasts from 0.1 to 2 s, but must last from 0 to time.end = 1 s; let its first row be at 0 s or "
            "earlier."},
        WrongTable{
            "t_s,angle\n0.1,1\n0.9,2\n",
            "roll.csv lasts from 0.1 to 0.9 s, but must last from 0 to time.end = 1 s; let its first row be at 0 s "
            "or earlier, and shorten the run or give a longer table."},
        WrongTable{
            "# t_s,angle\n0.0,0.0\n2,2\n",
            "roll.csv:2: the first line has numbers, but must name the columns, as in \"time,angle\" (lines that begin "
            "with # are comments)."},
        WrongTable{"t_s,angle\n0,1\n", "roll.csv has fewer than two rows, but must last from 0 to time.end = 1 s; "},
        WrongTable{"t_s,angle\n",
                   "roll.csv: has no numbers; write a line with the columns' names and then a line for each row."},
        WrongTable{"", "roll.csv: has no numbers; write a line with the columns' names and then a line for each row."},
        WrongTable{"\n# nothing\n", "roll.csv: has no numbers; "},
        WrongTable{"time,angle\n0,1\n2,2\n",
                   "roll.csv has no column \"t_s\", but time and angle; give the name of one of them."},
        WrongTable{"t_s;angle\n0;1\n2;2\n", "roll.csv:1: semicolons stand between the columns; write commas there, "},
        WrongTable{"t_s,angle\n0,1\n0,5,2\n1,2\n", "roll.csv:3: has 3 numbers, but the first line names 2 columns; "},
        WrongTable{"t_s,\x01\x02\xff\n0,1\n2,2\n", "roll.csv has no column \"angle\", but t_s and \\x01\\x02\\xff; "},
        WrongTable{
            "t_s,angle\n0,1e308\n1e-300,-1e308\n1,1e308\n",
            " makes the place, speed or acceleration infinite at t = 0 s; give smaller numbers, or rows that lie "
            "less close together."}));

TEST(WrongTable, IsNoFolderAndIsThere)
{
    const CaseFile file(rolling);
    const fs::path table = file.folder() / "roll.csv";
    const std::string place = file.path().string() + ":18: motions.roll.rotation.table.file: " + table.string() + ": ";
    EXPECT_EQ(set_up(file.path()), place + "the table cannot be read; check that it exists and may be read.");
    fs::create_directory(table);
    EXPECT_EQ(set_up(file.path()), place + "this is a folder; give the path of the table.");
}

TEST(WrongMesh, IsNoFolderAndIsNotEmpty)
{
    std::string text = with(least_case, "[resolution]", "dimensions = 3\n[resolution]");
    const CaseFile file(with(text, "box = { from = [0, 0], to = [1, 0.5] }", "mesh = { file = \"part.stl\" }"));
    const fs::path mesh = file.folder() / "part.stl";
    const std::string place = file.path().string() + ":14: shapes.water.mesh.file: " + mesh.string() + ": ";
    EXPECT_EQ(set_up(file.path()), place + "the STL file cannot be read; check that it exists and may be read.");
    std::ofstream{mesh};
    EXPECT_EQ(set_up(file.path()), place + "the STL file is empty; export it again.");
    fs::remove(mesh);
    fs::create_directory(mesh);
    EXPECT_EQ(set_up(file.path()), place + "this is a folder; give the path of the STL file.");
}

TEST(WrongMotion, GoesBeyondTheCellsThatCanBeNumbered)
{
    const CaseFile file(least_case + tank + "velocity = [1e9, 0]\n");
    EXPECT_EQ(
        set_up(file.path()),
        file.path().string() +
            ":18: shapes.tank.velocity.translation goes as far as 1e+09 m until time.end = 1 s, 4.55e+09 cells, but "
            "at most 2^30 can be numbered; shorten the way or the run.");
}

// Each shape cut by both that follow it: the ways through them double with every shape.
TEST(WrongCuts, AreRefusedBeforeTheyTakeForEver)
{
    std::string text = least_case + "without = [\"s0\"]\n";
    for (int k = 0; k < 40; ++k) {
        text += "[[shapes]]\nname = \"s" + std::to_string(k) +
                "\"\nkind = \"void\"\nbox = { from = [0, 0], to = [1, 1] }\n";
        if (k < 38) text += "without = [\"s" + std::to_string(k + 1) + "\", \"s" + std::to_string(k + 2) + "\"]\n";
    }
    const CaseFile file(with(text, "without = [\"s38\", \"s39\"]", "without = [\"s38\", \"s39\"] # the last"));
    EXPECT_EQ(
        set_up(file.path()),
        file.path().string() +
            ":14: shapes.water.without cuts out more than 1000 shapes, each counted once for every way that the cuts "
            "of its cuts lead to it; cut each out of one shape only.");
}

// What a thousand million particles would take, on a laptop.
TEST(TooManyParticles, AreRefusedWithTheMemoryThatTheyNeed)
{
    const CaseFile file(with(least_case, "0.1", "2.2361e-5"));
    const Case c = read_case(file.path(), {});
    EXPECT_EQ(
        sentence_of([&] { refuse_too_many(c, estimate_sites(c, Geometry(c)), 0x1p33); }, ExitCode::unsupported),
        file.path().string() +
            ":3: the shapes hold about 1e+09 particles at a spacing of 2.2361e-05 m, which take about 14.9 GiB of "
            "memory to set up, but this machine has 8 GiB to spare; raise resolution.spacing.");
    EXPECT_GT(host_memory().free, 0x1p24);
}

// The first and the last cell that an origin may be in: nothing but the cells changes.
TEST(Cells, AtTheEdgeOfTheirRangeGiveTheSameBits)
{
    const std::string text = least_case + tank;
    const Problem here = prepare(case_from(text));
    for (const std::int32_t edge : {1073741824, -1073741824}) {
        const std::string cells = std::to_string(edge);
        const Problem there = prepare(case_from(text, {"origin.cells=[" + cells + ", " + cells + "]"}));
        ASSERT_EQ(there.particles.size(), here.particles.size());
        for (std::size_t i = 0; i < here.particles.size(); ++i) {
            const InitialParticle& a = here.particles[i];
            const InitialParticle& b = there.particles[i];
            for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(b.cell[k], a.cell[k] + edge);
            EXPECT_EQ(b.offset, a.offset);
            EXPECT_EQ(b.velocity, a.velocity);
            EXPECT_EQ(b.density, a.density);
        }
        EXPECT_EQ(there.available_energy, here.available_energy);
    }
}

// The farthest shape from the farthest origin still lies within 32 bits.
TEST(Cells, OfTheFarthestShapeAtTheFarthestOriginAreNumbered)
{
    const std::string text = with(least_case, "box = { from = [0, 0], to = [1, 0.5] }",
                                  "box = { from = [53687090.2, 0], to = [53687091.2, 0.5] }");
    const Problem far = prepare(case_from(
        text, {"origin.cells=[1073741824, 0]", "resolution.smoothing_ratio=0.8", "numerics.cells_per_support=3"}));
    for (const InitialParticle& particle : far.particles) EXPECT_GT(particle.cell[0], 1900000000);
}

}  // namespace
}  // namespace halfulp
