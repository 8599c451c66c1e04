/* benchmark.h: the workloads as regions with data, ready to be executed and checked.
 *
 * benchmark_create makes host arrays of a kind of memory, fills the inputs with random numbers and
 * describes the loop; whoever executes the region calls benchmark_reset before and
 * benchmark_errors after. */
#ifndef COMMON_BENCHMARK_H
#define COMMON_BENCHMARK_H

#include <stdint.h>

#include "common/memory.h"
#include <datamotion/region.h>

#ifdef __cplusplus
extern "C" {
#endif

struct benchmark;

struct benchmark_dataset {
    const char *name;
    size_t size;
};

/* One workload. The table benchmark_kinds has them all. */
struct benchmark_kind {
    const char *name;    /* conv2d, conv3d, gemm, matmul, fdtd2d, atax, stencil, qcd, ... */
    const char *meaning; /* one sentence: what is computed, how it is split, and what `size` is */
    /* Named sizes, ended by {0}. All have tiny (tests) and small (software GPU); PolyBench's have
     * default and medium (after Cui, table 4.2, less the 0.30 GB of a CUDA context) and gib (1 GiB
     * of copies in both directions together). */
    const struct benchmark_dataset *datasets;
    /* Sets the region's shape, allocates nothing: arrays have host == NULL. Ends the program on a
     * size that is too small. */
    void (*describe)(struct benchmark *benchmark);
    /* Makes private data of the workload beside the arrays (may be NULL), and releases them. */
    void (*create)(struct benchmark *benchmark);
    void (*release)(struct benchmark *benchmark);
    /* Fills inputs, and outputs with what must not be found there: NaN where kernels write. */
    void (*reset)(struct benchmark *benchmark);
    /* Elements of the results that differ from the CPU reference. */
    long (*errors)(struct benchmark *benchmark);
};

struct benchmark {
    const struct benchmark_kind *kind;
    size_t size;
    uint64_t seed;
    enum memory_kind memory; /* of the host arrays */
    struct dm_region region;
    double flops;        /* of one round */
    double kernel_bytes; /* that must cross the device's memory bus in one round */
    bool host_updates;   /* see benchmark_update_between_rounds */
    void *own;           /* of the workload: region.context, cached reference */
};

extern const struct benchmark_kind *const benchmark_kinds[]; /* ended by NULL */

/* The kind of that name, or NULL. */
const struct benchmark_kind *benchmark_kind_of(const char *name);

/* The size that a data set's name or a number stands for; ends the program if it is neither. */
size_t benchmark_size(const struct benchmark_kind *kind, const char *dataset);

/* `rounds` is for iterated workloads (others: 1). Ends the program if there is no memory. */
struct benchmark *benchmark_create(const struct benchmark_kind *kind, size_t size, long rounds,
                                   enum memory_kind memory, uint64_t seed);
void benchmark_release(struct benchmark *benchmark);

/* From now on the host changes the data between rounds, as an exchange with other nodes would:
 * every BENCHMARK_UPDATE_STRIDE-th element of each input of the next round is halved (one per page
 * of 4 KiB, so that each page is touched and little time is computed). Source: Cui, 3.4.3. */
enum { BENCHMARK_UPDATE_STRIDE = 1024 };
void benchmark_update_between_rounds(struct benchmark *benchmark);

/* The update of one array, for references that repeat the rounds on the CPU. */
void benchmark_update(float *values, size_t count);

/* Before an execution that is to be checked, and before any that changes its own input. */
void benchmark_reset(struct benchmark *benchmark);

/* Elements that are wrong, NaN included; 0 if the results are the reference's within the tolerance
 * of single precision. The reference is computed on the CPU at the first call and kept. */
long benchmark_errors(struct benchmark *benchmark);

#ifdef __cplusplus
}
#endif
#endif
