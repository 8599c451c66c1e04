/* tunable_test.c: every tunable kernel is right with any thread block, wrong results are seen, and
 * impossible blocks are refused. */
#include <math.h>

#include "common/gpu.h"
#include "common/harness/exit.h"
#include "common/workloads/tunable.h"
#include "tests/unit/test.h"

/* Under ThreadSanitizer each CUDA thread counts as a thread and costs as much. */
#if defined(__SANITIZE_THREAD__)
static const bool small_only = true;
#else
static const bool small_only = false;
#endif

static const dim3 usual_block = {16, 4, 1};

static size_t usual_size(const struct tunable_kind *kind)
{
    return small_only ? kind->smallest + 6 : tunable_size(kind, "tiny");
}

static struct tunable *create(const struct tunable_kind *kind)
{
    return tunable_create(kind, usual_size(kind), 7);
}

static long errors_with(struct tunable *tunable, dim3 block, cudaStream_t stream)
{
    tunable_reset(tunable, stream);
    cudaError_t error = tunable_launch(tunable, block, stream);
    long wrong = tunable_errors(tunable, stream);
    if (error != cudaSuccess || wrong)
        printf("# %s, size %zu, block %u x %u: %s, %ld wrong\n", tunable->kind->name, tunable->size,
               block.x, block.y, cudaGetErrorName(error), wrong);
    return error == cudaSuccess ? wrong : -1;
}

static void right_of(const struct tunable_kind *kind, size_t size)
{
    static const dim3 blocks[] = {{1, 1, 1},  {7, 3, 1},    {32, 4, 1},   {1, 64, 1},
                                  {64, 1, 1}, {1024, 1, 1}, {1, 1024, 1}, {33, 31, 1}};
    struct tunable *tunable = tunable_create(kind, size, 3 + size);
    cudaStream_t stream;
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        if (!small_only || blocks[b].x * blocks[b].y <= 64)
            expect(errors_with(tunable, blocks[b], stream) == 0);
    check_cuda(cudaStreamDestroy(stream));
    tunable_release(tunable);
}

static void right_with_any_block(void)
{
    for (size_t k = 0; tunable_kinds[k]; k++) {
        const struct tunable_kind *kind = tunable_kinds[k];
        right_of(kind, kind->smallest);
        right_of(kind, usual_size(kind));
        if (!small_only)
            right_of(kind, usual_size(kind) + 6);
    }
}

static bool is_updated(const struct tunable *tunable)
{
    for (int a = 0; a < tunable->array_count; a++)
        if (tunable->arrays[a].input && tunable->arrays[a].output)
            return true;
    return false;
}

/* A second launch without a reset changes what is read and written, and nothing else. */
static void reset_counts(void)
{
    for (size_t k = 0; tunable_kinds[k]; k++) {
        struct tunable *tunable = create(tunable_kinds[k]);
        expect(errors_with(tunable, usual_block, NULL) == 0);
        check_cuda(tunable_launch(tunable, usual_block, NULL));
        expect((tunable_errors(tunable, NULL) > 0) == is_updated(tunable));
        for (int a = 0; a < tunable->array_count; a++)
            check_cuda(cudaMemset(tunable->device[a], 0, tunable->arrays[a].count * sizeof(float)));
        expect(errors_with(tunable, usual_block, NULL) == 0);
        tunable_release(tunable);
    }
}

/* ---- wrong results are seen ---- */

/* Without a launch everything that is not an input, too, is wrong, and some of the rest. */
static void missing_of(struct tunable *tunable)
{
    long fresh = 0;
    for (int a = 0; a < tunable->array_count; a++)
        if (tunable->arrays[a].output && !tunable->arrays[a].input)
            fresh += (long)tunable->arrays[a].count;
    tunable_reset(tunable, NULL);
    long wrong = tunable_errors(tunable, NULL);
    expect(wrong >= fresh && wrong > 0);
}

/* Errors after element `at` of array `a` was multiplied and moved. */
static long errors_after(struct tunable *tunable, int a, size_t at, float moved)
{
    float before, after;
    float *element = tunable->device[a] + at;
    check_cuda(cudaMemcpy(&before, element, sizeof before, cudaMemcpyDefault));
    after = before + moved * fmaxf(1.0f, fabsf(before));
    check_cuda(cudaMemcpy(element, &after, sizeof after, cudaMemcpyDefault));
    long wrong = tunable_errors(tunable, NULL);
    check_cuda(cudaMemcpy(element, &before, sizeof before, cudaMemcpyDefault));
    return wrong;
}

static void wrong_elements_of(struct tunable *tunable, int a)
{
    float beyond = 3.0f * (1e-6f * (float)tunable->terms + 1e-5f);
    size_t last = tunable->arrays[a].count - 1;
    const size_t places[] = {0, last / 2, last};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        expect(errors_after(tunable, a, places[p], beyond) == 1);
        expect(errors_after(tunable, a, places[p], -1.0f) == 1);
        expect(errors_after(tunable, a, places[p], NAN) == 1);
        expect(errors_after(tunable, a, places[p], INFINITY) == 1);
    }
    expect(tunable_errors(tunable, NULL) == 0);
}

/* A kernel that does not read one of its inputs would be right on data of which nothing comes. */
static void input_counts(struct tunable *tunable, int a)
{
    tunable_reset(tunable, NULL);
    check_cuda(cudaMemset(tunable->device[a], 0, tunable->arrays[a].count * sizeof(float)));
    check_cuda(tunable_launch(tunable, usual_block, NULL));
    long wrong = tunable_errors(tunable, NULL);
    if (wrong == 0)
        printf("# %s: nothing depends on %s\n", tunable->kind->name, tunable->arrays[a].name);
    expect(wrong > 0);
}

static void wrong_results_are_seen(void)
{
    for (size_t k = 0; tunable_kinds[k]; k++) {
        struct tunable *tunable = create(tunable_kinds[k]);
        missing_of(tunable);
        expect(errors_with(tunable, usual_block, NULL) == 0);
        for (int a = 0; a < tunable->array_count; a++)
            if (tunable->arrays[a].output)
                wrong_elements_of(tunable, a);
        for (int a = 0; a < tunable->array_count; a++)
            if (tunable->arrays[a].input)
                input_counts(tunable, a);
        tunable_release(tunable);
    }
}

static void bad_blocks_of(struct tunable *tunable)
{
    static const dim3 bad[] = {{0, 1, 1},         {1, 0, 1},          {1, 1, 0},    {0, 0, 0},
                               {1, 1, 2},         {1025, 1, 1},       {1, 1025, 1}, {32, 33, 1},
                               {65536, 65536, 1}, {1, 4294967295u, 1}};
    tunable_reset(tunable, NULL);
    long untouched = tunable_errors(tunable, NULL);
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        expect(tunable_launch(tunable, bad[b], NULL) == cudaErrorInvalidConfiguration);
        expect(cudaGetLastError() == cudaSuccess);
    }
    expect(tunable_errors(tunable, NULL) == untouched);
    expect(errors_with(tunable, usual_block, NULL) == 0);
}

static void bad_blocks_are_refused(void)
{
    for (size_t k = 0; tunable_kinds[k]; k++) {
        struct tunable *tunable = create(tunable_kinds[k]);
        bad_blocks_of(tunable);
        tunable_release(tunable);
    }
}

int main(void)
{
    run_test(right_with_any_block);
    run_test(reset_counts);
    run_test(wrong_results_are_seen);
    run_test(bad_blocks_are_refused);
    return end_tests();
}
