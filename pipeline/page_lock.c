/* What translated loops need beside a plan: page-locked arrays, and the blocks that copy. */
#include <limits.h>

#include <datamotion/pipeline.h>

static size_t host_bytes(const struct dm_region_array *array)
{
    return (array->rows - 1) * array->pitch_bytes + (size_t)array->slices * array->slice_bytes;
}

void pipeline_page_lock(const struct dm_region *region, bool *locked)
{
    for (int a = 0; a < DM_REGION_ARRAYS; a++) {
        const struct dm_region_array *array = &region->arrays[a];
        locked[a] = a < region->array_count && array->host &&
                    cudaHostRegister(array->host, host_bytes(array), cudaHostRegisterDefault) ==
                        cudaSuccess;
    }
    cudaGetLastError(); /* memory that is page-locked already is no error */
}

void pipeline_page_unlock(const struct dm_region *region, const bool *locked)
{
    for (int a = 0; a < region->array_count && a < DM_REGION_ARRAYS; a++)
        if (locked[a])
            cudaHostUnregister(region->arrays[a].host);
}

static void add(long blocks, bool *said, long *sum)
{
    *said = *said && blocks > 0;
    *sum += blocks;
}

void pipeline_copy_blocks(const struct pipeline_loop *loop, int *in, int *out)
{
    bool in_said = true, out_said = true;
    long in_sum = 0, out_sum = 0;
    for (int a = 0; a < loop->region.array_count; a++) {
        const struct dm_region_array *array = &loop->region.arrays[a];
        if (array->split == DM_REGION_WHOLE)
            continue;
        if (array->direction & DM_REGION_TO)
            add(loop->num_block[a], &in_said, &in_sum);
        if (array->direction & DM_REGION_FROM)
            add(loop->num_block[a], &out_said, &out_sum);
    }
    *in = in_said && in_sum <= INT_MAX ? (int)in_sum : 0;
    *out = out_said && out_sum <= INT_MAX ? (int)out_sum : 0;
}
