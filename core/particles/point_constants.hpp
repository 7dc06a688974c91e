// Constants of kernel interpolation at any point: the kernel and its factors, in cell sides.
#pragma once

#include "core/particles/domain.hpp"
#include "kernels/smoothing.hpp"

namespace halfulp {

template <int D>
struct PointConstants {
    SmoothingKernel kernel;
    double smoothing_length;  // cell sides
    double support;           // cell sides
    double support2;
    double inverse_smoothing_length;  // 1/cell side
    double volume;                    // of a particle at rest, cell sides^D
    double point_weight;              // that volume times the normalisation of W

    explicit PointConstants(const Domain& domain)
        : kernel(domain.kernel), smoothing_length(static_cast<double>(domain.parameters.smoothing_length) /
                                                  static_cast<double>(domain.parameters.cell_side)),
          volume(domain.units.mass / domain.units.density)  // m^D
    {
        const double h = smoothing_length;
        inverse_smoothing_length = 1 / h;
        for (int c = 0; c < D; ++c) volume /= domain.units.length;
        const double in_line = D == 3 ? h * h : h;  // h^(D-1)
        with_kernel(kernel, [&](auto chosen) {
            support = chosen.support * h;
            support2 = support * support;
            point_weight = volume / (in_line * h) * chosen.normalisation(D);
        });
    }
};

}  // namespace halfulp
