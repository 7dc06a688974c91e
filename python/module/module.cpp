// The module halfulp._halfulp. Users see it through the package in python/halfulp, which documents it.
#include "python/module/parts.hpp"

#include "core/app/build_info.hpp"
#include "core/backends/cuda/cuda_backend.hpp"
#include "core/setup/program_place.hpp"

NB_MODULE(_halfulp, m)
{
    namespace nb = nanobind;
    using namespace halfulp;
    nb::set_leak_warnings(false);  // of what a script's end finds in use, such as by threads: nothing is lost by it
    m.doc() = "The program's own code, on which the package halfulp stands.";
    m.attr("version") = build::version;
    m.attr("commit") = build::commit;
    python::translate_errors();
    m.def("built_with_cuda", &built_with_cuda, "Whether CUDA devices can be used.");
    m.def("set_program_place", &set_program_place, nb::arg("program"),
          "Says where the program is, beside which the shipped cases are.");
    python::add_case(m);
    python::add_simulation(m);
    python::add_run(m);
}
