/* The way from a text to a program; the only place that the compiler fails to. */
#include <stdlib.h>
#include <strings.h>

#include "common/error.h"
#include "prefetch/sial/compiler.h"
#include "prefetch/sial/tree.h"

/* A program and the memory of all that it points to. */
struct owned_program {
    struct prefetch_program program;
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
                sial_fail_nowhere(compiler, DM_INVALID, "`%.63s` is given a value twice",
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

static enum dm_status try_to_compile(struct compiler *compiler, const struct source *source)
{
    if (setjmp(compiler->failed) != 0)
        return compiler->status;
    compile(compiler, source);
    return DM_OK;
}

static enum dm_status compile_source(struct prefetch_program **program, struct source source,
                                     const struct prefetch_definition *definitions, size_t count)
{
    struct owned_program *owned = calloc(1, sizeof *owned);
    struct compiler *compiler = calloc(1, sizeof *compiler);
    *program = NULL;
    if (!owned || !compiler) {
        free(owned);
        free(compiler);
        return error_no_memory(sizeof *owned + sizeof *compiler);
    }
    compiler->program = &owned->program;
    compiler->lasting = &owned->arena;
    compiler->definitions = definitions;
    compiler->definition_count = count;
    enum dm_status status = try_to_compile(compiler, &source);
    arena_free(&compiler->scratch);
    free(compiler);
    if (status == DM_OK)
        *program = &owned->program;
    else
        prefetch_free(&owned->program);
    return status;
}

enum dm_status prefetch_compile(struct prefetch_program **program, const char *path,
                                const struct prefetch_definition *definitions, size_t count)
{
    return compile_source(program, (struct source){.name = path}, definitions, count);
}

enum dm_status prefetch_compile_text(struct prefetch_program **program, const char *name,
                                     const char *text, size_t length,
                                     const struct prefetch_definition *definitions, size_t count)
{
    return compile_source(program, (struct source){name, text ? text : "", length}, definitions,
                          count);
}

void prefetch_free(struct prefetch_program *program)
{
    struct owned_program *owned = (struct owned_program *)program;
    if (!owned)
        return;
    arena_free(&owned->arena);
    free(owned);
}

const char *prefetch_program_name(const struct prefetch_program *program)
{
    return program->name;
}

const char *prefetch_array_name(const struct prefetch_program *program, int array)
{
    return array >= 0 && array < program->array_count ? program->arrays[array].name : NULL;
}
