/* prefetch_program.h: SIAL programs: compiling them, and the super instructions that they call.
 * What runs them is in datamotion/prefetch.h, which includes this file. Link with
 * -ldatamotion-prefetch (pkg-config datamotion-prefetch).
 *
 * SIAL is a small language for arrays that are cut into blocks: `get a[i,j]` brings a block from a
 * server, `x[i,j] = a[i,k] * b[k,j]` contracts two, `pardo i, j` deals iterations to workers. The
 * grammar is in prefetch/sial/README.md of the source tree.
 *
 * Errors are reported as datamotion/status.h says. Source: Peshne, Enhancements to looping
 * constructs by prefetching and exploiting GPU (University of Florida, 2018), chapter 3 and
 * appendix A. */
#ifndef DATAMOTION_PREFETCH_PROGRAM_H
#define DATAMOTION_PREFETCH_PROGRAM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <datamotion/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- programs ---- */

/* The value of a `predefined` int or scalar. Names are not case-sensitive. */
struct prefetch_definition {
    const char *name;
    double value;
};

/* A compiled program, which does not change any more. */
struct prefetch_program;

/* Compiles a file and what it imports, which is searched beside the importing file.
 *
 * DM_INVALID: the program is wrong; the sentence begins with FILE:LINE:COLUMN, and two more lines
 * show the line of the source with a mark below the place. Or: a predefined name has no definition,
 * a definition is given twice or the program does not declare it, a file is too long or no text.
 * DM_FAILED: a file cannot be read. DM_NO_MEMORY. Then *program is NULL. */
DM_API enum dm_status prefetch_compile(struct prefetch_program **program, const char *path,
                                       const struct prefetch_definition *definitions, size_t count);

/* The same from memory; `text` need not end in 0, and `name` stands for the file in messages. */
DM_API enum dm_status prefetch_compile_text(struct prefetch_program **program, const char *name,
                                            const char *text, size_t length,
                                            const struct prefetch_definition *definitions,
                                            size_t count);

DM_API void prefetch_free(struct prefetch_program *program);

/* The name behind `sial`. */
DM_API const char *prefetch_program_name(const struct prefetch_program *program);

/* The name of an array by its position, as events give it (datamotion/prefetch.h); NULL if there is
 * none. */
DM_API const char *prefetch_array_name(const struct prefetch_program *program, int array);

/* Writes the tables and the bytecode, one entry per line, to read. */
DM_API void prefetch_disassemble(const struct prefetch_program *program, FILE *file);

/* ---- super instructions: functions that a program calls by `execute NAME arguments` ---- */

enum { PREFETCH_RANK_MAX = 8, PREFETCH_ARGUMENTS_MAX = 8 };

enum prefetch_argument_kind {
    PREFETCH_ARGUMENT_BLOCK,
    PREFETCH_ARGUMENT_SCALAR,
    PREFETCH_ARGUMENT_NUMBER,
    PREFETCH_ARGUMENT_INT,
    PREFETCH_ARGUMENT_INDEX,
    PREFETCH_ARGUMENT_STRING
};

struct prefetch_argument {
    enum prefetch_argument_kind kind;
    double
        number; /* scalar, number, int, index; a scalar is written back if its letter is w or u */
    const char *string;
    struct {
        double *data; /* in host memory, row-major */
        int rank;
        int extent[PREFETCH_RANK_MAX];
        int segment[PREFETCH_RANK_MAX]; /* which segment of its index, from the index's value */
        int64_t number;                 /* of the block within its array */
        const char *array;
    } block;
};

/* What a super instruction may ask for. */
struct prefetch_context {
    uint64_t seed; /* of the run */
    int worker;
    FILE *output;                                         /* NULL on all but worker 0 */
    void (*set_prefetch)(void *worker_state, int blocks); /* of all statements, from now on */
    void *worker_state;
};

/* NAME is what a program declares with `special`, together with the signature: one letter per
 * argument, r reads, w writes, u reads and changes. `run` returns DM_OK, or what dm_fail returned:
 * then the run fails with this sentence behind the statement's place. */
struct prefetch_instruction {
    const char *name, *signature, *meaning;
    enum dm_status (*run)(struct prefetch_argument *arguments, int count,
                          struct prefetch_context *context);
};

/* Adds to the ones that every program can use; all ranks must, before they run a program that
 * declares it. The texts must stay valid. Not while another thread runs a program. DM_INVALID: the
 * name is taken, the signature has other letters or too many, or the table is full. */
DM_API enum dm_status prefetch_register(const struct prefetch_instruction *instruction);

/* All super instructions, ended by one whose name is NULL. */
DM_API const struct prefetch_instruction *prefetch_instructions(void);

#ifdef __cplusplus
}
#endif
#endif
