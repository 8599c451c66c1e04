/* Writes the promoted text: each kernel gets the place as its last parameter, computes at its begin
 * the block indices that it uses, and uses these registers instead of %ctaid and %nctaid. Block
 * indices that serve for thread indices only stay (promote_index.h). Device functions that are not
 * inlined get the place from their callers. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "promote_index.h"

#define PLACE     "datamotion_place"
#define THREAD    PLACE "_thread"
#define BYTES     "[36]" /* of struct partition_place */
#define PARAMETER ".param .align 4 .b8 " PLACE BYTES

static_assert(sizeof(struct partition_place) == 36, "the size in the text");

/* Words of struct partition_place: those of place_registers, and then first_thread. */
enum { FIRST_THREAD = PLACE_REGISTERS, PLACE_WORDS = FIRST_THREAD + GRID_DIMENSIONS };

struct writer {
    FILE *out;
    const char *at; /* all before it is written */
    const struct ptx_routines *routines;
    unsigned arguments; /* calls so far that pass the place: each needs a name of its own */
};

static void copy_to(struct writer *writer, const char *end)
{
    fwrite(writer->at, 1, (size_t)(end - writer->at), writer->out);
    writer->at = end;
}

static void write_parameter(struct writer *writer, const struct ptx_routine *routine)
{
    copy_to(writer, routine->insert);
    if (routine->has_list)
        fprintf(writer->out, "%s\n\t%s\n", routine->has_parameters ? "," : "", PARAMETER);
    else
        fprintf(writer->out, "(\n\t%s\n)", PARAMETER);
}

static bool stays(const struct ptx_indices *indices, int place)
{
    return place < GRID_DIMENSIONS && indices->block[place].length;
}

static void write_thread_registers(struct writer *writer, const struct ptx_indices *indices)
{
    for (int d = 0; d < GRID_DIMENSIONS; d++)
        if (stays(indices, d))
            fprintf(writer->out,
                    "\t.reg .b32 %%" THREAD "_%d;\n\tld.param.u32 %%" THREAD "_%d, [" PLACE
                    "+%d];\n",
                    d, d, 4 * (FIRST_THREAD + d));
}

/* One register for each built-in register that the routine uses. */
static void write_registers(struct writer *writer, const struct ptx_routine *routine,
                            const struct ptx_indices *indices)
{
    fprintf(writer->out, "\n\t.reg .b32 %%" PLACE "_part;\n");
    write_thread_registers(writer, indices);
    for (int i = 0; i < PLACE_REGISTERS; i++) {
        if (!(routine->registers & 1u << i) || stays(indices, i))
            continue;
        fprintf(writer->out,
                "\t.reg .b32 %%" PLACE "_%d;\n\tld.param.u32 %%" PLACE "_%d, [" PLACE "+%d];\n", i,
                i, 4 * i);
        if (i < 3)
            fprintf(writer->out,
                    "\tmov.u32 %%" PLACE "_part, %s;\n"
                    "\tadd.u32 %%" PLACE "_%d, %%" PLACE "_%d, %%" PLACE "_part;\n",
                    place_registers[i], i, i);
    }
}

/* Copies the routine's own place to the argument of a call. */
static void write_argument(struct writer *writer)
{
    unsigned argument = writer->arguments;
    fprintf(writer->out, ".param .align 4 .b8 " PLACE "_argument_%u" BYTES ";\n", argument);
    for (unsigned i = 0; i < PLACE_WORDS; i++)
        fprintf(writer->out,
                "\tld.param.b32 %%" PLACE "_part, [" PLACE "+%u];\n"
                "\tst.param.b32 [" PLACE "_argument_%u+%u], %%" PLACE "_part;\n",
                4 * i, argument, 4 * i);
    fprintf(writer->out, "\t");
}

/* Behind the name of the called function. */
static void write_call_list(struct writer *writer, const char *at)
{
    unsigned argument = writer->arguments++;
    const char *list = at;
    copy_to(writer, at);
    if (!ptx_is(ptx_next(&list), ",") || !ptx_is(ptx_next(&list), "(")) {
        fprintf(writer->out, ", (" PLACE "_argument_%u)", argument);
        return;
    }
    const char *end = list;
    bool empty = ptx_is(ptx_next(&end), ")");
    while (*end && end[-1] != ')')
        ptx_next(&end);
    copy_to(writer, end - 1);
    fprintf(writer->out, "%s" PLACE "_argument_%u", empty ? "" : ", ", argument);
}

/* `instruction` is its begin, `at` is behind the word `call`. */
static void write_call(struct writer *writer, const char *instruction, const char *at)
{
    for (;;) {
        struct ptx_token token = ptx_next(&at);
        if (token.kind == PTX_END || ptx_is(token, ";"))
            return;
        const struct ptx_routine *called = ptx_find(writer->routines, token);
        if (!called || !called->placed)
            continue;
        copy_to(writer, instruction);
        write_argument(writer);
        write_call_list(writer, at);
        return;
    }
}

/* Behind the instruction, if it computes a thread index. */
static void write_first_thread(struct writer *writer, const struct ptx_indices *indices,
                               const char *instruction, const char *behind)
{
    struct ptx_token thread;
    int dimension = ptx_index_computed(indices, instruction, &thread);
    if (dimension < 0)
        return;
    int length = (int)thread.length;
    copy_to(writer, behind);
    fprintf(writer->out, "\n\tadd.s32 %.*s, %.*s, %%" THREAD "_%d;", length, thread.text, length,
            thread.text, dimension);
}

static void write_body(struct writer *writer, const struct ptx_routine *routine)
{
    const char *instruction = NULL; /* its begin */
    const struct ptx_indices indices = ptx_find_indices(routine);
    copy_to(writer, routine->body);
    write_registers(writer, routine, &indices);
    for (const char *at = routine->body; at < routine->body_end;) {
        struct ptx_token token = ptx_next(&at);
        int place = ptx_place_register(token);
        if (ptx_ends_instruction(token)) {
            if (instruction)
                write_first_thread(writer, &indices, instruction, at);
            instruction = NULL;
        } else if (!instruction) {
            instruction = token.text;
        }
        if (place >= 0 && !stays(&indices, place)) {
            copy_to(writer, token.text);
            fprintf(writer->out, "%%" PLACE "_%d", place);
            writer->at = at;
        } else if (ptx_is(token, "call") || ptx_is(token, "call.uni")) {
            write_call(writer, instruction, at);
        }
    }
}

/* Returns the number of kernels with a body. */
static size_t write_module(FILE *out, const char *ptx, const struct ptx_routines *routines)
{
    struct writer writer = {.out = out, .at = ptx, .routines = routines};
    size_t kernels = 0;
    for (size_t i = 0; i < routines->count; i++) {
        const struct ptx_routine *routine = &routines->list[i];
        if (!routine->placed)
            continue;
        write_parameter(&writer, routine);
        if (routine->body)
            write_body(&writer, routine);
        kernels += routine->kernel && routine->body;
    }
    copy_to(&writer, writer.at + strlen(writer.at));
    return kernels;
}

static enum dm_status write_text(const char *ptx, const struct ptx_routines *routines,
                                 char **promoted, size_t *kernels)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (out)
        *kernels = write_module(out, ptx, routines);
    bool written = out && !ferror(out);
    if (out && fclose(out) == 0 && written) {
        *promoted = text;
        return DM_OK;
    }
    free(text);
    return dm_fail(DM_NO_MEMORY, "no host memory for the promoted module");
}

enum dm_status partition_promote_ptx(const char *ptx, char **promoted, size_t *kernels)
{
    struct ptx_routines routines;
    *promoted = NULL;
    *kernels = 0;
    if (strstr(ptx, PLACE))
        return dm_fail(DM_INVALID, "the module is promoted already: it has a " PLACE);
    enum dm_status status = ptx_survey(ptx, &routines);
    if (status == DM_OK)
        status = ptx_propagate(ptx, &routines);
    if (status == DM_OK)
        status = write_text(ptx, &routines, promoted, kernels);
    free(routines.list);
    return status;
}
