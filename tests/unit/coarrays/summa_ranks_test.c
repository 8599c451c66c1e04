/* Started with mpirun by coarrays_summa.bats: the parts of SUMMA, and that its
 * checks find errors. */
#include <float.h>
#include <math.h>

#include "coarrays/bench/summa_check.h"
#include "coarrays/hetero/summa.h"
#include "common/harness/ranks.h"

#include "caf_ranks_test.h"
#include "tests/unit/test_status.h"

enum { ORDER = 65, SEED = 11 };

/* Blocks and panels cover the matrix once, for any number of images. */
static void every_index_once(void)
{
    for (int images = 1; images <= 12; images++)
        for (int order = images; order < images + 40; order += 13) {
            long elements = 0;
            for (int image = 1; image <= images; image++) {
                struct summa_layout layout = summa_layout(order, 7, images, image);
                elements += (long)summa_count(&layout, SUMMA_ROW) *
                            (long)summa_count(&layout, SUMMA_COLUMN);
                expect(layout.grid[SUMMA_ROW] * layout.grid[SUMMA_COLUMN] == images);
                expect(layout.grid[SUMMA_ROW] <= layout.grid[SUMMA_COLUMN]);
            }
            expect(elements == (long)order * order);
        }
}

static bool has_block(int order, int parts, int i, const struct summa_panel *panel)
{
    return summa_begin(order, parts, i) <= panel->begin &&
           panel->end <= summa_begin(order, parts, i + 1);
}

static void panels_have_one_owner(void)
{
    for (int images = 1; images <= 12; images++) {
        struct summa_layout layout = summa_layout(101, 9, images, images);
        int k = 0, panels = 0;
        while (k < 101 && panels++ < 101) {
            struct summa_panel panel = summa_panel(&layout, k);
            expect(panel.begin == k && panel.end > k && panel.end <= k + 9);
            expect(has_block(101, layout.grid[SUMMA_COLUMN], panel.a_owner, &panel));
            expect(has_block(101, layout.grid[SUMMA_ROW], panel.b_owner, &panel));
            k = panel.end;
        }
        expect(k == 101);
    }
}

/* The product on one GPU, against the definition in long double. */
static void product_on_one_gpu(void)
{
    static const int orders[] = {1, 7, 8, 33, ORDER};
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        int n = orders[o];
        struct summa_layout whole = summa_layout(n, n, 1, 1);
        struct summa_blocks blocks = summa_random_blocks(&whole, SEED);
        double *c = summa_on_one_gpu(n, SEED), largest = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                long double sum = 0;
                for (int k = 0; k < n; k++)
                    sum += (long double)blocks.a[k * n + i] * blocks.b[k * n + j];
                largest = fmax(largest, fabs(c[j * n + i] - (double)sum));
            }
        expect(largest <= summa_tolerance(n));
        expect(summa_freivalds(c, n, SEED) == 0);
        free(c);
        free(blocks.a);
        free(blocks.b);
    }
}

/* Both checks notice one element that is a little wrong, and one that is no
 * number. */
static void checks_find_errors(void)
{
    double *right = summa_on_one_gpu(ORDER, SEED), *c = malloc(sizeof *c * ORDER * ORDER);
    const double wrong[] = {1e3 * summa_tolerance(ORDER), NAN, INFINITY};
    for (size_t w = 0; w < 3; w++) {
        memcpy(c, right, sizeof *c * ORDER * ORDER);
        c[3 * ORDER + 5] += wrong[w];
        struct summa_difference difference = summa_compare(c, right, ORDER);
        expect(difference.wrong == 1);
        expect(!(difference.ratio <= 1.0));
        expect(summa_freivalds(c, ORDER, SEED) == 1);
    }
    expect(summa_compare(right, right, ORDER).ratio == 0.0);
    expect(summa_freivalds(right, ORDER, SEED + 1) > 0);
    free(right);
    free(c);
}

/* Nothing is right before the first product. Twice each: C of the run before must not count. */
static void all_variants(void)
{
    double *expected = summa_on_one_gpu(ORDER, SEED);
    for (int variant = 0; variant < SUMMA_VARIANTS; variant++)
        for (int block = 1; block <= ORDER; block += 32) {
            struct summa_layout layout =
                summa_layout(ORDER, block, caf_num_images(), caf_this_image());
            struct summa_blocks blocks = summa_random_blocks(&layout, SEED);
            struct summa *summa = NULL;
            double time_s = 0;
            expect_ok(
                summa_create(&summa, (enum summa_variant)variant, &layout, blocks.a, blocks.b));
            expect_ok(summa_run(summa, false, &time_s));
            expect(time_s > 0);
            double *c = summa_gather(summa, &layout);
            expect(!c || isnan(c[0]));
            expect(!c || summa_compare(c, expected, ORDER).wrong == (long)ORDER * ORDER);
            free(c);
            for (int times = 0; times < 2; times++) {
                expect_ok(summa_run(summa, true, &time_s));
                expect(time_s > 0);
            }
            c = summa_gather(summa, &layout);
            expect(!c == (caf_this_image() > 1));
            expect(!c || summa_compare(c, expected, ORDER).wrong == 0);
            free(c);
            summa_destroy(summa);
            free(blocks.a);
            free(blocks.b);
        }
    free(expected);
}

int main(int argc, char **argv)
{
    static const struct step steps[] = {STEP(every_index_once),   STEP(panels_have_one_owner),
                                        STEP(product_on_one_gpu), STEP(checks_find_errors),
                                        STEP(all_variants),       {0}};
    ranks_start(&argc, &argv);
    program_start(&argc, &argv);
    alarm(HANGS_AFTER_S);
    run_steps(steps);
    bool is_first = caf_this_image() == 1;
    expect_ok(caf_end());
    ranks.stop();
    return is_first ? end_tests() : 0;
}
