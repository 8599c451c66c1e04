/* translate.h: what the files of the translator share.
 *
 *   file.c --read_pragmas--> pragmas --mark--> file.c with the names of each directive as a
 * statement
 *          --clang -E-----> text without macros --libclang--> syntax tree
 *   syntax tree + pragmas --analyse--> struct loop --check--> --emit--> kernels, and file.c that
 * calls them
 *
 * The analysis and the kernels use the text without macros, what the host compiles is the file as
 * it was written. Offsets are bytes in one of the two. */
#ifndef PIPELINE_TRANSLATE_H
#define PIPELINE_TRANSLATE_H

#include <stdbool.h>
#include <stddef.h>

#include <clang-c/Index.h>

#include "pipeline/directive_internal.h"

/* ---- texts and diagnostics (text.c) ---- */

struct text {
    char *bytes; /* ends with 0; NULL: empty */
    size_t length, room;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(struct text *text, const char *bytes, size_t length);

/* Zeroed memory, until the program ends; texts likewise. */
void *keep(size_t bytes);
char *keep_bytes(const char *bytes, size_t length);
char *keep_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *keep_string(CXString string);

struct place {
    const char *file;
    unsigned line, column; /* from 1 */
};

/* "FILE:LINE:COLUMN: error: ..." and exit 1; the other goes on. */
void error_at(struct place place, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
void warn_at(struct place place, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- sources (source.c) ---- */

struct source {
    const char *path;
    char *bytes;
    size_t length;
    CXTranslationUnit unit;
    CXFile file;
    const struct source *written; /* of the text without macros: the file as it was written */
};

/* Reads a file and has libclang parse it in a language ("c", "c++-cpp-output"); errors of the
 * compiler end the program. */
void source_open(struct source *source, const char *path, const char *language, int flag_count,
                 const char *const *flags);

/* Offsets [*begin, *end) of a cursor. */
void source_range(CXCursor cursor, size_t *begin, size_t *end);
/* The name of a type without const and volatile. */
char *source_type(CXType type);
char *source_text(const struct source *source, CXCursor cursor);
struct place source_place(const struct source *source, CXCursor cursor);

struct cursors {
    CXCursor *at;
    int count;
};
struct cursors source_children(CXCursor cursor);
void source_add(struct cursors *cursors, CXCursor cursor);

/* Whether it lies within the other. */
bool source_within(CXCursor cursor, CXCursor outer);

/* Without parentheses and implicit casts. */
CXCursor source_strip(CXCursor cursor);

/* What stands between the first two children of an operator: "=", "+=", "<". */
char *source_operator(const struct source *source, CXCursor cursor);

/* ---- pragmas (pragmas.c) ---- */

enum { TRANSLATE_NAMES = 16 };

struct name_list {
    char *names[TRANSLATE_NAMES];
    int count;
};

struct pragma {
    bool pipeline; /* else one of an inner loop */
    char *words;   /* with its lines as they are */
    struct place place;
    size_t begin, end; /* in the file as it was written; end: behind the last line */
    struct place loop; /* of the word `for` behind it; line 0: something else stands there */
    bool threads;      /* the inner loop is shared by threads */
    int collapse;      /* loops that are shared */
    char operation;    /* of reduction(...), 0: none */
    struct name_list reductions, privates;
    struct pipeline_directive *directive;
    struct name_list constants; /* of the directive, by their first place */
};

struct pragmas {
    struct pragma *at;
    int count;
};

struct pragmas read_pragmas(const struct source *source);

/* The file with a statement before each pipelined loop that names the directive's constants, so
 * that the compiler says what they stand for. */
void mark_names(const struct source *source, const struct pragmas *pragmas, struct text *text);

/* Where a place in the directive's text lies in the file. */
struct place directive_place_in(const struct pragma *pragma, struct directive_place place);

/* ---- polynomials over symbols (polynomial.c) ---- */

enum { POLYNOMIAL_TERMS = 24, POLYNOMIAL_FACTORS = 6 };

struct term {
    long factor;
    int symbols[POLYNOMIAL_FACTORS], count; /* ascending */
};

struct polynomial {
    struct term terms[POLYNOMIAL_TERMS];
    int count;
    bool unknown; /* too large, or not to be known */
};

struct polynomial polynomial_number(long value);
struct polynomial polynomial_symbol(int symbol);
struct polynomial polynomial_sum(const struct polynomial *a, const struct polynomial *b, long sign);
struct polynomial polynomial_product(const struct polynomial *a, const struct polynomial *b);
bool polynomial_equal(const struct polynomial *a, const struct polynomial *b);
bool polynomial_is_number(const struct polynomial *a, long *value);
bool polynomial_holds(const struct polynomial *a, int symbol);

/* a = *factor * symbol + *rest, neither with the symbol; false if that cannot be. */
bool polynomial_linear(const struct polynomial *a, int symbol, struct polynomial *factor,
                       struct polynomial *rest);
/* a = *quotient * b + *rest: whole multiples of b's largest term are taken out. */
void polynomial_divide(const struct polynomial *a, const struct polynomial *b,
                       struct polynomial *quotient, struct polynomial *rest);
/* Whether it is at least 0 whenever all symbols are at least 1; false: not known. */
bool polynomial_not_negative(const struct polynomial *a);

/* ---- a loop (analyse.c and others) ---- */

enum {
    LOOP_SYMBOLS = 96,
    LOOP_COUNTERS = 12,
    LOOP_ACCESSES = 256,
    LOOP_STAGES = 16,
    LOOP_STATEMENTS = 64
};

struct counter {
    CXCursor variable;
    char *name, *type;
    struct polynomial lower, end, step; /* end excluded */
    CXCursor lower_at, end_at, body;
    bool end_included; /* `<=`: one more than the expression at end_at */
    int symbol;
};

struct symbol {
    CXCursor variable; /* null: an expression that is taken as it is */
    char *name;        /* its text for the kernel */
    const struct counter *counter;
    unsigned long counters; /* of an expression: the counters that it holds, a bit per symbol */
    bool varies;            /* within an iteration, in a way that is not known */
};

struct array {
    char *name, *element; /* the element's type */
    CXCursor variable;
    struct directive_item *item;
    bool pointer;          /* without extents: one index for all dimensions */
    bool sums;             /* reduction(+: ...) of the directive */
    int dimensions, split; /* split: -1: whole */
    unsigned whole;        /* dimensions that move as well but are copied as a whole, a bit each */
    struct polynomial extents[PIPELINE_DIMENSIONS];
    struct polynomial unit;          /* elements of the split dimension in a slice */
    struct polynomial begin, length; /* of the section in the split dimension */
    struct polynomial inner;         /* elements behind the split dimension's step */
    enum dm_region_direction direction;
    bool read, written;
};

struct access {
    CXCursor cursor;
    struct array *array;
    CXCursor indices[PIPELINE_DIMENSIONS];
    int index_count;
    bool read, written, adds;
    CXCursor assignment; /* the `+=` of what adds */
    bool conditional;
    bool partial;       /* of an element */
    unsigned mentioned; /* counters in subscripts within the element, a bit each */
    int stage;
    const struct counter *counters[LOOP_COUNTERS]; /* of the loops around it, outer ones first */
    int counter_count, parallel_count;             /* the first ones are shared by threads */
    struct polynomial at;                          /* index in the split dimension */
    struct polynomial rest;   /* index in its slice, of whole arrays in the array */
    struct polynomial offset; /* of `at` from the section's start */
    bool covers;              /* every element of the slice is written */
};

/* What threads do at once: one loop nest that they share, or statements of which a block of threads
 * does one iteration. */
struct stage {
    bool team;
    struct counter *counters[LOOP_COUNTERS]; /* that threads share, of a nest */
    int counter_count;
    CXCursor statements[LOOP_STATEMENTS]; /* of a nest: declarations, and the loop */
    int count;
};

struct capture {
    CXCursor variable;
    char *name, *type;
};

struct loop {
    const struct source *source;
    const struct pragmas *pragmas;
    struct pragma *pragma;
    char *name; /* of the generated functions */
    CXCursor statement, marker, function;
    struct counter *counter;
    struct array arrays[DM_REGION_ARRAYS];
    int array_count;
    struct symbol symbols[LOOP_SYMBOLS];
    int symbol_count;
    struct access accesses[LOOP_ACCESSES];
    int access_count;
    struct stage stages[LOOP_STAGES];
    int stage_count;
    struct capture captures[64], locals[32]; /* locals: private, declared outside */
    int capture_count, local_count;
    struct cursors written;   /* variables that the body assigns to */
    struct cursors functions; /* of the file that it calls, and theirs */
    struct cursors types;     /* of the file that it names, and theirs */
    bool ordered;
};

void analyse_loop(struct loop *loop);

/* Expressions (expression.c). */
struct polynomial expression_of(struct loop *loop, CXCursor cursor);
struct polynomial expression_of_node(struct loop *loop, int node);
int expression_symbol(struct loop *loop, CXCursor variable, const char *name);
/* Whether it holds nothing but variables. */
bool expression_is_plain(const struct loop *loop, const struct polynomial *a);
bool expression_is_written(const struct loop *loop, CXCursor variable);
char *expression_text(const struct loop *loop, const struct polynomial *a);  /* for kernels */
char *expression_words(const struct loop *loop, const struct polynomial *a); /* for people */
/* The smallest and the largest value over the counters; false: not known. */
bool expression_bounds(const struct loop *loop, const struct polynomial *a,
                       struct polynomial *minimum, struct polynomial *maximum);
/* Whether a counter is in it, or may be: in an expression that was taken as it is, or a variable.
 */
bool expression_mentions(const struct loop *loop, const struct polynomial *a,
                         const struct counter *counter);

/* The head of a `for` (head.c). */
struct counter *read_head(struct loop *loop, CXCursor statement);

/* Arrays (arrays.c). */
void read_arrays(struct loop *loop);
struct array *find_array(struct loop *loop, CXCursor variable);
void place_access(struct loop *loop, struct access *access);

/* The body (body.c): what it writes, for all else; then accesses, variables, stages. */
void read_written(struct loop *loop, CXCursor body);
void read_body(struct loop *loop);
/* The variables of an expression outside of the body, such as an extent. */
void use_expression(struct loop *loop, CXCursor cursor);
bool has_threads(const struct loop *loop, CXCursor statement); /* an inner loop that they share */
const struct pragma *pragma_of(const struct source *source, const struct pragmas *pragmas,
                               CXCursor statement);

/* Sections and dependences (check.c): of an access when it was read, and of all of them. */
void check_access(struct loop *loop, struct access *access);
void check_loop(struct loop *loop);

/* Functions and types that the body uses (uses.c). */
void use_function(struct loop *loop, CXCursor call);
void use_type(struct loop *loop, CXCursor reference);

/* ---- output ---- */

/* Text [begin, end) of the source with accesses turned to slots (emit_body.c). */
void emit_range(const struct loop *loop, size_t begin, size_t end, struct text *text);
void emit_cursor(const struct loop *loop, CXCursor cursor, struct text *text);
/* A statement as a block of threads does it. */
void emit_team(const struct loop *loop, CXCursor statement, struct text *text);
/* The head of a loop over counters that threads share, up to its `{` (emit_stage.c). */
void emit_shared_head(const struct loop *loop, struct counter *const *counters, int count,
                      struct text *text);
/* Device functions and kernels of the stages. */
void emit_stages(const struct loop *loop, struct text *text);
/* Launch function or persistent kernel, and the function that executes the loop (emit_loop.c). */
void emit_loop(const struct loop *loop, bool own_file, struct text *text);
/* The call that stands in the place of the loop. */
void emit_call(const struct loop *loop, bool own_file, struct text *text);
/* What the kernels of a C file need in their own file (emit_declarations.c). */
void emit_declarations(const struct loop *loops, int count, struct text *text);

#endif
