/* ways.h: one array, the ways to bring it to the device, and patterns of access that tell
 * the ways apart. Source: Cui, 2.2 (zero-copy, managed memory, prefetching, hints). */
#ifndef UNIFIED_MEMORY_WAYS_H
#define UNIFIED_MEMORY_WAYS_H

#include <stddef.h>
#include <stdint.h>

#include <datamotion/unified_memory.h>

enum way {
    WAY_FIRST_TOUCH,    /* managed, no hint: pages migrate when they are touched */
    WAY_PREFETCH,       /* managed, prefetched to where it is needed next */
    WAY_READ_MOSTLY,    /* managed, advice SetReadMostly: duplicated on reads */
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

struct array {
    enum way way;
    size_t count; /* elements; at least a page */
    int device;
    uint32_t *host;   /* the program's array */
    uint32_t *kernel; /* the address that kernels use */
    uint32_t *sum;    /* on the device */
    cudaStream_t stream;
    unsigned long long copied_in, copied_out; /* bytes that this program copied */
};

/* Allocates and fills. Ends the program if there is no memory. */
void array_open(struct array *array, enum way way, size_t count, uint32_t seed);
void array_close(struct array *array);

/* The values that array_open gave. */
void array_fill(struct array *array, uint32_t seed);

/* Brings the array to the host, with the advice of its way: the state before a measurement. */
void array_place(struct array *array);

/* Bytes that the pattern needs of an array of so many elements, each time that it needs them. */
double pattern_bytes(enum pattern pattern, size_t count, int repeats);

/* From data on the host to results on the host. Returns the sum (0 for patterns without one). */
uint32_t pattern_run(struct array *array, enum pattern pattern, int repeats, uint32_t seed);

/* Fills and places the array and runs the pattern, twice, and counts what moves; accesses over the
 * link are not known. Returns the sum of the last run, after which results can be verified. */
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
