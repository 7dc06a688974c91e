// What is written here as an HDF5 file, the HDF5 library reads: its own word on the layout.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>
#include <hdf5.h>
#include <zlib.h>

#include "core/output/hdf5_file.hpp"
#include "core/output/hdf5_handles.hpp"

namespace halfulp {
namespace {

class WrittenHdf5 : public ::testing::Test {
protected:
    WrittenHdf5()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "halfulp-hdf5-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~WrittenHdf5() override { std::filesystem::remove_all(folder_); }

    // Opened by the library, after `add` has added to its root.
    template <class Add>
    Hdf5Id written(const Add& add) const
    {
        const std::filesystem::path path = folder_ / "file.h5";
        {
            const PosixFile on_disk(path, new_file);
            Hdf5File file(on_disk, 512);
            add(file.root());
            const std::uint64_t length = file.finish();
            EXPECT_EQ(length, std::filesystem::file_size(path));
        }
        return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
    }

    std::filesystem::path folder_;
};

template <class Number>
std::vector<Number> numbers_in(hid_t file, const char* name, hid_t type)
{
    const Hdf5Id dataset = open_dataset(file, name);
    std::uint64_t count = 1;
    for (const hsize_t extent : extent_of(dataset)) count *= extent;
    std::vector<Number> numbers(count);
    hdf5_check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
    return numbers;
}

TEST_F(WrittenHdf5, NumbersOfEveryType)
{
    const std::vector<float> singles{1.5F, -2.25F, 3e-45F, 4};
    const std::vector<double> doubles{0.1, -1e308, 5e-324};
    const std::vector<std::int32_t> integers{-7, 2147483647};
    const std::vector<std::uint32_t> naturals{7, 4294967295U};
    const std::vector<std::uint8_t> bytes{0, 200, 255};
    const std::vector<std::uint64_t> words{~std::uint64_t{0}, 1};
    const Hdf5Id file = written([&](Hdf5Object& root) {
        root.add_numbers("singles", Hdf5Number::float32, {2, 2}, singles.data());
        root.add_numbers("doubles", Hdf5Number::float64, {3}, doubles.data());
        root.add_numbers("integers", Hdf5Number::int32, {2}, integers.data());
        root.add_numbers("naturals", Hdf5Number::uint32, {2}, naturals.data());
        root.add_numbers("bytes", Hdf5Number::uint8, {3}, bytes.data());
        root.add_numbers("words", Hdf5Number::uint64, {2, 1}, words.data());
        root.add_numbers("nothing", Hdf5Number::float64, {0}, nullptr);
    });
    EXPECT_EQ(numbers_in<float>(file, "singles", H5T_NATIVE_FLOAT), singles);
    EXPECT_EQ(numbers_in<double>(file, "doubles", H5T_NATIVE_DOUBLE), doubles);
    EXPECT_EQ(numbers_in<std::int32_t>(file, "integers", H5T_NATIVE_INT32), integers);
    EXPECT_EQ(numbers_in<std::uint32_t>(file, "naturals", H5T_NATIVE_UINT32), naturals);
    EXPECT_EQ(numbers_in<std::uint8_t>(file, "bytes", H5T_NATIVE_UINT8), bytes);
    EXPECT_EQ(numbers_in<std::uint64_t>(file, "words", H5T_NATIVE_UINT64), words);
    EXPECT_TRUE(numbers_in<double>(file, "nothing", H5T_NATIVE_DOUBLE).empty());
    EXPECT_EQ(extent_of(open_dataset(file, "singles")), (std::vector<hsize_t>{2, 2}));
    const auto type_in_file = [&](const char* name) { return Hdf5Id(H5Dget_type(open_dataset(file, name)), H5Tclose); };
    for (const ColumnType type : column_types) {
        const char* const name = type == ColumnType::float32   ? "singles"
                                 : type == ColumnType::float64 ? "doubles"
                                 : type == ColumnType::int32   ? "integers"
                                 : type == ColumnType::uint32  ? "naturals"
                                                               : "bytes";
        EXPECT_GT(H5Tequal(type_in_file(name), number_type(type)), 0) << name;
    }
    EXPECT_EQ(link_names(file, H5_INDEX_CRT_ORDER).front(), "singles");
    EXPECT_EQ(link_names(file, H5_INDEX_NAME).front(), "bytes");
}

// More than a heap, a header in one piece or a short name of the library hold.
TEST_F(WrittenHdf5, ManyAndLongTextsAndLinks)
{
    constexpr int many = 70'000;  // more than 16 bits count
    constexpr int attributes = 9'000;
    const std::string long_text(300'000, 'x');
    const std::string long_name(300, 'n');
    const Hdf5Id file = written([&](Hdf5Object& root) {
        root.add_attribute("empty", std::string());
        root.add_attribute("one", 0.25);
        root.add_text("long", long_text);
        root.add_text("nothing", {});
        Hdf5Object& texts = root.add_group("texts");
        for (int k = 0; k < attributes; ++k) texts.add_attribute(fmt::format("{:05}", k), fmt::format("text {}", k));
        Hdf5Object& links = root.add_group("links");
        for (int k = 0; k < many; ++k) links.add_external_link(fmt::format("{:06}", k), fmt::format("o/{}.h5", k));
        root.add_group(long_name).add_attribute("last", std::uint64_t{7});
    });
    EXPECT_EQ(read_string_attribute(file, "empty"), "");
    EXPECT_EQ(read_double_attribute(file, "one"), 0.25);
    EXPECT_EQ(read_string(file, "long"), long_text);
    EXPECT_EQ(read_string(file, "nothing"), "");
    const Hdf5Id texts = open_group(file, "texts");
    ASSERT_EQ(attribute_names(texts).size(), std::size_t(attributes));
    for (int k = 0; k < attributes; k += 97)
        EXPECT_EQ(read_string_attribute(texts, fmt::format("{:05}", k).c_str()), fmt::format("text {}", k));
    const Hdf5Id links = open_group(file, "links");
    const std::vector<std::string> names = link_names(links, H5_INDEX_CRT_ORDER);
    ASSERT_EQ(names.size(), std::size_t(many));
    EXPECT_EQ(names[12'345], "012345");
    std::array<char, 64> value{};
    hdf5_check(H5Lget_val(links, "069999", value.data(), value.size(), H5P_DEFAULT));
    const char* target = nullptr;
    hdf5_check(H5Lunpack_elink_val(value.data(), value.size(), nullptr, &target, nullptr));
    EXPECT_STREQ(target, "o/69999.h5");
    EXPECT_EQ(read_integer_attribute(open_group(file, long_name.c_str()), "last"), 7U);
}

std::vector<std::byte> packed(const std::vector<std::uint32_t>& numbers)
{
    std::vector<std::byte> shuffled(4 * numbers.size());
    const auto* const bytes = reinterpret_cast<const std::byte*>(numbers.data());
    for (std::size_t k = 0; k < shuffled.size(); ++k) shuffled[k % 4 * numbers.size() + k / 4] = bytes[k];
    uLongf length = compressBound(shuffled.size());
    std::vector<std::byte> all(length);
    EXPECT_EQ(compress(reinterpret_cast<Bytef*>(all.data()), &length, reinterpret_cast<const Bytef*>(shuffled.data()),
                       shuffled.size()),
              Z_OK);
    all.resize(length);
    return all;
}

// 1, as many as a node of their index has, one more, and as many as need three levels of nodes.
TEST_F(WrittenHdf5, ChunksOfEveryNumber)
{
    const std::vector<std::uint64_t> counts{1, 64, 65, 64 * 64 + 1};
    const auto rows_of = [](std::uint64_t chunks) { return 4 * chunks - 1; };  // the last one is not full
    const Hdf5Id file = written([&](Hdf5Object& root) {
        for (const std::uint64_t chunks : counts) {
            Hdf5Object& dataset =
                root.begin_numbers(fmt::format("{}", chunks), Hdf5Number::uint32, {rows_of(chunks), 3}, 4);
            dataset.add_attribute("unit", std::string("1"));
            for (std::uint64_t k = 0; k < chunks; ++k) {
                std::vector<std::uint32_t> chunk(12);
                std::iota(chunk.begin(), chunk.end(), static_cast<std::uint32_t>(12 * k));
                const std::vector<std::byte> bytes = packed(chunk);
                dataset.append_chunk(bytes.data(), bytes.size());
            }
            dataset.finish_chunks();
        }
    });
    for (const std::uint64_t chunks : counts) {
        std::vector<std::uint32_t> wanted(3 * rows_of(chunks));
        std::iota(wanted.begin(), wanted.end(), 0);
        EXPECT_EQ(numbers_in<std::uint32_t>(file, fmt::format("{}", chunks).c_str(), H5T_NATIVE_UINT32), wanted)
            << chunks;
    }
}

}  // namespace
}  // namespace halfulp
