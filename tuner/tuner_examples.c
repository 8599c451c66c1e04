/* tuner_examples: the time of every configuration of the kernels of kernels/. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/harness/program.h"
#include "common/random.h"

#include "example.h"
#include "sweep.h"

static const struct variant variants[] = {
    {"matmul", "C = A B: tiles in shared memory, several results per thread"},
    {"stencil", "a step of a 7-point stencil on a cube"},
    {0},
};

/* The parameters of both spaces; those that one has not are 0 in its rows. */
struct row {
    int64_t size, block_x, block_y, work_x, work_y, depth, vector, buffers, pad, transposed,
        strided, unroll_k, planes, staged, read_only, unroll_z, blocks_min;
    const char *outcome;
    double rate_gflops, spread_s;
};
static const struct column columns[] = {
    PARAMETER(struct row, size, "rows of the matrices, points of the cube's side"),
    PARAMETER(struct row, block_x, "threads of a block in x"),
    PARAMETER(struct row, block_y, "and in y"),
    PARAMETER(struct row, work_x, "results of a thread in x"),
    PARAMETER(struct row, work_y, "and in y"),
    PARAMETER(struct row, depth, "matmul: columns of a tile of A"),
    PARAMETER(struct row, vector, "matmul: floats of a load"),
    PARAMETER(struct row, buffers, "matmul: tiles of each matrix in shared memory"),
    PARAMETER(struct row, pad, "floats behind each row in shared memory"),
    PARAMETER(struct row, transposed, "matmul: tiles of A are transposed"),
    PARAMETER(struct row, strided, "a thread's results are a block apart"),
    PARAMETER(struct row, unroll_k, "matmul: how often its inner loop is unrolled"),
    PARAMETER(struct row, planes, "stencil: planes of a block"),
    PARAMETER(struct row, staged, "stencil: planes go through shared memory"),
    PARAMETER(struct row, read_only, "stencil: loads go through the read-only cache"),
    PARAMETER(struct row, unroll_z, "stencil: how often its loop over planes is unrolled"),
    PARAMETER(struct row, blocks_min,
              "blocks per multiprocessor that registers must leave room for"),
    METRIC(struct row, outcome, "ok, invalid (refused at launch), failed or hanging"),
    METRIC(struct row, rate_gflops, "10^9 floating-point operations per s"),
    METRIC(struct row, spread_s, "half width of the 95 % interval of the median"),
    {0},
};

static int64_t side, most, jobs = -1;
static const char *folder;
static const struct program_option options[] = {
    {"n", OPTION_INTEGER, &side, "N", "size in each dimension; 0: that of the space", 0, 1 << 20},
    {"configurations", OPTION_INTEGER, &most, "N", "so many of them at random; 0: all", 0, 1 << 30},
    {"jobs", OPTION_INTEGER, &jobs, "N",
     "compilers beside measuring; -1: one per core but one (software GPU: none)", -1, 1024},
    {"folder", OPTION_TEXT, &folder, "DIR", "of the kernels, for other than those of the tree", 0,
     0},
    {0},
};

enum { AHEAD = 64 }; /* configurations that are announced to the compilers */

/* A random order, so that a drift of the machine does not look like an effect of a parameter. */
static size_t *make_order(size_t count, uint64_t seed)
{
    size_t *order = allocate_or_fail(count, sizeof *order);

    for (size_t i = 0; i < count; i++) {
        size_t other = random_below(seed, i, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    return order;
}

static int64_t value_of(const struct tuner_space *space, size_t configuration, const char *name)
{
    size_t dimension;

    if (!tuner_space_dimension_of(space, name, &dimension))
        return 0;
    return tuner_space_value(space, configuration, dimension);
}

#define VALUE(name) .name = value_of(example->space, configuration, #name)

static void record(struct run *run, const char *name, const struct example *example,
                   size_t configuration, const struct tuner_trial *trial)
{
    struct row row = {.size = value_of(example->space, configuration, "n"),
                      VALUE(block_x),
                      VALUE(block_y),
                      VALUE(work_x),
                      VALUE(work_y),
                      VALUE(depth),
                      VALUE(vector),
                      VALUE(buffers),
                      VALUE(pad),
                      VALUE(transposed),
                      VALUE(strided),
                      VALUE(unroll_k),
                      VALUE(planes),
                      VALUE(staged),
                      VALUE(read_only),
                      VALUE(unroll_z),
                      VALUE(blocks_min),
                      .rate_gflops = NAN,
                      .spread_s = NAN,
                      .outcome = tuner_outcome_name(trial->outcome)};
    double gbs, time_s = trial->outcome == TUNER_OK ? trial->time_s : NAN;

    if (trial->outcome == TUNER_OK) {
        own_kernel_rates(example->kernel, configuration, trial->time_s, &row.rate_gflops, &gbs);
        row.spread_s = trial->spread_s;
    }
    record_row(run, name, 0, &row, time_s,
               trial->outcome == TUNER_FAILED || trial->outcome == TUNER_HANGING);
}

static void measure_all(struct run *run, const char *name, struct example *example)
{
    struct tuner_objective objective = own_kernel_objective(example->kernel);
    size_t count = tuner_space_size(example->space);
    size_t *order = make_order(count, run->settings.seed);
    double start_s = clock_now_s(), shown_s = start_s;

    if (most && (size_t)most < count)
        count = (size_t)most;
    for (size_t i = 0; i < count; i++) {
        struct tuner_trial trial;
        size_t ahead = count - i < AHEAD ? count - i : AHEAD;
        check_status(own_kernel_expect(example->kernel, order + i, ahead));
        check_status(tuner_objective_measure(objective, order[i], &trial));
        record(run, name, example, order[i], &trial);
        if (clock_now_s() - shown_s > 10.0) {
            shown_s = clock_now_s();
            program_note(run, "%s: %zu of %zu configurations in %.0f s", name, i + 1, count,
                         shown_s - start_s);
        }
    }
    program_note(run, "%s: %zu configurations in %.1f s%s%s", name, count, clock_now_s() - start_s,
                 *own_kernel_failure(example->kernel) ? "; the last that failed: " : "",
                 own_kernel_failure(example->kernel));
    free(order);
}

static void run_all(struct run *run)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const bool soft = strcmp(GPU_KIND, "soft") == 0;
    struct own_kernel_options own = {
        .runs = run->settings.iterations ? run->settings.iterations : 7,
        .jobs = jobs >= 0           ? jobs
                : soft || cores < 2 ? 0
                                    : cores - 1,
        .limit_s = 60.0,
        .seed = (int64_t)run->settings.seed,
        .verbose = run->settings.verbosity > 0,
    };
    struct example example;

    if (run->settings.device > 0)
        fail("-d %d: kernels run on device 0 alone; CUDA_VISIBLE_DEVICES chooses it",
             run->settings.device);
    for (int i = 0; variants[i].name; i++) {
        if (!program_wants_variant(run, i))
            continue;
        check_status(example_open(&example, variants[i].name, folder, side, &own));
        measure_all(run, variants[i].name, &example);
        example_close(&example);
    }
}

const struct program program = {
    .name = "tuner_examples",
    .summary = "measures every configuration of the two kernels of tuner/kernels",
    .details =
        "Each configuration is compiled by itself, by several compilers beside the measuring, and\n"
        "launched once to compare its results with those of the first one, then -n times (7).\n"
        "time_s is their median on the device. The order is random. Parameters that a kernel has not\n"
        "are 0.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
