/* memory.h: where coarrays lie.
 *
 * A segment is shared memory of the node (shared.h) and, where runtime.windows, what the conduit
 * needs to reach it: with MPI a window over all images, locked for all until it is freed. With
 * PATH_RMA on one node the memory is the window's own (MPI_Win_allocate_shared). Coarrays of up to
 * MEMORY_SMALL bytes lie at the same offset of every image's part in segments that many share,
 * because all images allocate in the same order; a larger one has a segment of its own. */
#ifndef COARRAYS_CAF_MEMORY_H
#define COARRAYS_CAF_MEMORY_H

#include <stddef.h>
#include <mpi.h>

#include "runtime.h"
#include "shared.h"

enum { MEMORY_SMALL = 64 * 1024, MEMORY_SEGMENT = 1024 * 1024 };

struct team;

struct segment {
    struct shared shared;
    MPI_Win window;      /* of the conduit mpi, else MPI_WIN_NULL; displacement unit 1 */
    size_t displacement; /* of every part in it */
    struct reach *reach; /* of the conduit ucx, else NULL */
    struct team *team;   /* whose images have parts */
    /* bookkeeping of the heap follows in memory.c's own struct */
};

struct caf_coarray {
    size_t bytes;
    enum caf_kind kind;
    struct segment *segment;
    size_t offset;   /* within every part of the segment */
    char **part;     /* part[place] + offset: of near images, as a table for speed: index place */
    void *owner;     /* caf_set_owner() */
    uint32_t number; /* coarray_number() */
};

/* Rank of an image in the windows of a segment. */
int segment_rank(const struct segment *segment, int image);

/* Byte `offset` of a near image's part. */
static inline char *near_address(const struct caf_coarray *coarray, int image, size_t offset)
{
    return coarray->part[runtime.place_of[image]] + offset;
}

/* caf_allocate, and with SHARED_ALIKE what it holds is at the same address for all images of the
 * node, unless MPI brings the memory (CAF_PATH=rma within one node). */
enum dm_status coarray_allocate(struct caf_coarray **coarray, size_t bytes, enum caf_kind kind,
                                enum shared_addresses addresses, void **memory);

/* Finds a coarray again from a number that is the same on all images: for messages. */
uint32_t coarray_number(const struct caf_coarray *coarray);
struct caf_coarray *coarray_of_number(uint32_t number);

/* Completes this image's RMA puts of all windows at their targets (flush); cheap if there are
 * none since the last call. Transfers name the window and the image before each MPI_Put. */
enum dm_status memory_flush(void);
enum dm_status memory_put_started(struct segment *segment, int image);

void memory_start(void);         /* collective */
enum dm_status memory_end(void); /* collective: frees what is left */

#endif
