#include "core/app/audited_records.hpp"

#include <bit>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"

namespace halfulp {

// What the run has, and then the repetition.
struct AuditedRecords::Record {
    struct Sample {
        std::string probe;
        std::vector<double> values;
    };
    struct Found {
        std::optional<LedgerRow> row;
        std::vector<Sample> samples;
        std::vector<ColumnChecksum> columns;
    };

    std::uint64_t step;
    std::optional<std::uint64_t> output;
    Found run;
    Found repetition;
};

namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

std::string bits_of_both(double run, double repetition)
{
    return fmt::format("bits {:#018x} in the run, {:#018x} in the repetition", std::bit_cast<std::uint64_t>(run),
                       std::bit_cast<std::uint64_t>(repetition));
}

}  // namespace

void AuditedRecords::take(const Simulation& simulation, const std::optional<LedgerRow>& row,
                          const std::vector<std::size_t>& sampled, const ProbeRecorder& probes,
                          std::optional<std::uint64_t> output)
{
    if (!row && sampled.empty() && !output) return;
    const auto record =
        std::make_shared<Record>(Record{.step = simulation.steps(), .output = output, .run = {}, .repetition = {}});
    record->run.row = row;
    for (const std::size_t k : sampled) {
        const ProbeSeries& series = probes.series()[k];
        std::vector<double> last;
        for (std::size_t c = 1; c < series.values.size(); ++c) last.push_back(series.values[c].back());
        record->run.samples.push_back({series.name, std::move(last)});
    }
    records_.push_back(record);
    audit_.ask(simulation, [record, sampled, &chosen = chosen_](const Simulation& repetition) {
        Record::Found& found = record->repetition;
        if (record->run.row) found.row = repetition.ledger_row();
        if (!sampled.empty()) {
            for (std::vector<double>& values : repetition.sample(sampled))
                found.samples.push_back({{}, std::move(values)});
        }
        if (record->output) found.columns = checksums_of_output(repetition.snapshot_source(), chosen);
    });
}

std::optional<std::string> AuditedRecords::difference(const RunWriter& writer)
{
    for (const std::shared_ptr<Record>& record : std::exchange(records_, {})) {
        const Record::Found& run = record->run;
        const Record::Found& repetition = record->repetition;
        for (const LedgerColumn& column : ledger_columns) {
            if (!run.row || same_bits((*run.row).*column.member, repetition.row.value().*column.member)) continue;
            return fmt::format("the row of the ledger of step {} has another {}: {}", record->step, column.name,
                               bits_of_both((*run.row).*column.member, (*repetition.row).*column.member));
        }
        for (std::size_t k = 0; k < run.samples.size(); ++k) {
            const auto& [probe, values] = run.samples[k];
            for (std::size_t c = 0; c < values.size(); ++c) {
                const double again = repetition.samples.at(k).values.at(c);
                if (same_bits(values[c], again)) continue;
                return fmt::format("the sample of the probe {} of step {} is another: {}", probe, record->step,
                                   bits_of_both(values[c], again));
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
