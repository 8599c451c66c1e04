/* lift_emit_conversion.c: cvt. */
#include <string.h>

#include "lift_emit.h"

/* Rounded to a whole number, if the opcode says how. */
static struct lift_value rounded(struct lift_emit *emit, struct lift_value value)
{
    static const char *const known[][2] = {
        {"rni", "rint"}, {"rzi", "trunc"}, {"rmi", "floor"}, {"rpi", "ceil"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lift_has_part(emit->at, known[i][0]))
            return lift_new(emit, value.type, "call %s @llvm.%s.f%u(%s %s)", lift_llvm(value.type),
                            known[i][1], value.type.bits, lift_llvm(value.type), value.text);
    return value;
}

/* To an integer: what does not fit becomes the smallest or largest number. */
static struct lift_value to_integer(struct lift_emit *emit, struct lift_value value,
                                    struct lift_type type)
{
    return lift_new(emit, type, "call %s @llvm.fpto%ci.sat.%s.f%u(%s %s)", lift_llvm(type),
                    type.kind == 's' ? 's' : 'u', lift_llvm(type), value.type.bits,
                    lift_llvm(value.type), value.text);
}

struct lift_value lift_convert(struct lift_emit *emit, struct lift_value value,
                               struct lift_type from, struct lift_type to)
{
    if (from.kind == 'f' && to.kind == 'f') {
        if (from.bits == to.bits)
            return rounded(emit, value);
        return lift_new(emit, to, "%s %s %s to %s", from.bits < to.bits ? "fpext" : "fptrunc",
                        lift_llvm(from), value.text, lift_llvm(to));
    }
    if (from.kind == 'f')
        return to_integer(emit, rounded(emit, value), to);
    if (to.kind == 'f')
        return lift_new(emit, to, "%citofp %s %s to %s", from.kind == 's' ? 's' : 'u',
                        lift_llvm(from), value.text, lift_llvm(to));
    return lift_as(emit, value, to, from.kind == 's');
}

/* From 0 to 1; what is no number becomes 0. */
static struct lift_value saturated(struct lift_emit *emit, struct lift_value value)
{
    const char *type = lift_llvm(value.type);
    unsigned bits = value.type.bits;
    struct lift_value least = lift_new(emit, value.type, "call %s @llvm.maxnum.f%u(%s %s, %s 0.0)",
                                       type, bits, type, value.text, type);
    return lift_new(emit, value.type, "call %s @llvm.minnum.f%u(%s %s, %s 1.0)", type, bits, type,
                    least.text, type);
}

/* cvt.rn.f32.s32: the result's type, then that of what is converted */
bool lift_emit_conversion(struct lift_emit *emit)
{
    struct lift_type from, to;
    size_t parts = emit->at->part_count;
    if (strcmp(emit->at->parts[0], "cvt") != 0)
        return false;
    bool saturates = lift_has_part(emit->at, "sat");
    if (parts < 3 || !lift_read_type(emit->at->parts[parts - 1], &from) ||
        !lift_read_type(emit->at->parts[parts - 2], &to) || from.bits < 8 || to.bits < 8 ||
        (saturates && to.kind != 'f')) {
        lift_cannot(emit, "a conversion of this kind is not known here");
        return true;
    }
    struct lift_value value = lift_convert(emit, lift_get(emit, 1, from), from, to);
    if (saturates)
        value = saturated(emit, value);
    lift_set(emit, value, to.kind == 's');
    return true;
}
