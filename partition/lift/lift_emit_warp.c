/* lift_emit_warp.c: barriers, and values of other threads of a warp, of which nothing is known. */
#include <string.h>

#include "lift_emit.h"

static bool is_opcode(const struct lift_emit *emit, const char *name)
{
    return strcmp(emit->at->parts[0], name) == 0;
}

static bool is_barrier(const struct lift_emit *emit)
{
    bool is_bar = is_opcode(emit, "bar") || is_opcode(emit, "barrier");
    bool is_plain = lift_has_part(emit->at, "sync") || lift_has_part(emit->at, "arrive");
    bool has_value = lift_has_part(emit->at, "red") || lift_has_part(emit->at, "cluster");
    bool is_fence = is_opcode(emit, "membar") || is_opcode(emit, "fence");
    return (is_bar && is_plain && !has_value) || (is_fence && lift_has_part(emit->at, "cta"));
}

/* What other threads make of a value; of threads that are alone, on the CPU, their own. */
static struct lift_value exchanged(struct lift_emit *emit, struct lift_value own,
                                   struct lift_value by)
{
    return lift_new(emit, lift_bits(32), "call i32 @lift_shuffle(i32 %s, i32 %s)", own.text,
                    by.text);
}

/* One that is known no more than that; no two instructions have the same, nor have two calls of a
 * function. */
static struct lift_value exchanged_here(struct lift_emit *emit, struct lift_value own)
{
    return exchanged(emit, own, lift_integer(lift_bits(32), emit->at - emit->kernel->instructions));
}

/* shfl.sync.down.b32 value|%p, from, by, ... */
static void shuffle(struct lift_emit *emit)
{
    const struct lift_operand *to = &emit->at->operands[0];
    if (emit->at->operand_count < 3) {
        lift_cannot(emit, "operands are missing");
        return;
    }
    struct lift_operand plain = *to;
    plain.second = NULL;
    struct lift_value own = lift_get(emit, 1, lift_bits(32));
    struct lift_value by = lift_get(emit, 2, lift_bits(32));
    lift_set_operand(emit, &plain, exchanged(emit, own, by), false);
    if (to->second)
        lift_set_predicate(emit, to->second, exchanged_here(emit, own));
}

/* vote.sync.any.pred %p, %q, mask; vote.sync.ballot.b32 %r, %q, mask; bar.red.and.pred %p, 0, %q */
static void vote(struct lift_emit *emit, size_t predicate)
{
    const struct lift_operand *to = &emit->at->operands[0];
    if (emit->at->operand_count <= predicate) {
        lift_cannot(emit, "operands are missing");
        return;
    }
    struct lift_value own = lift_get(emit, predicate, lift_bit);
    struct lift_value wide = lift_new(emit, lift_bits(32), "zext i1 %s to i32", own.text);
    struct lift_value all = exchanged_here(emit, wide);
    if (lift_has_part(emit->at, "pred") && to->kind == LIFT_NAME)
        lift_set_predicate(emit, to->name, all);
    else
        lift_set(emit, all, false);
}

bool lift_emit_warp(struct lift_emit *emit)
{
    if (is_barrier(emit))
        lift_line(emit, "call void @partition_barrier()");
    else if (is_opcode(emit, "vote"))
        vote(emit, 1);
    else if (is_opcode(emit, "bar") && lift_has_part(emit->at, "red"))
        vote(emit, emit->at->operand_count > 1 ? emit->at->operand_count - 1 : 1);
    else if (is_opcode(emit, "shfl"))
        shuffle(emit);
    else if (is_opcode(emit, "redux"))
        lift_set(emit, exchanged_here(emit, lift_get(emit, 1, lift_bits(32))), false);
    else if (is_opcode(emit, "nanosleep"))
        return true;
    else if (is_opcode(emit, "call"))
        lift_cannot(emit,
                    "it calls a function: let nvcc put it in its place (-O3, __forceinline__)");
    else if (is_opcode(emit, "membar") || is_opcode(emit, "fence"))
        lift_cannot(emit, "threads of different blocks communicate within the launch");
    else if (is_opcode(emit, "trap") || is_opcode(emit, "brkpt"))
        return true; /* what it has written by then is nobody's */
    else
        return false;
    return true;
}
