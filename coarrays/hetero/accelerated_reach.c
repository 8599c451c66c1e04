/* accelerated_reach.c: other images' parts in this process: mapped by CUDA IPC, or page-locked so
 * that this image's GPU copies them without the CPU. */
#include <stdlib.h>
#include <mpi.h>

#include "coarrays/caf/agree.h"
#include "coarrays/caf/error.h"
#include "common/harness/exit.h"

#include "accelerated_internal.h"

static bool is_other(int image)
{
    return image != caf_this_image();
}

/* The device is synchronised first: on some systems a handle cannot be had while it works. */
static int export_part(const struct accelerated *coarray, cudaIpcMemHandle_t *handle)
{
    cudaError_t error = cudaIpcGetMemHandle(handle, coarray->memory);
    if (!error)
        return CAF_OK;
    cudaGetLastError();
    return caf_error(CAF_NO_MEMORY, "ALLOCATE: GPU memory of image %d cannot be shared: %s",
                     caf_this_image(), cudaGetErrorString(error));
}

static int import_parts(struct accelerated *coarray, const cudaIpcMemHandle_t *handles)
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
            return caf_error(CAF_NO_MEMORY,
                             "ALLOCATE: image %d cannot map GPU memory of image %d: %s; let each "
                             "image see all GPUs, in one container, or set CAF_ACCELERATED=staged",
                             caf_this_image(), image, cudaGetErrorString(error));
        }
    }
    return CAF_OK;
}

static int map_device_parts(struct accelerated *coarray)
{
    cudaIpcMemHandle_t mine, *all = calloc((size_t)caf_num_images(), sizeof *all);
    int code = agree(all ? export_part(coarray, &mine)
                         : caf_error(CAF_NO_MEMORY, "ALLOCATE: no memory for handles"));
    if (!code) {
        need_mpi(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE,
                               MPI_COMM_WORLD));
        code = agree(import_parts(coarray, all));
    }
    free(all);
    return code;
}

/* Where two parts share a page only one of them can be page-locked: the other is then copied from
 * pageable memory, but this image's own, which the GPU computes on, must succeed. */
static int lock_parts(struct accelerated *coarray)
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
        return caf_error(CAF_NO_MEMORY, "ALLOCATE: image %d cannot page-lock %zu bytes: %s", me,
                         bytes, cudaGetErrorString(own));
    if (coarray->kind == ACCELERATED_MAPPED)
        check_cuda(cudaHostGetDevicePointer(&coarray->memory, caf_memory(coarray->host), 0));
    return CAF_OK;
}

int accelerated_reach(struct accelerated *coarray)
{
    int code = CAF_OK;
    if (coarray->host)
        code = agree(lock_parts(coarray));
    if (!code && coarray->kind == ACCELERATED_DEVICE)
        code = map_device_parts(coarray);
    for (int image = 1; image <= caf_num_images() && !code; image++)
        if (image == caf_this_image())
            coarray->reached[image - 1] = coarray->memory;
        else if (coarray->kind == ACCELERATED_MAPPED && accelerated_is_near(coarray, image))
            coarray->reached[image - 1] = caf_pointer(coarray->host, image);
    return code;
}

void accelerated_leave(struct accelerated *coarray)
{
    for (int image = 1; image <= caf_num_images(); image++) {
        if (!coarray->reached || !coarray->registered)
            return;
        if (coarray->kind == ACCELERATED_DEVICE && is_other(image) && coarray->reached[image - 1])
            check_cuda(cudaIpcCloseMemHandle(coarray->reached[image - 1]));
        coarray->reached[image - 1] = NULL;
        if (coarray->registered[image - 1])
            check_cuda(cudaHostUnregister(caf_pointer(coarray->host, image)));
        coarray->registered[image - 1] = false;
    }
}
