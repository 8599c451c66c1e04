/* combine_pieces.h: what the kernel of pull.cu that combines does. */
#ifndef COMBINE_PIECES_H
#define COMBINE_PIECES_H

/* In the order of enum partition_reduction. */
enum combine_kind {
    COMBINE_NOTHING,
    COMBINE_ADD_32,
    COMBINE_ADD_64,
    COMBINE_AND,
    COMBINE_OR,
    COMBINE_XOR,
    COMBINE_MIN_S32,
    COMBINE_MIN_U32,
    COMBINE_MIN_S64,
    COMBINE_MIN_U64,
    COMBINE_MAX_S32,
    COMBINE_MAX_U32,
    COMBINE_MAX_S64,
    COMBINE_MAX_U64,
    COMBINE_ADD_F32,
    COMBINE_ADD_F64
};

/* to[i] = to[i] combined with from[i], for elements 0 ... count - 1 of the kind's size. */
struct combine_pieces {
    unsigned long long to, from, count;
    unsigned kind;
};

#endif
