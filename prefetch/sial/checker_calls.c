/* What holds through procedures. */
#include "prefetch/sial/checker.h"

void sial_note_alone(struct scope *scope, const char *what, struct place place)
{
    if (scope->pardo)
        sial_fail(scope->compiler, place, "%s cannot stand in a pardo (that of line %d)", what,
                  scope->pardo->place.line);
    if (scope->procedure->alone)
        return;
    scope->procedure->alone = what;
    scope->procedure->alone_place = place;
}

void sial_note_call(struct scope *scope, const struct statement *statement)
{
    struct call *call = sial_take(scope->compiler, sizeof *call);
    *call = (struct call){.place = statement->place,
                          .callee = statement->symbol->procedure,
                          .in_pardo = scope->pardo != NULL,
                          .loops = scope->loop_count};
    *scope->calls_end = call;
    scope->calls_end = &call->next;
}

/* What the callee does, its caller does too. */
static void join_callee(struct compiler *compiler, struct procedure *caller,
                        const struct call *call)
{
    const struct procedure *callee = call->callee;
    int own = caller != compiler->main;
    if (call->in_pardo && callee->alone)
        sial_fail(compiler, call->place,
                  "`%s` cannot be called in a pardo: it leads to %s in line %d of %.80s",
                  callee->name.text, callee->alone, callee->alone_place.line,
                  compiler->program->files[callee->alone_place.file].name);
    if (callee->alone && !caller->alone) {
        caller->alone = callee->alone;
        caller->alone_place = callee->alone_place;
    }
    if (call->loops + callee->loops > caller->loops)
        caller->loops = call->loops + callee->loops;
    if (caller->loops > SIAL_NESTED_MAX)
        sial_fail(compiler, call->place, "this call leads to more than %d loops in one another",
                  SIAL_NESTED_MAX);
    if (own + callee->levels > caller->levels)
        caller->levels = own + callee->levels;
    if (caller->levels > SIAL_CALLS_MAX)
        sial_fail(compiler, call->place,
                  "this call leads to more than %d procedures in one another", SIAL_CALLS_MAX);
}

/* depth: procedures active; limited here too, so that the C stack stays small. */
static void visit(struct compiler *compiler, struct procedure *procedure, int depth)
{
    procedure->state = PROCEDURE_ACTIVE;
    procedure->levels = procedure != compiler->main;
    for (const struct call *call = procedure->calls; call; call = call->next) {
        struct procedure *callee = call->callee;
        if (callee->state == PROCEDURE_ACTIVE)
            sial_fail(compiler, call->place,
                      "recursion: `%s` is active already when this call is reached",
                      callee->name.text);
        if (depth == SIAL_CALLS_MAX)
            sial_fail(compiler, call->place,
                      "this call leads to more than %d procedures in one another", SIAL_CALLS_MAX);
        if (callee->state == PROCEDURE_NEW)
            visit(compiler, callee, depth + 1);
        join_callee(compiler, procedure, call);
    }
    procedure->state = PROCEDURE_DONE;
}

void sial_check_calls(struct compiler *compiler)
{
    struct procedure *procedure = compiler->procedures;
    for (; procedure; procedure = procedure->next)
        if (procedure->state == PROCEDURE_NEW)
            visit(compiler, procedure, 1);
    visit(compiler, compiler->main, 0);
}
