/* lift_emit.h: how instructions become LLVM IR.
 *
 * Registers are variables of the function (alloca) that mem2reg turns into values, so that each
 * instruction is written by itself. A predicate has a second variable with its opposite, and the
 * smallest or largest of integers keeps what it was chosen from: the analysis understands
 * comparisons joined by and and or, but neither xor nor select. */
#ifndef PARTITION_LIFT_EMIT_H
#define PARTITION_LIFT_EMIT_H

#include "lift.h"

enum { LEAVES_MAX = 8 };

struct lift_emit {
    struct lift_kernel *kernel;
    const struct lift_instruction *at;
    FILE *out;
    unsigned values, blocks;
    bool to_run;
    bool closed;    /* the last block has its end */
    bool has_carry; /* there is an instruction with one */
};

struct lift_value {
    struct lift_type type;
    char text[40];
};

static const struct lift_type lift_bit = {'p', 1};
static const struct lift_type lift_address_type = {'a', 64};

static inline struct lift_type lift_bits(unsigned bits)
{
    return (struct lift_type){'b', bits};
}

/* ---- lift_value.c ---- */

/* Without the % with which a name may begin. */
const char *lift_plain(const char *name);
/* Whether no kernel writes it: constant memory, tables of CUDA's own functions, and what
 * lift_find_written() found. */
bool lift_is_constant(const struct lift_variable *variable);

/* %v7 = what the format says */
struct lift_value lift_new(struct lift_emit *emit, struct lift_type type, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lift_line(struct lift_emit *emit, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The instruction refuses its kernel: "line 12: ld.local.f32: WHY". */
void lift_cannot(struct lift_emit *emit, const char *why);
struct lift_value lift_integer(struct lift_type type, int64_t number);
/* The same bits as another type; more bits are zeros, or the sign. */
struct lift_value lift_as(struct lift_emit *emit, struct lift_value value, struct lift_type type,
                          bool is_signed);
struct lift_value lift_operand(struct lift_emit *emit, const struct lift_operand *operand,
                               struct lift_type type);
/* Operand `index` of the instruction. */
struct lift_value lift_get(struct lift_emit *emit, size_t index, struct lift_type type);
/* Into the register of the operand; `is_signed`: how a wider register is filled. */
void lift_set_operand(struct lift_emit *emit, const struct lift_operand *operand,
                      struct lift_value value, bool is_signed);
void lift_set(struct lift_emit *emit, struct lift_value value, bool is_signed);
/* The type that the opcode ends with. */
bool lift_last_type(struct lift_emit *emit, struct lift_type *type);
struct lift_value lift_binary(struct lift_emit *emit, const char *operation, struct lift_value a,
                              struct lift_value b);

/* ---- groups of instructions: false: the opcode is of another group ---- */

bool lift_emit_memory(struct lift_emit *emit);     /* lift_emit_memory.c */
bool lift_emit_carry(struct lift_emit *emit);      /* lift_emit_carry.c; before the next */
bool lift_emit_integer(struct lift_emit *emit);    /* lift_emit_integer.c */
bool lift_emit_bits(struct lift_emit *emit);       /* lift_emit_bits.c */
bool lift_emit_bytes(struct lift_emit *emit);      /* lift_emit_bytes.c */
bool lift_emit_real(struct lift_emit *emit);       /* lift_emit_real.c */
bool lift_emit_half(struct lift_emit *emit);       /* lift_emit_half.c; before the next */
bool lift_emit_conversion(struct lift_emit *emit); /* lift_emit_conversion.c */
bool lift_emit_predicate(struct lift_emit *emit);  /* lift_emit_predicate.c */
bool lift_emit_warp(struct lift_emit *emit);       /* lift_emit_warp.c */

/* lift_emit_conversion.c: the value, rounded as the opcode says, as one of the other type */
struct lift_value lift_convert(struct lift_emit *emit, struct lift_value value,
                               struct lift_type from, struct lift_type to);
/* lift_emit_predicate.c: the predicate, or its opposite */
struct lift_value lift_condition(struct lift_emit *emit, const char *name, bool negated);
/* Whether the integer of 32 bits is not 0. */
void lift_set_predicate(struct lift_emit *emit, const char *name, struct lift_value integer);
/* After min or max of integers: keeps what the result was chosen from. */
void lift_keep_leaves(struct lift_emit *emit, struct lift_type type);

#endif
