/* allocator.h: what the programs compare, behind two functions, and the replay of requests. */
#ifndef PINNING_ALLOCATOR_H
#define PINNING_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/pinning.h>

#include "trace.h"

/* One request: `bytes` for the slot, or, with bytes 0, the release of what the slot holds. */
struct step {
    uint64_t bytes;
    uint32_t slot;
};

struct steps {
    struct step *all;
    size_t count;
    size_t requests; /* allocations among them */
    uint32_t slots;
};

struct allocator {
    void *state;
    void *(*allocate)(void *state, size_t bytes); /* ends the program if there is no memory */
    void (*release)(void *state, void *pointer);
};

/* malloc and free. */
extern const struct allocator allocator_malloc;
/* cudaMallocHost and cudaFreeHost for every block. */
extern const struct allocator allocator_uncached;
struct allocator allocator_of_cache(struct pinning_cache *cache);

/* A memory pool of CUDA whose memory is the host's (cudaMallocFromPoolAsync, CUDA 12.6 and later).
 * DM_UNAVAILABLE or DM_FAILED: there is none here. */
enum dm_status allocator_pool_open(struct allocator *allocator);
void allocator_pool_close(struct allocator *allocator);

/* Does all steps and returns the time in s. After each allocation one byte of the block is
 * written, as its user would. Slots that still hold a block at the end are released, not timed. */
double allocator_replay(const struct allocator *allocator, const struct steps *steps);

/* The allocations and releases of a trace, with all sizes multiplied; ends the program if there is
 * no memory. */
struct steps steps_of_trace(const struct trace *trace, unsigned size_factor);
void steps_free(struct steps *steps);

/* ---- malloc of another library, in a child process of the same program ---- */

struct malloc_peer;

/* The path of the library: `given` if not NULL (fails if it is not there), else the first folder
 * of LD_LIBRARY_PATH and of the usual ones that holds `file`; NULL if none does. */
const char *malloc_peer_find(const char *given, const char *file);

/* Starts this program again with LD_PRELOAD=library; it serves replays. Ends the program if it
 * does not reply, or if its malloc is not that of the library. */
struct malloc_peer *malloc_peer_start(const char *library);
void malloc_peer_load(struct malloc_peer *peer, const struct steps *steps);
double malloc_peer_replay(struct malloc_peer *peer);
void malloc_peer_stop(struct malloc_peer *peer);

/* The program's `start`: in the child it serves until the parent closes the pipe, and ends the
 * process. */
void malloc_peer_serve(int argc, char **argv);

#endif
