/* Memory of formats on both sides, for which errors are statuses. */
#include <stdlib.h>
#include <string.h>

#include "common/error_cuda.h"
#include "common/memory.h"

#include "format.h"

enum dm_status sparse_host_memory(void *memory, int64_t count, size_t each)
{
    size_t bytes = sparse_bytes(count > 0 ? count : 1, each);
    void *pointer = malloc(bytes);
    memcpy(memory, &pointer, sizeof pointer);
    return pointer ? DM_OK : error_no_memory(bytes);
}

enum dm_status sparse_host_zeros(void *memory, int64_t count, size_t each)
{
    void *pointer = calloc(count > 0 ? (size_t)count : 1, each);
    memcpy(memory, &pointer, sizeof pointer);
    return pointer ? DM_OK : error_no_memory(sparse_bytes(count, each));
}

size_t sparse_starts_bytes(const struct spmv_options *options, int64_t count, int64_t end)
{
    return sparse_bytes(count + 1,
                        sparse_starts_are_wide(options, end) ? sizeof(int64_t) : sizeof(int32_t));
}

enum dm_status sparse_starts_open(struct sparse_starts *starts, const struct spmv_options *options,
                                  int64_t count, int64_t end)
{
    *starts =
        (struct sparse_starts){.count = count, .is_wide = sparse_starts_are_wide(options, end)};
    return sparse_host_memory(&starts->offset, 1, sparse_starts_bytes(options, count, end));
}

enum dm_status sparse_device_memory(void *device, size_t bytes)
{
    void *pointer;
    enum dm_status status = memory_obtain(MEMORY_DEVICE, bytes, &pointer);
    memcpy(device, &pointer, sizeof pointer);
    return status;
}

enum dm_status sparse_device_copy(void *device, const void *host, size_t bytes)
{
    void *pointer;
    TRY(sparse_device_memory(device, bytes));
    memcpy(&pointer, device, sizeof pointer);
    return sparse_copy(pointer, host, bytes);
}

/* cudaMemcpy of pageable memory returns when the bytes have been staged, and a stream that was
 * created with cudaStreamNonBlocking does not wait for their arrival. */
enum dm_status sparse_copy(void *to, const void *from, size_t bytes)
{
    TRY_CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
    TRY_CUDA(cudaStreamSynchronize(NULL));
    return DM_OK;
}

void sparse_device_release(void *device)
{
    memory_give_back(MEMORY_DEVICE, device);
}
