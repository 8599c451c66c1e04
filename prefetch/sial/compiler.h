/* compiler.h: what the parts of the compiler share: memory, places in the text, the one error.
 *
 * The first error ends the compilation: sial_fail() leaves its sentence and jumps (longjmp) to the
 * start, where both arenas are freed. So no part checks for errors of another one, and none may
 * hold anything else that must be given back (an open file) while it calls a function that can
 * fail. */
#ifndef PREFETCH_SIAL_COMPILER_H
#define PREFETCH_SIAL_COMPILER_H

#include <setjmp.h>

#include "prefetch/sial/arena.h"
#include "prefetch/sial/sial.h"

struct place {
    int file, line, column; /* line and column from 1; the column counts bytes */
};

/* A name as written; text is NULL where there is none. */
struct name {
    const char *text;
    struct place place;
};

enum { SIAL_NAME_BUCKETS = 1024, SIAL_FILES_MAX = 256, SIAL_TEXT_BYTES_MAX = 1 << 20 };
/* Ints are kept as doubles: they are exact up to here. */
#define SIAL_INT_MAX 9007199254740992.0

struct symbol;
struct declaration;
struct procedure;

struct compiler {
    struct prefetch_program *program;
    struct arena *lasting; /* of the program */
    struct arena scratch;  /* tree and names; freed after the compilation */
    const struct prefetch_definition *definitions;
    size_t definition_count;
    bool from_memory;  /* the program itself: it has no folder */
    size_t text_bytes; /* of all files together */
    struct symbol *names[SIAL_NAME_BUCKETS];
    /* the tree, in the order of the text; ends are where the next one is linked in */
    struct declaration *declarations, **declarations_end;
    struct procedure *procedures, **procedures_end;
    struct procedure *main; /* the statements outside of procedures */
    enum dm_status status;  /* why it failed */
    jmp_buf failed;
};

#define SIAL_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* Reports an error at a place, or without one, and ends the compilation. */
_Noreturn void sial_fail(struct compiler *compiler, struct place place, const char *format, ...)
    SIAL_PRINTF(3, 4);
_Noreturn void sial_fail_nowhere(struct compiler *compiler, enum dm_status status,
                                 const char *format, ...) SIAL_PRINTF(3, 4);

/* Zeroed memory until the end of the compilation, or as long as the program. */
void *sial_take(struct compiler *compiler, size_t bytes);
void *sial_keep(struct compiler *compiler, size_t bytes);
char *sial_keep_text(struct compiler *compiler, const char *text, size_t length);

/* A table of the program that has room for one more; count: how many it holds now. */
void *sial_room(struct compiler *compiler, void *table, int count, size_t bytes_each);
/* The new last element of a table. */
#define sial_add(compiler, table, count)                                                           \
    ((table) = sial_room((compiler), (table), (count), sizeof *(table)), &(table)[(count)++])

/* files.c: adds a text, or a file, to the program; -1 if the file has been added before. A path is
 * as written at `place`, which is where an error is reported (line 0: nowhere). */
int sial_add_text(struct compiler *compiler, const char *name, const char *text, size_t length);
int sial_add_file(struct compiler *compiler, const char *path, struct place place);

/* The steps, in this order. */
void sial_parse(struct compiler *compiler, int file);
void sial_check_declarations(struct compiler *compiler);
void sial_check_statements(struct compiler *compiler);
void sial_generate(struct compiler *compiler);

#endif
