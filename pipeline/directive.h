/* directive.h: the pipeline extension of OpenMP, from its text to a region (region.h).
 *
 * Two forms of the same directive. The first says how a loop is cut, the second who copies:
 *
 *     #pragma omp target teams distribute
 *         map(pipeline(k, chunk_size, overlap), to: A0[k-1:3][0:ny][0:nx])
 *         map(pipeline(k, chunk_size, overlap), from: Anext[k:1][0:ny][0:nx])
 *         iterator(k = 1:nz-1)
 *
 *     #pragma omp target teams distribute
 *         map(pipeline(i, to, num_block): A[i-1:3][0:n], pipeline(i, from, num_block): B[i:1][0:n])
 *         iterator(i = 1:n-1)
 *
 * Lines of a directive are joined by backslashes. A range is begin:end, end excluded, or
 * begin:end:step. A bracket is begin:length as in OpenMP; the one whose begin moves with the
 * iterator is the split dimension, and its length is what one iteration needs. Expressions hold
 * integers, named constants and the iterator. Source: Cui, 3.2 and 4.2.1. */
#ifndef PIPELINE_DIRECTIVE_H
#define PIPELINE_DIRECTIVE_H

#include <stdbool.h>

#include <datamotion/region.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DIRECTIVE_TEXT = 4096, /* bytes of the longest directive, with its 0 */
    DIRECTIVE_NAME = 64,
    DIRECTIVE_ITEMS = DM_REGION_ARRAYS,
    DIRECTIVE_DIMENSIONS = 8,
    DIRECTIVE_SPLITS = 2, /* dimensions of one array that may move with the iterator */
    DIRECTIVE_OTHERS = 16,
    DIRECTIVE_NODES = 1024,
    DIRECTIVE_ABSENT = -1 /* in the place of a node: the directive does not say it */
};

/* Where the text is wrong and why: one sentence. Lines and columns (bytes) count from 1. */
struct directive_error {
    int line, column;
    char text[256];
};

struct directive_place {
    int line, column;
};

/* One node of an expression: a number, a name, or an operator with one or two operands. */
struct directive_node {
    enum directive_operator {
        DIRECTIVE_NUMBER,
        DIRECTIVE_CONSTANT, /* a named one: `name` */
        DIRECTIVE_ITERATOR,
        DIRECTIVE_NEGATE,
        DIRECTIVE_ADD,
        DIRECTIVE_SUBTRACT,
        DIRECTIVE_MULTIPLY,
        DIRECTIVE_DIVIDE,
        DIRECTIVE_REMAINDER
    } kind;
    long number;
    int name, name_length; /* in the text */
    int left, right;       /* nodes */
    struct directive_place place;
};

struct directive_bracket {
    int begin, length; /* nodes; length may be DIRECTIVE_ABSENT: 1 */
    bool split;        /* begin moves with the iterator */
    struct directive_place place;
};

/* One array section of a map clause. */
struct directive_item {
    char name[DIRECTIVE_NAME];
    struct directive_place place;
    enum dm_region_direction direction; /* DM_REGION_TOFROM if the directive does not say it */
    bool direction_given;
    bool pipelined;                /* else plain map: the whole array, all the time */
    char iterator[DIRECTIVE_NAME]; /* that pipeline(...) names */
    struct directive_place iterator_place;
    int chunk_size, overlap; /* nodes of the first form, or DIRECTIVE_ABSENT */
    int num_block;           /* node of the second form, or DIRECTIVE_ABSENT */
    struct directive_bracket brackets[DIRECTIVE_DIMENSIONS];
    int dimensions;
};

enum directive_form {
    DIRECTIVE_EITHER, /* pipeline(k) belongs to both */
    DIRECTIVE_CHUNKS, /* chunk_size and overlap (3.2) */
    DIRECTIVE_BLOCKS  /* dirc and num_block (4.2.1) */
};

/* A clause that is not the extension's: device(1), private(j), nowait. Kept as it stands. */
struct directive_clause {
    int text, length; /* in the text */
};

struct directive {
    char text[DIRECTIVE_TEXT];
    enum directive_form form;
    bool parallel, simd;           /* of `target teams distribute [parallel for] [simd]` */
    char iterator[DIRECTIVE_NAME]; /* empty: no iterator clause */
    int begin, end, step;          /* nodes; step may be DIRECTIVE_ABSENT: 1 */
    struct directive_item items[DIRECTIVE_ITEMS];
    int item_count;
    struct directive_clause others[DIRECTIVE_OTHERS];
    int other_count;
    struct directive_node nodes[DIRECTIVE_NODES];
    int node_count;
};

/* Reads the directive. On failure returns false and fills *error; *directive is then of no use. */
bool directive_parse(const char *text, struct directive *directive, struct directive_error *error);

/* Writes the directive on one line in one spelling: parsing it gives the same directive. Returns
 * what snprintf would. */
int directive_print(const struct directive *directive, char *text, size_t bytes);

/* What the names of a directive stand for. */
struct directive_constant {
    const char *name;
    long value;
};

struct directive_array {
    const char *name;
    void *host; /* row-major; NULL for an array mapped with `alloc` */
    size_t element_bytes;
    int dimensions;
    long extents[DIRECTIVE_DIMENSIONS]; /* elements, slowest dimension first */
};

struct directive_names {
    const struct directive_constant *constants;
    int constant_count;
    const struct directive_array *arrays; /* in the order in which the launch function has views */
    int array_count;
};

/* A directive whose names have values. What it does not say has these values: chunk size 1 (Cui,
 * 3.4.2), overlap DIRECTIVE_OVERLAP, 0 blocks, which leaves the choice to the scheduler. */
struct directive_loop {
    struct dm_region region;
    long chunk_size;
    int streams;
    long num_block[DM_REGION_ARRAYS]; /* blocks that copy this array; 0: not said */
};

enum { DIRECTIVE_OVERLAP = 2 };

/* Makes a region of the directive, array a being names->arrays[a]. Its iterations are those of the
 * loop divided by the step; an iteration's slice is as many elements of the split dimension as one
 * step moves. Slices are copied with all of their other dimensions, whose brackets must lie within
 * the array. The region is not `ordered`: a loop that is distributed has no order; a caller who
 * needs one sets it. names and what they point to must outlive the region. On failure returns false
 * and fills *error with the place in the directive. */
bool directive_bind(const struct directive *directive, const struct directive_names *names,
                    dm_region_launch *launch, const void *context, struct directive_loop *loop,
                    struct directive_error *error);

#ifdef __cplusplus
}
#endif
#endif
