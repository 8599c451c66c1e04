/* fatbin_build.h: fat binaries as nvcc makes them, for tests. */
#ifndef FATBIN_BUILD_H
#define FATBIN_BUILD_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PTX = 1, MACHINE_CODE = 2 };
enum { PLAIN = 0x11, LZ4 = 0x2011, ZSTD = 0x8011, SPECIFIC = 0x100011 };
enum { FATBIN_HEADER = 16, FATBIN_ENTRY = 80, FATBIN_ROOM = 1 << 16 };

struct built {
    unsigned char bytes[FATBIN_ROOM];
    size_t size;
};

static inline void put(unsigned char *at, uint64_t value, size_t bytes)
{
    memcpy(at, &value, bytes);
}

static inline void fatbin_begin(struct built *built)
{
    memset(built, 0, sizeof *built);
    put(built->bytes, 0xba55ed50, 4);
    put(built->bytes + 4, 1, 2);
    put(built->bytes + 6, FATBIN_HEADER, 2);
    built->size = FATBIN_HEADER;
}

static inline void *library_function(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_NOW);
    return handle ? dlsym(handle, name) : NULL;
}

/* Returns the bytes that were stored; 0: the library is missing. */
static inline size_t store(unsigned flags, const char *text, size_t bytes, unsigned char *to)
{
    size_t room = bytes + 1024;
    if ((flags & ZSTD) == ZSTD) {
        size_t (*run)(void *, size_t, const void *, size_t, int) =
            (size_t(*)(void *, size_t, const void *, size_t, int))library_function("libzstd.so.1",
                                                                                   "ZSTD_compress");
        return run ? run(to, room, text, bytes, 3) : 0;
    }
    if ((flags & LZ4) == LZ4) {
        int (*run)(const char *, char *, int, int) =
            (int (*)(const char *, char *, int, int))library_function("liblz4.so.1",
                                                                      "LZ4_compress_default");
        return run ? (size_t)run(text, (char *)to, (int)bytes, (int)room) : 0;
    }
    memcpy(to, text, bytes);
    return bytes;
}

/* Adds an entry; false: it cannot be compressed here. */
static inline bool fatbin_add(struct built *built, unsigned kind, unsigned architecture,
                              unsigned flags, const char *text)
{
    unsigned char *entry = built->bytes + built->size;
    size_t bytes = strlen(text), stored = store(flags, text, bytes, entry + FATBIN_ENTRY);
    size_t padded = (stored + 7) / 8 * 8;
    bool compressed = flags & 0xa000;
    put(entry, kind, 2);
    put(entry + 4, FATBIN_ENTRY, 4);
    put(entry + 8, padded, 8);
    put(entry + 16, compressed ? stored : 0, 4);
    put(entry + 28, architecture, 4);
    put(entry + 40, flags, 8);
    put(entry + 56, compressed ? bytes : 0, 8);
    built->size += FATBIN_ENTRY + padded;
    put(built->bytes + 8, built->size - FATBIN_HEADER, 8);
    return stored > 0;
}

#endif
