/* image_hash.c: a number that tells modules apart. */
#include "image_hash.h"

#include <stdbool.h>
#include <string.h>

uint64_t image_hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

uint64_t image_hash(const void *image, size_t bytes)
{
    static const char elf[4] = {'\177', 'E', 'L', 'F'};
    bool is_text = bytes < sizeof elf || memcmp(image, elf, sizeof elf) != 0;
    const char *end = is_text && bytes ? memchr(image, 0, bytes) : NULL;
    size_t count = end ? (size_t)(end - (const char *)image) : bytes;
    return image_hash_bytes(IMAGE_HASH_START, image, count);
}
