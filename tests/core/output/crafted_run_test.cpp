// Runs on disk that no program wrote: names that lead out of the folder, devices, pipes, absurd numbers.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>
#include <vector>

#include "core/output/block_file.hpp"
#include "core/output/compare.hpp"
#include "core/output/run_content.hpp"
#include "core/output/run_file.hpp"
#include "core/output/verify.hpp"
#include "tests/core/output/crafted_run.hpp"
#include "tests/core/output/sample_run.hpp"

// Of the HDF5 library, for the headers of its files; declared in none of those that it installs.
extern "C" std::uint32_t H5_checksum_metadata(const void* data, std::size_t size, std::uint32_t before);

namespace halfulp::test {
namespace {

// A crafted run.h5, with a seal that is right.
TEST(CraftedRun, NamesInItStayInItsFolder)
{
    for (const bool absolute : {true, false}) {
        const Folder folder;
        std::filesystem::create_directories(folder / "run" / "outputs");
        const std::filesystem::path victim = folder / "precious.stl";
        std::ofstream(victim) << "solid";
        RunContent content;
        content.inputs["mesh.stl"] = {absolute ? victim.string() : "../../precious.stl", {}};
        write_run_content(folder / "run" / "run.h5", content);
        const std::string sentence = sentence_of(ExitCode::bad_input, [&] { RunReader(folder / "run"); });
        EXPECT_TRUE(contains(sentence, "leads out of the run's folder")) << sentence;
        RunWriter(folder / "run", true, 2, "", "", {});
        EXPECT_TRUE(std::filesystem::exists(victim));
    }
}

// What a run that was killed as it began has not yet removed of the one before it is still known.
TEST(CraftedRun, LeftoversOfTheRunBeforeAreRemoved)
{
    for (const bool resumed : {false, true}) {
        const Folder folder;
        const std::filesystem::path run = folder / "run";
        for (const char* name : {"outputs", "probes", "inputs"}) std::filesystem::create_directories(run / name);
        for (const char* name : {"probes/p.csv", "probes/own.csv", "inputs/0-mesh.stl", "inputs/own.stl"})
            std::ofstream(run / name) << "time[s],pressure[Pa]\n";
        RunContent content;
        content.leftovers = {"probes/p.csv", "inputs/0-mesh.stl"};
        write_run_content(run / "run.h5", content);
        const auto begin = [&] {
            if (resumed) RunWriter(run, RunReader(run).content(), {});
            else RunWriter(run, true, 2, "", "", {});
        };
        std::ofstream(run / "probes/p.csv") << "mine";
        EXPECT_TRUE(contains(sentence_of(ExitCode::output, begin), "p.csv is no file of a run of halfulp"));
        std::ofstream(run / "probes/p.csv") << "time[s],pressure[Pa]\n";
        begin();
        for (const char* name : {"probes/p.csv", "inputs/0-mesh.stl"})
            EXPECT_FALSE(std::filesystem::exists(run / name)) << name;
        for (const char* name : {"probes/own.csv", "inputs/own.stl"})
            EXPECT_TRUE(std::filesystem::exists(run / name)) << name;
        for (const char* name : {"../precious", "probes/../../x", "probes/", "inputs/..", "run.h5"}) {
            content.leftovers = {name};
            write_run_content(run / "run.h5", content);
            const std::string sentence = sentence_of(ExitCode::bad_input, [&] { RunReader{run}; });
            EXPECT_TRUE(contains(sentence, "leads out of the run's folder")) << name << sentence;
        }
    }
}

TEST(CraftedRun, DevicesAndPipesAreNoFilesOfARun)
{
    const Folder folder;
    std::filesystem::create_directories(folder / "inputs");
    std::filesystem::create_symlink("/dev/zero", folder / "inputs" / "zero");
    ASSERT_EQ(mkfifo((folder / "inputs" / "pipe").c_str(), 0600), 0);
    for (const char* name : {"zero", "pipe"}) {
        const std::string sentence =
            sentence_of(ExitCode::bad_input, [&] { kept_copy(folder / "", {.file = name, .checksum = {}}); });
        EXPECT_TRUE(contains(sentence, "is no file but a device, a pipe or a folder")) << sentence;
        EXPECT_TRUE(
            contains(sentence_of(ExitCode::bad_input, [&] { RunReader(folder / "inputs" / name); }), "no file"));
    }
}

TEST(CraftedRun, OfTwoDimensionsOrThree)
{
    const Folder folder;
    std::filesystem::create_directories(folder / "run" / "outputs");
    RunContent content;
    content.dimensions = 7;
    write_run_content(folder / "run" / "run.h5", content);
    EXPECT_TRUE(contains(sentence_of(ExitCode::bad_input, [&] { RunReader(folder / "run"); }), "neither 2 nor 3"));
}

// The HDF5 library reads texts as far as their sizes say, which no checksum of its own protects.
TEST(CraftedRun, SizesOfTextsThatAreNotThere)
{
    const Folder folder;
    std::filesystem::create_directories(folder / "outputs");
    RunContent content;
    content.provenance = {{"first", "mine"}, {"second", "of somebody"}, {"third", "x"}};
    const std::filesystem::path path = folder / "run.h5";
    for (const std::size_t place : {0, 1, 2, 7}) {
        for (const char byte : {'\0', '\1', '\x20', '\x7f', '\xff'}) {
            write_run_content(path, content);
            EXPECT_EQ(read_run_content(path).provenance, content.provenance);
            write_sealed(path, "run", [&](const std::filesystem::path& fresh) {
                std::ifstream before(path, std::ios::binary);
                std::string text{std::istreambuf_iterator<char>(before), {}};
                text[text.find("of somebody") - 8 + place] = byte;
                std::ofstream(fresh, std::ios::binary) << text;
            });
            if (place > 0 && byte == '\0') continue;  // as it was
            const std::string sentence = sentence_of(ExitCode::bad_input, [&] { read_run_content(path); });
            EXPECT_TRUE(contains(sentence, "its texts are not stored as halfulp stores them")) << sentence;
        }
    }
}

using Edit = std::function<void(hid_t)>;
struct Crafted {
    const char* what;
    Edit edit;
    const char* cause = "";  // part of the sentence; empty: HDF5's own
};

// Of datasets whose numbers are in the file, though nothing but zeros.
hid_t stored()
{
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    return creation;
}

constexpr const char* unknown_column = "no output has a column ";
constexpr const char* unknown_type = "a column has a type that halfulp does not know";
constexpr const char* unknown_rows = "does not have one entry a particle";
constexpr const char* not_stored = "larger than what is stored of it";
constexpr const char* stored_otherwise = "is not stored as halfulp stores it";
constexpr const char* elsewhere = "is a link to somewhere else";
constexpr const char* unequal = "differ in length";

// Whatever an output holds, it is compared or refused.
TEST(CraftedRun, ColumnsThatNoOutputHas)
{
    const std::uint64_t count = 50;
    const auto column = [](const char* name, hid_t type, std::vector<hsize_t> extent) {
        return [=](hid_t file) { put_dataset(file, name, type, extent, stored()); };
    };
    const auto chunked = [](hsize_t components) {
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const std::array<hsize_t, 2> chunk{1, components};
        H5Pset_chunk(creation, 2, chunk.data());
        return creation;
    };
    const std::vector<Crafted> edits = {
        {"components beyond 32 bits",
         [&](hid_t file) {
             put_dataset(file, "velocity", H5T_IEEE_F32LE, {count, (hsize_t{1} << 32U) + 3}, chunked(3));
         },
         not_stored},
        {"rows beyond the memory",
         [&](hid_t file) {
             put_dataset(file, "kind", H5T_STD_U8LE, {hsize_t{1} << 60U, 1}, chunked(1));
         },
         not_stored},
        {"rows that are not stored",
         [&](hid_t file) {
             put_dataset(file, "velocity", H5T_IEEE_F32LE, {count, 3});
         },
         not_stored},
        {"fewer rows", column("velocity", H5T_IEEE_F32LE, {count - 1, 3}), unknown_rows},
        {"three axes", column("velocity", H5T_IEEE_F32LE, {count, 3, 1}), unknown_rows},
        {"no axis", column("velocity", H5T_IEEE_F32LE, {}), unknown_rows},
        {"a float as cell", column("cell", H5T_IEEE_F32LE, {count, 3}), unknown_column},
        {"two components", column("velocity", H5T_IEEE_F32LE, {count, 2}), unknown_column},
        {"wide ids", column("id", H5T_IEEE_F64LE, {count}), unknown_column},
        {"three ids a particle", column("id", H5T_STD_U32LE, {count, 3}), unknown_column},
        {"ids that are all 0", column("id", H5T_STD_U32LE, {count}), "its ids are not ascending"},
        {"texts", column("velocity", H5T_C_S1, {count, 3}), unknown_type},
        {"big-endian numbers", column("velocity", H5T_IEEE_F32BE, {count, 3}), unknown_type},
        {"another name", column("\x1b[31mred", H5T_IEEE_F32LE, {count}), unknown_column},
        {"a group", [](hid_t file) { H5Gclose(H5Gcreate2(file, "more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); }},
        {"another file's data",
         [](hid_t file) {
             H5Ldelete(file, "velocity", H5P_DEFAULT);
             H5Lcreate_external("/dev/zero", "/velocity", file, "velocity", H5P_DEFAULT, H5P_DEFAULT);
         },
         elsewhere},
        {"numbers in another file",
         [&](hid_t file) {
             const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
             H5Pset_external(creation, "/dev/zero", 0, H5F_UNLIMITED);
             put_dataset(file, "velocity", H5T_IEEE_F32LE, {count, 3}, creation);
         },
         stored_otherwise},
        {"another filter",
         [&](hid_t file) {
             const hid_t creation = chunked(3);
             H5Pset_scaleoffset(creation, H5Z_SO_FLOAT_DSCALE, 2);
             put_dataset(file, "velocity", H5T_IEEE_F32LE, {count, 3}, creation);
         },
         stored_otherwise},
        {"whole_state of another type",
         [](hid_t file) {
             H5Adelete(file, "whole_state");
             test::write_attribute(file, "whole_state", "yes");
         }},
    };
    for (const auto& [what, edit, cause] : edits) {
        const Folder folder;
        write_run(folder / "a", {make_snapshot(count, 0)});
        write_run(folder / "b", {make_snapshot(count, 0)});
        edit_output(folder / "a", edit);
        const auto compare = [&] { compare_runs(folder / "a", folder / "b"); };
        const std::string sentence = sentence_of(ExitCode::bad_input, compare);
        EXPECT_TRUE(contains(sentence, "cannot read output 000000 of ")) << what << ": " << sentence;
        EXPECT_TRUE(contains(sentence, cause)) << what << ": " << sentence;
        EXPECT_FALSE(contains(sentence, "\x1b")) << what;
        const RunReader reader(folder / "a");
        const auto read_all = [&] { static_cast<void>(reader.output(reader.outputs().front())); };
        EXPECT_NE(sentence_of(ExitCode::bad_input, read_all), "") << what;
    }
}

TEST(CraftedRun, TablesThatNoRunHas)
{
    const std::vector<Crafted> edits = {
        {"a column of the ledger with rows that are not stored",
         [](hid_t file) {
             const hid_t ledger = H5Gopen2(file, "ledger", H5P_DEFAULT);
             put_dataset(ledger, "kinetic", H5T_IEEE_F64LE, {hsize_t{1} << 60U});
             H5Gclose(ledger);
         },
         not_stored},
        {"texts in the ledger",
         [](hid_t file) {
             const hid_t ledger = H5Gopen2(file, "ledger", H5P_DEFAULT);
             put_dataset(ledger, "kinetic", H5T_C_S1, {1}, stored());
             H5Gclose(ledger);
         }},
        {"a case in another file",
         [](hid_t file) {
             H5Ldelete(file, "case/completed", H5P_DEFAULT);
             H5Lcreate_external("/dev/zero", "/", file, "case/completed", H5P_DEFAULT, H5P_DEFAULT);
         },
         elsewhere},
        {"a case of numbers",
         [](hid_t file) {
             const hid_t texts = H5Gopen2(file, "case", H5P_DEFAULT);
             put_dataset(texts, "completed", H5T_IEEE_F64LE, {}, stored());
             H5Gclose(texts);
         },
         "is not a string"},
        {"a group that is a link",
         [](hid_t file) {
             H5Ldelete(file, "index", H5P_DEFAULT);
             H5Lcreate_soft("/ledger", file, "index", H5P_DEFAULT, H5P_DEFAULT);
         },
         elsewhere},
        {"a column of the ledger that is longer than the others",
         [](hid_t file) { put_dataset(file, "ledger/kinetic", H5T_IEEE_F64LE, {700}, stored()); }, unequal},
        {"a column of the index that is longer than the others",
         [](hid_t file) { put_dataset(file, "index/step", H5T_STD_U64LE, {700}, stored()); }, unequal},
        {"columns of a probe that are not of one length",
         [](hid_t file) {
             const hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
             H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
             H5Gclose(H5Gcreate2(file, "probes", H5P_DEFAULT, creation, H5P_DEFAULT));
             const hid_t probe = H5Gcreate2(file, "probes/p", H5P_DEFAULT, creation, H5P_DEFAULT);
             test::write_attribute(probe, "filter_width", 0.0);
             put_dataset(probe, "time", H5T_IEEE_F64LE, {2}, stored());
             put_dataset(probe, "pressure", H5T_IEEE_F64LE, {3}, stored());
             H5Gclose(probe);
         },
         unequal},
        {"columns of absurd components",
         [](hid_t file) {
             const hid_t outputs = H5Gopen2(file, "outputs", H5P_DEFAULT);
             H5Adelete(outputs, "columns");
             test::write_attribute(outputs, "columns", "velocity float32 2147483647\n");
             H5Gclose(outputs);
         },
         unknown_column},
        {"more particles than ids",
         [](hid_t file) {
             const hid_t count = H5Dopen2(file, "index/count", H5P_DEFAULT);
             const std::uint64_t absurd = std::uint64_t{1} << 62U;
             H5Dwrite(count, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &absurd);
             H5Dclose(count);
         },
         "more particles than there are ids"},
    };
    for (const auto& [what, edit, cause] : edits) {
        const Folder folder;
        write_run(folder / "a", {make_snapshot(50, 0)});
        edit_run(folder / "a", edit);
        const std::string sentence = sentence_of(ExitCode::bad_input, [&] { RunReader(folder / "a"); });
        EXPECT_TRUE(contains(sentence, "cannot read the run of ")) << what << ": " << sentence;
        EXPECT_TRUE(contains(sentence, cause)) << what << ": " << sentence;
        EXPECT_EQ(verify_run(folder / "a").damages.size(), 2U) << what;
    }
}

// Says of the first table in a file whose numbers are in one piece that it has `rows` of 8 bytes, and that so much is
// stored of it: in the headers, as no library would write them.
void lengthen_first_table(const std::filesystem::path& path, std::uint64_t rows)
{
    std::ifstream stream(path, std::ios::binary);
    std::vector<char> bytes(std::istreambuf_iterator<char>(stream), {});
    const auto number = [&]<class Number>(std::size_t at, Number) {
        Number value{};
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    };
    const auto put = [&](std::size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
    const std::string_view text(bytes.data(), bytes.size());
    for (std::size_t head = text.find("OHDR"); head != text.npos; head = text.find("OHDR", head + 1)) {
        std::size_t space = 0;
        std::size_t layout = 0;
        std::size_t at = head + 10;
        const std::size_t end = at + number(head + 6, std::uint32_t{});
        for (; at < end; at += 4U + number(at + 1, std::uint16_t{})) {
            if (bytes[at] == 0x01 && bytes[at + 5] == 1) space = at + 4;   // of one axis
            if (bytes[at] == 0x08 && bytes[at + 5] == 1) layout = at + 4;  // in one piece
        }
        if (space == 0 || layout == 0) continue;
        put(space + 4, rows);
        put(layout + 10, 8 * rows);
        put(end, H5_checksum_metadata(bytes.data() + head, end - head, 0));
        break;
    }
    write_sealed(path, "run", [&](const std::filesystem::path& fresh) {
        std::ofstream(fresh, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    });
}

TEST(CraftedRun, TablesLargerThanTheirFile)
{
    for (const int power : {20, 37, 60}) {  // megabytes, more than a machine has, more than a vector can have
        const Folder folder;
        write_run(folder / "a", {make_snapshot(50, 0)});
        lengthen_first_table(folder / "a" / "run.h5", std::uint64_t{1} << static_cast<unsigned>(power));
        const std::string sentence = sentence_of(ExitCode::bad_input, [&] { RunReader(folder / "a"); });
        EXPECT_TRUE(contains(sentence, "says that it is larger than its file")) << power << ": " << sentence;
    }
}

TEST(CraftedRun, PipesAndDevicesInThePlaceOfOtherFiles)
{
    const Folder folder;
    write_run(folder / "a", {make_snapshot(50, 0)});
    RunWriter(folder / "a", read_run_content(folder / "a" / "run.h5"), {}).annotate({{"end_state", "complete"}});
    EXPECT_TRUE(verify_run(folder / "a").damages.empty());
    ASSERT_EQ(mkfifo((folder / "a" / "checkpoint.0").c_str(), 0600), 0);
    std::filesystem::remove(folder / "a" / "ledger.csv");
    std::filesystem::create_symlink("/dev/zero", folder / "a" / "ledger.csv");
    EXPECT_EQ(verify_run(folder / "a").damages.size(), 2U);
    EXPECT_FALSE(holds_blocks(folder / "a" / "checkpoint.0"));
}

}  // namespace
}  // namespace halfulp::test
