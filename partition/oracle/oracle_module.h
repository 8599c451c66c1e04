/* oracle_module.h: what the oracle and the kernels compiled for it know of each other. */
#ifndef ORACLE_MODULE_H
#define ORACLE_MODULE_H

#ifdef __cplusplus
extern "C" {
#endif

struct oracle_triple {
    unsigned x, y, z;
};

struct oracle_kernel {
    const char *name;
    void (*call)(void **arguments); /* as one CUDA thread; arguments as cuLaunchKernel has them */
};

typedef void oracle_access(const void *address, unsigned long bytes, int write);

/* Each module exports one, named oracle_module. */
struct oracle_module {
    const struct oracle_kernel *kernels; /* ended by {0} */
    struct oracle_triple *thread, *block, *block_size, *grid_size;
    oracle_access **access; /* called for each load and store */
};

#ifdef __cplusplus
}
#endif
#endif
