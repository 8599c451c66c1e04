/* tunable_kinds_test.c: the table of tunable kernels, their sizes and data. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/gpu.h"
#include "common/harness/exit.h"
#include "common/workloads/tunable.h"
#include "common/workloads/tunable_grid.h"
#include "tests/unit/test.h"

static void names(void)
{
    static const char *const expected[] = {"2dconv", "3dconv", "2mm",  "3mm",  "gemm", "gesummv",
                                           "mvt",    "syr2k",  "syrk", "epcc", "ldc"};
    size_t count = 0;
    while (tunable_kinds[count])
        count++;
    expect(count == sizeof expected / sizeof *expected);
    for (size_t k = 0; k < count; k++) {
        expect(strcmp(tunable_kinds[k]->name, expected[k]) == 0);
        expect(tunable_kind_of(expected[k]) == tunable_kinds[k]);
        expect(strlen(tunable_kinds[k]->meaning) > 20);
    }
    expect(!tunable_kind_of("2dcon"));
    expect(!tunable_kind_of("GEMM"));
    expect(!tunable_kind_of(""));
}

static void sizes_of(const struct tunable_kind *kind)
{
    size_t tiny = tunable_size(kind, "tiny"), small = tunable_size(kind, "small");
    expect(tiny >= kind->smallest && tiny > 0);
    expect(small >= tiny);
    expect(tunable_size(kind, "full") > small);
    expect(tunable_size(kind, "full") <= kind->largest);
    char number[32];
    snprintf(number, sizeof number, "%zu", kind->smallest);
    expect(tunable_size(kind, number) == kind->smallest);
    snprintf(number, sizeof number, "%zu", kind->largest);
    expect(tunable_size(kind, number) == kind->largest);
    snprintf(number, sizeof number, "%zu", kind->largest + 1);
    expect(tunable_size(kind, number) == 0);
    snprintf(number, sizeof number, "%zu", kind->smallest - 1);
    expect(tunable_size(kind, number) == 0);
    static const char *const wrong[] = {
        "", "0", "-32", "32x", "Tiny", "tiny ", "99999999999999999999"};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++)
        expect(tunable_size(kind, wrong[w]) == 0);
}

static void sizes(void)
{
    for (size_t k = 0; tunable_kinds[k]; k++)
        sizes_of(tunable_kinds[k]);
}

static void described_of(const struct tunable_kind *kind, const char *dataset)
{
    struct tunable tunable = {.kind = kind, .size = tunable_size(kind, dataset)};
    kind->describe(&tunable);
    double bytes = 0.0;
    bool input = false, output = false;
    expect(tunable.array_count >= 1 && tunable.array_count <= TUNABLE_ARRAYS);
    for (int a = 0; a < tunable.array_count; a++) {
        const struct tunable_array *array = &tunable.arrays[a];
        expect(array->name && array->count > 0);
        expect(array->input || array->output);
        input = input || array->input;
        output = output || array->output;
        bytes += sizeof(float) * (double)array->count * (array->input + array->output);
    }
    expect(input && output);
    expect(tunable.flops > 0.0 && tunable.terms >= 1.0);
    expect(tunable.bytes > 0.0 && tunable.bytes <= 2.0 * bytes);
}

static void described(void)
{
    for (size_t k = 0; tunable_kinds[k]; k++) {
        described_of(tunable_kinds[k], "tiny");
        described_of(tunable_kinds[k], "full");
    }
}

/* In a process of its own, before this one has threads: whether creating it ends the program with
 * an error. */
static bool is_refused(const struct tunable_kind *kind, size_t size)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(99);
        tunable_create(kind, size, 1);
        _exit(0);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static void impossible_sizes(void)
{
    for (size_t k = 0; tunable_kinds[k]; k++) {
        expect(is_refused(tunable_kinds[k], tunable_kinds[k]->smallest - 1));
        expect(is_refused(tunable_kinds[k], tunable_kinds[k]->largest + 1));
    }
}

static float *inputs_of(const struct tunable *tunable, int a)
{
    size_t count = tunable->arrays[a].count;
    float *values = allocate_or_fail(count, sizeof *values);
    check_cuda(cudaMemcpy(values, tunable->inputs[a], count * sizeof *values, cudaMemcpyDefault));
    return values;
}

/* Random, the same for the same seed only, and arrays differ. */
static void inputs_follow_the_seed(void)
{
    const struct tunable_kind *kind = tunable_kind_of("gemm");
    size_t size = tunable_size(kind, "tiny");
    const uint64_t seeds[] = {5, 5, 6};
    float *values[3], *second = NULL;
    size_t bytes = 0;
    for (int s = 0; s < 3; s++) {
        struct tunable *tunable = tunable_create(kind, size, seeds[s]);
        bytes = tunable->arrays[0].count * sizeof(float);
        values[s] = inputs_of(tunable, 0);
        if (s == 0)
            second = inputs_of(tunable, 1);
        tunable_release(tunable);
    }
    expect(memcmp(values[0], values[1], bytes) == 0);
    expect(memcmp(values[0], values[2], bytes) != 0);
    expect(memcmp(values[0], second, bytes) != 0);
    for (int s = 0; s < 3; s++)
        free(values[s]);
    free(second);
}

/* The trusted version of the 27 points, trusted no further than an impulse: what comes of it are
 * the weights, each at its distance. */
static void epcc_reference_has_its_weights(void)
{
    static const float weights[] = {EPCC_POINT, EPCC_FACE, EPCC_EDGE, EPCC_CORNER};
    enum { N = 6, AT = 2 }; /* the impulse at (AT, AT, AT); slots are planes mod N - 2 */
    float input[N * N * N] = {0.0f}, output[(N - 2) * N * N];
    float *const arrays[] = {input, output};
    struct tunable tunable = {.kind = &epcc_tunable, .size = N};
    input[(AT * N + AT) * N + AT] = 1.0f;
    epcc_tunable.reference(&tunable, arrays);
    for (int i = 1; i < N - 1; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) {
                int far[] = {abs(i - AT), abs(j - AT), abs(k - AT)};
                bool near = far[0] <= 1 && far[1] <= 1 && far[2] <= 1;
                float expected = near ? weights[far[0] + far[1] + far[2]] : 0.0f;
                expect(output[(i % (N - 2) * N + j) * N + k] == expected);
            }
    expect(EPCC_POINT + 6 * EPCC_FACE + 12 * EPCC_EDGE + 8 * EPCC_CORNER == 1.0f);
}

int main(void)
{
    run_test(names);
    run_test(sizes);
    run_test(described);
    run_test(impossible_sizes);
    run_test(inputs_follow_the_seed);
    run_test(epcc_reference_has_its_weights);
    return end_tests();
}
