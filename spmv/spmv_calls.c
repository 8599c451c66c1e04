/* spmv_calls: what the calls that manage memory take in an exchange by strategy SG, which makes the
 * curve of that strategy rise and fall with the size (Fanfarillo 2016, figure 4.1b). */
#include <stdlib.h>
#include <mpi.h>

#include "common/harness/allocate.h"
#include "common/harness/program.h"
#include "common/random.h"

#include <datamotion/spmv_mpi.h>

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

static const struct column columns[] = {
    {"edge", COLUMN_PARAMETER, "points along an edge of the cube"},
    {"rows", COLUMN_PARAMETER, "rows of the matrix of both ranks, edge^3"},
    {"repeats", COLUMN_PARAMETER, "exchanges per sample"},
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
    struct spmv_exchange *exchange;
    double *x;                /* on the device */
    double (*samples)[CALLS]; /* warm-up included */
    size_t count, capacity;
};

static size_t elements(const struct half_cube *half)
{
    return (size_t)(half->halo.rows + half->halo.halo);
}

static void open_half(struct half_cube *half, int64_t edge)
{
    int64_t rows = edge * edge * edge, plane = edge * edge, mine = rows - rows / 2;
    struct spmv_neighbour *neighbour = allocate_or_fail(1, sizeof *neighbour);
    *neighbour = (struct spmv_neighbour){.send_count = plane, .receive_count = plane};
    *half = (struct half_cube){.halo = {.ranks = MPI_COMM_WORLD,
                                        .rank_count = 1,
                                        .rows = mine,
                                        .global_rows = rows,
                                        .halo = plane,
                                        .send = plane,
                                        .neighbour_count = 1,
                                        .neighbours = neighbour}};
    half->halo.send_index = allocate_or_fail((unsigned long)plane, sizeof(int32_t));
    for (int64_t i = 0; i < plane; i++)
        half->halo.send_index[i] = (int32_t)(mine - plane + i);
    half->x = memory_allocate(MEMORY_DEVICE, elements(half) * sizeof *half->x);
    const double own_wait_limit_s = 60;
    check_status(
        spmv_exchange_open(&half->exchange, SPMV_SG, &half->halo, SPMV_DOUBLE, own_wait_limit_s));
}

static void close_half(struct half_cube *half)
{
    spmv_exchange_close(half->exchange);
    memory_release(MEMORY_DEVICE, half->x);
    spmv_halo_close(&half->halo);
    free(half->samples);
}

/* Sets x at random, exchanges once, and counts the elements that are not where they belong. */
static long count_wrong(const struct half_cube *half, uint64_t seed)
{
    size_t bytes = elements(half) * sizeof(double);
    double *sent = allocate_or_fail(elements(half), sizeof *sent);
    double *got = allocate_or_fail(elements(half), sizeof *got);
    long wrong = 0;
    random_fill_double(sent, elements(half), seed);
    check_cuda(cudaMemcpy(half->x, sent, bytes, cudaMemcpyHostToDevice));
    check_status(spmv_exchange_run(half->exchange, half->x, NULL));
    check_cuda(cudaMemcpy(got, half->x, bytes, cudaMemcpyDeviceToHost));
    for (int64_t i = 0; i < half->halo.rows; i++)
        wrong += got[i] != sent[i];
    for (int64_t i = 0; i < half->halo.halo; i++)
        wrong += got[half->halo.rows + i] != sent[half->halo.send_index[i]];
    free(got);
    free(sent);
    return wrong;
}

static double time_of(void *context)
{
    struct half_cube *half = context;
    spmv_exchange_report(half->exchange, true);
    for (int64_t i = 0; i < repeats; i++)
        check_status(spmv_exchange_run(half->exchange, half->x, NULL));
    struct spmv_exchange_report report = spmv_exchange_report(half->exchange, false);
    if (half->count == half->capacity) {
        half->capacity = 2 * half->capacity + 64;
        half->samples = realloc(half->samples, half->capacity * sizeof *half->samples);
        if (!half->samples)
            fail("no host memory for %zu samples: choose fewer with -n", half->capacity);
    }
    double *sample = half->samples[half->count++];
    sample[MALLOC] = report.malloc_s / (double)repeats;
    sample[MEMCPY] = report.memcpy_s / (double)repeats;
    sample[FREE] = report.free_s / (double)repeats;
    sample[ALL] = sample[MALLOC] + sample[MEMCPY] + sample[FREE];
    return sample[ALL];
}

static void measure_edge(struct run *run, int64_t edge)
{
    struct half_cube half;
    struct subject subject = {.variant = variants[ALL].name, .sample = time_of, .context = &half};
    open_half(&half, edge);
    long wrong = run->settings.check ? count_wrong(&half, run->settings.seed) : 0;
    measure(run, &subject, 1);
    struct value values[] = {integer(edge), integer(edge * edge * edge), integer(repeats)};
    for (int call = 0; call < CALLS; call++)
        for (size_t i = 0; i < subject.count && program_wants(run, variants[call].name); i++)
            record_values(run, variants[call].name, (int)i, values,
                          half.samples[half.count - subject.count + i][call], wrong);
    measure_free(&subject, 1);
    close_half(&half);
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
