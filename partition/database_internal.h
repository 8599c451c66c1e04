/* database_internal.h: what partition-analyse found out about the kernels of a module, and its
 * reader.
 *
 * The file is text; partition-analyse writes it:
 *
 *     datamotion-partition 1
 *     source_hash 0123456789abcdef
 *     module fedcba9876543210
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
 * - source_hash: of the source's text and the compiler's flags; module: of a module that was
 * compiled from it, one line each: the data base is for these alone (image_hash.h,
 * partition_bind.c).
 * - coordinates: dimensions of the maps' domains, outermost first. g: index of a thread in the
 * whole grid; or, where a kernel uses threadIdx or blockIdx by themselves, o: index of the block's
 * first thread (block * block size), b: block, t: thread in its block.
 * - Parameters of the maps are scalar arguments by name, launch_size_x (threads of the grid in that
 *   dimension), launch_block_x (threads of a block), launch_grid_x (blocks), and what `define`
 * gives: an expression of arguments with + - * and parentheses (a parameter must be a number at
 * launch only).
 * - invalid: parameter values for which the analysis's assumptions fail, one line or more; the
 * launch is then not split.
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
 * - injective: no two threads write the same element. may_write: some elements perhaps, which then
 * are among those read.
 * - member STRUCTURE BYTE: the argument is a number in a structure that is passed by value, another
 * argument, whose bits are those of all of it. Members come last.
 * - reduces KIND: the argument is updated by atomic operations alone, whose order does not count:
 * add_32, and, min_s64, ... (enum partition_reduction); it has no maps then.
 * - touches KERNEL -rw...: a letter for each argument, also of refused kernels: the kernel reaches
 * memory that is not its own by its pointers alone, and reads (r), or reads and writes (w), what
 * they point to, whatever the elements. Without the line it may reach everything.
 * - numbers KERNEL -i...: a letter for each argument, also of refused kernels: an analysis for one
 * launch (partition-analyse --launch), with the sizes of its grid and blocks and the values of
 * these integers, may accept the kernel, or read less. A line `refused` stands for a kernel that
 * must run on one device. */
#ifndef DATABASE_INTERNAL_H
#define DATABASE_INTERNAL_H

#include "common/error.h"

#include "access_internal.h"

struct database_reader {
    struct partition_database *database;
    struct partition_kernel *kernel;     /* the one that is open, or NULL */
    struct partition_argument *argument; /* of the kernel, or NULL */
    unsigned kernel_keys, argument_keys; /* bit i: key i of the table has been there */
};

/* All of these fail with DM_INVALID or DM_NO_MEMORY, with a sentence without the line's number. */

/* One line without its end. */
enum dm_status database_read_line(struct database_reader *reader, char *line);

/* Fails unless the last kernel is complete. */
enum dm_status database_end(struct database_reader *reader);

/* ---- database_argument.c ---- */

/* A key of an argument; *known is false if it is none. */
enum dm_status database_argument_key(struct database_reader *reader, const char *key, char *value,
                                     bool *known);
/* Ends the open argument, if there is one. */
enum dm_status database_end_argument(struct database_reader *reader);

/* Replaces *target by a copy. */
enum dm_status database_copy(char **target, const char *text);

#endif
