/* example.h: the kernels of kernels/, ready to be tuned: NAME.cu with its space NAME.space and its
 * launch NAME.launch, one option of `tuner --cuda` a line. */
#ifndef TUNER_EXAMPLE_H
#define TUNER_EXAMPLE_H

#include "cuda/own_kernel.h"

enum { TREE_FILE_BYTES = 4096 };

/* Fills in the path of a file of the tree that this program was built in, from its root.
 * DM_FAILED: /proc does not say where this program is. */
enum dm_status tree_file(char path[TREE_FILE_BYTES], const char *file);

struct example {
    struct tuner_space *space;
    struct own_kernel *kernel;
    char *source, *args, *grid, *block, *flops, *bytes; /* texts that the kernel reads */
};

/* Opens one for problems of `size` in each dimension; 0: what its space says. Of the options runs,
 * jobs, limit_s and seed count. folder: NULL for kernels/ in the tree that this program was built
 * in. Errors as of own_kernel_open; also DM_INVALID or DM_FAILED: a file that cannot be read. */
enum dm_status example_open(struct example *example, const char *name, const char *folder,
                            int64_t size, const struct own_kernel_options *options);
void example_close(struct example *example);

#endif
