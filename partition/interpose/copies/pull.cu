/* pull.cu: pieces of other devices' memory, read by a kernel of the device that needs them.
 *
 * A copy engine takes about 10 us to start, whatever the size, and its copies run one after the
 * other; this kernel reads all pieces at once as soon as it runs. blockIdx.y is the piece; the
 * threads of its blocks share the units of all its runs. */
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
