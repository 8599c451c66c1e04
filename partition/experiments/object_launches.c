#include "object_launches.h"

#include <stdlib.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "common/random.h"

#include "application_modes.h"

enum { WIDTH = 64, BYTES = WIDTH * WIDTH * (int)sizeof(float) };

const char *const object_launch_steps[OBJECT_LAUNCH_STEPS] = {
    "nothing", "shared bytes", "grid", "block", "kernel", "scalar", "buffers",
};
const char *const object_pair_steps[OBJECT_PAIR_STEPS] = {"AB", "BA", "AB again", "BA again"};

/* What identifies a launch. */
struct stencil_launch {
    CUfunction kernel;
    unsigned grid[2], block[2], shared_bytes;
    CUdeviceptr in, out;
    int width;
};

/* ---- the virtual GPU ---- */

void object_gpu_check(const struct object_gpu *gpu)
{
    if (gpu->run.error)
        fail("the CUDA driver's error %d, see above", gpu->run.error);
}

void object_gpu_open(struct object_gpu *gpu, int devices, const char *modules, uint64_t seed)
{
    const struct application_mode mode = {devices,       "default", "broadcast",
                                          "last-writer", "boxes",   "-"};
    const struct partition_settings settings = application_mode_settings(&mode);
    const struct application_input input = {.n = WIDTH, .seed = seed, .modules = modules};
    check_status(partition_configure(&settings));
    *gpu = (struct object_gpu){.seed = seed};
    application_begin(&gpu->run, &input, "stencil");
    gpu->five = application_function(&gpu->run, "stencil5p");
    gpu->nine = application_function(&gpu->run, "stencil9p");
    object_gpu_check(gpu);
}

void object_gpu_close(struct object_gpu *gpu)
{
    void *result;
    size_t bytes;
    application_end(&gpu->run, NULL, 0, &result, &bytes);
}

/* ---- launches ---- */

static struct partition_statistics now(void)
{
    struct partition_statistics statistics;
    partition_statistics(&statistics);
    return statistics;
}

/* A buffer of random numbers that no launch has used. */
static CUdeviceptr new_buffer(struct object_gpu *gpu)
{
    float values[WIDTH * WIDTH];
    CUdeviceptr buffer = 0;
    random_fill_float(values, WIDTH * WIDTH, gpu->seed++);
    attempt(&gpu->run, cuMemAlloc(&buffer, BYTES));
    attempt(&gpu->run, cuMemcpyHtoD(buffer, values, BYTES));
    object_gpu_check(gpu);
    return buffer;
}

static struct stencil_launch new_launch(struct object_gpu *gpu)
{
    return (struct stencil_launch){.kernel = gpu->five,
                                   .grid = {WIDTH / 16, WIDTH / 4},
                                   .block = {16, 4},
                                   .in = new_buffer(gpu),
                                   .out = new_buffer(gpu),
                                   .width = WIDTH};
}

static void free_buffers(struct object_gpu *gpu, const struct stencil_launch *launch)
{
    attempt(&gpu->run, cuCtxSynchronize());
    attempt(&gpu->run, cuMemFree(launch->in));
    attempt(&gpu->run, cuMemFree(launch->out));
    object_gpu_check(gpu);
}

static void swap_buffers(struct stencil_launch *launch)
{
    CUdeviceptr in = launch->in;
    launch->in = launch->out;
    launch->out = in;
}

/* The time of the call. */
static double make(struct object_gpu *gpu, const struct stencil_launch *launch)
{
    struct stencil_launch values = *launch;
    void *parameters[] = {&values.in, &values.out, &values.width};
    double start_s = clock_now_s();
    attempt(&gpu->run,
            cuLaunchKernel(launch->kernel, launch->grid[0], launch->grid[1], 1, launch->block[0],
                           launch->block[1], 1, launch->shared_bytes, NULL, parameters, NULL));
    double time_s = clock_now_s() - start_s;
    object_gpu_check(gpu);
    return time_s;
}

const char *object_gpu_refusal(struct object_gpu *gpu)
{
    struct stencil_launch launch = new_launch(gpu);
    uint64_t before = now().one_device;
    make(gpu, &launch);
    free_buffers(gpu, &launch);
    return now().one_device > before ? partition_last_reason() : "";
}

/* In the order of object_launch_steps. */
static struct stencil_launch changed(const struct object_gpu *gpu, struct stencil_launch launch,
                                     int step)
{
    enum { NOTHING, SHARED_BYTES, GRID, BLOCK, KERNEL, SCALAR, BUFFERS };
    switch (step) {
    case SHARED_BYTES:
        launch.shared_bytes = 256;
        break;
    case GRID:
        launch.grid[1]++;
        break;
    case BLOCK:
        launch.block[1] /= 2;
        break;
    case KERNEL:
        launch.kernel = gpu->nine;
        break;
    case SCALAR:
        launch.width -= 2;
        break;
    case BUFFERS:
        swap_buffers(&launch);
        break;
    default: /* NOTHING */
        break;
    }
    return launch;
}

double object_launch_sample(struct object_job *job)
{
    struct object_gpu *gpu = job->context;
    struct stencil_launch first = new_launch(gpu), second = changed(gpu, first, job->number);
    struct partition_statistics start = now();
    make(gpu, &first);
    struct partition_statistics before = now();
    double time_s = make(gpu, &second);
    struct partition_statistics after = now();
    make(gpu, &first);
    make(gpu, &second);
    struct partition_statistics end = now();
    free_buffers(gpu, &first);
    struct object_row *row = &job->row;
    row->created = (int64_t)(after.kl_created - before.kl_created);
    row->expected = job->number > 0;
    row->repeated = (int64_t)(end.kl_created - after.kl_created);
    row->one_device = (int64_t)(end.one_device - start.one_device);
    job->errors += row->created != row->expected || row->repeated != 0;
    return time_s;
}

double object_pair_sample(struct object_job *job)
{
    struct object_gpu *gpu = job->context;
    struct stencil_launch launch = new_launch(gpu);
    struct partition_statistics start = now(), before = start;
    double time_s = make(gpu, &launch);
    for (int step = 0; step <= job->number; step++) {
        swap_buffers(&launch);
        before = now();
        time_s = make(gpu, &launch);
    }
    struct partition_statistics end = now();
    free_buffers(gpu, &launch);
    struct object_row *row = &job->row;
    row->created = (int64_t)(end.dr_created - before.dr_created);
    row->expected = job->number < 2;
    row->one_device = (int64_t)(end.one_device - start.one_device);
    job->errors += row->created != row->expected;
    return time_s;
}
