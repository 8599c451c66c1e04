/* lift.h: parts of partition-lift, which turns kernels in PTX into LLVM IR, for the analysis and to
 * be run on the CPU.
 *
 * A text is read as a whole; a kernel that cannot be lifted has a reason and the others are lifted
 * nevertheless. All memory belongs to the module and is released with it. */
#ifndef PARTITION_LIFT_H
#define PARTITION_LIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <datamotion/status.h>

/* ---- lift_memory.c: memory of a module, and tables by name ---- */

struct lift_memory {
    struct lift_chunk *chunks;
};
/* Zeroed. Ends the program if there is none. */
void *lift_allocate(struct lift_memory *memory, size_t bytes);
char *lift_copy(struct lift_memory *memory, const char *text, size_t length);
/* `items` with room for one more than `count`. */
void *lift_grow(struct lift_memory *memory, void *items, size_t count, size_t item_bytes);
void lift_release(struct lift_memory *memory);

struct lift_table {
    struct lift_entry *entries;
    size_t count, room;
};
/* The value of that name, NULL if there is none. */
void *lift_find(const struct lift_table *table, const char *name);
void lift_insert(struct lift_memory *memory, struct lift_table *table, const char *name,
                 void *value);

/* ---- lift_lexer.c ---- */

enum lift_token_kind {
    LIFT_END,
    LIFT_WORD,   /* with its dots: ld.global.f32, .visible, %tid.x, $L__BB0_2 */
    LIFT_NUMBER, /* 12, 0x1F, 0f3F800000, 9.0 */
    LIFT_STRING, /* without quotes */
    LIFT_MARK    /* one character */
};
struct lift_token {
    enum lift_token_kind kind;
    const char *text;
    size_t length;
    unsigned line;
};
struct lift_lexer {
    const char *at, *end;
    unsigned line;
    struct lift_token token; /* the next one */
};
/* Reads the next token into `token`. DM_INVALID: there is none that PTX knows. */
enum dm_status lift_next(struct lift_lexer *lexer);
bool lift_is(const struct lift_token *token, const char *text);
/* Whether the word begins like that. */
bool lift_begins(const struct lift_token *token, const char *prefix);
/* Reads what the text says, or fails with a sentence. */
enum dm_status lift_expect(struct lift_lexer *lexer, const char *text);
enum dm_status lift_wrong(const struct lift_lexer *lexer, const char *expected);
/* Reads to behind the next `;`, or to behind the brace that closes a block that begins here. */
enum dm_status lift_skip_statement(struct lift_lexer *lexer);
enum dm_status lift_skip_block(struct lift_lexer *lexer);

/* ---- what a text says ---- */

/* kind: s, u (integers), b (bits), f, p (predicate), a (address, of the lift's own) */
struct lift_type {
    char kind;
    unsigned bits;
};
/* lift_type.c: s32, b64, pred; false: no type, or one that is not known here. */
bool lift_read_type(const char *text, struct lift_type *type);
/* i32, float, i8*, ... */
const char *lift_llvm(struct lift_type type);
bool lift_same(struct lift_type a, struct lift_type b);

enum lift_operand_kind {
    LIFT_NAME,     /* a register, a variable or a label; with `number` bytes behind it */
    LIFT_INTEGER,  /* number */
    LIFT_REAL,     /* number holds the bits, `bits` says how many */
    LIFT_ADDRESS,  /* [name + number], of a texture with items behind it */
    LIFT_LIST,     /* {a, b} */
    LIFT_ARGUMENTS /* (a, b) of a call */
};
struct lift_operand {
    enum lift_operand_kind kind;
    const char *name;
    int64_t number;
    unsigned bits;
    bool negated;       /* !%p */
    const char *second; /* %p|%q */
    struct lift_operand *items;
    size_t count;
};

enum { LIFT_PARTS = 12, LIFT_OPERANDS = 8 };

/* An instruction, or a label. */
struct lift_instruction {
    unsigned line;
    const char *label;     /* NULL: an instruction */
    const char *predicate; /* NULL: none */
    bool negated;
    const char *text;              /* of the opcode */
    const char *parts[LIFT_PARTS]; /* ld, global, f32 */
    size_t part_count;
    struct lift_operand operands[LIFT_OPERANDS];
    size_t operand_count;
};

/* A variable in global, const, shared or local memory. */
struct lift_variable {
    const char *name;
    char space; /* g, c, s, l */
    uint64_t bytes, align, offset;
    unsigned char *initial; /* NULL: zeros */
    unsigned number;        /* among what an address can be made of; not of shared memory */
    bool is_linked;         /* other files may name it */
    bool is_written;        /* found out, of global memory: maybe by a kernel of this text */
};

/* In the order of the text, and by name. */
struct lift_variables {
    struct lift_table table;
    struct lift_variable **list;
    size_t count;
};

struct lift_parameter {
    const char *name;
    struct lift_type type;
    bool is_structure; /* or of a type that is not known */
    uint64_t bytes;    /* of a structure; 0: of something else */
    size_t whole;      /* of a member: the number of its structure, and 1; 0: it is none */
    uint64_t offset;   /* ... and where it is there */
    bool is_marked;    /* .ptr */
    bool is_pointer;   /* found out */
    unsigned number;   /* among what an address can be made of; only of 64 bits */
};

struct lift_register {
    const char *name;
    struct lift_type type;
    uint64_t bases;   /* what an address in it can be made of: a bit for each number */
    uint64_t unmoved; /* which of these it can be as they are */
    bool is_address;
    unsigned definitions;
    const struct lift_instruction *definition; /* the last one */
    unsigned leaves; /* values that it is the largest or smallest of, each kept */
};

/* %r<29>: %r0 to %r28 */
struct lift_range {
    const char *prefix;
    uint64_t count;
    struct lift_type type;
};

struct lift_kernel {
    const char *name;
    unsigned line;
    char *refusal; /* the first reason; NULL: it can be lifted */
    struct lift_parameter *parameters;
    size_t parameter_count;
    struct lift_instruction *instructions;
    size_t instruction_count;
    struct lift_range *ranges;
    size_t range_count;
    struct lift_table registers;
    struct lift_variables variables; /* shared and local ones of its own */
    struct lift_register **register_list;
    size_t register_count;
    unsigned base_count;
    struct lift_parameter *returns; /* of a function */
    size_t return_count;
    struct lift_table call_names; /* names declared for calls, as they are now */
    const char **for_calls;       /* all of these */
    size_t for_call_count;
    unsigned copies; /* of functions, in the place of calls */
    struct lift_module *module;
};

struct lift_number {
    bool is_known;
    int64_t number;
};

/* One launch of one kernel: what is lifted holds for these numbers alone. */
struct lift_launch {
    const char *kernel;
    unsigned grid[3], block[3];
    struct lift_number *values; /* of the first arguments */
    size_t value_count;
};

struct lift_module {
    struct lift_memory memory;
    const struct lift_launch *launch; /* NULL: all kernels, for all launches */
    struct lift_variables variables;
    struct lift_kernel *kernels, *functions;
    size_t kernel_count, function_count;
    unsigned call_names; /* of all bodies */
    uint64_t shared_bytes;
    bool is_linked;         /* what is being read: .visible, .extern and the like */
    bool has_unread_body;   /* of a kernel or function */
    const char **addressed; /* names in what variables begin with */
    size_t addressed_count;
};

/* ---- lift_module.c, lift_variable.c, lift_statement.c, lift_operand.c: reading ---- */

/* DM_INVALID: what is outside of kernels cannot be read. */
enum dm_status lift_read(struct lift_module *module, const char *text, size_t length);
/* Behind the space: .align 4 .b8 name[16] = {...}, more; */
enum dm_status lift_read_variables(struct lift_lexer *lexer, struct lift_module *module,
                                   struct lift_variables *to, char space);
void lift_add_variable(struct lift_memory *memory, struct lift_variables *to,
                       const struct lift_variable *variable);
/* The body, behind its first brace up to behind the last. */
enum dm_status lift_read_body(struct lift_lexer *lexer, struct lift_kernel *kernel);
enum dm_status lift_read_operand(struct lift_lexer *lexer, struct lift_memory *memory,
                                 struct lift_operand *operand);
enum dm_status lift_read_number(struct lift_lexer *lexer, int64_t *number);

/* ---- lift_kernel.c ---- */

/* Keeps the first reason. */
void lift_refuse(struct lift_kernel *kernel, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Whether the kernel or function declares a register of that name. */
bool lift_declares_register(const struct lift_kernel *kernel, const char *name);
/* A name that functions of the analysis have. */
bool lift_is_reserved(const char *name);
/* NULL: it is not declared. */
struct lift_register *lift_register(struct lift_kernel *kernel, const char *name);
struct lift_parameter *lift_parameter(struct lift_kernel *kernel, const char *name);
struct lift_variable *lift_variable(const struct lift_kernel *kernel, const char *name);
bool lift_has_part(const struct lift_instruction *instruction, const char *part);
/* g (also if generic), c, s, l, p */
char lift_space(const struct lift_instruction *instruction);

/* ---- lift_inline.c ---- */

/* The name is of memory by which calls hand something over. */
void lift_declare_for_call(struct lift_kernel *kernel, const char *name);

/* Puts the functions that the kernel calls in their place. */
void lift_inline(struct lift_kernel *kernel);

/* ---- lift_members.c ---- */

/* Adds what the kernel loads of structures to its parameters. */
void lift_find_members(struct lift_kernel *kernel);
/* The parameter, or the member, that an element of ld.param is; NULL: it is none. */
struct lift_parameter *lift_loaded(struct lift_kernel *kernel, const struct lift_operand *from,
                                   struct lift_type type, unsigned element);
/* How many elements a vector has; 1 without one. */
unsigned lift_elements(const struct lift_instruction *instruction);
/* Writes lines `member NAME ARGUMENT STRUCTURE BYTE`. */
void lift_write_members(const struct lift_kernel *kernel, FILE *lines);

/* ---- lift_only_read.c ---- */

/* Finds out which variables kernels may write; before functions are put in their place. */
void lift_find_written(struct lift_module *module);

/* ---- lift_addresses.c ---- */

/* Finds out which parameters and registers hold addresses; refuses what is ambiguous. */
void lift_find_addresses(struct lift_kernel *kernel);

/* ---- lift_launch.c ---- */

/* KERNEL:X,Y,Z:X,Y,Z:VALUES: blocks, threads of a block, and a number or - for each argument. */
enum dm_status lift_read_launch(struct lift_memory *memory, const char *text,
                                struct lift_launch *launch);
/* The integer that the launch gives for the parameter; false: there is none. */
bool lift_launch_value(const struct lift_kernel *kernel, const struct lift_parameter *parameter,
                       int64_t *number);
/* Writes lines `nonnegative NAME EXPRESSION`: the analysis holds for these numbers alone. */
void lift_write_launch(const struct lift_kernel *kernel, FILE *conditions);

/* ---- lift_write.c: IR ---- */

/* `to_run`: for the CPU, with a function lift_call_NAME(void **arguments) for each kernel. Writes a
 * line `refused NAME REASON` to `lines` for each kernel that is not lifted, and what
 * lift_write_launch writes. */
void lift_write(struct lift_module *module, bool to_run, FILE *out, FILE *lines);

#endif
