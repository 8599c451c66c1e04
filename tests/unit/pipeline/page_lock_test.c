/* What translated loops need beside a plan: arrays that are page-locked for a while, and the
 * numbers of copy blocks. */
#include <stdlib.h>

#include <datamotion/pipeline.h>

#include "common/harness/exit.h"
#include "tests/unit/test.h"

enum { SLICES = 64, SLICE_BYTES = 4096 };

static struct dm_region_array array_at(void *host, enum dm_region_direction direction)
{
    return (struct dm_region_array){.name = "array",
                                    .host = host,
                                    .direction = direction,
                                    .split = DM_REGION_ROWS,
                                    .slices = SLICES,
                                    .slice_bytes = SLICE_BYTES,
                                    .rows = 1,
                                    .length = 1};
}

static bool is_locked(const void *host)
{
    struct cudaPointerAttributes attributes;
    check_cuda(cudaPointerGetAttributes(&attributes, host));
    return attributes.type == cudaMemoryTypeHost;
}

static void locks_what_is_not_locked(void)
{
    void *own = NULL, *locked_already;
    bool locked[DM_REGION_ARRAYS];
    struct dm_region region = dm_region_make("test", 0, SLICES, NULL, NULL);
    expect(posix_memalign(&own, 4096, SLICES * SLICE_BYTES) == 0);
    check_cuda(cudaMallocHost(&locked_already, SLICES * SLICE_BYTES));
    dm_region_add(&region, array_at(own, DM_REGION_TO));
    dm_region_add(&region, array_at(locked_already, DM_REGION_FROM));
    dm_region_add(&region, array_at(NULL, DM_REGION_SCRATCH));
    pipeline_page_lock(&region, locked);
    expect(locked[0] && !locked[1] && !locked[2]);
    expect(is_locked(own) && is_locked((char *)own + SLICES * SLICE_BYTES - 1));
    expect(cudaGetLastError() == cudaSuccess);
    pipeline_page_unlock(&region, locked);
    expect(!is_locked(own));
    expect(is_locked(locked_already));
    check_cuda(cudaFreeHost(locked_already));
    free(own);
}

static void adds_the_blocks_of_a_direction(void)
{
    struct pipeline_loop loop = {.num_block = {4, 3, 2, 7}};
    int in, out;
    loop.region = dm_region_make("test", 0, SLICES, NULL, NULL);
    dm_region_add(&loop.region, array_at(NULL, DM_REGION_TO));
    dm_region_add(&loop.region, array_at(NULL, DM_REGION_TOFROM));
    dm_region_add(&loop.region, array_at(NULL, DM_REGION_FROM));
    struct dm_region_array whole = array_at(NULL, DM_REGION_TO);
    whole.split = DM_REGION_WHOLE;
    dm_region_add(&loop.region, whole);
    pipeline_copy_blocks(&loop, &in, &out);
    expect(in == 7 && out == 5);
    loop.num_block[2] = 0;
    pipeline_copy_blocks(&loop, &in, &out);
    expect(in == 7 && out == 0);
}

int main(void)
{
    check_cuda(cudaSetDevice(0));
    run_test(locks_what_is_not_locked);
    run_test(adds_the_blocks_of_a_direction);
    return end_tests();
}
