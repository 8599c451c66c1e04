/* block_map.h: which blocks of a sparse array exist, sorted so that empty rows and columns cost
 * nothing. */
#ifndef PREFETCH_SIP_BLOCK_MAP_H
#define PREFETCH_SIP_BLOCK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

enum { BLOCK_MAP_RANK_MAX = 8 };

struct block_map;

/* From the list of block numbers that exist (row-major within low..high, as sial_block_number
 * counts), in any order. Copies. DM_INVALID: a rank outside of 1 to BLOCK_MAP_RANK_MAX, a number
 * out of range, or an array with more blocks than an int64_t counts; DM_NO_MEMORY. Then *map is
 * NULL. */
enum dm_status block_map_create(struct block_map **map, int rank, const int *low, const int *high,
                                const int64_t *blocks, size_t count);
void block_map_destroy(struct block_map *map);
int block_map_rank(const struct block_map *map);
bool block_map_has(const struct block_map *map, const int *values);

/* What a question says of a dimension. */
enum block_role {
    BLOCK_GIVEN, /* has this value */
    BLOCK_ASKED, /* all dimensions asked for have one common value, which is wanted */
    BLOCK_FREE   /* has any value */
};

/* The smallest value from `from` on with which some block exists; `from` if nothing is asked for.
 * False: there is none. Takes a few binary searches if the free dimensions are the last ones; else
 * one for each existing value of a free dimension. */
bool block_map_smallest(const struct block_map *map, const enum block_role *roles,
                        const int *values, int from, int *smallest);

#endif
