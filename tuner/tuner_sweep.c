/* tuner_sweep: the time of every thread block of a space, on every kernel. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/program.h"
#include "common/random.h"

#include "kernel.h"

/* In the order of tunable_kinds, which has the meanings. */
static const struct variant variants[] = {
    {"2dconv", "convolution of 3 x 3 in a plane"},
    {"3dconv", "convolution of 3 x 3 x 3 in space"},
    {"2mm", "D = alpha A B C + beta D"},
    {"3mm", "G = (A B) (C D)"},
    {"gemm", "C = alpha A B + beta C"},
    {"gesummv", "y = alpha A x + beta B x"},
    {"mvt", "x1 += A y1, x2 += A' y2"},
    {"syr2k", "C = alpha (A B' + B A') + beta C"},
    {"syrk", "C = alpha A A' + beta C"},
    {"epcc", "27-point stencil"},
    {"ldc", "one step of the lid-driven cavity"},
    {0},
};

struct row {
    size_t size;
    int64_t block_x, block_y;
    const char *outcome;
    double rate_gflops, spread_s;
};
static const struct column columns[] = {
    PARAMETER(struct row, size, "of the kernel's data"),
    PARAMETER(struct row, block_x, "threads of a block in x"),
    PARAMETER(struct row, block_y, "and in y"),
    METRIC(struct row, outcome, "ok, invalid (refused at launch) or failed (wrong results)"),
    METRIC(struct row, rate_gflops, "10^9 floating-point operations per s"),
    METRIC(struct row, spread_s, "half width of the 95 % interval of the mean"),
    {0},
};

static int64_t side = TUNABLE_THREADS, threads = TUNABLE_THREADS;
static const char *dataset = "small";
static const struct program_option options[] = {
    {"side", OPTION_INTEGER, &side, "N", "maximum number of threads in one dimension", 1,
     TUNABLE_THREADS},
    {"threads", OPTION_INTEGER, &threads, "N", "maximum number of threads in a block", 1,
     TUNABLE_THREADS},
    {"dataset", OPTION_TEXT, &dataset, "NAME", "tiny, small, full, or a size", 0, 0},
    {0},
};

static struct tuner_space *make_space(void)
{
    char text[256];
    struct tuner_space *space;
    int length = snprintf(text, sizeof text,
                          "integer bx 1 %" PRId64 "\ninteger by 1 %" PRId64
                          "\nrequire bx * by <= %" PRId64 "\n",
                          side, side, threads);

    check_status(tuner_space_read(&space, text, (size_t)length, "blocks"));
    return space;
}

/* A random order, so that a drift of the machine does not look like an effect of the block. */
static uint32_t *make_order(size_t count, uint64_t seed)
{
    uint32_t *order = allocate_or_fail(count, sizeof *order);

    for (size_t i = 0; i < count; i++) {
        size_t other = random_below(seed, i, i + 1);
        order[i] = order[other];
        order[other] = (uint32_t)i;
    }
    return order;
}

static void measure_all(const struct run *run, const struct tuner_space *space,
                        const struct tunable_kind *kind, struct tuner_trial *trials)
{
    const uint64_t seed = run->settings.seed;
    const int runs = run->settings.iterations ? run->settings.iterations : 10;
    size_t count = tuner_space_size(space);
    uint32_t *order = make_order(count, seed);
    struct kernel *kernel;

    check_status(kernel_open(&kernel, space, kind, dataset, runs, seed));
    struct tuner_objective objective = kernel_objective(kernel);
    for (size_t i = 0; i < count; i++)
        check_status(tuner_objective_measure(objective, order[i], &trials[order[i]]));
    kernel_close(kernel);
    free(order);
}

static void record_all(struct run *run, const struct tuner_space *space,
                       const struct tunable_kind *kind, const struct tuner_trial *trials)
{
    struct tunable shape = {.kind = kind, .size = tunable_size(kind, dataset)};

    kind->describe(&shape);
    for (size_t i = 0; i < tuner_space_size(space); i++) {
        const struct tuner_trial *trial = &trials[i];
        struct row row = {.size = shape.size,
                          .block_x = tuner_space_value(space, i, 0),
                          .block_y = tuner_space_value(space, i, 1),
                          .outcome = tuner_outcome_name(trial->outcome),
                          .rate_gflops = 1e-9 * shape.flops / trial->time_s, /* NaN unless ok */
                          .spread_s = trial->outcome == TUNER_OK ? trial->spread_s : NAN};
        record_row(run, kind->name, 0, &row, trial->time_s, trial->outcome == TUNER_FAILED);
    }
}

static void note_best(const struct run *run, const struct tuner_space *space, const char *name,
                      const struct tuner_trial *trials, double elapsed_s)
{
    size_t best = 0, count = tuner_space_size(space);
    char block[128];

    for (size_t i = 1; i < count; i++)
        if (trials[i].outcome == TUNER_OK && !(trials[best].time_s <= trials[i].time_s))
            best = i;
    tuner_space_describe(space, best, block, sizeof block);
    program_note(run, "%s: %zu thread blocks in %.1f s, best %s in %.3g us", name, count, elapsed_s,
                 block, 1e6 * trials[best].time_s);
}

static void run_all(struct run *run)
{
    struct tuner_space *space = make_space();
    struct tuner_trial *trials = allocate_or_fail(tuner_space_size(space), sizeof *trials);

    for (int k = 0; tunable_kinds[k]; k++) {
        const struct tunable_kind *kind = tunable_kinds[k];
        if (!program_wants_variant(run, k))
            continue;
        double start_s = clock_now_s();
        measure_all(run, space, kind, trials);
        note_best(run, space, kind->name, trials, clock_now_s() - start_s);
        record_all(run, space, kind, trials);
    }
    free(trials);
    tuner_space_free(space);
}

const struct program program = {
    .name = "tuner_sweep",
    .summary = "measures every thread block of two dimensions, on the kernels that are tuned",
    .details =
        "Blocks are all pairs x, y up to --side with x * y up to --threads (7262 without these\n"
        "options), in random order. time_s is the mean of -n launches (10) on the device, without\n"
        "transfers; one more launch before them is not timed, and its results are compared with\n"
        "the CPU's. To measure in pieces, name some kernels by --variants.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
