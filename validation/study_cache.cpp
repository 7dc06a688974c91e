#include "validation/study_cache.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "core/app/build_info.hpp"
#include "core/error.hpp"
#include "core/results/state_hash.hpp"

namespace halfulp {

namespace {

// A file is this line, the key, the rows, each with its length in front, and the digest of all that.
constexpr std::string_view first_line = "halfulp study 1\n";
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

// Takes what append() wrote from the front; reading beyond the end gives nothing.
class Bytes {
public:
    explicit Bytes(std::string_view bytes) : left_(bytes) {}

    std::optional<std::string_view> take(std::uint64_t count)
    {
        if (count > left_.size()) return std::nullopt;
        const std::string_view taken = left_.substr(0, count);
        left_.remove_prefix(count);
        return taken;
    }
    std::optional<std::uint64_t> number()
    {
        const auto bytes = take(sizeof(std::uint64_t));
        if (!bytes) return std::nullopt;
        std::uint64_t value = 0;
        std::memcpy(&value, bytes->data(), sizeof value);
        return value;
    }
    [[nodiscard]] bool empty() const { return left_.empty(); }

private:
    std::string_view left_;
};

std::string encode(const std::string& key, const Results& rows)
{
    std::string bytes(first_line);
    append(bytes, key.size());
    bytes += key;
    append(bytes, rows.size());
    for (const auto& row : rows) {
        append(bytes, row.size());
        bytes.append(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double));
    }
    return bytes + digest_text(bytes);
}

std::optional<Results> decode(const std::string& file, const std::string& key)
{
    if (file.size() < first_line.size() + digest_length) return std::nullopt;
    const std::string content = file.substr(0, file.size() - digest_length);
    if (file.compare(content.size(), digest_length, digest_text(content)) != 0) return std::nullopt;
    Bytes bytes(content);
    if (bytes.take(first_line.size()) != first_line) return std::nullopt;
    const auto key_length = bytes.number();
    if (!key_length || bytes.take(*key_length) != key) return std::nullopt;
    const auto count = bytes.number();
    if (!count) return std::nullopt;
    Results rows;
    for (std::uint64_t i = 0; i < *count; ++i) {
        const auto length = bytes.number();
        if (!length || *length > content.size()) return std::nullopt;
        const auto values = bytes.take(*length * sizeof(double));
        if (!values) return std::nullopt;
        auto& row = rows.emplace_back(*length);
        if (!row.empty()) std::memcpy(row.data(), values->data(), values->size());
    }
    if (!bytes.empty()) return std::nullopt;
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
    ParticleDigest digest;
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint32_t)) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
        digest.absorb(word);
    }
    digest.absorb(static_cast<std::uint32_t>(bytes.size() % sizeof(std::uint32_t)));  // tells zeros from nothing
    const ParticleDigest::Words words = digest.finish();
    return StateHash{{words.first, words.second}}.text();
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
