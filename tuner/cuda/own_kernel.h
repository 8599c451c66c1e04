/* own_kernel.h: a user's kernel as an objective: compiled for each configuration, launched by
 * another process (server.h), checked, timed. */
#ifndef TUNER_CUDA_OWN_KERNEL_H
#define TUNER_CUDA_OWN_KERNEL_H

#include <datamotion/tuner.h>

struct own_kernel_options {
    const char *source; /* a file of kernels, without the program around them */
    const char *name;   /* of the kernel, with template arguments if it has any */
    const char *arguments;
    const char *grid, *block;  /* up to three formulas */
    const char *shared;        /* bytes; NULL: none */
    const char *flops, *bytes; /* of a launch; NULL: unknown */
    const char *compiler;      /* NULL or a command (compile.h) */
    const char *flags;         /* more for the compiler; NULL: none */
    int64_t runs;              /* timed launches per configuration, >= 1 */
    int64_t jobs;              /* compilers at the same time */
    double limit_s;            /* of compiling, and of launching and checking */
    double tolerance;
    bool flush, energy, verbose;
    int64_t seed;
};

/* Why configurations were not ok. */
struct own_kernel_counts {
    size_t not_compiled, compiled_late, not_launched, crashed, late, wrong;
};

struct own_kernel;

/* The space must outlive it; the texts are copied. DM_INVALID: an option makes no sense;
 * DM_UNAVAILABLE: there is no GPU, or no compiler; DM_FAILED: no folder, or no process. */
enum dm_status own_kernel_open(struct own_kernel **kernel, const struct tuner_space *space,
                               const struct own_kernel_options *options);
void own_kernel_close(struct own_kernel *kernel); /* ends processes, removes what was made */

struct tuner_objective own_kernel_objective(struct own_kernel *kernel);

/* These will be measured soon: they are compiled meanwhile. */
enum dm_status own_kernel_expect(struct own_kernel *kernel, const size_t *configurations,
                                 size_t count);

const struct own_kernel_counts *own_kernel_counts(const struct own_kernel *kernel);
const char *own_kernel_device(const struct own_kernel *kernel);

/* Why the last one that was not ok was not; empty if all were. */
const char *own_kernel_failure(const struct own_kernel *kernel);

/* 10^9 operations and 10^9 bytes per second at this time; 0: unknown. */
void own_kernel_rates(const struct own_kernel *kernel, size_t configuration, double time_s,
                      double *gflops, double *gbs);

/* Of one launch in J, of a configuration that was the last one measured with energy; 0: unknown. */
double own_kernel_energy(const struct own_kernel *kernel);

/* The compiler's command; the caller calls free(). */
enum dm_status own_kernel_command(const struct own_kernel *kernel, size_t configuration,
                                  char **text);

/* The launch: "grid 8 x 8 x 1, block 16 x 16 x 1". */
enum dm_status own_kernel_launch(const struct own_kernel *kernel, size_t configuration, char *text,
                                 size_t size);

/* Ends all of its processes; may be called in a signal handler. */
void own_kernel_kill(void);

#endif
