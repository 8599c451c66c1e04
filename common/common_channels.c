/* common_channels: whether lines at equal distances share the channels of the GPU's memory badly,
 * beside as many lines spread over the same range. */
#include <stdlib.h>

#include "common/harness/allocate.h"
#include "common/harness/compare.h"
#include "common/harness/program.h"
#include "common/harness/scope.h"
#include "common/memory.h"
#include "common/random.h"
#include "common/workloads/memory_access.h"

enum { LINE_WORDS = ACCESS_LINE_BYTES / sizeof(unsigned) };
enum { STRIDED, SPREAD };
static const size_t tile_bytes_max = (size_t)64 << 20;

static const struct variant variants[] = {
    [STRIDED] = {"strided",
                 "a line of 128 bytes at the same place of each stretch of stride_bytes"},
    [SPREAD] = {"spread", "a line at a random place of each such stretch"},
    [SPREAD + 1] = {0},
};

struct row {
    size_t stride_bytes, array_bytes, lines;
    double bandwidth_gbs;
};
static const struct column columns[] = {
    PARAMETER(struct row, stride_bytes, "stretches into which the array is cut"),
    PARAMETER(struct row, array_bytes, "bytes of the array"),
    PARAMETER(struct row, lines, "lines that are read, all different"),
    METRIC(struct row, bandwidth_gbs, "bytes of the lines / time_s, in 10^9 byte/s"),
    {0},
};

static size_t array_bytes = (size_t)256 << 20;
static const struct program_option options[] = {
    {"array", OPTION_SIZE, &array_bytes, "BYTES", "bytes of the array, a power of two", 0, 0},
    {0},
};

/* The array, and what the host knows of it: it repeats a tile of random numbers. */
struct field {
    unsigned *array, *sums;
    unsigned *line_sums; /* of each line of the tile: the sum of its words */
    size_t tile_lines;
};

struct reading {
    int variant;
    const struct field *field;
    size_t stride;
    unsigned *lines; /* on the device */
    unsigned count, expected;
};

static unsigned sum_words(const unsigned *words, size_t count)
{
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += words[i];
    return sum;
}

static void open_field(struct field *field, uint64_t seed)
{
    size_t tile_bytes = array_bytes < tile_bytes_max ? array_bytes : tile_bytes_max;
    field->array = scope_allocate(MEMORY_DEVICE, array_bytes);
    field->sums = scope_allocate(MEMORY_DEVICE, ACCESS_THREADS * sizeof *field->sums);
    field->tile_lines = tile_bytes / ACCESS_LINE_BYTES;
    field->line_sums =
        scope_allocate(MEMORY_PAGEABLE, field->tile_lines * sizeof *field->line_sums);
    unsigned *tile = memory_allocate(MEMORY_PAGEABLE, tile_bytes);
    random_fill_bytes(tile, tile_bytes, seed);
    for (size_t i = 0; i < field->tile_lines; i++)
        field->line_sums[i] = sum_words(tile + i * LINE_WORDS, LINE_WORDS);
    for (size_t at = 0; at < array_bytes; at += tile_bytes)
        memory_copy((char *)field->array + at, tile, tile_bytes);
    memory_release(MEMORY_PAGEABLE, tile);
}

/* Lines in the order in which they are read. Where there are more of them than stretches, the next
 * pass takes each stretch's next place, so that no line is read twice. */
static bool open_reading(struct run *run, void *task)
{
    struct reading *reading = task;
    const struct field *field = reading->field;
    const uint64_t seed = run->settings.seed;
    size_t places = reading->stride / ACCESS_LINE_BYTES, stretches = array_bytes / reading->stride;
    unsigned *lines = allocate_or_fail(reading->count, sizeof *lines);
    reading->expected = 0;
    for (size_t i = 0; i < reading->count; i++) {
        size_t stretch = i % stretches, pass = i / stretches;
        size_t first = reading->variant == SPREAD ? random_below(seed, stretch, places) : 0;
        size_t line = stretch * places + (first + pass) % places;
        lines[i] = (unsigned)line;
        reading->expected += field->line_sums[line % field->tile_lines];
    }
    reading->lines = scope_allocate(MEMORY_DEVICE, reading->count * sizeof *lines);
    memory_copy(reading->lines, lines, reading->count * sizeof *lines);
    free(lines);
    return true;
}

static void read_lines(void *task)
{
    const struct reading *reading = task;
    check_cuda(access_lines(reading->field->array, reading->lines, reading->count,
                            reading->field->sums, 0));
    check_cuda(cudaDeviceSynchronize());
}

/* 1 if the sum of one further launch is wrong. */
static long count_wrong(struct run *run, void *task)
{
    (void)run;
    struct reading *reading = task;
    size_t bytes = ACCESS_THREADS * sizeof(unsigned);
    unsigned *sums = memory_allocate(MEMORY_PAGEABLE, bytes);
    check_cuda(cudaMemset(reading->field->sums, 0, bytes));
    read_lines(reading);
    check_cuda(cudaMemcpy(sums, reading->field->sums, bytes, cudaMemcpyDeviceToHost));
    bool wrong = sum_words(sums, ACCESS_THREADS) != reading->expected;
    memory_release(MEMORY_PAGEABLE, sums);
    return wrong;
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct reading *reading = task;
    *(struct row *)row = (struct row){reading->stride, array_bytes, reading->count,
                                      1e-9 * ACCESS_LINE_BYTES * reading->count / time_s};
}

static const struct comparison comparison = {.task_bytes = TASK(struct reading),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_reading,
                                             .operation = read_lines,
                                             .row = fill_row,
                                             .verify = count_wrong};

static bool is_power(size_t number)
{
    return number && !(number & (number - 1));
}

static void check_sizes(const struct run *run)
{
    size_t lines = run->settings.size;
    if (!is_power(lines) || lines < ACCESS_SMALLEST / ACCESS_LINE_BYTES || lines > 1u << 28)
        fail("-s %zu: a power of two from 512 to 256M lines", lines);
    if (!is_power(array_bytes) || array_bytes / ACCESS_LINE_BYTES < lines ||
        array_bytes > (size_t)256 << 30)
        fail("--array %zu: a power of two, at most 256G, with room for %zu lines of %d bytes",
             array_bytes, lines, ACCESS_LINE_BYTES);
    for (size_t i = 0; i < run->settings.size_count; i++)
        if (!is_power(run->settings.sizes[i]) || run->settings.sizes[i] < 2 * ACCESS_LINE_BYTES ||
            run->settings.sizes[i] > array_bytes)
            fail("stride %zu: a power of two from 256 to the size of the array",
                 run->settings.sizes[i]);
}

static void run_all(struct run *run)
{
    check_sizes(run);
    struct field field;
    open_field(&field, run->settings.seed);
    for (size_t i = 0; i < run->settings.size_count; i++)
        compare_variants(run, &comparison,
                         &(struct reading){.field = &field,
                                           .stride = run->settings.sizes[i],
                                           .count = (unsigned)run->settings.size});
}

const struct program program = {
    .name = "common_channels",
    .summary = "whether lines at equal distances use all channels of the GPU's memory",
    .details =
        "Lines at equal distances can fall on few channels (and slices of the cache); as many\n"
        "lines at random places of the same stretches fall on all, with the same range of\n"
        "addresses. -s is the number of lines; sizes are strides.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .size_unit = "bytes",
    .default_begin = 256,
    .default_end = 1 << 20,
    .default_size = 1 << 18,
    .uses_gpu = true,
    .run = run_all,
};
