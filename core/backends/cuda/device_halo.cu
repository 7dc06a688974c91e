#include "core/backends/cuda/device_halo.cuh"

#include <algorithm>
#include <cstring>

#include "core/backends/cuda/choice_body.cuh"
#include "core/backends/cuda/halo_marks.cuh"
#include "core/backends/cuda/part_copies.cuh"

namespace halfulp::cuda {

namespace {

constexpr const char* purpose = "the halo";

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

PartCopy part_of(const RawField& field, std::size_t bytes, const ChosenParticles& those, const std::byte* from,
                 std::byte* to)
{
    return {.from = from,
            .to = to,
            .particles = those.particles.data(),
            .count = static_cast<std::uint32_t>(those.number),
            .stride = static_cast<std::uint32_t>(field.element),
            .bytes = static_cast<std::uint32_t>(bytes)};
}

}  // namespace

DeviceHalo::DeviceHalo(Halo& halo, cudaStream_t stream)
    : halo_(halo), peers_(halo.peers()), stream_(stream), choice_(4 * halo.peers().ranks() + 3, purpose)
{
    const std::size_t ranks = peers_.ranks();
    for (Lists* lists : {&to_own_, &to_copy_, &to_others_, &fluid_to_others_, &from_others_, &fluid_from_others_})
        lists->resize(ranks);
    for (int k = 0; k < 2; ++k) {
        outgoing_[k].resize(ranks);
        check(cudaEventCreateWithFlags(&ready_[k], cudaEventDisableTiming), "making an event");
        check(cudaEventCreateWithFlags(&taken_[k], cudaEventDisableTiming), "making an event");
    }
    for (cudaEvent_t* one : {&entered_, &chosen_})
        check(cudaEventCreateWithFlags(one, cudaEventDisableTiming), "making an event");
    incoming_.resize(ranks);
    arriving_.resize(ranks);
    taken_by_others_.assign(ranks, nullptr);
    sent_.resize(ranks);
}

DeviceHalo::~DeviceHalo()
{
    cudaStreamSynchronize(stream_);
    cudaStreamSynchronize(sending_);
    cudaEventDestroy(entered_);
    cudaEventDestroy(chosen_);
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

// Lists of a pair of `lists` for each rank but this one.
template <class MarkOf>
void DeviceHalo::choose_for_ranks(const ChosenParticles& from, const MarkOf& mark_of, std::array<Lists*, 2> lists)
{
    const auto ranks = static_cast<std::uint32_t>(peers_.ranks());
    for (std::uint32_t first = 0; first < ranks; first += detail::ranks_at_once) {
        const detail::SomeRanks some{first, std::min(detail::ranks_at_once, ranks - first)};
        std::vector<ChosenParticles*> into;
        for (std::uint32_t r = first; r < first + some.count; ++r) {
            for (Lists* const each : lists) into.push_back(r == peers_.rank() ? nullptr : &(*each)[r]);
        }
        choice_.choose(from, mark_of(some), into, stream_);
    }
}

void DeviceHalo::choose_movers(const Four<std::int32_t>* cells, std::size_t count)
{
    const OwnersView view = owners();
    marks_.grow(count, purpose);
    detail::mark_moving<<<blocks_for(count, usual_threads), usual_threads, 0, stream_>>>(view, cells, owned_.data(),
                                                                                         count, marks_.data());
    choice_.begin();
    choice_.choose(count, detail::AsMarked{marks_.data()}, std::array{&kept_, &border_}, stream_);
    choose_for_ranks(border_,
                     [&](const detail::SomeRanks& some) {
                         return detail::GoesTo{view, cells, some};
                     },
                     {&to_own_, &to_copy_});
}

std::size_t DeviceHalo::send(const Four<std::int32_t>* cells, std::size_t count, const std::vector<RawField>& fields,
                             bool anew)
{
    for (bool again = anew; again || !choice_.learn_numbers(); again = false) {
        choose_movers(cells, count);
        check(cudaStreamSynchronize(stream_), "choosing particles");
    }

    const std::size_t ranks = peers_.ranks();
    begin_packing(stream_);
    std::vector<std::size_t> bytes(ranks);
    std::vector<std::array<std::uint64_t, 2>> counts(ranks);
    PartCopier<CopyTo::message> copies(stream_);
    for (std::size_t r = 0; r < ranks; ++r) {
        if (r == peers_.rank()) continue;
        counts[r] = {to_own_[r].number, to_copy_[r].number};
        for (const RawField& field : fields) {
            if (!field.moves) continue;
            bytes[r] += aligned(counts[r][0] * field.element);
            if (!field.of_owner) bytes[r] += aligned(counts[r][1] * field.element);
        }
        outgoing(r).grow(bytes[r], purpose);
        std::byte* to = outgoing(r).data();
        const auto pack = [&](const RawField& field, const ChosenParticles& those) {
            copies.add(part_of(field, field.element, those, field.data, to));
            to += aligned(those.number * field.element);
        };
        for (const RawField& field : fields) {
            if (!field.moves) continue;
            pack(field, to_own_[r]);
            if (!field.of_owner) pack(field, to_copy_[r]);
        }
    }
    copies.start();
    offer(bytes, counts, stream_);
    fetch(stream_);
    std::size_t arriving = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
        if (r != peers_.rank()) arriving += arriving_[r][0] + arriving_[r][1];
    }
    return arriving;
}

void DeviceHalo::receive(const std::vector<RawField>& fields, std::size_t first)
{
    PartCopier<CopyTo::particles> copies(stream_);
    for (std::size_t r = 0; r < peers_.ranks(); ++r) {
        if (r == peers_.rank()) continue;
        const auto [own, copied] = arriving_[r];
        const std::byte* from = incoming_[r].data();
        const auto place = [&](const RawField& field, std::size_t at, std::size_t number, bool sent) {
            const auto size = static_cast<std::uint32_t>(field.element);
            copies.add({.from = sent ? from : nullptr,
                        .to = field.data + at * field.element,
                        .count = static_cast<std::uint32_t>(number),
                        .stride = size,
                        .bytes = size});
            if (sent) from += aligned(number * field.element);
        };
        for (const RawField& field : fields) {
            if (!field.moves) continue;
            place(field, first, own, true);
            place(field, first + own, copied, !field.of_owner);
        }
        first += own + copied;
    }
    copies.start();
}

void DeviceHalo::sum_lengths(const std::uint32_t* lengths, std::uint32_t fluid_end, std::uint32_t walls_begin,
                             std::uint32_t walls_end, unsigned long long* sum)
{
    add_lengths<<<blocks_for(walls_end, usual_threads), usual_threads, 0, stream_>>>(lengths, fluid_end, walls_begin,
                                                                                     walls_end, sum);
}

void DeviceHalo::gather_own(const ReadBuffer& field, std::size_t first, std::size_t count, std::byte* to)
{
    PartCopier<CopyTo::message> copies(stream_);
    copies.add({.from = field.data,
                .to = to,
                .particles = own_indices() + first,
                .count = static_cast<std::uint32_t>(count),
                .stride = static_cast<std::uint32_t>(field.element),
                .bytes = static_cast<std::uint32_t>(field.element)});
    copies.start();
}

void DeviceHalo::sorted(const Four<std::int32_t>* cells, const Kind* kinds, std::size_t count)
{
    sorted_ = {cells, kinds, count};
    owned_.grow(count, purpose);
    edge_.grow(count, purpose);
    detail::mark_sorted<<<blocks_for(count, usual_threads), usual_threads, 0, stream_>>>(owners(), cells, count,
                                                                                         owned_.data(), edge_.data());
    choose_shared();
}

void DeviceHalo::choose_shared()
{
    const auto [cells, kinds, count] = sorted_;
    const OwnersView view = owners();
    choice_.begin();
    choice_.choose(count, detail::ByOwner{owned_.data(), edge_.data()}, std::array{&own_, &border_, &foreign_},
                   stream_);
    choose_for_ranks(border_,
                     [&](const detail::SomeRanks& some) {
                         return detail::IsShared<true>{view, cells, kinds, some};
                     },
                     {&to_others_, &fluid_to_others_});
    choose_for_ranks(foreign_,
                     [&](const detail::SomeRanks& some) {
                         return detail::IsShared<false>{view, cells, kinds, some};
                     },
                     {&from_others_, &fluid_from_others_});
    check(cudaEventRecord(chosen_, stream_), "choosing particles");
}

void DeviceHalo::finish_choice()
{
    check(cudaEventSynchronize(chosen_), "choosing particles");
    while (!choice_.learn_numbers()) {
        choose_shared();
        check(cudaEventSynchronize(chosen_), "choosing particles");
    }
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
    PartCopier<CopyTo::message> copies(sending_);
    for (std::size_t r = 0; r < ranks; ++r) {
        if (r == peers_.rank()) continue;
        const auto to_rank = [&](const FieldPart& part) -> const ChosenParticles& {
            return (part.of_fluid_alone ? fluid_to_others_ : to_others_)[r];
        };
        for (const FieldPart& part : parts) bytes[r] += aligned(part.bytes * to_rank(part).number);
        outgoing(r).grow(bytes[r], purpose);
        std::byte* to = outgoing(r).data();
        for (const FieldPart& part : parts) {
            const ChosenParticles& those = to_rank(part);
            const RawField& field = fields[part.field];
            copies.add(part_of(field, part.bytes, those, field.data + part.offset, to));
            to += aligned(part.bytes * those.number);
            bytes_sent_ += part.bytes * those.number;
        }
    }
    copies.start();
    offer(bytes, std::vector<std::array<std::uint64_t, 2>>(ranks), sending_);
}

void DeviceHalo::place_parts(const std::vector<RawField>& fields, const std::vector<FieldPart>& parts)
{
    // What the host waits for is not the work of this device, either.
    check(cudaEventRecord(timed_.back().waits, stream_), "keeping time");
    fetch(sending_);
    PartCopier<CopyTo::particles> copies(sending_);
    for (std::size_t r = 0; r < peers_.ranks(); ++r) {
        if (r == peers_.rank()) continue;
        const std::byte* from = incoming_[r].data();
        for (const FieldPart& part : parts) {
            const ChosenParticles& those = (part.of_fluid_alone ? fluid_from_others_ : from_others_)[r];
            const RawField& field = fields[part.field];
            copies.add(part_of(field, part.bytes, those, from, field.data + part.offset));
            from += aligned(part.bytes * those.number);
        }
    }
    copies.start();
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

// Called here rather than in offer(): the host waits for the packing, and by now has given the device the rest of a
// pass.
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
