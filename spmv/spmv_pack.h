/* spmv_pack.h: the elements of a vector at the places of an index list, into a buffer without gaps
 * and back. Pointers are what the device may use: memory of its own, or mapped memory of the host.
 */
#ifndef SPMV_SPMV_PACK_H
#define SPMV_SPMV_PACK_H

#include "sparse_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* buffer[i] = x[index[i]] for 0 <= i < count, which may be 0. Asynchronous. Ends the program if the
 * kernel cannot be launched. */
void spmv_pack_launch(enum sparse_precision precision, int64_t count, const int32_t *index,
                      const void *x, void *buffer, cudaStream_t stream);

/* x[index[i]] = buffer[i]; no place may stand twice in the list. */
void spmv_unpack_launch(enum sparse_precision precision, int64_t count, const int32_t *index,
                        const void *buffer, void *x, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
