/* sparse_convert.h: from CSR on the device to another format there, without the host.
 *
 *     host    COO --create--> csr --to_device--.
 *     device                                  csr --convert_device--> coo | csc | ell | elg |
 *                                                                     hll | hyb
 *
 * A matrix that is assembled or already used on a GPU need not go back to be rearranged: over the
 * bus that takes hundreds of products, here it takes a few. */
#ifndef SPMV_SPARSE_CONVERT_H
#define SPMV_SPARSE_CONVERT_H

#include "sparse_format.h"

/* Makes `to` the matrix of `from`, a CSR that lies on the current device, in another format, with
 * from's options. Its arrays are, bit for bit, those that sparse_matrix_create and
 * sparse_matrix_to_device give; it has no host side, so it can be multiplied on the device and
 * released, and that is all. The work is done on the stream and complete on return; the host waits
 * for it twice at most. False: `to` is empty; `from` is no CSR on the device, the format would not
 * fit (see sparse_matrix_create), or there is no memory. */
bool sparse_matrix_convert_device(struct sparse_matrix *to, enum sparse_format format,
                                  const struct sparse_matrix *from, cudaStream_t stream,
                                  struct sparse_error *error);

#endif
