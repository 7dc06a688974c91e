// Tables of numbers, and motions through them.
#include <cmath>
#include <string>

#include "core/setup/prescribed_motion.hpp"
#include "core/setup/table.hpp"
#include "feeding.hpp"

namespace halfulp::fuzzing {

void feed_table(Bytes input)
{
    static const Folder folder;
    const std::filesystem::path path = folder.file("motion.csv", input);
    NumberTable table;
    if (!accepted([&] { table = read_number_table(path); })) return;
    Signal signal;
    signal.form = Signal::Form::table;
    signal.table.file = "motion.csv";
    signal.table.time = table.names.front();
    signal.table.column = table.names.back();
    constexpr double end = 2;
    accepted([&] {
        const SignalFunction motion(signal, 1, end, folder.path(), "case.toml:7: motions.roll.rotation");
        for (const double t : {0.0, 0.01, end / 2, end}) {
            const Jet jet = motion.at(t);
            if (!std::isfinite(jet.value) || !std::isfinite(jet.rate) || !std::isfinite(jet.acceleration))
                fault("a motion that is not finite");
        }
    });
}

}  // namespace halfulp::fuzzing
