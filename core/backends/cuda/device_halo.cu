#include "core/backends/cuda/device_halo.cuh"

#include <algorithm>
#include <cstring>

#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_select.cuh>

#include "core/backends/cuda/scratch.cuh"

namespace halfulp::cuda {

namespace {

constexpr int threads = 256;
constexpr const char* purpose = "the halo";

// Which own particles stay here, own or copied, and which others may want.
__global__ void mark_moving(OwnersView owners, const Four<std::int32_t>* cells, const std::uint8_t* owned,
                            std::size_t count, std::uint8_t* stays, std::uint8_t* wanted)
{
    const std::size_t i = thread_index();
    if (i >= count) return;
    stays[i] = wanted[i] = 0;
    if (owned[i] == 0) return;
    const Four<std::int32_t> cell = cells[i];
    const bool here = owners.owner(cell) == owners.here;
    stays[i] = here || owners.is_near(cell, owners.here) ? 1 : 0;
    wanted[i] = here && owners.is_inside(cell) ? 0 : 1;
}

// Of these particles, those that belong to a rank, and those that it copies.
__global__ void mark_for_rank(OwnersView owners, const Four<std::int32_t>* cells, const std::uint32_t* particles,
                              std::size_t count, std::uint32_t rank, std::uint8_t* its_own, std::uint8_t* its_copies)
{
    const std::size_t k = thread_index();
    if (k >= count) return;
    const Four<std::int32_t> cell = cells[particles[k]];
    const bool own = owners.owner(cell) == rank;
    its_own[k] = own ? 1 : 0;
    its_copies[k] = !own && owners.is_near(cell, rank) ? 1 : 0;
}

// Which particles are own, of these which others may want, and which are others'.
__global__ void mark_sorted(OwnersView owners, const Four<std::int32_t>* cells, std::size_t count, std::uint8_t* owned,
                            std::uint8_t* wanted, std::uint8_t* foreign)
{
    const std::size_t i = thread_index();
    if (i >= count) return;
    const Four<std::int32_t> cell = cells[i];
    const bool own = owners.owner(cell) == owners.here;
    owned[i] = own ? 1 : 0;
    wanted[i] = own && !owners.is_inside(cell) ? 1 : 0;
    foreign[i] = own ? 0 : 1;
}

__global__ void keep_fluid(const std::uint32_t* particles, const Kind* kinds, std::size_t count, std::uint8_t* marks)
{
    const std::size_t k = thread_index();
    if (k < count && kinds[particles[k]] != Kind::fluid) marks[k] = 0;
}

// Words of elements, one after another in a message.
template <class Word>
__global__ void pack(const Word* from, std::size_t stride, std::size_t words, const std::uint32_t* particles,
                     std::size_t count, Word* to)
{
    const std::size_t k = thread_index();
    if (k < count * words) to[k] = from[particles[k / words] * stride + k % words];
}
template <class Word>
__global__ void unpack(const Word* from, std::size_t stride, std::size_t words, const std::uint32_t* particles,
                       std::size_t count, Word* to)
{
    const std::size_t k = thread_index();
    if (k < count * words) to[particles[k / words] * stride + k % words] = from[k];
}

__global__ void add_lengths(const std::uint32_t* lengths, std::uint32_t fluid_end, std::uint32_t walls_begin,
                            std::uint32_t walls_end, unsigned long long* sum)
{
    const std::size_t t = thread_index();
    const bool there = t < fluid_end || (t >= walls_begin && t < walls_end);
    const unsigned of_warp = __reduce_add_sync(every_lane, there ? lengths[t] : 0);
    if (threadIdx.x % warp == 0 && of_warp > 0) atomicAdd(sum, of_warp);
}

// Blocks of a message begin where any word may.
std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

// Calls use(Word{}) with the largest word that divides all of these.
template <class Use>
void with_word(std::size_t element, std::size_t offset, std::size_t bytes, Use use)
{
    const std::size_t all = element | offset | bytes;
    if (all % 8 == 0) use(std::uint64_t{});
    else if (all % 4 == 0) use(std::uint32_t{});
    else use(std::uint8_t{});
}

void pack_part(const RawField& field, std::size_t offset, std::size_t bytes, const std::uint32_t* particles,
               std::size_t count, std::byte* to, cudaStream_t stream)
{
    if (count == 0) return;
    with_word(field.element, offset, bytes, [&]<class Word>(Word) {
        const std::size_t words = bytes / sizeof(Word);
        pack<<<blocks_for(count * words, threads), threads, 0, stream>>>(
            reinterpret_cast<const Word*>(field.data + offset), field.element / sizeof(Word), words, particles, count,
            reinterpret_cast<Word*>(to));
    });
}

void unpack_part(const RawField& field, std::size_t offset, std::size_t bytes, const std::uint32_t* particles,
                 std::size_t count, const std::byte* from, cudaStream_t stream)
{
    if (count == 0) return;
    with_word(field.element, offset, bytes, [&]<class Word>(Word) {
        const std::size_t words = bytes / sizeof(Word);
        unpack<<<blocks_for(count * words, threads), threads, 0, stream>>>(
            reinterpret_cast<const Word*>(from), field.element / sizeof(Word), words, particles, count,
            reinterpret_cast<Word*>(field.data + offset));
    });
}

}  // namespace

DeviceHalo::DeviceHalo(Halo& halo, cudaStream_t stream) : halo_(halo), peers_(halo.peers()), stream_(stream)
{
    const std::size_t ranks = peers_.ranks();
    for (Lists* lists : {&to_own_, &to_copy_, &to_others_, &from_others_}) {
        lists->all.resize(ranks);
        lists->fluid.resize(ranks);
        lists->number_of_all.resize(ranks);
        lists->number_of_fluid.resize(ranks);
    }
    for (int k = 0; k < 2; ++k) {
        outgoing_[k].resize(ranks);
        check(cudaEventCreateWithFlags(&ready_[k], cudaEventDisableTiming), "making an event");
        check(cudaEventCreateWithFlags(&taken_[k], cudaEventDisableTiming), "making an event");
    }
    check(cudaEventCreateWithFlags(&entered_, cudaEventDisableTiming), "making an event");
    incoming_.resize(ranks);
    arriving_.resize(ranks);
    taken_by_others_.assign(ranks, nullptr);
    sent_.resize(ranks);
    numbers_.resize(4 * ranks + 3, purpose);
    numbers_here_.resize(4 * ranks + 3);
}

DeviceHalo::~DeviceHalo()
{
    cudaStreamSynchronize(stream_);
    cudaStreamSynchronize(sending_);
    cudaEventDestroy(entered_);
    for (int k = 0; k < 2; ++k) {
        cudaEventDestroy(ready_[k]);
        cudaEventDestroy(taken_[k]);
    }
}

OwnersView DeviceHalo::owners()
{
    if (of_decomposition_ != halo_.decompositions()) {
        const Decomposition& now = halo_.decomposition();
        any_cuts_ = !now.cuts().empty();
        cuts_.resize(std::max<std::size_t>(now.cuts().size(), 1), purpose);
        boxes_.resize(now.boxes().size(), purpose);
        check(cudaMemcpyAsync(cuts_.data(), now.cuts().data(), now.cuts().size() * sizeof(CutOfCells),
                              cudaMemcpyHostToDevice, stream_),
              "sharing out");
        check(cudaMemcpyAsync(boxes_.data(), now.boxes().data(), now.boxes().size() * sizeof(CellBox),
                              cudaMemcpyHostToDevice, stream_),
              "sharing out");
        of_decomposition_ = halo_.decompositions();
    }
    return {cuts_.data(),  boxes_.data(),  any_cuts_, static_cast<std::uint32_t>(peers_.rank()),
            halo_.reach(), halo_.periods()};
}

void DeviceHalo::choose(const std::uint32_t* from, std::size_t count, const std::uint8_t* marks, Indices& to,
                        std::size_t& number)
{
    to.grow(count, purpose);
    std::uint32_t* const found = numbers_.data() + chosen_.size();
    chosen_.push_back(&number);
    const auto all = static_cast<std::int64_t>(count);
    if (count == 0) {
        check(cudaMemsetAsync(found, 0, sizeof *found, stream_), "choosing particles");
        return;
    }
    with_scratch(scratch_, [&](void* scratch, std::size_t& bytes) {
        if (from == nullptr) {
            return cub::DeviceSelect::Flagged(scratch, bytes, thrust::counting_iterator<std::uint32_t>(0), marks,
                                              to.data(), found, all, stream_);
        }
        return cub::DeviceSelect::Flagged(scratch, bytes, from, marks, to.data(), found, all, stream_);
    });
}

void DeviceHalo::settle_choice()
{
    check(cudaMemcpyAsync(numbers_here_.data(), numbers_.data(), chosen_.size() * sizeof(std::uint32_t),
                          cudaMemcpyDeviceToHost, stream_),
          "choosing particles");
    check(cudaStreamSynchronize(stream_), "choosing particles");
    for (std::size_t k = 0; k < chosen_.size(); ++k) *chosen_[k] = numbers_here_[k];
    chosen_.clear();
}

std::size_t DeviceHalo::send(const Four<std::int32_t>* cells, std::size_t count, const std::vector<RawField>& fields)
{
    const std::size_t ranks = peers_.ranks();
    const std::size_t here = peers_.rank();
    const OwnersView view = owners();
    std::size_t wanted = 0;
    for (auto& marks : marks_) marks.grow(count, purpose);
    mark_moving<<<blocks_for(count, threads), threads, 0, stream_>>>(view, cells, owned_.data(), count,
                                                                     marks_[0].data(), marks_[1].data());
    choose(nullptr, count, marks_[0].data(), kept_indices_, kept_);
    choose(nullptr, count, marks_[1].data(), border_, wanted);
    settle_choice();
    for (std::size_t r = 0; r < ranks; ++r) {
        if (r == here) continue;
        mark_for_rank<<<blocks_for(wanted, threads), threads, 0, stream_>>>(
            view, cells, border_.data(), wanted, static_cast<std::uint32_t>(r), marks_[0].data(), marks_[1].data());
        choose(border_.data(), wanted, marks_[0].data(), to_own_.all[r], to_own_.number_of_all[r]);
        choose(border_.data(), wanted, marks_[1].data(), to_copy_.all[r], to_copy_.number_of_all[r]);
    }
    settle_choice();

    begin_packing(stream_);
    std::vector<std::size_t> bytes(ranks);
    std::vector<std::array<std::uint64_t, 2>> counts(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
        if (r == here) continue;
        counts[r] = {to_own_.number_of_all[r], to_copy_.number_of_all[r]};
        for (const RawField& field : fields) {
            if (!field.moves) continue;
            bytes[r] += aligned(counts[r][0] * field.element);
            if (!field.of_owner) bytes[r] += aligned(counts[r][1] * field.element);
        }
        outgoing(r).grow(bytes[r], purpose);
        std::byte* to = outgoing(r).data();
        for (const RawField& field : fields) {
            if (!field.moves) continue;
            pack_part(field, 0, field.element, to_own_.all[r].data(), counts[r][0], to, stream_);
            to += aligned(counts[r][0] * field.element);
            if (field.of_owner) continue;
            pack_part(field, 0, field.element, to_copy_.all[r].data(), counts[r][1], to, stream_);
            to += aligned(counts[r][1] * field.element);
        }
    }
    offer(bytes, counts, stream_);
    fetch(stream_);
    std::size_t total = kept_;
    for (std::size_t r = 0; r < ranks; ++r) {
        if (r != here) total += arriving_[r][0] + arriving_[r][1];
    }
    return total;
}

void DeviceHalo::receive(const std::vector<RawField>& fields)
{
    std::size_t first = kept_;
    for (std::size_t r = 0; r < peers_.ranks(); ++r) {
        if (r == peers_.rank()) continue;
        const auto [own, copies] = arriving_[r];
        const std::byte* from = incoming_[r].data();
        const auto place = [&](const RawField& field, std::size_t at, std::size_t number) {
            const std::size_t bytes = number * field.element;
            if (bytes == 0) return;
            check(cudaMemcpyAsync(field.data + at * field.element, from, bytes, cudaMemcpyDeviceToDevice, stream_),
                  "receiving particles");
            from += aligned(bytes);
        };
        for (const RawField& field : fields) {
            if (!field.moves) continue;
            place(field, first, own);
            if (!field.of_owner) {
                place(field, first + own, copies);
            } else if (copies > 0) {
                check(cudaMemsetAsync(field.data + (first + own) * field.element, 0, copies * field.element, stream_),
                      "receiving particles");
            }
        }
        first += own + copies;
    }
}

void DeviceHalo::sum_lengths(const std::uint32_t* lengths, std::uint32_t fluid_end, std::uint32_t walls_begin,
                             std::uint32_t walls_end, unsigned long long* sum)
{
    add_lengths<<<blocks_for(walls_end, threads), threads, 0, stream_>>>(lengths, fluid_end, walls_begin, walls_end,
                                                                         sum);
}

void DeviceHalo::sorted(const Four<std::int32_t>* cells, const Kind* kinds, std::size_t count)
{
    const OwnersView view = owners();
    owned_.grow(count, purpose);
    edge_.grow(count, purpose);
    for (auto& marks : marks_) marks.grow(count, purpose);
    std::size_t wanted = 0;
    std::size_t foreign = 0;
    mark_sorted<<<blocks_for(count, threads), threads, 0, stream_>>>(view, cells, count, owned_.data(), edge_.data(),
                                                                     marks_[0].data());
    choose(nullptr, count, owned_.data(), own_indices_, own_);
    choose(nullptr, count, edge_.data(), border_, wanted);
    choose(nullptr, count, marks_[0].data(), foreign_, foreign);
    settle_choice();
    // The marked ones, and those of the fluid among them.
    const auto list = [&](const Indices& from, std::size_t number, std::uint8_t* marks, Lists& lists, std::size_t r) {
        choose(from.data(), number, marks, lists.all[r], lists.number_of_all[r]);
        keep_fluid<<<blocks_for(number, threads), threads, 0, stream_>>>(from.data(), kinds, number, marks);
        choose(from.data(), number, marks, lists.fluid[r], lists.number_of_fluid[r]);
    };
    for (std::size_t r = 0; r < peers_.ranks(); ++r) {
        if (r == peers_.rank()) continue;
        const auto rank = static_cast<std::uint32_t>(r);
        mark_for_rank<<<blocks_for(wanted, threads), threads, 0, stream_>>>(view, cells, border_.data(), wanted, rank,
                                                                            marks_[0].data(), marks_[1].data());
        list(border_, wanted, marks_[1].data(), to_others_, r);
        mark_for_rank<<<blocks_for(foreign, threads), threads, 0, stream_>>>(view, cells, foreign_.data(), foreign,
                                                                             rank, marks_[0].data(), marks_[1].data());
        list(foreign_, foreign, marks_[0].data(), from_others_, r);
    }
    settle_choice();
}

// Each rank's particles of these parts, as the sender and the receiver both have them.
std::size_t DeviceHalo::number_of(const Lists& lists, const FieldPart& part, std::size_t rank)
{
    return part.of_fluid_alone ? lists.number_of_fluid[rank] : lists.number_of_all[rank];
}
const std::uint32_t* DeviceHalo::indices_of(const Lists& lists, const FieldPart& part, std::size_t rank)
{
    return (part.of_fluid_alone ? lists.fluid[rank] : lists.all[rank]).data();
}

cudaStream_t DeviceHalo::enter()
{
    check(cudaEventRecord(entered_, stream_), "exchanging the halo");
    check(cudaStreamWaitEvent(sending_, entered_), "exchanging the halo");
    return sending_;
}

void DeviceHalo::send_parts(const std::vector<RawField>& fields, const std::vector<FieldPart>& parts)
{
    const std::size_t ranks = peers_.ranks();
    timed_.push_back({events_.passed_by(sending_), events_.take(), events_.take(), events_.take()});
    begin_packing(sending_);
    std::vector<std::size_t> bytes(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
        if (r == peers_.rank()) continue;
        for (const FieldPart& part : parts) bytes[r] += aligned(part.bytes * number_of(to_others_, part, r));
        outgoing(r).grow(bytes[r], purpose);
        std::byte* to = outgoing(r).data();
        for (const FieldPart& part : parts) {
            const std::size_t count = number_of(to_others_, part, r);
            pack_part(fields[part.field], part.offset, part.bytes, indices_of(to_others_, part, r), count, to,
                      sending_);
            to += aligned(part.bytes * count);
            bytes_sent_ += part.bytes * count;
        }
    }
    offer(bytes, std::vector<std::array<std::uint64_t, 2>>(ranks), sending_);
}

void DeviceHalo::place_parts(const std::vector<RawField>& fields, const std::vector<FieldPart>& parts)
{
    // What the host waits for is not the work of this device, either.
    check(cudaEventRecord(timed_.back().waits, stream_), "keeping time");
    fetch(sending_);
    for (std::size_t r = 0; r < peers_.ranks(); ++r) {
        if (r == peers_.rank()) continue;
        const std::byte* from = incoming_[r].data();
        for (const FieldPart& part : parts) {
            const std::size_t count = number_of(from_others_, part, r);
            unpack_part(fields[part.field], part.offset, part.bytes, indices_of(from_others_, part, r), count, from,
                        sending_);
            from += aligned(part.bytes * count);
        }
    }
    const Timed& times = timed_.back();
    check(cudaEventRecord(times.placed, sending_), "exchanging the halo");
    check(cudaStreamWaitEvent(stream_, times.placed), "exchanging the halo");
    check(cudaEventRecord(times.goes_on, stream_), "keeping time");
}

void DeviceHalo::read_clock()
{
    for (const Timed& one : timed_) {
        message_times_.under_way += seconds_between(one.packs, one.placed);
        // Not for the passes over the edge, which precede the packing.
        const double waited =
            std::min(seconds_between(one.waits, one.goes_on), seconds_between(one.packs, one.goes_on));
        message_times_.waited += std::max(waited, 0.0);
        for (cudaEvent_t each : {one.packs, one.placed, one.waits, one.goes_on}) events_.give_back(each);
    }
    timed_.clear();
}

// Messages alternate between two buffers. When one is filled again, others must have copied what it had.
void DeviceHalo::begin_packing(cudaStream_t stream)
{
    ++transfers_;
    for (cudaEvent_t taken : taken_by_others_) {
        if (taken != nullptr) check(cudaStreamWaitEvent(stream, taken), "exchanging the halo");
    }
}

void DeviceHalo::offer(const std::vector<std::size_t>& bytes, const std::vector<std::array<std::uint64_t, 2>>& counts,
                       cudaStream_t stream)
{
    check(cudaGetLastError(), "packing the halo");
    const std::size_t slot = transfers_ % 2;
    check(cudaEventRecord(ready_[slot], stream), "exchanging the halo");
    for (std::size_t r = 0; r < sent_.size(); ++r) {
        const Parcel parcel{outgoing(r).data(), bytes[r], counts[r], ready_[slot], taken_[1 - slot]};
        sent_[r].resize(sizeof parcel);
        std::memcpy(sent_[r].data(), &parcel, sizeof parcel);
    }
}

// Here and not where it is offered: the host waits for the packing, and has given the device the rest of a pass by now.
void DeviceHalo::add_contents(cudaStream_t stream)
{
    for (std::size_t r = 0; r < sent_.size(); ++r) {
        if (r == peers_.rank()) continue;
        const auto bytes = MessageReader(sent_[r]).take<Parcel>().bytes;
        sent_[r].resize(sizeof(Parcel) + bytes);
        if (bytes == 0) continue;
        check(cudaMemcpyAsync(sent_[r].data() + sizeof(Parcel), outgoing(r).data(), bytes, cudaMemcpyDeviceToHost,
                              stream),
              "exchanging the halo");
    }
    check(cudaStreamSynchronize(stream), "exchanging the halo");
}

void DeviceHalo::fetch(cudaStream_t stream)
{
    const bool shared = peers_.share_memory();
    if (!shared) add_contents(stream);
    peers_.exchange(sent_, received_);
    for (std::size_t r = 0; r < sent_.size(); ++r) {
        if (r == peers_.rank()) continue;
        Parcel parcel{};
        std::memcpy(&parcel, received_[r].data(), sizeof parcel);
        arriving_[r] = parcel.counts;
        incoming_[r].grow(parcel.bytes, purpose);
        if (shared) {
            taken_by_others_[r] = parcel.taken;
            check(cudaStreamWaitEvent(stream, parcel.ready), "exchanging the halo");
        }
        if (parcel.bytes == 0) continue;
        const std::byte* const from = shared ? parcel.data : received_[r].data() + sizeof parcel;
        check(cudaMemcpyAsync(incoming_[r].data(), from, parcel.bytes, cudaMemcpyDefault, stream),
              "exchanging the halo");
    }
    check(cudaEventRecord(taken_[transfers_ % 2], stream), "exchanging the halo");
}

}  // namespace halfulp::cuda
