/* partition.h: which elements of its arrays each part of a kernel's grid reads and writes, what has
 * to be copied between the GPUs that run the parts, and PTX whose kernels can run a part. Link with
 * -ldatamotion-partition (pkg-config datamotion-partition).
 *
 * partition-analyse finds out from a kernel's source what its threads access, and writes it to a
 * data base. A program that launches the kernel on several GPUs loads the data base, cuts the grid
 * (partition_grid), asks for the elements of each part (partition_accesses), and gets the copies
 * from a state that says where each byte is up to date (partition_states_launch).
 *
 * Programs that are to run on several GPUs unchanged need nothing of this: they are started with
 * libpartition.so, which is made of it (datamotion/partition_interpose.h).
 *
 * Errors are reported as datamotion/status.h says. A data base and the kernels in it belong to one
 * thread at a time, as does a table of states. Source: Klein, Automated partitioning of
 * data-parallel programs (Heidelberg University, 2016), chapter 3. */
#ifndef DATAMOTION_PARTITION_H
#define DATAMOTION_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PARTITION_MAX_DEVICES = 64 };

/* ---- sets of elements or bytes ---- */

/* begin ... end - 1. */
struct partition_range {
    int64_t begin, end;
};

/* Sorted ranges that neither overlap nor touch. Starts from {0}. */
struct partition_intervals {
    struct partition_range *items;
    size_t count, capacity;
};

/* Adds a range, in any order (empty ones are left out); partition_intervals_normalise() sorts and
 * merges them before the set is used. DM_NO_MEMORY. */
DM_API enum dm_status partition_intervals_push(struct partition_intervals *set, int64_t begin,
                                               int64_t end);
DM_API void partition_intervals_normalise(struct partition_intervals *set);

/* Frees the ranges; the set is empty then. */
DM_API void partition_intervals_free(struct partition_intervals *set);

/* ---- data bases ---- */

/* How threads update an element together. Numbers of 32 and 64 bits; s, u: with and without sign.
 */
enum partition_reduction {
    PARTITION_NO_REDUCTION,
    PARTITION_ADD_32,
    PARTITION_ADD_64,
    PARTITION_AND,
    PARTITION_OR,
    PARTITION_XOR,
    PARTITION_MIN_S32,
    PARTITION_MIN_U32,
    PARTITION_MIN_S64,
    PARTITION_MIN_U64,
    PARTITION_MAX_S32,
    PARTITION_MAX_U32,
    PARTITION_MAX_S64,
    PARTITION_MAX_U64,
    PARTITION_ADD_F32, /* not in the order in which one device would */
    PARTITION_ADD_F64
};

struct partition_argument {
    char *name, *type;
    unsigned bits;          /* of a number; 0: a pointer */
    unsigned element_bits;  /* of what a pointer points to */
    unsigned dims;          /* of the array */
    unsigned level;         /* of pointers: 0: a number, 1: a pointer, 2: a pointer to pointers */
    char fundamental;       /* f float, d double, h other floating point, i integer */
    bool reads, writes;     /* some elements */
    bool reads_whole;       /* every element must be assumed to be read */
    bool injective;         /* no two threads write the same element */
    bool may_write;         /* some elements perhaps; they count as read and as written */
    unsigned whole, offset; /* of a member of a structure that is passed by value: the structure's
                               number, and 1, and the byte where the member begins; 0: it is none.
                               Members come behind the kernel's own arguments */
    enum partition_reduction reduction; /* it is updated by such atomic operations alone, whatever
                                           the elements: each part needs a copy of its own, and the
                                           copies must be combined; reads and writes are false */
    bool decides;       /* an integer on whose value it depends which elements are accessed */
    char *read, *write; /* maps from threads to elements in isl's notation; NULL: none */
    char *read_pattern, *write_pattern;         /* parameters of the maps, with commas; "": none */
    char *read_domain_dims, *write_domain_dims; /* dimensions of each access's iteration space */
    struct access_maps *maps;                   /* internal */
};

struct partition_kernel {
    char *name, *source;
    char *refusal; /* why it cannot be split; NULL: it can */
    char *touches; /* a letter for each argument: r: only memory that it points to is read, w: it
                      may be written, too, -: neither; NULL: other memory may be reached */
    char *numbers; /* a letter for each argument: i: an integer with whose value, and that of the
                      grid's and the blocks' sizes, an analysis for one launch may find out more,
                      -: none; NULL: it would not */
    char split;    /* the dimension x, y, z along which least is copied on a square grid; -: none is
                      known before a launch */
    struct partition_argument *arguments;
    size_t argument_count;
    struct kernel_space *space; /* internal */
};

struct partition_database {
    struct partition_kernel *kernels;
    size_t kernel_count;
    uint64_t *modules; /* hashes of the modules that it is for */
    size_t module_count;
    struct isl_ctx *isl; /* internal */
};

/* Reads a file of partition-analyse. DM_INVALID: it cannot be read, is no data base, or has a line
 * that makes no sense, whose number is in the sentence; DM_NO_MEMORY. *database is then NULL. */
DM_API enum dm_status partition_database_load(struct partition_database **database,
                                              const char *path);
DM_API void partition_database_free(struct partition_database *database);

/* Whether the data base is of this module, a file or an image in memory of `bytes` bytes. To be
 * called before its kernels are split: after a change of the source, or with another module, what
 * the data base says is wrong. DM_INVALID: it is of another module, or does not say of which. */
DM_API enum dm_status partition_database_check(const struct partition_database *database,
                                               const void *image, size_t bytes);

/* The kernel of that name, which may be refused; NULL if there is none. */
DM_API struct partition_kernel *partition_database_find(struct partition_database *database,
                                                        const char *kernel);

/* ---- parts of a grid ---- */

struct partition_shape {
    unsigned grid[3], block[3]; /* blocks; threads of a block */
};

/* A box of blocks; all of `blocks` are 0 where a device has nothing to do. */
struct partition_part {
    int device;
    unsigned offset[3]; /* its first block */
    unsigned blocks[3];
};

static inline bool partition_part_is_empty(const struct partition_part *part)
{
    return part->blocks[0] == 0 || part->blocks[1] == 0 || part->blocks[2] == 0;
}

/* Cuts `grid` (blocks) along the dimensions named in `split` ("x", "y", "z", "xy", "xz" or "yz")
 * and writes one part for each device. Parts differ by at most one block along a cut; with fewer
 * blocks than devices some are empty. Along two dimensions: the pair of factors of `devices` whose
 * parts have the shortest border; a prime number of devices cuts one of them only.
 *
 * `thesis`: the printed rule for two dimensions, with its offsets corrected (Klein, 3.4.1): an even
 * number of devices as 2 x devices / 2.
 *
 * DM_INVALID: another number of devices than 1 to PARTITION_MAX_DEVICES, an empty grid, another
 * split; by the thesis's rule also prime numbers of devices and fewer than two blocks in the
 * smaller dimension. */
DM_API enum dm_status partition_grid(const unsigned grid[3], int devices, const char *split,
                                     bool thesis, struct partition_part *parts);

/* ---- what the parts access ---- */

struct partition_launch {
    const struct partition_kernel *kernel;
    const int64_t *scalars; /* the value of each argument; those of pointers are not looked at */
    const struct partition_shape *shape;
};

/* Whether the kernel can be split in this launch. DM_UNAVAILABLE: not for these arguments: an
 * assumption of its analysis does not hold, it is refused altogether, or an index of 32 bits cannot
 * tell its threads apart. DM_INVALID: there is no kernel (NULL), or its maps cannot be evaluated.
 */
DM_API enum dm_status partition_check_launch(const struct partition_launch *launch);

/* How accessed elements are found. */
enum partition_access {
    PARTITION_BOXES, /* each access's image is a box or a strided set of runs */
    PARTITION_ROWS,  /* first and last column of a row as functions of the row */
    PARTITION_POINTS /* minimum and maximum of each row by an integer program: the thesis */
};

/* How much of an argument is accessed. */
enum partition_extent {
    PARTITION_NOTHING,  /* it is not accessed that way */
    PARTITION_ELEMENTS, /* those of the set: exactly (writes), or none but those (reads) */
    PARTITION_WHOLE     /* every element must be assumed to be read */
};

/* Seconds; partition_accesses adds to them. */
struct partition_times {
    double interval_s; /* all of it */
    double linear_s;   /* from rows of the array to runs of elements */
};

/* The elements of an argument that the blocks of `part` read, or write, in units of the argument's
 * element. `set` starts from {0} or is replaced. `times` may be NULL. After
 * partition_check_launch() (Klein, 3.4.2).
 *
 * DM_UNAVAILABLE: the accesses are too many, too large or too complicated to be worked out, or
 * without bound, or the kernel is refused: the launch must run as a whole. DM_INVALID: there is no
 * such argument. DM_NO_MEMORY. */
DM_API enum dm_status partition_accesses(const struct partition_launch *launch, size_t argument,
                                         bool write, const struct partition_part *part,
                                         enum partition_access method,
                                         struct partition_intervals *set,
                                         enum partition_extent *extent,
                                         struct partition_times *times);

/* ---- where each byte of a buffer is up to date ----
 *
 * A state says for each location (device 0 ... devices - 1, and the host as number `devices`) which
 * bytes of a buffer are up to date there. States are immutable and unique: the same sets are the
 * same pointer. So what a launch does to a buffer, the copies and the next state, is a function of
 * the state and the launch, and a program that repeats its launches comes back to states that are
 * known: it can look up what it worked out before. */

struct partition_states; /* the states of one buffer */
struct partition_state;

/* `length` bytes from `begin` on, `count` times at distance `stride`. */
struct partition_runs {
    int64_t begin, length;
    int64_t count, stride;
};

/* A copy between two locations of the buffer. */
struct partition_copy {
    int from, to;
    struct partition_runs bytes;
};

struct partition_transition {
    const struct partition_state *next;
    struct partition_copy *copies; /* ordered by `to`, then `from` */
    size_t copy_count;
};

/* For a buffer of that many bytes. DM_INVALID: another number of devices than 1 to
 * PARTITION_MAX_DEVICES, a negative size; DM_NO_MEMORY. */
DM_API enum dm_status partition_states_create(struct partition_states **states, int devices,
                                              int64_t bytes);
DM_API void partition_states_destroy(struct partition_states *states);

/* Nothing is up to date anywhere: fresh memory may be read from wherever it is. */
DM_API const struct partition_state *
partition_states_initial(const struct partition_states *states);

/* The bytes that are up to date at a location. */
DM_API const struct partition_intervals *partition_states_at(const struct partition_state *state,
                                                             int location);

/* Bytes `range` have been written at the location, and are stale at all others. DM_INVALID: there
 * is no such location, bytes outside of the buffer; DM_NO_MEMORY. */
DM_API enum dm_status partition_states_written(struct partition_states *states,
                                               const struct partition_state *state, int location,
                                               const struct partition_intervals *range,
                                               const struct partition_state **next);

/* A launch reads reads[d] and then writes writes[d] on device d, in bytes (`devices` entries each).
 * Missing bytes come from another device if one has them, from the host otherwise; bytes that
 * nobody has are not copied. What was read is up to date there too. `coalesce` false: one copy for
 * each `unit` bytes instead of strided runs.
 *
 * DM_INVALID: bytes outside of the buffer, two devices that write the same byte, a unit below 1;
 * DM_NO_MEMORY. The transition is then empty. */
DM_API enum dm_status partition_states_launch(struct partition_states *states,
                                              const struct partition_state *state,
                                              const struct partition_intervals *reads,
                                              const struct partition_intervals *writes,
                                              bool coalesce, int64_t unit,
                                              struct partition_transition *transition);

/* What has to be copied so that bytes `range` are up to date at the location, which then holds them
 * too (location = devices: the host). DM_INVALID: there is no such location, bytes outside of the
 * buffer; DM_NO_MEMORY. */
DM_API enum dm_status partition_states_fetch(struct partition_states *states,
                                             const struct partition_state *state, int location,
                                             const struct partition_intervals *range,
                                             struct partition_transition *transition);

/* Frees the copies. */
DM_API void partition_transition_free(struct partition_transition *transition);

/* Bytes of memory that the states take, and how many there are. */
DM_API size_t partition_states_memory(const struct partition_states *states);
DM_API size_t partition_states_count(const struct partition_states *states);

/* Frees all states but the initial one and these, for programs that never come back to most of
 * theirs. A state that comes about again afterwards may be another pointer than before. */
DM_API void partition_states_forget(struct partition_states *states,
                                    const struct partition_state *const *kept, size_t count);

/* ---- kernels that run a part ----
 *
 * A promoted kernel has one more parameter at the end, a struct partition_place. Its block index is
 * that of the launch plus `offset`, its grid size is `grid`: launched on a part of the grid it does
 * what the blocks of that part do in a launch of the whole. Where a kernel uses its block index
 * only for its thread index, it adds `first_thread` to that instead: all three must agree. */

struct partition_place {
    unsigned offset[3]; /* blocks */
    unsigned grid[3];   /* blocks of the whole grid */
    /* offset times the block size, in threads, modulo 2^32 as in a kernel's own arithmetic */
    unsigned first_thread[3];
};

/* Rewrites the text of a PTX module, which ends with a 0; the caller frees *promoted. Device
 * functions that are not inlined and need the place get it from their callers. *kernels: number of
 * kernels promoted.
 *
 * DM_INVALID: the text is not understood, or promoted already; DM_UNAVAILABLE: it cannot be
 * promoted (a function that needs the place and is called through a pointer, clusters, cooperative
 * launches); DM_NO_MEMORY. *promoted is then NULL. */
DM_API enum dm_status partition_promote_ptx(const char *ptx, char **promoted, size_t *kernels);

#ifdef __cplusplus
}
#endif
#endif
