/* blp_device.h: makes a device function a persistent kernel. For .cu files, which are compiled by
 * nvcc or, with the software GPU, by the C++ compiler.
 *
 *   static __device__ void smooth(const struct blp_unit *unit, const struct shape *shape)
 *   {
 *       for (long i = unit->begin; i < unit->end; i++) {
 *           const double *row = dm_slice<double>(unit->views[0], i);
 *           ... threads threadIdx.x, threadIdx.x + blockDim.x, ... of the block share the elements
 *       }
 *   }
 *   BLP_KERNEL(smooth_kernel, struct shape, smooth, 1024, 1)
 *
 * defines `extern "C" const struct blp_kernel smooth_kernel` for blp_open: of blocks of at most
 * 1024 threads, with 1 stage. The region's context is a struct shape (NULL: all zeros), which is
 * copied at each launch.
 *
 * All threads of a block call the function, so it may use __syncthreads(). It writes every element
 * of the slices that are copied back, and reads with ordinary loads (no __ldg, no `const
 * __restrict__`), since other blocks write the data while the kernel runs. */
#ifndef DATAMOTION_BLP_DEVICE_H
#define DATAMOTION_BLP_DEVICE_H

#include <datamotion/blp_persistent.h>

#if defined(__CUDACC__) || (defined(SOFTGPU) && defined(__cplusplus))

/* After threads_max follow the members of struct blp_kernel from `stages` on: parts and usual may
 * be left out. */
#define BLP_KERNEL(name, context_type, compute, threads_max, ...)                                  \
    BLP_FUNCTIONS(name, context_type, compute, float, threads_max, 1)                              \
    extern "C" {                                                                                   \
    extern const struct blp_kernel name;                                                           \
    }                                                                                              \
    const struct blp_kernel name =                                                                 \
        blp_make_kernel(name##_resident, name##_start, 0, threads_max, __VA_ARGS__);

/* The same of a function that sums over all iterations: unit->partial points to as many elements of
 * `sum_type`, a type of numbers of 4 bytes or a multiple, as the region's array that is copied out
 * as a whole has. The function adds to them; that array becomes their sum over all blocks. */
#define BLP_SUM_KERNEL(name, context_type, compute, sum_type, threads_max, ...)                    \
    BLP_FUNCTIONS(name, context_type, compute, sum_type, threads_max, 1)                           \
    extern "C" {                                                                                   \
    extern const struct blp_kernel name;                                                           \
    }                                                                                              \
    const struct blp_kernel name = blp_make_kernel(name##_resident, name##_start,                  \
                                                   sizeof(sum_type), threads_max, __VA_ARGS__);

/* For a kernel that chooses among several: defines one for blocks of at most threads_max threads of
 * which at least blocks_min are to fit on a multiprocessor, and name_resident and name_start as
 * struct blp_kernel has them. */
#define BLP_FUNCTIONS(name, context_type, compute, sum_type, threads_max, blocks_min)              \
    static __global__ void __launch_bounds__(threads_max, blocks_min)                              \
        name##_persistent(struct blp_work work, context_type context)                              \
    {                                                                                              \
        blp_persistent<sum_type, context_type>(&work, compute, &context);                          \
    }                                                                                              \
    static cudaError_t name##_resident(int threads, int *blocks)                                   \
    {                                                                                              \
        return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, name##_persistent, threads,   \
                                                             0);                                   \
    }                                                                                              \
    static cudaError_t name##_start(const struct blp_work *work, const void *context,              \
                                    cudaStream_t stream)                                           \
    {                                                                                              \
        context_type value = {};                                                                   \
        if (context)                                                                               \
            value = *(const context_type *)context;                                                \
        dm_launch_cooperative(name##_persistent, dim3((unsigned)work->blocks),                     \
                              dim3((unsigned)work->threads), 0, stream, *work, value);             \
        return cudaGetLastError();                                                                 \
    }

static inline constexpr struct blp_kernel
blp_make_kernel(cudaError_t (*resident)(int, int *),
                cudaError_t (*start)(const struct blp_work *, const void *, cudaStream_t),
                size_t sum_bytes, int threads_max, int stages,
                int (*parts)(const void *context) = nullptr,
                struct blp_shape usual = {0, 0, 0, 0, 0})
{
    return {sizeof(struct blp_work), sum_bytes, threads_max, stages, parts, usual, resident, start};
}

/* As many parts as wanted, within what there may be. */
static inline int blp_parts(long wanted)
{
    return wanted < 1 ? 1 : wanted < BLP_PARTS_MAX ? (int)wanted : (int)BLP_PARTS_MAX;
}

/* The same view. Its address comes from shared memory, which does not tell the compiler that it is
 * one of global memory; loads that might be of any memory are slower. */
static inline __device__ struct dm_slices blp_in_global_memory(struct dm_slices view)
{
#if defined(__CUDA_ARCH__)
    size_t address;
    asm("cvta.to.global.u64 %0, %1;" : "=l"(address) : "l"(view.base));
    view.base = __cvta_global_to_generic(address);
#endif
    return view;
}

#endif
#endif
