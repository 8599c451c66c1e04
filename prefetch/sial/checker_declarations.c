#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "prefetch/sial/checker.h"

static const int64_t max_range = 1000000000;

static const char *const index_kinds[SIAL_INDEX_KINDS] = {"index",    "aoindex",  "moindex",
                                                          "moaindex", "mobindex", "laindex"};
static const char *const array_kinds[] = {"static", "temp", "local", "distributed", "served"};

const char *sial_index_kind_name(enum sial_index_kind kind)
{
    return index_kinds[kind];
}

const char *sial_array_kind_name(enum sial_array_kind kind)
{
    return array_kinds[kind];
}

static char *keep_name(struct compiler *compiler, struct name name)
{
    return sial_keep_text(compiler, name.text, strlen(name.text));
}

/* An expression that must be an int in this range. */
static int64_t evaluate_int(struct compiler *compiler, const struct expression *expression,
                            int64_t least, int64_t most, const char *what)
{
    struct constant constant = sial_evaluate(compiler, expression);
    if (constant.type != VALUE_INT)
        sial_fail(compiler, expression->place, "%s must be an int; (int) cuts a scalar off", what);
    if (constant.value < (double)least || constant.value > (double)most)
        sial_fail(compiler, expression->place, "%s is %.17g; it must be from %lld to %lld", what,
                  constant.value, (long long)least, (long long)most);
    return (int64_t)constant.value;
}

static const struct prefetch_definition *find_definition(struct compiler *compiler,
                                                         const char *name)
{
    for (size_t i = 0; i < compiler->definition_count; i++)
        if (strcasecmp(compiler->definitions[i].name, name) == 0)
            return &compiler->definitions[i];
    return NULL;
}

/* The value from outside. */
static double defined_value(struct compiler *compiler, const struct declaration *declaration,
                            const struct prefetch_definition *definition)
{
    const char *name = declaration->name.text;
    double value = definition->value;
    if (!isfinite(value))
        sial_fail(compiler, declaration->name.place,
                  "`%s` is given the value %g: expected a finite number", name, value);
    if (declaration->type == VALUE_INT && (value != trunc(value) || fabs(value) > INT_MAX))
        sial_fail(
            compiler, declaration->name.place,
            "`%s` is given the value %.17g, but is an int: expected a whole number from -%d to %d",
            name, value, INT_MAX, INT_MAX);
    return value;
}

static void check_predefined(struct compiler *compiler, const struct declaration *declaration)
{
    const char *name = declaration->name.text;
    bool is_int = declaration->type == VALUE_INT;
    const struct prefetch_definition *definition = find_definition(compiler, name);
    double value = 0.0;
    if (declaration->value)
        value = is_int ? (double)evaluate_int(compiler, declaration->value, -INT_MAX, INT_MAX,
                                              "the value of a predefined int")
                       : sial_evaluate(compiler, declaration->value).value;
    if (definition)
        value = defined_value(compiler, declaration, definition);
    else if (!declaration->value)
        sial_fail(compiler, declaration->name.place,
                  "`%s` is predefined, but nothing gives it a value: set %s=%s", name, name,
                  is_int ? "8" : "1.0");
    struct symbol *symbol = sial_declare(compiler, declaration->name, SYMBOL_PREDEFINED);
    symbol->type = declaration->type;
    symbol->value = value;
}

static void check_constant(struct compiler *compiler, const struct declaration *declaration)
{
    struct constant constant = sial_evaluate(compiler, declaration->value);
    if (declaration->type == VALUE_INT && constant.type != VALUE_INT)
        sial_fail(compiler, declaration->value->place,
                  "`%s` is an int, its value must be one; (int) cuts a scalar off",
                  declaration->name.text);
    struct symbol *symbol = sial_declare(compiler, declaration->name, SYMBOL_CONSTANT);
    symbol->type = declaration->type;
    symbol->value = constant.value;
}

static void check_variable(struct compiler *compiler, const struct declaration *declaration)
{
    struct prefetch_program *program = compiler->program;
    const struct expression *value = declaration->value;
    bool is_int = declaration->type == VALUE_INT;
    struct symbol *symbol =
        sial_declare(compiler, declaration->name, is_int ? SYMBOL_INT : SYMBOL_SCALAR);
    char *name = keep_name(compiler, declaration->name);
    if (is_int) {
        int64_t most = (int64_t)SIAL_INT_MAX;
        int64_t initial =
            value ? evaluate_int(compiler, value, -most, most, "the value of an int") : 0;
        symbol->position = program->int_count;
        *sial_add(compiler, program->ints, program->int_count) = (struct sial_int){name, initial};
    } else {
        double initial = value ? sial_evaluate(compiler, value).value : 0.0;
        symbol->position = program->scalar_count;
        *sial_add(compiler, program->scalars, program->scalar_count) =
            (struct sial_scalar){name, initial};
    }
}

static void check_segment(struct compiler *compiler, const struct declaration *declaration)
{
    int *segment = &compiler->program->segment[declaration->index_kind];
    if (declaration->index_kind == SIAL_SIMPLE)
        sial_fail(compiler, declaration->name.place,
                  "a plain index counts: its segments have the length 1");
    if (*segment)
        sial_fail(compiler, declaration->name.place, "the segments of %s have a length already: %d",
                  index_kinds[declaration->index_kind], *segment);
    *segment =
        (int)evaluate_int(compiler, declaration->value, 1, INT_MAX, "the length of a segment");
}

static void check_index(struct compiler *compiler, const struct declaration *declaration)
{
    struct prefetch_program *program = compiler->program;
    int64_t low = evaluate_int(compiler, declaration->value, INT_MIN, INT_MAX, "a segment number");
    int64_t high = evaluate_int(compiler, declaration->high, INT_MIN, INT_MAX, "a segment number");
    if (high - low >= max_range)
        sial_fail(compiler, declaration->value->place, "an index has at most %lld values",
                  (long long)max_range);
    struct symbol *symbol = sial_declare(compiler, declaration->name, SYMBOL_INDEX);
    symbol->position = program->index_count;
    *sial_add(compiler, program->indices, program->index_count) = (struct sial_index){
        keep_name(compiler, declaration->name), declaration->index_kind, (int)low, (int)high};
}

static void check_array(struct compiler *compiler, const struct declaration *declaration)
{
    struct prefetch_program *program = compiler->program;
    struct sial_array array = {.name = keep_name(compiler, declaration->name),
                               .kind = declaration->array_kind,
                               .rank = declaration->shape->rank};
    int64_t blocks = 1;
    bool empty = false;
    for (int i = 0; i < array.rank; i++) {
        struct name name = declaration->shape->indices[i];
        array.indices[i] = sial_find_kind(compiler, name, SYMBOL_INDEX)->position;
        const struct sial_index *index = &program->indices[array.indices[i]];
        int64_t values = (int64_t)index->high - index->low + 1;
        if (values <= 0)
            empty = true;
        else if (__builtin_mul_overflow(blocks, values, &blocks) && !empty)
            sial_fail(compiler, declaration->name.place,
                      "`%s` has more blocks than can be counted (2^63)", declaration->name.text);
    }
    struct symbol *symbol = sial_declare(compiler, declaration->name, SYMBOL_ARRAY);
    symbol->position = program->array_count;
    *sial_add(compiler, program->arrays, program->array_count) = array;
}

static void check_special(struct compiler *compiler, const struct declaration *declaration)
{
    struct prefetch_program *program = compiler->program;
    struct name signature = declaration->signature;
    if (!signature.text)
        signature.text = "";
    char *kept = keep_name(compiler, signature);
    for (char *at = kept; *at; at++) {
        *at |= 'a' ^ 'A'; /* to lower case */
        if (!strchr("rwu", *at))
            sial_fail(compiler, signature.place,
                      "a signature has a letter r, w or u per argument: reads, writes or updates "
                      "it");
    }
    if (strlen(kept) > SIAL_ARGUMENTS_MAX)
        sial_fail(compiler, signature.place, "a super instruction has at most %d arguments",
                  SIAL_ARGUMENTS_MAX);
    struct symbol *symbol = sial_declare(compiler, declaration->name, SYMBOL_SPECIAL);
    symbol->position = program->special_count;
    *sial_add(compiler, program->specials, program->special_count) =
        (struct sial_special){keep_name(compiler, declaration->name), kept};
}

/* A definition that nothing asks for is a slip of the pen, probably in its name. */
static void check_definitions(struct compiler *compiler)
{
    for (size_t i = 0; i < compiler->definition_count; i++) {
        const char *name = compiler->definitions[i].name, *near = NULL;
        const struct declaration *declaration = compiler->declarations;
        for (; declaration; declaration = declaration->next) {
            if (declaration->kind != DECLARATION_PREDEFINED)
                continue;
            if (strcasecmp(declaration->name.text, name) == 0)
                break;
            if (sial_distance(name, declaration->name.text, 2) <= 2)
                near = declaration->name.text;
        }
        if (!declaration)
            sial_fail_nowhere(compiler, DM_INVALID,
                              "%.200s: the program has no predefined `%.63s`%s%s%s",
                              compiler->program->files[0].name, name,
                              near ? ": did you mean `" : "", near ? near : "", near ? "`?" : "");
    }
}

void sial_check_declarations(struct compiler *compiler)
{
    static void (*const checks[])(struct compiler *, const struct declaration *) = {
        [DECLARATION_PREDEFINED] = check_predefined, [DECLARATION_VARIABLE] = check_variable,
        [DECLARATION_CONSTANT] = check_constant,     [DECLARATION_SEGMENT] = check_segment,
        [DECLARATION_INDEX] = check_index,           [DECLARATION_ARRAY] = check_array,
        [DECLARATION_SPECIAL] = check_special};
    check_definitions(compiler);
    for (const struct declaration *declaration = compiler->declarations; declaration;
         declaration = declaration->next)
        checks[declaration->kind](compiler, declaration);
}
