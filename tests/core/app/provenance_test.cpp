#include "core/app/provenance.hpp"

#include <gtest/gtest.h>

#include "core/app/build_info.hpp"

namespace halfulp {
namespace {

TEST(Provenance, TellsRunsOfOtherSources)
{
    EXPECT_TRUE(is_of_these_sources({{"sources", build::sources}, {"commit", "another"}}));
    EXPECT_FALSE(is_of_these_sources({{"sources", "others"}, {"commit", build::commit}}));
    EXPECT_FALSE(is_of_these_sources({{"commit", build::commit}})) << "of a version that did not write them";
}

}  // namespace
}  // namespace halfulp
