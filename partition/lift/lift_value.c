/* lift_value.c: values of the IR, and registers as its variables. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "lift_emit.h"

const char *lift_plain(const char *name)
{
    return name + (name[0] == '%');
}

bool lift_is_constant(const struct lift_variable *variable)
{
    bool is_only_read = variable->space == 'g' && !variable->is_linked && !variable->is_written;
    return variable->space == 'c' || is_only_read || strncmp(variable->name, "__cudart_", 9) == 0;
}

struct lift_value lift_new(struct lift_emit *emit, struct lift_type type, const char *format, ...)
{
    struct lift_value value = {.type = type};
    va_list arguments;
    snprintf(value.text, sizeof value.text, "%%v%u", ++emit->values);
    fprintf(emit->out, "  %s = ", value.text);
    va_start(arguments, format);
    vfprintf(emit->out, format, arguments);
    va_end(arguments);
    fputc('\n', emit->out);
    return value;
}

void lift_line(struct lift_emit *emit, const char *format, ...)
{
    va_list arguments;
    fputs("  ", emit->out);
    va_start(arguments, format);
    vfprintf(emit->out, format, arguments);
    va_end(arguments);
    fputc('\n', emit->out);
}

void lift_cannot(struct lift_emit *emit, const char *why)
{
    lift_refuse(emit->kernel, "line %u: %.60s: %s", emit->at->line, emit->at->text, why);
}

struct lift_value lift_integer(struct lift_type type, int64_t number)
{
    struct lift_value value = {.type = type};
    if (type.bits == 1)
        snprintf(value.text, sizeof value.text, "%s", number & 1 ? "true" : "false");
    else if (type.bits < 64)
        snprintf(value.text, sizeof value.text, "%" PRId64,
                 (int64_t)((uint64_t)number << (64 - type.bits)) >> (64 - type.bits));
    else
        snprintf(value.text, sizeof value.text, "%" PRId64, number);
    return value;
}

static struct lift_value convert(struct lift_emit *emit, const char *how, struct lift_value value,
                                 struct lift_type type)
{
    return lift_new(emit, type, "%s %s %s to %s", how, lift_llvm(value.type), value.text,
                    lift_llvm(type));
}

struct lift_value lift_as(struct lift_emit *emit, struct lift_value value, struct lift_type type,
                          bool is_signed)
{
    if (lift_same(value.type, type))
        return value;
    if (value.type.kind == 'a')
        return lift_as(emit, convert(emit, "ptrtoint", value, lift_bits(64)), type, is_signed);
    if (value.type.kind == 'f')
        return lift_as(emit, convert(emit, "bitcast", value, lift_bits(value.type.bits)), type,
                       is_signed);
    if (type.kind == 'a')
        return convert(emit, "inttoptr", lift_as(emit, value, lift_bits(64), is_signed), type);
    if (type.kind == 'f')
        return convert(emit, "bitcast", lift_as(emit, value, lift_bits(type.bits), is_signed),
                       type);
    if (value.type.bits > type.bits)
        return convert(emit, "trunc", value, type);
    return convert(emit, is_signed ? "sext" : "zext", value, type);
}

/* ---- operands ---- */

/* %tid.x: a call that partition-wrap recognises. */
static bool coordinate(struct lift_emit *emit, const char *name, struct lift_value *value)
{
    static const char *const names[][2] = {{"%tid", "partition_thread"},
                                           {"%ctaid", "partition_block"},
                                           {"%ntid", "partition_block_size"},
                                           {"%nctaid", "partition_grid_size"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i][0]);
        const char *dimension = name + length + 1;
        if (strncmp(name, names[i][0], length) != 0 || name[length] != '.' || !*dimension ||
            dimension[1] || !strchr("xyz", *dimension))
            continue;
        *value =
            lift_new(emit, lift_bits(32), "call i32 @%s(i32 %d)", names[i][1], *dimension - 'x');
        return true;
    }
    return false;
}

/* Threads of a block are numbered along x, then y, then z; a warp has 32 of them. */
static struct lift_value lane(struct lift_emit *emit)
{
    struct lift_value number = lift_integer(lift_bits(32), 0), size, thread;
    static const char *const threads[] = {"%tid.z", "%tid.y", "%tid.x"};
    static const char *const sizes[] = {"%ntid.z", "%ntid.y", "%ntid.x"};
    for (unsigned d = 0; d < 3; d++) {
        coordinate(emit, sizes[d], &size);
        coordinate(emit, threads[d], &thread);
        number = lift_binary(emit, "add", lift_binary(emit, "mul", number, size), thread);
    }
    return lift_binary(emit, "and", number, lift_integer(number.type, 31));
}

/* %lanemask_lt: a bit for each thread of the warp whose number is smaller, and so on. */
static bool lane_mask(struct lift_emit *emit, const char *name, struct lift_value *value)
{
    static const char *const names[] = {"eq", "lt", "le", "gt", "ge"};
    static const char prefix[] = "%lanemask_";
    size_t which = 0;
    if (strncmp(name, prefix, strlen(prefix)) != 0)
        return false;
    while (which < 5 && strcmp(name + strlen(prefix), names[which]) != 0)
        which++;
    struct lift_value one = lift_integer(lift_bits(32), 1), all = lift_integer(lift_bits(32), -1);
    struct lift_value own = lift_binary(emit, "shl", one, lane(emit));
    struct lift_value below = lift_binary(emit, "sub", own, one);
    struct lift_value up_to = lift_binary(emit, "or", own, below);
    *value = which == 0   ? own
             : which == 1 ? below
             : which == 2 ? up_to
                          : lift_binary(emit, "xor", which == 3 ? up_to : below, all);
    return which < 5;
}

/* %clock64 and the like: a number of which nothing is known. */
static bool clock_value(struct lift_emit *emit, const char *name, struct lift_value *value)
{
    static const char *const names[] = {"%clock",       "%clock_hi",       "%clock64",
                                        "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        *value = lift_new(emit, lift_bits(64), "call i64 @lift_clock(i32 %td)",
                          emit->at - emit->kernel->instructions);
        return true;
    }
    return false;
}

/* The place of a parameter, of which only loads make something: lift_find_members() finds them. */
static bool parameter_place(struct lift_emit *emit, const char *name, struct lift_value *value)
{
    *value = lift_integer(lift_bits(64), 0);
    return lift_parameter(emit->kernel, name) != NULL && strcmp(emit->at->parts[0], "mov") == 0;
}

/* The address of a variable; in shared memory a number. */
static bool variable(struct lift_emit *emit, const char *name, struct lift_value *value)
{
    const struct lift_variable *found = lift_variable(emit->kernel, name);
    if (!found || lift_is_reserved(name))
        return false;
    if (found->space == 's') {
        *value = lift_integer(lift_bits(64), (int64_t)found->offset);
        return true;
    }
    if (found->space == 'l') {
        *value =
            lift_new(emit, lift_address_type,
                     "getelementptr [%" PRIu64 " x i8], [%" PRIu64 " x i8]* %%%s.l, i64 0, i64 0",
                     found->bytes, found->bytes, lift_plain(name));
        return true;
    }
    const char *space = emit->to_run              ? ""
                        : lift_is_constant(found) ? " addrspace(4)"
                                                  : " addrspace(1)";
    const char *array = emit->to_run ? "bitcast" : "addrspacecast";
    *value = lift_new(emit, lift_address_type,
                      "getelementptr [%" PRIu64 " x i8], [%" PRIu64 " x i8]* %s ([%" PRIu64
                      " x i8]%s* @%s to [%" PRIu64 " x i8]*), i64 0, i64 0",
                      found->bytes, found->bytes, array, found->bytes, space, name, found->bytes);
    return true;
}

static struct lift_value named(struct lift_emit *emit, const char *name)
{
    struct lift_value value = lift_integer(lift_bits(32), 0);
    const struct lift_register *from = lift_register(emit->kernel, name);
    if (from) {
        struct lift_type type = from->is_address ? lift_address_type : from->type;
        return lift_new(emit, type, "load %s, %s* %%%s.r", lift_llvm(type), lift_llvm(type),
                        lift_plain(name));
    }
    if (strcmp(name, "WARP_SZ") == 0)
        return lift_integer(lift_bits(32), 32);
    if (strcmp(name, "%laneid") == 0)
        return lane(emit);
    if (!coordinate(emit, name, &value) && !lane_mask(emit, name, &value) &&
        !clock_value(emit, name, &value) && !parameter_place(emit, name, &value) &&
        !variable(emit, name, &value)) {
        char why[100];
        snprintf(why, sizeof why, "%.60s is not known here", name);
        lift_cannot(emit, why);
    }
    return value;
}

/* The bits of a real number as LLVM writes them: of 64 bits, whatever the type. */
static struct lift_value real(uint64_t bits, unsigned width)
{
    struct lift_value value = {.type = {'f', width}};
    if (width == 32) {
        union {
            uint32_t bits;
            float number;
        } single = {(uint32_t)bits};
        union {
            double number;
            uint64_t bits;
        } wide = {(double)single.number};
        bits = wide.bits;
    }
    snprintf(value.text, sizeof value.text, "0x%016" PRIX64, bits);
    return value;
}

static struct lift_value without_sign(struct lift_emit *emit, const struct lift_operand *operand,
                                      struct lift_type type)
{
    switch (operand->kind) {
    case LIFT_INTEGER:
        return lift_as(emit, lift_integer(lift_bits(type.bits), operand->number), type, false);
    case LIFT_REAL:
        return lift_as(emit, real((uint64_t)operand->number, operand->bits), type, false);
    case LIFT_NAME: {
        struct lift_value value = named(emit, operand->name);
        if (operand->number)
            value =
                value.type.kind == 'a'
                    ? lift_new(emit, lift_address_type, "getelementptr i8, i8* %s, i64 %" PRId64,
                               value.text, operand->number)
                    : lift_binary(emit, "add", value, lift_integer(value.type, operand->number));
        return lift_as(emit, value, type, false);
    }
    default:
        lift_cannot(emit, "an operand of this kind is not known here");
        return lift_as(emit, lift_integer(lift_bits(type.bits), 0), type, false);
    }
}

struct lift_value lift_operand(struct lift_emit *emit, const struct lift_operand *operand,
                               struct lift_type type)
{
    if (operand->negated && operand->kind == LIFT_NAME && type.bits == 1)
        return lift_condition(emit, operand->name, true);
    if (operand->negated || operand->second)
        lift_cannot(emit, "an operand of this kind is not known here");
    return without_sign(emit, operand, type);
}

struct lift_value lift_get(struct lift_emit *emit, size_t index, struct lift_type type)
{
    if (index < emit->at->operand_count)
        return lift_operand(emit, &emit->at->operands[index], type);
    lift_cannot(emit, "operands are missing");
    return lift_as(emit, lift_integer(lift_bits(type.bits), 0), type, false);
}

/* ---- results ---- */

void lift_set_operand(struct lift_emit *emit, const struct lift_operand *operand,
                      struct lift_value value, bool is_signed)
{
    if (operand->kind == LIFT_NAME && strcmp(operand->name, "_") == 0)
        return;
    const struct lift_register *to =
        operand->kind == LIFT_NAME ? lift_register(emit->kernel, operand->name) : NULL;
    if (!to || operand->second || operand->negated || operand->number) {
        lift_cannot(emit, "its result is no register");
        return;
    }
    struct lift_type type = to->is_address ? lift_address_type : to->type;
    value = lift_as(emit, value, type, is_signed);
    lift_line(emit, "store %s %s, %s* %%%s.r", lift_llvm(type), value.text, lift_llvm(type),
              lift_plain(to->name));
}

void lift_set(struct lift_emit *emit, struct lift_value value, bool is_signed)
{
    if (emit->at->operand_count)
        lift_set_operand(emit, &emit->at->operands[0], value, is_signed);
    else
        lift_cannot(emit, "operands are missing");
}

bool lift_last_type(struct lift_emit *emit, struct lift_type *type)
{
    if (lift_read_type(emit->at->parts[emit->at->part_count - 1], type))
        return true;
    lift_cannot(emit, "its type is not known here");
    *type = lift_bits(32);
    return false;
}

struct lift_value lift_binary(struct lift_emit *emit, const char *operation, struct lift_value a,
                              struct lift_value b)
{
    return lift_new(emit, a.type, "%s %s %s, %s", operation, lift_llvm(a.type), a.text, b.text);
}
