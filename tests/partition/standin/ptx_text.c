/* ptx_text.c: reads PTX. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx_internal.h"

enum { STATEMENT_MAX = 1 << 14, REGISTERS_MAX = 1 << 14, LABELS_MAX = 4096 };

static const char *const operation_names[OPERATIONS] = {
    "mov", "add", "sub",  "mul", "mad", "fma", "div",   "rem",  "min",  "max", "and",
    "or",  "xor", "not",  "neg", "abs", "shl", "shr",   "setp", "selp", "cvt", "cvta",
    "ld",  "st",  "atom", "bra", "bar", "ret", "rsqrt", "sqrt", "rcp"};

struct reader {
    const char *at;
    struct ptx_module *module;
    struct ptx_kernel *kernel; /* whose body is read */
    char (*registers)[64];
    char (*labels)[128];
    int *label_targets;
    int label_count;
    char (*branches)[128]; /* the label of each branch, by instruction */
    const char **why;
};

static bool fail(struct reader *reader, const char *what, const char *which)
{
    static char sentence[512];
    snprintf(sentence, sizeof sentence, "%s: %.400s", what, which);
    *reader->why = sentence;
    return false;
}

/* Up to the ; { } or : that ends it, without comments; *end gets that. False: the text ends. */
static bool next_statement(struct reader *reader, char *statement, char *end)
{
    size_t length = 0;
    int depth = 0;
    while (*reader->at) {
        const char *at = reader->at;
        if (at[0] == '/' && at[1] == '/') {
            reader->at += strcspn(at, "\n");
            continue;
        }
        reader->at++;
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        bool vector = *at == '{' && strchr(statement, ' ') && length > 0 && statement[0] != '.';
        if (vector || (*at == '{' && memchr(statement, '=', length)))
            depth++;
        bool is_end = depth == 0 && strchr(";{}:", *at);
        if (*at == '}' && depth > 0)
            depth--;
        if (is_end) {
            *end = *at;
            while (length && isspace((unsigned char)statement[length - 1]))
                length--;
            statement[length] = 0;
            return true;
        }
        if (*at == '\n' &&
            (!strncmp(statement, ".version", 8) || !strncmp(statement, ".target", 7) ||
             !strncmp(statement, ".address", 8) || !strncmp(statement, ".loc", 4) ||
             !strncmp(statement, ".file", 5))) {
            length = 0;
            *statement = 0;
            continue;
        }
        bool blank = isspace((unsigned char)*at);
        if (length + 2 < STATEMENT_MAX && !(blank && (!length || statement[length - 1] == ' ')))
            statement[length++] = blank ? ' ' : *at;
        statement[length] = 0;
    }
    return false;
}

static struct ptx_variable *find_variable(const struct ptx_module *module, const char *name)
{
    for (size_t i = module->variable_count; i-- > 0;)
        if (!strcmp(module->variables[i].name, name))
            return &module->variables[i];
    return NULL;
}

static int type_bytes(const char *type)
{
    int bits = atoi(type + 1 + strcspn(type + 1, "0123456789"));
    return bits ? bits / 8 : 1;
}

/* `= {1, 2}` behind a variable of elements of that size. */
static void initialise(struct ptx_variable *variable, const char *list, int element_bytes)
{
    size_t offset = 0;
    for (const char *at = strpbrk(list, "0123456789-"); at && offset < variable->bytes;) {
        char *end;
        uint64_t value = (uint64_t)strtoll(at, &end, 0);
        memcpy(variable->memory + offset, &value, (size_t)element_bytes);
        offset += (size_t)element_bytes;
        at = strpbrk(end, "0123456789-");
    }
}

/* .global .align 4 .b8 name[20] = {...} */
static bool read_variable(struct reader *reader, const char *statement, enum ptx_space space)
{
    struct ptx_module *module = reader->module;
    char type[16] = ".b8", name[PTX_NAME] = "";
    const char *list = strchr(statement, '=');
    for (const char *at = statement; *at && *at != '='; at += strcspn(at, " "), at += *at == ' ')
        if (*at == '.' && strchr("bufs", at[1]) && isdigit((unsigned char)at[2]))
            sscanf(at, "%15[^ ]", type);
        else if (*at != '.' && !isdigit((unsigned char)*at))
            sscanf(at, "%255[^[ =]", name);
    const char *bracket = strchr(statement, '[');
    size_t count = bracket && (!list || bracket < list) ? strtoul(bracket + 1, NULL, 10) : 1;
    module->variables =
        realloc(module->variables, (module->variable_count + 1) * sizeof *module->variables);
    struct ptx_variable *variable = &module->variables[module->variable_count++];
    *variable = (struct ptx_variable){.space = space, .bytes = count * (size_t)type_bytes(type)};
    strcpy(variable->name, name);
    if (space == SPACE_GLOBAL) {
        variable->memory = calloc(variable->bytes + 16, 1);
        if (list)
            initialise(variable, list, type_bytes(type));
        return true;
    }
    size_t *used =
        space == SPACE_SHARED ? &reader->kernel->shared_bytes : &reader->kernel->local_bytes;
    variable->offset = (*used + 15) / 16 * 16;
    *used = variable->offset + variable->bytes;
    return true;
}

static int register_number(struct reader *reader, const char *name)
{
    struct ptx_kernel *kernel = reader->kernel;
    for (int i = 0; i < kernel->registers; i++)
        if (!strcmp(reader->registers[i], name))
            return i;
    if (kernel->registers == REGISTERS_MAX)
        abort();
    snprintf(reader->registers[kernel->registers], 64, "%s", name);
    return kernel->registers++;
}

static bool read_special(const char *word, struct ptx_operand *operand)
{
    static const char *const names[] = {"%tid.", "%ntid.", "%ctaid.", "%nctaid."};
    for (int i = 0; i < 4; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(word, names[i], length) != 0)
            continue;
        operand->kind = SPECIAL;
        operand->value = (uint64_t)(3 * i + (word[length] - 'x'));
        return true;
    }
    return false;
}

/* The offset of the parameter of that name: parameters are known by their numbers; -1: none. */
static long parameter_offset(const struct ptx_kernel *kernel, const char *word)
{
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        char name[2 * PTX_NAME];
        snprintf(name, sizeof name, "%s_param_%zu", kernel->name, i);
        bool is_place = i + 1 == kernel->parameter_count && !strcmp(word, "datamotion_place");
        if (!strcmp(word, name) || is_place)
            return (long)kernel->parameters[i].offset;
    }
    return -1;
}

static bool read_word(struct reader *reader, const char *word, struct ptx_operand *operand)
{
    operand->reg[0] = -1;
    operand->count = 1;
    if (*word == '%' && !read_special(word, operand)) {
        operand->kind = REGISTER;
        operand->reg[0] = register_number(reader, word);
    } else if (*word != '%') {
        const struct ptx_variable *variable = find_variable(reader->module, word);
        long parameter = parameter_offset(reader->kernel, word);
        operand->kind = parameter < 0 ? VALUE : SPECIAL;
        if (parameter >= 0)
            operand->value = ARGUMENTS + (uint64_t)parameter;
        else if (variable)
            operand->value = variable->space == SPACE_GLOBAL ? (uint64_t)(uintptr_t)variable->memory
                                                             : variable->offset;
        else if (word[0] == '0' && (word[1] == 'f' || word[1] == 'F' || word[1] == 'd'))
            operand->value = strtoull(word + 2, NULL, 16);
        else if (isdigit((unsigned char)*word) || *word == '-')
            operand->value = (uint64_t)strtoll(word, NULL, 0);
        else
            return fail(reader, "unknown operand", word);
    }
    return true;
}

/* name+offset, without the brackets. */
static bool read_memory(struct reader *reader, char *word, struct ptx_operand *operand)
{
    long offset = 0;
    char *plus = strpbrk(word + 1, "+");
    if (plus) {
        offset = strtol(plus + 1, NULL, 0);
        *plus = 0;
    }
    operand->value = (uint64_t)parameter_offset(reader->kernel, word);
    operand->reg[0] = -1;
    if ((long)operand->value < 0 && !read_word(reader, word, operand))
        return false;
    operand->value = (operand->kind == REGISTER ? 0 : operand->value) + (uint64_t)offset;
    operand->kind = MEMORY;
    return true;
}

static bool read_vector(struct reader *reader, char *word, struct ptx_operand *operand)
{
    operand->count = 0;
    for (char *part = strtok(word, ", "); part; part = strtok(NULL, ", "))
        if (operand->count < PTX_VECTOR)
            operand->reg[operand->count++] = register_number(reader, part);
    operand->kind = VECTOR;
    return true;
}

/* One operand; `text` goes behind it. */
static bool read_operand(struct reader *reader, char **text, struct ptx_operand *operand)
{
    char *at = *text + strspn(*text, " ,");
    char close = *at == '[' ? ']' : *at == '{' ? '}' : ',';
    char *begin = close == ',' ? at : at + 1, *end = begin + strcspn(begin, (char[]){close, 0});
    *text = *end ? end + 1 : end;
    *end = 0;
    for (char *last = end; last > begin && last[-1] == ' ';)
        *--last = 0;
    return close == ']'   ? read_memory(reader, begin, operand)
           : close == '}' ? read_vector(reader, begin, operand)
                          : read_word(reader, begin, operand);
}

static enum ptx_space space_of(const char *part)
{
    return !strcmp(part, "shared") || !strncmp(part, "shared::", 8) ? SPACE_SHARED
           : !strcmp(part, "local")                                 ? SPACE_LOCAL
           : !strcmp(part, "param")                                 ? SPACE_PARAM
           : !strcmp(part, "global") || !strcmp(part, "const")      ? SPACE_GLOBAL
                                                                    : SPACE_GENERIC;
}

/* The parts behind the operation: add.rn.f32 */
static void read_modifier(const char *part, struct ptx_instruction *instruction)
{
    static const char *const compares[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    static const char *const unsigned_compares[] = {"", "", "lo", "ls", "hi", "hs"};
    enum ptx_space space = space_of(part);
    if (space != SPACE_GENERIC)
        instruction->space = space;
    if (!strcmp(part, "to"))
        instruction->to_space = true;
    if (!strcmp(part, "lo") || !strcmp(part, "hi") || !strcmp(part, "wide"))
        instruction->mode = *part;
    static const int in_memory[] = {OP_ADD, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR};
    for (size_t i = 0; i < sizeof in_memory / sizeof *in_memory; i++)
        if (!strcmp(part, operation_names[in_memory[i]]))
            instruction->in_memory = in_memory[i];
    for (int i = 0; instruction->operation == OP_SETP && i < 6; i++)
        if (!strcmp(part, compares[i]) || !strcmp(part, unsigned_compares[i]) ||
            (part[0] == compares[i][0] && part[1] == compares[i][1] && part[2] == 'u'))
            instruction->compare = i;
    bool is_type =
        (strchr("usfb", *part) && isdigit((unsigned char)part[1])) || !strcmp(part, "pred");
    if (is_type) {
        instruction->from = instruction->type.kind ? instruction->type : instruction->from;
        struct ptx_type type = {*part, !strcmp(part, "pred") ? 1 : atoi(part + 1) / 8};
        /* cvt.to.from: the first is the result's. */
        if (instruction->operation == OP_CVT && instruction->type.kind)
            instruction->from = type;
        else
            instruction->type = type;
    }
}

static bool read_opcode(struct reader *reader, char *opcode, struct ptx_instruction *instruction)
{
    char copy[128];
    snprintf(copy, sizeof copy, "%s", opcode);
    char *part = strtok(copy, ".");
    for (int i = 0; i < OPERATIONS; i++)
        if (part && !strcmp(part, operation_names[i]))
            instruction->operation = i;
    if (part && !strcmp(part, "exit"))
        instruction->operation = OP_RET;
    if (part && !strcmp(part, "barrier"))
        instruction->operation = OP_BAR;
    if (instruction->operation < 0)
        return fail(reader, "unknown instruction", opcode);
    while ((part = strtok(NULL, ".")))
        read_modifier(part, instruction);
    return true;
}

static bool read_operands(struct reader *reader, char *text, struct ptx_instruction *instruction)
{
    size_t place = (size_t)(instruction - reader->kernel->code);
    if (instruction->operation == OP_BRA) {
        snprintf(reader->branches[place], 128, "%s", text + strspn(text, " "));
        return true;
    }
    for (int i = 0; i < PTX_OPERANDS && instruction->operation != OP_BAR; i++) {
        text += strspn(text, " ,");
        if (!*text)
            break;
        if (!read_operand(reader, &text, &instruction->operand[i]))
            return false;
    }
    return true;
}

static bool read_instruction(struct reader *reader, char *text)
{
    struct ptx_kernel *kernel = reader->kernel;
    kernel->code = realloc(kernel->code, (kernel->length + 1) * sizeof *kernel->code);
    reader->branches = realloc(reader->branches, (kernel->length + 1) * sizeof *reader->branches);
    *reader->branches[kernel->length] = 0;
    struct ptx_instruction *instruction = &kernel->code[kernel->length++];
    *instruction = (struct ptx_instruction){.guard = -1, .operation = -1, .mode = 'l'};
    if (*text == '@') {
        instruction->unless = text[1] == '!';
        char *name = text + 1 + instruction->unless, *end = name + strcspn(name, " ");
        *end = 0;
        instruction->guard = register_number(reader, name);
        text = end + 1;
    }
    char *blank = text + strcspn(text, " ");
    char *operands = *blank ? blank + 1 : blank;
    *blank = 0;
    return read_opcode(reader, text, instruction) && read_operands(reader, operands, instruction);
}

static bool read_statement(struct reader *reader, char *statement, char end)
{
    if (end == ':') {
        snprintf(reader->labels[reader->label_count], 128, "%s", statement);
        reader->label_targets[reader->label_count] = (int)reader->kernel->length;
        return ++reader->label_count < LABELS_MAX || fail(reader, "too many labels", statement);
    }
    if (!*statement || !strncmp(statement, ".reg", 4) || !strncmp(statement, ".pragma", 7))
        return true;
    if (!strncmp(statement, ".shared", 7))
        return read_variable(reader, statement, SPACE_SHARED);
    if (!strncmp(statement, ".local", 6))
        return read_variable(reader, statement, SPACE_LOCAL);
    return *statement == '.' ? fail(reader, "unknown directive", statement)
                             : read_instruction(reader, statement);
}

static bool resolve_branches(struct reader *reader)
{
    struct ptx_kernel *kernel = reader->kernel;
    for (size_t i = 0; i < kernel->length; i++) {
        if (kernel->code[i].operation != OP_BRA)
            continue;
        kernel->code[i].target = -1;
        for (int l = 0; l < reader->label_count; l++)
            if (!strcmp(reader->labels[l], reader->branches[i]))
                kernel->code[i].target = reader->label_targets[l];
        if (kernel->code[i].target < 0)
            return fail(reader, "unknown label", reader->branches[i]);
    }
    return true;
}

static bool read_body(struct reader *reader, char *statement)
{
    char end;
    int depth = 1;
    reader->label_count = 0;
    while (depth > 0) {
        *statement = 0;
        if (!next_statement(reader, statement, &end))
            return fail(reader, "the text ends in a kernel", reader->kernel->name);
        if (!read_statement(reader, statement, end))
            return false;
        depth += (end == '{') - (end == '}');
    }
    return resolve_branches(reader);
}

static size_t align_up(size_t offset, size_t to)
{
    return to ? (offset + to - 1) / to * to : offset;
}

/* .param .align 8 .b8 name[24], ... */
static void read_parameters(struct ptx_kernel *kernel, char *list)
{
    for (char *save, *one = strtok_r(list, ",", &save); one; one = strtok_r(NULL, ",", &save)) {
        const char *align = strstr(one, ".align "), *bracket = strchr(one, '[');
        const char *type = NULL;
        for (const char *at = one; (at = strchr(at, '.')); at++)
            if (strchr("bufs", at[1]) && isdigit((unsigned char)at[2]))
                type = at;
        if (!type)
            continue;
        size_t bytes = (size_t)type_bytes(type), aligned = bytes;
        if (align)
            aligned = strtoul(align + 7, NULL, 10);
        if (bracket)
            bytes *= strtoul(bracket + 1, NULL, 10);
        kernel->parameters =
            realloc(kernel->parameters, (kernel->parameter_count + 1) * sizeof *kernel->parameters);
        size_t offset = align_up(kernel->parameter_bytes, aligned);
        kernel->parameters[kernel->parameter_count++] = (struct ptx_parameter){offset, bytes};
        kernel->parameter_bytes = offset + bytes;
    }
}

/* .visible .entry name( ... ) .maxntid 1 */
static bool read_kernel(struct reader *reader, char *statement)
{
    struct ptx_module *module = reader->module;
    module->kernels =
        realloc(module->kernels, (module->kernel_count + 1) * sizeof *module->kernels);
    struct ptx_kernel *kernel = &module->kernels[module->kernel_count++];
    *kernel = (struct ptx_kernel){0};
    reader->kernel = kernel;
    char *name = strstr(statement, ".entry") + 7;
    char *list = strchr(name, '(');
    sscanf(name, "%255[^( ]", kernel->name);
    if (list) {
        char *end = strrchr(list, ')');
        if (end)
            *end = 0;
        read_parameters(kernel, list + 1);
    }
    for (size_t i = 0; i < module->variable_count; i++) /* shared ones of the module come first */
        if (module->variables[i].space == SPACE_SHARED) {
            kernel->shared_bytes = align_up(kernel->shared_bytes, 16);
            if (module->variables[i].offset + module->variables[i].bytes > kernel->shared_bytes)
                kernel->shared_bytes = module->variables[i].offset + module->variables[i].bytes;
        }
    return read_body(reader, statement);
}

static bool read_module(struct reader *reader, char *statement)
{
    struct ptx_kernel before = {0};
    char end;
    for (*statement = 0; next_statement(reader, statement, &end); *statement = 0) {
        reader->kernel = &before;
        bool good = true;
        if (strstr(statement, ".entry") && end == '{')
            good = read_kernel(reader, statement);
        else if (strstr(statement, ".func"))
            good = fail(reader, "functions are not known", statement);
        else if (strstr(statement, ".shared"))
            good = read_variable(reader, strstr(statement, ".shared"), SPACE_SHARED);
        else if (strstr(statement, ".global") || strstr(statement, ".const"))
            good = read_variable(
                reader, strstr(statement, strstr(statement, ".global") ? ".global" : ".const"),
                SPACE_GLOBAL);
        if (!good)
            return false;
    }
    return true;
}

struct ptx_module *ptx_load(const char *text, const char **why)
{
    char *statement = malloc(STATEMENT_MAX);
    struct reader reader = {.at = text,
                            .module = calloc(1, sizeof *reader.module),
                            .registers = malloc(REGISTERS_MAX * sizeof *reader.registers),
                            .labels = malloc(LABELS_MAX * sizeof *reader.labels),
                            .label_targets = malloc(LABELS_MAX * sizeof *reader.label_targets),
                            .why = why};
    bool good = read_module(&reader, statement);
    free(statement);
    free(reader.registers);
    free(reader.labels);
    free(reader.label_targets);
    free(reader.branches);
    if (good)
        return reader.module;
    ptx_unload(reader.module);
    return NULL;
}

void ptx_unload(struct ptx_module *module)
{
    for (size_t i = 0; i < module->kernel_count; i++) {
        free(module->kernels[i].parameters);
        free(module->kernels[i].code);
    }
    for (size_t i = 0; i < module->variable_count; i++)
        free(module->variables[i].memory);
    free(module->kernels);
    free(module->variables);
    free(module);
}
