#include "core/particles/needed_numbers.hpp"

#include "core/particles/fields.hpp"

namespace halfulp {

NeededNumbers needed_numbers(std::string_view field, int dimensions, const Physics& physics)
{
    NeededNumbers needed;
    for_each_field(AllFields{}, [&]<class F>() {
        if constexpr (!std::is_same_v<F, field::Works> && !std::is_same_v<F, field::DiffusionRate>) {
            using Rates = FieldList<field::Rate, field::ArtificialRate, field::LaminarRate, field::TensileRate,
                                    field::InertialRate>;
            const FieldInfo info = F::info(physics);  // the role of some depends on it
            if (field != info.name || (info.role != Role::derived && info.role != Role::carried)) return;
            needed = {.numbers = contains<F, Rates> ? dimensions : 0, .walls = false};
        }
    });
    return needed;
}

}  // namespace halfulp
