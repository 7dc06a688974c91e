// Neighbour sums against exact ones. Bounds, with u the unit roundoff and gamma_n = n u / (1 - n u):
//     plain   gamma_(n-1) sum|x|                    (Higham 2002, section 4.2)
//     Kahan   (2u + O(n u^2)) sum|x|                (Higham 2002, eq. 4.8; n u^2 with a factor of 8 here)
//     KBN     u|s| + gamma_(n-1)^2 sum|x|           (Ogita, Rump and Oishi 2005, proposition 4.5)
#include <gtest/gtest.h>

#include <algorithm>

#include "precision/simd.hpp"
#include "precision/sums.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

template <class T>
class Sums : public testing::Test {
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Sums, Scalars);

template <class Sum, class T>
Sum sum_of(const std::vector<T>& terms)
{
    Sum sum;
    for (const T term : terms) sum.add(term);
    return sum;
}

template <class T>
struct ExactTotals {
    Wide sum = 0;
    Wide absolute = 0;
    explicit ExactTotals(const std::vector<T>& terms)
    {
        for (const T term : terms) {
            sum += Wide(term);
            absolute += abs(Wide(term));
        }
    }
};

template <class T>
struct Bounds {
    Wide plain, kahan, kbn;
    Bounds(const ExactTotals<T>& exact, std::size_t terms)
    {
        const Wide u = unit_roundoff<T>;
        const Wide n = terms;
        const Wide gamma = (n - 1) * u / (1 - (n - 1) * u);
        plain = gamma * exact.absolute;
        kahan = (2 * u + 8 * n * u * u) * exact.absolute;
        kbn = u * abs(exact.sum) + gamma * gamma * exact.absolute;
    }
};

template <class T>
Wide error_of(T value, const ExactTotals<T>& exact)
{
    return abs(Wide(value) - exact.sum);
}

template <class T>
std::vector<T> random_terms(Random& random, std::size_t count, int lowest_exponent, int highest_exponent)
{
    std::vector<T> terms(count);
    for (T& term : terms) term = random.number<T>(lowest_exponent, highest_exponent);
    return terms;
}

// Terms that cancel all but about 2^-cancelled_bits of sum|x|, in random order.
template <class T>
std::vector<T> cancelling_terms(Random& random, std::size_t pairs, int cancelled_bits)
{
    std::vector<T> terms;
    for (std::size_t k = 0; k < pairs; ++k) {
        const T big = random.number<T>(-5, 5);
        terms.push_back(big);
        terms.push_back(-big);
        terms.push_back(std::ldexp(random.number<T>(-5, 5), -cancelled_bits));
    }
    for (std::size_t k = terms.size() - 1; k > 0; --k) std::swap(terms[k], terms[random.bits() % (k + 1)]);
    return terms;
}

TYPED_TEST(Sums, ErrorsStayWithinTheirBounds)
{
    using T = TypeParam;
    Random random(11);
    for (const std::size_t count : {2U, 17U, 170U, 20'000U}) {
        for (int repetition = 0; repetition < 5; ++repetition) {
            const auto terms = random_terms<T>(random, count, -20, 20);
            const ExactTotals<T> exact(terms);
            const Bounds<T> bounds(exact, count);
            EXPECT_LE(error_of(sum_of<PlainSum<T>>(terms).value(), exact), bounds.plain);
            EXPECT_LE(error_of(sum_of<KahanSum<T>>(terms).value(), exact), bounds.kahan);
            EXPECT_LE(error_of(sum_of<KbnSum<T>>(terms).value(), exact), bounds.kbn);
        }
    }
}

// Condition about 2^12: the plain sum loses those bits, KBN none of them.
TYPED_TEST(Sums, KbnSurvivesCancellation)
{
    using T = TypeParam;
    Random random(12);
    for (int repetition = 0; repetition < 5; ++repetition) {
        const auto terms = cancelling_terms<T>(random, 30, 12);
        const ExactTotals<T> exact(terms);
        const Bounds<T> bounds(exact, terms.size());
        const Wide kbn = error_of(sum_of<KbnSum<T>>(terms).value(), exact);
        EXPECT_LE(kbn, bounds.kbn);
        EXPECT_LE(error_of(sum_of<KahanSum<T>>(terms).value(), exact), bounds.kahan);
        EXPECT_GT(error_of(sum_of<PlainSum<T>>(terms).value(), exact), 100 * bounds.kbn)
            << "the terms are too easy: the plain sum passes KBN's bound";
    }
}

// Kahan's bound has sum|x| in it, not |s|: a term larger than the sum so far swallows it. KBN keeps it.
TYPED_TEST(Sums, KahanLosesWhatALargerTermSwallows)
{
    using T = TypeParam;
    const T big = std::ldexp(T(1), std::numeric_limits<T>::digits + 1);
    const std::vector<T> terms = {T(1), big, -big};
    EXPECT_EQ(sum_of<KahanSum<T>>(terms).value(), T(0));
    EXPECT_EQ(sum_of<KbnSum<T>>(terms).value(), T(1));
}

// Small terms onto a large sum, as in a long accumulation: Kahan keeps what plain drops.
TYPED_TEST(Sums, KahanKeepsSmallTerms)
{
    using T = TypeParam;
    std::vector<T> terms(10'001, static_cast<T>(0.4 * unit_roundoff<T>));
    terms[0] = T(1);
    const ExactTotals<T> exact(terms);
    EXPECT_LE(error_of(sum_of<KahanSum<T>>(terms).value(), exact), Bounds<T>(exact, terms.size()).kahan);
    EXPECT_EQ(sum_of<PlainSum<T>>(terms).value(), T(1));
}

// The textbook form with a branch (Neumaier 1974), which the branch-free one must equal to the bit.
template <class T>
T neumaier(const std::vector<T>& terms)
{
    T sum = 0;
    T correction = 0;
    for (const T term : terms) {
        const T next = sum + term;
        if (std::abs(sum) >= std::abs(term)) correction += (sum - next) + term;
        else correction += (term - next) + sum;
        sum = next;
    }
    return sum + correction;
}

TYPED_TEST(Sums, KbnEqualsNeumaiersBranchedForm)
{
    using T = TypeParam;
    Random random(13);
    for (int repetition = 0; repetition < 200; ++repetition) {
        const auto wild = random_terms<T>(random, 300, -30, 30);
        const auto cancelling = cancelling_terms<T>(random, 100, 10);
        ASSERT_TRUE(same(sum_of<KbnSum<T>>(wild).value(), neumaier(wild)));
        ASSERT_TRUE(same(sum_of<KbnSum<T>>(cancelling).value(), neumaier(cancelling)));
    }
}

// One term too small for the sum sits wholly in the residual. With the wrong sign it would count as -small.
TYPED_TEST(Sums, MergingKeepsTheResidualsSign)
{
    using T = TypeParam;
    const T small = static_cast<T>(unit_roundoff<T> / 2);
    KahanSum<T> kahan;
    kahan.add(T(1));
    kahan.add(small);
    ASSERT_EQ(kahan.excess, -small);
    KahanSum<T> kahan_total;
    kahan_total.merge(kahan);
    EXPECT_EQ(Wide(kahan_total.sum) - Wide(kahan_total.excess), Wide(1) + Wide(small));

    KbnSum<T> kbn;
    kbn.add(T(1));
    kbn.add(small);
    ASSERT_EQ(kbn.correction, small);
    KbnSum<T> kbn_total;
    kbn_total.merge(kbn);
    EXPECT_EQ(Wide(kbn_total.sum) + Wide(kbn_total.correction), Wide(1) + Wide(small));
}

// Merged parts keep the bound of one sum over everything: a merge adds two more terms a part.
TYPED_TEST(Sums, MergedPartsKeepTheBound)
{
    using T = TypeParam;
    Random random(14);
    std::vector<T> terms(8192);
    for (T& term : terms) term = static_cast<T>(random.uniform(0.1, 1));
    constexpr std::size_t parts = 64;
    const std::size_t size = terms.size() / parts;
    PlainSum<T> plain;
    KahanSum<T> kahan;
    KbnSum<T> kbn;
    for (std::size_t part = 0; part < parts; ++part) {
        const auto first = terms.begin() + static_cast<std::ptrdiff_t>(part * size);
        const std::vector<T> slice(first, first + static_cast<std::ptrdiff_t>(size));
        plain.merge(sum_of<PlainSum<T>>(slice));
        kahan.merge(sum_of<KahanSum<T>>(slice));
        kbn.merge(sum_of<KbnSum<T>>(slice));
    }
    const ExactTotals<T> exact(terms);
    const Bounds<T> bounds(exact, terms.size() + 2 * parts);
    EXPECT_LE(error_of(plain.value(), exact), bounds.plain);
    EXPECT_LE(error_of(kahan.value(), exact), bounds.kahan);
    EXPECT_LE(error_of(kbn.value(), exact), bounds.kbn);
    // KBN's value and correction together are the sum to O(n u^2): a merge that dropped corrections would be off by
    // about u. Not so Kahan's, which loses an ulp where the part it takes in is larger than what it holds.
    const Wide second_order = Wide(terms.size()) * Wide(unit_roundoff<T>) * Wide(unit_roundoff<T>) * exact.absolute;
    EXPECT_LE(abs(Wide(kbn.sum) + Wide(kbn.correction) - exact.sum), 8 * second_order);
}

// A masked lane and a candidate beyond the support add a zero of either sign. Kahan's recurrence as it is usually
// written would fold its correction into the sum then.
TYPED_TEST(Sums, AddingZeroChangesNothing)
{
    using T = TypeParam;
    Random random(15);
    PlainSum<T> plain;
    KbnSum<T> kbn;
    KahanSum<T> kahan;
    DoubleFloatSum<T> double_float;
    DoubleSum<T> wide;
    int corrections_held = 0;
    for (int k = 0; k < 1000; ++k) {
        for (const T zero : {T(0), -T(0)}) {
            PlainSum<T> plain_after = plain;
            plain_after.add(zero);
            ASSERT_TRUE(same(plain_after.sum, plain.sum));
            KbnSum<T> kbn_after = kbn;
            kbn_after.add(zero);
            ASSERT_TRUE(same(kbn_after.sum, kbn.sum) && same(kbn_after.correction, kbn.correction));
            KahanSum<T> kahan_after = kahan;
            kahan_after.add(zero);
            ASSERT_TRUE(same(kahan_after.sum, kahan.sum) && same(kahan_after.excess, kahan.excess));
            DoubleFloatSum<T> double_float_after = double_float;
            double_float_after.add(zero);
            ASSERT_TRUE(same(double_float_after.sum, double_float.sum) &&
                        same(double_float_after.low, double_float.low));
            DoubleSum<T> wide_after = wide;
            wide_after.add(zero);
            ASSERT_TRUE(same(wide_after.sum, wide.sum));
            corrections_held += kahan.excess != 0 ? 1 : 0;
        }
        // Now and then the exact opposite of the sum, so that sums pass through zero.
        const T term = k % 10 == 9 ? -plain.sum : random.number<T>(-20, 20);
        plain.add(term);
        kbn.add(term);
        kahan.add(term);
        double_float.add(term);
        wide.add(term);
    }
    EXPECT_GT(corrections_held, 0);
}

TYPED_TEST(Sums, NotANumberIsNotSkipped)
{
    using T = TypeParam;
    const T nan = std::numeric_limits<T>::quiet_NaN();
    KahanSum<T> kahan;
    kahan.add(T(1));
    kahan.add(nan);
    EXPECT_TRUE(std::isnan(kahan.value()));
}

// Double-float: each term adds a relative error of a few u^2 of the partial sum (Hida, Li and Bailey 2001, here 4), and
// reading rounds once. In double precision a sum of floats is exact but for n roundings of double.
TYPED_TEST(Sums, WiderAccumulators)
{
    using T = TypeParam;
    Random random(17);
    std::vector<T> terms;
    for (int k = 0; k < 400; ++k) terms.push_back(random.number<T>(-20, 20));
    const ExactTotals<T> exact(terms);
    const Wide n = Wide(terms.size());
    const Wide u = Wide(unit_roundoff<T>);
    const Wide once = u * abs(exact.sum);
    EXPECT_LE(error_of(sum_of<DoubleFloatSum<T>>(terms).value(), exact), once + 4 * n * u * u * exact.absolute);
    const Wide wide_u = Wide(unit_roundoff<double>);
    EXPECT_LE(error_of(sum_of<DoubleSum<T>>(terms).value(), exact), once + 1.01 * n * wide_u * exact.absolute);
    DoubleFloatSum<T> first = sum_of<DoubleFloatSum<T>>(std::vector<T>(terms.begin(), terms.begin() + 150));
    first.merge(sum_of<DoubleFloatSum<T>>(std::vector<T>(terms.begin() + 150, terms.end())));
    EXPECT_LE(error_of(first.value(), exact), once + 4 * (n + 2) * u * u * exact.absolute);
    DoubleSum<T> wide = sum_of<DoubleSum<T>>(std::vector<T>(terms.begin(), terms.begin() + 150));
    wide.merge(sum_of<DoubleSum<T>>(std::vector<T>(terms.begin() + 150, terms.end())));
    EXPECT_LE(error_of(wide.value(), exact), once + 1.01 * (n + 1) * wide_u * exact.absolute);
}

TYPED_TEST(Sums, LanesEqualTheScalar)
{
    using T = TypeParam;
    using S = Simd<T, 8>;
    Random random(16);
    KbnSum<S> vector;
    KahanSum<S> kahan_vector;
    DoubleFloatSum<S> double_float_vector;
    DoubleSum<S> wide_vector;
    std::vector<std::vector<T>> lanes(8);
    for (int k = 0; k < 500; ++k) {
        S term;
        for (int lane = 0; lane < 8; ++lane) {
            lanes[static_cast<std::size_t>(lane)].push_back(random.number<T>(-20, 20));
            term.set(lane, lanes[static_cast<std::size_t>(lane)].back());
        }
        vector.add(term);
        kahan_vector.add(term);
        double_float_vector.add(term);
        wide_vector.add(term);
    }
    for (int lane = 0; lane < 8; ++lane) {
        const auto& terms = lanes[static_cast<std::size_t>(lane)];
        EXPECT_TRUE(same(vector.value()[lane], sum_of<KbnSum<T>>(terms).value()));
        EXPECT_TRUE(same(kahan_vector.value()[lane], sum_of<KahanSum<T>>(terms).value()));
        EXPECT_TRUE(same(double_float_vector.value()[lane], sum_of<DoubleFloatSum<T>>(terms).value()));
        EXPECT_TRUE(same(wide_vector.value()[lane], sum_of<DoubleSum<T>>(terms).value()));
    }
}

}  // namespace
}  // namespace halfulp::test
