#include "core/schemes/operation_list.hpp"

#include "core/error.hpp"
#include "core/operations/operations.hpp"

namespace halfulp {

void refuse_operation(OperationKind kind, const char* precision)
{
    throw input_error("numerics.precision: \"{}\" does not compute the operation {}; \"robust\" and \"double\" do",
                      precision, info_of(kind).name);
}

}  // namespace halfulp
