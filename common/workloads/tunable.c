#include "tunable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/allocate.h"
#include "common/harness/exit.h"
#include "common/harness/options.h"
#include "common/random.h"

#include "tunable_compare.h"

const struct tunable_kind *const tunable_kinds[] = {
    &conv2d_tunable, &conv3d_tunable, &mm2_tunable,  &mm3_tunable,  &gemm_tunable, &gesummv_tunable,
    &mvt_tunable,    &syr2k_tunable,  &syrk_tunable, &epcc_tunable, &ldc_tunable,  NULL,
};

const struct tunable_kind *tunable_kind_of(const char *name)
{
    for (size_t k = 0; tunable_kinds[k]; k++)
        if (strcmp(tunable_kinds[k]->name, name) == 0)
            return tunable_kinds[k];
    return NULL;
}

size_t tunable_size(const struct tunable_kind *kind, const char *dataset)
{
    for (const struct tunable_dataset *d = kind->datasets; d->name; d++)
        if (strcmp(d->name, dataset) == 0)
            return d->size;
    size_t size;
    bool possible =
        options_read_size(dataset, &size) && size >= kind->smallest && size <= kind->largest;
    return possible ? size : 0;
}

static size_t array_bytes(const struct tunable_array *array)
{
    return array->count * sizeof(float);
}

static float *copy_to_device(const struct tunable_array *array, const float *values)
{
    float *copy = memory_allocate(MEMORY_DEVICE, array_bytes(array));
    check_cuda(cudaMemcpy(copy, values, array_bytes(array), cudaMemcpyHostToDevice));
    return copy;
}

/* What a kernel does not read is NaN: an element that it reads or forgets by mistake is seen. */
static float *initial_values(const struct tunable_array *array, uint64_t seed)
{
    float *values = allocate_or_fail(array->count, sizeof *values);
    if (array->input)
        random_fill_float(values, array->count, seed);
    else
        for (size_t i = 0; i < array->count; i++)
            values[i] = NAN;
    return values;
}

static void make_arrays(struct tunable *tunable, uint64_t seed)
{
    float *host[TUNABLE_ARRAYS] = {NULL};
    for (int a = 0; a < tunable->array_count; a++) {
        const struct tunable_array *array = &tunable->arrays[a];
        host[a] = initial_values(array, random_bits(seed, (uint64_t)a));
        if (array->input)
            tunable->inputs[a] = copy_to_device(array, host[a]);
        tunable->device[a] = memory_allocate(MEMORY_DEVICE, array_bytes(array));
    }
    tunable->kind->reference(tunable, host);
    for (int a = 0; a < tunable->array_count; a++) {
        if (tunable->arrays[a].output)
            tunable->expected[a] = copy_to_device(&tunable->arrays[a], host[a]);
        free(host[a]);
    }
}

struct tunable *tunable_create(const struct tunable_kind *kind, size_t size, uint64_t seed)
{
    if (size < kind->smallest || size > kind->largest)
        fail("%s: size %zu is impossible, it must be from %zu to %zu", kind->name, size,
             kind->smallest, kind->largest);
    struct tunable *tunable = allocate_or_fail(1, sizeof *tunable);
    *tunable = (struct tunable){.kind = kind, .size = size};
    kind->describe(tunable);
    tunable->wrong = memory_allocate(MEMORY_DEVICE, sizeof *tunable->wrong);
    make_arrays(tunable, seed);
    tunable_reset(tunable, NULL);
    check_cuda(cudaStreamSynchronize(NULL)); /* launches may be on any stream */
    return tunable;
}

void tunable_release(struct tunable *tunable)
{
    for (int a = 0; a < tunable->array_count; a++) {
        float *const own[] = {tunable->inputs[a], tunable->device[a], tunable->expected[a]};
        for (size_t o = 0; o < sizeof own / sizeof *own; o++)
            if (own[o])
                memory_release(MEMORY_DEVICE, own[o]);
    }
    memory_release(MEMORY_DEVICE, tunable->wrong);
    free(tunable);
}

void tunable_reset(struct tunable *tunable, cudaStream_t stream)
{
    for (int a = 0; a < tunable->array_count; a++) {
        size_t bytes = array_bytes(&tunable->arrays[a]);
        if (tunable->inputs[a])
            check_cuda(cudaMemcpyAsync(tunable->device[a], tunable->inputs[a], bytes,
                                       cudaMemcpyDeviceToDevice, stream));
        else /* a float of ones only is NaN */
            check_cuda(cudaMemsetAsync(tunable->device[a], 0xff, bytes, stream));
    }
}

cudaError_t tunable_launch(const struct tunable *tunable, dim3 block, cudaStream_t stream)
{
    bool possible = block.x >= 1 && block.x <= TUNABLE_THREADS && block.y >= 1 &&
                    block.y <= TUNABLE_THREADS / block.x && block.z == 1;
    if (!possible)
        return cudaErrorInvalidConfiguration;
    return tunable->kind->launch(tunable, tunable->device, block, stream);
}

long tunable_errors(struct tunable *tunable, cudaStream_t stream)
{
    double tolerance = 1e-6 * tunable->terms + 1e-5;
    check_cuda(cudaMemsetAsync(tunable->wrong, 0, sizeof *tunable->wrong, stream));
    for (int a = 0; a < tunable->array_count; a++)
        if (tunable->expected[a])
            check_cuda(tunable_compare(tunable->device[a], tunable->expected[a],
                                       tunable->arrays[a].count, tolerance, tunable->wrong,
                                       stream));
    unsigned wrong = 0;
    check_cuda(
        cudaMemcpyAsync(&wrong, tunable->wrong, sizeof wrong, cudaMemcpyDeviceToHost, stream));
    check_cuda(cudaStreamSynchronize(stream));
    return wrong;
}
