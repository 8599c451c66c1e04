/* lift_emit_integer.c: integer arithmetic, and that of addresses. */
#include <string.h>

#include "lift_emit.h"

static bool is_opcode(const struct lift_emit *emit, const char *name)
{
    return strcmp(emit->at->parts[0], name) == 0;
}

static bool result_is_address(struct lift_emit *emit)
{
    const struct lift_operand *to = &emit->at->operands[0];
    const struct lift_register *found = emit->at->operand_count && to->kind == LIFT_NAME
                                            ? lift_register(emit->kernel, to->name)
                                            : NULL;
    return found && found->is_address;
}

static bool is_address(struct lift_emit *emit, size_t index)
{
    const struct lift_operand *operand = &emit->at->operands[index];
    if (index >= emit->at->operand_count || operand->kind != LIFT_NAME)
        return false;
    const struct lift_register *found = lift_register(emit->kernel, operand->name);
    if (found)
        return found->is_address;
    const struct lift_variable *variable = lift_variable(emit->kernel, operand->name);
    return variable && variable->space != 's';
}

static struct lift_value moved(struct lift_emit *emit, struct lift_value address,
                               struct lift_value bytes)
{
    return lift_new(emit, lift_address_type, "getelementptr i8, i8* %s, i64 %s", address.text,
                    bytes.text);
}

/* Bytes are added to an address, so that it stays known what it is an address in. */
static void address_sum(struct lift_emit *emit)
{
    bool is_difference = is_opcode(emit, "sub");
    size_t base = is_difference || is_address(emit, 1) || !is_address(emit, 2) ? 1 : 2;
    struct lift_value from = lift_get(emit, base, lift_address_type);
    struct lift_value bytes = lift_get(emit, 3 - base, lift_bits(64));
    if (is_difference)
        bytes = lift_binary(emit, "sub", lift_integer(lift_bits(64), 0), bytes);
    lift_set(emit, moved(emit, from, bytes), false);
}

/* ---- products ---- */

/* Whether operand `index` is a number, not negative and so small that 64 bits hold its product with
 * any of 32. */
static bool is_small(const struct lift_emit *emit, size_t index)
{
    const struct lift_operand *operand = &emit->at->operands[index];
    return index < emit->at->operand_count && operand->kind == LIFT_INTEGER &&
           operand->number >= 0 && operand->number < 1LL << 31;
}

/* Twice as wide, where it cannot wrap. */
static struct lift_value wide_product(struct lift_emit *emit, struct lift_type type)
{
    struct lift_type twice = {type.kind, 2 * type.bits};
    bool is_signed = type.kind == 's';
    struct lift_value a = lift_as(emit, lift_get(emit, 1, type), twice, is_signed);
    struct lift_value b = lift_as(emit, lift_get(emit, 2, type), twice, is_signed);
    bool never_negative = is_signed || is_small(emit, 1) || is_small(emit, 2);
    return lift_binary(emit, never_negative ? "mul nsw" : "mul nuw", a, b);
}

static struct lift_value high_product(struct lift_emit *emit, struct lift_type type)
{
    struct lift_value product = wide_product(emit, type);
    product = lift_binary(emit, "lshr", product, lift_integer(product.type, type.bits));
    return lift_as(emit, product, type, false);
}

/* mul and mad, of which mad adds its third operand. */
static void product(struct lift_emit *emit, struct lift_type type)
{
    bool is_wide = lift_has_part(emit->at, "wide"), adds = is_opcode(emit, "mad");
    if ((is_wide && type.bits > 32) || lift_has_part(emit->at, "cc")) {
        lift_cannot(emit, "a product of this kind is not known here");
        return;
    }
    struct lift_value value =
        is_wide ? wide_product(emit, type)
        : lift_has_part(emit->at, "hi")
            ? high_product(emit, type)
            : lift_binary(emit, "mul", lift_get(emit, 1, type), lift_get(emit, 2, type));
    if (adds && result_is_address(emit))
        value = moved(emit, lift_get(emit, 3, lift_address_type),
                      lift_as(emit, value, lift_bits(64), type.kind == 's'));
    else if (adds)
        value = lift_binary(emit, "add", value, lift_get(emit, 3, value.type));
    lift_set(emit, value, type.kind == 's');
}

/* ---- the others ---- */

static void extreme(struct lift_emit *emit, struct lift_type type)
{
    struct lift_value a = lift_get(emit, 1, type), b = lift_get(emit, 2, type);
    struct lift_value first =
        lift_new(emit, lift_bit, "icmp %c%s %s %s, %s", type.kind == 's' ? 's' : 'u',
                 is_opcode(emit, "max") ? "gt" : "lt", lift_llvm(type), a.text, b.text);
    lift_keep_leaves(emit, type);
    lift_set(emit,
             lift_new(emit, type, "select i1 %s, %s %s, %s %s", first.text, lift_llvm(type), a.text,
                      lift_llvm(type), b.text),
             type.kind == 's');
}

/* A shift by as many bits as there are, or more, leaves nothing but the sign. */
static void shift(struct lift_emit *emit, struct lift_type type)
{
    bool is_signed = type.kind == 's', is_left = is_opcode(emit, "shl");
    const char *operation = is_left ? "shl" : is_signed ? "ashr" : "lshr";
    struct lift_value value = lift_get(emit, 1, type);
    struct lift_value by = lift_get(emit, 2, lift_bits(32));
    struct lift_value last = lift_integer(by.type, type.bits - 1);
    bool is_number = emit->at->operands[2].kind == LIFT_INTEGER;
    bool fits = is_number && (uint64_t)emit->at->operands[2].number < type.bits;
    if (fits) {
        by = lift_integer(type, emit->at->operands[2].number);
        lift_set(emit, lift_binary(emit, operation, value, by), is_signed);
        return;
    }
    struct lift_value large = lift_new(emit, lift_bit, "icmp ugt i32 %s, %s", by.text, last.text);
    by = lift_new(emit, by.type, "select i1 %s, i32 %s, i32 %s", large.text, last.text, by.text);
    struct lift_value result = lift_binary(emit, operation, value, lift_as(emit, by, type, false));
    if (is_left || !is_signed)
        result = lift_new(emit, type, "select i1 %s, %s 0, %s %s", large.text, lift_llvm(type),
                          lift_llvm(type), result.text);
    lift_set(emit, result, is_signed);
}

static void unary(struct lift_emit *emit, struct lift_type type)
{
    struct lift_value zero = lift_integer(type, 0), value = lift_get(emit, 1, type);
    struct lift_value negative = lift_binary(emit, "sub", zero, value);
    if (is_opcode(emit, "abs")) {
        struct lift_value below =
            lift_new(emit, lift_bit, "icmp slt %s %s, 0", lift_llvm(type), value.text);
        negative = lift_new(emit, type, "select i1 %s, %s %s, %s %s", below.text, lift_llvm(type),
                            negative.text, lift_llvm(type), value.text);
    }
    lift_set(emit, negative, type.kind == 's');
}

static void division(struct lift_emit *emit, struct lift_type type)
{
    bool is_signed = type.kind == 's', is_quotient = is_opcode(emit, "div");
    const char *operation =
        is_signed ? (is_quotient ? "sdiv" : "srem") : (is_quotient ? "udiv" : "urem");
    lift_set(emit, lift_binary(emit, operation, lift_get(emit, 1, type), lift_get(emit, 2, type)),
             is_signed);
}

static void sum(struct lift_emit *emit, struct lift_type type)
{
    if (lift_has_part(emit->at, "cc") || lift_has_part(emit->at, "sat"))
        lift_cannot(emit, "a sum of this kind is not known here");
    else if (type.bits == 64 && result_is_address(emit))
        address_sum(emit);
    else
        lift_set(
            emit,
            lift_binary(emit, emit->at->parts[0], lift_get(emit, 1, type), lift_get(emit, 2, type)),
            type.kind == 's');
}

static void select(struct lift_emit *emit, struct lift_type type)
{
    if (result_is_address(emit))
        type = lift_address_type;
    struct lift_value yes = lift_get(emit, 1, type), no = lift_get(emit, 2, type);
    struct lift_value which = lift_get(emit, 3, lift_bit);
    lift_set(emit,
             lift_new(emit, type, "select i1 %s, %s %s, %s %s", which.text, lift_llvm(type),
                      yes.text, lift_llvm(type), no.text),
             false);
}

bool lift_emit_integer(struct lift_emit *emit)
{
    static const struct {
        const char *opcode;
        void (*write)(struct lift_emit *emit, struct lift_type type);
    } known[] = {{"add", sum},      {"sub", sum},      {"mul", product}, {"mad", product},
                 {"div", division}, {"rem", division}, {"min", extreme}, {"max", extreme},
                 {"shl", shift},    {"shr", shift},    {"neg", unary},   {"abs", unary},
                 {"selp", select}};
    struct lift_type type;
    size_t which = 0, count = sizeof known / sizeof *known;
    while (which < count && !is_opcode(emit, known[which].opcode))
        which++;
    if (which == count || !lift_read_type(emit->at->parts[emit->at->part_count - 1], &type) ||
        (type.kind == 'f' && known[which].write != select) || type.kind == 'p')
        return false;
    if (emit->at->operand_count < 2)
        lift_cannot(emit, "operands are missing");
    else
        known[which].write(emit, type);
    return true;
}
