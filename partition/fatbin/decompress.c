/* decompress.c: libzstd and liblz4 are loaded when a program needs them: most programs that run
 * under the run time have nothing compressed, and it must not bring them libraries that they did
 * not ask for. */
#include "decompress.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>

#include "common/error.h"

static void *function_of(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    return handle ? dlsym(handle, name) : NULL;
}

/* Returns the number of bytes, or an error as a very large one. */
typedef size_t zstd_function(void *to, size_t room, const void *from, size_t bytes);
/* Returns the number of bytes; negative: an error. */
typedef int lz4_function(const char *from, char *to, int bytes, int room);

static enum dm_status check(bool good, size_t bytes)
{
    return good ? DM_OK
                : dm_fail(DM_INVALID,
                          "a compressed block does not hold the %zu bytes that it names", bytes);
}

static enum dm_status zstd(const void *from, size_t from_bytes, void *to, size_t bytes)
{
    zstd_function *run = (zstd_function *)function_of("libzstd.so.1", "ZSTD_decompress");
    if (!run)
        return dm_fail(DM_UNAVAILABLE,
                       "it is compressed by zstd, and there is no libzstd.so.1 here "
                       "(Debian: libzstd1)");
    return check(run(to, bytes, from, from_bytes) == bytes, bytes);
}

static enum dm_status lz4(const void *from, size_t from_bytes, void *to, size_t bytes)
{
    lz4_function *run = (lz4_function *)function_of("liblz4.so.1", "LZ4_decompress_safe");
    if (!run)
        return dm_fail(DM_UNAVAILABLE, "it is compressed by LZ4, and there is no liblz4.so.1 here "
                                       "(Debian: liblz4-1)");
    bool fits = from_bytes <= INT_MAX && bytes <= INT_MAX;
    return check(fits && run(from, to, (int)from_bytes, (int)bytes) == (int)bytes, bytes);
}

enum dm_status decompress(enum compression scheme, const void *from, size_t from_bytes, void *to,
                          size_t bytes)
{
    return scheme == COMPRESSION_ZSTD ? zstd(from, from_bytes, to, bytes)
                                      : lz4(from, from_bytes, to, bytes);
}
