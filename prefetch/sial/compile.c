/* The way from a text to a program; the only place that the compiler fails to. */
#include <stdlib.h>
#include <strings.h>

#include "prefetch/sial/compiler.h"
#include "prefetch/sial/tree.h"

/* A program and the memory of all that it points to. */
struct owned_program {
    struct sial_program program;
    struct arena arena;
};

struct source {
    const char *name; /* of a file if text is NULL */
    const char *text;
    size_t length;
};

static void check_definitions(struct compiler *compiler)
{
    for (size_t i = 0; i < compiler->definition_count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcasecmp(compiler->definitions[i].name, compiler->definitions[k].name) == 0)
                sial_fail_nowhere(compiler, "--set %.63s is given twice",
                                  compiler->definitions[i].name);
}

static void compile(struct compiler *compiler, const struct source *source)
{
    struct place nowhere = {0};
    compiler->from_memory = source->text != NULL;
    compiler->declarations_end = &compiler->declarations;
    compiler->procedures_end = &compiler->procedures;
    compiler->main = sial_take(compiler, sizeof *compiler->main);
    check_definitions(compiler);
    if (source->text)
        sial_add_text(compiler, source->name, source->text, source->length);
    else
        sial_add_file(compiler, source->name, nowhere);
    sial_parse(compiler, 0);
    sial_check_declarations(compiler);
    sial_check_statements(compiler);
    sial_generate(compiler);
}

/* False if it failed. */
static bool try_to_compile(struct compiler *compiler, const struct source *source)
{
    if (setjmp(compiler->failed) != 0)
        return false;
    compile(compiler, source);
    return true;
}

static struct sial_program *compile_source(struct source source,
                                           const struct sial_definition *definitions, size_t count,
                                           struct sial_error *error)
{
    struct owned_program *owned = calloc(1, sizeof *owned);
    struct compiler *compiler = calloc(1, sizeof *compiler);
    bool good = false;
    snprintf(error->text, sizeof error->text, "no memory is left for the compilation");
    if (owned && compiler) {
        compiler->program = &owned->program;
        compiler->lasting = &owned->arena;
        compiler->definitions = definitions;
        compiler->definition_count = count;
        compiler->error = error;
        good = try_to_compile(compiler, &source);
        arena_free(&compiler->scratch);
    }
    free(compiler);
    if (good) {
        error->text[0] = '\0';
        return &owned->program;
    }
    if (owned)
        sial_free(&owned->program);
    return NULL;
}

struct sial_program *sial_compile(const char *path, const struct sial_definition *definitions,
                                  size_t count, struct sial_error *error)
{
    return compile_source((struct source){.name = path}, definitions, count, error);
}

struct sial_program *sial_compile_text(const char *name, const char *text, size_t length,
                                       const struct sial_definition *definitions, size_t count,
                                       struct sial_error *error)
{
    return compile_source((struct source){name, text ? text : "", length}, definitions, count,
                          error);
}

void sial_free(struct sial_program *program)
{
    struct owned_program *owned = (struct owned_program *)program;
    if (!owned)
        return;
    arena_free(&owned->arena);
    free(owned);
}
