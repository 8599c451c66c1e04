/* application.h: the test programs: ordinary programs for one GPU on CUDA's driver API.
 *
 * Each application is a function in a file of its own that knows nothing of partitioning. Built
 * with application_main.c it is a program (build/CONFIG/partition/NAME); partition_applications
 * calls the same functions. */
#ifndef PARTITION_APPLICATION_H
#define PARTITION_APPLICATION_H

#include <stddef.h>
#include <stdint.h>

struct application_input {
    int64_t n; /* width, particles, ... */
    int64_t iterations;
    uint64_t seed; /* of the random input */
    const char
        *modules; /* directory of the kernel modules (NAME.ptx; NAME.so on the software GPU) */
    int block[3]; /* threads of a block; 0: the application's default */
};

/* Wall-clock seconds. */
struct application_times {
    double total_s;  /* from the first copy to the last, set-up of context and module left out */
    double htod_s;   /* copies to the device */
    double kernel_s; /* launches and waiting for them */
    double dtoh_s;   /* copies to the host */
};

struct application {
    const char *name;    /* matmul, stencil, ... */
    const char *meaning; /* one sentence */
    const char *module;  /* kernels/MODULE.cu */
    int64_t default_n, default_iterations;
    /* Runs on the current device and gives the result, in memory that the caller frees. Returns 0,
     * or a CUresult, with a message on stderr that names the call. Everything that it made is
     * freed. */
    int (*run)(const struct application_input *input, void **result, size_t *result_bytes,
               struct application_times *times);
    /* The result computed by the CPU in the same order of operations, for tests of small n. */
    int (*reference)(const struct application_input *input, void **result, size_t *result_bytes);
    double tolerance; /* relative, between run and reference: CPU and GPU contract differently */
};

/* Ended by {0}. */
enum { APPLICATIONS_MAX = 32 };
extern const struct application applications[];

/* NULL if there is none of that name. */
const struct application *application_find(const char *name);

#endif
