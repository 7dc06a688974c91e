#include "core/output/block_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "core/output/checksum.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/run_folder.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view beginning = "halfulp checkpoint\n";
constexpr std::uint32_t known_version = 3;

// Header before a block's name and bytes.
struct BlockHead {
    std::uint64_t size;
    StateHash checksum;
    std::uint64_t name_length;
};

constexpr std::uint64_t longest_name = 1000;

// A file that is read from its start to its end.
class Reader {
public:
    Reader(const fs::path& path, const PosixFile& file) : path_(path), file_(file), left_(file_.size()) {}

    [[nodiscard]] std::uint64_t left() const { return left_; }
    [[nodiscard]] Error damaged(const std::string& what) const
    {
        return input_error("{} is damaged: {}.", shown(path_), what);
    }
    void read(void* data, std::uint64_t size)
    {
        if (size > left_ || file_.read(data, size) < size) throw damaged("it is cut off");
        left_ -= size;
    }

private:
    const fs::path& path_;
    const PosixFile& file_;
    std::uint64_t left_;
};

// The source of verified blocks for later reads: the file as it was opened, even if its name now refers to another one.
struct Source {
    // Neither a pipe, which may wait for ever, nor a device.
    explicit Source(const fs::path& from) : path(from), file(from, O_RDONLY | O_NONBLOCK)
    {
        if (!file.is_regular()) throw EINVAL;
    }

    fs::path path;
    PosixFile file;
    std::vector<std::byte> bytes;  // that were read last
};

Block::Read bytes_at(const std::shared_ptr<Source>& source, std::uint64_t place, std::uint64_t size,
                     const std::string& name, const StateHash& checksum)
{
    // Of what has been read from the start on, without a gap.
    struct SoFar {
        std::optional<Checksum> checksum;  // of its name and bytes
        std::uint64_t bytes = 0;
    };
    return [=, so_far = std::make_shared<SoFar>()](std::uint64_t first, std::uint64_t count) {
        source->bytes.resize(count);
        try {
            source->file.go_to(place + first);
            if (source->file.read(source->bytes.data(), count) < count) throw EIO;
        } catch (int error) {
            throw input_error("cannot read {}: {}.", shown(source->path), words_of(error));
        }
        if (first == 0) {
            so_far->checksum.emplace().absorb(name);
            so_far->bytes = 0;
        }
        if (so_far->checksum && first == so_far->bytes) {
            so_far->checksum->absorb(source->bytes.data(), count);
            so_far->bytes += count;
            if (so_far->bytes == size && !(so_far->checksum->value() == checksum))
                throw input_error("{} is damaged: a checksum differs.", shown(source->path));
        }
        return std::span<const std::byte>(source->bytes);
    };
}

}  // namespace

void write_blocks(const fs::path& path, const std::vector<Block>& blocks)
{
    try {
        PosixFile file(cleared(path), new_file);
        const std::array<std::uint32_t, 2> numbers{known_version, static_cast<std::uint32_t>(blocks.size())};
        file.write(beginning.data(), beginning.size());
        file.write(numbers.data(), sizeof numbers);
        std::uint64_t at = beginning.size() + sizeof numbers;
        for (const Block& block : blocks) {
            const std::uint64_t content = at + sizeof(BlockHead) + block.name.size();
            file.go_to(content);
            Checksum checksum;
            checksum.absorb(block.name);
            in_pieces(block, 1, [&](std::uint64_t /*first*/, std::span<const std::byte> bytes) {
                checksum.absorb(bytes.data(), bytes.size());
                file.write(bytes.data(), bytes.size());
            });
            const BlockHead head{block.size, checksum.value(), block.name.size()};
            file.go_to(at);
            file.write(&head, sizeof head);
            file.write(block.name.data(), block.name.size());
            at = content + block.size;
        }
        file.finish();
    } catch (int error) {
        ::unlink(path.c_str());
        throw output_error("cannot write {}: {}.", shown(path), words_of(error));
    } catch (...) {
        ::unlink(path.c_str());
        throw;
    }
}

std::vector<Block> read_blocks(const fs::path& path)
{
    try {
        const auto source = std::make_shared<Source>(path);
        Reader reader(path, source->file);
        const std::uint64_t length = reader.left();
        std::array<char, beginning.size()> start{};
        if (length < start.size() ||
            (reader.read(start.data(), start.size()), std::string_view(start.data(), start.size()) != beginning))
            throw input_error("{} is no checkpoint of halfulp.", shown(path));
        std::array<std::uint32_t, 2> numbers{};
        reader.read(numbers.data(), sizeof numbers);
        if (numbers[0] != known_version) {
            throw input_error(
                "{} is in version {} of the checkpoint format; this program reads version {}: resume it with the "
                "program that wrote it, or run the case anew.",
                shown(path), numbers[0], known_version);
        }
        std::vector<Block> blocks;
        std::vector<std::byte> part = source->file.room_for_a_piece();
        for (std::uint32_t k = 0; k < numbers[1]; ++k) {
            BlockHead head{};
            reader.read(&head, sizeof head);
            if (head.name_length > longest_name || head.name_length > reader.left() ||
                head.size > reader.left() - head.name_length)
                throw reader.damaged("it is cut off");
            std::string name(head.name_length, ' ');
            reader.read(name.data(), head.name_length);
            const std::uint64_t place = length - reader.left();
            Checksum checksum;
            checksum.absorb(name);
            for (std::uint64_t left = head.size; left > 0;) {
                const std::uint64_t some = std::min<std::uint64_t>(left, part.size());
                reader.read(part.data(), some);
                checksum.absorb(part.data(), some);
                left -= some;
            }
            if (!(checksum.value() == head.checksum))
                throw reader.damaged(fmt::format("the checksum of its block {} differs", k + 1));
            blocks.push_back({name, head.size, bytes_at(source, place, head.size, name, head.checksum)});
        }
        if (reader.left() != 0) throw reader.damaged("there is something behind its last block");
        return blocks;
    } catch (int error) {
        throw input_error("cannot read {}: {}.", shown(path), words_of(error));
    }
}

bool holds_blocks(const fs::path& path) { return beginning_of(path, beginning.size()) == beginning; }

}  // namespace halfulp
