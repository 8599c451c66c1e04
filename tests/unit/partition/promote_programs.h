/* promote_programs.h: random straight-line PTX programs for promote_index_test, and a machine that
 * runs one thread of them. */
#ifndef TESTS_UNIT_PROMOTE_PROGRAMS_H
#define TESTS_UNIT_PROMOTE_PROGRAMS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <datamotion/partition.h>

#include "common/random.h"

enum { PROGRAM_MAX = 1024, NAMES_MAX = 32, STORES_MAX = 16, WORDS_MAX = 6 };

/* ---- programs ---- */

static uint64_t program_seed, program_draws;

static unsigned draw_below(unsigned bound)
{
    return (unsigned)random_below(program_seed, program_draws++, bound);
}

static const char *draw_source(void)
{
    static const char *const sources[] = {"%r1",      "%r2",       "%r3",     "%r4",    "%r5",
                                          "%r6",      "%ntid.x",   "%ntid.y", "%tid.x", "%ctaid.x",
                                          "%ctaid.y", "%nctaid.x", "11"};
    /* Block indices are the first to make a program one that takes the general way. */
    unsigned names = draw_below(8) ? 6 : sizeof sources / sizeof *sources;
    return sources[draw_below(names)];
}

static void append(char *program, const char *format, const char *a, const char *b, const char *c,
                   const char *d)
{
    size_t used = strlen(program);
    snprintf(program + used, PROGRAM_MAX - used, format, a, b, c, d);
}

static void append_any(char *program)
{
    char target[] = {'%', 'r', (char)('1' + draw_below(6)), 0};
    static const char *const guards[] = {"", "", "", "", "@%p1 ", "@%p2 "};
    append(program, "%s", guards[draw_below(6)], NULL, NULL, NULL);
    switch (draw_below(8)) {
    case 0:
        append(program, "mov.u32 %s, %s;\n", target, draw_source(), NULL, NULL);
        return;
    case 1:
        append(program, "ld.global.v2.u32 {%s, %s}, [%s];\n", draw_below(2) ? target : "%r8",
               draw_below(2) ? target : "%r9", "%r1", NULL);
        return;
    case 2:
    case 3:
        append(program, "mad.lo.s32 %s, %s, %s, %s;\n", target, draw_source(), draw_source(),
               draw_source());
        return;
    case 4:
        append(program, "add.s32 %s, %s, %s;\n", target, draw_source(), draw_source(), NULL);
        return;
    default:
        append(program, "st.global.u32 [%s], %s;\n", draw_source(), draw_source(), NULL, NULL);
    }
}

/* A thread index as nvcc computes it, and other instructions in between. */
static const char *random_program(uint64_t seed)
{
    static char program[PROGRAM_MAX];
    static const char *const blocks[] = {"%ctaid.x", "%ctaid.y"}, *const sizes[] = {"%ntid.x",
                                                                                    "%ntid.y"};
    unsigned dimension = (unsigned)(seed % 2);
    const char *index[] = {"mov.u32 %%r1, %s;\n", "mov.u32 %%r2, %s;\n",
                           "mad.lo.s32 %%r4, %%r1, %%r2, %%r3;\n", "st.global.u32 [%%r4], %%r4;\n"};
    program_seed = seed;
    program_draws = 0;
    strcpy(program, "mov.u32 %r3, %tid.x;\n");
    for (unsigned i = 0; i < 4; i++) {
        append(program, index[i], i ? sizes[dimension] : blocks[dimension], NULL, NULL, NULL);
        for (unsigned more = draw_below(3); more; more--)
            append_any(program);
    }
    return program;
}

/* ---- the machine ---- */

struct value {
    unsigned bits;
    bool known; /* it was set */
};

struct machine {
    bool promoted;
    char names[NAMES_MAX][48];
    struct value values[NAMES_MAX], stores[STORES_MAX][2];
    unsigned name_count, store_count;
};

static const unsigned own_block[3] = {3, 5, 1}, block_size[3] = {32, 4, 1};
static const unsigned own_thread[3] = {7, 2, 0};
static const struct partition_place own_place = {
    {100, 4000000000u, 3}, {200, 4100000000u, 9}, {100 * 32, 4000000000u * 4, 3}};

static struct value *variable(struct machine *machine, const char *name)
{
    unsigned i = 0;
    while (i < machine->name_count && strcmp(machine->names[i], name) != 0)
        i++;
    if (i == NAMES_MAX)
        abort();
    if (i == machine->name_count)
        snprintf(machine->names[machine->name_count++], sizeof *machine->names, "%s", name);
    return &machine->values[i];
}

/* The whole grid's block index for a program that is not promoted. */
static unsigned block_index(const struct machine *machine, unsigned dimension)
{
    return own_block[dimension] + (machine->promoted ? 0 : own_place.offset[dimension]);
}

static struct value read_value(struct machine *machine, const char *name)
{
    unsigned dimension = (unsigned)(name[strlen(name) - 1] - 'x');
    if (strncmp(name, "%ctaid.", 7) == 0)
        return (struct value){block_index(machine, dimension), true};
    if (strncmp(name, "%nctaid.", 8) == 0)
        return (struct value){machine->promoted ? 77 : own_place.grid[dimension], true};
    if (strncmp(name, "%ntid.", 6) == 0)
        return (struct value){block_size[dimension], true};
    if (strncmp(name, "%tid.", 5) == 0)
        return (struct value){own_thread[dimension], true};
    if (strncmp(name, "datamotion_place+", 17) == 0)
        return (struct value){((const unsigned *)&own_place)[atoi(name + 17) / 4], true};
    if (*name != '%')
        return (struct value){(unsigned)atoi(name), true};
    return *variable(machine, name);
}

static void execute(struct machine *machine, char *const word[WORDS_MAX])
{
    struct value a = read_value(machine, word[1]), b = read_value(machine, word[2]),
                 c = read_value(machine, word[3]), d = read_value(machine, word[4]);
    if (strcmp(word[0], "mov.u32") == 0 || strcmp(word[0], "ld.param.u32") == 0) {
        *variable(machine, word[1]) = b;
    } else if (strncmp(word[0], "add.", 4) == 0) {
        *variable(machine, word[1]) = (struct value){b.bits + c.bits, b.known && c.known};
    } else if (strcmp(word[0], "mad.lo.s32") == 0) {
        *variable(machine, word[1]) =
            (struct value){b.bits * c.bits + d.bits, b.known && c.known && d.known};
    } else if (strcmp(word[0], "ld.global.v2.u32") == 0) {
        *variable(machine, word[1]) = (struct value){1234, true};
        *variable(machine, word[2]) = (struct value){5678, true};
    } else if (strcmp(word[0], "st.global.u32") == 0 && machine->store_count < STORES_MAX) {
        machine->stores[machine->store_count][0] = a;
        machine->stores[machine->store_count++][1] = b;
    } else if (strcmp(word[0], ".reg") != 0 && strcmp(word[0], "ret") != 0) {
        abort();
    }
}

/* %p1 is true, %p2 is false. */
static void run_statement(struct machine *machine, char *statement)
{
    char *word[WORDS_MAX] = {"0", "0", "0", "0", "0", "0"}, *rest = NULL;
    unsigned count = 0;
    char *next = strtok_r(statement, " \t\n,{}[]", &rest);
    if (next && strcmp(next, "@%p2") == 0)
        return;
    if (next && *next == '@')
        next = strtok_r(NULL, " \t\n,{}[]", &rest);
    for (; next && count < WORDS_MAX; next = strtok_r(NULL, " \t\n,{}[]", &rest))
        word[count++] = next;
    if (count)
        execute(machine, word);
}

static void run_program(struct machine *machine, const char *instructions)
{
    char *copy = strdup(instructions), *rest = NULL;
    if (!copy)
        abort();
    for (char *next = strtok_r(copy, ";", &rest); next; next = strtok_r(NULL, ";", &rest))
        run_statement(machine, next);
    free(copy);
}

/* Whether the promoted module stores what the program does, wherever that is defined. */
static bool same_stores(const char *program, const char *promoted)
{
    struct machine before = {0}, after = {.promoted = true};
    run_program(&before, program);
    run_program(&after, strstr(promoted, "\n{\n") + 3);
    bool same = before.store_count == after.store_count;
    for (unsigned i = 0; same && i < before.store_count; i++)
        for (unsigned k = 0; k < 2; k++) {
            struct value was = before.stores[i][k], is = after.stores[i][k];
            same = same && (!was.known || (is.known && was.bits == is.bits));
        }
    if (!same)
        printf("# not the same:\n%s\n%s\n", program, promoted);
    return same;
}

#endif
