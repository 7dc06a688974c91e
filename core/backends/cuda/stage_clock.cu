#include "core/backends/cuda/stage_clock.cuh"

#include <numeric>
#include <utility>

namespace halfulp::cuda {

void StageClock::begin(Part part, Stage stage)
{
    if (step_.empty() || step_.back().part != part || step_.back().stage != stage)
        step_.push_back({part, stage, events_.passed_by(stream_)});
}

void StageClock::begin(Stage stage)
{
    const bool apart = steps_told_apart_ == TellsApart::every_step || steps_ < in_turn || steps_ == told_apart_next_;
    if (apart || stage == Stage::output) begin(Part::stage, stage);
    else begin(Part::shared_out, Stage::update);
}

void StageClock::begin_rebuild() { begin(Part::rebuild, Stage::neighbours); }

void StageClock::end_step()
{
    read();
    over_.swap(step_);
    end_of_over_ = events_.passed_by(stream_);
    ++steps_;
    if (steps_ % in_turn == 0) told_apart_next_ = steps_ + random_() % in_turn;
}

bool StageClock::read()
{
    if (end_of_over_ == nullptr) return false;
    Seconds apart{};
    double shared_out = 0;
    for (std::size_t k = 0; k < over_.size(); ++k) {
        const cudaEvent_t next = k + 1 < over_.size() ? over_[k + 1].begins : end_of_over_;
        const double lasted = seconds_between(over_[k].begins, next);
        const auto stage = static_cast<std::size_t>(over_[k].stage);
        if (over_[k].part == Part::shared_out) shared_out += lasted;
        else seconds_[stage] += lasted;
        if (over_[k].part == Part::stage && over_[k].stage != Stage::output) apart[stage] += lasted;
    }
    for (const Timed& one : over_) events_.give_back(one.begins);
    events_.give_back(std::exchange(end_of_over_, nullptr));
    over_.clear();
    const auto total = [](const Seconds& of) { return std::accumulate(of.begin(), of.end(), 0.0); };
    if (total(apart) > 0) {
        constexpr double weight_of_past = 0.98;
        for (std::size_t k = 0; k < apart.size(); ++k) told_apart_[k] = weight_of_past * told_apart_[k] + apart[k];
    }
    if (shared_out > 0 && total(told_apart_) > 0) {
        const double share = shared_out / total(told_apart_);
        for (std::size_t k = 0; k < seconds_.size(); ++k) seconds_[k] += share * told_apart_[k];
    }
    return true;
}

}  // namespace halfulp::cuda
