/* Block-level pipelining with kernels of its own: elements of several sizes, sums, a context, no
 * context, and what is wrong with a kernel or with elements. */
#include <stdlib.h>
#include <string.h>

#include <datamotion/blp.h>
#include <datamotion/blp_device.h>

#include "tests/unit/test_status.h"

enum { ROWS = 40, COLUMNS = 37 }; /* odd: slices of floats are no multiple of 16 bytes */

/* ---- kernels ---- */

struct smoothing {
    long columns;
    int weight;
};

/* Each result is the weighted sum of three rows. */
template <class Element>
static inline __device__ void smooth(const struct blp_unit *unit, const struct smoothing *smoothing)
{
    const long first = smoothing->columns * unit->part / unit->parts;
    const long end = smoothing->columns * (unit->part + 1) / unit->parts;
    for (long i = unit->begin; i < unit->end; i++) {
        const Element *above = dm_slice<Element>(unit->views[0], i - 1);
        const Element *row = dm_slice<Element>(unit->views[0], i);
        const Element *below = dm_slice<Element>(unit->views[0], i + 1);
        Element *to = dm_slice<Element>(unit->views[1], i);
        for (long j = first + threadIdx.x; j < end; j += blockDim.x)
            to[j] = (Element)(above[j] + smoothing->weight * row[j] + below[j]);
    }
}

static int three_parts(const void *context)
{
    return ((const struct smoothing *)context)->columns < 3 ? 1 : 3;
}

BLP_KERNEL(smooth_double, struct smoothing, smooth<double>, 1024, 1, three_parts)
BLP_KERNEL(smooth_int, struct smoothing, smooth<int>, 256, 1)
BLP_KERNEL(smooth_short, struct smoothing, smooth<short>, 1024, 1)

/* Sums of the columns. */
template <class Element>
static inline __device__ void add_columns(const struct blp_unit *unit, const long *)
{
    Element *sums = (Element *)unit->partial;
    for (long i = unit->begin; i < unit->end; i++)
        for (long j = threadIdx.x; j < COLUMNS; j += blockDim.x)
            sums[j] += dm_slice<Element>(unit->views[0], i)[j];
}

BLP_SUM_KERNEL(add_double, long, add_columns<double>, double, 512, 1)
BLP_SUM_KERNEL(add_int, long, add_columns<int>, int, 512, 1)

static int no_parts(const void *)
{
    return 0;
}

BLP_KERNEL(partless, struct smoothing, smooth<int>, 1024, 1, no_parts)

/* ---- regions ---- */

static void *pinned(size_t bytes)
{
    void *memory = NULL;
    expect(cudaMallocHost(&memory, bytes) == cudaSuccess);
    memset(memory, 0, bytes);
    return memory;
}

static struct dm_region_array rows_of(const char *name, void *host, size_t row_bytes)
{
    struct dm_region_array array = {};
    array.name = name;
    array.host = host;
    array.direction = DM_REGION_TO;
    array.split = DM_REGION_ROWS;
    array.slices = ROWS;
    array.slice_bytes = row_bytes;
    array.rows = 1;
    array.offset = -1;
    array.length = 3;
    return array;
}

/* A loop over the inner rows, which no launch function computes. */
static struct dm_region rows_region(void *from, void *to, size_t row_bytes, const void *context)
{
    struct dm_region region = dm_region_make("rows", 1, ROWS - 1, NULL, context);
    dm_region_add(&region, rows_of("from", from, row_bytes));
    struct dm_region_array results = rows_of("to", to, row_bytes);
    results.direction = DM_REGION_FROM;
    results.offset = 0;
    results.length = 1;
    dm_region_add(&region, results);
    return region;
}

static struct dm_region sums_region(void *from, void *sums, size_t element_bytes)
{
    struct dm_region region = dm_region_make("sums", 0, ROWS, NULL, NULL);
    struct dm_region_array rows = rows_of("from", from, COLUMNS * element_bytes);
    rows.offset = 0;
    rows.length = 1;
    dm_region_add(&region, rows);
    struct dm_region_array whole = rows_of("sums", sums, COLUMNS * element_bytes);
    whole.direction = DM_REGION_FROM;
    whole.split = DM_REGION_WHOLE;
    whole.slices = 1;
    dm_region_add(&region, whole);
    return region;
}

static void execute(const struct dm_region *region, const struct blp_kernel *kernel,
                    const struct blp_options *options)
{
    struct blp_plan *plan;
    expect_ok(blp_open(&plan, region, kernel, options));
    if (plan)
        expect_ok(blp_run(plan, NULL));
    blp_close(plan);
}

/* ---- results ---- */

template <class Element>
static void check_smoothing(const struct blp_kernel *kernel, long columns,
                            struct blp_options options)
{
    const struct smoothing smoothing = {columns, 3};
    const size_t bytes = (size_t)columns * sizeof(Element);
    Element *from = (Element *)pinned(ROWS * bytes), *to = (Element *)pinned(ROWS * bytes);
    for (long i = 0; i < ROWS * columns; i++)
        from[i] = (Element)(i * i % 1000);
    const struct dm_region region = rows_region(from, to, bytes, &smoothing);
    execute(&region, kernel, &options);
    for (long i = columns; i < (ROWS - 1) * columns; i++)
        if (to[i] != (Element)(from[i - columns] + 3 * from[i] + from[i + columns])) {
            expect(!"every element is that of the CPU");
            break;
        }
    cudaFreeHost(from);
    cudaFreeHost(to);
}

static void elements_of_any_size(void)
{
    for (int choice = 0; choice < 8; choice++) {
        struct blp_options options = {};
        options.dynamic = choice & 1;
        options.layout = choice & 2 ? BLP_INTERLEAVED : BLP_PER_ARRAY;
        options.task_size = choice & 4 ? 3 : 0;
        options.budget_bytes = choice & 4 ? 16384 : 0;
        check_smoothing<double>(&smooth_double, COLUMNS, options);
        check_smoothing<double>(&smooth_double, 2, options);
        check_smoothing<int>(&smooth_int, COLUMNS, options);
        check_smoothing<short>(&smooth_short, COLUMNS + 1, options);
    }
}

template <class Element> static void check_sums(const struct blp_kernel *kernel, bool dynamic)
{
    Element *from = (Element *)pinned(ROWS * COLUMNS * sizeof(Element));
    Element *sums = (Element *)pinned(COLUMNS * sizeof(Element)), right[COLUMNS] = {};
    struct blp_options options = {};
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        from[i] = (Element)(i * 7 % 100);
        right[i % COLUMNS] += from[i];
    }
    options.dynamic = dynamic;
    const struct dm_region region = sums_region(from, sums, sizeof(Element));
    execute(&region, kernel, &options);
    expect(memcmp(sums, right, sizeof right) == 0);
    cudaFreeHost(from);
    cudaFreeHost(sums);
}

static void sums_of_any_type_without_a_context(void)
{
    for (int dynamic = 0; dynamic < 2; dynamic++) {
        check_sums<double>(&add_double, dynamic);
        check_sums<int>(&add_int, dynamic);
    }
}

/* ---- what is wrong ---- */

static void expect_refused(const struct dm_region *region, const struct blp_kernel *kernel,
                           const struct blp_options *options, const char *words)
{
    int anything;
    struct blp_plan *plan = (struct blp_plan *)&anything;
    expect_error(blp_open(&plan, region, kernel, options), DM_INVALID, words);
    expect(plan == NULL);
}

static void elements_that_cannot_be_copied(void)
{
    const struct smoothing smoothing = {COLUMNS, 3};
    char *from = (char *)pinned(ROWS * 400 + 16), *to = (char *)pinned(ROWS * 400);
    struct blp_options wide = {};
    wide.vector_bits = 128;
    struct dm_region region = rows_region(from, to, COLUMNS * sizeof(short), &smoothing);
    expect_refused(&region, &smooth_short, NULL, "multiples of 4 bytes");
    region = rows_region(from + 2, to, 40, &smoothing);
    expect_refused(&region, &smooth_short, NULL, "array from cannot be copied in vectors of 32");
    region = rows_region(from, to, 40, &smoothing);
    expect_refused(&region, &smooth_short, &wide, "multiples of 16 bytes");
    cudaFreeHost(from);
    cudaFreeHost(to);
}

static void kernels_that_do_not_fit(void)
{
    const struct smoothing smoothing = {COLUMNS, 3};
    int *from = (int *)pinned(ROWS * 400), *to = (int *)pinned(ROWS * 400);
    struct dm_region region = rows_region(from, to, COLUMNS * sizeof(int), &smoothing);
    struct blp_kernel kernel = smooth_int;
    struct blp_options options = {};
    options.threads = 512;
    expect_refused(&region, &smooth_int, &options, "compiled for at most 256");
    kernel.work_bytes++;
    expect_refused(&region, &kernel, NULL, "other headers");
    kernel = smooth_int;
    kernel.stages = 0;
    expect_refused(&region, &kernel, NULL, "0 stages");
    kernel.stages = 1 << 29;
    expect_refused(&region, &kernel, NULL, "tasks are too many");
    expect_refused(&region, NULL, NULL, "there is no kernel for region rows");
    expect_refused(&region, &partless, NULL, "0 parts, 1 to 256");
    expect_refused(&region, &add_int, NULL, "there are 0: 1 is needed");
    region = sums_region(from, to, sizeof(int));
    expect_refused(&region, &add_double, NULL, "its sums are of 8 bytes");
    region.arrays[1].slice_bytes = 8;
    region.arrays[0].offset = -1;
    expect_refused(&region, &add_double, NULL, "the first slice is 0");
    cudaFreeHost(from);
    cudaFreeHost(to);
}

int main(void)
{
    run_test(elements_of_any_size);
    run_test(sums_of_any_type_without_a_context);
    run_test(elements_that_cannot_be_copied);
    run_test(kernels_that_do_not_fit);
    return end_tests();
}
