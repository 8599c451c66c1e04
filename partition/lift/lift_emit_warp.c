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

/* shfl.sync.down.b32 value|%p, from, by, ...: on the CPU, where threads are alone, their own. */
static void shuffle(struct lift_emit *emit)
{
    const struct lift_operand *to = &emit->at->operands[0];
    struct lift_operand plain = *to;
    plain.second = NULL;
    struct lift_value own = lift_get(emit, 1, lift_bits(32));
    struct lift_value by = lift_get(emit, 2, lift_bits(32));
    lift_set_operand(
        emit, &plain,
        lift_new(emit, lift_bits(32), "call i32 @lift_shuffle(i32 %s, i32 %s)", own.text, by.text),
        false);
    if (to->second)
        lift_cannot(emit, "its predicate is not known here");
}

bool lift_emit_warp(struct lift_emit *emit)
{
    if (is_barrier(emit))
        lift_line(emit, "call void @partition_barrier()");
    else if (is_opcode(emit, "shfl"))
        shuffle(emit);
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
