/* kernel_alone.h: one kernel on one device, without partitioning: launched, timed and checked.
 * Every error ends the program. */
#ifndef KERNEL_ALONE_H
#define KERNEL_ALONE_H

#include <stdint.h>

#include "partition/experiments/apps/application_device.h"

#include "kernel_kinds.h"

struct kernel_alone {
    const struct kernel_kind *kind;
    struct application_run device;
    CUfunction function;
    unsigned block[3]; /* that of the kind; may be changed */
    struct kernel_input input;
    size_t elements; /* of each array */
    CUdeviceptr arrays[KERNEL_ARRAYS];
};

/* What a launch did to the arrays. */
struct kernel_check {
    int64_t outputs; /* elements that it changed; a vector is one element */
    long errors;     /* elements changed that should not be or the other way round, and elements of
                        a random choice that are not what the CPU computes */
};

/* Loads the kernel's module from a directory (NULL: that beside the program's) for device `device`.
 */
void kernel_alone_open(struct kernel_alone *alone, const struct kernel_kind *kind, int device,
                       const char *modules);

/* Makes the arrays, of `elements` elements each, with random contents, on host and device. */
void kernel_alone_fill(struct kernel_alone *alone, int n, size_t elements, uint64_t seed);

/* Seconds of a launch of so many threads along each dimension, waited for, by the host's clock:
 * what a program pays that waits after each launch. */
double kernel_alone_time(struct kernel_alone *alone, size_t threads);

/* Launches on the arrays' first contents and compares. */
struct kernel_check kernel_alone_check(struct kernel_alone *alone, size_t threads, uint64_t seed);

void kernel_alone_close(struct kernel_alone *alone);

#endif
