// Files of blocks: what was written is read, and nothing else ever is.
#include "core/output/block_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>

#include "tests/core/output/sample_run.hpp"

namespace halfulp::test {
namespace {

Block block_of(const std::string& name, const std::string& text)
{
    return {name, text.size(), [text](std::uint64_t first, std::uint64_t count) {
                return std::as_bytes(std::span(text)).subspan(first, count);
            }};
}

const std::vector<Block> sample = {block_of("numbers", "12345678"), block_of("nothing", ""),
                                   block_of("particles/offset", "an odd number of bytes: 27.")};

std::string text_of(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The sentence of the error with which a file of that content is refused; empty if it is not.
std::string refusal_of(const std::filesystem::path& path, const std::string& content)
{
    std::ofstream(path, std::ios::binary) << content;
    try {
        static_cast<void>(read_blocks(path));
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(BlockFile, GivesBackWhatWasWritten)
{
    const Folder folder;
    const auto path = folder / "blocks";
    write_blocks(path, sample);
    const auto read = read_blocks(path);
    ASSERT_EQ(read.size(), sample.size());
    for (std::size_t k = 0; k < read.size(); ++k) {
        EXPECT_EQ(read[k].name, sample[k].name);
        EXPECT_EQ(read[k].size, sample[k].size);
        EXPECT_TRUE(std::ranges::equal(read[k].take(), sample[k].take()));
    }
    write_blocks(path, {});
    EXPECT_TRUE(read_blocks(path).empty());
}

// Any piece of a block; and the whole, piece after piece, is verified once more.
TEST(BlockFile, IsReadInPieces)
{
    const Folder folder;
    const auto path = folder / "blocks";
    write_blocks(path, sample);
    const auto read = read_blocks(path);
    const Block& block = read.back();
    EXPECT_TRUE(std::ranges::equal(block.read(3, 7), sample.back().take().subspan(3, 7)));
    const auto in_pieces = [&] {
        for (std::uint64_t first = 0; first < block.size; first += 5)
            static_cast<void>(block.read(first, std::min<std::uint64_t>(5, block.size - first)));
    };
    EXPECT_NO_THROW(in_pieces());
    std::string content = text_of(path);
    content[content.size() - 9] = '!';
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << content;  // the file that is open
    EXPECT_THROW(in_pieces(), Error);
    EXPECT_THROW(static_cast<void>(block.take()), Error);
}

// Every bit of the file is covered, and so is its length.
TEST(BlockFile, IsRefusedWhereAnyBitIsWrong)
{
    const Folder folder;
    const auto path = folder / "blocks";
    write_blocks(path, sample);
    const std::string whole = text_of(path);
    const auto damaged = folder / "damaged";
    ASSERT_EQ(refusal_of(damaged, whole), "");
    int unseen = 0;
    for (std::size_t at = 0; at < 8 * whole.size(); ++at) {
        std::string content = whole;
        content[at / 8] = static_cast<char>(content[at / 8] ^ (1 << (at % 8)));
        unseen += refusal_of(damaged, content).empty() ? 1 : 0;
    }
    EXPECT_EQ(unseen, 0);
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_NE(refusal_of(damaged, whole.substr(0, length)), "") << length;
    EXPECT_NE(refusal_of(damaged, whole + "x").find("is damaged: there is something behind its last block."),
              std::string::npos);
}

TEST(BlockFile, SaysWhatIsWrong)
{
    const Folder folder;
    const auto path = folder / "blocks";
    write_blocks(path, sample);
    std::string content = text_of(path);
    EXPECT_NE(refusal_of(path, content.substr(0, content.size() - 1)).find("blocks is damaged: it is cut off."),
              std::string::npos);
    content.back() = '!';
    EXPECT_NE(refusal_of(path, content).find("the checksum of its block 3 differs"), std::string::npos);
    content[19] = 7;
    EXPECT_NE(refusal_of(path, content).find("is in version 7 of the checkpoint format; this program reads version 3"),
              std::string::npos);
    EXPECT_NE(refusal_of(path, "anything else").find("is no checkpoint of halfulp"), std::string::npos);
    EXPECT_THROW(static_cast<void>(read_blocks(folder / "none")), Error);
    EXPECT_THROW(write_blocks(folder / "no/folder", sample), Error);
}

}  // namespace
}  // namespace halfulp::test
