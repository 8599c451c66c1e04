#include "memory_access.h"

#include "common/gpu.h"

enum { BLOCK_THREADS = 256, AT_ONCE = 4, LINE_WORDS = ACCESS_LINE_BYTES / 4 };

struct layout {
    enum access_order order;
    unsigned elements, bits; /* elements = 2^bits */
    unsigned line_elements;
};

/* Shifts and odd factors are invertible modulo a power of two, so this is a permutation. */
static inline __device__ unsigned permuted(unsigned i, unsigned bits)
{
    unsigned mask = (1u << bits) - 1, shift = (bits + 1) / 2;
    i = ((i ^ (i >> shift)) * 0x9e3779b1u) & mask;
    i = ((i ^ (i >> shift)) * 0x85ebca6bu) & mask;
    return i ^ (i >> shift);
}

static inline __device__ unsigned element_of(struct layout layout, unsigned i)
{
    unsigned lines = layout.elements / layout.line_elements;
    switch (layout.order) {
    case ACCESS_STRIDED:
        return (i & (lines - 1)) * layout.line_elements + i / lines;
    case ACCESS_RANDOM:
        return permuted(i, layout.bits);
    default:
        return i;
    }
}

static inline __device__ unsigned sum_of_1(unsigned element)
{
    return element;
}

static inline __device__ unsigned sum_of_2(uint2 element)
{
    return element.x + element.y;
}

static inline __device__ unsigned sum_of_4(uint4 element)
{
    return element.x + element.y + element.z + element.w;
}

/* Four reads are under way per thread, or the latency of one would be what is measured. */
#define READ_KERNEL(name, type, sum_of)                                                            \
    static __global__ void name(const type *array, struct layout layout, unsigned *sums)           \
    {                                                                                              \
        unsigned threads = gridDim.x * blockDim.x, sum = 0;                                        \
        unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;                                   \
        for (unsigned i = thread; i < layout.elements; i += AT_ONCE * threads) {                   \
            type first = array[element_of(layout, i)];                                             \
            type second = array[element_of(layout, i + threads)];                                  \
            type third = array[element_of(layout, i + 2 * threads)];                               \
            type fourth = array[element_of(layout, i + 3 * threads)];                              \
            sum += sum_of(first) + sum_of(second) + sum_of(third) + sum_of(fourth);                \
        }                                                                                          \
        sums[thread] = sum;                                                                        \
    }

READ_KERNEL(read_4_bytes, unsigned, sum_of_1)
READ_KERNEL(read_8_bytes, uint2, sum_of_2)
READ_KERNEL(read_16_bytes, uint4, sum_of_4)

static unsigned blocks_for(size_t threads)
{
    const size_t most = ACCESS_THREADS;
    return (unsigned)(((threads < most ? threads : most) + BLOCK_THREADS - 1) / BLOCK_THREADS);
}

static unsigned bits_of(size_t power)
{
    unsigned bits = 0;
    while (power >> (bits + 1))
        bits++;
    return bits;
}

cudaError_t access_read(const void *array, size_t bytes, unsigned element_bytes,
                        enum access_order order, unsigned *sums, cudaStream_t stream)
{
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
        return cudaErrorInvalidValue;
    if (bytes < ACCESS_SMALLEST || bytes > ACCESS_LARGEST || (bytes & (bytes - 1)))
        return cudaErrorInvalidValue;
    size_t elements = bytes / element_bytes;
    struct layout layout = {order, (unsigned)elements, bits_of(elements),
                            ACCESS_LINE_BYTES / element_bytes};
    unsigned blocks = blocks_for(elements / AT_ONCE);
    if (element_bytes == 4)
        dm_launch(read_4_bytes, blocks, BLOCK_THREADS, 0, stream, (const unsigned *)array, layout,
                  sums);
    else if (element_bytes == 8)
        dm_launch(read_8_bytes, blocks, BLOCK_THREADS, 0, stream, (const uint2 *)array, layout,
                  sums);
    else
        dm_launch(read_16_bytes, blocks, BLOCK_THREADS, 0, stream, (const uint4 *)array, layout,
                  sums);
    return cudaGetLastError();
}

static inline __device__ unsigned line_word(const unsigned *array, unsigned line, unsigned word)
{
    return array[(size_t)line * LINE_WORDS + word];
}

static __global__ void lines_kernel(const unsigned *array, const unsigned *lines, unsigned count,
                                    unsigned *sums)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned warps = gridDim.x * blockDim.x / LINE_WORDS, word = thread % LINE_WORDS, sum = 0;
    for (unsigned i = thread / LINE_WORDS; i < count; i += AT_ONCE * warps) {
        unsigned first = line_word(array, lines[i], word);
        unsigned second = line_word(array, lines[i + warps], word);
        unsigned third = line_word(array, lines[i + 2 * warps], word);
        unsigned fourth = line_word(array, lines[i + 3 * warps], word);
        sum += first + second + third + fourth;
    }
    sums[thread] = sum;
}

cudaError_t access_lines(const unsigned *array, const unsigned *lines, unsigned count,
                         unsigned *sums, cudaStream_t stream)
{
    if (count < ACCESS_SMALLEST / ACCESS_LINE_BYTES || (count & (count - 1)))
        return cudaErrorInvalidValue;
    dm_launch(lines_kernel, blocks_for((size_t)count * LINE_WORDS / AT_ONCE), BLOCK_THREADS, 0,
              stream, array, lines, count, sums);
    return cudaGetLastError();
}

static __global__ void triad_kernel(double *a, const double *b, const double *c, double scalar,
                                    size_t count)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        a[i] = b[i] + scalar * c[i];
}

cudaError_t access_triad(double *a, const double *b, const double *c, double scalar, size_t count,
                         cudaStream_t stream)
{
    if (!count)
        return cudaSuccess;
    dm_launch(triad_kernel, blocks_for(count), BLOCK_THREADS, 0, stream, a, b, c, scalar, count);
    return cudaGetLastError();
}
