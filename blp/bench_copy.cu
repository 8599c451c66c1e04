#include "bench_copy.h"

#include "common/gpu.h"

#include <datamotion/blp_copy.h>

struct flows {
    struct direct_flow of[DIRECT_FLOWS_MAX];
};

/* Words of 32 or 128 bits by the threads of a block, as the copy blocks of a persistent kernel do
 * it. */
static inline __device__ void copy_run(unsigned *to, const unsigned *from, size_t count,
                                       const void *host)
{
    blp_copy_vectors<unsigned>(to, from, (long)count, host);
}
static inline __device__ void copy_run(uint4 *to, const uint4 *from, size_t count, const void *host)
{
    blp_copy_vectors<uint4>(to, from, (long)count, host);
}
static inline __device__ void copy_rows(unsigned *to, long to_pitch, const unsigned *from,
                                        long from_pitch, long rows, long width)
{
    blp_copy_rows<unsigned>(to, to_pitch, from, from_pitch, rows, width);
}
static inline __device__ void copy_rows(uint4 *to, long to_pitch, const uint4 *from,
                                        long from_pitch, long rows, long width)
{
    blp_copy_rows<uint4>(to, to_pitch, from, from_pitch, rows, width);
}

/* All threads of a block have stored their part. */
static inline __device__ void raise(unsigned *counter)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(counter, 1u);
    }
}

static inline __host__ __device__ bool pieces_are_shared(unsigned blocks, long pieces)
{
    return (long)blocks > pieces;
}

template <class Word> __global__ void copy_pieces(struct flows flows, long pieces)
{
    const struct direct_flow flow = flows.of[blockIdx.y];
    const size_t words = flow.piece_bytes / sizeof(Word);
    const unsigned blocks = (unsigned)flow.blocks;
    const bool shared = pieces_are_shared(blocks, pieces);
    const size_t begin = shared ? words * blockIdx.x / blocks : 0;
    const size_t end = shared ? words * (blockIdx.x + 1) / blocks : words;
    if (blockIdx.x >= blocks)
        return; /* of a flow that has fewer than another one */
    for (long piece = shared ? 0 : blockIdx.x; piece < pieces; piece += shared ? 1 : blocks) {
        Word *to = (Word *)flow.to + (size_t)piece * words + begin;
        const Word *from = (const Word *)flow.from + (size_t)piece * words + begin;
        copy_run(to, from, end - begin, flow.inward ? (const void *)from : (const void *)to);
        raise(&flow.arrived[piece]);
    }
}

template <class Word, int count> __global__ void copy_interleaved(struct flows flows)
{
    const size_t words = flows.of[0].piece_bytes / sizeof(Word);
    const size_t lanes = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += lanes) {
        Word word[count];
        for (int k = 0; k < count; k++)
            word[k] = ((const Word *)flows.of[k].from)[i];
        for (int k = 0; k < count; k++)
            ((Word *)flows.of[k].to)[i] = word[k];
    }
}

static inline __host__ __device__ size_t strip_bytes(struct direct_matrix matrix)
{
    const size_t widest = 128;
    return matrix.panel_bytes < widest ? matrix.panel_bytes : widest;
}

template <class Word>
__global__ void copy_panels(struct flows flows, struct direct_matrix matrix, long panels)
{
    const struct direct_flow flow = flows.of[blockIdx.y];
    const long strips = (long)(matrix.panel_bytes / strip_bytes(matrix));
    for (long i = blockIdx.x; i < panels * strips; i += gridDim.x) {
        const long panel = i / strips;
        const size_t inside = (size_t)(i % strips) * strip_bytes(matrix);
        const size_t apart = (size_t)panel * matrix.panel_bytes + inside;
        const size_t packed = (size_t)panel * flow.piece_bytes + inside;
        const Word *from = (const Word *)((const char *)flow.from + (flow.inward ? apart : packed));
        Word *to = (Word *)((char *)flow.to + (flow.inward ? packed : apart));
        const long host_pitch = (long)(matrix.pitch / sizeof(Word));
        const long device_pitch = (long)(matrix.panel_bytes / sizeof(Word));
        copy_rows(to, flow.inward ? device_pitch : host_pitch, from,
                  flow.inward ? host_pitch : device_pitch, (long)matrix.rows,
                  (long)(strip_bytes(matrix) / sizeof(Word)));
        raise(&flow.arrived[panel]);
    }
}

static struct flows flows_of(const struct direct_shape *shape, const struct direct_flow *flows)
{
    struct flows all = {};
    for (int i = 0; i < shape->flows; i++)
        all.of[i] = flows[i];
    return all;
}

unsigned direct_raises(const struct direct_shape *shape, const struct direct_flow *flow)
{
    return pieces_are_shared((unsigned)flow->blocks, shape->pieces) ? (unsigned)flow->blocks : 1;
}

unsigned direct_strips(const struct direct_matrix *matrix)
{
    return (unsigned)(matrix->panel_bytes / strip_bytes(*matrix));
}

cudaError_t direct_copy(const struct direct_shape *shape, const struct direct_flow *flows,
                        cudaStream_t stream)
{
    const dim3 grid((unsigned)shape->blocks, (unsigned)shape->flows);
    const unsigned threads = (unsigned)shape->threads;
    if (shape->vector_bits == 128)
        dm_launch(copy_pieces<uint4>, grid, threads, 0, stream, flows_of(shape, flows),
                  shape->pieces);
    else
        dm_launch(copy_pieces<unsigned>, grid, threads, 0, stream, flows_of(shape, flows),
                  shape->pieces);
    return cudaGetLastError();
}

template <class Word>
static void launch_interleaved(const struct direct_shape *shape, const struct direct_flow *flows,
                               cudaStream_t stream)
{
    const unsigned blocks = (unsigned)shape->blocks, threads = (unsigned)shape->threads;
    const struct flows all = flows_of(shape, flows);
    if (shape->flows == 3)
        dm_launch((copy_interleaved<Word, 3>), blocks, threads, 0, stream, all);
    else
        dm_launch((copy_interleaved<Word, 4>), blocks, threads, 0, stream, all);
}

cudaError_t direct_copy_interleaved(const struct direct_shape *shape,
                                    const struct direct_flow *flows, cudaStream_t stream)
{
    if (shape->vector_bits == 128)
        launch_interleaved<uint4>(shape, flows, stream);
    else
        launch_interleaved<unsigned>(shape, flows, stream);
    return cudaGetLastError();
}

cudaError_t direct_copy_panels(const struct direct_shape *shape, const struct direct_flow *flows,
                               const struct direct_matrix *matrix, cudaStream_t stream)
{
    const dim3 grid((unsigned)shape->blocks, (unsigned)shape->flows);
    const unsigned threads = (unsigned)shape->threads;
    if (shape->vector_bits == 128)
        dm_launch(copy_panels<uint4>, grid, threads, 0, stream, flows_of(shape, flows), *matrix,
                  shape->pieces);
    else
        dm_launch(copy_panels<unsigned>, grid, threads, 0, stream, flows_of(shape, flows), *matrix,
                  shape->pieces);
    return cudaGetLastError();
}
