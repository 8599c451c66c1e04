/* blp.h: block-level pipelining: a loop executed by one cooperative kernel that also copies.
 *
 * The blocks of one persistent kernel are split into three groups: the first copy input from
 * page-locked host memory to the device, the next copy results back, the others compute. They tell
 * one another by flags in device memory; the host only launches and waits. Source: Cui,
 * Directive-based data partitioning and pipelining and auto-tuning for high-performance GPU
 * computing (Virginia Tech, 2020), 4.1 to 4.3.
 *
 *   host memory -- copy-in blocks --> slots -- compute blocks --> slots -- copy-out blocks --> host
 *                      |  arrived[]            ^  |  finished[]              ^
 *                      '-- flags --------------'  '-- flags -----------------'
 *
 * Hybrid: the copies of either direction may be left to the GPU's copy engines instead, which raise
 * flags that blocks wait for, and start when blocks have raised theirs.
 *
 * The loop is a region (datamotion/region.h). What it computes is a device function in a .cu file,
 * of which BLP_KERNEL (datamotion/blp_device.h) makes a struct blp_kernel. Link with
 * -ldatamotion-blp (pkg-config datamotion-blp). Errors are reported as datamotion/status.h says. */
#ifndef DATAMOTION_BLP_H
#define DATAMOTION_BLP_H

#include <stdbool.h>
#include <stddef.h>

#include <cuda_runtime.h>

#include <datamotion/region.h>
#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- kernels ---- */

/* What a device function computes at once, by all threads of a block of one dimension: a part of a
 * stage of some iterations. Stages are the dependent steps of an iteration: a later one may read
 * what earlier ones of the same iterations have written and, within the windows of scratch arrays,
 * those of earlier iterations. Parts share the work of a stage among blocks. */
struct blp_unit {
    const struct dm_slices *views; /* of the region's arrays, with the windows of the iterations */
    long begin, end;               /* iterations */
    bool first;                    /* of the loop */
    int stage, part, parts;
    void *partial; /* of kernels that sum: the block's own partial sum, all zeros at first */
};

/* Threads of a block, blocks of a multiprocessor, and that one block of `in_share` copies in, one
 * of `out_share` copies out. 0: 1024 (or what the kernel allows), 1, 11 and 33, which suit loops
 * that the link bounds; one bound by arithmetic needs more blocks to hide its latencies, and fewer
 * of them to copy. The software GPU has shapes of its own. */
struct blp_shape {
    int threads, blocks_per_multiprocessor;
    int in_share, out_share;
    int task_iterations; /* that a task should have where there are enough of them; 0: by bytes */
};

enum {
    BLP_THREADS_MAX = 1024, /* of a block */
    BLP_PARTS_MAX = 256     /* of a stage */
};

struct blp_work; /* datamotion/blp_work.h */

/* A persistent kernel: made by BLP_KERNEL or BLP_SUM_KERNEL, not by hand. */
struct blp_kernel {
    size_t work_bytes; /* of struct blp_work when it was compiled */
    size_t sum_bytes;  /* of an element that sums over all iterations; 0: nothing does */
    int threads_max;   /* that it was compiled for */
    int stages;
    /* Parts in which each stage is computed, 1 to BLP_PARTS_MAX; `context` is the region's. NULL:
     * 1. */
    int (*parts)(const void *context);
    struct blp_shape usual;
    /* How many blocks of that many threads fit on a multiprocessor. */
    cudaError_t (*resident)(int threads, int *blocks);
    cudaError_t (*start)(const struct blp_work *work, const void *context, cudaStream_t stream);
};

/* ---- traces: what each block did, by the device's clock ---- */

enum blp_role { BLP_COPY_IN, BLP_COMPUTE, BLP_COPY_OUT };

struct blp_trace_entry {
    int block;
    enum blp_role role;
    long task; /* of computing: number of the task; of copies: number of the group of slices. As
                  many tasks as there are: adding up partial sums */
    int array; /* of copies; -1 for computing */
    long first, end;       /* iterations of a task; slices of a copy */
    double ready_s;        /* end of its wait for flags */
    double start_s, end_s; /* start: begin of that wait. All from the kernel's first entry on */
};

/* One entry per piece that was copied and per unit that was computed, ordered by block, then time.
 * Several copy blocks may share a group of slices: its entries have the same `first` and `end`.
 * {0} at first. */
struct blp_trace {
    struct blp_trace_entry *entries;
    long count, capacity;
};

/* Releases the entries. Takes NULL. */
DM_API void blp_trace_release(struct blp_trace *trace);

/* ---- plans ---- */

/* How a flag is raised, and how it is waited for (Cui, table 4.1). */
enum blp_write { BLP_WRITE_ADD, BLP_WRITE_OR, BLP_WRITE_EXCHANGE, BLP_WRITE_INC, BLP_WRITES };
enum blp_read { BLP_READ_VOLATILE, BLP_READ_AND, BLP_READ_CAS, BLP_READS };

enum blp_layout {
    BLP_PER_ARRAY,  /* a copy block moves slices of one array */
    BLP_INTERLEAVED /* a copy block moves the same elements of all arrays, one after the other */
};

/* Numbers of copy blocks of so many threads, as blp_measure_groups found them. */
struct blp_groups {
    int threads; /* 0: not measured */
    int in, out;
};

/* Who copies in a direction. */
enum blp_mover {
    BLP_CHOSEN, /* by measured rates where the options have some, else blocks */
    BLP_BLOCKS, /* thread blocks of the persistent kernel */
    BLP_ENGINE, /* copy engines, which the host keeps busy during the run */
    BLP_MOVERS
};

/* What copying costs, as blp_measure_rates found it, by who copies in and who copies out:
 * [0] blocks, [1] an engine. Rates in bytes per second, times in seconds. */
struct blp_rates {
    bool measured;
    double in[2], out[2]; /* of one direction, the other one idle */
    double both[2][2];    /* of both together, as many bytes in as out */
    double start_s[2][2]; /* of a run with hardly anything to copy */
    double call_s;        /* of an engine, per copy, beside its bytes */
    double row_s;         /* of an engine, per row of narrow columns: the least that one takes */
};

/* How fast a kernel computes a loop, as blp_measure_compute found it, by two numbers of computing
 * blocks: the seconds in which each of so many computes a unit. */
struct blp_compute {
    int blocks[2]; /* [0] all, 0: not measured; [1] less those that copy by default */
    double unit_s[2];
    double row_s; /* of an engine, per row of the columns of one task, while blocks compute, which
                     slows it down; 0: no columns are copied in */
};

/* Zeros leave every choice to the library. */
struct blp_options {
    int blocks;          /* of the kernel; 0: as many as its usual shape says */
    int copy_in_blocks;  /* 0: by `measured`, else by the usual shape. A dynamic execution has no
                            groups */
    int copy_out_blocks; /* 0: the same. Fewer than copy in: stores to host memory need no reply,
                            and the more there are the longer loads take */
    int threads;         /* per block, a multiple of 32; 0: the usual shape's */
    int vector_bits;     /* 32 or 128; 0: 128 where addresses, slices and pitches allow */
    struct blp_groups measured;
    enum blp_mover in, out;     /* who copies to the device, who to the host. Engines need no copy
                                   blocks; a dynamic execution has none */
    struct blp_rates rates;     /* of blp_measure_rates, for BLP_CHOSEN */
    struct blp_compute compute; /* of blp_measure_compute, for the same */
    size_t engine_bytes; /* that engines copy at once, in whole tasks; 0: what the rates predict
                            to be fastest, without rates 4 MiB, or less where there would be
                            fewer than 32 such copies */
    enum blp_layout layout;
    enum blp_write in_write;  /* copy-in blocks, when a slice has arrived */
    enum blp_read in_read;    /* compute blocks, waiting for it */
    enum blp_write out_write; /* compute blocks, when a slice is finished */
    enum blp_read out_read;   /* copy-out blocks, waiting for it */
    long task_size; /* iterations per task; 0: so that a task's slices are about 256 KiB, or fewer
                       where there would be fewer tasks than blocks */
    size_t budget_bytes; /* 0: whole arrays on the device; else ring buffers within it, slots reused
                            when their use count is down to 0 (Cui, 4.3.6) */
    bool dynamic; /* blocks take tasks from a queue by atomics, copies as well (Cui, 4.3.7) */
    struct blp_trace *trace; /* filled by blp_run, of the last round; NULL: none */
};

struct blp_report {
    int blocks, copy_in_blocks, copy_out_blocks, threads, vector_bits;
    long tasks, task_size;
    enum blp_mover in, out; /* BLP_BLOCKS or BLP_ENGINE */
    long engine_tasks;      /* that engines copy at once; 0: they copy nothing */
    double predicted_s;     /* of a round, by the rates of the options; 0: they have none */
    size_t device_bytes;    /* arrays or rings, and flags */
    int launches;           /* kernels launched by a run: 1 per round */
    int copies;             /* copy calls of the host in a run; 0 unless engines copy */
    double time_s;          /* from the call to the results in host memory */
    double host_cpu_s;      /* CPU time of the calling thread during that */
};

struct blp_plan;

/* Prepares to execute a region on the current device with the kernel, which gets the region's
 * context. The region's launch function is not used and may be NULL. Region, context, kernel and
 * trace must outlive the plan; options NULL: zeros. On an error *plan is NULL.
 * DM_INVALID: a region that dm_region_check refuses; options out of range; no kernel, one with
 * stages or parts out of range, or compiled with headers of another version; host memory that is
 * not page-locked from end to end, or of which an address, a slice or a pitch is no multiple of 4
 * bytes (of 16 if vector_bits is 128); more blocks than can be resident at once (says how many
 * can); no block left to compute; copy blocks of a direction, or a dynamic execution, beside
 * BLP_ENGINE; a kernel that sums without one whole array for its sums; more
 * tasks than can be counted. DM_NO_MEMORY: a budget that does not hold one window (says how much is
 * needed); no device or host memory. DM_FAILED, DM_LOST: CUDA. */
DM_API enum dm_status blp_open(struct blp_plan **plan, const struct dm_region *region,
                               const struct blp_kernel *kernel, const struct blp_options *options);

/* Executes all rounds, and returns when the results are in host memory. report may be NULL.
 * Copy engines keep the calling thread busy: it enqueues their copies as the kernel gets on.
 * DM_FAILED, DM_LOST: CUDA's error, also of a kernel that has waited for 60 s and stopped itself;
 * DM_NO_MEMORY: none for the trace. After an error the plan can only be closed. */
DM_API enum dm_status blp_run(struct blp_plan *plan, struct blp_report *report);

DM_API void blp_close(struct blp_plan *plan);

/* The pair of numbers of copy blocks with the smallest sum that reaches 95 % of the peak of direct
 * access, measured on the current device with both directions busy and as many bytes in as out: for
 * `measured` of the options, also where blocks have other numbers of threads. `threads` 0: 1024 (on
 * the software GPU 64). Source: Cui, 4.3.4. DM_INVALID: threads are no multiple of 32 up to 1024;
 * DM_NO_MEMORY; DM_FAILED, DM_LOST: CUDA. */
DM_API enum dm_status blp_measure_groups(int threads, struct blp_groups *groups);

/* What copying costs on the current device in each of the four ways, for `rates` of the options:
 * measured by runs of a kernel that copies, with the default numbers of copy blocks or, unless
 * NULL, those of `groups`. Takes about half a second on an H200 and 128 MiB of memory on either
 * side. DM_NO_MEMORY; DM_FAILED, DM_LOST: CUDA. */
DM_API enum dm_status blp_measure_rates(const struct blp_groups *groups, struct blp_rates *rates);

/* How fast the kernel computes the region's loop, for `compute` of the options: its first tasks, a
 * quarter of the loop at most, are copied in and computed, twice with all blocks and twice with
 * those that `options` leaves beside copy blocks. Beside that, columns of a task are copied in as
 * engines do. Nothing is copied out, and host memory is not
 * written. Zeros where not one task fits into the options' budget. Errors are those of blp_open. */
DM_API enum dm_status blp_measure_compute(const struct dm_region *region,
                                          const struct blp_kernel *kernel,
                                          const struct blp_options *options,
                                          struct blp_compute *compute);

#ifdef __cplusplus
}
#endif
#endif
