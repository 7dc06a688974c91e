// Runs a case and prints its energies as it goes: energies CASE [KEY=VALUE...]
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <halfulp/halfulp.hpp>

using namespace halfulp::api;

int main(int count, char** words)
try {
    Case c(count > 1 ? words[1] : "dam-break-2d");
    c.set(std::vector<std::string>(words + (count > 2 ? 2 : count), words + count));

    Simulation simulation(c);
    std::printf("%s: %s, %s\n", c.name().c_str(), c.title().c_str(), simulation.backend().c_str());
    std::printf("%10s %14s %14s %14s %12s\n", "time", "kinetic", "potential", "total", "residual");
    double next = 0;  // s
    simulation.run(c.end(), [&](const Simulation& s) {
        if (s.time() >= next || s.time() >= c.end()) {
            auto row = s.ledger_row();
            std::printf("%10.6f %14.6f %14.6f %14.6f %12.2e\n", s.time(), row["kinetic"], row["potential"],
                        row["total"], row["residual"]);
            next += c.end() / 5;
        }
        return true;  // false ends the run
    });

    // The water that has come farthest.
    const Snapshot now = simulation.snapshot({"position", "kind"});
    double front = now["position"][0];
    for (std::size_t i = 0; i < now.rows(); ++i) {
        const double x = now["position"][3 * i];
        if (now["kind"][i] == 0 && x > front) front = x;
    }
    std::printf("%zu particles, front at %.6f m\nstate %s\n", now.rows(), front, now.state_hash.c_str());
} catch (const Error& error) {
    std::fprintf(stderr, "energies: %s\n", error.what());
    return error.exit_code();
}
