/* tree.h: what the parser makes of the text. Fields marked (checker) are filled in by the checker.
 */
#ifndef PREFETCH_SIAL_TREE_H
#define PREFETCH_SIAL_TREE_H

#include "prefetch/sial/compiler.h"

enum value_type { VALUE_INT, VALUE_SCALAR, VALUE_CONDITION };

/* array[index, ...] */
struct block {
    struct name array;
    int rank;
    struct name indices[SIAL_RANK_MAX]; /* text NULL: * */
    int position;                       /* (checker) of the array */
    int index[SIAL_RANK_MAX];           /* (checker) positions of the indices; -1: * */
};

enum expression_kind {
    EXPRESSION_NUMBER,
    EXPRESSION_NAME,
    EXPRESSION_BLOCK,
    EXPRESSION_STRING, /* items of print, arguments of execute */
    EXPRESSION_SUM,
    EXPRESSION_PRODUCT,
    EXPRESSION_NEGATE,
    EXPRESSION_SQUARE_ROOT,
    EXPRESSION_ABSOLUTE,
    EXPRESSION_TO_INT,
    EXPRESSION_TO_SCALAR,
    EXPRESSION_COMPARE,
    EXPRESSION_AND,
    EXPRESSION_OR,
    EXPRESSION_NOT
};

/* Sums and products hold any number of operands, joined from left to right: a long one needs no
 * deep tree, and a term of a block statement lies flat. */
struct expression {
    enum expression_kind kind;
    struct place place;
    struct expression *first; /* operand */
    struct expression *next;  /* operand, item or argument */
    bool inverse;             /* this operand is subtracted or divided by */
    int blocks;               /* in this tree, counted up to 3 */
    double number;
    enum sial_operation comparison;
    struct name name;
    const char *string;
    struct block *block;
    enum value_type type;  /* (checker); of a number already the parser's */
    struct symbol *symbol; /* (checker) */
};

enum declaration_kind {
    DECLARATION_PREDEFINED,
    DECLARATION_VARIABLE,
    DECLARATION_CONSTANT,
    DECLARATION_SEGMENT,
    DECLARATION_INDEX,
    DECLARATION_ARRAY,
    DECLARATION_SPECIAL
};

struct declaration {
    enum declaration_kind kind;
    struct declaration *next;
    struct name name;
    enum value_type type; /* of predefined names, variables and constants */
    enum sial_index_kind index_kind;
    enum sial_array_kind array_kind;
    struct expression *value; /* initial value, segment length, low; may be NULL */
    struct expression *high;
    struct block *shape;   /* of an array */
    struct name signature; /* of a super instruction; text NULL: no arguments */
};

enum statement_kind {
    STATEMENT_DO,
    STATEMENT_PARDO,
    STATEMENT_EXIT,
    STATEMENT_IF,
    STATEMENT_CALL,
    STATEMENT_RETURN,
    STATEMENT_ALLOCATE,
    STATEMENT_DEALLOCATE,
    STATEMENT_CREATE,
    STATEMENT_DELETE,
    STATEMENT_GET,
    STATEMENT_REQUEST,
    STATEMENT_PUT,
    STATEMENT_PREPARE,
    STATEMENT_ASSIGN, /* to a scalar or an int */
    STATEMENT_ASSIGN_BLOCK,
    STATEMENT_COLLECTIVE,
    STATEMENT_EXECUTE,
    STATEMENT_PRINT,
    STATEMENT_SIP_BARRIER,
    STATEMENT_SERVER_BARRIER,
    STATEMENT_GPU_ON,
    STATEMENT_GPU_OFF
};

enum assignment { ASSIGN_SET, ASSIGN_ADD, ASSIGN_SUBTRACT, ASSIGN_MULTIPLY };

/* The right side of a block statement: one or two terms of one block, or one of two blocks. */
struct term {
    struct expression *expression;
    bool negative;
    int count;
    struct block *blocks[2];
};

struct statement {
    enum statement_kind kind;
    struct place place;
    struct statement *next;
    struct name name;   /* scalar or int, array, super instruction, procedure */
    struct name source; /* of collective */
    struct block *target, *from;
    enum assignment assignment;
    struct expression *value; /* right side, condition; first item or argument */
    /* loops */
    int count;
    struct name indices[SIAL_RANK_MAX];
    struct expression *where; /* all must hold */
    struct block *nonzero;
    struct statement *body, *otherwise;
    /* (checker) */
    struct symbol *symbol, *source_symbol;
    int index[SIAL_RANK_MAX]; /* of a loop: positions of the indices */
    int term_count;           /* of a block statement; 0: the value has no blocks */
    struct term *terms;
};

/* A call, for what holds through procedures. */
struct call {
    struct call *next;
    struct place place;
    struct procedure *callee;
    bool in_pardo;
    int loops; /* active at the call */
};

/* The statements outside of procedures are one too; its name is only the place
 * of endsial. */
struct procedure {
    struct name name;
    struct procedure *next;
    struct statement *body;
    /* (checker) */
    struct call *calls;
    const char
        *alone; /* a statement in it, or in what it calls, that no pardo may hold; NULL: none */
    struct place alone_place;
    int loops;  /* the most that are active in it and in what it calls */
    int levels; /* the most procedures active from it on */
    enum { PROCEDURE_NEW, PROCEDURE_ACTIVE, PROCEDURE_DONE } state;
    /* generator */
    int entry;
};

#endif
