// What stands in the columns of a snapshot is read as what it is.
#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "validation/columns.hpp"

namespace halfulp::test {
namespace {

template <class T>
Column column(const char* name, ColumnType type, const std::vector<T>& values)
{
    Column column{name, "1", "", type, 1, true, std::vector<std::byte>(values.size() * sizeof(T))};
    std::memcpy(column.data.data(), values.data(), column.data.size());
    return column;
}

TEST(Columns, EveryTypeIsReadAsItself)
{
    const Column single = column<float>("a", ColumnType::float32, {0.1F, -0x1p-149F});
    EXPECT_EQ(number_at(single, 0), static_cast<double>(0.1F));
    EXPECT_EQ(number_at(single, 1), -0x1p-149);
    const Column twice = column<double>("b", ColumnType::float64, {-0.0, 0.1});
    EXPECT_TRUE(std::signbit(number_at(twice, 0)));
    EXPECT_EQ(number_at(twice, 1), 0.1);
    EXPECT_EQ(bits_at(twice, 0), 0x8000000000000000U);
    const Column whole = column<std::int32_t>("c", ColumnType::int32, {7, -1'000'000'000});
    EXPECT_EQ(number_at(whole, 1), -1e9);
    EXPECT_EQ(bits_at(whole, 1), 0xc4653600U);
    const Column natural = column<std::uint32_t>("d", ColumnType::uint32, {0, 0xffffffffU});
    EXPECT_EQ(number_at(natural, 1), 4294967295.0);
    const Column small = column<std::uint8_t>("e", ColumnType::uint8, {1, 255});
    EXPECT_EQ(number_at(small, 1), 255);
}

TEST(Columns, AreFoundByName)
{
    Snapshot snapshot;
    snapshot.columns = {column<float>("offset", ColumnType::float32, {1}),
                        column<float>("velocity", ColumnType::float32, {2})};
    EXPECT_EQ(find_column(snapshot, "velocity"), &snapshot.columns[1]);
    EXPECT_EQ(&column_of(snapshot, "velocity"), &snapshot.columns[1]);
    EXPECT_EQ(find_column(snapshot, "density"), nullptr);
    try {
        column_of(snapshot, "density");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "a snapshot has no column \"density\", but offset and velocity; take a precision whose snapshots "
                     "have it");
    }
}

}  // namespace
}  // namespace halfulp::test
