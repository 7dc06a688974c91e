// Cases: reading, changing, completing, and what a case will do.
#include <map>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/app/summary.hpp"
#include "core/setup/case_warnings.hpp"
#include "core/setup/problem.hpp"
#include "core/setup/read_case.hpp"
#include "python/module/parts.hpp"

namespace halfulp::python {

void add_case(nb::module_& m)
{
    nb::class_<Case>(m, "Case", "A case that has been read, completed and checked.")
        .def_static(
            "find", [](const std::filesystem::path& name_or_path) { return find_case(name_or_path.string()); },
            nb::arg("name_or_path"), "The file of a case, by path or by the name of a shipped one.")
        .def_static("read", &read_case, nb::arg("path"), nb::arg("overrides"), "From a file.")
        .def_static(
            "from_text", &read_case_text, nb::arg("text"), nb::arg("path"), nb::arg("overrides"),
            "From TOML text; files that it names are relative to the folder of `path`, whose stem is the case's name.")
        .def(
            "overridden",
            [](const Case& c, const std::vector<std::string>& more) {
                std::vector<std::string> all = c.overrides;
                all.insert(all.end(), more.begin(), more.end());
                Case changed = read_case_text(c.text, c.path, all);
                changed.kept_files = c.kept_files;
                return changed;
            },
            nb::arg("overrides"), "The same case with further values, each KEY=VALUE, checked together.")
        // For copies and other processes. What is kept of a run keeps its place there.
        .def("__getstate__", [](const Case& c) { return std::make_tuple(c.text, c.path, c.overrides, c.kept_files); })
        .def("__setstate__",
             [](Case& c, const std::tuple<std::string, std::filesystem::path, std::vector<std::string>,
                                          std::map<std::string, std::filesystem::path>>& state) {
                 const auto& [text, path, overrides, kept_files] = state;
                 new (&c) Case(read_case_text(text, path, overrides));
                 c.kept_files = kept_files;
             })
        .def(
            "described",
            [](const Case& c) {
                refuse_if_forked();
                const WithoutInterpreter without;
                const Problem problem = prepare(c);
                std::vector<std::string> warnings = case_warnings(problem);
                std::string text = printable(describe_problem(problem, warnings));
                return std::make_tuple(problem.fluid, problem.wall, std::move(text), std::move(warnings));
            },
            "(fluid particles, wall particles, what `halfulp info` says, warnings)")
        .def_prop_ro("completed", &case_as_toml, "Every value in force, as TOML.")
        .def_prop_ro("files", &Case::paths, "Paths of the files that the case names.")
        .def_ro("text", &Case::text, "As given.")
        .def_ro("overrides", &Case::overrides, "As given, in order.")
        .def_ro("path", &Case::path)
        // The stem of a file, whose name may be no UTF-8.
        .def_prop_ro("name", [](const Case& c) { return std::filesystem::path(c.name); })
        .def_ro("title", &Case::title)
        .def_ro("dimensions", &Case::dimensions)
        .def_prop_ro(
            "end", [](const Case& c) { return c.time.end; }, "s")
        .def_prop_ro(
            "output_interval", [](const Case& c) { return c.output.interval; }, "s");
}

}  // namespace halfulp::python
