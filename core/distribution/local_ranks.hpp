// Ranks that are threads of one process: rank 0 is the thread that makes them.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/distribution/peers.hpp"

namespace halfulp {

class LocalRanks {
public:
    // Calls work(peers) in a thread for each rank but the first. `work` returns when rank 0 tells it to, or throws
    // OtherRankFailed. Throws an Error if the machine does not allow that many threads.
    LocalRanks(std::size_t ranks, const std::function<void(Peers&)>& work);
    // Ends the threads that are still running.
    ~LocalRanks();
    LocalRanks(const LocalRanks&) = delete;
    LocalRanks& operator=(const LocalRanks&) = delete;

    // The peers as rank 0, the calling thread, sees them.
    [[nodiscard]] Peers& first() { return *ranks_.front(); }
    // Rethrows the exception of the first rank that failed, if one has.
    void rethrow();

private:
    class Meeting;
    class Rank;

    std::unique_ptr<Meeting> meeting_;
    std::vector<std::unique_ptr<Peers>> ranks_;
    std::function<void(Peers&)> work_;
    std::mutex gate_;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

}  // namespace halfulp
