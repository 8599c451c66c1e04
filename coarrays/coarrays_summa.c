/* coarrays_summa: the product of matrices that are spread over images with GPUs, panels by coarrays
 * and by messages (Fanfarillo 2016, 7.2.2, figure 7.1). */
#include <stdlib.h>
#include <mpi.h>

#include "coarrays/bench/images.h"
#include "coarrays/bench/lists.h"
#include "coarrays/hetero/summa.h"
#include "coarrays/hetero/summa_check.h"

static const struct variant variants[] = {
    [SUMMA_MPI] = {"mpi", "two-sided: the owner of a panel sends it, through pageable memory"},
    [SUMMA_MPI_PINNED] = {"mpi-pinned", "the same through page-locked memory"},
    [SUMMA_CAF_PIN] = {"caf-pin", "one-sided: the GPU copies panels from mapped coarrays"},
    [SUMMA_CAF_UM] = {"caf-um", "one-sided: from managed coarrays, all else is managed, too"},
    [SUMMA_CAF_DEVICE] = {"caf-device", "one-sided: from coarrays in GPU memory"},
    {0},
};

static const char *order_list = "1024", *block_list = "256";
static const struct program_option options[] = {
    {"order", OPTION_TEXT, &order_list, "N,...", "rows and columns of the matrices", 0, 0},
    {"block", OPTION_TEXT, &block_list, "N,...", "width of the panels", 0, 0},
    {0},
};

static const struct column columns[] = {
    {"order", COLUMN_PARAMETER, "rows and columns of the matrices, in double precision"},
    {"block", COLUMN_PARAMETER, "width of the panels"},
    {"images", COLUMN_PARAMETER, "each with a GPU, or sharing those of its node"},
    {"nodes", COLUMN_PARAMETER, "nodes that the images lie on"},
    {"gflops", COLUMN_METRIC, "2 * order^3 / time_s / 10^9"},
    {"communication_s", COLUMN_METRIC,
     "s that all panels take to come when nothing is multiplied, median, of the slowest image"},
    {"error_ratio", COLUMN_METRIC,
     "largest difference from the product on one GPU / what rounding may make"},
    {0},
};

/* Matrices of one order. */
struct problem {
    int order;
    uint64_t seed;
    double *expected; /* by one GPU, on image 1 */
};

struct task {
    enum summa_variant variant;
    struct summa *summa;
    double communication_s;
};

static double sample(void *context)
{
    return summa_run(((struct task *)context)->summa, true);
}

static double communicate(void *context)
{
    return summa_run(((struct task *)context)->summa, false);
}

/* ---- checks ---- */

struct verdict {
    double ratio;
    long wrong;
};

/* The last product of the variant; the same on all images. */
static struct verdict verify(const struct task *task, const struct summa_layout *layout,
                             const struct problem *problem)
{
    struct verdict verdict = {0};
    double *c = summa_gather(task->summa, layout);
    if (c) {
        struct summa_difference difference = summa_compare(c, problem->expected, problem->order);
        verdict.ratio = difference.ratio;
        verdict.wrong = difference.wrong + summa_freivalds(c, problem->order, problem->seed);
        free(c);
    }
    verdict.ratio = ranks.max(verdict.ratio);
    verdict.wrong = images_sum(verdict.wrong);
    return verdict;
}

/* ---- one configuration ---- */

static void record(struct run *run, const struct task *task, const struct subject *subject,
                   const struct summa_layout *layout, const struct problem *problem)
{
    struct verdict verdict = {0};
    int nodes = images_nodes();
    double n = layout->order;
    if (run->settings.check)
        verdict = verify(task, layout, problem);
    for (size_t i = 0; i < subject->count; i++) {
        struct value values[] = {
            integer(layout->order),
            integer(layout->block),
            integer(ranks.count),
            integer(nodes),
            real(2.0 * n * n * n / subject->times_s[i] / 1e9),
            real(task->communication_s),
            run->settings.check ? real(verdict.ratio) : none(),
        };
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], verdict.wrong);
    }
}

/* The products come last: what they leave is verified. */
static void measure_tasks(struct run *run, struct task *tasks, struct subject *subjects,
                          size_t count)
{
    for (size_t i = 0; i < count; i++)
        subjects[i] = (struct subject){.variant = variants[tasks[i].variant].name,
                                       .sample = communicate,
                                       .context = &tasks[i]};
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        tasks[i].communication_s = measure_interval(&subjects[i]).median;
        subjects[i].sample = sample;
    }
    measure_free(subjects, count);
    measure(run, subjects, count);
}

static void measure_block(struct run *run, const struct problem *problem, int block)
{
    struct task tasks[SUMMA_VARIANTS];
    struct subject subjects[SUMMA_VARIANTS];
    size_t count = 0;
    struct summa_layout layout = summa_layout(problem->order, block, ranks.count, caf_this_image());
    struct summa_blocks blocks = summa_random_blocks(&layout, problem->seed);
    for (int v = 0; v < SUMMA_VARIANTS; v++)
        if (program_wants(run, variants[v].name))
            tasks[count++] =
                (struct task){.variant = v, .summa = summa_create(v, &layout, blocks.a, blocks.b)};
    program_note(run, "order %d, panels of %d, %dx%d images", problem->order, block,
                 layout.grid[SUMMA_ROW], layout.grid[SUMMA_COLUMN]);
    measure_tasks(run, tasks, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &tasks[i], &subjects[i], &layout, problem);
        summa_destroy(tasks[i].summa);
    }
    measure_free(subjects, count);
    free(blocks.a);
    free(blocks.b);
}

static void measure_order(struct run *run, int order, const struct numbers *blocks)
{
    struct problem problem = {.order = order, .seed = run->settings.seed};
    /* Each image its blocks and, in each variant, those of A and B at most twice, and C; the first
     * image's checks five matrices. */
    images_need_memory(8.0 * order * order *
                           ((2.0 + 5.0 * SUMMA_VARIANTS) / ranks.count + 5.0 / ranks.local_count),
                       "this order");
    if (run->settings.check && ranks.rank == 0)
        problem.expected = summa_on_one_gpu(order, problem.seed);
    for (size_t i = 0; i < blocks->count; i++)
        measure_block(run, &problem, (int)(blocks->values[i] < order ? blocks->values[i] : order));
    free(problem.expected);
}

static void run_all(struct run *run)
{
    enum { LARGEST = 32768 };
    struct numbers orders = lists_numbers("order", order_list, 1, LARGEST);
    struct numbers blocks = lists_numbers("block", block_list, 1, LARGEST);
    struct summa_layout layout = summa_layout(1, 1, ranks.count, 1);
    for (size_t i = 0; i < orders.count; i++)
        if (orders.values[i] < layout.grid[SUMMA_COLUMN])
            images_refuse("--order %d is too small for a grid of %dx%d images",
                          (int)orders.values[i], layout.grid[SUMMA_ROW], layout.grid[SUMMA_COLUMN]);
    caf_start(NULL, NULL);
    for (size_t i = 0; i < orders.count; i++)
        measure_order(run, (int)orders.values[i], &blocks);
    caf_end();
    free(orders.values);
    free(blocks.values);
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
