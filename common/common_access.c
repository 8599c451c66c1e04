/* common_access: bandwidth of the GPU's memory by the order in which threads read it, and of
 * STREAM's triad there. */
#include "clock.h"
#include "memory.h"
#include "program.h"
#include "random.h"
#include "workloads/memory_access.h"

#include <math.h>
#include <stdlib.h>

enum { ORDERS = 3 };
static const double triad_scalar = 3.0;

/* The first three in the order of enum access_order. */
static const struct variant variants[] = {
    {"coalesced", "consecutive threads read consecutive elements"},
    {"strided", "consecutive threads read elements of consecutive lines of 128 bytes"},
    {"random", "each element once, in an order without pattern"},
    {"triad", "STREAM's triad in doubles, 24 bytes counted for each element"},
    {0},
};

static const struct column columns[] = {
    {"element_bytes", COLUMN_PARAMETER, "what a thread reads at once"},
    {"array_bytes", COLUMN_PARAMETER, "bytes of an array"},
    {"bandwidth_gbs", COLUMN_METRIC, "bytes that the program asks for / time_s, in 10^9 byte/s"},
    {0},
};

/* One order of one element, on an array that all share. */
struct reading {
    const unsigned *array;
    size_t bytes;
    unsigned element_bytes;
    enum access_order order;
    unsigned *sums;
};

struct triad {
    double *a, *b, *c;
    size_t count;
};

static double sample_reading(void *context)
{
    struct reading *reading = context;
    double start_s = clock_now_s();
    check_cuda(access_read(reading->array, reading->bytes, reading->element_bytes, reading->order,
                           reading->sums, 0));
    check_cuda(cudaDeviceSynchronize());
    return clock_now_s() - start_s;
}

static double sample_triad(void *context)
{
    struct triad *triad = context;
    double start_s = clock_now_s();
    check_cuda(access_triad(triad->a, triad->b, triad->c, triad_scalar, triad->count, 0));
    check_cuda(cudaDeviceSynchronize());
    return clock_now_s() - start_s;
}

static void record(struct run *run, const struct subject *subject, unsigned element_bytes,
                   double moved, long errors)
{
    for (size_t i = 0; i < subject->count; i++) {
        double time_s = subject->times_s[i];
        struct value values[] = {integer(element_bytes), integer((int64_t)run->settings.size),
                                 real(1e-9 * moved / time_s)};
        record_row(run, subject->variant, (int)i, values, time_s, errors);
    }
}

static unsigned sum_words(const unsigned *words, size_t count)
{
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += words[i];
    return sum;
}

/* The sums of the threads are cleared first, so that this is the sum of one more launch. */
static unsigned sum_once_more(struct reading *reading)
{
    size_t bytes = ACCESS_THREADS * sizeof(unsigned);
    unsigned *sums = memory_allocate(MEMORY_PAGEABLE, bytes);
    check_cuda(cudaMemset(reading->sums, 0, bytes));
    sample_reading(reading);
    check_cuda(cudaMemcpy(sums, reading->sums, bytes, cudaMemcpyDeviceToHost));
    unsigned sum = sum_words(sums, ACCESS_THREADS);
    memory_release(MEMORY_PAGEABLE, sums);
    return sum;
}

static void measure_element(struct run *run, const struct reading *common, unsigned expected)
{
    struct reading readings[ORDERS];
    struct subject subjects[ORDERS];
    size_t count = 0;
    for (int order = 0; order < ORDERS; order++) {
        if (!program_wants(run, variants[order].name))
            continue;
        readings[count] = *common;
        readings[count].order = (enum access_order)order;
        subjects[count] = (struct subject){
            .variant = variants[order].name, .sample = sample_reading, .context = &readings[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        long errors = run->settings.check && sum_once_more(&readings[i]) != expected;
        record(run, &subjects[i], common->element_bytes, (double)common->bytes, errors);
    }
    measure_free(subjects, count);
}

static void run_readings(struct run *run)
{
    struct reading reading = {.bytes = run->settings.size};
    unsigned *words = memory_allocate(MEMORY_PAGEABLE, reading.bytes);
    unsigned *array = memory_allocate(MEMORY_DEVICE, reading.bytes);
    random_fill_bytes(words, reading.bytes, run->settings.seed);
    memory_copy(array, words, reading.bytes);
    unsigned expected = sum_words(words, reading.bytes / sizeof *words);
    memory_release(MEMORY_PAGEABLE, words);
    reading.array = array;
    reading.sums = memory_allocate(MEMORY_DEVICE, ACCESS_THREADS * sizeof *reading.sums);
    for (reading.element_bytes = 4; reading.element_bytes <= 16; reading.element_bytes *= 2)
        measure_element(run, &reading, expected);
    memory_release(MEMORY_DEVICE, reading.sums);
    memory_release(MEMORY_DEVICE, array);
}

/* A multiply-add may be rounded once or twice. */
static long count_wrong(const struct triad *triad, const double *b, const double *c)
{
    long wrong = 0;
    double *a = memory_allocate(MEMORY_PAGEABLE, triad->count * sizeof *a);
    check_cuda(cudaMemcpy(a, triad->a, triad->count * sizeof *a, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < triad->count; i++)
        wrong += !(fabs(a[i] - (b[i] + triad_scalar * c[i])) <= 1e-15);
    memory_release(MEMORY_PAGEABLE, a);
    return wrong;
}

static void run_triad(struct run *run)
{
    size_t bytes = run->settings.size;
    struct triad triad = {.count = bytes / sizeof(double)};
    double *b = memory_allocate(MEMORY_PAGEABLE, bytes),
           *c = memory_allocate(MEMORY_PAGEABLE, bytes);
    triad.a = memory_allocate(MEMORY_DEVICE, bytes);
    triad.b = memory_allocate(MEMORY_DEVICE, bytes);
    triad.c = memory_allocate(MEMORY_DEVICE, bytes);
    random_fill_double(b, triad.count, run->settings.seed);
    random_fill_double(c, triad.count, run->settings.seed + 1);
    memory_copy(triad.b, b, bytes);
    memory_copy(triad.c, c, bytes);
    struct subject subject = {.variant = "triad", .sample = sample_triad, .context = &triad};
    measure(run, &subject, 1);
    record(run, &subject, sizeof(double), 3.0 * (double)bytes,
           run->settings.check ? count_wrong(&triad, b, c) : 0);
    measure_free(&subject, 1);
    memory_release(MEMORY_DEVICE, triad.a);
    memory_release(MEMORY_DEVICE, triad.b);
    memory_release(MEMORY_DEVICE, triad.c);
    memory_release(MEMORY_PAGEABLE, b);
    memory_release(MEMORY_PAGEABLE, c);
}

static void run_all(struct run *run)
{
    size_t bytes = run->settings.size;
    if (bytes < ACCESS_SMALLEST || bytes > ACCESS_LARGEST || (bytes & (bytes - 1)))
        fail("-s %zu: a power of two from 64K to 8G", bytes);
    run_readings(run);
    if (program_wants(run, "triad"))
        run_triad(run);
}

static const struct program program = {
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

int main(int argc, char **argv)
{
    return program_main(&program, argc, argv);
}
