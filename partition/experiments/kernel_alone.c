#include "kernel_alone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/random.h"

#include "module_path.h"

enum { CHECKED = 512 };

/* Of the sum of the absolute values: single precision with 2^18 summands loses about 2e-5. */
static const double tolerance = 1e-4;

static void end_after_error(const struct kernel_alone *alone)
{
    if (alone->device.error)
        fail("%s: the CUDA driver's error %d, see above", alone->kind->kernel, alone->device.error);
}

void kernel_alone_open(struct kernel_alone *alone, const struct kernel_kind *kind, int device,
                       const char *modules)
{
    char directory[MODULE_PATH];
    *alone = (struct kernel_alone){.kind = kind};
    memcpy(alone->block, kind->block, sizeof alone->block);
    module_path(directory, modules, ".");
    const struct application_input input = {.modules = directory};
    struct application_run *run = &alone->device;
    attempt(run, cuInit(0));
    attempt(run, cuDeviceGet(&run->device, device));
    attempt(run, application_context(&run->context, run->device));
    application_module(run, &input, kind->module, &run->module);
    alone->function = application_function(run, kind->kernel);
    end_after_error(alone);
}

static void upload(struct kernel_alone *alone)
{
    for (int k = 0; k < alone->kind->arrays; k++)
        attempt(&alone->device, cuMemcpyHtoD(alone->arrays[k], alone->input.arrays[k],
                                             alone->elements * sizeof(float)));
}

void kernel_alone_fill(struct kernel_alone *alone, int n, size_t elements, uint64_t seed)
{
    const struct kernel_kind *kind = alone->kind;
    alone->input.n = n;
    alone->elements = elements;
    for (int k = 0; k < kind->arrays; k++) {
        alone->arrays[k] = application_buffer(&alone->device, elements * sizeof(float));
        alone->input.arrays[k] =
            application_filled(elements, seed + (uint64_t)k, kind->low[k], kind->high[k]);
    }
    upload(alone);
    end_after_error(alone);
}

static void launch(struct kernel_alone *alone, size_t threads)
{
    const struct kernel_kind *kind = alone->kind;
    void *parameters[KERNEL_ARRAYS + KERNEL_SCALARS + 1];
    float scalars[KERNEL_SCALARS];
    size_t count = 0;
    memcpy(scalars, kind->scalar, sizeof scalars);
    for (int k = 0; k < kind->arrays; k++)
        parameters[count++] = &alone->arrays[k];
    for (int k = 0; k < kind->scalars; k++)
        parameters[count++] = &scalars[k];
    parameters[count] = &alone->input.n;
    application_launch(&alone->device, alone->function, threads, kind->dimensions > 1 ? threads : 1,
                       1, alone->block, NULL, parameters);
    attempt(&alone->device, cuCtxSynchronize());
}

double kernel_alone_time(struct kernel_alone *alone, size_t threads)
{
    application_lap(&alone->device);
    launch(alone, threads);
    double time_s = application_lap(&alone->device);
    end_after_error(alone);
    return time_s;
}

/* ---- check ---- */

static bool changed(const struct kernel_alone *alone, float *const results[KERNEL_OUTPUTS],
                    size_t element)
{
    bool different = false;
    for (int k = 0; k < alone->kind->outputs; k++) {
        const float *before = alone->input.arrays[alone->kind->first_output + k];
        different |= memcmp(&results[k][element], &before[element], sizeof(float)) != 0;
    }
    return different;
}

static bool is_right(const struct kernel_alone *alone, float *const results[KERNEL_OUTPUTS],
                     size_t element)
{
    struct kernel_output expected = alone->kind->expect(&alone->input, element);
    bool right = true;
    for (int k = 0; k < alone->kind->outputs; k++)
        right &= fabs(results[k][element] - expected.value[k]) <= tolerance * expected.scale[k];
    return right;
}

/* Elements to choose from: a launch of few threads writes few of one dimension. */
static size_t reached(const struct kernel_alone *alone)
{
    bool all = alone->kind->dimensions > 1 || alone->input.threads > alone->elements;
    return all ? alone->elements : alone->input.threads;
}

static struct kernel_check compare(const struct kernel_alone *alone,
                                   float *const results[KERNEL_OUTPUTS], uint64_t seed)
{
    const struct kernel_kind *kind = alone->kind;
    int64_t outputs = 0;
    long errors = 0;
#pragma omp parallel for reduction(+ : outputs, errors)
    for (size_t element = 0; element < alone->elements; element++) {
        bool written = changed(alone, results, element);
        outputs += written;
        errors += written != kind->writes(&alone->input, element);
    }
#pragma omp parallel for reduction(+ : errors)
    for (uint64_t i = 0; i < CHECKED; i++) {
        size_t element = random_below(seed, i, reached(alone));
        if (kind->writes(&alone->input, element))
            errors += !is_right(alone, results, element);
    }
    return (struct kernel_check){outputs, errors};
}

struct kernel_check kernel_alone_check(struct kernel_alone *alone, size_t threads, uint64_t seed)
{
    const struct kernel_kind *kind = alone->kind;
    float *results[KERNEL_OUTPUTS] = {0};
    alone->input.threads = threads;
    upload(alone);
    launch(alone, threads);
    for (int k = 0; k < kind->outputs; k++) {
        results[k] = allocate_or_fail(alone->elements, sizeof(float));
        attempt(&alone->device, cuMemcpyDtoH(results[k], alone->arrays[kind->first_output + k],
                                             alone->elements * sizeof(float)));
    }
    end_after_error(alone);
    struct kernel_check check = compare(alone, results, seed);
    for (int k = 0; k < kind->outputs; k++)
        free(results[k]);
    return check;
}

void kernel_alone_close(struct kernel_alone *alone)
{
    void *no_result;
    size_t no_bytes;
    for (int k = 0; k < alone->kind->arrays; k++)
        free(alone->input.arrays[k]);
    application_end(&alone->device, NULL, 0, &no_result, &no_bytes);
}
