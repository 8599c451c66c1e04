/* image_hash.h: a number that tells modules apart, for data bases that belong to one. */
#ifndef IMAGE_HASH_H
#define IMAGE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a of 64 bits; starts from IMAGE_HASH_START, and goes on from a hash. It is for mistakes, not
 * for attacks. */
#define IMAGE_HASH_START 0xcbf29ce484222325u
uint64_t image_hash_bytes(uint64_t hash, const void *bytes, size_t count);

/* Of a module. A text (PTX) ends at its first 0, so that it is the same in a file and in memory. */
uint64_t image_hash(const void *image, size_t bytes);

#endif
