// halfulp validate symmetry: does a computed flow keep the symmetries of the equations? Two colliding drops are seen in
// a mirror, turned, from a moving frame and in other units; and left to themselves for long, for what becomes of
// momentum, angular momentum and the centre of mass.
#include "validation/experiment.hpp"
#include "validation/laboratory.hpp"
#include "validation/symmetry/images.hpp"

namespace halfulp {

namespace {

constexpr const char* case_name = "colliding-drops-2d";
constexpr std::uint64_t seed = 1;
constexpr int moments = 60;

const std::vector<Image>& images()
{
    static const std::vector<Image> all{
        {.name = "mirror x -> -x", .kind = ImageKind::mirror},
        {.name = "half turn", .kind = ImageKind::half_turn},
        {.name = "quarter turn", .kind = ImageKind::quarter_turn},
        {.name = "boost (2, 1) m/s", .kind = ImageKind::boost, .boost = {2, 1}},
        {.name = "boost (8, -4) m/s", .kind = ImageKind::boost, .boost = {8, -4}},
        {.name = "lengths, velocities x 2", .kind = ImageKind::scaled, .length = 1, .velocity = 1},
        {.name = "lengths / 1024, velocities / 8, density x 16",
         .kind = ImageKind::scaled,
         .length = -10,
         .velocity = -3,
         .density = 4}};
    return all;
}

struct Measurements {
    std::vector<PolicyInfo> policies;
    std::map<std::string, std::vector<ImageComparison>> images;  // of a policy, in the order of images()
    std::map<std::string, Conservation> conservation;
};

Measurements measure(const StudyOptions& options, int image_steps, int free_steps)
{
    Measurements all{.policies = laboratory_policies(options.scale), .images = {}, .conservation = {}};
    std::vector<Job> jobs;
    for (const PolicyInfo& policy : all.policies) {
        const Case c = case_with(case_name, Variant{.precision = policy.name});
        for (const Image& image : images()) {
            jobs.push_back(
                {job_key("symmetry image", c,
                         {fmt::format("image={} boost={} {}", image.name, image.boost[0], image.boost[1]),
                          fmt::format("scale={} {} {}", image.length, image.velocity, image.density),
                          fmt::format("seed={} steps={} moments={}", seed, image_steps, moments)}),
                 [c, image, image_steps] { return compare_with_image(c, image, seed, image_steps, moments); }});
        }
        jobs.push_back({job_key("symmetry conservation", c,
                                {fmt::format("seed={} steps={} moments={}", seed, free_steps, moments)}),
                        [c, free_steps] { return measure_conservation(c, seed, free_steps, moments); }});
    }
    const std::size_t each = images().size() + 1;
    Study("symmetry", options).run(jobs, [&](std::size_t k, const Result& result) {
        const std::string& name = all.policies[k / each].name;
        if (k % each < images().size()) all.images[name].push_back(result.as<ImageComparison>());
        else all.conservation[name] = result.as<Conservation>();
    });
    return all;
}

// The last kept moment not after a share of all steps.
const ImageComparison::Moment& at_share(const ImageComparison& r, double share, int steps)
{
    const auto later = [&](const ImageComparison::Moment& m) { return m.step > share * steps; };
    return *std::prev(std::ranges::find_if(r.moments.begin() + 1, r.moments.end(), later));
}

void report_images(Page& page, const Measurements& all, int steps)
{
    for (std::size_t i = 0; i < images().size(); ++i) {
        page.table({"policy", "du/dt: same bits", "ds/dt: same bits", "du/dt: largest difference [u]",
                    "first step that differs", fmt::format("after {} steps [spacings]", steps / 10),
                    fmt::format("after {} [spacings]", steps), "velocity [u of the fastest]"},
                   "{}: the first passes, the first step after which any bit differs, the rms distance between the "
                   "particles and their images taken back, and the largest difference of velocity at the end",
                   images()[i].name);
        for (const PolicyInfo& policy : all.policies) {
            const ImageComparison& r = all.images.at(policy.name)[i];
            const auto& last = r.moments.back();
            page.row("{} | {:.1f} % | {:.1f} % | {:.3g} | {} | {:.2e} | {} | {:.3g}", policy.name, 100 * r.same_forces,
                     100 * r.same_density, r.force_difference,
                     r.first_different_step < 0 ? "none" : std::to_string(r.first_different_step),
                     at_share(r, 0.1, steps).rms,
                     r.broke ? fmt::format("stopped at {:.3g} s", last.time) : fmt::format("{:.2e}", last.rms),
                     last.velocity);
        }
    }
}

// A policy's rounding over double's: how much larger the distance between image and original may be, when the flow
// makes either grow by the same factor. 4 for chance: two maxima over a few hundred roundings each.
constexpr double allowed_over_double = 4 * 0x1p29;
// Up to here the distances of both grow in proportion to the roundings; farther apart the flows are different ones.
constexpr double linear = 1e-3;  // spacings

void judge_images(Page& page, const Measurements& all)
{
    bool scaling = true;
    std::string broken;
    for (const PolicyInfo& policy : all.policies) {
        for (std::size_t i = 0; i < images().size(); ++i) {
            if (images()[i].kind != ImageKind::scaled) continue;
            const ImageComparison& r = all.images.at(policy.name)[i];
            if (r.first_different_step < 0 && r.same_to_the_end && !r.broke && r.same_forces == 1) continue;
            scaling = false;
            broken += " " + policy.name;
        }
    }
    page.verdict(scaling,
                 "scaling lengths, velocities and densities by powers of two changes no bit of any policy's "
                 "numbers but exponents, at any step" +
                     (broken.empty() ? "" : "; it does of" + broken));

    bool order = true;
    for (std::size_t i = 0; i < images().size(); ++i) {
        const ImageComparison& r = all.images.at("robust")[i];
        if (images()[i].kind == ImageKind::mirror || images()[i].kind == ImageKind::half_turn)
            order = order && r.same_forces == 1 && r.same_density == 1;
    }
    page.verdict(order,
                 "in a mirror and after a half turn, which only change the order of the neighbours, robust's "
                 "first passes give the same bits: its sums do not depend on the order");

    double worst = 0;
    bool stopped = false;
    for (std::size_t i = 0; i < images().size(); ++i) {
        if (images()[i].kind == ImageKind::scaled) continue;
        const ImageComparison& robust = all.images.at("robust")[i];
        const ImageComparison& reference = all.images.at("double")[i];
        stopped = stopped || robust.broke || reference.broke;
        double largest = 0;
        for (std::size_t k = 0; k < std::min(robust.moments.size(), reference.moments.size()); ++k) {
            largest = std::max(largest, reference.moments[k].rms);
            if (robust.moments[k].rms > linear) break;
            // Where double has no difference yet, one rounding of an offset stands for it.
            const double unit = std::max(largest, 0x1p-53);
            worst = std::max(worst, robust.moments[k].rms / unit);
        }
    }
    page.verdict(!stopped && worst <= allowed_over_double,
                 "robust parts from its image at most 4 2^29 = {:.2e} times as far as double does, up to "
                 "{:g} spacings: measured {:.2e}",
                 allowed_over_double, linear, worst);
}

double largest(const Conservation& c, double Conservation::Moment::*member)
{
    double result = 0;
    for (const auto& m : c.moments) result = std::max(result, m.*member);
    return result;
}

void report_conservation(Page& page, const Measurements& all, int steps)
{
    using Moment = Conservation::Moment;
    page.table({"policy", "momentum", "over robust's", "angular momentum", "over robust's", "centre of mass [spacings]",
                "over robust's", "end"},
               "{} steps of the drops left to themselves: the largest change of the momentum over sum m|u|, of the "
               "angular momentum over sum m|x||u|, and the largest distance of the centre of mass from uniform motion",
               steps);
    const Conservation& robust = all.conservation.at("robust");
    for (const PolicyInfo& policy : all.policies) {
        const Conservation& r = all.conservation.at(policy.name);
        const auto both = [&](double Moment::*member) {
            const double own = largest(r, member);
            return std::array{fmt::format("{:.2e}", own), fmt::format("{:.2g}", own / largest(robust, member))};
        };
        const auto momentum = both(&Moment::momentum);
        const auto angular = both(&Moment::angular_momentum);
        const auto centre = both(&Moment::centre);
        page.row({policy.name, momentum[0], momentum[1], angular[0], angular[1], centre[0], centre[1],
                  r.broke ? fmt::format("stopped after {:.3g} s", r.moments.back().time) : "reached"});
    }
    const auto& last = robust.moments.back();
    page.paragraph(
        "For robust, rounding may change the momentum by {:.2e} if every rounding goes to one side, and is expected to "
        "by {:.2e} if they are independent: it grows as the square root of the steps. Measured: {:.2e} at the end.",
        last.momentum_bound, last.momentum_expected, last.momentum);
}

void judge_conservation(Page& page, const Measurements& all, int steps)
{
    const Conservation& robust = all.conservation.at("robust");
    bool bounded = !robust.broke;
    bool random = !robust.broke;
    bool centre = !robust.broke;
    double of_expected = 0;
    for (const auto& m : robust.moments) {
        bounded = bounded && m.momentum <= m.momentum_bound;
        random = random && m.momentum <= 4 * m.momentum_expected;
        centre = centre && m.centre <= m.centre_bound;
        if (m.step > 0) of_expected = std::max(of_expected, m.momentum / m.momentum_expected);
    }
    page.verdict(bounded, "robust's momentum stays within the bound of all its roundings to one side, at every moment");
    page.verdict(random, "and within 4 standard deviations of independent roundings: at most {:.2g}", of_expected);
    page.verdict(centre, "robust's centre of mass keeps to uniform motion within the bound that follows from these");
    const double angular = largest(robust, &Conservation::Moment::angular_momentum);
    const double limit = 0x1p-24 * std::sqrt(steps);
    page.verdict(!robust.broke && angular <= limit,
                 "robust's angular momentum changes by less than if all of it were rounded once a step to "
                 "either side, u sqrt(steps) = {:.2e}: {:.2e}",
                 limit, angular);
}

void write_tables(Table& conservation, Table& distance, const Measurements& all)
{
    for (const PolicyInfo& policy : all.policies) {
        for (const auto& m : all.conservation.at(policy.name).moments)
            conservation.row(policy.name, policy.bundle, m.step, m.time, m.momentum, m.angular_momentum, m.centre,
                             m.momentum_bound, m.momentum_expected, m.centre_bound);
        for (std::size_t i = 0; i < images().size(); ++i) {
            const ImageComparison& r = all.images.at(policy.name)[i];
            for (const auto& m : r.moments)
                distance.row(policy.name, policy.bundle, images()[i].name, m.step, m.time, m.rms, m.largest, m.velocity,
                             m.same, r.same_forces, r.same_density, r.force_difference);
        }
    }
}

ExitCode run_experiment(const StudyOptions& options)
{
    const int image_steps = options.choose(400, 1000, 4000);
    const int free_steps = options.choose(2000, 20000, 200000);
    Page page(options.folder, "symmetry", "Symmetries and what they keep");
    page.paragraph(
        "{}: two drops of 150 particles collide in free space, inviscid, every particle displaced and "
        "stirred at random (seed {}). Images are exact at the start: cells and offsets negated or swapped, "
        "velocities of a boost exact sums. u is 2^-24, for double 2^-53.",
        case_name, seed);
    const Measurements all = measure(options, image_steps, free_steps);
    Table conservation(options.folder, "symmetry",
                       "precision,bundle,step,time[s],momentum[1],angular_momentum[1],centre[spacings],"
                       "momentum_bound[1],momentum_expected[1],centre_bound[spacings]");
    Table distance(options.folder, "symmetry-images",
                   "precision,bundle,image,step,time[s],rms[spacings],largest[m],velocity[u],same_particles[1],"
                   "same_forces[1],same_density_rates[1],force_difference[u]");
    write_tables(conservation, distance, all);

    page.heading("Images");
    report_images(page, all, image_steps);
    page.draw(distance.complete(), "symmetry",
              "Distance between particles and their images taken back, over the steps: it starts from rounding and "
              "grows with the flow, in every arithmetic alike.");
    judge_images(page, all);
    page.heading("Momentum, angular momentum, centre of mass");
    report_conservation(page, all, free_steps);
    page.draw(conservation.complete(), "symmetry",
              "What changes of the momentum, the angular momentum and the centre of mass of an isolated system; grey: "
              "robust's bound for all roundings to one side, and what is expected of independent ones.");
    judge_conservation(page, all, free_steps);
    return page.close();
}

const bool registered = register_study<StudyOptions>(
    "symmetry",
    "Symmetries (mirror images, rotations, moving frames, units) to the bit; drift of momentum and centre of mass",
    run_experiment);

}  // namespace

}  // namespace halfulp
