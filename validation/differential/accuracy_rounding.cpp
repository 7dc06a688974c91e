
#include "validation/differential/accuracy.hpp"
#include "validation/differential/parts.hpp"

namespace halfulp::differential {

void find_rounding_errors(const StudyOptions& options, Page& page, Study& study)
{
    Table errors(options.folder, "differential-rounding",
                 "policy,displacement[cells],reference[amplitude],scale[spacings],quantity,whole[ulp],as_stored[ulp]");
    Table shares(options.folder, "differential-shares", "policy,quantity,part,share[ulp]");
    const PartsPolicy robust{.name = "robust"};
    std::vector<PartsPolicy> policies{robust};
    const auto with = [&](const char* name, auto change) {
        PartsPolicy policy = robust;
        policy.name = name;
        change(policy);
        policies.push_back(policy);
    };
    with("robust/position=global", [](auto& p) { p.position = PositionPart::global; });
    with("robust/position=global-double", [](auto& p) { p.position = PositionPart::global_double; });
    with("robust/position=double-float", [](auto& p) { p.position = PositionPart::double_float; });
    with("robust/value=absolute", [](auto& p) { p.value = ValuePart::absolute; });
    with("robust/sums=plain", [](auto& p) { p.sums = SumPart::plain; });
    with("robust/sums=kahan", [](auto& p) { p.sums = SumPart::kahan; });
    with("robust/sums=double-float", [](auto& p) { p.sums = SumPart::double_float; });
    with("robust/sums=double", [](auto& p) { p.sums = SumPart::in_double; });
    with("robust/solve=adjugate", [](auto& p) { p.solve = SolvePart::adjugate; });
    with("robust/weight=expanded", [](auto& p) { p.weight = WeightPart::expanded; });
    with("naive", [](auto& p) {
        p.position = PositionPart::global;
        p.value = ValuePart::absolute;
        p.sums = SumPart::plain;
        p.solve = SolvePart::adjugate;
        p.weight = WeightPart::expanded;
    });
    with("double", [](auto& p) { p.in_double = true; });

    const auto displacements =
        options.choose<std::vector<std::int64_t>>({0, 1'000'000'000}, {0, 100, 10'000, 1'000'000, 1'000'000'000},
                                                  {0, 100, 1'000, 10'000, 1'000'000, 100'000'000, 1'000'000'000});
    const auto references = options.choose<std::vector<double>>({0, 1e6}, {0, 1, 1e2, 1e4, 1e6}, {0, 1, 1e2, 1e4, 1e6});
    RoundingStart base;
    base.edge = options.choose(10, 12, 14);
    struct Point {
        std::size_t policy;
        RoundingStart start;
        bool shares;
    };
    std::vector<Point> points;
    for (std::size_t p = 0; p < policies.size(); ++p) {
        const auto add = [&](std::int64_t displacement, double reference, bool shares) {
            RoundingStart start = base;
            start.displacement = displacement;
            start.reference = reference;
            points.push_back({p, start, shares});
        };
        for (const std::int64_t displacement : displacements) add(displacement, 0, false);
        for (const double reference : references)
            if (reference != 0) add(0, reference, false);
        add(displacements.back(), references.back(), false);
        add(1000, 100, true);
    }
    // Scales of the fits, in cells of nothing else changed.
    const auto scales =
        options.choose<std::vector<double>>({1.5, 100, 1e10}, {1e-10, 0.01, 0.1, 1, 1.5, 2, 3.1, 10, 100, 1e10},
                                            {1e-10, 0.01, 0.1, 1, 1.5, 2, 3.1, 10, 100, 1e10});
    const std::size_t first_of_scales = points.size();
    for (const double scale : scales) {
        PartsPolicy policy = robust;
        policy.scale = scale;
        policy.name = fmt::format("robust, r_s = {}", scale);
        policies.push_back(policy);
        points.push_back({policies.size() - 1, base, false});
    }
    std::vector<Job> jobs;
    for (const Point& point : points) {
        const PartsPolicy& policy = policies[point.policy];
        jobs.push_back({parameter_key("differential", {"part=rounding", "policy=" + policy.name,
                                                       fmt::format("edge={}", point.start.edge),
                                                       fmt::format("displacement={}", point.start.displacement),
                                                       fmt::format("reference={}", point.start.reference),
                                                       fmt::format("shares={}", point.shares)}),
                        [policy, point] { return rounding_errors(policy, point.start, point.shares); }});
    }
    page.heading("(g) Rounding, in ulps");
    page.paragraph(
        "Errors of float against quadruple precision for the same {0}^3 disordered particles (a = {1}), inside, rms over rms, in "
        "ulps of single precision (2^-23). Every policy has the same start: cells of four spacings, offsets of single "
        "precision, the field in double. robust: positions as cell and offset, values less the reference, compensated sums "
        "(KBN), exact cofactors, factored weights; the others differ as their names say.",
        base.edge, base.disorder);
    std::vector<RoundingErrors> found;
    study.run(jobs, [&](std::size_t job, const Result& result) {
        found.push_back(result.as<RoundingErrors>());
        const Point& point = points[job];
        const PartsPolicy& policy = policies[point.policy];
        for (std::size_t q = 0; q < quantity_count; ++q) {
            if (point.shares) {
                for (std::size_t part = 0; part < share_count; ++part)
                    shares.row(policy.name, quantity_names[q], share_names[part], found.back().shares[q][part]);
            } else {
                errors.row(policy.name, point.start.displacement, point.start.reference, policy.scale,
                           quantity_names[q], found.back().whole[q], found.back().as_stored[q]);
            }
        }
    });
    const auto errors_at = [&](std::size_t policy, std::int64_t displacement,
                               double reference) -> const RoundingErrors& {
        for (std::size_t k = 0; k < points.size(); ++k) {
            const Point& p = points[k];
            if (p.policy == policy && p.start.displacement == displacement && p.start.reference == reference &&
                !p.shares)
                return found[k];
        }
        throw std::logic_error("a point that was not measured");
    };
    const std::size_t count = 13;  // of the policies that are compared
    const auto over = [&](const std::string& caption, const std::vector<std::string>& heads, const auto& error) {
        for (std::size_t q = 0; q < quantity_count; ++q) {
            std::vector<std::string> header{quantity_names[q]};
            header.insert(header.end(), heads.begin(), heads.end());
            page.table(header, "{}", caption);
            for (std::size_t p = 0; p < count; ++p) {
                std::vector<std::string> cells{policies[p].name};
                for (std::size_t k = 0; k < heads.size(); ++k) cells.push_back(fmt::format("{:.3g}", error(p, k)[q]));
                page.row(cells);
            }
        }
    };
    std::vector<std::string> heads;
    for (const std::int64_t displacement : displacements) heads.push_back(fmt::format("{} cells", displacement));
    over("over the displacement from the origin, reference 0; against the exact start", heads,
         [&](std::size_t p, std::size_t k) { return errors_at(p, displacements[k], 0).whole; });
    heads.clear();
    for (const double reference : references) heads.push_back(fmt::format("{:g}", reference));
    over("over the reference that the field has beside its amplitude of 1, at the origin; against the exact start",
         heads, [&](std::size_t p, std::size_t k) { return errors_at(p, 0, references[k]).whole; });
    heads = {"at the origin, reference 0", "against the start as stored",
             fmt::format("{} cells away, reference {:g}", displacements.back(), references.back()), "digits there"};
    over("whole errors; digits: -log10 of the error", heads, [&](std::size_t p, std::size_t k) {
        const RoundingErrors& here = errors_at(p, 0, 0);
        const RoundingErrors& there = errors_at(p, displacements.back(), references.back());
        if (k < 3) return k == 0 ? here.whole : k == 1 ? here.as_stored : there.whole;
        std::array<double, quantity_count> digits{};
        for (std::size_t q = 0; q < quantity_count; ++q)
            digits[q] = std::fmax(0.0, -std::log10(there.whole[q] * 0x1p-23));
        return digits;
    });
    heads.assign(share_names.begin(), share_names.end());
    std::size_t of_shares = 0;
    over("shares of the parts, 1,000 cells away, reference 100", heads, [&](std::size_t p, std::size_t k) {
        for (of_shares = 0; !(points[of_shares].policy == p && points[of_shares].shares);) ++of_shares;
        std::array<double, quantity_count> share{};
        for (std::size_t q = 0; q < quantity_count; ++q) share[q] = found[of_shares].shares[q][k];
        return share;
    });
    const auto terms = cancellation(base);
    page.paragraph(
        "Sums of magnitudes over magnitudes of sums, median: MPS gradient {:.3g}, MPS Laplacian {:.3g}, right-hand side "
        "of LSMPS {:.3g}.",
        terms[0], terms[1], terms[2]);
    page.table(header_with({"r_s over the spacing"}), "robust, over the scale of the fits, at the origin");
    for (std::size_t k = 0; k < scales.size(); ++k)
        page.row("{} | {}", scales[k], cells_of(found[first_of_scales + k].whole));

    page.draw(errors.complete(), "differential_rounding",
              "Rounding errors over the displacement from the origin and over the field's reference.");
    bool same = true;
    for (const std::int64_t displacement : displacements)
        same = same && errors_at(0, displacement, 0).whole == errors_at(0, 0, 0).whole;
    same = same && errors_at(0, displacements.back(), references.back()).whole == errors_at(0, 0, 0).whole;
    page.verdict(same, "robust errs by the same at every displacement and reference, to the bit");
    double worst = 0;
    double least = std::numeric_limits<double>::infinity();
    const std::size_t naive = 11;
    for (std::size_t q = 0; q < quantity_count; ++q) {
        worst = std::fmax(worst, errors_at(0, 0, 0).as_stored[q]);
        least = std::fmin(least, errors_at(naive, displacements.back(), 0).whole[q]);
    }
    page.verdict(worst < 10, "robust's errors against the start as stored are below 10 ulps in every operator: {:.2g}",
                 worst);
    page.verdict(least > 1e5, "naive keeps less than two digits 10^9 cells away: at least {:.2g} ulps", least);
}

}  // namespace halfulp::differential
