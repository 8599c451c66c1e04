/* lift_emit_carry.c: sums, differences and products of several words, by the carry that one leaves
 * for the next (add.cc, addc, sub.cc, subc, mad.cc, madc).
 *
 * Each is computed with twice as many bits, whose upper half says whether one is carried. */
#include <string.h>

#include "lift_emit.h"

static bool is_opcode(const struct lift_emit *emit, const char *name)
{
    return strcmp(emit->at->parts[0], name) == 0;
}

static struct lift_value twice(struct lift_emit *emit, struct lift_value value)
{
    return lift_as(emit, value, lift_bits(2 * value.type.bits), false);
}

/* The lower or the upper half of the product of the first two operands, without a sign or with. */
static struct lift_value product(struct lift_emit *emit, struct lift_type type)
{
    struct lift_type wide = lift_bits(2 * type.bits);
    bool is_signed = type.kind == 's';
    struct lift_value a = lift_as(emit, lift_get(emit, 1, type), wide, is_signed);
    struct lift_value b = lift_as(emit, lift_get(emit, 2, type), wide, is_signed);
    struct lift_value all = lift_binary(emit, "mul", a, b);
    if (lift_has_part(emit->at, "hi"))
        all = lift_binary(emit, "lshr", all, lift_integer(wide, type.bits));
    return twice(emit, lift_as(emit, all, lift_bits(type.bits), false));
}

static void with_carry(struct lift_emit *emit, struct lift_type type, bool takes)
{
    struct lift_type word = lift_bits(type.bits);
    bool multiplies = strncmp(emit->at->parts[0], "mad", 3) == 0;
    const char *operation = strncmp(emit->at->parts[0], "sub", 3) == 0 ? "sub" : "add";
    struct lift_value left =
        multiplies ? product(emit, type) : twice(emit, lift_get(emit, 1, word));
    struct lift_value right = twice(emit, lift_get(emit, multiplies ? 3 : 2, word));
    struct lift_value all = lift_binary(emit, operation, left, right);
    emit->has_carry = true;
    if (takes) {
        struct lift_value carry = lift_new(emit, lift_bit, "load i1, i1* %%lift.carry");
        carry = lift_new(emit, all.type, "zext i1 %s to %s", carry.text, lift_llvm(all.type));
        all = lift_binary(emit, operation, all, carry);
    }
    if (lift_has_part(emit->at, "cc")) {
        struct lift_value upper = lift_binary(emit, "lshr", all, lift_integer(all.type, type.bits));
        struct lift_value carry =
            lift_new(emit, lift_bit, "trunc %s %s to i1", lift_llvm(upper.type), upper.text);
        lift_line(emit, "store i1 %s, i1* %%lift.carry", carry.text);
    }
    lift_set(emit, lift_as(emit, all, word, false), false);
}

bool lift_emit_carry(struct lift_emit *emit)
{
    struct lift_type type;
    bool takes = is_opcode(emit, "addc") || is_opcode(emit, "subc") || is_opcode(emit, "madc");
    bool leaves = lift_has_part(emit->at, "cc") &&
                  (is_opcode(emit, "add") || is_opcode(emit, "sub") || is_opcode(emit, "mad"));
    if (!takes && !leaves)
        return false;
    if (!lift_last_type(emit, &type))
        return true;
    if ((type.bits != 32 && type.bits != 64) || type.kind == 'f')
        lift_cannot(emit, "its type is not known here");
    else
        with_carry(emit, type, takes);
    return true;
}
