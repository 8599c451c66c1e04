/* lift_emit_bytes.c: bytes that are put together anew (prmt), and the place of the highest bit
 * (bfind). */
#include <string.h>

#include "lift_emit.h"

static bool is_opcode(const struct lift_emit *emit, const char *name)
{
    return strcmp(emit->at->parts[0], name) == 0;
}

static struct lift_value with(struct lift_emit *emit, const char *operation,
                              struct lift_value value, int64_t number)
{
    return lift_binary(emit, operation, value, lift_integer(value.type, number));
}

/* Byte 0 to 7 of both words, or its sign eight times: the four bits say which. */
static struct lift_value chosen_byte(struct lift_emit *emit, struct lift_value words,
                                     struct lift_value four)
{
    struct lift_value place = with(emit, "shl", with(emit, "and", four, 7), 3);
    struct lift_value byte =
        lift_as(emit, lift_binary(emit, "lshr", words, place), lift_bits(8), false);
    struct lift_value sign = with(emit, "ashr", byte, 7);
    struct lift_value wants =
        lift_new(emit, lift_bit, "icmp ne i64 %s, 0", with(emit, "and", four, 8).text);
    struct lift_value made =
        lift_new(emit, byte.type, "select i1 %s, i8 %s, i8 %s", wants.text, sign.text, byte.text);
    return lift_as(emit, made, lift_bits(32), false);
}

/* prmt.b32 d, low, high, which: four bits for each byte of d. */
static void permute(struct lift_emit *emit)
{
    struct lift_value low = lift_as(emit, lift_get(emit, 1, lift_bits(32)), lift_bits(64), false);
    struct lift_value high = lift_as(emit, lift_get(emit, 2, lift_bits(32)), lift_bits(64), false);
    struct lift_value which = lift_as(emit, lift_get(emit, 3, lift_bits(32)), lift_bits(64), false);
    struct lift_value words = lift_binary(emit, "or", low, with(emit, "shl", high, 32));
    struct lift_value result = lift_integer(lift_bits(32), 0);
    for (int i = 0; i < 4; i++) {
        struct lift_value four = with(emit, "and", with(emit, "lshr", which, 4 * i), 15);
        struct lift_value byte = chosen_byte(emit, words, four);
        result = lift_binary(emit, "or", result, with(emit, "shl", byte, 8 * i));
    }
    lift_set(emit, result, false);
}

/* Of a negative number the highest bit that is not the sign; -1 without one. With shiftamt, by how
 * much to shift so that it is the first. */
static void find_highest(struct lift_emit *emit, struct lift_type type)
{
    const char *llvm = lift_llvm(type);
    struct lift_value value = lift_get(emit, 1, type);
    if (type.kind == 's')
        value = lift_binary(emit, "xor", value, with(emit, "ashr", value, type.bits - 1));
    struct lift_value zeros = lift_new(emit, type, "call %s @llvm.ctlz.%s(%s %s, i1 false)", llvm,
                                       llvm, llvm, value.text);
    zeros = lift_as(emit, zeros, lift_bits(32), false);
    struct lift_value place =
        lift_binary(emit, "sub", lift_integer(zeros.type, (int64_t)type.bits - 1), zeros);
    if (!lift_has_part(emit->at, "shiftamt")) {
        lift_set(emit, place, false);
        return;
    }
    struct lift_value is_none =
        lift_new(emit, lift_bit, "icmp eq i32 %s, %u", zeros.text, type.bits);
    lift_set(emit,
             lift_new(emit, zeros.type, "select i1 %s, i32 -1, i32 %s", is_none.text, zeros.text),
             false);
}

bool lift_emit_bytes(struct lift_emit *emit)
{
    struct lift_type type;
    if (!lift_read_type(emit->at->parts[emit->at->part_count - 1], &type))
        return false;
    if (is_opcode(emit, "prmt") && emit->at->part_count == 2 && type.bits == 32)
        permute(emit); /* those with a third part choose in other ways */
    else if (is_opcode(emit, "bfind") && type.bits >= 32)
        find_highest(emit, type);
    else
        return false;
    return true;
}
