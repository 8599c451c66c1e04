/* spmv_calls: what the calls that manage memory take in an exchange by strategy SG, which makes the
 * curve of that strategy rise and fall with the size (Fanfarillo 2016, figure 4.1b). */
#include <stdlib.h>

#include <datamotion/spmv_mpi.h>

#include "common/harness/program.h"
#include "common/harness/scope.h"
#include "common/random.h"

enum { MALLOC, MEMCPY, FREE, ALL, CALLS };
static const struct variant variants[] = {
    [MALLOC] = {"malloc", "4 cudaMalloc: index list and buffer of what is sent and what has come"},
    [MEMCPY] = {"memcpy",
                "4 copies: both index lists and what has come to the device, what is sent "
                "from it"},
    [FREE] = {"free", "4 cudaFree"},
    [ALL] = {"all", "all of them"},
    {0},
};

struct row {
    int64_t edge, rows, repeats;
};
static const struct column columns[] = {
    PARAMETER(struct row, edge, "points along an edge of the cube"),
    PARAMETER(struct row, rows, "rows of the matrix of both ranks, edge^3"),
    PARAMETER(struct row, repeats, "exchanges per sample"),
    {0},
};

static int64_t repeats = 20;
static const struct program_option options[] = {
    {"repeats", OPTION_INTEGER, &repeats, "N", "exchanges that one sample takes", 1, 1e6},
    {0},
};

/* One of two ranks that share a cube, and the other one: a plane is sent and a plane received. As
 * only the calls count, the process is its own neighbour. */
struct half_cube {
    struct spmv_halo halo;
    struct spmv_neighbour neighbour;
    struct spmv_exchange *exchange;
    double *x; /* on the device */
    struct spmv_exchange_report sample;
    double (*times_s)[CALLS]; /* of each sample that counts */
    size_t count;
};

static size_t elements(const struct half_cube *half)
{
    return (size_t)(half->halo.rows + half->halo.halo);
}

static void open_half(struct half_cube *half, int64_t edge)
{
    const double own_wait_limit_s = 60;
    int64_t rows = edge * edge * edge, plane = edge * edge, mine = rows - rows / 2;
    int32_t *send_index = scope_allocate(MEMORY_PAGEABLE, (size_t)plane * sizeof *send_index);
    for (int64_t i = 0; i < plane; i++)
        send_index[i] = (int32_t)(mine - plane + i);
    *half = (struct half_cube){.neighbour = {.send_count = plane, .receive_count = plane},
                               .halo = {.ranks = MPI_COMM_WORLD,
                                        .rank_count = 1,
                                        .rows = mine,
                                        .global_rows = rows,
                                        .halo = plane,
                                        .send = plane,
                                        .send_index = send_index,
                                        .neighbour_count = 1,
                                        .neighbours = &half->neighbour}};
    half->x = scope_allocate(MEMORY_DEVICE, elements(half) * sizeof *half->x);
    check_status(
        spmv_exchange_open(&half->exchange, SPMV_SG, &half->halo, SPMV_DOUBLE, own_wait_limit_s));
}

/* Sets x at random, exchanges once, and counts the elements that are not where they belong. */
static long count_wrong(const struct half_cube *half, uint64_t seed)
{
    size_t bytes = elements(half) * sizeof(double);
    double *sent = scope_allocate(MEMORY_PAGEABLE, bytes);
    double *got = scope_allocate(MEMORY_PAGEABLE, bytes);
    long wrong = 0;
    random_fill_double(sent, elements(half), seed);
    check_cuda(cudaMemcpy(half->x, sent, bytes, cudaMemcpyHostToDevice));
    check_status(spmv_exchange_run(half->exchange, half->x, NULL));
    check_cuda(cudaMemcpy(got, half->x, bytes, cudaMemcpyDeviceToHost));
    for (int64_t i = 0; i < half->halo.rows; i++)
        wrong += got[i] != sent[i];
    for (int64_t i = 0; i < half->halo.halo; i++)
        wrong += got[half->halo.rows + i] != sent[half->halo.send_index[i]];
    return wrong;
}

static double time_calls(void *context)
{
    struct half_cube *half = context;
    spmv_exchange_report(half->exchange, true);
    for (int64_t i = 0; i < repeats; i++)
        check_status(spmv_exchange_run(half->exchange, half->x, NULL));
    half->sample = spmv_exchange_report(half->exchange, false);
    return (half->sample.malloc_s + half->sample.memcpy_s + half->sample.free_s) / (double)repeats;
}

static void keep_calls(void *context, double time_s)
{
    struct half_cube *half = context;
    half->times_s = realloc(half->times_s, (half->count + 1) * sizeof *half->times_s);
    if (!half->times_s)
        fail("no host memory for %zu samples: choose fewer with -n", half->count + 1);
    double *sample_s = half->times_s[half->count++];
    sample_s[MALLOC] = half->sample.malloc_s / (double)repeats;
    sample_s[MEMCPY] = half->sample.memcpy_s / (double)repeats;
    sample_s[FREE] = half->sample.free_s / (double)repeats;
    sample_s[ALL] = time_s;
}

/* All calls are timed in one sample, which gives a row to each of them. */
static void measure_edge(struct run *run, int64_t edge)
{
    struct half_cube half;
    struct subject subject = {
        .variant = variants[ALL].name, .sample = time_calls, .after = keep_calls, .context = &half};
    scope_open();
    open_half(&half, edge);
    long wrong = run->settings.check ? count_wrong(&half, run->settings.seed) : 0;
    measure(run, &subject, 1);
    const struct row row = {edge, edge * edge * edge, repeats};
    for (int call = 0; call < CALLS; call++)
        for (size_t i = 0; i < half.count && program_wants_variant(run, call); i++)
            record_row(run, variants[call].name, (int)i, &row, half.times_s[i][call], wrong);
    measure_free(&subject, 1);
    free(half.times_s);
    spmv_exchange_close(half.exchange);
    scope_close();
}

static void run_all(struct run *run)
{
    const size_t largest = 1290; /* 1290^3 < 2^31 */
    if (ranks.count != 1)
        fail("%d ranks: one process is measured, start it alone", ranks.count);
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (run->settings.sizes[i] < 2 || run->settings.sizes[i] > largest)
            fail("--sizes: an edge of %zu points: it must be from 2 to %zu", run->settings.sizes[i],
                 largest);
    for (size_t i = 0; i < run->settings.size_count; i++)
        measure_edge(run, (int64_t)run->settings.sizes[i]);
}

static const size_t default_sizes[] = {10, 16, 20, 24, 28, 32, 36, 40, 0};

const struct program program = {
    .name = "spmv_calls",
    .summary = "time of the calls that manage device memory in an exchange between two ranks",
    .details =
        "One process goes through the exchange of strategy sg (spmv_exchange_run) for a\n"
        "pde matrix that two ranks share: a plane of the cube is sent and one comes. time_s\n"
        "is of these calls alone, on the clock of the host, per exchange.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "points along an edge",
    .default_sizes = default_sizes,
    .uses_gpu = true,
    .start_ranks = ranks_start,
    .run = run_all,
};
