/* lift_emit_predicate.c: comparisons, and predicates made of predicates. */
#include <stdlib.h>
#include <string.h>

#include "lift_emit.h"

static struct lift_value load(struct lift_emit *emit, const char *name, const char *suffix)
{
    return lift_new(emit, lift_bit, "load i1, i1* %%%s%s", lift_plain(name), suffix);
}

static bool is_predicate(struct lift_emit *emit, const char *name)
{
    const struct lift_register *found = lift_register(emit->kernel, name);
    if (found && found->type.kind == 'p')
        return true;
    lift_cannot(emit, "a predicate is none");
    return false;
}

struct lift_value lift_condition(struct lift_emit *emit, const char *name, bool negated)
{
    if (!is_predicate(emit, name))
        return lift_integer(lift_bit, 0);
    return load(emit, name, negated ? ".n" : ".r");
}

/* A predicate and its opposite. */
struct both {
    struct lift_value yes, no;
};

static void set_predicate(struct lift_emit *emit, const char *name, struct both value)
{
    if (strcmp(name, "_") == 0 || !is_predicate(emit, name))
        return;
    lift_line(emit, "store i1 %s, i1* %%%s.r", value.yes.text, lift_plain(name));
    lift_line(emit, "store i1 %s, i1* %%%s.n", value.no.text, lift_plain(name));
}

void lift_set_predicate(struct lift_emit *emit, const char *name, struct lift_value integer)
{
    set_predicate(emit, name,
                  (struct both){lift_new(emit, lift_bit, "icmp ne i32 %s, 0", integer.text),
                                lift_new(emit, lift_bit, "icmp eq i32 %s, 0", integer.text)});
}

static struct both operand(struct lift_emit *emit, size_t index)
{
    struct both value = {lift_integer(lift_bit, 0), lift_integer(lift_bit, 1)};
    if (index >= emit->at->operand_count) {
        lift_cannot(emit, "operands are missing");
        return value;
    }
    const struct lift_operand *from = &emit->at->operands[index];
    if (from->kind == LIFT_INTEGER)
        return (struct both){lift_integer(lift_bit, from->number),
                             lift_integer(lift_bit, !from->number)};
    if (from->kind != LIFT_NAME) {
        lift_cannot(emit, "an operand of this kind is not known here");
        return value;
    }
    return (struct both){lift_condition(emit, from->name, from->negated),
                         lift_condition(emit, from->name, !from->negated)};
}

static struct both join(struct lift_emit *emit, const char *how, struct both a, struct both b)
{
    if (strcmp(how, "xor") == 0)
        return (struct both){lift_binary(emit, "or", lift_binary(emit, "and", a.yes, b.no),
                                         lift_binary(emit, "and", a.no, b.yes)),
                             lift_binary(emit, "or", lift_binary(emit, "and", a.yes, b.yes),
                                         lift_binary(emit, "and", a.no, b.no))};
    bool is_and = strcmp(how, "and") == 0;
    return (struct both){lift_binary(emit, is_and ? "and" : "or", a.yes, b.yes),
                         lift_binary(emit, is_and ? "or" : "and", a.no, b.no)};
}

/* ---- comparisons ---- */

struct comparison {
    const char *name, *opposite;
    bool is_less; /* the left side is the smaller one */
};

static const struct comparison *find_integer(const char *name)
{
    static const struct {
        const char *ptx;
        struct comparison found;
    } known[] = {{"eq", {"eq", "ne", false}}, {"ne", {"ne", "eq", false}},
                 {"lt", {"lt", "ge", true}},  {"le", {"le", "gt", true}},
                 {"gt", {"gt", "le", false}}, {"ge", {"ge", "lt", false}},
                 {"lo", {"lt", "ge", true}},  {"ls", {"le", "gt", true}},
                 {"hi", {"gt", "le", false}}, {"hs", {"ge", "lt", false}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].ptx) == 0)
            return &known[i].found;
    return NULL;
}

static const struct comparison *find_real(const char *name)
{
    static const struct {
        const char *ptx;
        struct comparison found;
    } known[] = {{"eq", {"oeq", "une", false}},  {"ne", {"one", "ueq", false}},
                 {"lt", {"olt", "uge", false}},  {"le", {"ole", "ugt", false}},
                 {"gt", {"ogt", "ule", false}},  {"ge", {"oge", "ult", false}},
                 {"equ", {"ueq", "one", false}}, {"neu", {"une", "oeq", false}},
                 {"ltu", {"ult", "oge", false}}, {"leu", {"ule", "ogt", false}},
                 {"gtu", {"ugt", "ole", false}}, {"geu", {"uge", "olt", false}},
                 {"num", {"ord", "uno", false}}, {"nan", {"uno", "ord", false}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].ptx) == 0)
            return &known[i].found;
    return NULL;
}

static struct lift_value compare(struct lift_emit *emit, const char *name, struct lift_value a,
                                 struct lift_value b, char kind)
{
    bool is_equality = strcmp(name, "eq") == 0 || strcmp(name, "ne") == 0;
    const char *sign = kind == 'f' || is_equality ? "" : kind == 's' ? "s" : "u";
    return lift_new(emit, lift_bit, "%ccmp %s%s %s %s, %s", kind == 'f' ? 'f' : 'i', sign, name,
                    lift_llvm(a.type), a.text, b.text);
}

static struct both compare_both(struct lift_emit *emit, const struct comparison *how,
                                struct lift_value a, struct lift_value b, char kind)
{
    return (struct both){compare(emit, how->name, a, b, kind),
                         compare(emit, how->opposite, a, b, kind)};
}

/* ---- the smallest and largest of integers ---- */

/* Whether the register is written once, by min or max of such numbers. */
static const struct lift_register *
extreme(struct lift_emit *emit, const struct lift_operand *operand, struct lift_type type)
{
    struct lift_type of;
    const struct lift_register *found =
        operand->kind == LIFT_NAME && !operand->negated && !operand->number
            ? lift_register(emit->kernel, operand->name)
            : NULL;
    if (!found || found->definitions != 1 || !found->leaves)
        return NULL;
    const struct lift_instruction *definition = found->definition;
    return lift_read_type(definition->parts[definition->part_count - 1], &of) &&
                   of.kind == type.kind && of.bits == type.bits
               ? found
               : NULL;
}

static bool is_max(const struct lift_register *extreme)
{
    return strcmp(extreme->definition->parts[0], "max") == 0;
}

static struct lift_value leaf(struct lift_emit *emit, const struct lift_register *from,
                              unsigned number, struct lift_type type)
{
    return lift_new(emit, type, "load %s, %s* %%%s.%u", lift_llvm(type), lift_llvm(type),
                    lift_plain(from->name), number);
}

static void keep(struct lift_emit *emit, struct lift_register *to, struct lift_value value)
{
    lift_line(emit, "store %s %s, %s* %%%s.%u", lift_llvm(value.type), value.text,
              lift_llvm(value.type), lift_plain(to->name), to->leaves++);
}

/* max(max(a, b), c) keeps three. */
static void keep_operand(struct lift_emit *emit, struct lift_register *to, size_t index,
                         struct lift_type type)
{
    const struct lift_register *inner = extreme(emit, &emit->at->operands[index], type);
    bool is_alike = inner && inner != to && is_max(inner) == is_max(to) &&
                    to->leaves + inner->leaves + 2 <= LEAVES_MAX;
    if (!is_alike)
        keep(emit, to, lift_get(emit, index, type));
    for (unsigned i = 0; is_alike && i < inner->leaves; i++)
        keep(emit, to, leaf(emit, inner, i, type));
}

void lift_keep_leaves(struct lift_emit *emit, struct lift_type type)
{
    const struct lift_operand *result = &emit->at->operands[0];
    struct lift_register *to =
        result->kind == LIFT_NAME ? lift_register(emit->kernel, result->name) : NULL;
    if (!to || to->definitions != 1 || to->definition != emit->at || to->is_address ||
        emit->at->predicate || to->type.bits != type.bits || emit->at->operand_count < 3)
        return;
    keep_operand(emit, to, 1, type);
    keep_operand(emit, to, 2, type);
}

/* max(a, b) < c where a < c and b < c. */
static bool compare_extreme(struct lift_emit *emit, const struct comparison *how,
                            struct lift_type type, struct both *result)
{
    const struct lift_operand *operands = emit->at->operands;
    const struct lift_register *left = extreme(emit, &operands[1], type);
    const struct lift_register *right = extreme(emit, &operands[2], type);
    if (strlen(how->name) != 2 || !strcmp(how->name, "eq") || !strcmp(how->name, "ne") ||
        (!left && !right))
        return false;
    const struct lift_register *of = left ? left : right;
    struct lift_value other = lift_get(emit, left ? 2 : 1, type);
    bool needs_all = (is_max(of) == how->is_less) == (left != NULL);
    for (unsigned i = 0; i < of->leaves; i++) {
        struct lift_value value = leaf(emit, of, i, type);
        struct both one =
            compare_both(emit, how, left ? value : other, left ? other : value, type.kind);
        *result = i ? join(emit, needs_all ? "and" : "or", *result, one) : one;
    }
    return true;
}

/* What setp and set compare, a with b or joined with a predicate behind them; and the opposite of
 * the comparison joined so. */
static bool compared(struct lift_emit *emit, struct both *result, struct both *opposite)
{
    struct lift_type type;
    if (!lift_last_type(emit, &type) || emit->at->operand_count < 3) {
        lift_cannot(emit, "operands are missing");
        return false;
    }
    const struct comparison *how = emit->at->part_count < 3 ? NULL
                                   : type.kind == 'f'       ? find_real(emit->at->parts[1])
                                                            : find_integer(emit->at->parts[1]);
    if (!how || type.kind == 'p') {
        lift_cannot(emit, "a comparison of this kind is not known here");
        return false;
    }
    if (type.kind == 'f' || !compare_extreme(emit, how, type, result)) {
        struct lift_value a = lift_get(emit, 1, type), b = lift_get(emit, 2, type);
        *result = compare_both(emit, how, a, b, type.kind);
    }
    *opposite = (struct both){result->no, result->yes};
    static const char *const joins[] = {"and", "or", "xor"};
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++)
        if (lift_has_part(emit->at, joins[i])) {
            struct both with = operand(emit, 3);
            *result = join(emit, joins[i], *result, with);
            *opposite = join(emit, joins[i], *opposite, with);
        }
    return true;
}

/* setp.lt.s32 %p, a, b; setp.lt.and.s32 %p|%q, a, b, %r: q takes the opposite of the comparison */
static void emit_setp(struct lift_emit *emit)
{
    struct both result, opposite;
    if (!compared(emit, &result, &opposite))
        return;
    const struct lift_operand *to = &emit->at->operands[0];
    if (to->kind != LIFT_NAME) {
        lift_cannot(emit, "its result is no register");
        return;
    }
    set_predicate(emit, to->name, result);
    if (to->second)
        set_predicate(emit, to->second, opposite);
}

/* set.lt.u32.s32 %r, a, b: all bits, or as a real number 1; otherwise 0 */
static void emit_set(struct lift_emit *emit)
{
    struct both result, opposite;
    struct lift_type to;
    if (!compared(emit, &result, &opposite))
        return;
    size_t parts = emit->at->part_count;
    if (parts < 4 || !lift_read_type(emit->at->parts[parts - 2], &to) ||
        (to.bits != 16 && to.bits != 32)) {
        lift_cannot(emit, "a result of this kind is not known here");
        return;
    }
    struct lift_value value =
        lift_new(emit, to, "%s i1 %s to %s", to.kind == 'f' ? "uitofp" : "sext", result.yes.text,
                 lift_llvm(to));
    lift_set(emit, value, to.kind == 's');
}

static void set_result(struct lift_emit *emit, struct both value)
{
    if (emit->at->operand_count && emit->at->operands[0].kind == LIFT_NAME)
        set_predicate(emit, emit->at->operands[0].name, value);
    else
        lift_cannot(emit, "its result is no register");
}

bool lift_emit_predicate(struct lift_emit *emit)
{
    const char *opcode = emit->at->parts[0];
    if (strcmp(opcode, "setp") == 0) {
        emit_setp(emit);
        return true;
    }
    if (strcmp(opcode, "set") == 0) {
        emit_set(emit);
        return true;
    }
    if (strcmp(emit->at->parts[emit->at->part_count - 1], "pred") != 0)
        return false;
    struct both a = operand(emit, 1);
    if (strcmp(opcode, "mov") == 0)
        set_result(emit, a);
    else if (strcmp(opcode, "not") == 0)
        set_result(emit, (struct both){a.no, a.yes});
    else if (strcmp(opcode, "and") == 0 || strcmp(opcode, "or") == 0 || strcmp(opcode, "xor") == 0)
        set_result(emit, join(emit, opcode, a, operand(emit, 2)));
    else
        return false;
    return true;
}
