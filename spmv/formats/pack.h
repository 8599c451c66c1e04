/* pack.h: the elements of a vector at the places of an index list, into a buffer without gaps
 * and back. Pointers are what the device may use: memory of its own, or mapped memory of the host.
 */
#ifndef SPMV_FORMATS_PACK_H
#define SPMV_FORMATS_PACK_H

#include <datamotion/spmv.h>

#ifdef __cplusplus
extern "C" {
#endif

/* buffer[i] = x[index[i]] for 0 <= i < count, which may be 0. Asynchronous. */
enum dm_status spmv_pack_launch(enum spmv_precision precision, int64_t count, const int32_t *index,
                                const void *x, void *buffer, cudaStream_t stream);

/* x[index[i]] = buffer[i]; no place may stand twice in the list. */
enum dm_status spmv_unpack_launch(enum spmv_precision precision, int64_t count,
                                  const int32_t *index, const void *buffer, void *x,
                                  cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
