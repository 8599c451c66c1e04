/* access_internal.h: what a data base keeps for access.c, and the steps from a map to intervals. */
#ifndef ACCESS_INTERNAL_H
#define ACCESS_INTERNAL_H

#include <ctype.h>
#include <isl/map.h>
#include <isl/set.h>

#include <datamotion/partition.h>

#include "access_conditions.h"
#include "affine_form.h"
#include "intervals.h"

enum {
    ACCESS_MAX_DIMS = 8,             /* of an array */
    ACCESS_MAX_COORDINATES = 12,     /* g, or o, b and t, of three dimensions */
    ACCESS_MAX_INTERVALS = 1 << 23,  /* of one call: 128 MiB */
    ACCESS_MAX_OPERATIONS = 50000000 /* of isl in one step: some seconds */
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
    struct coordinate coordinates[ACCESS_MAX_COORDINATES];
    size_t coordinate_count;
    struct isl_ctx *isl;
    struct access_conditions **invalid; /* numbers for which the analysis does not hold */
    size_t invalid_count;
    struct definition *definitions;
    size_t definition_count;
};

/* A map, and the same as rows of integers (NULL: isl read it). */
struct access_map {
    isl_map *map;
    struct affine_form *form;
};

/* All accesses of a kind (read, write) in one map, and each alone. */
struct access_list {
    isl_map *all;
    struct access_map *each;
    size_t count;
};

struct access_maps {
    struct access_list of[2]; /* read, write */
    struct access_map sizes[ACCESS_MAX_DIMS];
    size_t size_count;
};

/* ---- access_maps.c: for the reader of data bases. All fail with DM_INVALID or DM_NO_MEMORY. ----
 */

enum dm_status access_add_coordinate(struct kernel_space *space, const char *name);
enum dm_status access_add_definition(struct kernel_space *space, const char *text);
enum dm_status access_add_invalid(struct isl_ctx *isl, struct kernel_space *space,
                                  const char *text);
enum dm_status access_add_size(struct isl_ctx *isl, struct partition_argument *argument,
                               const char *text);
/* `each` false: the map of all accesses. */
enum dm_status access_add_map(struct isl_ctx *isl, const struct kernel_space *space,
                              struct partition_argument *argument, bool write, bool each,
                              const char *text);
/* Whether everything that the kernel's maps name is there. */
enum dm_status access_check_kernel(const struct partition_kernel *kernel);
void access_free_kernel(struct partition_kernel *kernel);

/* access_dependence.c: notes which arguments decide. Maps name nothing else: access_check_kernel.
 */
void access_find_dependence(struct partition_kernel *kernel);

/* ---- access_parameters.c ---- */

/* In these functions scalars may be NULL (all 0) and the shape, too (all 1): to check expressions.
 */

/* The value of a parameter of the maps. */
enum dm_status access_parameter(const struct partition_launch *launch, const char *name,
                                int64_t *value);
/* The value of an expression of what is given without `define`. */
enum dm_status access_evaluate(const struct partition_launch *launch, const char *expression,
                               int64_t *value);
/* Replaces all parameters by numbers. Take `set` and `map`; what they become is NULL on error. */
enum dm_status access_fix_map(const struct partition_launch *launch, isl_map *map, isl_map **fixed);

/* The map for the threads of a part, its parameters replaced by numbers. */
enum dm_status access_restrict(const struct partition_launch *launch,
                               const struct partition_part *part, isl_map *map,
                               isl_map **restricted);

/* ---- from a set of indices to intervals ---- */

/* The array, and where its elements go. */
struct access_target {
    size_t dims;
    int64_t pitch[ACCESS_MAX_DIMS]; /* elements from an index to the next */
    bool write;
    struct partition_intervals *out;
    bool unbounded; /* a set without end was met */
};

/* lower, lower + stride ... upper of each dimension. */
struct access_box {
    int64_t lower[ACCESS_MAX_DIMS], upper[ACCESS_MAX_DIMS], stride[ACCESS_MAX_DIMS];
};

/* access_values.c: bounds of a set that is not empty. */
bool access_number(isl_val *value, int64_t *number); /* false: none, or too large; takes value */
bool access_bounds(isl_set *set, size_t dim, int64_t *lower, int64_t *upper);
/* What fails if isl gives up: DM_UNAVAILABLE. */
enum dm_status access_too_complicated(void);

/* access_box.c: whether the set is exactly a box; reads may get a box that is dense along the last
 * dimension where the set is not. */
bool access_is_box(isl_set *set, size_t dims, bool write, struct access_box *box);

/* access_linear.c: adds elements to target->out. The boxes may be moved to other indices of the
 * same elements. */
enum dm_status access_emit_row(struct access_target *target, const int64_t *index, int64_t last);
enum dm_status access_emit_boxes(struct access_target *target, struct access_box *boxes,
                                 size_t count);

/* Row by row: by bounds that are functions of the row, by isl for each row. Take `set`. */
enum dm_status access_by_rows(struct access_target *target, isl_set *set);
enum dm_status access_by_points(struct access_target *target, isl_set *set);
/* Exactly the elements of a set whose rows have gaps. Takes `set`. */
enum dm_status access_by_elements(struct access_target *target, isl_set *set);

/* Boxes wait here until all are known, as they overlap. */
struct access_box_list {
    struct access_box *items;
    size_t count, capacity;
};
enum dm_status access_keep_box(struct access_box_list *boxes, const struct access_box *box);
/* access_weave.c: boxes that fill each other's gaps become one; how many are left. */
size_t access_weave(struct access_box *boxes, size_t count, size_t dims);
/* access_threads.c: adds the boxes of a restricted map whose image for each thread of a block, by
 * one of its coordinates, is one; `found`: there is such a coordinate. */
enum dm_status access_by_threads(const struct partition_launch *launch, isl_map *map,
                                 const struct access_target *target, struct access_box_list *boxes,
                                 bool *found);
/* access_direct.c: adds the boxes of a map, where ranges of the coordinates give them; `found`:
 * they do, else nothing is added. `form` may be NULL. */
enum dm_status access_direct(const struct partition_launch *launch,
                             const struct partition_part *part, const struct affine_form *form,
                             bool write, struct access_box_list *boxes, bool *found);
/* By the method; adds to the intervals or to the boxes. Takes `set`. */
enum dm_status access_by_pieces(struct access_target *target, isl_set *set,
                                enum partition_access method, struct access_box_list *boxes);

#endif
