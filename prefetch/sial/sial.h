/* sial.h: from the text of a SIAL program to its bytecode.
 *
 *     file --lexer--> tokens --parser--> tree --checker--> names and types --generator--> bytecode
 *
 * Errors are reported as file:line:column, what is wrong and what was expected, the source line,
 * and a mark under the place. The first error ends the compilation. */
#ifndef PREFETCH_SIAL_SIAL_H
#define PREFETCH_SIAL_SIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bytecode.h"

/* The value of a `predefined` int or scalar; names are as little case-sensitive as in the program.
 */
struct sial_definition {
    const char *name;
    double value;
};

struct sial_error {
    char text[1024]; /* several lines, without an end of line at the end */
};

/* Compiles a file and what it imports (searched beside the importing file). NULL and an error if it
 * cannot be read or is wrong, if a predefined name has no definition, or there is no memory. A
 * definition that the program does not declare is an error too. */
struct sial_program *sial_compile(const char *path, const struct sial_definition *definitions,
                                  size_t count, struct sial_error *error);

/* The same from memory; `text` need not end in 0. */
struct sial_program *sial_compile_text(const char *name, const char *text, size_t length,
                                       const struct sial_definition *definitions, size_t count,
                                       struct sial_error *error);

void sial_free(struct sial_program *program);

/* Tables and instructions, one per line, to read. */
void sial_disassemble(const struct sial_program *program, FILE *file);

/* `put_test.sialx:22: get a[i,j]`: where an instruction comes from, for messages of the run time.
 */
void sial_describe(const struct sial_program *program, int instruction, char *text, size_t bytes);

/* The names of operands and arrays in messages: a[i,j]. */
enum { SIAL_DESCRIPTION_BYTES = 640 }; /* enough for any block */
void sial_describe_operand(const struct sial_program *program, int operand, char *text,
                           size_t bytes);

#endif
