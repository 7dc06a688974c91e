// The loss of a device, for tests.
#pragma once

namespace halfulp::test {

// Executes a trap on the present device: whatever this process asks of it from then on fails. Whether it is so.
bool lose_device();

}  // namespace halfulp::test
