// The member functions of a back end on several ranks, included where a policy is instantiated.
#pragma once

#include "core/backends/hold_share.hpp"
#include "core/backends/ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/particles/fields_by_threads.hpp"
#include "core/particles/restored_particles.hpp"
#include "core/setup/host_memory.hpp"

namespace halfulp {

namespace detail {

inline void write(Bytes& message, const std::string& text)
{
    halfulp::write(message, std::vector<char>(text.begin(), text.end()));
}
inline std::string text_of(MessageReader& message)
{
    std::vector<char> text;
    message.read(text);
    return {text.begin(), text.end()};
}

// Collective, where a rule is broken: throws, at rank 0, what ended the run, the particle of smallest id of all ranks'.
inline void end_broken(Peers& peers, const std::optional<Breakdown>& mine)
{
    Bytes message;
    if (mine) {
        halfulp::write(message, mine->id);
        halfulp::write(message, mine->kind);
        halfulp::write(message, mine->position);
        write(message, mine->what);
        write(message, mine->likely_cause);
    }
    const std::vector<Bytes> all = peers.gather(std::move(message));
    if (peers.rank() != 0) return;
    std::optional<Breakdown> first;
    for (const Bytes& one : all) {
        if (one.empty()) continue;
        MessageReader reader(one);
        Breakdown found;
        reader.read(found.id);
        reader.read(found.kind);
        reader.read(found.position);
        found.what = text_of(reader);
        found.likely_cause = text_of(reader);
        if (!first || found.id < first->id) first = found;
    }
    throw SimulationBroke{first.value()};
}

// Collective: act(), in which a rule may be found broken; throws at rank 0 alone, and there whichever rank found it.
template <class Act>
void until_broken(Peers& peers, const Act& act)
{
    std::optional<Breakdown> mine;
    try {
        act();
        return;
    } catch (const SimulationBroke& broke) {
        mine = broke.breakdown;
    } catch (const OtherRankBroke&) {  // the one that has the particle says which
    }
    end_broken(peers, mine);
}

// Where rank 0 gathers a field, of the ranks of its process.
struct GatheredField {
    std::size_t field;
    std::size_t element;  // bytes
    std::byte* to;
};

// Collective: each rank puts its own particles in place, from the index `begin` on.
template <class Rank>
void put_own(Peers& peers, const Rank& rank, const std::vector<GatheredField>& fields, std::uint64_t begin)
{
    for (const GatheredField& one : fields) rank.copy_own(one.field, 0, rank.own(), one.to + begin * one.element);
    static_cast<void>(peers.any(false));
}

// Collective: at rank 0 the values of a field of each rank's range.
template <class Rank>
std::vector<Bytes> values_of_all(Peers& peers, const Rank& rank, std::size_t field, std::size_t element,
                                 const std::vector<OwnRange>& ranges)
{
    const OwnRange& mine = ranges[peers.rank()];
    Bytes values(mine.count * element);
    rank.copy_own(field, mine.first, mine.count, values.data());
    return peers.gather(std::move(values));
}

// Collective; at rank 0 what all have.
template <class Rank>
std::vector<RankUse> uses_of_all(Peers& peers, const Rank& rank)
{
    RankUse mine{
        .own = rank.own(), .copies = rank.held() - rank.own(), .bytes = rank.bytes(), .bytes_sent = rank.bytes_sent()};
    mine.pass_seconds = rank.pass_seconds();
    Bytes message;
    halfulp::write(message, mine);
    std::vector<RankUse> uses;
    for (const Bytes& one : peers.gather(std::move(message))) {
        if (peers.rank() == 0) uses.push_back(MessageReader(one).take<RankUse>());
    }
    return uses;
}

// The exact sums of all ranks at rank 0; nothing of use elsewhere.
template <class Totals>
Totals merged(Peers& peers, const Totals& mine)
{
    Bytes message;
    halfulp::write(message, mine);
    const std::vector<Bytes> all = peers.gather(std::move(message));
    Totals total = mine;
    for (std::size_t r = 1; r < all.size() && peers.rank() == 0; ++r) total.merge(MessageReader(all[r]).take<Totals>());
    return total;
}
template <class Totals>
std::vector<Totals> merged(Peers& peers, const std::vector<Totals>& mine)
{
    std::vector<Totals> totals;
    for (const Totals& one : mine) totals.push_back(merged(peers, one));
    return totals;
}

}  // namespace detail

template <class Rank>
Ranks<Rank>::Ranks(const Problem& problem, const Settings& settings, std::unique_ptr<LocalRanks> others)
    : peers_(*settings.peers), others_(std::move(others))
{
    try {
        rank_ = std::make_unique<Rank>(problem, settings);
        static_cast<void>(peers_.any(false));  // all ranks have read the problem
    } catch (const OtherRankFailed&) {
        if (others_) others_->rethrow();
        throw;
    } catch (...) {
        peers_.fail();
        throw;
    }
}

template <class Rank>
Ranks<Rank>::~Ranks()
{
    if (failed_) return;
    try {
        broadcast(RankCommand::end, {}, [] {});
        peers_.finish();
    } catch (...) {  // the run has ended, however the others have
    }
}

template <class Rank>
template <class Act>
void Ranks<Rank>::command(RankCommand what, const Bytes& arguments, const Act& act) const
{
    flush();
    broadcast(what, arguments, act);
}

template <class Rank>
template <class Act>
void Ranks<Rank>::broadcast(RankCommand what, const Bytes& arguments, const Act& act) const
{
    try {
        Bytes message(sizeof what + arguments.size());
        std::memcpy(message.data(), &what, sizeof what);
        std::copy(arguments.begin(), arguments.end(), message.begin() + sizeof what);
        peers_.broadcast(message);
        act();
    } catch (const SimulationBroke&) {
        throw;
    } catch (const OtherRankFailed&) {
        failed_ = true;
        if (others_) others_->rethrow();
        throw;
    } catch (...) {
        failed_ = true;
        peers_.fail();
        throw;
    }
}

template <class Rank>
void Ranks<Rank>::serve(const Problem& problem, const Settings& settings, const std::function<void()>& check)
{
    Peers& peers = *settings.peers;
    Rank rank(problem, settings);
    static_cast<void>(peers.any(false));
    for (Bytes message;;) {
        peers.broadcast(message);
        MessageReader arguments(message);
        const auto what = arguments.take<RankCommand>();
        switch (what) {
        case RankCommand::prescribe: {
            CourseOfStep course;
            arguments.read(course.poses);
            arguments.read(course.inertial);
            arguments.read(course.forces_at_end);
            rank.prescribe(course);
            break;
        }
        case RankCommand::execute:
        case RankCommand::complete: {
            std::vector<Queued> operations;
            arguments.read(operations);
            perform(peers, rank, operations, what == RankCommand::complete);
            break;
        }
        case RankCommand::ledger: detail::merged(peers, rank.ledger_totals()); break;
        case RankCommand::sample: {
            std::vector<ProbePlace> places;
            arguments.read(places);
            detail::merged(peers, rank.sample(places));
            break;
        }
        case RankCommand::gather: {
            std::vector<detail::GatheredField> fields;
            std::vector<std::uint64_t> begins;
            arguments.read(fields);
            arguments.read(begins);
            detail::put_own(peers, rank, fields, begins[peers.rank()]);
            break;
        }
        case RankCommand::values: {
            const auto field = arguments.take<std::size_t>();
            const auto element = arguments.take<std::size_t>();
            std::vector<OwnRange> ranges;
            arguments.read(ranges);
            detail::values_of_all(peers, rank, field, element, ranges);
            break;
        }
        case RankCommand::restore: {
            const auto count = arguments.take<std::uint64_t>();
            detail::hold_share(peers, rank, {}, count, arguments.take<std::uint64_t>());
            break;
        }
        case RankCommand::measure: {
            detail::uses_of_all(peers, rank);
            break;
        }
        case RankCommand::threads: {
            const auto* const act = arguments.take<const std::function<void()>*>();
            if (peers.share_memory()) (*act)();
            else check();
            static_cast<void>(peers.any(false));  // rank 0 keeps what the pointer points to until then
            break;
        }
        case RankCommand::end: return;
        }
    }
}

template <class Rank>
void Ranks<Rank>::prescribe(const CourseOfStep& course)
{
    Bytes arguments;
    write(arguments, course.poses);
    write(arguments, course.inertial);
    write(arguments, course.forces_at_end);
    command(RankCommand::prescribe, arguments, [&] { rank_->prescribe(course); });
}

template <class Rank>
void Ranks<Rank>::execute(const Operation& operation, double step)
{
    queued_.push_back({operation, step});
    // Which may find a broken rule.
    if (info_of(operation.kind).target == TargetOfOperation::lists) flush();
}

template <class Rank>
void Ranks<Rank>::perform(Peers& peers, Rank& rank, const std::vector<Queued>& operations, bool completes)
{
    detail::until_broken(peers, [&] {
        for (const auto& [operation, step] : operations) rank.execute(operation, step);
        if (completes) rank.complete();
    });
}

template <class Rank>
void Ranks<Rank>::flush(bool completes) const
{
    if (queued_.empty() && !completes) return;
    const std::vector<Queued> operations = std::exchange(queued_, {});
    Bytes arguments;
    write(arguments, operations);
    broadcast(completes ? RankCommand::complete : RankCommand::execute, arguments,
              [&] { perform(peers_, *rank_, operations, completes); });
}

template <class Rank>
void Ranks<Rank>::complete()
{
    flush(true);
}

template <class Rank>
LedgerTotals Ranks<Rank>::ledger_totals() const
{
    LedgerTotals totals;
    command(RankCommand::ledger, {}, [&] { totals = detail::merged(peers_, rank_->ledger_totals()); });
    return totals;
}

template <class Rank>
std::vector<ProbeTotals> Ranks<Rank>::sample(const std::vector<ProbePlace>& places) const
{
    std::vector<ProbeTotals> totals;
    Bytes arguments;
    write(arguments, places);
    command(RankCommand::sample, arguments, [&] { totals = detail::merged(peers_, rank_->sample(places)); });
    return totals;
}

template <class Rank>
template <class Wanted>
Buffers<typename Ranks<Rank>::Policy> Ranks<Rank>::gathered(const Wanted& wanted) const
{
    std::vector<std::uint64_t> begins{0};
    for (const RankUse& one : rank_uses()) begins.push_back(begins.back() + one.own);
    const std::uint64_t count = begins.back();
    Buffers<Policy> all(rank_->physics());
    const std::vector<bool> is_wanted = wanted_fields(all, wanted);
    std::size_t bytes = 0;
    std::vector<detail::GatheredField> fields;
    all.for_each([&](const FieldInfo& info, auto& buffer) {
        if (wanted(info)) bytes += sizeof(buffer[0]);
    });
    require_memory_for_output(count, bytes);
    for_each_field_by_threads(all, count, [&](std::size_t field, auto& buffer) {
        if (is_wanted[field]) buffer.resize(count);
    });
    std::size_t field = 0;
    all.for_each([&](const FieldInfo& /*info*/, auto& buffer) {
        if (is_wanted[field]) fields.push_back({field, sizeof(buffer[0]), reinterpret_cast<std::byte*>(buffer.data())});
        ++field;
    });
    if (peers_.share_memory()) {
        Bytes arguments;
        write(arguments, fields);
        write(arguments, begins);
        command(RankCommand::gather, arguments, [&] { detail::put_own(peers_, *rank_, fields, 0); });
        return all;
    }
    constexpr std::uint64_t piece = std::uint64_t{1} << 20U;
    for (const detail::GatheredField& one : fields) {
        bool more = true;
        for (std::uint64_t done = 0; more; done += piece) {
            more = false;
            std::vector<OwnRange> ranges;
            for (std::size_t r = 0; r < peers_.ranks(); ++r) {
                const std::uint64_t own = begins[r + 1] - begins[r];
                ranges.push_back({std::min(done, own), std::min(piece, own - std::min(done, own))});
                more = more || done + piece < own;
            }
            const std::vector<Bytes> parts = values(one.field, one.element, ranges);
            for (std::size_t r = 0; r < parts.size(); ++r) {
                std::byte* const to = one.to + (begins[r] + ranges[r].first) * one.element;
                std::copy(parts[r].begin(), parts[r].end(), to);
            }
        }
    }
    return all;
}

template <class Rank>
Rates Ranks<Rank>::rates() const
{
    const Buffers<Policy> all = gathered(is_any);
    return rates_of<Policy, D>(view_of(all), rank_->constants().domain);
}

template <class Rank>
std::function<SnapshotSource()> Ranks<Rank>::shown() const
{
    const auto copied = std::make_shared<Buffers<Policy>>(gathered(is_shown));
    return [copied, domain = rank_->constants().domain] {
        return halfulp::snapshot_source<Policy, D>(view_of(*copied), domain, copied);
    };
}

template <class Rank>
std::vector<Bytes> Ranks<Rank>::values(std::size_t field, std::size_t element,
                                       const std::vector<OwnRange>& ranges) const
{
    std::vector<Bytes> all;
    Bytes arguments;
    write(arguments, field);
    write(arguments, element);
    write(arguments, ranges);
    command(RankCommand::values, arguments,
            [&] { all = detail::values_of_all(peers_, *rank_, field, element, ranges); });
    return all;
}

template <class Rank>
OrderOfRanks Ranks<Rank>::order_of_ranks() const
{
    std::vector<std::uint64_t> counts;
    for (const RankUse& one : rank_uses()) counts.push_back(one.own);
    // All ranks' pieces together take some tens of megabytes, unless there are very many.
    const std::uint64_t piece = std::max<std::uint64_t>((std::uint64_t{1} << 22U) / counts.size(), 1U << 16U);
    return OrderOfRanks(counts, piece, [this](const std::vector<OwnRange>& ranges) {
        using Cell = std::remove_cvref_t<decltype(Buffers<Policy>().cell[0])>;
        // The first two fields.
        return OrderOfRanks::Keys{values(0, sizeof(Cell), ranges), values(1, sizeof(Kind), ranges)};
    });
}

// Of each field rank 0 has no more than is asked for, and which particles are whose.
template <class Rank>
SavedParticles Ranks<Rank>::save() const
{
    refuse_library_numbers<Policy>();
    const auto order = std::make_shared<const OrderOfRanks>(order_of_ranks());
    const auto bytes = std::make_shared<Bytes>();
    SavedParticles saved{rebuilds(), {}};
    Buffers<Policy> fields(rank_->physics());
    std::size_t field = 0;
    fields.for_each([&](const FieldInfo& info, auto& buffer) {
        const std::size_t k = field++;
        if (info.role == Role::result) return;
        constexpr std::uint64_t element = sizeof(buffer[0]);
        const auto read = [=, this](std::uint64_t first, std::uint64_t count) {
            const std::uint64_t begin = first / element;
            const std::uint64_t end = (first + count + element - 1) / element;
            order->join(begin, end, values(k, element, order->ranges(begin, end)), element, *bytes);
            return std::span<const std::byte>(*bytes).subspan(first - begin * element, count);
        };
        saved.buffers.push_back({info.name, order->count() * element, read});
    });
    return saved;
}

template <class Rank>
void Ranks<Rank>::restore(const Problem& problem, const SavedParticles& saved)
{
    check_saved<Policy, D>(saved, problem, rank_->constants());
    const std::uint64_t count = problem.particles.size();
    Bytes arguments;
    write(arguments, count);
    write(arguments, saved.rebuilds);
    Buffers<Policy> fields(rank_->physics());
    const auto all = saved_fields(saved, count, fields);
    command(RankCommand::restore, arguments, [&] { detail::hold_share(peers_, *rank_, all, count, saved.rebuilds); });
}

template <class Rank>
std::vector<RankUse> Ranks<Rank>::rank_uses() const
{
    std::vector<RankUse> uses;
    command(RankCommand::measure, {}, [&] { uses = detail::uses_of_all(peers_, *rank_); });
    return uses;
}

template <class Rank>
std::uint64_t Ranks<Rank>::sum_of(std::uint64_t RankUse::*number) const
{
    std::uint64_t sum = 0;
    for (const RankUse& one : rank_uses()) sum += one.*number;
    return sum;
}

template <class Rank>
std::string Ranks<Rank>::description() const
{
    return std::to_string(peers_.ranks()) + " ranks, each: " + rank_->description();
}

template <class Rank>
void Ranks<Rank>::on_threads(const std::function<void()>& act) const
{
    Bytes arguments;
    write(arguments, &act);
    command(RankCommand::threads, arguments, [&] {
        act();
        static_cast<void>(peers_.any(false));
    });
}

}  // namespace halfulp
