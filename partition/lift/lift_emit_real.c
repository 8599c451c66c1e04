/* lift_emit_real.c: arithmetic with floating-point numbers. Rounding and the treatment of small
 * numbers are LLVM's: no access depends on them, but through conditions on data. */
#include <string.h>

#include "lift_emit.h"

static bool is_opcode(const struct lift_emit *emit, const char *name)
{
    return strcmp(emit->at->parts[0], name) == 0;
}

static struct lift_value call(struct lift_emit *emit, const char *name, struct lift_value a)
{
    const char *llvm = lift_llvm(a.type);
    return lift_new(emit, a.type, "call %s @llvm.%s.f%u(%s %s)", llvm, name, a.type.bits, llvm,
                    a.text);
}

static struct lift_value call2(struct lift_emit *emit, const char *name, struct lift_value a,
                               struct lift_value b)
{
    const char *llvm = lift_llvm(a.type);
    return lift_new(emit, a.type, "call %s @llvm.%s.f%u(%s %s, %s %s)", llvm, name, a.type.bits,
                    llvm, a.text, llvm, b.text);
}

static struct lift_value one(struct lift_emit *emit, struct lift_type type)
{
    return lift_new(emit, type, "sitofp i32 1 to %s", lift_llvm(type));
}

/* ---- of two or three numbers ---- */

static bool emit_binary(struct lift_emit *emit, struct lift_type type)
{
    static const char *const known[][2] = {
        {"add", "fadd"}, {"sub", "fsub"}, {"mul", "fmul"}, {"div", "fdiv"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_opcode(emit, known[i][0])) {
            struct lift_value a = lift_get(emit, 1, type), b = lift_get(emit, 2, type);
            lift_set(emit, lift_binary(emit, known[i][1], a, b), false);
            return true;
        }
    if (is_opcode(emit, "min") || is_opcode(emit, "max") || is_opcode(emit, "copysign")) {
        struct lift_value a = lift_get(emit, 1, type), b = lift_get(emit, 2, type);
        const char *name = is_opcode(emit, "min")   ? "minnum"
                           : is_opcode(emit, "max") ? "maxnum"
                                                    : "copysign";
        bool is_sign = is_opcode(emit, "copysign"); /* whose first operand has the sign */
        lift_set(emit, call2(emit, name, is_sign ? b : a, is_sign ? a : b), false);
        return true;
    }
    return false;
}

static void emit_fma(struct lift_emit *emit, struct lift_type type)
{
    const char *llvm = lift_llvm(type);
    struct lift_value a = lift_get(emit, 1, type), b = lift_get(emit, 2, type);
    struct lift_value c = lift_get(emit, 3, type);
    lift_set(emit,
             lift_new(emit, type, "call %s @llvm.fma.f%u(%s %s, %s %s, %s %s)", llvm, type.bits,
                      llvm, a.text, llvm, b.text, llvm, c.text),
             false);
}

/* ---- of one number ---- */

/* tanh(x) = 1 - 2 / (exp(2 x) + 1) */
static struct lift_value tangent(struct lift_emit *emit, struct lift_value x)
{
    struct lift_value unit = one(emit, x.type);
    struct lift_value power = call(emit, "exp", lift_binary(emit, "fadd", x, x));
    struct lift_value below = lift_binary(emit, "fadd", power, unit);
    struct lift_value two = lift_binary(emit, "fadd", unit, unit);
    return lift_binary(emit, "fsub", unit, lift_binary(emit, "fdiv", two, below));
}

static bool emit_unary(struct lift_emit *emit, struct lift_type type)
{
    static const char *const known[][2] = {{"sqrt", "sqrt"}, {"sin", "sin"},  {"cos", "cos"},
                                           {"ex2", "exp2"},  {"lg2", "log2"}, {"abs", "fabs"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_opcode(emit, known[i][0])) {
            lift_set(emit, call(emit, known[i][1], lift_get(emit, 1, type)), false);
            return true;
        }
    bool is_root = is_opcode(emit, "rsqrt");
    if (is_root || is_opcode(emit, "rcp")) {
        struct lift_value a = lift_get(emit, 1, type);
        a = is_root ? call(emit, "sqrt", a) : a;
        lift_set(emit, lift_binary(emit, "fdiv", one(emit, type), a), false);
    } else if (is_opcode(emit, "neg")) {
        struct lift_value a = lift_get(emit, 1, type);
        lift_set(emit, lift_new(emit, type, "fneg %s %s", lift_llvm(type), a.text), false);
    } else if (is_opcode(emit, "tanh")) {
        lift_set(emit, tangent(emit, lift_get(emit, 1, type)), false);
    } else {
        return false;
    }
    return true;
}

bool lift_emit_real(struct lift_emit *emit)
{
    struct lift_type type;
    if (!lift_read_type(emit->at->parts[emit->at->part_count - 1], &type) || type.kind != 'f')
        return false;
    if (is_opcode(emit, "fma") || is_opcode(emit, "mad")) {
        emit_fma(emit, type);
        return true;
    }
    return emit_binary(emit, type) || emit_unary(emit, type);
}
