// Ballistic neighbour lists: lists made for the course that particles are expected to take while the lists are in use.
//
// A list of support + skin has half as many entries again as there are neighbours. But most particles hardly change
// their velocity from one rebuild to the next: in a dam break the largest distance from a straight course over five
// steps is a fiftieth of the largest displacement. A list made for a course therefore contains only the pairs that come
// within the support plus both their tolerances while both particles move straight, up to a horizon, to where their
// velocity and acceleration lead them. The tolerance of a particle is half of its bend, the distance by which its
// acceleration alone would move it, plus a common part for what cannot be foreseen: the few particles that are thrown
// about have wide tolerances, the others next to none. The lists are valid until a particle has strayed from its course
// by more than its tolerance, or the horizon is reached. They are then made anew from the same cells, which contain
// everything that comes within the support before the next rebuild. No bit depends on the course: an entry beyond the
// support adds an exact zero.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "core/particles/field.hpp"
#include "kernels/physics.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// The place where each particle's course begins, and its move until the horizon, in the cells by which particles are
// ordered; null if no course is assumed. w of a move is the particle's own tolerance, length units.
template <class Real>
struct CourseView {
    const Four<Real>* place = nullptr;  // offsets, length units
    const Four<Real>* move = nullptr;   // null: none moves
    Real share = 0;                     // fraction of the moves that is completed at the end of the coming drift
};

// The pairs that the lists must contain: closer than the reach (length units) at present or, with moves, closer than
// the reach plus both tolerances at any time of the course.
template <class Real>
struct WantedPairs {
    Real reach_squared{};
    const Four<Real>* moves = nullptr;
};

// Whether lists can be made for courses: with fixed walls only, and not for global coordinates, which round moves.
template <class Policy>
bool has_courses(const Physics& physics)
{
    return Policy::Position::relative_to_cell && !physics.moving_walls;
}
template <class Policy>
std::size_t course_bytes_per_particle(const Physics& physics)
{
    return has_courses<Policy>(physics) ? 2 * sizeof(Four<typename Policy::Real>) : 0;
}

// A particle's move until the horizon of a course, from its velocity (straight, u T) and its acceleration (bend, a
// T^2/2), with its own tolerance in w. A parabola leaves its chord by a quarter of the bend; another quarter allows for
// accelerations that change on the way (docs/gpu.md). A bend that is NaN or longer than `most` is ignored: the particle
// is assumed to go straight on, with the widest tolerance.
template <int D, class Real>
HALFULP_INLINE Four<Real> course_of(const Vec<D, Real>& straight, const Vec<D, Real>& bend, Real most)
{
    Four<Real> move{};
    const Real bent = square_root(dot(bend, bend));
    const bool known = bent <= most;
    for (int c = 0; c < D; ++c) move[c] = known ? straight[c] + bend[c] : straight[c];
    move.w = constant<Real>(0.5) * (known ? bent : most);
    return move;
}

// The distance of a particle from its course after its coming move, less its own tolerance.
template <int D, class Real>
HALFULP_INLINE double deviation_of(const CourseView<Real>& course, std::size_t i, const Four<Real>& offset,
                                   const Vec<D, Real>& coming)
{
    const Four<Real> place = course.place[i];
    const Four<Real> move = course.move != nullptr ? course.move[i] : Four<Real>{};
    Vec<D, Real> deviation;
    for (int c = 0; c < D; ++c) deviation[c] = (offset[c] - place[c]) + (coming[c] - course.share * move[c]);
    return larger(0.0, static_cast<double>(square_root(dot(deviation, deviation)) - move.w));
}

// The course for which the lists are made: it decides when they are made anew and how far they reach. Lengths and times
// in units of the state.
class Course {
public:
    Course(double support, double skin) : support_(support), far_(0.5 * skin) {}

    // Assumes no course: the next lists are those of support + skin.
    void forget()
    {
        kind_ = Kind::none;
        since_rebuild_ = 0;
    }
    // If courses are possible, the next lists are valid for the present positions only.
    void stay(bool possible)
    {
        kind_ = possible ? Kind::here : Kind::none;
        tolerance_ = smallest_tolerance * support_;
        begin(0);
        since_rebuild_ = 0;
    }
    // At a refresh before a drift: whether lists must be made anew, for the course that is then assumed. longest: the
    // largest displacement in the drift; deviation: the largest distance from a course at its end, in excess of the
    // particle's own tolerance; rebuilt: whether they are made anew in any case.
    [[nodiscard]] bool must_renew(bool rebuilt, bool possible, double deviation, double longest, double drift)
    {
        const Answer answer = ask(rebuilt, possible, deviation, longest, drift);
        elapsed_ += drift;
        return answer.renew;
    }
    // The same at a refresh after such a drift, for drifts of equal length. farthest: the largest displacement since
    // the last rebuild. A new course begins at the end of the drift.
    [[nodiscard]] bool must_renew_after(bool rebuilt, bool possible, double deviation, double farthest, double drift)
    {
        since_rebuild_ += drift;
        const double longest = farthest * (drift / since_rebuild_);  // on the average
        const Answer answer = ask(rebuilt, possible, deviation, longest, drift);
        if (!answer.begun) elapsed_ += drift;
        if (rebuilt) since_rebuild_ = 0;
        return answer.renew;
    }

    // For a coming refresh with that drift, as above: the largest deviation with which the lists are still valid,
    // provided that nothing has outrun them; none if that cannot be told yet.
    [[nodiscard]] std::optional<double> most_deviation(bool possible, double drift) const
    {
        if (!is_assumed()) return possible ? std::nullopt : std::optional(std::numeric_limits<double>::infinity());
        const double time = elapsed_ + drift;
        return in_time(time) ? std::optional(left_by_rounding * tolerance_) : std::nullopt;
    }

    // Whether deviations are to be measured; whether particles have moves.
    [[nodiscard]] bool is_assumed() const { return kind_ != Kind::none; }
    [[nodiscard]] bool has_moves() const { return kind_ == Kind::straight_on; }
    [[nodiscard]] double horizon() const { return horizon_; }
    // The reach of the lists, without the particles' own tolerances; only if a course is assumed.
    [[nodiscard]] double reach() const { return support_ + 2 * tolerance_; }
    // The longest bend that is taken into account (see course_of).
    [[nodiscard]] double most_bend() const { return 0.5 * far_; }
    // The fraction of the horizon that has passed at the end of the coming drift.
    [[nodiscard]] double share(double drift) const
    {
        return has_moves() ? std::clamp((elapsed_ + drift) / horizon_, 0.0, 1.0) : 0.0;
    }

private:
    enum class Kind { none, here, straight_on };
    static constexpr double left_by_rounding = 0.999;
    static constexpr double smallest_tolerance = 0.002;  // over the support; far more than rounding

    struct Answer {
        bool renew;  // the lists must be made
        bool begun;  // another course, or none
    };
    Answer ask(bool rebuilt, bool possible, double deviation, double longest, double drift)
    {
        const double time = elapsed_ + drift;
        if (has_moves() && time > 0) latest_bend_ = deviation / (time * time);
        const bool was_assumed = is_assumed();
        const bool holds = was_assumed && in_time(time) && deviation <= left_by_rounding * tolerance_;
        const bool begun = rebuilt || !holds;
        if (begun) go_on(possible, longest, drift);
        return {rebuilt || (!holds && (was_assumed || is_assumed())), begun};
    }

    [[nodiscard]] bool in_time(double time) const { return time >= 0 && time <= horizon_; }
    void begin(double horizon)
    {
        horizon_ = horizon;
        elapsed_ = 0;
    }
    void go_on(bool possible, double longest, double drift)
    {
        if (!possible || !(drift > 0)) {
            kind_ = Kind::none;
            return;
        }
        constexpr double beyond_rebuild = 1.15;  // the fastest particle may slow down
        constexpr double fewest_drifts = 2;
        constexpr double most_drifts = 64;
        constexpr double margin = 1.5;
        constexpr double memory = 0.7;
        kind_ = Kind::straight_on;
        const double outrun = beyond_rebuild * far_;
        const double drifts = most_drifts * longest > outrun ? outrun / longest : most_drifts;
        begin(std::max(drifts, fewest_drifts) * drift);
        bend_ = std::max(memory * bend_, latest_bend_);
        const double smallest = smallest_tolerance * support_;
        tolerance_ = std::clamp(margin * bend_ * horizon_ * horizon_, smallest, std::max(smallest, 0.5 * far_));
    }

    double support_;
    double far_;  // the displacement that requires a rebuild
    Kind kind_ = Kind::none;
    double horizon_ = 0;
    double tolerance_ = 0;
    double elapsed_ = 0;
    double since_rebuild_ = 0;  // where drifts precede refreshs
    double bend_ = 0;           // deviation over time squared, as measured of late
    double latest_bend_ = 0;
};

}  // namespace halfulp
