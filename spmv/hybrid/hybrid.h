/* hybrid.h: what a matrix on CPU and GPU consists of. */
#ifndef SPMV_HYBRID_HYBRID_H
#define SPMV_HYBRID_HYBRID_H

#include <datamotion/spmv.h>

#include "link.h"
#include "part.h"

/* The vectors are swapped: what is x in one product is y in the next. */
struct spmv_hybrid {
    enum spmv_precision precision;
    struct hybrid_part cpu_part, gpu_part;
    struct spmv_matrix cpu, gpu;
    void *host[2], *device[2];
    int turn; /* of x */
    struct hybrid_link to_device, from_device;
    cudaStream_t stream;             /* of the products */
    cudaEvent_t done[2];             /* the product that had this one as x */
    cudaEvent_t begin, end;          /* of a product that is timed */
    double cpu_s, gpu_s, exchange_s; /* of the last run, per product */
};

/* The own elements of a vector of the part. */
static inline void *hybrid_own(const struct spmv_hybrid *hybrid, void *vector,
                               const struct hybrid_part *part)
{
    return (char *)vector + (size_t)part->own_first * spmv_value_bytes(hybrid->precision);
}

#endif
