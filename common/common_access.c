/* common_access: bandwidth of the GPU's memory by the order in which threads read it, and of
 * STREAM's triad there. */
#include <math.h>

#include "common/harness/allocate.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"
#include "common/memory.h"
#include "common/random.h"
#include "common/workloads/memory_access.h"

enum { ORDERS = 3, TRIAD = ORDERS };
static const double triad_scalar = 3.0;

/* The first three in the order of enum access_order. */
static const struct variant variants[] = {
    {"coalesced", "consecutive threads read consecutive elements"},
    {"strided", "consecutive threads read elements of consecutive lines of 128 bytes"},
    {"random", "each element once, in an order without pattern"},
    {"triad", "STREAM's triad in doubles, 24 bytes counted for each element"},
    {0},
};

struct row {
    int64_t element_bytes;
    size_t array_bytes;
    double bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, element_bytes, "what a thread reads at once"),
    PARAMETER(struct row, array_bytes, "bytes of an array"),
    METRIC(struct row, bandwidth_gbs, "bytes that the program requests / time_s, in 10^9 byte/s"),
    {0},
};

/* One order of one element, on an array that all share. */
struct reading {
    int variant; /* enum access_order */
    const unsigned *array;
    size_t bytes;
    unsigned element_bytes, expected;
    unsigned *sums;
};

struct triad {
    int variant;
    size_t bytes, count;
    double *a, *b, *c;
    double *host_b, *host_c;
};

/* ---- readings ---- */

static void read_once(void *task)
{
    const struct reading *reading = task;
    check_cuda(access_read(reading->array, reading->bytes, reading->element_bytes,
                           (enum access_order)reading->variant, reading->sums, 0));
    check_cuda(cudaDeviceSynchronize());
}

static void fill_reading(const void *task, double time_s, void *row)
{
    const struct reading *reading = task;
    *(struct row *)row = (struct row){reading->element_bytes, reading->bytes,
                                      1e-9 * (double)reading->bytes / time_s};
}

static unsigned sum_words(const unsigned *words, size_t count)
{
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += words[i];
    return sum;
}

/* 1 if the sum of one further launch is wrong. */
static long count_wrong_sums(struct run *run, void *task)
{
    (void)run;
    const struct reading *reading = task;
    size_t bytes = ACCESS_THREADS * sizeof(unsigned);
    unsigned *sums = memory_allocate(MEMORY_PAGEABLE, bytes);
    check_cuda(cudaMemset(reading->sums, 0, bytes));
    read_once(task);
    check_cuda(cudaMemcpy(sums, reading->sums, bytes, cudaMemcpyDeviceToHost));
    bool wrong = sum_words(sums, ACCESS_THREADS) != reading->expected;
    memory_release(MEMORY_PAGEABLE, sums);
    return wrong;
}

static const struct comparison reading_comparison = {.task_bytes = TASK(struct reading),
                                                     .row_bytes = sizeof(struct row),
                                                     .operation = read_once,
                                                     .row = fill_reading,
                                                     .verify = count_wrong_sums};

static void run_readings(struct run *run)
{
    const size_t bytes = run->settings.size;
    scope_open();
    unsigned *words = scope_random(MEMORY_PAGEABLE, bytes, run->settings.seed);
    struct reading reading = {
        .bytes = bytes,
        .expected = sum_words(words, bytes / sizeof *words),
        .array = scope_random(MEMORY_DEVICE, bytes, run->settings.seed),
        .sums = scope_allocate(MEMORY_DEVICE, ACCESS_THREADS * sizeof *reading.sums)};
    for (reading.element_bytes = 4; reading.element_bytes <= 16; reading.element_bytes *= 2)
        compare_first_variants(run, &reading_comparison, &reading, ORDERS);
    scope_close();
}

/* ---- triad ---- */

static bool open_triad(struct run *run, void *task)
{
    struct triad *triad = task;
    triad->host_b = scope_allocate(MEMORY_PAGEABLE, triad->bytes);
    triad->host_c = scope_allocate(MEMORY_PAGEABLE, triad->bytes);
    triad->a = scope_allocate(MEMORY_DEVICE, triad->bytes);
    triad->b = scope_allocate(MEMORY_DEVICE, triad->bytes);
    triad->c = scope_allocate(MEMORY_DEVICE, triad->bytes);
    random_fill_double(triad->host_b, triad->count, run->settings.seed);
    random_fill_double(triad->host_c, triad->count, run->settings.seed + 1);
    memory_copy(triad->b, triad->host_b, triad->bytes);
    memory_copy(triad->c, triad->host_c, triad->bytes);
    return true;
}

static void triad_once(void *task)
{
    const struct triad *triad = task;
    check_cuda(access_triad(triad->a, triad->b, triad->c, triad_scalar, triad->count, 0));
    check_cuda(cudaDeviceSynchronize());
}

static void fill_triad(const void *task, double time_s, void *row)
{
    const struct triad *triad = task;
    *(struct row *)row =
        (struct row){sizeof(double), triad->bytes, 1e-9 * 3.0 * (double)triad->bytes / time_s};
}

/* A multiply-add may be rounded once or twice. */
static long count_wrong_triad(struct run *run, void *task)
{
    (void)run;
    const struct triad *triad = task;
    const double *b = triad->host_b, *c = triad->host_c;
    long wrong = 0;
    double *a = memory_allocate(MEMORY_PAGEABLE, triad->bytes);
    check_cuda(cudaMemcpy(a, triad->a, triad->bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < triad->count; i++)
        wrong += !(fabs(a[i] - (b[i] + triad_scalar * c[i])) <= 1e-15);
    memory_release(MEMORY_PAGEABLE, a);
    return wrong;
}

static const struct comparison triad_comparison = {.task_bytes = TASK(struct triad),
                                                   .row_bytes = sizeof(struct row),
                                                   .open = open_triad,
                                                   .operation = triad_once,
                                                   .row = fill_triad,
                                                   .verify = count_wrong_triad};

static void run_all(struct run *run)
{
    size_t bytes = run->settings.size;
    if (bytes < ACCESS_SMALLEST || bytes > ACCESS_LARGEST || (bytes & (bytes - 1)))
        fail("-s %zu: a power of two from 64K to 8G", bytes);
    run_readings(run);
    struct triad triad = {.variant = TRIAD, .bytes = bytes, .count = bytes / sizeof(double)};
    if (program_wants_variant(run, TRIAD))
        compare_tasks(run, &triad_comparison, &triad, 1);
}

const struct program program = {
    .name = "common_access",
    .summary = "bandwidth of the GPU's memory by the order in which threads read it",
    .details = "Every order reads every element of the same array once and adds it up. Nothing of\n"
               "the array should be left in the caches from one repetition to the next: -s, the\n"
               "bytes of an array (the triad has three), has to be many times theirs.",
    .variants = variants,
    .columns = columns,
    .default_size = 64 << 20,
    .uses_gpu = true,
    .run = run_all,
};
