/* coarrays_summa: the product of matrices that are spread over images with GPUs, panels by coarrays
 * and by messages (Fanfarillo 2016, 7.2.2, figure 7.1). */
#include <math.h>
#include <stdlib.h>
#include <mpi.h>

#include "coarrays/bench/images.h"
#include "coarrays/bench/summa_check.h"
#include "coarrays/hetero/summa.h"
#include "common/harness/compare.h"

static const struct variant variants[] = {
    [SUMMA_MPI] = {"mpi", "two-sided: the owner of a panel sends it, through pageable memory"},
    [SUMMA_MPI_PINNED] = {"mpi-pinned", "the same through page-locked memory"},
    [SUMMA_CAF_PIN] = {"caf-pin", "one-sided: the GPU copies panels from mapped coarrays"},
    [SUMMA_CAF_UM] = {"caf-um", "one-sided: from managed coarrays, all else is managed, too"},
    [SUMMA_CAF_DEVICE] = {"caf-device", "one-sided: from coarrays in GPU memory"},
    {0},
};

enum { ORDER_MAX = 32768 };
static struct option_numbers orders = {.list = "1024"}, widths = {.list = "256"};
static const struct program_option options[] = {
    {"order", OPTION_NUMBERS, &orders, "N,...", "rows and columns of the matrices", 1, ORDER_MAX},
    {"block", OPTION_NUMBERS, &widths, "N,...", "width of the panels", 1, ORDER_MAX},
    {0},
};

struct row {
    int order, block, images, nodes;
    double gflops, communication_s, error_ratio;
};
static const struct column columns[] = {
    PARAMETER(struct row, order, "rows and columns of the matrices, in double precision"),
    PARAMETER(struct row, block, "width of the panels"),
    PARAMETER(struct row, images, "each with a GPU, or sharing those of its node"),
    PARAMETER(struct row, nodes, "nodes that the images lie on"),
    METRIC(struct row, gflops, "2 * order^3 / time_s / 10^9"),
    METRIC(
        struct row, communication_s,
        "s that all panels take to come when nothing is multiplied, median, of the slowest image"),
    METRIC(struct row, error_ratio,
           "largest difference from the product on one GPU / what rounding may make"),
    {0},
};

struct product {
    int variant;
    const struct summa_layout *layout;
    const struct summa_blocks *blocks;
    const double *expected; /* by one GPU, on image 1 */
    struct summa *summa;
    bool multiplies; /* or only the panels come */
    double communication_s, error_ratio;
};

static bool open_product(struct run *run, void *task)
{
    struct product *product = task;
    (void)run;
    check_status(summa_create(&product->summa, (enum summa_variant)product->variant,
                              product->layout, product->blocks->a, product->blocks->b));
    product->error_ratio = NAN;
    return true;
}

static double sample(void *task)
{
    struct product *product = task;
    double time_s;
    check_status(summa_run(product->summa, product->multiplies, &time_s));
    return time_s;
}

/* The products come last: what they leave is verified. Rows are of them alone. */
static void measure_both(struct run *run, void *const *tasks, struct subject *subjects,
                         size_t count)
{
    void (*add_row)(void *, double) = count > 0 ? subjects[0].after : NULL;
    for (size_t i = 0; i < count; i++)
        subjects[i].after = NULL;
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        struct product *product = tasks[i];
        product->communication_s = measure_interval(&subjects[i]).median;
        product->multiplies = true;
        subjects[i].after = add_row;
    }
    measure_free(subjects, count);
    measure(run, subjects, count);
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct product *product = task;
    double n = product->layout->order;
    *(struct row *)row = (struct row){
        product->layout->order,         product->layout->block,   ranks.count, images_nodes(),
        2.0 * n * n * n / time_s / 1e9, product->communication_s, NAN};
}

/* The last product; the same on all images. */
static long count_wrong(struct run *run, void *task)
{
    struct product *product = task;
    int order = product->layout->order;
    double ratio = 0;
    long wrong = 0;
    double *c = summa_gather(product->summa, product->layout);
    if (c) {
        struct summa_difference difference = summa_compare(c, product->expected, order);
        ratio = difference.ratio;
        wrong = difference.wrong + summa_freivalds(c, order, run->settings.seed);
        free(c);
    }
    product->error_ratio = ranks.max(ratio);
    return images_sum(wrong);
}

/* The ratio is known when the product has been verified. */
static void fill_ratio(const struct compared *compared, size_t task, size_t repetition, void *row)
{
    (void)repetition;
    ((struct row *)row)->error_ratio = ((const struct product *)compared->tasks[task])->error_ratio;
}

static void close_product(void *task)
{
    summa_destroy(((struct product *)task)->summa);
}

static const struct comparison comparison = {.task_bytes = TASK(struct product),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_product,
                                             .sample = sample,
                                             .measure = measure_both,
                                             .row = fill_row,
                                             .relate = fill_ratio,
                                             .verify = count_wrong,
                                             .close = close_product};

static void measure_width(struct run *run, int order, long width, const double *expected)
{
    struct summa_layout layout =
        summa_layout(order, (int)(width < order ? width : order), ranks.count, caf_this_image());
    struct summa_blocks blocks = summa_random_blocks(&layout, run->settings.seed);
    program_note(run, "order %d, panels of %d, %dx%d images", order, layout.block,
                 layout.grid[SUMMA_ROW], layout.grid[SUMMA_COLUMN]);
    compare_variants(run, &comparison,
                     &(struct product){.layout = &layout, .blocks = &blocks, .expected = expected});
    free(blocks.a);
    free(blocks.b);
}

static void measure_order(struct run *run, int order)
{
    double *expected = NULL;
    /* Each image its blocks and, in each variant, those of A and B at most twice, and C; the first
     * image's checks five matrices. */
    images_need_memory(8.0 * order * order *
                           ((2.0 + 5.0 * SUMMA_VARIANTS) / ranks.count + 5.0 / ranks.local_count),
                       "this order");
    if (run->settings.check && ranks.rank == 0)
        expected = summa_on_one_gpu(order, run->settings.seed);
    for (size_t i = 0; i < widths.count; i++)
        measure_width(run, order, widths.values[i], expected);
    free(expected);
}

static void run_all(struct run *run)
{
    struct summa_layout layout = summa_layout(1, 1, ranks.count, 1);
    for (size_t i = 0; i < orders.count; i++)
        if (orders.values[i] < layout.grid[SUMMA_COLUMN])
            images_refuse("--order %ld is too small for a grid of %dx%d images", orders.values[i],
                          layout.grid[SUMMA_ROW], layout.grid[SUMMA_COLUMN]);
    check_status(caf_start(NULL, NULL));
    for (size_t i = 0; i < orders.count; i++)
        measure_order(run, (int)orders.values[i]);
    check_status(caf_end());
}

const struct program program = {
    .name = "coarrays_summa",
    .summary = "multiplies matrices that are spread over images with GPUs, by SUMMA",
    .details =
        "Start it with mpirun -np IMAGES; images of a node share its GPUs in turn. The images\n"
        "form a grid and have a block of each matrix. An image gets panels of A and B, or they\n"
        "are sent to it, while its GPU multiplies those before (cuBLAS; on the software GPU a\n"
        "kernel of the suite). time_s is that of the slowest image, with the synchronisation\n"
        "before the first panel. A and B are where the variant's name says; managed coarrays, and\n"
        "those in GPU memory between nodes, copy them out in that synchronisation. C is in GPU\n"
        "memory (caf-um: managed). Every element is compared with the product on one GPU, and\n"
        "every row by Freivalds' check on the host.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .start_ranks = ranks_start,
    .run = run_all,
};
