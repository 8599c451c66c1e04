#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <datamotion/region.h>
#include "tests/unit/test.h"

enum { SLICES = 12, WIDTH = 8, COLUMN_ROWS = 5 };

/* Input and output of a region by rows, and a matrix by columns that has room to the right. */
static float input_memory[SLICES * WIDTH], output_memory[SLICES * WIDTH];
static float matrix_memory[COLUMN_ROWS * (SLICES * WIDTH + 4)];

static cudaError_t no_launch(const struct dm_region *region, const struct dm_slices *views,
                             long begin, long end, cudaStream_t stream)
{
    (void)region, (void)views, (void)begin, (void)end, (void)stream;
    return cudaSuccess;
}

enum { INPUT, OUTPUT, MATRIX, SUMS, TEMPORARY };

static struct dm_region_array rows_array(const char *name, float *host,
                                         enum dm_region_direction direction, long offset,
                                         long length)
{
    return (struct dm_region_array){.name = name,
                                    .host = host,
                                    .direction = direction,
                                    .split = DM_REGION_ROWS,
                                    .slices = SLICES,
                                    .slice_bytes = WIDTH * sizeof(float),
                                    .rows = 1,
                                    .offset = offset,
                                    .length = length};
}

/* Iterations 1 to SLICES - 2, with arrays of all splits and directions. */
static struct dm_region sensible(void)
{
    static float sums[10];
    struct dm_region region = dm_region_make("smooth", 1, SLICES - 1, no_launch, NULL);
    dm_region_add(&region, rows_array("input", input_memory, DM_REGION_TO, -1, 3));
    dm_region_add(&region, rows_array("output", output_memory, DM_REGION_FROM, 0, 1));
    struct dm_region_array matrix = rows_array("matrix", matrix_memory, DM_REGION_TOFROM, 1, 1);
    matrix.split = DM_REGION_COLUMNS;
    matrix.rows = COLUMN_ROWS;
    matrix.pitch_bytes = (SLICES * WIDTH + 4) * sizeof(float);
    dm_region_add(&region, matrix);
    dm_region_add(&region, (struct dm_region_array){.name = "sums",
                                                    .host = sums,
                                                    .direction = DM_REGION_TO,
                                                    .split = DM_REGION_WHOLE,
                                                    .slices = 1,
                                                    .slice_bytes = sizeof sums,
                                                    .rows = 1});
    dm_region_add(&region, rows_array("temporary", NULL, DM_REGION_SCRATCH, -1, 2));
    return region;
}

static void sensible_regions_are_valid(void)
{
    struct dm_region region = sensible();
    expect(dm_region_check(&region) == DM_OK);
    region.swap[0] = INPUT, region.swap[1] = OUTPUT, region.rounds = 7;
    expect(dm_region_check(&region) == DM_OK);
    region.arrays[INPUT].offset = -1, region.arrays[INPUT].length = 1;
    expect(dm_region_check(&region) == DM_OK);
    region.begin = SLICES - 2;
    expect(dm_region_check(&region) == DM_OK);
}

static bool is_invalid(const struct dm_region *region, const char *word, const char *another)
{
    const bool invalid = dm_region_check(region) == DM_INVALID;
    const bool good = invalid && strstr(dm_message(), word) && strstr(dm_message(), another);
    if (!good)
        printf("# %s\n", invalid ? dm_message() : "no error");
    return good;
}

/* Changes one thing of the sensible region and expects a sentence that contains both words. */
#define expect_invalid(change, word, another)                                                      \
    do {                                                                                           \
        struct dm_region region = sensible();                                                      \
        struct dm_region_array *array = region.arrays;                                             \
        (void)array;                                                                               \
        change;                                                                                    \
        expect(is_invalid(&region, word, another));                                                \
    } while (0)

static void loops_without_sense(void)
{
    expect_invalid(region.end = region.begin, "smooth", "no iterations");
    expect_invalid(region.end = -3, "smooth", "no iterations");
    expect_invalid(region.begin = -1, "smooth", "begins at -1");
    expect_invalid(region.rounds = 0, "smooth", "0 rounds");
    expect_invalid(region.rounds = -2, "smooth", "-2 rounds");
    expect_invalid(region.array_count = 0, "smooth", "0 arrays");
    expect_invalid(region.array_count = DM_REGION_ARRAYS + 1, "smooth", "9 arrays");
    expect_invalid(region.launch = NULL, "smooth", "no launch function");
}

static void shapes_without_sense(void)
{
    expect_invalid(array[INPUT].slices = 0, "input", "0 slices");
    expect_invalid(array[SUMS].slices = 2, "sums", "2 slices");
    expect_invalid(array[INPUT].slice_bytes = 0, "input", "no bytes");
    expect_invalid(array[INPUT].rows = 0, "input", "0 rows");
    expect_invalid(array[INPUT].rows = 2, "input", "2 rows");
    expect_invalid(array[MATRIX].rows = 0, "matrix", "0 rows");
    expect_invalid(array[INPUT].pitch_bytes = 64, "input", "pitch of 64");
    expect_invalid(array[MATRIX].pitch_bytes = 0, "matrix", "at least 384");
    expect_invalid(array[MATRIX].pitch_bytes = 380, "matrix", "at least 384");
    expect_invalid(array[INPUT].split = (enum dm_region_split)7, "input", "split");
    expect_invalid(array[INPUT].direction = (enum dm_region_direction)4, "input", "direction");
}

static void sizes_beyond_the_address_space(void)
{
    expect_invalid(array[INPUT].slices = LONG_MAX, "input", "address");
    expect_invalid(array[MATRIX].rows = SIZE_MAX / 4, "matrix", "address");
    expect_invalid(array[MATRIX].pitch_bytes = SIZE_MAX - 3, "matrix", "address");
    expect_invalid(array[SUMS].slice_bytes = SIZE_MAX - 3, "sums", "address");
}

static void windows_without_sense(void)
{
    expect_invalid(array[INPUT].length = 0, "input", "0 slices");
    expect_invalid(array[INPUT].length = -1, "input", "-1 slices");
    expect_invalid(array[INPUT].offset = -2, "input", "iteration 1 needs slice -1");
    expect_invalid(array[INPUT].length = 4, "input", "iteration 10 needs slice 12");
    expect_invalid(array[INPUT].slices = 11, "input", "at least 12 slices");
    expect_invalid(array[TEMPORARY].offset = 2, "temporary", "slice 13");
    expect_invalid(region.begin = 0, "input", "iteration 0 needs slice -1");
    expect_invalid(region.end = SLICES, "input", "at least 13 slices");
    expect_invalid(array[INPUT].offset = LONG_MIN, "input", "needs slice");
    expect_invalid(array[INPUT].offset = LONG_MAX, "input", "out of range");
    expect_invalid(array[INPUT].length = LONG_MAX, "input", "out of range");
    expect_invalid(region.end = LONG_MAX, "input", "out of range");
}

static void results_that_overlap(void)
{
    expect_invalid(array[OUTPUT].length = 2, "output", "overlap");
    expect_invalid((array[MATRIX].length = 2, array[MATRIX].offset = 0), "matrix", "overlap");
}

static void host_memory_without_sense(void)
{
    expect_invalid(array[INPUT].host = NULL, "input", "no host memory");
    expect_invalid(array[SUMS].host = NULL, "sums", "no host memory");
    expect_invalid(array[TEMPORARY].host = input_memory, "temporary", "scratch");
}

static void host_memory_that_overlaps(void)
{
    expect_invalid(array[INPUT].host = output_memory, "input", "output");
    expect_invalid(array[INPUT].host = output_memory + SLICES * WIDTH - 1, "input", "overlaps");
    expect_invalid(array[SUMS].host = output_memory + 1, "sums", "overlaps");
    expect_invalid(
        (array[SUMS].host = matrix_memory + 4 * 100 + 95, array[SUMS].slice_bytes = sizeof(float)),
        "sums", "matrix");
    struct dm_region region = sensible();
    region.arrays[SUMS].host = input_memory; /* both are only read */
    expect(dm_region_check(&region) == DM_OK);
    region.arrays[SUMS].host = matrix_memory + 4 * 100 + 96; /* just behind the last row */
    region.arrays[SUMS].slice_bytes = sizeof(float);
    expect(dm_region_check(&region) == DM_OK);
}

static void swaps_without_sense(void)
{
    expect_invalid(region.swap[0] = INPUT, "smooth", "cannot be swapped");
    expect_invalid(region.swap[1] = OUTPUT, "smooth", "cannot be swapped");
    expect_invalid((region.swap[0] = 0, region.swap[1] = 5), "smooth", "5 arrays");
    expect_invalid((region.swap[0] = -2, region.swap[1] = 1), "smooth", "5 arrays");
    expect_invalid((region.swap[0] = OUTPUT, region.swap[1] = INPUT), "input", "order");
    expect_invalid((region.swap[0] = INPUT, region.swap[1] = INPUT), "input", "order");
    expect_invalid((region.swap[0] = INPUT, region.swap[1] = MATRIX), "matrix", "order");
    expect_invalid((region.swap[0] = INPUT, region.swap[1] = OUTPUT, array[INPUT].slices++),
                   "input", "the same");
    expect_invalid((region.swap[0] = SUMS, region.swap[1] = OUTPUT), "sums", "the same");
}

static void windows(void)
{
    struct dm_region region = sensible();
    long first, end;
    dm_region_window(&region.arrays[INPUT], 1, 11, &first, &end);
    expect(first == 0 && end == 12);
    dm_region_window(&region.arrays[INPUT], 4, 5, &first, &end);
    expect(first == 3 && end == 6);
    dm_region_window(&region.arrays[MATRIX], 4, 6, &first, &end);
    expect(first == 5 && end == 7);
    dm_region_window(&region.arrays[SUMS], 4, 6, &first, &end);
    expect(first == 0 && end == 1);
}

static void bytes(void)
{
    struct dm_region region = sensible();
    expect(dm_region_slice_size(&region.arrays[INPUT]) == 32);
    expect(dm_region_slice_size(&region.arrays[MATRIX]) == 160);
    expect(dm_region_bytes(&region, DM_REGION_TO) == 12 * 32 + 10 * 160 + 40);
    expect(dm_region_bytes(&region, DM_REGION_FROM) == 10 * 32 + 10 * 160);
    expect(dm_region_footprint(&region) == 3 * 12 * 32 + 12 * 160 + 40);
}

static void hosts_of_rounds(void)
{
    struct dm_region region = sensible();
    expect(dm_region_host(&region, INPUT, 1) == input_memory);
    region.swap[0] = INPUT, region.swap[1] = OUTPUT;
    expect(dm_region_host(&region, INPUT, 0) == input_memory);
    expect(dm_region_host(&region, INPUT, 1) == output_memory);
    expect(dm_region_host(&region, OUTPUT, 1) == input_memory);
    expect(dm_region_host(&region, OUTPUT, 2) == output_memory);
    expect(dm_region_host(&region, MATRIX, 1) == matrix_memory);
}

static void views_of_whole_arrays(void)
{
    struct dm_region region = sensible();
    float *device = input_memory;
    struct dm_slices view = dm_region_whole_view(&region.arrays[INPUT], device, 0);
    expect(view.base == device && view.stride_bytes == WIDTH * sizeof(float) &&
           view.pitch_bytes == 0);
    expect(view.first == 0 && view.capacity == SLICES);
    view = dm_region_whole_view(&region.arrays[MATRIX], device, 512);
    expect(view.stride_bytes == WIDTH * sizeof(float) && view.pitch_bytes == 128 * sizeof(float) &&
           view.capacity == SLICES);
    view = dm_region_whole_view(&region.arrays[SUMS], device, 0);
    expect(view.stride_bytes == 10 * sizeof(float) && view.capacity == 1);
}

static void *fail_in_a_thread(void *argument)
{
    struct dm_region region = sensible();
    region.rounds = -5;
    (void)dm_region_check(&region);
    return argument;
}

static void sentences_of_threads_are_apart(void)
{
    struct dm_region region = sensible();
    region.arrays[INPUT].host = NULL;
    expect(dm_region_check(&region) == DM_INVALID);
    pthread_t thread;
    expect(pthread_create(&thread, NULL, fail_in_a_thread, NULL) == 0);
    pthread_join(thread, NULL);
    expect(strcmp(dm_message(), "array input: it has no host memory") == 0);
}

int main(void)
{
    run_test(sensible_regions_are_valid);
    run_test(loops_without_sense);
    run_test(shapes_without_sense);
    run_test(sizes_beyond_the_address_space);
    run_test(windows_without_sense);
    run_test(results_that_overlap);
    run_test(host_memory_without_sense);
    run_test(host_memory_that_overlaps);
    run_test(swaps_without_sense);
    run_test(windows);
    run_test(bytes);
    run_test(hosts_of_rounds);
    run_test(views_of_whole_arrays);
    run_test(sentences_of_threads_are_apart);
    return end_tests();
}
