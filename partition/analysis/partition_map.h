/* partition_map.h: from Polly's description of the wrapped kernels to the data
 * base (database.h).
 *
 * Three files of partition-wrap go in: the coordinates of each kernel's grid
 * loops, the static control parts that Polly found ("scops"), and the IR in
 * which it looked for them. A scop says what a kernel accesses only
 * if it holds all of the kernel, so the IR is counted and searched for what
 * Polly does not see or passes over; whatever is left over is a reason to
 * refuse the kernel. */
#ifndef PARTITION_MAP_H
#define PARTITION_MAP_H

#include <isl/map.h>
#include <isl/set.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a parameter of Polly's sets stands for. */
enum map_meaning {
    MAP_ARGUMENT, /* a scalar argument */
    MAP_LAUNCH,   /* launch_size_x, ... */
    MAP_DEFINED,  /* an expression of these, evaluated at launch */
    MAP_UNKNOWN   /* depends on data, or cannot be evaluated at launch */
};

struct map_parameter {
    char *name; /* in the maps */
    char *expression;
    enum map_meaning meaning;
};

struct map_access {
    isl_map *map;
    bool write;
    unsigned domain_dims; /* of the iteration space: grid coordinates and the kernel's own loops */
};

struct map_argument {
    char *name, *type;
    unsigned bits, element_bits, level;
    char fundamental;
    bool integer; /* a scalar on which an index can depend */
    char **sizes; /* of the inner dimensions, as text */
    size_t size_count;
    struct map_access *accesses;
    size_t access_count;
    isl_map *read, *write; /* unions of the accesses; NULL: none */
    char *whole;           /* why every element must be assumed read; NULL: it must not */
    bool injective;
    bool may_write;   /* some elements perhaps, which are then read as well */
    size_t structure; /* of a member of a structure: the structure's number, and 1; 0: it is none */
    size_t offset;    /* ... and the byte where it begins there */
    char *reduction;  /* the atomic operation by which alone it is updated; NULL: none */
};

/* What an argument points to. */
struct map_element {
    size_t argument;
    unsigned bits;
    char fundamental;
};

struct map_kernel {
    char *name;
    char **coordinates; /* gx, ox, bx, tx, ...: outermost first */
    size_t coordinate_count;
    unsigned counters; /* a bit for each coordinate whose loop is in the IR */
    struct map_argument *arguments;
    size_t argument_count;
    struct map_parameter *parameters;
    size_t parameter_count;
    char **locals; /* arrays of a thread */
    size_t local_count;
    char **members; /* lines `ARGUMENT STRUCTURE BYTE` */
    size_t member_count;
    struct map_element *elements;
    size_t element_count;
    char **reductions; /* of each argument; NULL: none is updated by atomic operations */
    size_t reduction_count;
    size_t ir_accesses, scop_accesses;
    size_t scops;
    bool is_seen_whole; /* the scop ends where the loops over the grid do */
    char **constants;   /* constant arrays that it names */
    size_t constant_count;
    bool reads_constants; /* reads __constant__ variables or constant tables */
    bool is_defined;      /* in the IR: what was refused before need not be */
    bool grid_stride;     /* a loop steps by the size of the grid */
    isl_set *invalid;     /* parameters for which the scop is wrong */
    char split;
    bool is_wrapped; /* what refuses it, if anything does, was found later than by partition-wrap */
    char *refusal;   /* the first reason; NULL: accepted */
    char *touches;   /* of partition-wrap, as it goes into the data base; NULL: unknown */
    char *
        forgotten; /* letters of arguments: r: what is read of it was left out; NULL: nothing was */
};

struct map_module {
    const char *source;
    isl_ctx *isl;
    struct map_kernel *kernels;
    size_t kernel_count;
};

/* ---- partition_map_text.c: memory that lives until the end, files, lines ----
 */

/* One sentence on stderr, exit code 1. */
void map_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void *map_allocate(size_t bytes); /* zeroed; released by map_release */
void map_release(void);
char *map_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *map_copy(const char *begin, size_t length);
/* `items` with room for one more than `count`; call it before each append. */
void *map_grow(void *items, size_t count, size_t item_bytes);

/* All of it; ends the program if it cannot be read or is no text. */
char *map_read_file(const char *path);
struct map_lines {
    const char *path;
    char **items; /* without spaces at both ends */
    size_t count;
};
struct map_lines map_read_lines(const char *path);
bool map_starts(const char *text, const char *prefix);
/* Length of the identifier ([A-Za-z0-9_.$]) at the beginning of the text. */
size_t map_name_length(const char *text);
/* Polly's way to make a name of the IR one of isl. */
char *map_isl_name(const char *name, size_t length);

/* ---- one step each ---- */

/* Keeps the first reason. */
void map_refuse(struct map_kernel *kernel, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct map_kernel *map_find_kernel(struct map_module *module, const char *name, size_t length);
struct map_argument *map_find_argument(struct map_kernel *kernel, const char *name);
/* Takes `invalid`: parameters for which the analysis does not hold; NULL ends the program. */
void map_add_invalid(struct map_kernel *kernel, isl_set *invalid);
bool map_has_coordinate(const struct map_kernel *kernel, char kind, char dimension);

/* Once the arguments are known: what was left out is everything. */
void map_mark_forgotten(struct map_kernel *kernel);
/* Once the arguments are known; false: there are no such arguments. */
bool map_find_members(struct map_kernel *kernel);
void map_read_coordinates(struct map_module *module, const char *path);
void map_read_ir(struct map_module *module, const char *path);
/* What one line of a kernel's body means for it. `pure`: functions without
 * effects. */
struct map_names {
    char **items;
    size_t count;
};
bool map_contains(const struct map_names *names, const char *name, size_t length);
void map_add_name(struct map_names *names, const char *name, size_t length);
struct map_symbols {
    struct map_names variables, constants; /* __device__; __constant__ and constant tables */
};
struct map_symbols map_read_symbols(const struct map_lines *lines);
/* What one line of a kernel's body means for it. */
void map_judge_line(struct map_kernel *kernel, const struct map_symbols *symbols, const char *line);
/* Whether lines first .. last - 1 hold a loop that steps by the size of the
 * grid. */
bool map_has_grid_stride(const struct map_lines *lines, size_t first, size_t last);
void map_read_arguments(struct map_kernel *kernel, const char *define);
/* Fills bits, element_bits, level, fundamental of the argument from its LLVM
 * type. */
void map_read_type(struct map_argument *argument);
/* Of single bytes if nothing is known. */
struct map_element map_find_element(const struct map_kernel *kernel, size_t argument);
/* Pointers of LLVM 15 and later do not say to what. */
bool map_is_opaque_pointer(const char *type);

void map_read_scops(struct map_module *module, const char *path);
/* Fills the parameter's meaning from its value as partition_wrap_scops.h describes it; a defined
 * one's expression becomes that of the data base, and values that its type does not have are
 * invalid. */
void map_classify_parameter(struct map_kernel *kernel, isl_ctx *isl,
                            struct map_parameter *parameter, const json_t *value);
/* Adds a parameter whose value at launch is that of the expression. */
void map_add_definition(struct map_kernel *kernel, const char *name, const char *expression);
/* The parameter's value if all others have the values of `value`. */
int64_t map_evaluate(const char *expression, int64_t (*value)(void *context, const char *name),
                     void *context);
/* An access of the scop: `relation` is Polly's, within `domain`. */
enum map_access_kind { MAP_READ, MAP_MUST_WRITE, MAP_MAY_WRITE };
void map_add_access(struct map_kernel *kernel, enum map_access_kind kind, isl_map *relation,
                    isl_set *domain);
/* After all accesses: whole reads, unions, rules about the kernel as a whole.
 */
void map_finish_kernel(struct map_kernel *kernel, isl_ctx *isl);

bool map_is_injective(const struct map_kernel *kernel, const struct map_argument *argument);
/* The dimension whose halves have the fewest bytes to read in common, and then
 * the fewest runs of elements; - if there is none whose halves write different
 * elements. */
char map_choose_split(const struct map_kernel *kernel);
void map_write_kernel(const struct map_module *module, struct map_kernel *kernel);
/* partition_map_instead.c: writes an earlier data base, in which the kernels that are accepted now
 * take the place of their refusals. */
void map_write_instead(const struct map_module *module, const char *earlier);

#endif
