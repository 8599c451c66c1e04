/* The workloads on grids: convolutions, stencil, pooling, transposition. Every kind is executed as
 * a whole, in chunks and through rings, with several blocks, and compared with its reference. */
#include <math.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/random.h"
#include "common/workloads/conv3d.h"
#include "common/workloads/pooling.h"
#include "common/workloads/stencil.h"
#include "common/workloads/transpose.h"
#include "tests/unit/test.h"

#include "workloads_rounds_test.h"

static const char *const kinds[] = {"conv2d", "conv3d", "stencil", "pooling", "transpose"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Small sizes that are no multiples of a thread block, the smallest one first; ended by 0. */
static const size_t sizes[KINDS][4] = {
    {3, 37, 67, 0}, {3, 19, 34, 0}, {12, 36, 0}, {2, 38, 90, 0}, {32, 96, 160, 0}};

static struct benchmark *create(const char *kind, size_t size, long rounds)
{
    return benchmark_create(benchmark_kind_of(kind), size, rounds, MEMORY_PAGEABLE, 42 + size);
}

/* All iterations in one launch, or in `launches` launches, on whole arrays. */
static long errors_as_a_whole(struct benchmark *benchmark, long launches)
{
    struct dm_region *region = &benchmark->region;
    struct dm_slices views[DM_REGION_ARRAYS];
    benchmark_reset(benchmark);
    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        size_t bytes = (size_t)array->slices * dm_region_slice_size(array);
        void *device = memory_allocate(MEMORY_DEVICE, bytes);
        check_cuda(cudaMemcpy(device, array->host, bytes, cudaMemcpyHostToDevice));
        views[a] = dm_region_whole_view(array, device, array->pitch_bytes);
    }
    long count = region->end - region->begin, begin = region->begin;
    for (long part = 1; part <= launches; part++) {
        long end = region->begin + count * part / launches;
        check_cuda(region->launch(region, views, begin, end, 0));
        begin = end;
    }
    for (int a = 0; a < region->array_count; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        size_t bytes = (size_t)array->slices * dm_region_slice_size(array);
        if (array->direction & DM_REGION_FROM)
            check_cuda(cudaMemcpy(array->host, views[a].base, bytes, cudaMemcpyDeviceToHost));
        memory_release(MEMORY_DEVICE, views[a].base);
    }
    return benchmark_errors(benchmark);
}

static void whole_arrays(void)
{
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; sizes[k][s]; s++) {
            struct benchmark *benchmark = create(kinds[k], sizes[k][s], 1);
            expect(errors_as_a_whole(benchmark, 1) == 0);
            expect(errors_as_a_whole(benchmark, 5) == 0);
            benchmark_release(benchmark);
        }
}

static void chunks_and_rings(void)
{
    static const long chunks[] = {1, 2, 3, 7};
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; sizes[k][s]; s++) {
            struct benchmark *benchmark = create(kinds[k], sizes[k][s], 1);
            for (size_t c = 0; c < sizeof chunks / sizeof *chunks; c++) {
                expect(errors_in_chunks(benchmark, chunks[c], false, (dim3){0, 0, 0}) == 0);
                expect(errors_in_chunks(benchmark, chunks[c], true, (dim3){0, 0, 0}) == 0);
            }
            benchmark_release(benchmark);
        }
}

static void thread_blocks(void)
{
    static const dim3 blocks[] = {{32, 1, 1}, {32, 8, 1}, {64, 3, 1}, {32, 32, 1}};
    for (int k = 0; k < KINDS; k++) {
        struct benchmark *benchmark = create(kinds[k], sizes[k][1], 1);
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            expect(errors_in_chunks(benchmark, 4, true, blocks[b]) == 0);
        if (strcmp(kinds[k], "transpose") != 0) {
            expect(errors_in_chunks(benchmark, 4, true, (dim3){7, 5, 1}) == 0);
            expect(errors_in_chunks(benchmark, 4, true, (dim3){1, 33, 1}) == 0);
        }
        benchmark_release(benchmark);
    }
}

static void impossible_thread_blocks(void)
{
    for (int k = 0; k < KINDS; k++) {
        struct benchmark *benchmark = create(kinds[k], sizes[k][1], 1);
        expect(errors_in_chunks(benchmark, 4, false, (dim3){64, 32, 1}) == -1);
        expect(errors_in_chunks(benchmark, 4, false, (dim3){32, 0, 1}) == -1);
        expect(errors_in_chunks(benchmark, 4, false, (dim3){32, 1, 2}) == -1);
        if (strcmp(kinds[k], "transpose") == 0)
            expect(errors_in_chunks(benchmark, 4, false, (dim3){48, 1, 1}) == -1);
        benchmark_release(benchmark);
    }
}

static void iterations_outside_the_loop(void)
{
    for (int k = 0; k < KINDS; k++) {
        struct benchmark *benchmark = create(kinds[k], sizes[k][1], 1);
        const struct dm_region *region = &benchmark->region;
        struct dm_slices views[2];
        for (int a = 0; a < 2; a++)
            views[a] = dm_region_whole_view(&region->arrays[a], region->arrays[a].host, 0);
        long begin = region->begin, end = region->end;
        expect(region->launch(region, views, begin - 1, end, 0) == cudaErrorInvalidValue);
        expect(region->launch(region, views, begin, end + 1, 0) == cudaErrorInvalidValue);
        expect(region->launch(region, views, end, begin, 0) == cudaErrorInvalidValue);
        expect(region->launch(region, views, begin, begin, 0) == cudaSuccess);
        benchmark_release(benchmark);
    }
}

static void rounds_with_swap(void)
{
    static const char *const swapped[] = {"conv3d", "stencil"};
    for (int k = 0; k < 2; k++)
        for (long rounds = 2; rounds <= 9; rounds += 7) {
            struct benchmark *benchmark = create(swapped[k], 20, rounds);
            expect(errors_after_rounds(benchmark, 3, true) == 0);
            expect(errors_after_rounds(benchmark, 100, false) == 0);
            benchmark_update_between_rounds(benchmark);
            expect(errors_after_rounds(benchmark, 4, true) == 0);
            benchmark_release(benchmark);
        }
}

static void rounds_without_swap(void)
{
    struct benchmark *benchmark = create("conv2d", 37, 3);
    expect(errors_after_rounds(benchmark, 5, true) == 0);
    benchmark_update_between_rounds(benchmark);
    expect(errors_after_rounds(benchmark, 5, true) == 0);
    benchmark_release(benchmark);
}

static void conv3d_by_hand(void)
{
    float input[27], output[27];
    for (int i = 0; i < 27; i++)
        input[i] = (float)(i + 1), output[i] = -1.0f;
    struct conv3d_shape shape = {3, 3, 3};
    conv3d_reference(&shape, input, output);
    /* The plane above has 1 to 9, this one 10 to 18, the one below 19 to 27. */
    double above = -1 * 1 + 2 * 3 + 5 * 6 - 8 * 9, here = -3 * 11 + 6 * 14 - 9 * 17;
    double below = 21 * 19 + 4 * 21 + 7 * 24 + 10 * 27;
    expect(fabs(output[13] - (above + here + below) / 76.0) < 1e-5);
    expect(output[9] == 10.0f && output[12] == 13.0f && output[17] == 18.0f);
    expect(output[0] == -1.0f && output[26] == -1.0f);
    expect(conv3d_flops(shape) == 21.0 && conv3d_bytes(shape) == 36 * 4.0);
}

static void stencil_by_hand(void)
{
    float input[27], output[27];
    for (int i = 0; i < 27; i++)
        input[i] = (float)(i * i), output[i] = -1.0f;
    struct stencil_shape shape = {3, 3, 3};
    stencil_reference(&shape, input, output);
    double six = 4 * 4 + 22 * 22 + 10 * 10 + 16 * 16 + 12 * 12 + 14 * 14;
    expect(fabs(output[13] - (six - 13 * 13) / 6.0) < 1e-4);
    expect(output[10] == 100.0f && output[16] == 256.0f && output[0] == -1.0f);
    expect(stencil_flops(shape) == 8.0 && stencil_bytes(shape) == 36 * 4.0);
}

static void pooling_and_transposition_by_hand(void)
{
    const float input[8] = {1, -5, -3, -4, 2, 0, -8, -2};
    float output[2];
    pooling_reference(&(struct pooling_shape){1, 2}, input, output);
    expect(output[0] == 2.0f && output[1] == -2.0f);
    expect(pooling_flops((struct pooling_shape){1, 2}) == 6.0);
    float transposed[8];
    transpose_reference(&(struct transpose_shape){2, 4}, input, transposed);
    expect(transposed[0] == 1 && transposed[1] == 2 && transposed[2] == -5 && transposed[7] == -2);
    expect(transpose_bytes((struct transpose_shape){2, 4}) == 64.0);
}

/* Columns that are no multiple of a tile: no kind has them, as its matrix is square. */
static void transposition_of_narrow_matrices(void)
{
    struct transpose_shape shape = {64, 45};
    float input[64 * 45], output[45 * 64], expected[45 * 64];
    random_fill_float(input, 64 * 45, 5);
    transpose_reference(&shape, input, expected);
    struct dm_region region = dm_region_make("transpose", 0, 2, transpose_launch, &shape);
    dm_region_add(&region, (struct dm_region_array){.name = "input",
                                                    .host = input,
                                                    .direction = DM_REGION_TO,
                                                    .split = DM_REGION_ROWS,
                                                    .slices = 2,
                                                    .slice_bytes = sizeof input / 2,
                                                    .rows = 1,
                                                    .length = 1});
    dm_region_add(&region, (struct dm_region_array){.name = "output",
                                                    .host = output,
                                                    .direction = DM_REGION_FROM,
                                                    .split = DM_REGION_COLUMNS,
                                                    .slices = 2,
                                                    .slice_bytes = 32 * sizeof(float),
                                                    .rows = 45,
                                                    .pitch_bytes = 64 * sizeof(float),
                                                    .length = 1});
    expect(dm_region_check(&region) == DM_OK);
    for (long chunk = 1; chunk <= 2; chunk++) {
        memset(output, 0xff, sizeof output);
        check_cuda(execute_in_chunks(&region, chunk, true));
        expect(memcmp(output, expected, sizeof output) == 0);
    }
}

int main(void)
{
    run_test(whole_arrays);
    run_test(chunks_and_rings);
    run_test(thread_blocks);
    run_test(impossible_thread_blocks);
    run_test(iterations_outside_the_loop);
    run_test(rounds_with_swap);
    run_test(rounds_without_swap);
    run_test(conv3d_by_hand);
    run_test(stencil_by_hand);
    run_test(pooling_and_transposition_by_hand);
    run_test(transposition_of_narrow_matrices);
    return end_tests();
}
