/* hetero/asian: Asian options priced by Monte Carlo, on the host and on the device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coarrays/hetero/asian.h"
#include "coarrays/hetero/asian_device.h"
#include "coarrays/hetero/asian_random.h"
#include "coarrays/hetero/asian_reference.h"
#include "tests/unit/test_status.h"

#ifdef __SANITIZE_THREAD__
enum { SEVERAL_THREADS = 1 };
#else
enum { SEVERAL_THREADS = 5 };
#endif
enum { OPTIONS = 7 };

static void make_options(struct asian_option options[OPTIONS])
{
    for (uint64_t i = 0; i < OPTIONS; i++)
        options[i] = asian_option_of(11, i);
}

/* ---- random numbers ---- */

/* The vectors that the authors of Philox publish with their implementation. */
static void philox_gives_the_published_numbers(void)
{
    static const struct {
        struct asian_words counter;
        struct asian_key key;
        struct asian_words bits;
    } known[] = {
        {{{0, 0, 0, 0}}, {{0, 0}}, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
        {{{~0u, ~0u, ~0u, ~0u}}, {{~0u, ~0u}}, {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
        {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
         {{0xa4093822, 0x299f31d0}},
         {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct asian_words bits = asian_philox(known[i].counter, known[i].key);
        expect(memcmp(&bits, &known[i].bits, sizeof bits) == 0);
    }
}

static void functions_are_those_of_libm(void)
{
    double worst_exp2 = 0, worst_log = 0, worst_sqrt = 0;
    for (int i = 0; i <= 100000; i++) {
        float x = -60.0f + 0.0012f * (float)i, u = ((float)i + 0.5f) / 100001.0f;
        float tiny = u * 0x1p-20f, large = u * 40;
        worst_exp2 = fmax(worst_exp2, fabs(asian_exp2(x) / exp2((double)x) - 1));
        worst_log = fmax(worst_log, fabs(asian_minus_2_log(u) / (-2 * log((double)u)) - 1));
        worst_log = fmax(worst_log, fabs(asian_minus_2_log(tiny) / (-2 * log((double)tiny)) - 1));
        worst_sqrt = fmax(worst_sqrt, fabs(asian_sqrt(large) / sqrt((double)large) - 1));
    }
    expect(worst_exp2 < 2e-7);
    expect(worst_log < 3e-7);
    expect(worst_sqrt < 2e-7);
    expect(asian_exp2(0) == 1 && asian_exp2(10) == 1024 && asian_exp2(-3) == 0.125f);
}

/* The extremes of the bits give finite numbers within what the generator can reach. */
static void normals_are_finite(void)
{
    static const uint32_t bits[] = {0,          1,          511,        512,        0x3fffffff,
                                    0x40000000, 0x7fffffff, 0x80000000, 0xc0000000, 0xffffffff};
    enum { BITS = sizeof bits / sizeof *bits };
    for (int i = 0; i < BITS * BITS; i++) {
        float a, b;
        asian_normal_pair(bits[i / BITS], bits[i % BITS], &a, &b);
        expect(isfinite(a) && isfinite(b) && a * a + b * b < 34);
    }
}

/* Moments, quantiles and correlation within 5 standard errors of 10^6 numbers. */
static void normals_are_normal(void)
{
    enum { CALLS = 250000, NUMBERS = 4 * CALLS };
    double sum[5] = {0}, product[3] = {0}, below_minus_1 = 0, above_2 = 0;
    for (uint32_t i = 0; i < CALLS; i++) {
        struct asian_words counter = {{i, 0, 7, 0}};
        struct asian_normals normals = asian_four_normals(counter, (struct asian_key){{3, 1}});
        const float *z = normals.z;
        for (int k = 0; k < 4; k++) {
            for (int power = 1; power < 5; power++)
                sum[power] += pow(z[k], power);
            below_minus_1 += z[k] < -1;
            above_2 += z[k] > 2;
        }
        product[0] += z[0] * z[1];
        product[1] += z[1] * z[2];
        product[2] += z[2] * z[3];
    }
    double n = NUMBERS, root = sqrt(n);
    expect(fabs(sum[1] / n) < 5 / root);
    expect(fabs(sum[2] / n - 1) < 5 * sqrt(2) / root);
    expect(fabs(sum[3] / n) < 5 * sqrt(15) / root);
    expect(fabs(sum[4] / n - 3) < 5 * sqrt(96) / root);
    expect(fabs(below_minus_1 / n - 0.158655) < 5 * sqrt(0.1335) / root);
    expect(fabs(above_2 / n - 0.0227501) < 5 * sqrt(0.02223) / root);
    for (int i = 0; i < 3; i++)
        expect(fabs(product[i] / CALLS) < 5 / sqrt(CALLS));
}

/* ---- sums ---- */

static const struct asian_simulation simulations[] = {
    {1, 2, 4}, {2, 31, 8}, {3, 512, 64}, {4, 4096, 4}, {5, 4097, 12}, {6, 3 * 4096 + 515, 16},
};
enum { SIMULATIONS = sizeof simulations / sizeof *simulations };

static bool all_equal(const struct asian_sums *a, const struct asian_sums *b)
{
    bool equal = true;
    for (int i = 0; i < OPTIONS; i++)
        equal &= asian_equal(&a[i], &b[i]);
    return equal;
}

static void sums_do_not_depend_on_threads(void)
{
    struct asian_option options[OPTIONS];
    make_options(options);
    for (int s = 0; s < SIMULATIONS; s++) {
        struct asian_sums one[OPTIONS], sums[OPTIONS];
        expect(asian_host_mo(&simulations[s], options, OPTIONS, 1, one) == 1);
        for (int threads = 1; threads <= SEVERAL_THREADS; threads++) {
            memset(sums, 0, sizeof sums);
            expect(asian_host_mo(&simulations[s], options, OPTIONS, threads, sums) == threads);
            expect(all_equal(sums, one));
            memset(sums, 0, sizeof sums);
            expect_ok(asian_host_mt(&simulations[s], options, OPTIONS, threads, sums, NULL));
            expect(all_equal(sums, one));
        }
    }
}

static void sums_are_the_same_on_the_device(void)
{
    struct asian_option options[OPTIONS];
    make_options(options);
    for (int s = 0; s < SIMULATIONS; s++) {
        struct asian_sums host[OPTIONS], sums[OPTIONS] = {{0}};
        struct asian_device *device = NULL;
        expect_ok(asian_device_open(&device, &simulations[s]));
        asian_host_mo(&simulations[s], options, OPTIONS, 1, host);
        expect_ok(asian_device_mt(device, options, OPTIONS, sums));
        expect(all_equal(sums, host));
        memset(sums, 0, sizeof sums);
        expect_ok(asian_device_mo(device, options, OPTIONS, sums));
        expect(all_equal(sums, host));
        asian_device_close(device);
    }
}

/* More options than one request to the device takes. Their two million CUDA threads are too much
 * for the sanitizers. */
static void many_options_go_to_the_device_in_turns(void)
{
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
    enum { MANY = 4096 + 3 };
    struct asian_simulation simulation = {9, 2, 4};
    struct asian_option *options = malloc(MANY * sizeof *options);
    struct asian_sums *host = malloc(MANY * sizeof *host), *sums = malloc(MANY * sizeof *sums);
    struct asian_device *device = NULL;
    expect_ok(asian_device_open(&device, &simulation));
    for (uint64_t i = 0; i < MANY; i++)
        options[i] = asian_option_of(1, i);
    asian_host_mo(&simulation, options, MANY, 1, host);
    expect_ok(asian_device_mo(device, options, MANY, sums));
    expect(memcmp(sums, host, MANY * sizeof *sums) == 0);
    memset(sums, 0, MANY * sizeof *sums);
    expect_ok(asian_device_mt(device, options, MANY, sums));
    expect(memcmp(sums, host, MANY * sizeof *sums) == 0);
    asian_device_close(device);
    free(options);
    free(host);
    free(sums);
#endif
}

/* The same bits with any vector instructions, compiler and GPU. The second option is a put, and
 * both have numbers beyond 32 bits. */
static void sums_are_those_of_every_machine(void)
{
    static const struct asian_sums known[] = {
        {0x1.bc42deabp+15, 0x1.3e3ca8b2da767p+20, 0x1.a858571bp+15, 0x1.24d9b6152c95ap+20},
        {0x1.5320b330dp+15, 0x1.535740ed16154p+19, 0x1.614f48068p+15, 0x1.6b4b2f06f2d2fp+19}};
    struct asian_simulation simulation = {7, 2 * 4096 + 37, 16};
    for (uint64_t i = 0; i < 2; i++) {
        struct asian_option option = {5000000000 + i, 100, 100, 0.03125, 0.25, 1, i == 1};
        struct asian_sums sums;
        expect_ok(asian_host_mt(&simulation, &option, 1, 1, &sums, NULL));
        expect(asian_equal(&sums, &known[i]));
    }
}

static void squares_are_those_of_the_payoffs(void)
{
    struct asian_simulation one_path = {2, 1, 8};
    int paid = 0;
    for (uint64_t id = 0; id < 20; id++) {
        struct asian_option option = asian_option_of(5, id);
        struct asian_sums sums;
        asian_host_mo(&one_path, &option, 1, 1, &sums);
        expect(sums.arithmetic_squares == sums.arithmetic * sums.arithmetic);
        expect(sums.geometric_squares == sums.geometric * sums.geometric);
        paid += sums.arithmetic > 0 && sums.geometric > 0;
    }
    expect(paid > 0);
}

/* Other seeds, options and paths have other random numbers. */
static void streams_differ(void)
{
    struct asian_option option = asian_option_of(1, 1), other = option;
    struct asian_simulation simulation = {1, 4096, 8}, reseeded = {2, 4096, 8};
    struct asian_sums a, b, c, halves;
    other.id = (uint64_t)1 << 40;
    asian_host_mo(&simulation, &option, 1, 1, &a);
    asian_host_mo(&simulation, &other, 1, 1, &b);
    asian_host_mo(&reseeded, &option, 1, 1, &c);
    expect(!asian_equal(&a, &b) && !asian_equal(&a, &c) && !asian_equal(&b, &c));
    simulation.paths = 2 * 4096;
    asian_host_mo(&simulation, &option, 1, 1, &halves);
    expect(halves.arithmetic > a.arithmetic && halves.arithmetic != 2 * a.arithmetic);
}

/* As many threads work as there are options (MO) or blocks of paths (MT), at most all. */
static void busy_threads_are_counted(void)
{
    struct asian_option options[OPTIONS];
    struct asian_sums sums[OPTIONS];
    struct asian_simulation simulation = {1, 2 * 4096, 4};
    make_options(options);
    for (int count = 1; count <= OPTIONS; count++) {
        int busy = count < SEVERAL_THREADS ? count : SEVERAL_THREADS;
        expect(asian_host_mo(&simulation, options, (size_t)count, SEVERAL_THREADS, sums) == busy);
    }
    int busy = 0;
    expect_ok(asian_host_mt(&simulation, options, 1, SEVERAL_THREADS, sums, &busy));
    expect(busy == (SEVERAL_THREADS > 1 ? 2 : 1));
}

/* ---- prices ---- */

static void price_is_the_discounted_mean(void)
{
    struct asian_simulation simulation = {1, 4, 4};
    struct asian_option option = {.rate = log(2), .maturity = 1};
    struct asian_sums sums = {1 + 2 + 3 + 6, 1 + 4 + 9 + 36, 8, 16};
    struct asian_price price = asian_arithmetic_price(&simulation, &option, &sums);
    expect(fabs(price.value - 1.5) < 1e-12);
    expect(fabs(price.standard_error - 0.5 * sqrt(14.0 / 3 / 4)) < 1e-12);
    price = asian_geometric_price(&simulation, &option, &sums);
    expect(fabs(price.value - 1) < 1e-12 && price.standard_error == 0);
}

/* With one observation both means are the price itself: the formula of Black and Scholes. */
static void reference_of_one_step_is_black_and_scholes(void)
{
    struct asian_option call = {0, 100, 100, 0.05, 0.2, 1, false}, put = call;
    put.is_put = true;
    expect(fabs(asian_reference_geometric(&call, 1) - 10.450584) < 1e-6);
    expect(fabs(asian_reference_geometric(&put, 1) - 5.573526) < 1e-6);
    struct asian_price price = asian_reference_arithmetic(&call, 1, 1000, 5);
    expect(fabs(price.value - 10.450584) < 1e-5 && price.standard_error < 1e-5);
}

/* Prices of the literature's usual example with continuous observation are 5.5468 (geometric) and
 * about 5.76 (arithmetic); the mean of 4096 prices is close to it. */
static void reference_of_many_steps_is_the_continuous_price(void)
{
    struct asian_option call = {0, 100, 100, 0.05, 0.2, 1, false};
    expect(fabs(asian_reference_geometric(&call, 4096) - 5.5468) < 2e-3);
    struct asian_price price = asian_reference_arithmetic(&call, 64, 4000, 5);
    expect(price.value > asian_reference_geometric(&call, 64));
    expect(price.standard_error > 0 && price.standard_error < 0.02);
    expect(fabs(price.value - 5.85) < 0.05);
}

static void prices_are_those_of_the_reference(void)
{
    struct asian_simulation simulation = {3, 32768, 16};
    for (uint64_t id = 0; id < 6; id++) {
        struct asian_option option = asian_option_of(5, id);
        struct asian_sums sums;
        expect_ok(asian_host_mt(&simulation, &option, 1, 1, &sums, NULL));
        expect(asian_reference_error(&simulation, &option, &sums) < 6);
        expect(asian_arithmetic_price(&simulation, &option, &sums).value > 0);
        sums.arithmetic *= 1.3;
        sums.arithmetic_squares *= 1.69;
        expect(asian_reference_error(&simulation, &option, &sums) > 6);
        expect_ok(asian_host_mt(&simulation, &option, 1, 1, &sums, NULL));
        sums.geometric *= 1.3;
        sums.geometric_squares *= 1.69;
        expect(asian_reference_error(&simulation, &option, &sums) > 6);
    }
}

/* Of so few paths often none pays, and then says nothing about the spread. */
static void prices_of_few_paths_are_not_called_wrong(void)
{
    for (int64_t paths = 10; paths <= 50; paths += 20)
        for (uint64_t id = 0; id < 100; id++) {
            struct asian_simulation simulation = {3, paths, 4};
            struct asian_option option = asian_option_of(5, id);
            struct asian_sums sums;
            expect_ok(asian_host_mt(&simulation, &option, 1, 1, &sums, NULL));
            expect(asian_reference_error(&simulation, &option, &sums) < 6);
        }
}

/* Neither by a price that is no number, nor by a spread that is too large, can a check be passed.
 */
static void wrong_sums_are_no_right_price(void)
{
    struct asian_simulation simulation = {3, 32768, 16};
    struct asian_option option = asian_option_of(5, 0);
    struct asian_sums right, sums;
    expect_ok(asian_host_mt(&simulation, &option, 1, 1, &right, NULL));
    double *values[] = {&sums.arithmetic, &sums.geometric};
    for (int i = 0; i < 2; i++) {
        sums = right;
        *values[i] = NAN;
        expect(isnan(asian_reference_error(&simulation, &option, &sums)));
        sums = right;
        sums.arithmetic_squares = sums.geometric_squares = INFINITY;
        *values[i] *= 1.3;
        expect(asian_reference_error(&simulation, &option, &sums) > 6);
    }
}

/* ---- arguments ---- */

static void options_are_possible_and_differ(void)
{
    int puts = 0;
    for (uint64_t id = 0; id < 1000; id++) {
        struct asian_option option = asian_option_of(5, id), next = asian_option_of(5, id + 1);
        expect(option.id == id && option.spot == 100 && option.strike > 50 && option.strike < 150);
        expect(option.rate >= 0.01 && option.rate <= 0.06);
        expect(option.volatility >= 0.1 && option.volatility <= 0.4);
        expect(option.maturity >= 0.25 && option.maturity <= 2);
        expect(option.strike != next.strike && option.volatility != next.volatility);
        puts += option.is_put;
    }
    expect(puts > 400 && puts < 600);
}

static enum dm_status check(int64_t paths, int steps)
{
    return asian_check(&(struct asian_simulation){1, paths, steps});
}

static void impossible_simulations_are_refused(void)
{
    static const int64_t wrong_paths[] = {1, 0, -5, ((int64_t)1 << 32) + 1};
    static const int wrong_steps[] = {0, 2, 6, -4, 65540};
    for (size_t i = 0; i < sizeof wrong_paths / sizeof *wrong_paths; i++)
        expect_error(check(wrong_paths[i], 4), DM_INVALID, "paths: the number must be 2 to 2^32");
    for (size_t i = 0; i < sizeof wrong_steps / sizeof *wrong_steps; i++)
        expect_error(check(2, wrong_steps[i]), DM_INVALID, "a multiple of 4, from 4 to 65536");
    expect_ok(check(2, 4));
    expect_ok(check((int64_t)1 << 32, 65536));
    expect(asian_blocks(&(struct asian_simulation){1, 4096, 4}) == 1);
    expect(asian_blocks(&(struct asian_simulation){1, 4097, 4}) == 2);
}

int main(void)
{
    run_test(philox_gives_the_published_numbers);
    run_test(functions_are_those_of_libm);
    run_test(normals_are_finite);
    run_test(normals_are_normal);
    run_test(sums_do_not_depend_on_threads);
    run_test(sums_are_the_same_on_the_device);
    run_test(many_options_go_to_the_device_in_turns);
    run_test(sums_are_those_of_every_machine);
    run_test(squares_are_those_of_the_payoffs);
    run_test(streams_differ);
    run_test(busy_threads_are_counted);
    run_test(price_is_the_discounted_mean);
    run_test(reference_of_one_step_is_black_and_scholes);
    run_test(reference_of_many_steps_is_the_continuous_price);
    run_test(prices_are_those_of_the_reference);
    run_test(prices_of_few_paths_are_not_called_wrong);
    run_test(wrong_sums_are_no_right_price);
    run_test(options_are_possible_and_differ);
    run_test(impossible_simulations_are_refused);
    return end_tests();
}
