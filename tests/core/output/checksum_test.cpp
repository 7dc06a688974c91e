// Checksums of what is written are XXH3's, however the bytes come.
#include "core/output/checksum.hpp"

#include <gtest/gtest.h>

#include <string>

namespace halfulp::test {
namespace {

// What xxh128sum prints.
TEST(Checksum, IsThatOfXxHash)
{
    EXPECT_EQ(Checksum().value().text(), "99aa06d3014798d86001c324468d497f");
    Checksum digits;
    digits.absorb("0123456789", 10);
    EXPECT_EQ(digits.value().text(), "e353667619ec664b49655fc9692165fb");
}

TEST(Checksum, DoesNotDependOnThePieces)
{
    std::string text;
    for (int k = 0; k < 5000; ++k) text += static_cast<char>(k * k);
    Checksum whole;
    whole.absorb(text.data(), text.size());
    for (const std::size_t piece : {1, 7, 255, 256, 257, 1024, 4999}) {
        Checksum checksum;
        for (std::size_t at = 0; at < text.size(); at += piece) {
            EXPECT_NE(checksum.value(), whole.value());
            checksum.absorb(text.data() + at, std::min(piece, text.size() - at));
        }
        EXPECT_EQ(checksum.value(), whole.value()) << piece;
    }
}

}  // namespace
}  // namespace halfulp::test
