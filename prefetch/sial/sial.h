/* sial.h: from the text of a SIAL program to its bytecode (datamotion/prefetch_program.h), and back
 * to the text for messages.
 *
 *     file --lexer--> tokens --parser--> tree --checker--> names and types --generator--> bytecode
 *
 * The first error ends the compilation. */
#ifndef PREFETCH_SIAL_SIAL_H
#define PREFETCH_SIAL_SIAL_H

#include <stdio.h>

#include <datamotion/prefetch_program.h>

#include "bytecode.h"

/* `put_test.sialx:22: get a[i,j]`: where an instruction comes from. */
void sial_describe(const struct prefetch_program *program, int instruction, char *text,
                   size_t bytes);

/* The names of operands and arrays in messages: a[i,j]. */
enum { SIAL_DESCRIPTION_BYTES = 640 }; /* enough for any block */
void sial_describe_operand(const struct prefetch_program *program, int operand, char *text,
                           size_t bytes);

#endif
