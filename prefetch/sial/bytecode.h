/* bytecode.h: a compiled SIAL program, as the interpreter executes it.
 *
 * Everything that the compiler can know is resolved: bounds of indices are numbers, names are
 * positions in the tables below. Scalar expressions run on a stack of doubles (ints are exact up to
 * 2^53); block statements name their operands in the table of operands.
 *
 * Source: the language of Peshne 2018, 3.3 and appendix A; README.md in this folder has the
 * grammar. */
#ifndef PREFETCH_SIAL_BYTECODE_H
#define PREFETCH_SIAL_BYTECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/prefetch_program.h>

enum {
    SIAL_RANK_MAX = PREFETCH_RANK_MAX, /* dimensions of an array, indices of a pardo */
    SIAL_ARGUMENTS_MAX = PREFETCH_ARGUMENTS_MAX,
    SIAL_STACK_MAX = 64, /* depth of an expression */
    SIAL_CALLS_MAX = 64, /* procedures active at a time */
    SIAL_NESTED_MAX = 32 /* loops active at a time */
};

/* Kinds of indices. A segment of a kind has the same length everywhere; a simple index counts, so
 * its segment is 1. */
enum sial_index_kind {
    SIAL_SIMPLE, /* index */
    SIAL_AO,     /* aoindex: atomic orbitals */
    SIAL_MO,     /* moindex: molecular orbitals */
    SIAL_MOA,    /* moaindex: of alpha spin */
    SIAL_MOB,    /* mobindex: of beta spin */
    SIAL_LA,     /* laindex: none of these */
    SIAL_INDEX_KINDS
};

struct sial_index {
    char *name;
    enum sial_index_kind kind;
    int low, high; /* inclusive; high < low: no values */
};

enum sial_array_kind {
    SIAL_STATIC,      /* every worker holds all blocks, zero at the start */
    SIAL_TEMP,        /* one block at a time, for the current computation */
    SIAL_LOCAL,       /* blocks of this worker, from allocate to deallocate */
    SIAL_DISTRIBUTED, /* blocks on servers: get, put */
    SIAL_SERVED       /* blocks on servers, on disk rather than in memory: request, prepare */
};

struct sial_array {
    char *name;
    enum sial_array_kind kind;
    int rank;
    int indices[SIAL_RANK_MAX]; /* positions in `indices`: kind and range of each dimension */
    bool created;               /* a statement `create` names it; else it exists from the start */
};

/* A block in a statement: array[index, index, ...]. */
struct sial_operand {
    int array;
    int indices[SIAL_RANK_MAX]; /* positions in `indices`; -1: * (allocate and deallocate only) */
};

struct sial_scalar {
    char *name;
    double initial;
};

struct sial_int {
    char *name;
    int64_t initial;
};

/* `special NAME SIGNATURE`: a super instruction. One letter per argument: r reads, w writes, u
 * reads and changes. */
struct sial_special {
    char *name;
    char *signature;
};

struct sial_argument {
    enum prefetch_argument_kind kind;
    int position; /* operand, scalar, number, int, index or string */
};
struct sial_execute {
    int special;
    int count;
    struct sial_argument arguments[SIAL_ARGUMENTS_MAX];
};

/* A pardo, or a do (which has one index). */
struct sial_loop {
    bool parallel;
    int count;
    int indices[SIAL_RANK_MAX];
    int where_begin, where_end; /* instructions that leave 1 or 0 on the stack; equal: no condition.
                                   They read only indices, ints, numbers. */
    int nonzero;                /* operand of the clause `nonzero A[i,j]`, -1: none */
    int end;                    /* instruction after the loop */
};

/* A statement get or request: prefetching is counted and set per site. */
struct sial_site {
    int operand;
    int loop; /* the innermost enclosing loop with an index of the operand; -1: none, no
                 prefetching. Only within the same procedure. */
    int instruction;
};

/* How a block or scalar statement changes its target. */
enum sial_mode { SIAL_SET, SIAL_ADD, SIAL_SUBTRACT };

/* [..] is what an operation takes from the stack, the last one on top. a, b, c, d are the fields of
 * the instruction. */
enum sial_operation {
    SIAL_HALT,
    /* expressions */
    SIAL_PUSH_NUMBER, /* a: number */
    SIAL_PUSH_SCALAR, /* a: scalar */
    SIAL_PUSH_INT,    /* a: int */
    SIAL_PUSH_INDEX,  /* a: index; an error if no loop gives it a value */
    SIAL_PUSH_DOT,    /* a, b: operands with the same indices in any order: full contraction */
    SIAL_PLUS,        /* [x, y] */
    SIAL_MINUS,       /* [x, y] */
    SIAL_TIMES,       /* [x, y] */
    SIAL_DIVIDE,      /* [x, y] */
    SIAL_DIVIDE_INT,  /* [x, y]: rounded towards 0; an error if y is 0 */
    SIAL_NEGATE,      /* [x] */
    SIAL_SQUARE_ROOT, /* [x] */
    SIAL_ABSOLUTE,    /* [x] */
    SIAL_TRUNCATE,    /* [x]: (int) x, rounded towards 0; an error if |x| > 2^53 or not a number */
    SIAL_LESS,        /* [x, y] */
    SIAL_LESS_EQUAL,  /* [x, y] */
    SIAL_GREATER,     /* [x, y] */
    SIAL_GREATER_EQUAL, /* [x, y] */
    SIAL_EQUAL,         /* [x, y] */
    SIAL_NOT_EQUAL,     /* [x, y] */
    SIAL_AND,           /* [x, y], of 0 and 1 */
    SIAL_OR,            /* [x, y], of 0 and 1 */
    SIAL_NOT,           /* [x] */
    SIAL_STORE_SCALAR,  /* [x]; a: scalar, d: mode */
    SIAL_STORE_INT,     /* [x]; a: int, d: mode */
    SIAL_COLLECTIVE,    /* a += sum of b over all workers; a, b: scalars */
    /* blocks; d: mode. alpha, beta on the stack */
    SIAL_BLOCK_FILL, /* [alpha]; a: target; every element */
    SIAL_BLOCK_COPY, /* [alpha]; a: target, b: source, scaled and permuted by index names */
    SIAL_BLOCK_SUM,  /* [alpha, beta]; a: target, b, c: sources: alpha b + beta c, both permuted */
    SIAL_BLOCK_CONTRACT, /* [alpha]; a: target, b, c: sources; indices that b and c share and a
                            lacks are summed over */
    SIAL_BLOCK_SCALE,    /* [alpha]; a: target *= alpha */
    SIAL_ALLOCATE,       /* a: operand, of a local array */
    SIAL_DEALLOCATE,     /* a: operand, of a local array */
    SIAL_CREATE,         /* a: array */
    SIAL_DELETE,         /* a: array */
    SIAL_GET,            /* a: operand, b: site; get of a distributed, request of a served array */
    SIAL_PUT, /* a: operand on the server, b: operand of the worker, d: SIAL_SET or SIAL_ADD; put
                 or prepare. Indices in the same order. */
    /* flow */
    SIAL_LOOP_BEGIN,   /* a: loop; jumps to its end if there is nothing to do */
    SIAL_LOOP_END,     /* a: loop; the next index set, back to the instruction after LOOP_BEGIN */
    SIAL_LOOP_EXIT,    /* a: loop (a do); leaves it */
    SIAL_JUMP,         /* a: instruction */
    SIAL_JUMP_IF_ZERO, /* [x]; a: instruction */
    SIAL_CALL,         /* a: instruction */
    SIAL_RETURN,
    /* the rest */
    SIAL_EXECUTE,      /* a: execute */
    SIAL_PRINT_STRING, /* a: string; printed by worker 0 */
    SIAL_PRINT_NUMBER, /* [x]; a: 1 if x is an int */
    SIAL_PRINT_END,    /* end of the line */
    SIAL_SIP_BARRIER,
    SIAL_SERVER_BARRIER,
    SIAL_GPU_ON,
    SIAL_GPU_OFF,
    SIAL_OPERATIONS
};

struct sial_instruction {
    uint8_t operation; /* enum sial_operation */
    uint8_t d;
    uint16_t file;
    int32_t line, column; /* of the statement, from 1 */
    int32_t a, b, c;
};

struct sial_file {
    char *name;
    char *text;          /* ended by 0 */
    size_t *line_starts; /* position of each line in text */
    size_t lines;
};

struct prefetch_program {
    char *name;
    struct sial_file *files; /* the program and what it imports; 0: the program itself */
    struct sial_index *indices;
    struct sial_array *arrays;
    struct sial_scalar *scalars;
    struct sial_int *ints;
    struct sial_special *specials;
    struct sial_operand *operands;
    struct sial_execute *executes;
    struct sial_loop *loops;
    struct sial_site *sites;
    struct sial_instruction *instructions; /* execution starts at 0 and ends at SIAL_HALT */
    double *numbers;
    char **strings;
    int file_count, index_count, array_count, scalar_count, int_count, special_count, operand_count,
        execute_count, loop_count, site_count, instruction_count, number_count, string_count;
    int segment[SIAL_INDEX_KINDS]; /* length of a segment as declared in the program; 0: not
                                      declared */
};

const char *sial_operation_name(enum sial_operation operation);

/* Elements of a block of the array, given the lengths of segments by index kind (that of simple
 * indices is 1 whatever is given); SIZE_MAX if the number does not fit. extents (may be NULL) gets
 * one length per dimension. */
size_t sial_block_elements(const struct prefetch_program *program, int array, const int *segments,
                           int *extents);

/* Number of blocks of the array: the product of its ranges. */
int64_t sial_block_count(const struct prefetch_program *program, int array);

/* The number of the block at these segment values, row-major from 0; -1 if one is out of its range.
 */
int64_t sial_block_number(const struct prefetch_program *program, int array, const int *values);

#endif
