// The ledger columns of the works, in the order of `works`; separate from them, because devices read those.
#pragma once

#include "core/particles/work.hpp"
#include "core/results/ledger_row.hpp"

namespace halfulp {

inline constexpr std::array work_columns{
    &LedgerRow::viscous_work,   &LedgerRow::laminar_work,       &LedgerRow::tensile_work, &LedgerRow::diffusion_work,
    &LedgerRow::smoothing_work, &LedgerRow::shifting_work,      &LedgerRow::driving_work, &LedgerRow::inertial_work,
    &LedgerRow::wall_work,      &LedgerRow::wall_pressure_work, &LedgerRow::filter_work,  &LedgerRow::integrator_error};
static_assert(work_columns.size() == works.size());

}  // namespace halfulp
