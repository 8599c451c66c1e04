#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/region.h"
#include "tests/unit/test.h"

enum { SLICES = 12, WIDTH = 8, COLUMN_ROWS = 5 };

/* Input and output of a region by rows, and a matrix by columns that has room to the right. */
static float input_memory[SLICES * WIDTH], output_memory[SLICES * WIDTH];
static float matrix_memory[COLUMN_ROWS * (SLICES * WIDTH + 4)];

static cudaError_t no_launch(const struct region *region, const struct slices *views, long begin,
                             long end, cudaStream_t stream)
{
    (void)region, (void)views, (void)begin, (void)end, (void)stream;
    return cudaSuccess;
}

enum { INPUT, OUTPUT, MATRIX, SUMS, TEMPORARY };

static struct region_array rows_array(const char *name, float *host,
                                      enum region_direction direction, long offset, long length)
{
    return (struct region_array){.name = name,
                                 .host = host,
                                 .direction = direction,
                                 .split = REGION_ROWS,
                                 .slices = SLICES,
                                 .slice_bytes = WIDTH * sizeof(float),
                                 .rows = 1,
                                 .offset = offset,
                                 .length = length};
}

/* Iterations 1 to SLICES - 2, with arrays of all splits and directions. */
static struct region sensible(void)
{
    static float sums[10];
    struct region region = region_make("smooth", 1, SLICES - 1, no_launch, NULL);
    region_add(&region, rows_array("input", input_memory, REGION_TO, -1, 3));
    region_add(&region, rows_array("output", output_memory, REGION_FROM, 0, 1));
    struct region_array matrix = rows_array("matrix", matrix_memory, REGION_TOFROM, 1, 1);
    matrix.split = REGION_COLUMNS;
    matrix.rows = COLUMN_ROWS;
    matrix.pitch_bytes = (SLICES * WIDTH + 4) * sizeof(float);
    region_add(&region, matrix);
    region_add(&region, (struct region_array){.name = "sums",
                                              .host = sums,
                                              .direction = REGION_TO,
                                              .split = REGION_WHOLE,
                                              .slices = 1,
                                              .slice_bytes = sizeof sums,
                                              .rows = 1});
    region_add(&region, rows_array("temporary", NULL, REGION_SCRATCH, -1, 2));
    return region;
}

static void sensible_regions_have_no_complaint(void)
{
    struct region region = sensible();
    expect(region_complaint(&region) == NULL);
    region.swap[0] = INPUT, region.swap[1] = OUTPUT, region.rounds = 7;
    expect(region_complaint(&region) == NULL);
    region.arrays[INPUT].offset = -1, region.arrays[INPUT].length = 1;
    expect(region_complaint(&region) == NULL);
    region.begin = SLICES - 2;
    expect(region_complaint(&region) == NULL);
}

static bool complains(const struct region *region, const char *word, const char *another)
{
    const char *complaint = region_complaint(region);
    bool good = complaint && strstr(complaint, word) && strstr(complaint, another);
    if (!good)
        printf("# complaint: %s\n", complaint ? complaint : "none");
    return good;
}

/* Changes one thing of the sensible region and expects a sentence that contains both words. */
#define expect_complaint(change, word, another)                                                    \
    do {                                                                                           \
        struct region region = sensible();                                                         \
        struct region_array *array = region.arrays;                                                \
        (void)array;                                                                               \
        change;                                                                                    \
        expect(complains(&region, word, another));                                                 \
    } while (0)

static void loops_without_sense(void)
{
    expect_complaint(region.end = region.begin, "smooth", "no iterations");
    expect_complaint(region.end = -3, "smooth", "no iterations");
    expect_complaint(region.begin = -1, "smooth", "begins at -1");
    expect_complaint(region.rounds = 0, "smooth", "0 rounds");
    expect_complaint(region.rounds = -2, "smooth", "-2 rounds");
    expect_complaint(region.array_count = 0, "smooth", "0 arrays");
    expect_complaint(region.array_count = REGION_ARRAYS + 1, "smooth", "9 arrays");
    expect_complaint(region.launch = NULL, "smooth", "no launch function");
}

static void shapes_without_sense(void)
{
    expect_complaint(array[INPUT].slices = 0, "input", "0 slices");
    expect_complaint(array[SUMS].slices = 2, "sums", "2 slices");
    expect_complaint(array[INPUT].slice_bytes = 0, "input", "0 bytes");
    expect_complaint(array[INPUT].slice_bytes = 10, "input", "10 bytes");
    expect_complaint(array[INPUT].rows = 0, "input", "0 rows");
    expect_complaint(array[INPUT].rows = 2, "input", "2 rows");
    expect_complaint(array[MATRIX].rows = 0, "matrix", "0 rows");
    expect_complaint(array[INPUT].pitch_bytes = 64, "input", "pitch of 64");
    expect_complaint(array[MATRIX].pitch_bytes = 0, "matrix", "at least 384");
    expect_complaint(array[MATRIX].pitch_bytes = 380, "matrix", "at least 384");
    expect_complaint(array[MATRIX].pitch_bytes = 386, "matrix", "multiple of 4");
    expect_complaint(array[INPUT].split = (enum region_split)7, "input", "split");
    expect_complaint(array[INPUT].direction = (enum region_direction)4, "input", "direction");
}

static void sizes_beyond_the_address_space(void)
{
    expect_complaint(array[INPUT].slices = LONG_MAX, "input", "address");
    expect_complaint(array[MATRIX].rows = SIZE_MAX / 4, "matrix", "address");
    expect_complaint(array[MATRIX].pitch_bytes = SIZE_MAX - 3, "matrix", "address");
    expect_complaint(array[SUMS].slice_bytes = SIZE_MAX - 3, "sums", "address");
}

static void windows_without_sense(void)
{
    expect_complaint(array[INPUT].length = 0, "input", "0 slices");
    expect_complaint(array[INPUT].length = -1, "input", "-1 slices");
    expect_complaint(array[INPUT].offset = -2, "input", "iteration 1 needs slice -1");
    expect_complaint(array[INPUT].length = 4, "input", "iteration 10 needs slice 12");
    expect_complaint(array[INPUT].slices = 11, "input", "at least 12 slices");
    expect_complaint(array[TEMPORARY].offset = 2, "temporary", "slice 13");
    expect_complaint(region.begin = 0, "input", "iteration 0 needs slice -1");
    expect_complaint(region.end = SLICES, "input", "at least 13 slices");
    expect_complaint(array[INPUT].offset = LONG_MIN, "input", "needs slice");
    expect_complaint(array[INPUT].offset = LONG_MAX, "input", "out of range");
    expect_complaint(array[INPUT].length = LONG_MAX, "input", "out of range");
    expect_complaint(region.end = LONG_MAX, "input", "out of range");
}

static void results_that_overlap(void)
{
    expect_complaint(array[OUTPUT].length = 2, "output", "overlap");
    expect_complaint((array[MATRIX].length = 2, array[MATRIX].offset = 0), "matrix", "overlap");
}

static void host_memory_without_sense(void)
{
    expect_complaint(array[INPUT].host = NULL, "input", "no host memory");
    expect_complaint(array[SUMS].host = NULL, "sums", "no host memory");
    expect_complaint(array[TEMPORARY].host = input_memory, "temporary", "scratch");
    expect_complaint(array[INPUT].host = (char *)input_memory + 2, "input", "aligned");
}

static void host_memory_that_overlaps(void)
{
    expect_complaint(array[INPUT].host = output_memory, "input", "output");
    expect_complaint(array[INPUT].host = output_memory + SLICES * WIDTH - 1, "input", "overlaps");
    expect_complaint(array[SUMS].host = output_memory + 1, "sums", "overlaps");
    expect_complaint(
        (array[SUMS].host = matrix_memory + 4 * 100 + 95, array[SUMS].slice_bytes = sizeof(float)),
        "sums", "matrix");
    struct region region = sensible();
    region.arrays[SUMS].host = input_memory; /* both are only read */
    expect(region_complaint(&region) == NULL);
    region.arrays[SUMS].host = matrix_memory + 4 * 100 + 96; /* just behind the last row */
    region.arrays[SUMS].slice_bytes = sizeof(float);
    expect(region_complaint(&region) == NULL);
}

static void swaps_without_sense(void)
{
    expect_complaint(region.swap[0] = INPUT, "smooth", "cannot be swapped");
    expect_complaint(region.swap[1] = OUTPUT, "smooth", "cannot be swapped");
    expect_complaint((region.swap[0] = 0, region.swap[1] = 5), "smooth", "5 arrays");
    expect_complaint((region.swap[0] = -2, region.swap[1] = 1), "smooth", "5 arrays");
    expect_complaint((region.swap[0] = OUTPUT, region.swap[1] = INPUT), "input", "order");
    expect_complaint((region.swap[0] = INPUT, region.swap[1] = INPUT), "input", "order");
    expect_complaint((region.swap[0] = INPUT, region.swap[1] = MATRIX), "matrix", "order");
    expect_complaint((region.swap[0] = INPUT, region.swap[1] = OUTPUT, array[INPUT].slices++),
                     "input", "the same");
    expect_complaint((region.swap[0] = SUMS, region.swap[1] = OUTPUT), "sums", "the same");
}

static void windows(void)
{
    struct region region = sensible();
    long first, end;
    region_window(&region.arrays[INPUT], 1, 11, &first, &end);
    expect(first == 0 && end == 12);
    region_window(&region.arrays[INPUT], 4, 5, &first, &end);
    expect(first == 3 && end == 6);
    region_window(&region.arrays[MATRIX], 4, 6, &first, &end);
    expect(first == 5 && end == 7);
    region_window(&region.arrays[SUMS], 4, 6, &first, &end);
    expect(first == 0 && end == 1);
}

static void bytes(void)
{
    struct region region = sensible();
    expect(region_slice_size(&region.arrays[INPUT]) == 32);
    expect(region_slice_size(&region.arrays[MATRIX]) == 160);
    expect(region_bytes(&region, REGION_TO) == 12 * 32 + 10 * 160 + 40);
    expect(region_bytes(&region, REGION_FROM) == 10 * 32 + 10 * 160);
    expect(region_footprint(&region) == 3 * 12 * 32 + 12 * 160 + 40);
}

static void hosts_of_rounds(void)
{
    struct region region = sensible();
    expect(region_host(&region, INPUT, 1) == input_memory);
    region.swap[0] = INPUT, region.swap[1] = OUTPUT;
    expect(region_host(&region, INPUT, 0) == input_memory);
    expect(region_host(&region, INPUT, 1) == output_memory);
    expect(region_host(&region, OUTPUT, 1) == input_memory);
    expect(region_host(&region, OUTPUT, 2) == output_memory);
    expect(region_host(&region, MATRIX, 1) == matrix_memory);
}

static void views_of_whole_arrays(void)
{
    struct region region = sensible();
    float *device = input_memory;
    struct slices view = region_whole_view(&region.arrays[INPUT], device, 0);
    expect(view.base == device && view.stride == WIDTH && view.pitch == 0);
    expect(view.first == 0 && view.capacity == SLICES);
    view = region_whole_view(&region.arrays[MATRIX], device, 512);
    expect(view.stride == WIDTH && view.pitch == 128 && view.capacity == SLICES);
    view = region_whole_view(&region.arrays[SUMS], device, 0);
    expect(view.stride == 10 && view.capacity == 1);
}

static void *complain(void *argument)
{
    struct region region = sensible();
    region.rounds = -5;
    (void)region_complaint(&region);
    return argument;
}

static void complaints_of_threads_are_apart(void)
{
    struct region region = sensible();
    region.arrays[INPUT].host = NULL;
    const char *complaint = region_complaint(&region);
    pthread_t thread;
    expect(pthread_create(&thread, NULL, complain, NULL) == 0);
    pthread_join(thread, NULL);
    expect(complaint && strcmp(complaint, "array input: it has no host memory") == 0);
}

int main(void)
{
    run_test(sensible_regions_have_no_complaint);
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
    run_test(complaints_of_threads_are_apart);
    return end_tests();
}
