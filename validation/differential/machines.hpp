// Differential operators on the host's threads and on a CUDA device, timed: the same work of a particle
// (engine.hpp) with the same bits. In a build without CUDA, and on a machine without a device, why there is none.
#pragma once

#include <string>
#include <vector>

#include "validation/differential/operation_count.hpp"
#include "validation/differential/search.hpp"

namespace halfulp::differential {

template <class T>
struct Applied {
    std::vector<Four<T>> results;  // by particle
    double seconds = 0;            // the fastest evaluation
    int registers = 0;             // a thread, on a device
    double occupancy = 0;          // of the threads that a multiprocessor can hold, on a device
};

// What is evaluated, by which search.
struct Setting {
    Form form = Form::star_rows;
    Operator which = Operator::lsmps;
    Domain domain = Domain::sphere;
};

// Evaluates at least twice, and for at least `seconds`. particles: x, y, z and the field, with lattice spacing 1.
template <class T>
Applied<T> apply_on_host(Search& search, const Setting& setting, const std::vector<Four<T>>& particles, double seconds);
template <class T>
Applied<T> apply_on_device(Search& search, const Setting& setting, const std::vector<Four<T>>& particles,
                           double seconds);

template <class T>
Visits count_on_host(Search& search, Form form, const std::vector<Four<T>>& particles);
template <class T>
Visits count_on_device(Search& search, Form form, const std::vector<Four<T>>& particles);

// Operations a second, of which one fma is two.
struct Peak {
    std::string of;
    double in_float = 0;
    double in_double = 0;
};
// Measured: chains of fused multiply-adds in vectors on all threads.
Peak peak_of_host();
// From the device's clock and units; of devices of compute capability 8.0 and 9.0, of others zero.
Peak peak_of_device(int device);

}  // namespace halfulp::differential
