// The member functions of a back end on several ranks, included where a policy is instantiated.
#pragma once

#include "core/backends/ranks.hpp"
#include "core/backends/ranks_states_body.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

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

// Collective, after a rule was broken: at rank 0 throws the breakdown of the particle with the smallest id on any rank.
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

// Collective: calls act(). If any rank finds a broken rule in it, rank 0 throws the breakdown; the others return.
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

// Collective: at rank 0 the uses of all ranks; elsewhere nothing.
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
    if (failure_) return;
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
    // Whoever goes on after one (a checkpoint that is not taken may be done without) gets it again.
    if (failure_) std::rethrow_exception(failure_);
    try {
        Bytes message(sizeof what + arguments.size());
        std::memcpy(message.data(), &what, sizeof what);
        std::copy(arguments.begin(), arguments.end(), message.begin() + sizeof what);
        peers_.broadcast(message);
        act();
    } catch (const SimulationBroke&) {
        throw;
    } catch (const OtherRankFailed&) {
        failure_ = std::current_exception();
        if (others_) {
            try {
                others_->rethrow();
            } catch (...) {
                failure_ = std::current_exception();
            }
        }
        std::rethrow_exception(failure_);
    } catch (...) {
        failure_ = std::current_exception();
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
