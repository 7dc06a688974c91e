#include "core/distribution/local_ranks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>

#include <fmt/format.h>

#include "core/error.hpp"

namespace halfulp {

// A barrier that a failure opens for good. Where each rank has a processor of its own it spins for a while before
// sleeping: waking a thread takes longer than a meeting, and the devices of ranks finish at times that differ by a
// hundredth of a step.
class LocalRanks::Meeting {
public:
    explicit Meeting(std::size_t ranks)
        : ranks_(ranks), looks_(2 * ranks <= std::thread::hardware_concurrency() ? 1000000 : 0), values(ranks),
          words(ranks), messages(ranks)
    {
    }

    void arrive()
    {
        std::unique_lock<std::mutex> lock(gate_);
        if (failed_) throw OtherRankFailed{};
        const std::uint64_t here = meetings_;
        if (++waiting_ == ranks_) {
            waiting_ = 0;
            ++meetings_;
            all_.notify_all();
            return;
        }
        lock.unlock();
        for (int look = 0; look < looks_ && meetings_ == here && !failed_; ++look) continue;
        lock.lock();
        all_.wait(lock, [&] { return meetings_ != here || failed_; });
        if (meetings_ == here) throw OtherRankFailed{};
    }

    void fail() noexcept
    {
        const std::lock_guard<std::mutex> lock(gate_);
        failed_ = true;
        all_.notify_all();
    }

private:
    std::size_t ranks_;
    int looks_;  // a millisecond or two
    std::mutex gate_;
    std::condition_variable all_;
    std::size_t waiting_ = 0;
    std::atomic<std::uint64_t> meetings_ = 0;
    std::atomic<bool> failed_ = false;

public:
    // What each rank has brought to be combined, in turns in the first and in the second: once all have arrived at a
    // meeting none reads any more what was brought to the one before.
    template <class T>
    using Brought = std::array<std::vector<T>, 2>;
    std::vector<Brought<double>> values;
    std::vector<Brought<std::uint64_t>> words;
    // Not to be touched until all have arrived once more.
    std::vector<const std::vector<Bytes>*> messages;
    const Bytes* announced = nullptr;
};

class LocalRanks::Rank final : public Peers {
public:
    Rank(Meeting& meeting, std::size_t rank) : meeting_(meeting), rank_(rank) {}

    [[nodiscard]] std::size_t rank() const override { return rank_; }
    [[nodiscard]] std::size_t ranks() const override { return meeting_.values.size(); }

    [[nodiscard]] bool share_memory() const override { return true; }
    [[nodiscard]] std::size_t place_on_machine() const override { return rank_; }
    [[nodiscard]] std::size_t ranks_on_machine() const override { return ranks(); }
    void fail() noexcept override { meeting_.fail(); }

    void maximum(std::span<double> values) override
    {
        combine(values, meeting_.values, [](double a, double b) { return std::max(a, b); });
    }
    void sum(std::span<std::uint64_t> values) override
    {
        combine(values, meeting_.words, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    }
    void broadcast(Bytes& message) override
    {
        if (rank_ == 0) meeting_.announced = &message;
        meeting_.arrive();
        copied([&] {
            if (rank_ != 0) message = *meeting_.announced;
        });
    }
    void exchange(const std::vector<Bytes>& to, std::vector<Bytes>& from) override
    {
        meeting_.messages[rank_] = &to;
        meeting_.arrive();
        copied([&] {
            from.resize(ranks());
            for (std::size_t r = 0; r < ranks(); ++r) {
                if (r != rank_) from[r] = (*meeting_.messages[r])[rank_];
            }
        });
    }

private:
    // Messages of others, which they keep until all have arrived once more: also after a failure here.
    template <class Copy>
    void copied(const Copy& copy)
    {
        std::exception_ptr failure;
        try {
            copy();
        } catch (...) {
            failure = std::current_exception();
        }
        meeting_.arrive();
        if (failure) std::rethrow_exception(failure);
    }
    template <class T, class Join>
    void combine(std::span<T> values, std::vector<Meeting::Brought<T>>& all, Join join)
    {
        const std::size_t turn = ++combined_ % 2;
        all[rank_][turn].assign(values.begin(), values.end());
        meeting_.arrive();
        // In the order of the ranks, so that all have the same, also of what is not a number.
        std::ranges::copy(all[0][turn], values.begin());
        for (std::size_t r = 1; r < all.size(); ++r)
            std::transform(values.begin(), values.end(), all[r][turn].begin(), values.begin(), join);
    }

    Meeting& meeting_;
    std::size_t rank_;
    std::size_t combined_ = 0;
};

LocalRanks::LocalRanks(std::size_t ranks, const std::function<void(Peers&)>& work)
    : meeting_(std::make_unique<Meeting>(ranks)), work_(work)
{
    for (std::size_t r = 0; r < ranks; ++r) ranks_.push_back(std::make_unique<Rank>(*meeting_, r));
    threads_.reserve(ranks - 1);
    const auto serve = [this](Peers& peers) {
        try {
            work_(peers);
        } catch (const OtherRankFailed&) {
        } catch (...) {
            const std::lock_guard<std::mutex> lock(gate_);
            if (!failure_) failure_ = std::current_exception();
            peers.fail();
        }
    };
    try {
        for (std::size_t r = 1; r < ranks; ++r) threads_.emplace_back(serve, std::ref(*ranks_[r]));
    } catch (const std::exception&) {
        const std::size_t made = threads_.size() + 1;
        meeting_->fail();
        for (std::thread& thread : threads_) thread.join();
        throw Error(
            ExitCode::unsupported,
            fmt::format(
                "--ranks {}: each rank takes a thread, but this machine allows only {} (memory or the number of "
                "processes is limited: see ulimit -v and -u); use fewer ranks",
                ranks, made));
    }
}

LocalRanks::~LocalRanks()
{
    meeting_->fail();
    for (std::thread& thread : threads_) thread.join();
}

void LocalRanks::rethrow()
{
    const std::lock_guard<std::mutex> lock(gate_);
    if (failure_) std::rethrow_exception(failure_);
}

}  // namespace halfulp
