// halfulp bench order: in which order particles lie in memory, and their neighbours in lists, beside the remarks of
// Bilotta, Zago and Herault (2018) on the choice of axes, on sorting by kind and on split lists.
#include <thread>

#include "core/app/build_info.hpp"
#include "validation/device/chosen_backend.hpp"
#include "validation/experiment.hpp"
#include "validation/strategies/lists/lists.hpp"
#include "validation/strategies/testbed.hpp"

namespace halfulp::strategies {

namespace {

struct Arguments : MachineOptions {
    int threads = 0;
    double size = 0;
    double after = 0.2;
    double seconds = 0.3;
};

struct Row {
    std::string name;
    ListStrategy strategy;
    std::string printed;
};

class Bench {
public:
    explicit Bench(const Arguments& arguments)
        : arguments_(arguments), page_(arguments.folder, "order", "The order of particles in memory"),
          table_(arguments.folder, "order",
                 "particles,strategy,time[ms],over_first[1],force_difference[ulp],rate_difference[ulp],padding[1],"
                 "registers")
    {
        if (arguments_.size == 0) arguments_.size = on_device() ? 1e6 : 1e5;
        if (arguments_.threads == 0)
            arguments_.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    }

    ExitCode run()
    {
        bed_ = testbed(arguments_.size, arguments_.after, arguments_.machine.options(arguments_.threads));
        lists_ = canonical_lists(bed_.problem, bed_.state);
        page_.paragraph(
            "Case dominguez-2013 {} s after its start, {} particles, {:.1f} million neighbours; {}; program {} {}. Rates "
            "are summed over stored lists of the neighbours within the support, whose entries keep the canonical order, "
            "by compensated sums; times are of one evaluation, the fastest of {} s. Differences: the largest from the "
            "program's own sums, in ulps of the root mean square.",
            arguments_.after, bed_.problem.particles.size(), 1e-6 * static_cast<double>(lists_.neighbours.size()),
            arguments_.machine.description(arguments_.threads), build::commit, build::tree, arguments_.seconds);
        page_.heading("Order in memory");
        page_.table(header,
                    "by cells of half the support and the skin, from the slowest axis; 2018: the choice of axes "
                    "is worth up to 30 %");
        std::vector<Row> rows;
        for (const NamedOrder& one : orders)
            rows.push_back({one.name, usual(one.order), one.order == Order::zyx ? "up to 1.3 among axes" : ""});
        measure(rows, true);
        page_.heading("Order in lists");
        page_.table(header,
                    "particles in canonical order; 2018: sorted by kind 1.02, split lists with kernels of their "
                    "own 1.5 (Kepler) and 1.3 (Maxwell)");
        measure(lists_in_orders(), false);
        page_.verdict(equal_, "rates have the bits of the program's passes wherever particles lie in memory");
        page_.verdict(close_, "with another order of sums they are within {:g} ulps of the root mean square", allowed);
        return page_.close();
    }

private:
    static constexpr double allowed = 2000;
    inline static const std::vector<std::string> header{
        "", "ms", "over the first", "2018", "du/dt [ulp]", "ds/dt [ulp]", "entries over neighbours", "registers"};

    [[nodiscard]] bool on_device() const { return arguments_.machine.on_device(); }
    [[nodiscard]] ListStrategy usual(Order order) const
    {
        return {.order = order, .chunk = on_device() ? 4 : 1, .bounded = on_device(), .threads = arguments_.threads};
    }
    [[nodiscard]] std::vector<Row> lists_in_orders() const
    {
        const ListStrategy first = usual(Order::zyx);
        std::vector<Row> rows{{"targets by kind", first, "1.02"}};
        const auto with = [&](const std::string& name, auto change, const std::string& printed = "") {
            ListStrategy other = first;
            change(other);
            rows.push_back({name, other, printed});
        };
        with(
            "targets of both kinds as they lie", [](ListStrategy& s) { s.by_kind = false; }, "1");
        const int lanes = on_device() ? 32 : 8;
        if (on_device()) {
            with("registers without a bound", [](ListStrategy& s) { s.bounded = false; });
            with(fmt::format("entries of {} lists in turn, 2 of each", lanes), [](ListStrategy& s) { s.chunk = 2; });
            with(fmt::format("entries of {} lists in turn", lanes), [](ListStrategy& s) { s.chunk = 1; });
        }
        with("a list after the other", [](ListStrategy& s) { s.chunk = 0; });
        const auto plain = [](ListStrategy& s) {
            s.chunk = 1;
            s.bounded = false;
            s.compensated = false;
        };
        with(fmt::format("entries of {} lists in turn, plain sums", lanes), plain);
        with(
            fmt::format("entries of {} lists in turn, plain sums, split lists", lanes),
            [&](ListStrategy& s) {
                plain(s);
                s.split = true;
            },
            "1.3 to 1.5");
        return rows;
    }

    void measure(const std::vector<Row>& rows, bool same_bits)
    {
        double first = 0;
        for (const Row& row : rows) {
            const auto evaluation = on_device() ? evaluate_on_device : evaluate_on_host;
            const ListsEvaluated e = evaluation(bed_.problem, lists_, row.strategy, arguments_.seconds);
            const Differences d = differences(e.rates, bed_.canonical, bed_.state.kind);
            const bool exact = d.force == 0 && d.rate == 0;
            if (same_bits || (row.strategy.compensated && !row.strategy.split)) equal_ = equal_ && exact;
            close_ = close_ && d.force < allowed && d.rate < allowed;
            if (first == 0) first = e.seconds;
            table_.row(bed_.problem.particles.size(), row.name, 1e3 * e.seconds, first / e.seconds, d.force, d.rate,
                       e.padding, e.registers);
            page_.row("{} | {:.3f} | {:.3f} | {} | {:.0f} | {:.0f} | {:.2f} | {}", row.name, 1e3 * e.seconds,
                      first / e.seconds, row.printed, d.force, d.rate, e.padding,
                      e.registers == 0 ? "" : fmt::format("{}", e.registers));
        }
    }

    Arguments arguments_;
    Page page_;
    Table table_;
    Testbed bed_;
    CanonicalLists lists_;
    bool equal_ = true;
    bool close_ = true;
};

const bool registered = register_bench<Arguments>(
    "order", "The order of particles in memory and in lists: axes, curves of Morton and Hilbert, by kind",
    [](const Arguments& arguments) { return Bench(arguments).run(); },
    [](CLI::App& command, Arguments& arguments) {
        add(command, "--threads", arguments.threads, "Threads on the CPU; 0: all", CLI::Range(0, 1024));
        add(command, "--size", arguments.size,
            "Number of particles, about (default: a hundred thousand, on a device a million)", CLI::Range(5e3, 1e7));
        add(command, "--after", arguments.after, "Simulated time at which rates are computed, s",
            CLI::Range(0.0, 100.0));
        add(command, "--seconds", arguments.seconds, "Shortest time to measure each row for", CLI::Range(0.0, 600.0));
    });

}  // namespace

}  // namespace halfulp::strategies
