#include "core/output/hdf5_messages.hpp"

#include <array>
#include <cstring>

namespace halfulp::hdf5 {

namespace {

// A datatype message (IV.A.2.d): class and version 1, bits of the class, size, properties.
Hdf5Bytes type_of(std::uint8_t kind, std::array<std::uint8_t, 3> bits, std::size_t size)
{
    Hdf5Bytes type;
    type.add(static_cast<std::uint8_t>(0x10U | kind));
    type.add(bits.data(), bits.size());
    type.add(static_cast<std::uint32_t>(size));
    return type;
}

Hdf5Bytes integer_type(std::size_t size, bool is_signed)
{
    Hdf5Bytes type = type_of(0, {static_cast<std::uint8_t>(is_signed ? 0x08 : 0), 0, 0}, size);
    type.add(std::uint16_t{0});  // the first bit that counts
    type.add(static_cast<std::uint16_t>(8 * size));
    return type;
}

// IEEE 754; the leading bit of the significand is implied, the sign is the last bit.
Hdf5Bytes real_type(std::size_t size, int exponent_bits, int significand_bits)
{
    const auto bits = static_cast<std::uint8_t>(8 * size);
    Hdf5Bytes type = type_of(1, {0x20, static_cast<std::uint8_t>(bits - 1), 0}, size);
    type.add(std::uint16_t{0});
    type.add(std::uint16_t{bits});
    for (const int number : {significand_bits, exponent_bits, 0, significand_bits})
        type.add(static_cast<std::uint8_t>(number));
    type.add((std::uint32_t{1} << static_cast<unsigned>(exponent_bits - 1)) - 1);
    return type;
}

}  // namespace

std::uint32_t checksum_of(const std::byte* data, std::size_t size)
{
    std::uint32_t a = 0xDEADBEEFU + static_cast<std::uint32_t>(size);
    std::uint32_t b = a;
    std::uint32_t c = a;
    if (size == 0) return c;
    const auto add = [&](std::size_t bytes) {
        std::array<std::uint32_t, 3> words{};
        std::memcpy(words.data(), data, bytes);
        a += words[0];
        b += words[1];
        c += words[2];
    };
    const auto mix = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int bits) {
        x -= z;
        x ^= std::rotl(z, bits);
        z += y;
    };
    constexpr std::size_t together = 12;
    for (; size > together; data += together, size -= together) {
        add(together);
        mix(a, b, c, 4);
        mix(b, c, a, 6);
        mix(c, a, b, 8);
        mix(a, b, c, 16);
        mix(b, c, a, 19);
        mix(c, a, b, 4);
    }
    add(size);
    const auto end = [](std::uint32_t& x, std::uint32_t y, int bits) {
        x ^= y;
        x -= std::rotl(y, bits);
    };
    end(c, b, 14);
    end(a, c, 11);
    end(b, a, 25);
    end(c, b, 16);
    end(a, c, 4);
    end(b, a, 14);
    end(c, b, 24);
    return c;
}

Hdf5Bytes type_of(Hdf5Number number)
{
    switch (number) {
    case Hdf5Number::float32: return real_type(4, 8, 23);
    case Hdf5Number::float64: return real_type(8, 11, 52);
    case Hdf5Number::int32: return integer_type(4, true);
    case Hdf5Number::uint32: return integer_type(4, false);
    case Hdf5Number::uint8: return integer_type(1, false);
    case Hdf5Number::uint64: return integer_type(8, false);
    }
    return {};
}

Hdf5Bytes string_message()
{
    Hdf5Bytes type = type_of(9, {0x01, 0x01, 0}, size_of_string);
    type.add(integer_type(1, false));
    return type;
}

Hdf5Bytes space_of(const std::vector<std::uint64_t>& extent)
{
    Hdf5Bytes space;
    space.add(std::uint8_t{2});
    space.add(static_cast<std::uint8_t>(extent.size()));
    space.add(std::uint8_t{0});
    space.add(static_cast<std::uint8_t>(extent.empty() ? 0 : 1));
    for (const std::uint64_t numbers : extent) space.add(numbers);
    return space;
}

Hdf5Bytes layout_in_one(std::uint64_t address, std::uint64_t size)
{
    Hdf5Bytes bytes;
    bytes.add(std::uint8_t{3});
    bytes.add(std::uint8_t{1});
    bytes.add(size == 0 ? undefined : address);
    bytes.add(size);
    return bytes;
}

}  // namespace halfulp::hdf5
