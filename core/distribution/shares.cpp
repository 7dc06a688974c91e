#include "core/distribution/shares.hpp"

#include <algorithm>
#include <cmath>

namespace halfulp {

namespace {

// One process in the place of all ranks: what it has is what all of them have together.
class InPlaceOfAll final : public Peers {
public:
    explicit InPlaceOfAll(std::size_t ranks) : ranks_(ranks) {}
    [[nodiscard]] std::size_t rank() const override { return 0; }
    [[nodiscard]] std::size_t ranks() const override { return ranks_; }
    [[nodiscard]] bool share_memory() const override { return true; }
    [[nodiscard]] std::size_t place_on_machine() const override { return 0; }
    [[nodiscard]] std::size_t ranks_on_machine() const override { return 1; }
    void maximum(std::span<double> /*values*/) override {}
    void sum(std::span<std::uint64_t> /*values*/) override {}
    void broadcast(Bytes& /*message*/) override {}
    void exchange(const std::vector<Bytes>& /*to*/, std::vector<Bytes>& /*from*/) override {}
    void fail() noexcept override {}

private:
    std::size_t ranks_;
};

// The particles of a cell.
struct Content {
    Four<std::int32_t> cell;
    std::uint64_t all = 0;
    std::uint64_t fluid = 0;
};

}  // namespace

// The image of a mirrored wall lies up to its distance away, from a wall that may have moved by the skin.
std::int64_t reach_of_halo(const Problem& problem)
{
    double farthest = 0;
    for (const MirrorImage& image : problem.mirror_images) {
        if (!image.exists) continue;
        double square = 0;
        for (const float x : image.from_particle) square += static_cast<double>(x) * static_cast<double>(x);
        farthest = std::max(farthest, std::sqrt(square));
    }
    const double beyond = farthest > 0 ? std::ceil(farthest + 1 + skin_fraction(problem.source)) : 0;
    return problem.search_cells + static_cast<std::int64_t>(beyond);
}

std::vector<RankShare> shares_at_start(const Problem& problem, std::size_t ranks)
{
    std::vector<Four<std::int32_t>> cells;
    std::vector<std::uint32_t> work;
    for (const InitialParticle& particle : problem.particles) {
        cells.push_back({particle.cell[0], particle.cell[1], particle.cell[2], particle.kind == Kind::fluid ? 1 : 0});
        work.push_back(work_at_start(particle.kind));
    }
    InPlaceOfAll all(ranks);
    const Decomposition boxes = Decomposition::by_work(all, cells, work, problem.source.dimensions);

    const auto place = [](const Four<std::int32_t>& cell) { return std::array{cell.z, cell.y, cell.x}; };
    std::ranges::sort(cells, {}, place);
    std::vector<Content> contents;
    for (const auto& cell : cells) {
        if (contents.empty() || place(contents.back().cell) != place(cell)) contents.push_back({.cell = cell});
        ++contents.back().all;
        contents.back().fluid += cell.w != 0 ? 1 : 0;
    }
    const std::int64_t reach = reach_of_halo(problem);
    const PeriodOfCells periods{problem.source.origin.cells, problem.period};
    std::vector<RankShare> shares(ranks);
    for (const Content& content : contents) {
        const std::size_t owner = boxes.owner(content.cell);
        shares[owner].own += content.all;
        shares[owner].fluid += content.fluid;
        if (boxes.is_inside(content.cell, reach, owner, periods)) continue;
        for (std::size_t r = 0; r < ranks; ++r) {
            if (r == owner || !is_within_reach(content.cell, reach, boxes.box(r), periods)) continue;
            shares[r].halo += content.all;
            shares[r].fluid_of_halo += content.fluid;
        }
    }
    return shares;
}

}  // namespace halfulp
