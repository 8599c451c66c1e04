/* pull.cu: the run time's own kernels: pieces of other devices' memory, read by a kernel of the
 * device that needs them, or combined with its own.
 *
 * A copy engine takes about 10 us to start, whatever the size, and its copies run one after the
 * other; this kernel reads all pieces at once as soon as it runs. blockIdx.y is the piece; the
 * threads of its blocks share the units of all its runs. */
#include "combine_pieces.h"
#include "pull_list.h"

#define PULL_UNITS(name, unit)                                                                     \
    static __device__ void name(const struct pull_piece *piece)                                    \
    {                                                                                              \
        unsigned long long length = piece->length / sizeof(unit);                                  \
        unsigned long long stride = piece->stride / sizeof(unit);                                  \
        unsigned long long count = length * piece->count;                                          \
        unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;                      \
        unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;          \
        const unit *from = (const unit *)piece->from;                                              \
        unit *to = (unit *)piece->to;                                                              \
        for (; i < count; i += step) {                                                             \
            unsigned long long run = i / length, at = run * stride + (i - run * length);           \
            to[at] = from[at];                                                                     \
        }                                                                                          \
    }

/* Copied by one load and one store. */
struct __attribute__((aligned(16))) pull_quad {
    unsigned long long low, high;
};

PULL_UNITS(pull_quads, struct pull_quad)
PULL_UNITS(pull_words, unsigned)
PULL_UNITS(pull_bytes, unsigned char)

extern "C" __global__ void pull_pieces(struct pull_list list)
{
    const struct pull_piece *piece = &list.piece[blockIdx.y];
    unsigned long long all = piece->to | piece->from | piece->length | piece->stride;
    if (all % sizeof(struct pull_quad) == 0)
        pull_quads(piece);
    else if (all % sizeof(unsigned) == 0)
        pull_words(piece);
    else
        pull_bytes(piece);
}

/* ---- what atomic operations made of each device's copy, put together ---- */

#define COMBINE(name, number, combined)                                                            \
    static __device__ void name(const struct combine_pieces *what)                                 \
    {                                                                                              \
        unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;                      \
        unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;          \
        const number *from = (const number *)what->from;                                           \
        number *to = (number *)what->to;                                                           \
        for (; i < what->count; i += step) {                                                       \
            number a = to[i], b = from[i];                                                         \
            to[i] = combined;                                                                      \
        }                                                                                          \
    }

COMBINE(combine_add_32, unsigned, a + b)
COMBINE(combine_add_64, unsigned long long, a + b)
COMBINE(combine_and, unsigned, a &b)
COMBINE(combine_or, unsigned, a | b)
COMBINE(combine_xor, unsigned, a ^ b)
COMBINE(combine_min_s32, int, a < b ? a : b)
COMBINE(combine_min_u32, unsigned, a < b ? a : b)
COMBINE(combine_min_s64, long long, a < b ? a : b)
COMBINE(combine_min_u64, unsigned long long, a < b ? a : b)
COMBINE(combine_max_s32, int, a > b ? a : b)
COMBINE(combine_max_u32, unsigned, a > b ? a : b)
COMBINE(combine_max_s64, long long, a > b ? a : b)
COMBINE(combine_max_u64, unsigned long long, a > b ? a : b)
/* What nobody added to keeps its bits. */
COMBINE(combine_add_f32, float, b != 0 ? a + b : a)
COMBINE(combine_add_f64, double, b != 0 ? a + b : a)

#define COMBINE_CASE(kind, function)                                                               \
    case kind:                                                                                     \
        function(&what);                                                                           \
        break;

extern "C" __global__ void combine_elements(struct combine_pieces what)
{
    switch (what.kind) {
        COMBINE_CASE(COMBINE_ADD_32, combine_add_32)
        COMBINE_CASE(COMBINE_ADD_64, combine_add_64)
        COMBINE_CASE(COMBINE_AND, combine_and)
        COMBINE_CASE(COMBINE_OR, combine_or)
        COMBINE_CASE(COMBINE_XOR, combine_xor)
        COMBINE_CASE(COMBINE_MIN_S32, combine_min_s32)
        COMBINE_CASE(COMBINE_MIN_U32, combine_min_u32)
        COMBINE_CASE(COMBINE_MIN_S64, combine_min_s64)
        COMBINE_CASE(COMBINE_MIN_U64, combine_min_u64)
        COMBINE_CASE(COMBINE_MAX_S32, combine_max_s32)
        COMBINE_CASE(COMBINE_MAX_U32, combine_max_u32)
        COMBINE_CASE(COMBINE_MAX_S64, combine_max_s64)
        COMBINE_CASE(COMBINE_MAX_U64, combine_max_u64)
        COMBINE_CASE(COMBINE_ADD_F32, combine_add_f32)
        COMBINE_CASE(COMBINE_ADD_F64, combine_add_f64)
    default:
        break;
    }
}
