// The text files beside run.h5: written whole and swapped in, or appended to line by line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/output/ledger_row.hpp"

namespace halfulp {

// Writes `text` beside `path` and renames it over `path`, so that a reader sees the old text or the new, never a part.
// Throws an Error naming the file and the cause.
void replace_file(const std::filesystem::path& path, const std::string& text);

// Appends to ledger.csv; every number is the shortest text that reads back as the same double.
class LedgerText {
public:
    LedgerText() = default;
    // Creates the file with its header line, "step[1],time[s],...".
    LedgerText(const std::filesystem::path& path, int dimensions);
    ~LedgerText();
    LedgerText(LedgerText&& other) noexcept;
    LedgerText& operator=(LedgerText&& other) noexcept;

    // The rows are in the file or none is: a failed append is taken back.
    void append(const std::vector<LedgerRow>& rows);
    // For messages, after the file was renamed.
    void renamed(const std::filesystem::path& path) { path_ = path; }

private:
    void append(const std::string& text);

    std::filesystem::path path_;
    int descriptor_ = -1;
};

}  // namespace halfulp
