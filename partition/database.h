/* database.h: what the analysis found out about the kernels of a module.
 *
 * The file is text; partition-analyse writes it:
 *
 *     datamotion-partition 1
 *     kernel stencil5p
 *      source stencil.cu
 *      coordinates gy gx
 *      split y
 *      invalid [launch_size_x, N] -> { : N >= 2000000000 }
 *      define p_6 = nx * ny
 *      argument 0
 *       name in
 *       type float*
 *       bits 0
 *       element_bits 32
 *       fundamental f
 *       dims 2
 *       level 1
 *       sizes [N] -> { [] -> [(N)] }
 *       read [launch_size_x, launch_size_y, N] -> { [gy, gx] -> in[o0, o1] : ... }
 *       read_access [N] -> { [gy, gx] -> in[-1 + gy, gx] : ... }
 *       read_domain_dims 2
 *       read_pattern N,launch_size_x,launch_size_y
 *      argument 1
 *       ...
 *       write ...
 *       write_access ...
 *       write_pattern ...
 *       injective yes
 *      end
 *     refused histogram atomic function atomicAdd: concurrent writes of the same element
 *
 * - coordinates: dimensions of the maps' domains, outermost first. g: index of a thread in the
 * whole grid; or, where a kernel uses threadIdx or blockIdx by themselves, o: index of the block's
 * first thread (block * block size), b: block, t: thread in its block.
 * - Parameters of the maps are scalar arguments by name, launch_size_x (threads of the grid in that
 *   dimension), launch_block_x (threads of a block), launch_grid_x (blocks), and what `define`
 * gives: an expression of arguments with + - * and parentheses (a parameter must be a number at
 * launch only).
 * - invalid: parameter values for which the analysis's assumptions fail; the launch is then not
 * split.
 * - split: the dimension along which least is communicated, or - (nothing to split).
 * - bits 0 for pointers; element_bits, dims, level (pointer depth) 0 and no maps for scalars.
 *   fundamental: f, d or i (of the element; i for all integers, with h for other floating point).
 * - sizes: the inner dimensions of the array, one line each, outermost first, as functions of the
 *   parameters; the element of in[a, b, c] is (a * size1 + b) * size2 + c.
 * - read, write: union of all accesses; `read whole WHY` if every element must be assumed (never
 * for writes). read_access, write_access: one line for each access; their union is the line above.
 * - *_domain_dims: dimensions of the iteration space in which each single access is made, in their
 * order, comma-separated: the coordinates and the loops of the kernel around the access. Data bases
 * may lack it.
 * - *_pattern: names of the parameters on which the map depends, comma-separated, - for none.
 * - injective: no two threads write the same element.
 * A line `refused` stands for a kernel that must run on one device. */
#ifndef PARTITION_DATABASE_H
#define PARTITION_DATABASE_H

#include "partition.h"

struct database_argument {
    char *name, *type;
    unsigned bits, element_bits, dims, level;
    char fundamental;
    bool reads, writes; /* has a map, or reads_whole */
    bool reads_whole;
    bool injective;
    bool decides;       /* an integer on whose value it depends which elements are accessed */
    char *read, *write; /* maps as text; NULL: none */
    char *read_pattern, *write_pattern;         /* "" if none */
    char *read_domain_dims, *write_domain_dims; /* "" if there are none */
    struct access_maps *maps;                   /* access.c's own */
};

struct database_kernel {
    char *name, *source;
    char *refusal; /* NULL: can be split */
    char split;    /* x, y, z or - */
    struct database_argument *arguments;
    size_t argument_count;
    struct kernel_space *space; /* access.c's own: coordinates, invalid, definitions */
};

struct database {
    struct database_kernel *kernels;
    size_t kernel_count;
    struct isl_ctx *isl;
};

/* NULL with the reason: no such file, not a data base, line N: what was expected. */
struct database *database_load(const char *path, char reason[PARTITION_REASON]);
void database_free(struct database *database);
/* NULL if there is none of that name. */
struct database_kernel *database_find(struct database *database, const char *kernel);

#endif
