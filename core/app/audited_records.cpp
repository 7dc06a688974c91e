#include "core/app/audited_records.hpp"

#include <bit>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"

namespace halfulp {

// What the run has, and then the repetition.
struct AuditedRecords::Record {
    std::uint64_t step;
    std::optional<LedgerRow> row;
    std::vector<std::string> probes;
    std::vector<std::vector<double>> samples;  // of each
    std::optional<std::uint64_t> output;
    struct Repetition {
        LedgerRow row;
        std::vector<std::vector<double>> samples;
        std::vector<ColumnChecksum> columns;
    } repetition;
};

namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

std::string bits_of_both(double run, double repetition)
{
    return fmt::format("bits {:#018x} ({:.17g}) in the run, {:#018x} ({:.17g}) in the repetition",
                       std::bit_cast<std::uint64_t>(run), run, std::bit_cast<std::uint64_t>(repetition), repetition);
}

}  // namespace

void AuditedRecords::take(const Simulation& simulation, const std::optional<LedgerRow>& row,
                          const std::vector<std::size_t>& sampled, const ProbeRecorder& probes,
                          std::optional<std::uint64_t> output)
{
    if (!row && sampled.empty() && !output) return;
    const auto record = std::make_shared<Record>(Record{
        .step = simulation.steps(), .row = row, .probes = {}, .samples = {}, .output = output, .repetition = {}});
    for (const std::size_t k : sampled) {
        const ProbeSeries& series = probes.series()[k];
        record->probes.push_back(series.name);
        std::vector<double>& last = record->samples.emplace_back();
        for (std::size_t c = 1; c < series.values.size(); ++c) last.push_back(series.values[c].back());
    }
    records_.push_back(record);
    audit_.ask(simulation, [record, sampled, &chosen = chosen_](const Simulation& repetition) {
        Record::Repetition& found = record->repetition;
        if (record->row) found.row = repetition.ledger_row();
        if (!sampled.empty()) found.samples = repetition.sample(sampled);
        if (record->output) found.columns = checksums_of_output(repetition.snapshot_source(), chosen);
    });
}

std::optional<std::string> AuditedRecords::difference(const RunWriter& writer)
{
    for (const std::shared_ptr<Record>& record : std::exchange(records_, {})) {
        const Record::Repetition& repetition = record->repetition;
        for (const LedgerColumn& column : ledger_columns) {
            if (!record->row || same_bits((*record->row).*column.member, repetition.row.*column.member)) continue;
            return fmt::format("the row of the ledger of step {} has another {}: {}", record->step, column.name,
                               bits_of_both((*record->row).*column.member, repetition.row.*column.member));
        }
        for (std::size_t k = 0; k < record->samples.size(); ++k) {
            for (std::size_t c = 0; c < record->samples[k].size(); ++c) {
                const double value = record->samples[k][c];
                const double again = repetition.samples.at(k).at(c);
                if (same_bits(value, again)) continue;
                return fmt::format("the sample of the probe {} of step {} is another: {}", record->probes[k],
                                   record->step, bits_of_both(value, again));
            }
        }
        if (!record->output) continue;
        try {
            const std::vector<ColumnChecksum> written = writer.checksums_of_output(*record->output);
            for (std::size_t k = 0; k < written.size(); ++k) {
                if (written[k].checksum == repetition.columns.at(k).checksum) continue;
                return fmt::format("the output {} of step {} has another column {} in its file", *record->output,
                                   record->step, written[k].name);
            }
        } catch (const Error& damaged) {
            std::string sentence = damaged.what();
            if (sentence.ends_with('.')) sentence.pop_back();
            return fmt::format("the output {} of step {}: {}", *record->output, record->step, sentence);
        }
    }
    return std::nullopt;
}

}  // namespace halfulp
