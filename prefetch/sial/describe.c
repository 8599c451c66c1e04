/* Where an instruction comes from and what it works on, for messages of the run time. */
#include <ctype.h>

#include "prefetch/sial/sial.h"

enum { SHOWN_MAX = 80 };

/* The part of a line from the column on, without a comment and blanks at its end; SHOWN_MAX + 1 if
 * it is longer than can be shown. */
static int statement_length(const char *statement)
{
    int length = 0;
    bool quoted = false;
    for (; length <= SHOWN_MAX && statement[length] != '\0' && statement[length] != '\n';
         length++) {
        quoted ^= statement[length] == '"';
        if (statement[length] == '#' && !quoted)
            break;
    }
    if (length > SHOWN_MAX)
        return length;
    while (length > 0 && isspace((unsigned char)statement[length - 1]))
        length--;
    return length;
}

void sial_describe(const struct prefetch_program *program, int instruction, char *text,
                   size_t bytes)
{
    const struct sial_instruction *at = &program->instructions[instruction];
    const struct sial_file *file = &program->files[at->file];
    const char *statement = file->text + file->line_starts[at->line - 1] + (at->column - 1);
    int length = statement_length(statement);
    bool cut = length > SHOWN_MAX;
    snprintf(text, bytes, "%s:%d: %.*s%s", file->name, at->line, cut ? SHOWN_MAX : length,
             statement, cut ? "..." : "");
}

void sial_describe_operand(const struct prefetch_program *program, int operand, char *text,
                           size_t bytes)
{
    const struct sial_operand *block = &program->operands[operand];
    const struct sial_array *array = &program->arrays[block->array];
    size_t used = (size_t)snprintf(text, bytes, "%s[", array->name);
    for (int i = 0; i < array->rank && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", i ? "," : "",
                                 block->indices[i] < 0 ? "*"
                                                       : program->indices[block->indices[i]].name);
    if (used < bytes)
        snprintf(text + used, bytes - used, "]");
}
