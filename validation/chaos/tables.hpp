// What `halfulp validate chaos` tells: tables on its page and in files.
#pragma once

#include "validation/chaos/plan.hpp"
#include "validation/experiment.hpp"
#include "validation/page.hpp"

namespace halfulp {

// When members part, and how fast.
void tell_divergence(Page& page, const std::vector<Row>& rows);
// What the ensembles do at the compared moments, and whether they can be told apart.
void tell_distinction(Page& page, const std::vector<Row>& rows);
// Two ensembles of the same thing, for comparison.
void tell_control(Page& page, const std::vector<Row>& rows);
// The distances, and the ensembles' means and middle 80 %, over time.
void write_tables(Table& growth, Table& bands, const std::vector<Row>& rows);

}  // namespace halfulp
