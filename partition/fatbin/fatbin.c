/* fatbin.c: finds and unpacks the PTX of a fat binary. */
#include "fatbin.h"

#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "decompress.h"

static const uint32_t wrapper_magic = 0x466243b1, binary_magic = 0xba55ed50;

/* Of the header of a fat binary and of an entry: where the fields are that are read, and the fewest
 * bytes that hold them. */
enum { BINARY_VERSION = 4, BINARY_HEADER = 6, BINARY_SIZE = 8, BINARY_MIN = 16 };
enum {
    ENTRY_KIND = 0,
    ENTRY_HEADER = 4,
    ENTRY_SIZE = 8,
    ENTRY_COMPRESSED = 16,
    ENTRY_ARCHITECTURE = 28,
    ENTRY_FLAGS = 40,
    ENTRY_UNCOMPRESSED = 56,
    ENTRY_MIN = 64
};
enum { KIND_PTX = 1, KIND_ELF = 2 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000, FLAG_SPECIFIC = 0x100000 };

/* No kernel file has more; a broken length must not take all memory. */
enum { TEXT_MAX = 256 << 20 };

struct wrapper {
    uint32_t magic, version;
    const void *binary;
};

struct entry {
    unsigned kind, architecture;
    bool specific; /* for that architecture alone (sm_90a) */
    uint64_t flags;
    const unsigned char *data;
    size_t bytes;        /* as stored, with padding */
    size_t compressed;   /* of them; 0: not compressed */
    size_t uncompressed; /* then: what they become */
};

static uint16_t read_16(const unsigned char *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint32_t read_32(const unsigned char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t read_64(const unsigned char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

bool fatbin_is_image(const void *image)
{
    uint32_t magic = read_32(image);
    return magic == wrapper_magic || magic == binary_magic;
}

size_t fatbin_size(const void *binary, size_t bytes)
{
    const unsigned char *at = binary;
    if (bytes < BINARY_MIN || read_32(at) != binary_magic || read_16(at + BINARY_VERSION) != 1)
        return 0;
    size_t header = read_16(at + BINARY_HEADER);
    uint64_t size = read_64(at + BINARY_SIZE);
    if (header < BINARY_MIN || header > bytes || size > bytes - header)
        return 0;
    return header + (size_t)size;
}

enum dm_status fatbin_of_image(const void *image, const void **binary, size_t *bytes)
{
    *binary = image;
    if (read_32(image) == wrapper_magic) {
        struct wrapper wrapper;
        memcpy(&wrapper, image, sizeof wrapper);
        if (wrapper.version < 1 || wrapper.version > 2 || !wrapper.binary)
            return dm_fail(DM_INVALID, "the wrapper of its fat binary has the unknown version %u",
                           wrapper.version);
        *binary = wrapper.binary;
    }
    *bytes = fatbin_size(*binary, PTRDIFF_MAX);
    return *bytes ? DM_OK : dm_fail(DM_INVALID, "its fat binary is of an unknown kind");
}

static enum dm_status malformed(size_t at)
{
    return dm_fail(DM_INVALID, "its fat binary is malformed: the entry at byte %zu does not fit in",
                   at);
}

/* The entry at `*at`, which goes behind it. */
static enum dm_status read_entry(const unsigned char *binary, size_t bytes, size_t *at,
                                 struct entry *entry)
{
    size_t rest = bytes - *at;
    const unsigned char *header = binary + *at;
    if (rest < ENTRY_MIN)
        return malformed(*at);
    uint64_t header_bytes = read_32(header + ENTRY_HEADER), size = read_64(header + ENTRY_SIZE);
    if (header_bytes < ENTRY_MIN || header_bytes > rest || size > rest - header_bytes)
        return malformed(*at);
    *entry = (struct entry){
        .kind = read_16(header + ENTRY_KIND),
        .architecture = read_32(header + ENTRY_ARCHITECTURE),
        .flags = read_64(header + ENTRY_FLAGS),
        .data = header + header_bytes,
        .bytes = (size_t)size,
        .compressed = read_32(header + ENTRY_COMPRESSED),
        .uncompressed = read_64(header + ENTRY_UNCOMPRESSED),
    };
    entry->specific = entry->flags & FLAG_SPECIFIC;
    bool is_compressed = entry->flags & (FLAG_LZ4 | FLAG_ZSTD);
    if (!is_compressed)
        entry->compressed = 0;
    else if (!entry->compressed || entry->compressed > entry->bytes)
        return malformed(*at);
    *at += (size_t)(header_bytes + size);
    return DM_OK;
}

/* PTX holds for its architecture and later ones. */
static bool suits(const struct entry *entry, unsigned capability)
{
    if (entry->kind != KIND_PTX || !capability)
        return entry->kind == KIND_PTX;
    return entry->specific ? entry->architecture == capability : entry->architecture <= capability;
}

static bool is_better(const struct entry *entry, const struct entry *best)
{
    if (best->kind != KIND_PTX || entry->architecture != best->architecture)
        return entry->architecture > best->architecture || best->kind != KIND_PTX;
    return entry->specific;
}

/* What there was besides PTX that suits, for a sentence. */
struct seen {
    unsigned machine, text; /* the highest architecture of machine code and of PTX; 0: none */
};

static enum dm_status nothing_suits(const struct seen *seen, unsigned capability)
{
    if (seen->text)
        return dm_fail(DM_UNAVAILABLE,
                       "it has PTX for sm_%u alone and this GPU is an sm_%u: build it with "
                       "nvcc -arch=sm_%u",
                       seen->text, capability, capability);
    if (seen->machine)
        return dm_fail(DM_UNAVAILABLE,
                       "its file has machine code (sm_%u) and no PTX: nvcc -arch=sm_%u embeds PTX, "
                       "-arch=native and code=sm_%u alone do not",
                       seen->machine, capability ? capability : seen->machine, seen->machine);
    return dm_fail(DM_UNAVAILABLE, "its fat binary holds no code");
}

static enum dm_status choose(const unsigned char *binary, size_t bytes, unsigned capability,
                             struct entry *best)
{
    struct seen seen = {0};
    *best = (struct entry){0};
    for (size_t at = read_16(binary + BINARY_HEADER); at < bytes;) {
        struct entry entry;
        TRY(read_entry(binary, bytes, &at, &entry));
        unsigned *highest = entry.kind == KIND_PTX   ? &seen.text
                            : entry.kind == KIND_ELF ? &seen.machine
                                                     : NULL;
        if (highest && entry.architecture > *highest)
            *highest = entry.architecture;
        if (suits(&entry, capability) && is_better(&entry, best))
            *best = entry;
    }
    return best->kind == KIND_PTX ? DM_OK : nothing_suits(&seen, capability);
}

static enum dm_status unpack(const struct entry *entry, char *text, size_t bytes)
{
    if (entry->compressed)
        return decompress(entry->flags & FLAG_ZSTD ? COMPRESSION_ZSTD : COMPRESSION_LZ4,
                          entry->data, entry->compressed, text, bytes);
    memcpy(text, entry->data, bytes);
    return DM_OK;
}

enum dm_status fatbin_ptx(const void *binary, size_t bytes, unsigned capability, char **ptx,
                          unsigned *architecture)
{
    struct entry best;
    size_t size = fatbin_size(binary, bytes);
    *ptx = NULL;
    if (!size)
        return dm_fail(DM_INVALID, "its fat binary is of an unknown kind");
    TRY(choose(binary, size, capability, &best));
    size_t text_bytes = best.compressed ? best.uncompressed : best.bytes;
    if (text_bytes > TEXT_MAX)
        return dm_fail(DM_INVALID, "its fat binary names %zu bytes of PTX, more than %d",
                       text_bytes, TEXT_MAX);
    char *text = malloc(text_bytes + 1);
    if (!text)
        return error_no_memory(text_bytes + 1);
    enum dm_status status = unpack(&best, text, text_bytes);
    if (status != DM_OK) {
        free(text);
        return status;
    }
    text[text_bytes] = 0;
    *ptx = text;
    *architecture = best.architecture;
    return DM_OK;
}
