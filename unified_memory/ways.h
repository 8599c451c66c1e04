/* ways.h: one array, the ways to bring it to the device, and patterns of access that tell
 * the ways apart. Source: Cui, 2.2 (zero-copy, managed memory, prefetching, hints). */
#ifndef UNIFIED_MEMORY_WAYS_H
#define UNIFIED_MEMORY_WAYS_H

#include <stddef.h>
#include <stdint.h>

#include <datamotion/unified_memory.h>

enum way {
    WAY_FIRST_TOUCH,      /* managed, no hint: pages migrate when they are touched */
    WAY_PREFETCH,         /* managed, prefetched to where it is needed next */
    WAY_PREFETCH_BATCH,   /* the same, in pieces by one call (CUDA 13) */
    WAY_DISCARD_PREFETCH, /* before it is overwritten, prefetched without contents (CUDA 13) */
    WAY_DISCARD,          /* before it is overwritten, contents are discarded (CUDA 13) */
    WAY_READ_MOSTLY,      /* managed, advice SetReadMostly: duplicated on reads */
    WAY_ACCESSED_BY,    /* managed, advice SetAccessedBy the device: mapped, no faults from there */
    WAY_PREFERRED_HOST, /* managed, advice SetPreferredLocation host: mapped at the first fault */
    WAY_ZERO_COPY,      /* page-locked and mapped: kernels read and write host memory */
    WAY_EXPLICIT,       /* page-locked and copied */
    WAY_RECOPY,         /* as explicit, but copied in again before every kernel */
    WAYS
};

enum pattern {
    PATTERN_READ_ONCE,  /* a kernel adds all elements */
    PATTERN_READ_MANY,  /* `repeats` kernels do */
    PATTERN_WRITE_ONLY, /* a kernel writes all elements, the host reads one of each page */
    PATTERN_RANDOM,     /* a kernel adds elements at random places, one per page on average */
    PATTERN_PING_PONG,  /* `repeats` times: a kernel changes all elements, the host one per page */
    PATTERNS
};

/* A page is 4 KiB here. */
enum { PAGE_ELEMENTS = 1024 };

/* What the ways of one comparison share, so that there is one array of each kind of memory, however
 * many ways there are: the managed one, page-locked memory of zero-copy and copies, and device
 * memory of copies, which is held only from array_place of such a way to that of another. */
struct ways_memory {
    size_t count; /* elements of an array; at least a page */
    int device;
    cudaStream_t stream;
    uint32_t *managed, *pinned; /* NULL: no way has needed it so far */
    uint32_t *pinned_kernel;    /* the address of `pinned` for kernels */
    size_t pinned_count;        /* its elements, see PINNED_ELEMENTS_MAX */
    uint32_t *copy, *sum;       /* on the device; copy: NULL while no way has it */
    enum way advised;           /* whose advice `managed` has */
};

/* The values of an array repeat after so many elements (16 GiB): page-locked memory of longer ones
 * is copied several times. */
#define PINNED_ELEMENTS_MAX ((size_t)1 << 32)

struct array {
    enum way way;
    struct ways_memory *memory;
    size_t count;
    uint32_t *host;                           /* the program's array */
    uint32_t *kernel;                         /* the address that kernels use */
    unsigned long long copied_in, copied_out; /* bytes that this program copied */
};

void ways_memory_open(struct ways_memory *memory, size_t count);
void ways_memory_close(struct ways_memory *memory);

/* Whether the way makes sense with the pattern: discarding is for arrays that are overwritten. */
bool way_fits(enum way way, enum pattern pattern);

/* Allocates and fills what the way needs and nobody has allocated yet. DM_NO_MEMORY: the array is
 * more than managed_limit.h allows, more than the host has free, or more than the page-locked
 * memory of zero-copy can be; DM_UNAVAILABLE: CUDA is older than the way. */
enum dm_status array_open(struct array *array, enum way way, struct ways_memory *memory,
                          uint32_t seed);

/* The values that array_open gave, by a kernel. */
void array_fill(struct array *array, uint32_t seed);

/* Brings the array to the host, with the advice of its way and no other: the state before a
 * measurement. Nothing of the other ways is on the device then. */
void array_place(struct array *array);

/* Bytes that the pattern needs of an array of so many elements, each time that it needs them. */
double pattern_bytes(enum pattern pattern, size_t count, int repeats);

/* From data on the host to results on the host. Returns the sum (0 for patterns without one). */
uint32_t pattern_run(struct array *array, enum pattern pattern, int repeats, uint32_t seed);

/* Fills and places the array and runs the pattern, twice, and counts what moves; accesses over the
 * link are not known, nor what moves of arrays of more than 8 GiB. If fewer bytes were recorded
 * than must have moved, records were lost, and bytes are not known. Returns the sum of the last
 * run, after which results can be verified. */
uint32_t pattern_count(struct array *array, enum pattern pattern, int repeats, uint32_t seed,
                       struct unified_traffic *traffic);

/* After array_fill(seed) and one run that returned `sum`: elements and sums that are wrong.
 */
long pattern_wrong(const struct array *array, enum pattern pattern, int repeats, uint32_t seed,
                   uint32_t sum);

#ifdef __cplusplus
}
#endif
#endif
