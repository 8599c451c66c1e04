/* From a directive and its loop in the syntax tree to a struct loop that was checked. */
#include <string.h>

#include "translate.h"

static void compare_range(struct loop *loop, int node, const struct polynomial *found, CXCursor at,
                          const char *what)
{
    struct polynomial said =
        node == DIRECTIVE_ABSENT ? polynomial_number(1) : expression_of_node(loop, node);
    if (polynomial_equal(&said, found))
        return;
    error_at(source_place(loop->source, at),
             "the %s of the loop is %s, but its directive says %s: make them equal", what,
             expression_words(loop, found), expression_words(loop, &said));
}

/* The directive's iterator against the head of the loop. */
static void check_range(struct loop *loop)
{
    const struct pipeline_directive *directive = loop->pragma->directive;
    const struct counter *counter = loop->counter;
    if (strcmp(directive->iterator, counter->name) != 0)
        error_at(source_place(loop->source, loop->statement),
                 "the loop counts `%s`, but the iterator of its directive is `%s`: make them equal",
                 counter->name, directive->iterator);
    compare_range(loop, directive->begin, &counter->lower, counter->lower_at, "start");
    compare_range(loop, directive->end, &counter->end, counter->end_at, "end");
    compare_range(loop, directive->step, &counter->step, loop->statement, "step");
}

/* Variables that extents and the range hold are captured, whether the body uses them or not. */
static void use_names(struct loop *loop)
{
    struct cursors named = source_children(loop->marker);
    for (int n = 0; n < named.count; n++) {
        struct cursors cast = source_children(named.at[n]);
        if (cast.count)
            use_expression(loop, cast.at[cast.count - 1]);
    }
    use_expression(loop, loop->counter->lower_at);
    use_expression(loop, loop->counter->end_at);
}

void analyse_loop(struct loop *loop)
{
    struct cursors parts = source_children(loop->statement);
    if (parts.count)
        read_written(loop, parts.at[parts.count - 1]);
    loop->counter = read_head(loop, loop->statement);
    if (expression_is_written(loop, loop->counter->variable))
        error_at(source_place(loop->source, loop->statement),
                 "the loop changes its own counter `%s`: not supported", loop->counter->name);
    check_range(loop);
    read_arrays(loop);
    use_names(loop);
    read_body(loop);
    check_loop(loop);
}
