/* blp.h: block-level pipelining: a region executed by one cooperative kernel that also copies.
 *
 * The blocks of one persistent kernel are split into three groups: the first copy input from
 * page-locked host memory to the device, the last copy results back, the others compute. They tell
 * one another by flags in device memory; the host only launches and waits. Source: Cui, 4.1 to 4.3.
 *
 *   host memory -- copy-in blocks --> slots -- compute blocks --> slots -- copy-out blocks --> host
 *                      |  arrived[]            ^  |  finished[]              ^
 *                      '-- flags --------------'  '-- flags -----------------'  */
#ifndef BLP_H
#define BLP_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/region.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a flag is raised, and how it is waited for (Cui, table 4.1). */
enum blp_write { BLP_WRITE_ADD, BLP_WRITE_OR, BLP_WRITE_EXCHANGE, BLP_WRITE_INC, BLP_WRITES };
enum blp_read { BLP_READ_AND, BLP_READ_CAS, BLP_READ_VOLATILE, BLP_READS };
extern const char *const blp_write_names[BLP_WRITES]; /* "add", "or", "exchange", "inc" */
extern const char *const blp_read_names[BLP_READS];   /* "and", "cas", "volatile" */

enum blp_layout {
    BLP_PER_ARRAY,  /* a copy block moves slices of one array */
    BLP_INTERLEAVED /* a copy block moves the same elements of all arrays, one after the other */
};

struct blp_trace; /* blp_trace.h */

struct blp_options {
    int blocks;          /* of the kernel; 0: one per multiprocessor (on a GPU gemm: eight) */
    int copy_in_blocks;  /* 0: blp_measure_groups' result or 1/11 of the blocks (gemm: 1/33), at
                            least one. A dynamic execution has no groups */
    int copy_out_blocks; /* 0: the same, or 1/33 (gemm: 1/132): stores to host memory need no
                            answer, and the more there are the longer loads take */
    int threads;         /* per block; 0: the default of this kind of GPU */
    int vector_bits;     /* 32 or 128; 0: 128 where pointers and slices allow */
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
    struct blp_trace *trace; /* NULL: none */
};

/* Options with every choice left to the library: zeros, and in_write = out_write = add, reads
 * volatile. */
struct blp_options blp_defaults(void);

struct blp_report {
    int blocks, copy_in_blocks, copy_out_blocks, threads, vector_bits;
    long tasks, task_size;
    size_t device_bytes; /* arrays or rings, and flags */
    int launches;        /* kernels launched by a run: 1 per round */
    int copies;          /* copy calls of the host in a run: 0 */
    double time_s;       /* from the call to the results in host memory */
    double host_cpu_s;   /* CPU time of the calling thread during that */
};

struct blp_plan;

/* Prepares to execute a region of one of the workloads with a persistent kernel (blp_has_kernel).
 * On failure NULL and *complaint, one sentence (the thread's until the next call): no kernel for
 * this region; host memory that the device cannot address (not page-locked); pointers or slices not
 * aligned for 128-bit copies when those were asked for; more blocks than can be resident at once
 * (says how many can); no block left to compute; a budget that does not hold one window (says how
 * much is needed); device memory. */
struct blp_plan *blp_open(const struct dm_region *region, const struct blp_options *options,
                          const char **complaint);

/* Executes all rounds. Ends the program on CUDA errors. */
void blp_run(struct blp_plan *plan, struct blp_report *report);

void blp_close(struct blp_plan *plan);

/* Whether there is a persistent kernel for regions of that name. */
bool blp_has_kernel(const char *region_name);

/* The pair of numbers of copy blocks with the least sum that reaches 95 % of the peak of direct
 * access, measured with both directions busy and as many bytes in as out; blp_open's defaults from
 * then on. `threads` 0: default. Source: Cui, 4.3.4. */
void blp_measure_groups(int threads, int *copy_in_blocks, int *copy_out_blocks);

#ifdef __cplusplus
}
#endif
#endif
