/* lift_emit_bits.c: operations on bits, and moves. */
#include <string.h>

#include "lift_emit.h"

static bool is_opcode(const struct lift_emit *emit, const char *name)
{
    return strcmp(emit->at->parts[0], name) == 0;
}

static void logic(struct lift_emit *emit, struct lift_type type)
{
    lift_set(
        emit,
        lift_binary(emit, emit->at->parts[0], lift_get(emit, 1, type), lift_get(emit, 2, type)),
        false);
}

static void complement(struct lift_emit *emit, struct lift_type type)
{
    lift_set(emit, lift_binary(emit, "xor", lift_get(emit, 1, type), lift_integer(type, -1)),
             false);
}

/* Bits that the table, the last operand, has for each triple of bits. */
static void lop3(struct lift_emit *emit, struct lift_type type)
{
    if (emit->at->operand_count != 5 || emit->at->operands[4].kind != LIFT_INTEGER ||
        type.bits != 32) {
        lift_cannot(emit, "it is not known here");
        return;
    }
    struct lift_value in[3], result = lift_integer(type, 0), ones = lift_integer(type, -1);
    for (size_t i = 0; i < 3; i++)
        in[i] = lift_get(emit, 1 + i, type);
    for (unsigned row = 0; row < 8; row++) {
        if (!(emit->at->operands[4].number >> row & 1))
            continue;
        struct lift_value term = ones;
        for (unsigned i = 0; i < 3; i++) {
            bool is_set = row >> (2 - i) & 1;
            struct lift_value bit = is_set ? in[i] : lift_binary(emit, "xor", in[i], ones);
            term = lift_binary(emit, "and", term, bit);
        }
        result = lift_binary(emit, "or", result, term);
    }
    lift_set(emit, result, false);
}

/* Bits first to first + count - 1, with numbers for both. */
static void extract(struct lift_emit *emit, struct lift_type type)
{
    const struct lift_operand *operands = emit->at->operands;
    if (emit->at->operand_count != 4 || operands[2].kind != LIFT_INTEGER ||
        operands[3].kind != LIFT_INTEGER || operands[2].number < 0 || operands[3].number < 1 ||
        operands[2].number > type.bits || operands[3].number > type.bits ||
        operands[2].number + operands[3].number > type.bits) {
        lift_cannot(emit, "it is known here with constant places only");
        return;
    }
    int64_t above = type.bits - operands[2].number - operands[3].number;
    struct lift_value value = lift_get(emit, 1, type);
    value = lift_binary(emit, "shl", value, lift_integer(type, above));
    value = lift_binary(emit, type.kind == 's' ? "ashr" : "lshr", value,
                        lift_integer(type, type.bits - operands[3].number));
    lift_set(emit, value, type.kind == 's');
}

/* bfi d, a, b, first, count: b with bits of a in the place of some of its own. */
static void insert(struct lift_emit *emit, struct lift_type type)
{
    const struct lift_operand *operands = emit->at->operands;
    bool is_constant = emit->at->operand_count == 5 && operands[3].kind == LIFT_INTEGER &&
                       operands[4].kind == LIFT_INTEGER;
    int64_t first = is_constant ? operands[3].number : -1, count = operands[4].number;
    if (first < 0 || count < 1 || first > type.bits || count > type.bits - first) {
        lift_cannot(emit, "it is known here with constant places only");
        return;
    }
    uint64_t mask = (count == 64 ? ~0ULL : (1ULL << count) - 1) << first;
    struct lift_value from = lift_get(emit, 1, type), to = lift_get(emit, 2, type);
    from = first < type.bits ? lift_binary(emit, "shl", from, lift_integer(type, first)) : from;
    from = lift_binary(emit, "and", from, lift_integer(type, (int64_t)mask));
    to = lift_binary(emit, "and", to, lift_integer(type, (int64_t)~mask));
    lift_set(emit, lift_binary(emit, "or", from, to), false);
}

static void intrinsic(struct lift_emit *emit, struct lift_type type, const char *name,
                      const char *flag)
{
    const char *llvm = lift_llvm(type);
    struct lift_value value = lift_get(emit, 1, type);
    lift_set(emit,
             lift_new(emit, type, "call %s @llvm.%s.%s(%s %s%s)", llvm, name, llvm, llvm,
                      value.text, flag),
             false);
}

/* shf.l.wrap d, low, high, by: the upper or lower word of both, shifted. */
static void funnel(struct lift_emit *emit, struct lift_type type)
{
    bool is_left = lift_has_part(emit->at, "l");
    if (type.bits != 32 || !lift_has_part(emit->at, "wrap")) {
        lift_cannot(emit, "it is not known here");
        return;
    }
    struct lift_value low = lift_get(emit, 1, type), high = lift_get(emit, 2, type);
    struct lift_value by = lift_get(emit, 3, type);
    lift_set(emit,
             lift_new(emit, type, "call i32 @llvm.fsh%c.i32(i32 %s, i32 %s, i32 %s)",
                      is_left ? 'l' : 'r', high.text, low.text, by.text),
             false);
}

/* ---- moves ---- */

static void pack(struct lift_emit *emit, struct lift_type type)
{
    const struct lift_operand *list = &emit->at->operands[1];
    unsigned bits = list->count ? type.bits / (unsigned)list->count : 0;
    if (bits * list->count != type.bits || bits < 8 || (bits & (bits - 1))) {
        lift_cannot(emit, "its operands do not fit its vector");
        return;
    }
    struct lift_value result = lift_integer(lift_bits(type.bits), 0);
    for (size_t i = 0; i < list->count; i++) {
        struct lift_value item =
            lift_as(emit, lift_operand(emit, &list->items[i], lift_bits(bits)), result.type, false);
        item = lift_binary(emit, "shl", item, lift_integer(item.type, (int64_t)(i * bits)));
        result = lift_binary(emit, "or", result, item);
    }
    lift_set(emit, result, false);
}

static void unpack(struct lift_emit *emit, struct lift_type type)
{
    const struct lift_operand *list = &emit->at->operands[0];
    unsigned bits = list->count ? type.bits / (unsigned)list->count : 0;
    if (bits * list->count != type.bits || bits < 8 || (bits & (bits - 1))) {
        lift_cannot(emit, "its operands do not fit its vector");
        return;
    }
    struct lift_value from = lift_get(emit, 1, lift_bits(type.bits));
    for (size_t i = 0; i < list->count; i++) {
        struct lift_value item =
            lift_binary(emit, "lshr", from, lift_integer(from.type, (int64_t)(i * bits)));
        lift_set_operand(emit, &list->items[i], lift_as(emit, item, lift_bits(bits), false), false);
    }
}

static void move(struct lift_emit *emit, struct lift_type type)
{
    const struct lift_operand *operands = emit->at->operands;
    if (operands[0].kind == LIFT_LIST) {
        unpack(emit, type);
        return;
    }
    if (operands[1].kind == LIFT_LIST) {
        pack(emit, type);
        return;
    }
    const struct lift_register *to =
        operands[0].kind == LIFT_NAME ? lift_register(emit->kernel, operands[0].name) : NULL;
    lift_set(emit, lift_get(emit, 1, to && to->is_address ? lift_address_type : type), false);
}

static void convert_address(struct lift_emit *emit)
{
    if (lift_has_part(emit->at, "shared") || lift_has_part(emit->at, "shared::cta") ||
        lift_has_part(emit->at, "param"))
        lift_cannot(emit, "addresses for all kinds of memory are not known here");
    else
        lift_set(emit, lift_get(emit, 1, lift_address_type), false);
}

bool lift_emit_bits(struct lift_emit *emit)
{
    struct lift_type type;
    if (is_opcode(emit, "cvta")) {
        convert_address(emit);
        return true;
    }
    if (!lift_read_type(emit->at->parts[emit->at->part_count - 1], &type) || type.bits < 8 ||
        emit->at->operand_count < 2)
        return false;
    if (is_opcode(emit, "and") || is_opcode(emit, "or") || is_opcode(emit, "xor"))
        logic(emit, type);
    else if (is_opcode(emit, "not"))
        complement(emit, type);
    else if (is_opcode(emit, "lop3"))
        lop3(emit, type);
    else if (is_opcode(emit, "bfe"))
        extract(emit, type);
    else if (is_opcode(emit, "bfi"))
        insert(emit, type);
    else if (is_opcode(emit, "popc"))
        intrinsic(emit, type, "ctpop", "");
    else if (is_opcode(emit, "clz"))
        intrinsic(emit, type, "ctlz", ", i1 false");
    else if (is_opcode(emit, "brev"))
        intrinsic(emit, type, "bitreverse", "");
    else if (is_opcode(emit, "shf"))
        funnel(emit, type);
    else if (is_opcode(emit, "mov"))
        move(emit, type);
    else
        return false;
    return true;
}
