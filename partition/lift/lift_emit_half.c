/* lift_emit_half.c: arithmetic with two halves in a register (f16x2), and with bfloat16, the upper
 * half of a float. Each number is computed as a float. */
#include <string.h>

#include "lift_emit.h"

struct half {
    bool is_brain; /* bfloat16 */
    unsigned count;
};

static const struct lift_type single = {'f', 32};

static bool read_half(const char *text, struct half *half)
{
    static const struct {
        const char *text;
        struct half half;
    } known[] = {{"f16x2", {false, 2}}, {"bf16", {true, 1}}, {"bf16x2", {true, 2}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i].text) == 0) {
            *half = known[i].half;
            return true;
        }
    return false;
}

static struct lift_value widened(struct lift_emit *emit, struct lift_value bits, bool is_brain)
{
    static const struct lift_type small = {'f', 16};
    if (!is_brain)
        return lift_new(emit, single, "fpext half %s to float",
                        lift_as(emit, bits, small, false).text);
    bits = lift_as(emit, bits, lift_bits(32), false);
    bits = lift_binary(emit, "shl", bits, lift_integer(bits.type, 16));
    return lift_as(emit, bits, single, false);
}

/* To the nearest bfloat16, of two the even one; what is no number stays so. */
static struct lift_value cut_to_brain(struct lift_emit *emit, struct lift_value value)
{
    struct lift_value bits = lift_as(emit, value, lift_bits(32), false);
    struct lift_value sixteen = lift_integer(bits.type, 16);
    struct lift_value odd = lift_binary(emit, "lshr", bits, sixteen);
    odd = lift_binary(emit, "and", odd, lift_integer(bits.type, 1));
    bits = lift_binary(emit, "add", bits, odd);
    bits = lift_binary(emit, "add", bits, lift_integer(bits.type, 0x7fff));
    bits = lift_as(emit, lift_binary(emit, "lshr", bits, sixteen), lift_bits(16), false);
    struct lift_value is_none =
        lift_new(emit, lift_bit, "fcmp uno float %s, %s", value.text, value.text);
    return lift_new(emit, lift_bits(16), "select i1 %s, i16 32767, i16 %s", is_none.text,
                    bits.text);
}

static struct lift_value cut(struct lift_emit *emit, struct lift_value value, bool is_brain)
{
    static const struct lift_type small = {'f', 16};
    if (is_brain)
        return cut_to_brain(emit, value);
    value = lift_new(emit, small, "fptrunc float %s to half", value.text);
    return lift_as(emit, value, lift_bits(16), false);
}

/* The first number is in the lower bits. */
static struct lift_value joined(struct lift_emit *emit, const struct lift_value *numbers,
                                unsigned count)
{
    if (count == 1)
        return numbers[0];
    struct lift_value low = lift_as(emit, numbers[0], lift_bits(32), false);
    struct lift_value high = lift_as(emit, numbers[1], lift_bits(32), false);
    high = lift_binary(emit, "shl", high, lift_integer(high.type, 16));
    return lift_binary(emit, "or", low, high);
}

static struct lift_value number_of(struct lift_emit *emit, size_t operand, struct half half,
                                   unsigned which)
{
    struct lift_value bits = lift_get(emit, operand, lift_bits(16 * half.count));
    if (which)
        bits = lift_binary(emit, "lshr", bits, lift_integer(bits.type, 16));
    return widened(emit, lift_as(emit, bits, lift_bits(16), false), half.is_brain);
}

/* ---- arithmetic ---- */

static const struct operation {
    const char *opcode, *llvm;
    unsigned operands;
} operations[] = {{"add", "fadd", 2}, {"sub", "fsub", 2}, {"mul", "fmul", 2}, {"neg", "fneg", 1},
                  {"abs", NULL, 1},   {"min", NULL, 2},   {"max", NULL, 2},   {"fma", NULL, 3}};

static struct lift_value result_of(struct lift_emit *emit, const struct operation *operation,
                                   const struct lift_value *of)
{
    bool is_least = strcmp(operation->opcode, "min") == 0;
    if (operation->llvm && operation->operands == 2)
        return lift_binary(emit, operation->llvm, of[0], of[1]);
    if (operation->llvm)
        return lift_new(emit, single, "%s float %s", operation->llvm, of[0].text);
    if (operation->operands == 1)
        return lift_new(emit, single, "call float @llvm.fabs.f32(float %s)", of[0].text);
    if (operation->operands == 2)
        return lift_new(emit, single, "call float @llvm.%s.f32(float %s, float %s)",
                        is_least ? "minnum" : "maxnum", of[0].text, of[1].text);
    return lift_new(emit, single, "call float @llvm.fma.f32(float %s, float %s, float %s)",
                    of[0].text, of[1].text, of[2].text);
}

static void compute(struct lift_emit *emit, const struct operation *operation, struct half half)
{
    struct lift_value of[3], numbers[2];
    for (unsigned i = 0; i < half.count; i++) {
        for (unsigned o = 0; o < operation->operands; o++)
            of[o] = number_of(emit, 1 + o, half, i);
        numbers[i] = cut(emit, result_of(emit, operation, of), half.is_brain);
    }
    lift_set(emit, joined(emit, numbers, half.count), false);
}

/* ---- conversions ---- */

/* cvt.rn.bf16x2.f32 d, upper, lower */
static void convert_two(struct lift_emit *emit, struct half to)
{
    struct lift_value numbers[2];
    for (unsigned i = 0; i < 2; i++)
        numbers[i] = cut(emit, lift_get(emit, 2 - i, single), to.is_brain);
    lift_set(emit, joined(emit, numbers, 2), false);
}

static bool convert(struct lift_emit *emit)
{
    struct half from = {false, 0}, to = {false, 0};
    struct lift_type type = single, result = single;
    size_t parts = emit->at->part_count;
    bool is_from = parts >= 3 && read_half(emit->at->parts[parts - 1], &from);
    bool is_to = parts >= 3 && read_half(emit->at->parts[parts - 2], &to);
    if ((!is_from && !is_to) || lift_has_part(emit->at, "sat"))
        return false;
    bool is_known = (is_from || lift_read_type(emit->at->parts[parts - 1], &type)) &&
                    (is_to || lift_read_type(emit->at->parts[parts - 2], &result));
    if (!is_known || (is_from && from.count == 2))
        return false;
    if (is_to && to.count == 2) {
        if (type.kind != 'f' || type.bits != 32 || emit->at->operand_count != 3)
            return false;
        convert_two(emit, to);
        return true;
    }
    struct lift_value value = is_from ? number_of(emit, 1, from, 0) : lift_get(emit, 1, type);
    value = lift_convert(emit, value, type, result);
    lift_set(emit, is_to ? cut(emit, value, to.is_brain) : value, result.kind == 's');
    return true;
}

bool lift_emit_half(struct lift_emit *emit)
{
    struct half half;
    if (lift_has_part(emit->at, "relu") || lift_has_part(emit->at, "satfinite"))
        return false;
    if (strcmp(emit->at->parts[0], "cvt") == 0)
        return convert(emit);
    if (!read_half(emit->at->parts[emit->at->part_count - 1], &half) ||
        lift_has_part(emit->at, "sat"))
        return false;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(emit->at->parts[0], operations[i].opcode) == 0) {
            compute(emit, &operations[i], half);
            return true;
        }
    return false;
}
