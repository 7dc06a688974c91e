// The halo of a rank whose particles are on a device (core/distribution/halo.hpp): particles are chosen, packed and
// unpacked on the device. Ranks of one process copy them from device to device; different processes send them as
// messages of the host.
#pragma once

#include <array>
#include <vector>

#include "core/backends/backend.hpp"
#include "core/backends/cuda/choice.cuh"
#include "core/backends/cuda/device.cuh"
#include "core/distribution/halo.hpp"
#include "core/particles/any_buffer.hpp"

namespace halfulp::cuda {

// The owners of cells, for kernels.
struct OwnersView {
    const CutOfCells* cuts;
    const CellBox* boxes;
    bool any_cuts;
    std::uint32_t here;
    std::int64_t reach;
    PeriodOfCells periods;

    __device__ std::uint32_t owner(const Four<std::int32_t>& cell) const { return owner_of(cell, cuts, any_cuts); }
    __device__ bool is_near(const Four<std::int32_t>& cell, std::uint32_t rank) const
    {
        return is_within_reach(cell, reach, boxes[rank], periods);
    }
    __device__ bool is_inside(const Four<std::int32_t>& cell) const
    {
        return halfulp::is_inside(cell, reach, boxes[here], periods);
    }
};

class DeviceHalo {
public:
    // halo: decides on decompositions.
    DeviceHalo(Halo& halo, cudaStream_t stream);
    ~DeviceHalo();
    DeviceHalo(const DeviceHalo&) = delete;
    DeviceHalo& operator=(const DeviceHalo&) = delete;

    // For each particle held here, whether it is this rank's own.
    [[nodiscard]] const std::uint8_t* owned() const { return owned_.data(); }
    [[nodiscard]] std::size_t own() const { return own_.number; }
    [[nodiscard]] const std::uint32_t* own_indices() const { return own_.particles.data(); }
    // The indices of the halo's particles, which are copies of other ranks'.
    [[nodiscard]] const std::uint32_t* copies() const { return foreign_.particles.data(); }
    [[nodiscard]] std::size_t number_of_copies() const { return foreign_.number; }

    // Begins to choose which of `count` particles, in their new cells, stay and which are sent, before the host knows
    // whether any has to move.
    void choose_movers(const Four<std::int32_t>* cells, std::size_t count);
    // Collective; called if particles have changed cells or owners, after the device has chosen: sends the particles
    // that other ranks want, with the fields that move (RawField). anew: the domain has been decomposed again since the
    // choice. Returns the number of particles that arrive.
    std::size_t send(const Four<std::int32_t>* cells, std::size_t count, const std::vector<RawField>& fields,
                     bool anew);
    [[nodiscard]] std::size_t kept() const { return kept_.number; }
    [[nodiscard]] const std::uint32_t* kept_indices() const { return kept_.particles.data(); }
    // Puts those that arrive behind the first `first` particles.
    void receive(const std::vector<RawField>& fields, std::size_t first);
    // Adds the lengths of the lists of fluid and walls to a sum on the device.
    void sum_lengths(const std::uint32_t* lengths, std::uint32_t fluid_end, std::uint32_t walls_begin,
                     std::uint32_t walls_end, unsigned long long* sum);
    // One field of `count` own particles, from the first on, one after another on the device.
    void gather_own(const ReadBuffer& field, std::size_t first, std::size_t count, std::byte* to);
    // To be called when all particles here, own and halo, are in the canonical order or, before the first sort, in any
    // order. Begins to choose the shared particles. finish_choice() ends that, once the device has had time for it,
    // before parts are exchanged or own() is called.
    void sorted(const Four<std::int32_t>* cells, const Kind* kinds, std::size_t count);
    void finish_choice();
    [[nodiscard]] const std::uint8_t* edge() const { return edge_.data(); }

    // Collective: sends parts of own particles to their copies on other ranks, on a stream of its own to which the
    // device gives priority. enter() returns that stream, for the computation of the parts; it begins after what the
    // rank's stream has to do so far. send_parts() is called after that. place_parts() waits for the other ranks'
    // threads and puts what they send into the copies, before what the rank's stream does next.
    cudaStream_t enter();
    void send_parts(const std::vector<RawField>& fields, const std::vector<FieldPart>& parts);
    void place_parts(const std::vector<RawField>& fields, const std::vector<FieldPart>& parts);
    // The bytes that this rank has sent in all exchanges.
    [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }
    [[nodiscard]] const MessageTimes& message_times() const { return message_times_; }
    // Reads the times of all exchanges so far, which the device must have finished.
    void read_clock();

private:
    using Lists = std::vector<ChosenParticles>;  // a rank each, in the present order
    // The description of a message that a rank gives another. Its pointers and events are used where ranks share
    // memory; elsewhere the bytes of the message follow it.
    struct Parcel {
        const std::byte* data;
        std::uint64_t bytes;
        std::array<std::uint64_t, 2> counts;
        cudaEvent_t ready;  // packed
        cudaEvent_t taken;  // those of the transfer before have been copied
    };

    [[nodiscard]] OwnersView owners();
    template <class MarkOf>
    void choose_for_ranks(const ChosenParticles& from, const MarkOf& mark_of, std::array<Lists*, 2> lists);
    void choose_shared();
    DeviceVector<std::byte>& outgoing(std::size_t rank) { return outgoing_[transfers_ % 2][rank]; }
    // Before outgoing() is filled.
    void begin_packing(cudaStream_t stream);
    // Offers the contents of outgoing(), of `bytes` each, to the other ranks.
    void offer(const std::vector<std::size_t>& bytes, const std::vector<std::array<std::uint64_t, 2>>& counts,
               cudaStream_t stream);
    // Collective: copies what the other ranks offer to incoming_.
    void fetch(cudaStream_t stream);
    // Appends the contents of outgoing() to the parcels, once they are packed.
    void add_contents(cudaStream_t stream);
    // The events of one exchange, from packing to placing.
    struct Timed {
        cudaEvent_t packs;
        cudaEvent_t placed;
        cudaEvent_t waits;
        cudaEvent_t goes_on;
    };

    Halo& halo_;
    Peers& peers_;
    cudaStream_t stream_;
    Stream sending_{most_urgent};
    cudaEvent_t entered_{};
    std::uint64_t of_decomposition_ = ~std::uint64_t{0};
    DeviceVector<CutOfCells> cuts_;
    DeviceVector<CellBox> boxes_;
    bool any_cuts_ = false;

    DeviceVector<std::uint8_t> owned_;
    DeviceVector<std::uint8_t> edge_;
    DeviceVector<std::uint8_t> marks_;
    Choice choice_;
    cudaEvent_t chosen_{};
    struct Sorted {
        const Four<std::int32_t>* cells;
        const Kind* kinds;
        std::size_t count;
    };
    Sorted sorted_{};
    ChosenParticles own_;
    ChosenParticles kept_;
    ChosenParticles border_;  // that other ranks may want
    ChosenParticles foreign_;
    Lists to_own_;  // to be theirs
    Lists to_copy_;
    Lists to_others_;
    Lists fluid_to_others_;
    Lists from_others_;
    Lists fluid_from_others_;

    std::uint64_t transfers_ = 0;
    std::vector<DeviceVector<std::byte>> outgoing_[2];
    std::vector<DeviceVector<std::byte>> incoming_;
    std::vector<std::array<std::uint64_t, 2>> arriving_;
    cudaEvent_t ready_[2]{};
    cudaEvent_t taken_[2]{};
    std::vector<cudaEvent_t> taken_by_others_;  // of the transfer before the last
    std::vector<Bytes> sent_;
    std::vector<Bytes> received_;
    std::uint64_t bytes_sent_ = 0;
    std::vector<Timed> timed_;
    EventPool events_;
    MessageTimes message_times_;
};

}  // namespace halfulp::cuda
