/* promote_scan.h: the words of a PTX text, and the kernels and device functions in it. */
#ifndef PROMOTE_SCAN_H
#define PROMOTE_SCAN_H

#include <datamotion/partition.h>

enum ptx_kind {
    PTX_END,
    PTX_BLANK,  /* white space and comments */
    PTX_WORD,   /* names, numbers, directives, instructions, registers */
    PTX_STRING, /* with its quotation marks */
    PTX_SIGN,   /* one character */
    PTX_BROKEN  /* a comment or a string that does not end */
};

struct ptx_token {
    enum ptx_kind kind;
    const char *text;
    size_t length;
};

struct ptx_routine {
    struct ptx_token name;
    bool kernel;         /* or a device function */
    bool has_list;       /* of parameters */
    bool has_parameters; /* ... which is not empty */
    const char *insert;  /* where one more parameter goes: before the ), or after the name */
    const char *body, *body_end; /* after the { and at the }; NULL for a declaration */
    unsigned registers;          /* bit i: uses place_registers[i] */
    bool placed;                 /* needs its place: uses one, or calls who does; kernels always */
};

struct ptx_routines {
    struct ptx_routine *list; /* in the order of the text */
    size_t count;
};

enum { PLACE_REGISTERS = 6 };

/* %ctaid.x to %nctaid.z, in the order of struct partition_place. */
extern const char *const place_registers[PLACE_REGISTERS];

/* The token that begins at `text`. */
struct ptx_token ptx_token_at(const char *text);
/* The next token from *at on that is neither blank nor of a .loc, which says where the source of
 * the next instruction is; *at moves behind it. */
struct ptx_token ptx_next(const char **at);

bool ptx_is(struct ptx_token token, const char *word);
bool ptx_same(struct ptx_token a, struct ptx_token b);
/* One of ; { } : */
bool ptx_ends_instruction(struct ptx_token token);
/* Its index in place_registers, or -1. */
int ptx_place_register(struct ptx_token token);

/* The routine of that name (any of its declarations), or NULL. */
struct ptx_routine *ptx_find(const struct ptx_routines *routines, struct ptx_token name);

/* Finds the routines. DM_INVALID for what is not understood, DM_UNAVAILABLE for what cannot be
 * promoted. The caller frees routines->list in any case. */
enum dm_status ptx_survey(const char *ptx, struct ptx_routines *routines);

/* Decides which routines need their place. DM_UNAVAILABLE where that cannot be passed to
 * them: through a function pointer, in a cluster, in a cooperative launch. */
enum dm_status ptx_propagate(const char *ptx, struct ptx_routines *routines);

#endif
