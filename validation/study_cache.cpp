#include "validation/study_cache.hpp"

#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "core/app/build_info.hpp"
#include "core/error.hpp"
#include "core/output/checksum.hpp"

namespace halfulp {

namespace {

// A file is this line, the key, the rows, each with its length in front, and the digest of all that.
constexpr std::string_view first_line = "halfulp study 2\n";
constexpr std::size_t digest_length = 32;

std::optional<std::string> read_file(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (file.bad()) return std::nullopt;
    return text;
}

void append(std::string& bytes, std::uint64_t number)
{
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string head_of(const std::string& key)
{
    std::string head(first_line);
    append(head, key.size());
    return head + key;
}

std::string encode(const std::string& key, const Results& rows)
{
    std::string bytes = head_of(key);
    append(bytes, rows.size());
    for (const auto& row : rows) {
        append(bytes, row.size());
        bytes.append(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double));
    }
    return bytes + digest_text(bytes);
}

std::optional<Results> decode(const std::string& file, const std::string& key)
{
    const std::string head = head_of(key);
    if (file.size() < head.size() + digest_length || !file.starts_with(head)) return std::nullopt;
    if (!file.ends_with(digest_text(file.substr(0, file.size() - digest_length)))) return std::nullopt;
    // All of it is as it was written.
    const char* at = file.data() + head.size();
    const auto take = [&](void* data, std::size_t size) {
        if (size > 0) std::memcpy(data, at, size);
        at += size;
    };
    const auto number = [&] {
        std::uint64_t value = 0;
        take(&value, sizeof value);
        return value;
    };
    Results rows(number());
    for (auto& row : rows) {
        row.resize(number());
        take(row.data(), row.size() * sizeof(double));
    }
    return rows;
}

}  // namespace

const std::string& program_identity()
{
    static const std::string identity =
        fmt::format("sources {}, {} {} {}", build::sources, build::compiler, build::type, build::flags);
    return identity;
}

std::string digest_text(const std::string& bytes)
{
    Checksum checksum;
    checksum.absorb(bytes.data(), bytes.size());
    return checksum.value().text();
}

StudyCache::StudyCache(std::filesystem::path folder, const std::string& program)
    : folder_(std::move(folder)), program_(program)
{
}

std::filesystem::path StudyCache::file_of(const std::string& key) const
{
    return folder_ / (digest_text(whole(key)) + ".rows");
}

std::optional<Results> StudyCache::find(const std::string& key) const
{
    const auto file = read_file(file_of(key));
    return file ? decode(*file, whole(key)) : std::nullopt;
}

void StudyCache::keep(const std::string& key, const Results& rows) const
{
    static std::atomic<unsigned> count = 0;
    const std::filesystem::path path = file_of(key);
    std::filesystem::path unfinished = path;
    unfinished += fmt::format(".{}.{}", getpid(), count++);
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    std::ofstream file(unfinished, std::ios::binary);
    const std::string bytes = encode(whole(key), rows);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (file) std::filesystem::rename(unfinished, path, failed);
    if (!file || failed) {
        std::error_code ignored;
        std::filesystem::remove(unfinished, ignored);
        throw output_error(
            fmt::format("{}: the result could not be kept; is the disk full, or may nothing be written "
                        "there? Choose another folder with --output",
                        path.string()));
    }
}

}  // namespace halfulp
