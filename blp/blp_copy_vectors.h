/* blp_copy_vectors.h: copies by the threads of a block, in vectors of one type. Included by
 * blp_copy.h once for each width, with BLP_VECTOR (the type) and BLP_COPY(name) defined.
 *
 * Each thread has BLP_LOADS loads in flight before it stores, since a load from host memory takes
 * about 2 us. Each element is read once: the loads are marked for early eviction, which has no part
 * in which values they may return. */

/* Contiguous. Warps begin at 128-byte boundaries of host memory, so that each of their accesses is
 * a whole number of requests on the link. */
BLP_OUT_OF_LINE void BLP_COPY(run)(void *to, const void *from, long count, const void *host)
{
    BLP_VECTOR *target = (BLP_VECTOR *)to;
    const BLP_VECTOR *source = (const BLP_VECTOR *)from;
    long step = blockDim.x, i = (long)threadIdx.x - (long)((size_t)host % 128 / sizeof *target);
    i += i < 0 ? step : 0;
    for (; i < count; i += BLP_LOADS * step) {
        BLP_VECTOR value[BLP_LOADS] = {};
        BLP_UNROLL
        for (int k = 0; k < BLP_LOADS; k++)
            if (i + k * step < count)
                value[k] = __ldcs(source + i + k * step);
        BLP_UNROLL
        for (int k = 0; k < BLP_LOADS; k++)
            if (i + k * step < count)
                target[i + k * step] = value[k];
    }
}

/* Rows of `width` vectors, each pitch apart: a panel of a matrix, in pieces as wide as the panel.
 */
BLP_OUT_OF_LINE void BLP_COPY(rows)(void *to, long to_pitch, const void *from, long from_pitch,
                                    long rows, long width)
{
    BLP_VECTOR *target = (BLP_VECTOR *)to;
    const BLP_VECTOR *source = (const BLP_VECTOR *)from;
    long lanes = width < (long)blockDim.x ? width : (long)blockDim.x, step = blockDim.x / lanes;
    long first = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    if (first >= step)
        return;
    for (long column = lane; column < width; column += lanes)
        for (long row = first; row < rows; row += BLP_LOADS * step) {
            BLP_VECTOR value[BLP_LOADS] = {};
            BLP_UNROLL
            for (int k = 0; k < BLP_LOADS; k++)
                if (row + k * step < rows)
                    value[k] = __ldcs(source + (row + k * step) * from_pitch + column);
            BLP_UNROLL
            for (int k = 0; k < BLP_LOADS; k++)
                if (row + k * step < rows)
                    target[(row + k * step) * to_pitch + column] = value[k];
        }
}
