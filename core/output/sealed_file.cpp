#include "core/output/sealed_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/output/checksum.hpp"
#include "core/output/file_of_run.hpp"
#include "core/output/run_folder.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

using SealHead = std::array<char, seal_size>;

// Of the file from its current position to its end.
Seal seal_of_the_rest(const PosixFile& file)
{
    Seal seal;
    Checksum checksum;
    std::vector<std::byte> part = file.room_for_a_piece();
    while (const std::size_t got = file.read(part.data(), part.size())) {
        checksum.absorb(part.data(), got);
        seal.bytes += got;
    }
    seal.checksum = checksum.value();
    return seal;
}

SealHead head_of(const std::string& kind, const Seal& seal)
{
    const std::string text = fmt::format("halfulp {}\nformat {}\nbytes {}\nchecksum {}\n", kind, run_format_version,
                                         seal.bytes, seal.checksum.text());
    SealHead head{};
    std::copy(text.begin(), text.end(), head.begin());
    return head;
}

// The rest of the line that begins with a text; empty if there is none.
std::string line_after(std::string_view text, std::string_view beginning)
{
    const auto at = text.find(beginning);
    if (at == text.npos) return {};
    const auto begin = at + beginning.size();
    return std::string(text.substr(begin, text.find('\n', begin) - begin));
}

std::uint64_t number_of(const std::string& digits)
{
    std::uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

Seal read_head(const PosixFile& file, const fs::path& path, const std::string& kind)
{
    SealHead head{};
    const std::size_t got = file.read(head.data(), head.size());
    const std::string_view text(head.data(), got);
    const std::string own = "halfulp ";
    if (!text.starts_with(own)) {
        throw input_error(text.starts_with("\x89HDF")
                              ? fmt::format("{} is an HDF5 file, but it has no seal of halfulp: another program wrote "
                                            "it, or a version before format {}.",
                                            shown(path), run_format_version)
                              : fmt::format("{} is no file of a run of halfulp.", shown(path)));
    }
    const std::string is = line_after(text, own);
    const auto damaged = [&](const std::string& what) { return input_error("{} is damaged: {}.", shown(path), what); };
    const std::string wrong_head = fmt::format("its first {} bytes are not as written", seal_size);
    constexpr std::size_t longest_kind = 20;
    if (is.size() > longest_kind) throw damaged(wrong_head);
    const std::string version = line_after(text, "\nformat ");
    if (is == kind && version != std::to_string(run_format_version) && !version.empty()) {
        throw input_error(
            "{} is in version {} of the run format; this program reads version {}: look at it with the program that "
            "wrote it, or run the case anew.",
            shown(path), version, run_format_version);
    }
    Seal seal{number_of(line_after(text, "\nbytes ")),
              parse_hash(line_after(text, "\nchecksum ")).value_or(StateHash{})};
    // Every byte of the header counts.
    if (got < head.size() || head_of(is, seal) != head) throw damaged(wrong_head);
    if (is != kind) throw input_error("{} is a file of kind \"{}\", not \"{}\".", shown(path), is, kind);
    const std::uint64_t has = file.size() - seal_size;
    if (has != seal.bytes) {
        throw damaged(fmt::format("{}, it has {} bytes instead of {}",
                                  has < seal.bytes ? "the file is cut short" : "something was added to it", has,
                                  seal.bytes));
    }
    return seal;
}

template <class Action>
auto reading(const fs::path& path, const Action& action)
{
    try {
        return action();
    } catch (int error) {
        throw input_error("cannot read {}: {}.", shown(path), words_of(error));
    }
}

}  // namespace

Seal write_sealed(const fs::path& path, const std::string& kind, const std::function<void(const fs::path&)>& write)
{
    const fs::path fresh = fresh_name(path);
    try {
        write(fresh);
        PosixFile file(fresh, O_RDWR | O_NOFOLLOW);
        file.go_to(seal_size);
        const Seal seal = seal_of_the_rest(file);
        const SealHead head = head_of(kind, seal);
        file.go_to(0);
        file.write(head.data(), head.size());
        file.finish();
        if (std::rename(fresh.c_str(), path.c_str()) != 0) throw errno;
        sync_folder(path.parent_path());
        return seal;
    } catch (int error) {
        ::unlink(fresh.c_str());
        throw output_error("cannot write {}: {}.", shown(path), words_of(error));
    } catch (...) {
        ::unlink(fresh.c_str());
        throw;
    }
}

bool is_sealed(const fs::path& path, const std::string& kind)
{
    const std::string beginning = fmt::format("halfulp {}\n", kind);
    return beginning_of(path, beginning.size()) == beginning;
}

StateHash checksum_of_file(const fs::path& path)
{
    return reading(path, [&] { return seal_of_the_rest(FileOfRun(path)).checksum; });
}

Seal read_seal(const fs::path& path, const std::string& kind)
{
    return reading(path, [&] { return read_head(FileOfRun(path), path, kind); });
}

Seal check_seal(const fs::path& path, const std::string& kind)
{
    return reading(path, [&] { return check_seal(FileOfRun(path), path, kind); });
}

Seal check_seal(const PosixFile& file, const fs::path& path, const std::string& kind)
{
    return reading(path, [&] {
        const Seal seal = read_head(file, path, kind);
        file.go_to(seal_size);
        if (!(seal_of_the_rest(file) == seal)) throw input_error("{} is damaged: its checksum differs.", shown(path));
        return seal;
    });
}

}  // namespace halfulp
