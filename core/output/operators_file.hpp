// Derivatives of the fields of a run's outputs, in a folder of their own: FOLDER/outputs/000012.h5 for the output
// 000012, a sealed HDF5 file (core/output/sealed_file.hpp) with its ids and positions, the field and the columns that
// were computed of it; FOLDER/operators.xdmf for ParaView; FOLDER/outputs/000012.csv where it is asked for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/output/run_file.hpp"
#include "core/output/run_folder.hpp"

namespace halfulp {

class OperatorsWriter {
public:
    // Takes the folder for itself. Throws an Error if another program has it, for the folder of a run, for results that
    // are there and `overwrite` not set, and for other files and links under the names of these.
    OperatorsWriter(const std::filesystem::path& folder, bool overwrite, const RunReader& run,
                    const std::vector<OutputInfo>& outputs, bool csv);

    // Throws an Error naming the file and the cause if writing fails.
    void write(const OutputInfo& output, const Snapshot& columns);
    // Writes operators.xdmf, after the last output, and removes the files that an earlier command has left of other
    // outputs.
    void finish();

private:
    void refuse_existing(bool overwrite, const std::vector<OutputInfo>& outputs) const;
    void remove_earlier() const;
    void write_table(const OutputInfo& output, const Snapshot& columns) const;
    [[nodiscard]] std::filesystem::path place_of(const OutputInfo& output) const;

    RunFolder held_;
    std::optional<InnerFolder> outputs_;
    std::string run_;
    bool csv_;
    bool overwrite_;
    RunContent content_;
};

}  // namespace halfulp
