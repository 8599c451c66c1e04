/* The links of several devices at the same time: what is on its way together, which sample counts,
 * and what is refused. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/error_cuda.h"
#include "common/regions/link.h"
#include "tests/unit/test_status.h"

enum { GPUS = 2, SAMPLES = 16, BYTES = 1 << 20 };
static const int both_gpus[] = {0, 1};

/* ---- calls that the linker puts in front of CUDA's (Makefile) ---- */

static int copies, waits; /* large ones on their way; waits for those */
static int together[5]; /* samples by copies that were on their way when the first was waited for */
static bool scripted;   /* times are those of time_of */
static int reported;    /* so far */

cudaError_t __real_cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t __wrap_cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t __wrap_cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
    copies += bytes == BYTES;
    return __real_cudaMemcpyAsync(to, from, bytes, kind, stream);
}

cudaError_t __real_cudaEventSynchronize(cudaEvent_t event);
cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event);
cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event)
{
    if (copies > 0 && copies <= 4)
        together[copies]++;
    waits++;
    copies = 0;
    return __real_cudaEventSynchronize(event);
}

/* Of two devices' copies in one direction, sample by sample. The slowest was over first in sample
 * 5, the first device's in sample 3. */
static float time_of(int call)
{
    const int sample = call / GPUS, device = call % GPUS;
    if (sample == 3)
        return device == 0 ? 1 : 9;
    if (sample == 5)
        return device == 0 ? 4 : 5;
    return 10;
}

/* Of both directions after them: all alike. */
cudaError_t __real_cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t __wrap_cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t __wrap_cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    if (!scripted)
        return __real_cudaEventElapsedTime(milliseconds, start, end);
    const int call = reported++;
    *milliseconds = call < 2 * GPUS * SAMPLES ? time_of(call % (GPUS * SAMPLES)) : 20;
    return cudaSuccess;
}

/* ---- tests ---- */

static bool about(double value, double expected)
{
    return fabs(value - expected) <= 1e-6 * expected;
}

static void all_copies_are_on_their_way_before_one_is_waited_for(void)
{
    struct link_rates links[GPUS] = {{0}};
    expect_ok(link_measure_together(links, both_gpus, GPUS, BYTES));
    expect(together[2] == 2 * SAMPLES && together[4] == SAMPLES);
    expect(together[1] == 0 && together[3] == 0 && waits > 0);
    for (int d = 0; d < GPUS; d++) {
        expect(links[d].to_device > 0 && links[d].from_device > 0);
        expect(links[d].both_to_device > 0 && links[d].both_to_device <= links[d].to_device);
        expect(links[d].both > links[d].both_to_device);
        expect(links[d].both - links[d].both_to_device <= links[d].from_device * (1 + 1e-12));
        expect(links[d].call_s > 0 && links[d].operation_s > 0);
    }
}

static void the_sample_counts_whose_slowest_device_was_first(void)
{
    struct link_rates links[GPUS] = {{0}};
    scripted = true;
    expect_ok(link_measure_together(links, both_gpus, GPUS, BYTES));
    scripted = false;
    expect(about(links[0].to_device, BYTES / 4e-3) && about(links[1].to_device, BYTES / 5e-3));
    expect(about(links[0].from_device, BYTES / 4e-3) && about(links[1].from_device, BYTES / 5e-3));
    expect(about(links[0].both_to_device, BYTES / 20e-3));
    expect(about(links[1].both, 2 * BYTES / 20e-3));
}

static void the_current_device_stays(void)
{
    struct link_rates links[GPUS];
    int current;
    expect_ok(status_of_cuda(cudaSetDevice(1)));
    expect_ok(link_measure_together(links, both_gpus, GPUS, 0));
    expect_ok(status_of_cuda(cudaGetDevice(&current)));
    expect(current == 1);
    expect_ok(status_of_cuda(cudaSetDevice(0)));
}

static void what_is_not_there_is_refused(void)
{
    struct link_rates links[GPUS];
    expect_error(link_measure_together(links, both_gpus, 0, BYTES), DM_INVALID,
                 "links of 0 GPUs: name one at least");
    expect_error(link_measure_together(links, (const int[]){0, GPUS}, GPUS, BYTES), DM_INVALID,
                 "the link of GPU 2: there are 2, from 0 on");
    expect_error(link_measure_together(links, (const int[]){-1, 0}, GPUS, BYTES), DM_INVALID,
                 "the link of GPU -1: there are 2, from 0 on");
    expect_error(link_measure_together(links, both_gpus, GPUS, SIZE_MAX / 4), DM_NO_MEMORY, "");
}

int main(void)
{
    setenv("SOFTGPU_DEVICES", "2", 1);
    run_test(all_copies_are_on_their_way_before_one_is_waited_for);
    run_test(the_sample_counts_whose_slowest_device_was_first);
    run_test(the_current_device_stays);
    run_test(what_is_not_there_is_refused);
    return end_tests();
}
