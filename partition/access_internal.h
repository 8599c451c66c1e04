/* access_internal.h: what a data base keeps for access.c, and the steps from a map to intervals. */
#ifndef ACCESS_INTERNAL_H
#define ACCESS_INTERNAL_H

#include <ctype.h>
#include <isl/map.h>
#include <isl/set.h>

#include "access.h"

enum {
    ACCESS_MOST_DIMS = 8,             /* of an array */
    ACCESS_MOST_COORDINATES = 12,     /* g, or o, b and t, of three dimensions */
    ACCESS_MOST_INTERVALS = 1 << 23,  /* of one call: 128 MiB */
    ACCESS_MOST_OPERATIONS = 50000000 /* of isl in one step: some seconds */
};

/* g, o, b or t (database.h) of dimension 0, 1 or 2. */
struct coordinate {
    char kind;
    int dimension;
};

struct definition {
    char *name, *expression;
};

struct kernel_space {
    struct coordinate coordinates[ACCESS_MOST_COORDINATES];
    size_t coordinate_count;
    isl_set *invalid;
    struct definition *definitions;
    size_t definition_count;
};

/* All accesses of a kind (read, write) in one map, and each alone. */
struct access_list {
    isl_map *all, **each;
    size_t count;
};

struct access_maps {
    struct access_list of[2]; /* read, write */
    isl_map *sizes[ACCESS_MOST_DIMS];
    size_t size_count;
};

/* ---- access_maps.c: for the reader of data bases. All return false with the reason. ---- */

bool access_add_coordinate(struct kernel_space *space, const char *name,
                           char reason[PARTITION_REASON]);
bool access_add_definition(struct kernel_space *space, const char *text,
                           char reason[PARTITION_REASON]);
bool access_set_invalid(struct isl_ctx *isl, struct kernel_space *space, const char *text,
                        char reason[PARTITION_REASON]);
bool access_add_size(struct isl_ctx *isl, struct database_argument *argument, const char *text,
                     char reason[PARTITION_REASON]);
/* `each` false: the map of all accesses. */
bool access_add_map(struct isl_ctx *isl, const struct kernel_space *space,
                    struct database_argument *argument, bool write, bool each, const char *text,
                    char reason[PARTITION_REASON]);
/* Whether everything that the kernel's maps name is there. */
bool access_check_kernel(const struct database_kernel *kernel, char reason[PARTITION_REASON]);
void access_free_kernel(struct database_kernel *kernel);

/* access_dependence.c: notes which arguments decide. Maps name nothing else: access_check_kernel.
 */
void access_find_dependence(struct database_kernel *kernel);

/* ---- access_parameters.c ---- */

/* The numbers of one launch. */
struct access_launch {
    const struct database_kernel *kernel;
    const int64_t *scalars;           /* NULL: all 0, to check an expression */
    const struct launch_shape *shape; /* NULL: all 1 */
};

/* The value of a parameter of the maps. */
bool access_parameter(const struct access_launch *launch, const char *name, int64_t *value,
                      char reason[PARTITION_REASON]);
/* The value of an expression of what is given without `define`. */
bool access_evaluate(const struct access_launch *launch, const char *expression, int64_t *value,
                     char reason[PARTITION_REASON]);
/* Replaces all parameters by numbers. NULL with the reason. Takes `set` and `map`. */
isl_set *access_fix_set(const struct access_launch *launch, isl_set *set,
                        char reason[PARTITION_REASON]);
isl_map *access_fix_map(const struct access_launch *launch, isl_map *map,
                        char reason[PARTITION_REASON]);

/* The elements that the blocks of the part reach through the map, as indices; NULL: reason. */
isl_set *access_image(const struct access_launch *launch, const struct grid_part *part,
                      isl_map *map, char reason[PARTITION_REASON]);

/* ---- from a set of indices to intervals ---- */

/* The array, and where its elements go. */
struct access_target {
    size_t dims;
    int64_t pitch[ACCESS_MOST_DIMS]; /* elements from an index to the next */
    bool write;
    struct intervals *out;
    bool unbounded;      /* a set without end was met */
    const char *failure; /* NULL: none */
};

/* lower, lower + stride ... upper of each dimension. */
struct access_box {
    int64_t lower[ACCESS_MOST_DIMS], upper[ACCESS_MOST_DIMS], stride[ACCESS_MOST_DIMS];
};

/* access_values.c: bounds of a set that is not empty. */
bool access_number(isl_val *value, int64_t *number); /* false: none, or too large; takes value */
bool access_bounds(isl_set *set, size_t dim, int64_t *lower, int64_t *upper);

/* access_box.c: whether the set is exactly a box; reads may get a box that is dense along the last
 * dimension where the set is not. */
bool access_is_box(isl_set *set, size_t dims, bool write, struct access_box *box);

/* access_linear.c: adds elements to target->out; false: see target->failure. The boxes may be moved
 * to other indices of the same elements. */
bool access_emit_row(struct access_target *target, const int64_t *index, int64_t last);
bool access_emit_boxes(struct access_target *target, struct access_box *boxes, size_t count);

/* Row by row: by bounds that are functions of the row, by isl for each row. Take `set`. */
bool access_by_rows(struct access_target *target, isl_set *set);
bool access_by_points(struct access_target *target, isl_set *set);
/* Exactly the elements of a set whose rows have gaps. Takes `set`. */
bool access_by_elements(struct access_target *target, isl_set *set);

/* Boxes wait here until all are known, as they overlap. */
struct access_box_list {
    struct access_box *items;
    size_t count, capacity;
};
/* By the method; adds to the intervals or to the boxes. Takes `set`. */
bool access_by_pieces(struct access_target *target, isl_set *set, enum partition_access method,
                      struct access_box_list *boxes);

#endif
