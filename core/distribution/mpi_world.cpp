// MPI processes as ranks. Linked into a program as an object file where MPI is found.
#include <algorithm>
#include <memory>

// The C interface alone: the C++ one is of another library, and old.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "core/distribution/world.hpp"
#include "core/registry.hpp"

namespace halfulp {

namespace {

// MPI counts in int.
constexpr std::size_t largest_piece = std::size_t{1} << 30U;

class MpiPeers final : public Peers {
public:
    MpiPeers()
    {
        int rank = 0;
        int ranks = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        rank_ = static_cast<std::size_t>(rank);
        ranks_ = static_cast<std::size_t>(ranks);
        MPI_Comm machine = MPI_COMM_NULL;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
        int place = 0;
        int here = 0;
        MPI_Comm_rank(machine, &place);
        MPI_Comm_size(machine, &here);
        MPI_Comm_free(&machine);
        place_ = static_cast<std::size_t>(place);
        here_ = static_cast<std::size_t>(here);
    }

    [[nodiscard]] std::size_t rank() const override { return rank_; }
    [[nodiscard]] std::size_t ranks() const override { return ranks_; }
    [[nodiscard]] bool share_memory() const override { return false; }
    [[nodiscard]] std::size_t place_on_machine() const override { return place_; }
    [[nodiscard]] std::size_t ranks_on_machine() const override { return here_; }

    void maximum(std::span<double> values) override
    {
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                      MPI_COMM_WORLD);
    }
    void sum(std::span<std::uint64_t> values) override
    {
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM,
                      MPI_COMM_WORLD);
    }
    void broadcast(Bytes& message) override
    {
        std::uint64_t size = message.size();
        MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
        message.resize(size);
        in_pieces(size, [&](std::size_t at, int count) {
            MPI_Bcast(message.data() + at, count, MPI_BYTE, 0, MPI_COMM_WORLD);
        });
    }
    void exchange(const std::vector<Bytes>& to, std::vector<Bytes>& from) override
    {
        std::vector<std::uint64_t> sent(ranks_);
        std::vector<std::uint64_t> coming(ranks_);
        for (std::size_t r = 0; r < ranks_; ++r) sent[r] = r == rank_ ? 0 : to[r].size();
        MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, coming.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
        std::vector<MPI_Request> requests;
        from.resize(ranks_);
        for (std::size_t r = 0; r < ranks_; ++r) {
            from[r].resize(coming[r]);
            in_pieces(coming[r], [&](std::size_t at, int count) {
                MPI_Irecv(from[r].data() + at, count, MPI_BYTE, static_cast<int>(r), 0, MPI_COMM_WORLD,
                          &requests.emplace_back());
            });
        }
        for (std::size_t r = 0; r < ranks_; ++r) {
            in_pieces(sent[r], [&](std::size_t at, int count) {
                MPI_Isend(to[r].data() + at, count, MPI_BYTE, static_cast<int>(r), 0, MPI_COMM_WORLD,
                          &requests.emplace_back());
            });
        }
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    }
    // The others are ended when this process ends, having said why.
    void fail() noexcept override { together_ = false; }
    void finish() noexcept override { together_ = true; }
    [[nodiscard]] bool together() const { return together_; }

private:
    template <class Act>
    static void in_pieces(std::size_t bytes, const Act& act)
    {
        for (std::size_t at = 0; at < bytes; at += largest_piece)
            act(at, static_cast<int>(std::min(bytes - at, largest_piece)));
    }

    std::size_t rank_ = 0;
    std::size_t ranks_ = 1;
    std::size_t place_ = 0;
    std::size_t here_ = 1;
    bool together_ = true;
};

std::unique_ptr<MpiPeers> peers;

Peers* enter()
{
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    peers = std::make_unique<MpiPeers>();
    return peers.get();
}

void leave(int code)
{
    if (!peers) return;
    const bool together = peers->together();
    peers.reset();
    if (!together) MPI_Abort(MPI_COMM_WORLD, code);
    MPI_Finalize();
}

[[maybe_unused]] const bool added = add_to_registry(WorldMaker{enter, leave});

}  // namespace

}  // namespace halfulp
