#include "core/output/block_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/output/checksum.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view beginning = "halfulp checkpoint\n";
constexpr std::uint32_t known_version = 1;

// What stands before a block's name and bytes.
struct Head {
    std::uint64_t size;
    StateHash checksum;
    std::uint64_t name_length;
};

StateHash checksum_of(const Block& block)
{
    Checksum checksum;
    checksum.absorb(block.name);
    checksum.absorb(block.bytes.data(), block.bytes.size());
    return checksum.value();
}

std::string words(int error) { return std::generic_category().message(error); }

// An open file; every failure is thrown as its error number.
class File {
public:
    File(const fs::path& path, int flags) : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666))
    {
        if (descriptor_ < 0) throw errno;
    }
    ~File()
    {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    void write(const void* data, std::size_t size) const
    {
        const auto* bytes = static_cast<const char*>(data);
        while (size > 0) {
            const ssize_t written = ::write(descriptor_, bytes, size);
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) throw errno;
            bytes += written;
            size -= static_cast<std::size_t>(written);
        }
    }
    // False at the end of the file.
    [[nodiscard]] bool read(void* data, std::size_t size) const
    {
        auto* bytes = static_cast<char*>(data);
        while (size > 0) {
            const ssize_t got = ::read(descriptor_, bytes, size);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) throw errno;
            if (got == 0) return false;
            bytes += got;
            size -= static_cast<std::size_t>(got);
        }
        return true;
    }
    [[nodiscard]] std::uint64_t size() const
    {
        struct stat status {};
        if (fstat(descriptor_, &status) != 0) throw errno;
        return static_cast<std::uint64_t>(status.st_size);
    }
    void finish()
    {
        if (::fsync(descriptor_) != 0) throw errno;
        const int descriptor = std::exchange(descriptor_, -1);
        if (::close(descriptor) != 0) throw errno;
    }

private:
    int descriptor_;
};

}  // namespace

void write_blocks(const fs::path& path, const std::vector<Block>& blocks)
{
    try {
        File file(path, O_WRONLY | O_CREAT | O_TRUNC);
        const std::array<std::uint32_t, 2> numbers{known_version, static_cast<std::uint32_t>(blocks.size())};
        file.write(beginning.data(), beginning.size());
        file.write(numbers.data(), sizeof numbers);
        for (const Block& block : blocks) {
            const Head head{block.bytes.size(), checksum_of(block), block.name.size()};
            file.write(&head, sizeof head);
            file.write(block.name.data(), block.name.size());
            file.write(block.bytes.data(), block.bytes.size());
        }
        file.finish();
    } catch (int error) {
        ::unlink(path.c_str());
        throw output_error(fmt::format("cannot write {}: {}.", path.string(), words(error)));
    }
}

std::vector<Block> read_blocks(const fs::path& path)
{
    const auto damaged = [&](const std::string& what) {
        return input_error(fmt::format("{} is damaged: {}.", path.string(), what));
    };
    try {
        const File file(path, O_RDONLY);
        std::uint64_t left = file.size();
        const auto read = [&](void* data, std::uint64_t size) {
            if (size > left || !file.read(data, size)) throw damaged("it is cut off");
            left -= size;
        };
        std::array<char, beginning.size()> start{};
        if (left < start.size() || !file.read(start.data(), start.size()) ||
            std::string_view(start.data(), start.size()) != beginning)
            throw input_error(fmt::format("{} is no checkpoint of halfulp.", path.string()));
        left -= start.size();
        std::array<std::uint32_t, 2> numbers{};
        read(numbers.data(), sizeof numbers);
        if (numbers[0] != known_version) {
            throw input_error(fmt::format(
                "{} is in version {} of the checkpoint format; this program reads version {}: resume it with the "
                "program that wrote it, or run the case anew.",
                path.string(), numbers[0], known_version));
        }
        std::vector<Block> blocks;
        for (std::uint32_t k = 0; k < numbers[1]; ++k) {
            Head head{};
            read(&head, sizeof head);
            if (head.name_length > left || head.size > left - head.name_length) throw damaged("it is cut off");
            Block& block = blocks.emplace_back();
            block.name.resize(head.name_length);
            read(block.name.data(), head.name_length);
            block.bytes.resize(head.size);
            read(block.bytes.data(), head.size);
            if (!(checksum_of(block) == head.checksum))
                throw damaged(fmt::format("the checksum of its block {} differs", k + 1));
        }
        if (left != 0) throw damaged("there is something behind its last block");
        return blocks;
    } catch (int error) {
        throw input_error(fmt::format("cannot read {}: {}.", path.string(), words(error)));
    }
}

}  // namespace halfulp
