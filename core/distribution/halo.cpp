#include "core/distribution/halo.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace halfulp {

namespace {

void append(Bytes& message, const std::byte* from, std::size_t bytes)
{
    message.insert(message.end(), from, from + bytes);
}

void append(Bytes& message, const RawField& field, const std::vector<std::uint32_t>& particles)
{
    std::size_t at = message.size();
    message.resize(at + particles.size() * field.element);
    for (const std::uint32_t i : particles) {
        std::memcpy(message.data() + at, field.data + i * field.element, field.element);
        at += field.element;
    }
}

}  // namespace

void Halo::Lists::clear(std::size_t ranks)
{
    for (auto* lists : {&all, &fluid}) {
        lists->resize(ranks);
        for (auto& list : *lists) list.clear();
    }
}

void Halo::Lists::add(std::size_t rank, std::uint32_t particle, Kind kind)
{
    all[rank].push_back(particle);
    if (kind == Kind::fluid) fluid[rank].push_back(particle);
}

void Halo::all_are_own(std::size_t particles)
{
    owned_.assign(particles, 1);
    own_indices_.resize(particles);
    std::iota(own_indices_.begin(), own_indices_.end(), 0U);
}

void Halo::decompose(const std::vector<Four<std::int32_t>>& cells, const std::vector<std::uint32_t>& work)
{
    std::vector<Four<std::int32_t>> own;
    std::vector<std::uint32_t> work_of_own;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (work[i] == 0) continue;
        own.push_back(cells[i]);
        work_of_own.push_back(work[i]);
    }
    ++decompositions_;
    decomposition_ = cuts_.at_random ? Decomposition::at_random(peers_, own, dimensions_, cuts_.seed + decompositions_)
                                     : Decomposition::by_work(peers_, own, work_of_own, dimensions_, powers_);
}

// A decomposition costs about as much as a rebuild of the lists, and moves particles. The first look is at the first
// lists, before which the work of a particle is a guess.
bool Halo::is_to_be_balanced()
{
    constexpr std::uint64_t rebuilds_between = 20;
    if (cuts_.at_random || decompositions_ == 0) return true;
    constexpr std::uint64_t first = 2;
    return peers_.ranks() > 1 && (++asked_ == first || asked_ % rebuilds_between == 0);
}

bool Halo::is_unbalanced(std::uint64_t work, double seconds)
{
    constexpr double tolerance = 1.05;
    if (cuts_.at_random || decompositions_ == 0) return true;
    const std::size_t ranks = peers_.ranks();
    std::vector<double> all(2 * ranks, 0);
    all[peers_.rank()] = static_cast<double>(work);
    all[ranks + peers_.rank()] = seconds;
    peers_.maximum(all);
    const auto works = std::span(all).first(ranks);
    learn_powers(works, std::span(all).last(ranks));
    double most = 0;
    double total = 0;
    double power = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
        const double own = powers_.empty() ? 1 : powers_[r];
        most = std::max(most, works[r] / own);
        total += works[r];
        power += own;
    }
    return most * power > tolerance * total;
}

// Small differences are those of the particles' neighbourhoods, not of the machines.
void Halo::learn_powers(std::span<const double> work, std::span<const double> seconds)
{
    constexpr double alike = 1.1;
    constexpr double farthest = 4;  // from the mean; more is an error of the times, as of ranks with little to do
    std::vector<double> rates;
    for (std::size_t r = 0; r < work.size(); ++r) {
        if (!(work[r] > 0)) return powers_.clear();
        if (!(seconds[r] > 0)) return;  // without times what is known stays
        rates.push_back(work[r] / seconds[r]);
    }
    const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size());
    for (std::size_t r = 0; r < rates.size(); ++r) {
        rates[r] = std::clamp(rates[r] / mean, 1 / farthest, farthest);
        if (!powers_.empty()) rates[r] = 0.5 * (rates[r] + powers_[r]);
    }
    const auto [least, most] = std::ranges::minmax(rates);
    if (most > alike * least) powers_ = rates;
    else powers_.clear();
}

std::size_t Halo::redistribute(const std::vector<Four<std::int32_t>>& cells, const std::vector<RawField>& fields,
                               const std::function<std::vector<RawField>(std::size_t)>& resize,
                               std::vector<std::uint32_t>& kept)
{
    const std::size_t ranks = peers_.ranks();
    const std::size_t here = peers_.rank();
    std::vector<std::vector<std::uint32_t>> to_own(ranks);
    std::vector<std::vector<std::uint32_t>> to_copy(ranks);
    kept.clear();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (owned_[i] == 0) continue;
        const std::size_t owner = decomposition_.owner(cells[i]);
        const auto particle = static_cast<std::uint32_t>(i);
        if (owner == here) {
            kept.push_back(particle);
            if (is_inside(cells[i])) continue;
        } else {
            to_own[owner].push_back(particle);
        }
        for (std::size_t r = 0; r < ranks; ++r) {
            if (r == owner || !is_within_reach(cells[i], reach_, decomposition_.box(r), periods_)) continue;
            if (r == here) kept.push_back(particle);
            else to_copy[r].push_back(particle);
        }
    }

    sent_.resize(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
        Bytes& message = sent_[r];
        message.clear();
        if (r == here) continue;
        const std::array<std::uint64_t, 2> counts{to_own[r].size(), to_copy[r].size()};
        append(message, reinterpret_cast<const std::byte*>(counts.data()), sizeof counts);
        for (const RawField& field : fields) {
            if (!field.moves) continue;
            append(message, field, to_own[r]);
            if (!field.of_owner) append(message, field, to_copy[r]);
        }
    }
    peers_.exchange(sent_, received_);

    for (const RawField& field : fields) {
        if (!field.moves) continue;
        for (std::size_t k = 0; k < kept.size(); ++k) {
            if (kept[k] != k) {
                std::memcpy(field.data + k * field.element, field.data + kept[k] * field.element, field.element);
            }
        }
    }
    std::vector<std::array<std::uint64_t, 2>> counts(ranks);
    std::size_t count = kept.size();
    for (std::size_t r = 0; r < ranks; ++r) {
        if (r == here) continue;
        std::memcpy(counts[r].data(), received_[r].data(), sizeof counts[r]);
        count += counts[r][0] + counts[r][1];
    }
    const std::vector<RawField> now = resize(count);
    std::size_t first = kept.size();
    for (std::size_t r = 0; r < ranks; ++r) {
        if (r == here) continue;
        const auto [own, copies] = counts[r];
        const std::byte* from = received_[r].data() + sizeof counts[r];
        for (const RawField& field : now) {
            if (!field.moves) continue;
            const std::size_t arriving = own + (field.of_owner ? 0 : copies);
            std::byte* const to = field.data + first * field.element;
            if (arriving > 0) std::memcpy(to, from, arriving * field.element);
            if (field.of_owner && copies > 0) std::memset(to + own * field.element, 0, copies * field.element);
            from += arriving * field.element;
        }
        first += own + copies;
    }
    return count;
}

void Halo::sorted(const std::vector<Four<std::int32_t>>& cells, const std::vector<Kind>& kinds)
{
    const std::size_t ranks = peers_.ranks();
    const std::size_t here = peers_.rank();
    owned_.resize(cells.size());
    own_indices_.clear();
    to_others_.clear(ranks);
    from_others_.clear(ranks);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t owner = decomposition_.owner(cells[i]);
        const auto particle = static_cast<std::uint32_t>(i);
        owned_[i] = owner == here ? 1 : 0;
        if (owner != here) {
            from_others_.add(owner, particle, kinds[i]);
            continue;
        }
        own_indices_.push_back(particle);
        if (is_inside(cells[i])) continue;
        for (std::size_t r = 0; r < ranks; ++r) {
            if (r != here && is_within_reach(cells[i], reach_, decomposition_.box(r), periods_))
                to_others_.add(r, particle, kinds[i]);
        }
    }
}

void Halo::exchange(const std::vector<RawField>& fields, const std::vector<FieldPart>& parts)
{
    const std::size_t ranks = peers_.ranks();
    // Calls act(offset in the message, address of the part, bytes) for all parts of the particles of a rank's lists.
    const auto over_parts = [&](const Lists& lists, std::size_t rank, auto act) {
        std::size_t at = 0;
        for (const FieldPart& part : parts) {
            const RawField& field = fields[part.field];
            std::byte* const first = field.data + part.offset;
            for (const std::uint32_t i : part.of_fluid_alone ? lists.fluid[rank] : lists.all[rank]) {
                act(at, first + i * field.element, part.bytes);
                at += part.bytes;
            }
        }
    };
    sent_.resize(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
        std::size_t bytes = 0;
        for (const FieldPart& part : parts)
            bytes += part.bytes * (part.of_fluid_alone ? to_others_.fluid[r] : to_others_.all[r]).size();
        sent_[r].resize(bytes);
        over_parts(to_others_, r, [&](std::size_t at, const std::byte* here, std::size_t size) {
            std::memcpy(sent_[r].data() + at, here, size);
        });
        bytes_sent_ += bytes;
    }
    peers_.exchange(sent_, received_);
    for (std::size_t r = 0; r < ranks; ++r) {
        over_parts(from_others_, r, [&](std::size_t at, std::byte* here, std::size_t size) {
            std::memcpy(here, received_[r].data() + at, size);
        });
    }
}

}  // namespace halfulp
