/* generator.h: what the parts of the generator share. */
#ifndef PREFETCH_SIAL_GENERATOR_H
#define PREFETCH_SIAL_GENERATOR_H

#include "prefetch/sial/names.h"

/* What is finished at the end: a call (its instruction), the conditions of a pardo (its loop). */
struct later {
    struct later *next;
    const struct statement *statement;
    int position;
};

struct generator {
    struct compiler *compiler;
    struct prefetch_program *program;
    struct place place; /* of the statement */
    int stack;          /* numbers on the stack after the last instruction */
    int loop_count;
    int loops[SIAL_NESTED_MAX]; /* open in this procedure, the innermost last */
    struct later *calls, *wheres;
};

struct operands {
    int a, b, c;
    int d;
};

/* Adds an instruction; its position. */
int sial_emit(struct generator *generator, enum sial_operation operation, struct operands operands);
int sial_emit_plain(struct generator *generator, enum sial_operation operation);

/* Positions in the tables of the program. */
int sial_add_operand(struct generator *generator, const struct block *block);
int sial_add_number(struct generator *generator, double number);
int sial_add_string(struct generator *generator, const char *string);
/* The site of the get that is emitted next. */
int sial_add_site(struct generator *generator, int operand);

/* Code that leaves the value on the stack. */
void sial_emit_expression(struct generator *generator, const struct expression *expression);
/* The product of all factors that are no blocks. */
void sial_emit_factor_of_blocks(struct generator *generator, const struct expression *expression);

void sial_emit_statements(struct generator *generator, const struct statement *statements);
void sial_emit_transfer(struct generator *generator, const struct statement *statement);
void sial_emit_block_statement(struct generator *generator, const struct statement *statement);
void sial_emit_execute(struct generator *generator, const struct statement *statement);
void sial_emit_call(struct generator *generator, const struct statement *statement);

/* The conditions of a pardo are emitted when everything else is. */
void sial_note_where(struct generator *generator, int loop, const struct statement *statement);

#endif
