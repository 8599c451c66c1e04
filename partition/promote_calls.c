/* Which routines need to know their place, and whether it can be passed to them. */
#include <string.h>

#include "common/error.h"

#include "promote_scan.h"

static bool starts_with(struct ptx_token token, const char *begin)
{
    size_t length = strlen(begin);
    return token.length >= length && memcmp(token.text, begin, length) == 0;
}

/* What a part of a grid would get wrong, or NULL. */
static const char *obstacle(struct ptx_token token)
{
    static const char *const obstacles[][2] = {
        {"%clusterid", "knows its cluster"},
        {"%nclusterid", "knows its cluster"},
        {"%cluster_", "knows its cluster"},
        {"%is_explicit_cluster", "knows its cluster"},
        {"%envreg", "expects a cooperative launch"},
        {"griddepcontrol", "depends on another launch of its stream"},
        {"cudaCG", "expects a cooperative launch"},
        {"cudaLaunchDevice", "launches kernels"},
        {"cudaGetParameterBuffer", "launches kernels"},
    };
    for (size_t i = 0; i < sizeof obstacles / sizeof *obstacles; i++)
        if (starts_with(token, obstacles[i][0]))
            return obstacles[i][1];
    if ((starts_with(token, "%ctaid") || starts_with(token, "%nctaid")) &&
        ptx_place_register(token) < 0)
        return "reads its block index as a vector";
    return NULL;
}

/* Instructions of 16 bits, of old PTX, do not take the register of 32 bits. */
static bool narrow(struct ptx_token instruction)
{
    static const char *const types[] = {".u16", ".s16", ".b16"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (instruction.length > 4 &&
            memcmp(instruction.text + instruction.length - 4, types[i], 4) == 0)
            return true;
    return false;
}

static enum dm_status refuse(const struct ptx_routine *routine, const char *why)
{
    return dm_fail(DM_UNAVAILABLE, "%s %.*s %s", routine->kernel ? "kernel" : "device function",
                   (int)routine->name.length, routine->name.text, why);
}

/* Marks a routine that names one that needs its place. */
static bool mark_caller(const struct ptx_routines *routines, struct ptx_routine *routine)
{
    if (routine->placed || !routine->body)
        return false;
    for (const char *at = routine->body; at < routine->body_end;) {
        const struct ptx_routine *named = ptx_find(routines, ptx_next(&at));
        if (named && named->placed && !named->kernel)
            return routine->placed = true;
    }
    return false;
}

/* All declarations of a routine, and its definition, get the parameter, or none. */
static bool mark_declarations(struct ptx_routines *routines, const struct ptx_routine *placed)
{
    bool marked = false;
    for (size_t i = 0; i < routines->count; i++) {
        struct ptx_routine *routine = &routines->list[i];
        if (!routine->placed && ptx_same(routine->name, placed->name))
            marked = routine->placed = true;
    }
    return marked;
}

static void mark_all(struct ptx_routines *routines)
{
    for (size_t i = 0; i < routines->count; i++)
        routines->list[i].placed = routines->list[i].kernel || routines->list[i].registers;
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < routines->count; i++) {
            again |= mark_caller(routines, &routines->list[i]);
            if (routines->list[i].placed)
                again |= mark_declarations(routines, &routines->list[i]);
        }
    }
}

/* What has been seen of an instruction. */
struct instruction {
    struct ptx_token name;
    unsigned calls, placed,
        registers; /* words `call`, routines that need their place, %ctaid, ... */
    int open;      /* parentheses */
};

static void add_word(const struct ptx_routines *routines, struct ptx_token token,
                     struct instruction *instruction)
{
    const struct ptx_routine *named = ptx_find(routines, token);
    if (token.kind == PTX_WORD && !instruction->name.text && *token.text != '%')
        instruction->name = token;
    instruction->calls += ptx_is(token, "call") || ptx_is(token, "call.uni");
    instruction->placed += named && named->placed;
    instruction->registers += ptx_place_register(token) >= 0;
    instruction->open += ptx_is(token, "(");
    instruction->open -= ptx_is(token, ")");
}

/* Why the instruction that `end` finishes cannot be rewritten, or NULL. */
static const char *check_instruction(const struct instruction *instruction, struct ptx_token end)
{
    bool finished = ptx_is(end, ";") && !instruction->open;
    if (instruction->registers && (!instruction->name.text || narrow(instruction->name)))
        return "reads its block index by an instruction that is not understood";
    if (instruction->placed && !instruction->calls)
        return "calls a function that reads its block index through a pointer";
    if (instruction->calls &&
        (instruction->calls > 1 || instruction->placed > 1 || instruction->registers || !finished))
        return "has a call that is not understood";
    return NULL;
}

static enum dm_status check_body(const struct ptx_routines *routines,
                                 const struct ptx_routine *routine)
{
    struct instruction instruction = {0};
    for (const char *at = routine->body; at <= routine->body_end;) {
        struct ptx_token token = ptx_next(&at);
        const char *why = obstacle(token);
        if (!why && ptx_ends_instruction(token)) {
            why = check_instruction(&instruction, token);
            instruction = (struct instruction){0};
        }
        if (why)
            return refuse(routine, why);
        add_word(routines, token, &instruction);
    }
    return DM_OK;
}

/* A table of functions among the module's variables. */
static enum dm_status check_variables(const struct ptx_routines *routines, const char *begin,
                                      const char *end)
{
    bool value = false;
    for (const char *at = begin; at < end;) {
        struct ptx_token token = ptx_next(&at);
        value |= ptx_is(token, "=");
        value &= !ptx_is(token, ";");
        const struct ptx_routine *named = ptx_find(routines, token);
        if (value && named && named->placed)
            return refuse(named, "is named in a variable: it may be called through a pointer");
    }
    return DM_OK;
}

enum dm_status ptx_propagate(const char *ptx, struct ptx_routines *routines)
{
    const char *between = ptx;
    mark_all(routines);
    for (size_t i = 0; i < routines->count; i++) {
        const struct ptx_routine *routine = &routines->list[i];
        TRY(check_variables(routines, between, routine->name.text));
        if (routine->body)
            TRY(check_body(routines, routine));
        between = routine->body_end ? routine->body_end : routine->insert;
    }
    return check_variables(routines, between, between + strlen(between));
}
