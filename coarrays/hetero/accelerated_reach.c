/* accelerated_reach.c: other images' parts in this process: mapped by CUDA IPC, or page-locked so
 * that this image's GPU copies them without the CPU. */
#include <stdlib.h>
#include <mpi.h>

#include "coarrays/caf/agree.h"
#include "coarrays/caf/error.h"

#include "accelerated_internal.h"
#include "common/error_cuda.h"

static bool is_other(int image)
{
    return image != caf_this_image();
}

/* The device is synchronised first: on some systems a handle cannot be had while it works. */
static enum dm_status export_part(const struct accelerated *coarray, cudaIpcMemHandle_t *handle)
{
    cudaError_t error = cudaIpcGetMemHandle(handle, coarray->memory);
    if (!error)
        return DM_OK;
    cudaGetLastError();
    return dm_fail(DM_NO_MEMORY, "ALLOCATE: GPU memory of image %d cannot be shared: %s",
                   caf_this_image(), cudaGetErrorString(error));
}

static enum dm_status import_parts(struct accelerated *coarray, const cudaIpcMemHandle_t *handles)
{
    for (int image = 1; image <= caf_num_images(); image++) {
        if (!is_other(image) || !accelerated_is_near(coarray, image))
            continue;
        void **part = &coarray->reached[image - 1];
        cudaError_t error =
            cudaIpcOpenMemHandle(part, handles[image - 1], cudaIpcMemLazyEnablePeerAccess);
        if (error) {
            *part = NULL;
            cudaGetLastError();
            return dm_fail(DM_NO_MEMORY,
                           "ALLOCATE: image %d cannot map GPU memory of image %d: %s; let each "
                           "image see all GPUs, in one container, or set CAF_ACCELERATED=staged",
                           caf_this_image(), image, cudaGetErrorString(error));
        }
    }
    return DM_OK;
}

static enum dm_status map_device_parts(struct accelerated *coarray)
{
    cudaIpcMemHandle_t mine, *all = calloc((size_t)caf_num_images(), sizeof *all);
    enum dm_status status = agree(all ? export_part(coarray, &mine)
                                      : dm_fail(DM_NO_MEMORY, "ALLOCATE: no memory for handles"));
    if (status == DM_OK)
        status = status_of_mpi(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine,
                                             MPI_BYTE, MPI_COMM_WORLD));
    if (status == DM_OK)
        status = agree(import_parts(coarray, all));
    free(all);
    return status;
}

/* Where two parts share a page only one of them can be page-locked: the other is then copied from
 * pageable memory, but this image's own, which the GPU computes on, must succeed. */
static enum dm_status lock_parts(struct accelerated *coarray)
{
    int me = caf_this_image(), images = caf_num_images();
    size_t bytes = caf_size(coarray->host);
    cudaError_t own = cudaSuccess;
    for (int i = 0; i < images; i++) {
        int image = (me - 1 + i) % images + 1;
        if (!accelerated_is_near(coarray, image))
            continue;
        cudaError_t error = cudaHostRegister(caf_pointer(coarray->host, image), bytes,
                                             cudaHostRegisterMapped | cudaHostRegisterPortable);
        coarray->registered[image - 1] = !error;
        if (error) {
            cudaGetLastError();
            own = image == me ? error : own;
        }
    }
    if (own)
        return dm_fail(DM_NO_MEMORY, "ALLOCATE: image %d cannot page-lock %zu bytes: %s", me, bytes,
                       cudaGetErrorString(own));
    if (coarray->kind == ACCELERATED_MAPPED)
        TRY_CUDA(cudaHostGetDevicePointer(&coarray->memory, caf_memory(coarray->host), 0));
    return DM_OK;
}

enum dm_status accelerated_reach(struct accelerated *coarray)
{
    enum dm_status status = DM_OK;
    if (coarray->host)
        status = agree(lock_parts(coarray));
    if (status == DM_OK && coarray->kind == ACCELERATED_DEVICE)
        status = map_device_parts(coarray);
    for (int image = 1; image <= caf_num_images() && !status; image++)
        if (image == caf_this_image())
            coarray->reached[image - 1] = coarray->memory;
        else if (coarray->kind == ACCELERATED_MAPPED && accelerated_is_near(coarray, image))
            coarray->reached[image - 1] = caf_pointer(coarray->host, image);
    return status;
}

enum dm_status accelerated_leave(struct accelerated *coarray)
{
    enum dm_status first = DM_OK;
    for (int image = 1; image <= caf_num_images(); image++) {
        enum dm_status status = DM_OK;
        if (!coarray->reached || !coarray->registered)
            return DM_OK;
        if (coarray->kind == ACCELERATED_DEVICE && is_other(image) && coarray->reached[image - 1])
            status = status_of_cuda(cudaIpcCloseMemHandle(coarray->reached[image - 1]));
        coarray->reached[image - 1] = NULL;
        first = first == DM_OK ? status : first;
        if (coarray->registered[image - 1])
            status = status_of_cuda(cudaHostUnregister(caf_pointer(coarray->host, image)));
        coarray->registered[image - 1] = false;
        first = first == DM_OK ? status : first;
    }
    return first;
}
