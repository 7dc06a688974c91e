// A build without CUDA.
#include "core/error.hpp"
#include "validation/differential/machines.hpp"

namespace halfulp::differential {

namespace {

constexpr const char* why = "this build has no CUDA";

}  // namespace

Peak peak_of_device(int) { throw input_error(why); }

template <class T>
Applied<T> apply_on_device(Search&, const Setting&, const std::vector<Four<T>>&, double)
{
    throw input_error(why);
}
template Applied<float> apply_on_device(Search&, const Setting&, const std::vector<Four<float>>&, double);
template Applied<double> apply_on_device(Search&, const Setting&, const std::vector<Four<double>>&, double);

template <class T>
Visits count_on_device(Search&, Form, const std::vector<Four<T>>&)
{
    throw input_error(why);
}
template Visits count_on_device(Search&, Form, const std::vector<Four<float>>&);
template Visits count_on_device(Search&, Form, const std::vector<Four<double>>&);

}  // namespace halfulp::differential
