// The two parts of `halfulp validate pools`.
#pragma once

#include <string>
#include <vector>

#include "core/setup/case.hpp"
#include "validation/page.hpp"
#include "validation/pools/record.hpp"
#include "validation/study.hpp"

namespace halfulp {

struct PoolsArguments : StudyOptions {
    double spacing = 0;  // of the fish pass, m; 0: that of the scale
};

// A fish pass of eight pools, at the origin and up to 10^9 cells away.
void write_fish_pass(Page& page, const PoolsArguments& arguments);

// Copies of one dam break in a row across 10^8 m.
void write_row_of_tanks(Page& page, const PoolsArguments& arguments);

// A run to be followed: the case and the places of its copies.
struct Pursuit {
    Case source;
    std::vector<Cells> places;
};
Job job_of(const Pursuit& pursuit);

// At how many outputs does the first copy of one have the bits of the first copy of the other, each seen from its
// place? Outputs that only one has count as different.
std::size_t outputs_with_the_same_bits(const Record& a, const Record& b);

// The largest distance of two copies' particles, m; infinite where a position is not a number.
double largest_difference(const CopyRecord& a, const CopyRecord& b);

// Fluid particles of a copy that are not where they started, along the axis along which fewest are.
std::size_t moved(const CopyRecord& copy);

// How a run ended, in words.
std::string ending_in_words(const Record& record);

// The precisions compared, those of them that this build has.
std::vector<std::string> built(const std::vector<std::string>& precisions);

}  // namespace halfulp
