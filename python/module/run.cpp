// Runs on disk: reading, verification, comparison.
#include "core/app/resume_point.hpp"
#include "core/output/compare.hpp"
#include "core/output/run_file.hpp"
#include "core/output/verify.hpp"
#include "python/module/parts.hpp"

namespace halfulp::python {

namespace {

// Python's.
RunReader* open(const std::filesystem::path& run)
{
    const FileAccess access;
    return new RunReader(run);
}

using OutputRow = std::tuple<std::string, std::uint64_t, double, std::uint64_t, std::string>;

std::vector<OutputRow> outputs_of(const RunReader& reader)
{
    std::vector<OutputRow> rows;
    for (const OutputInfo& output : reader.outputs())
        rows.emplace_back(output.name, output.step, output.time, output.count, output.hash);
    return rows;
}

nb::tuple read_output(const RunReader& reader, std::size_t index)
{
    Snapshot snapshot;
    {
        const FileAccess access;
        snapshot = reader.output(reader.outputs().at(index));
    }
    const nb::dict about = descriptions_of(snapshot);
    return nb::make_tuple(arrays_of(std::move(snapshot)), about);
}

// Paths that it names may be no UTF-8.
Provenance printable_provenance(const RunReader& reader)
{
    Provenance all = reader.provenance();
    for (auto& [name, text] : all) text = printable(text);
    return all;
}

std::vector<std::string> columns_of(const RunReader& reader)
{
    std::vector<std::string> names;
    for (const Column& column : reader.content().columns) names.push_back(column.name);
    return names;
}

}  // namespace

void add_run(nb::module_& m)
{
    nb::class_<RunReader>(m, "RunReader", "A run on disk.")
        .def_static("open", &open, nb::arg("run"))
        .def("provenance", &printable_provenance)
        .def("outputs", &outputs_of, "(name, step, time, rows, hash) of each")
        .def("columns", &columns_of)
        .def("completed", [](const RunReader& reader) { return reader.content().case_completed; })
        .def("read_output", &read_output, nb::arg("index"), "(arrays by name, (unit, description) by name)")
        .def("ledger", [](const RunReader& reader) { return ledger_of(reader.ledger()); })
        .def("ledger_units", [](const RunReader& reader) { return ledger_units(reader.content().dimensions); })
        .def("probes", [](const RunReader& reader) { return probes_of(reader.probes()); })
        .def("probe_units", [](const RunReader& reader) { return probe_units(reader.probes()); })
        .def("case", [](const RunReader& reader) { return case_of(reader); })
        .def_prop_ro("folder", &RunReader::folder)
        .def_prop_ro("dimensions", [](const RunReader& reader) { return reader.content().dimensions; });
    m.def(
        "verify",
        [](const std::filesystem::path& run) {
            const FileAccess access;
            Verification found = verify_run(run);
            for (std::string& damage : found.damages) damage = printable(damage);
            return std::make_pair(printable(found.whole), std::move(found.damages));
        },
        nb::arg("run"), "(what is intact, a sentence for each damage)");
    m.def(
        "compare",
        [](const std::filesystem::path& a, const std::filesystem::path& b) {
            const FileAccess access;
            const Comparison found = compare_runs(a, b);
            return std::make_pair(found.equal, printable(found.report));
        },
        nb::arg("a"), nb::arg("b"), "(equal to the bit, the report)");
}

}  // namespace halfulp::python
