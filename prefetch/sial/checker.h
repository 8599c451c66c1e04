/* checker.h: what the parts of the checker share. */
#ifndef PREFETCH_SIAL_CHECKER_H
#define PREFETCH_SIAL_CHECKER_H

#include "prefetch/sial/names.h"

/* Where a statement stands. */
struct scope {
    struct compiler *compiler;
    struct procedure *procedure;
    struct call **calls_end; /* of the procedure */
    bool is_main;            /* the statements outside of procedures */
    int loop_count;
    struct statement *loops[SIAL_NESTED_MAX]; /* the innermost last */
    struct statement *pardo;                  /* the enclosing one, NULL: none */
    bool in_where;                            /* only what every worker knows may be read */
};

struct constant {
    enum value_type type;
    double value;
};
/* The value of an expression that is known now; anything else in it is an error. */
struct constant sial_evaluate(struct compiler *compiler, const struct expression *expression);

/* int or scalar; blocks may occur as products of two. */
enum value_type sial_check_number(struct scope *scope, struct expression *expression);
void sial_check_condition(struct scope *scope, struct expression *expression);

/* The position of an index that a loop gives a value, as far as can be seen here. */
int sial_check_index(struct scope *scope, struct name name);
/* Whether a loop that is open here runs over the index. */
bool sial_is_looped(const struct scope *scope, const char *index);

/* Resolves the names of a block. */
struct sial_array *sial_check_block(struct scope *scope, struct block *block);
/* That no index stands twice in it, and that it can be read in a computation. */
void sial_check_operand(struct scope *scope, struct block *block);
/* That both have the same indices, in any order. */
void sial_check_permutation(struct scope *scope, const struct block *one,
                            const struct block *other);
void sial_check_block_statement(struct scope *scope, struct statement *statement);
/* get, put, request, prepare, allocate, deallocate */
void sial_check_transfer(struct scope *scope, struct statement *statement);
void sial_check_execute(struct scope *scope, struct statement *statement);

/* Notes a call or a statement that must not be reached from a pardo. */
void sial_note_call(struct scope *scope, const struct statement *statement);
void sial_note_alone(struct scope *scope, const char *what, struct place place);
/* What holds through calls: no recursion, no forbidden statement in a pardo, limits of nesting. */
void sial_check_calls(struct compiler *compiler);

const char *sial_index_kind_name(enum sial_index_kind kind);
const char *sial_array_kind_name(enum sial_array_kind kind);

#endif
