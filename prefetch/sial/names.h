/* names.h: what the names of a program stand for. There is one set of names; upper and lower case
 * are the same. */
#ifndef PREFETCH_SIAL_NAMES_H
#define PREFETCH_SIAL_NAMES_H

#include "prefetch/sial/tree.h"

enum symbol_kind {
    SYMBOL_INDEX,
    SYMBOL_ARRAY,
    SYMBOL_SCALAR,
    SYMBOL_INT,
    SYMBOL_CONSTANT,
    SYMBOL_PREDEFINED,
    SYMBOL_SPECIAL,
    SYMBOL_PROCEDURE
};

struct symbol {
    struct name name;
    enum symbol_kind kind;
    struct symbol *next; /* in its bucket */
    int position;        /* in the program's table */
    double value;        /* of constants and predefined names */
    enum value_type type;
    struct procedure *procedure;
};

/* An error if the name is taken. */
struct symbol *sial_declare(struct compiler *compiler, struct name name, enum symbol_kind kind);

/* An error if there is no such name; it offers one that is nearly written so. */
struct symbol *sial_find(struct compiler *compiler, struct name name);

/* The same, and an error unless it is of this kind. */
struct symbol *sial_find_kind(struct compiler *compiler, struct name name, enum symbol_kind kind);

/* `an index`, `a super instruction` in messages. */
const char *sial_symbol_kind_text(enum symbol_kind kind);

/* Letters to change, add or drop to get from one name to the other; more than `most` is most + 1.
 */
int sial_distance(const char *left, const char *right, int most);

#endif
