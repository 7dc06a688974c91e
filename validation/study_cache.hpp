// Results of measurements on disk, so that a study that was stopped goes on where it was.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halfulp {

using Results = std::vector<std::vector<double>>;  // rows of numbers

// A record of doubles alone as a row, and back.
template <class Record>
std::vector<double> row_of(const Record& record)
{
    const auto numbers = std::bit_cast<std::array<double, sizeof(Record) / sizeof(double)>>(record);
    return {numbers.begin(), numbers.end()};
}
template <class Record>
Record record_of(const std::vector<double>& row)
{
    std::array<double, sizeof(Record) / sizeof(double)> numbers;
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = row.at(k);
    return std::bit_cast<Record>(numbers);
}

// What computed a result: the digest of the sources, compiler and flags. Not the commit: results outlive a change of
// documents.
const std::string& program_identity();

// 32 hexadecimal digits of any bytes. Not for use against an adversary.
std::string digest_text(const std::string& bytes);

// A file for each key. Every bit of a double is kept, NaNs and infinities included. May be used by several threads.
class StudyCache {
public:
    // The folder is made by the first keep().
    explicit StudyCache(std::filesystem::path folder, const std::string& program = program_identity());

    // Nothing if there is none, if the file is damaged, or if it is another key's of the same digest.
    [[nodiscard]] std::optional<Results> find(const std::string& key) const;
    // Written under another name first, so that a file is never half there. Throws an Error if it cannot be written.
    void keep(const std::string& key, const Results& rows) const;
    [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

private:
    [[nodiscard]] std::string whole(const std::string& key) const { return program_ + "\n" + key; }

    std::filesystem::path folder_;
    std::string program_;
};

}  // namespace halfulp
