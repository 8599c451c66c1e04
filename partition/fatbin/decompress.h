/* decompress.h: blocks as nvcc compresses them, by the libraries that this machine has. */
#ifndef DECOMPRESS_H
#define DECOMPRESS_H

#include <stddef.h>

#include <datamotion/status.h>

enum compression {
    COMPRESSION_ZSTD, /* nvcc's default */
    COMPRESSION_LZ4   /* nvcc before 12.4, and --compress-mode=speed */
};

/* Fills `to` with exactly `bytes` bytes. DM_UNAVAILABLE: the library is missing; DM_INVALID: that
 * is not what the block holds. */
enum dm_status decompress(enum compression scheme, const void *from, size_t from_bytes, void *to,
                          size_t bytes);

#endif
