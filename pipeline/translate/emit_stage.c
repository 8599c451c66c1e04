/* The stages of an iteration as device functions, and the kernels that call them. */
#include "translate.h"

static char *number_text(const struct loop *loop, CXCursor cursor, bool more)
{
    struct text text = {0};
    emit_cursor(loop, cursor, &text);
    return keep_format(more ? "(long)(%s) + 1" : "(long)(%s)", text.bytes);
}

void emit_shared_head(const struct loop *loop, struct counter *const *counters, int count,
                      struct text *text)
{
    text_add(text, "{\n");
    for (int c = 0; c < count; c++)
        text_add(text, "const long dm_count_%d = pipeline_count(%s, %s, %s);\n", c,
                 number_text(loop, counters[c]->lower_at, false),
                 number_text(loop, counters[c]->end_at, counters[c]->end_included),
                 expression_text(loop, &counters[c]->step));
    text_add(text, "const long dm_count = dm_count_0");
    for (int c = 1; c < count; c++)
        text_add(text, " * dm_count_%d", c);
    text_add(text, ";\nfor (long dm_index = dm_thread; dm_index < dm_count; dm_index += dm_threads)"
                   "\n{\n");
    text_add(text, "const long dm_left_%d = dm_index;\n", count - 1);
    for (int c = count - 1; c >= 0; c--) {
        if (c > 0)
            text_add(text, "const long dm_left_%d = pipeline_quotient(dm_left_%d, dm_count_%d);\n",
                     c - 1, c, c);
        text_add(text, "%s %s = (%s)(%s + ", counters[c]->type, counters[c]->name,
                 counters[c]->type, number_text(loop, counters[c]->lower_at, false));
        if (c > 0)
            text_add(text, "(dm_left_%d - dm_left_%d * dm_count_%d)", c, c - 1, c);
        else
            text_add(text, "dm_left_0");
        text_add(text, " * (%s));\n", expression_text(loop, &counters[c]->step));
    }
    text_add(text, "{\n");
}

/* The values of the host, and the counter of the loop. */
static void emit_values(const struct loop *loop, struct text *text)
{
    for (int c = 0; c < loop->capture_count; c++)
        text_add(text, "[[maybe_unused]] const %s %s = dm_values->%s;\n", loop->captures[c].type,
                 loop->captures[c].name, loop->captures[c].name);
    text_add(text, "[[maybe_unused]] const %s %s = (%s)(dm_iteration * (%s));\n",
             loop->counter->type, loop->counter->name, loop->counter->type,
             expression_text(loop, &loop->counter->step));
}

static void emit_function(const struct loop *loop, int number, struct text *text)
{
    const struct stage *stage = &loop->stages[number];
    text_add(text,
             "\nstatic __device__ void %s_stage_%d([[maybe_unused]] const struct dm_slices "
             "*dm_arrays,\n    [[maybe_unused]] const struct %s_values *dm_values, long "
             "dm_iteration,\n    [[maybe_unused]] long dm_thread, [[maybe_unused]] long "
             "dm_threads)\n{\n",
             loop->name, number, loop->name);
    emit_values(loop, text);
    for (int l = 0; l < loop->local_count; l++)
        text_add(text, "[[maybe_unused]] %s %s;\n", loop->locals[l].type, loop->locals[l].name);
    int last = stage->counter_count ? stage->count - 1 : stage->count;
    for (int s = 0; s < last; s++) {
        if (stage->team)
            emit_team(loop, stage->statements[s], text);
        else
            emit_cursor(loop, stage->statements[s], text);
        text_add(text, ";\n");
    }
    if (stage->counter_count) {
        emit_shared_head(loop, stage->counters, stage->counter_count, text);
        emit_cursor(loop, stage->counters[stage->counter_count - 1]->body, text);
        text_add(text, ";\n}\n}\n}\n");
    }
    text_add(text, "}\n");
}

static void emit_kernel(const struct loop *loop, int number, struct text *text)
{
    const struct stage *stage = &loop->stages[number];
    text_add(text,
             "\nstatic __global__ void %s_kernel_%d(struct %s_arrays dm_arrays,\n    struct "
             "%s_values dm_values, long dm_begin, long dm_end)\n{\n",
             loop->name, number, loop->name, loop->name);
    if (stage->counter_count)
        text_add(text,
                 "for (long dm_iteration = dm_begin + blockIdx.y; dm_iteration < dm_end; "
                 "dm_iteration += gridDim.y)\n%s_stage_%d(dm_arrays.of, &dm_values, dm_iteration, "
                 "blockIdx.x * (long)blockDim.x + threadIdx.x,\n    gridDim.x * "
                 "(long)blockDim.x);\n}\n",
                 loop->name, number);
    else if (stage->team)
        text_add(text,
                 "for (long dm_iteration = dm_begin + blockIdx.x; dm_iteration < dm_end; "
                 "dm_iteration += gridDim.x)\n%s_stage_%d(dm_arrays.of, &dm_values, dm_iteration, "
                 "threadIdx.x, blockDim.x);\n}\n",
                 loop->name, number);
    else
        text_add(text,
                 "for (long dm_iteration = dm_begin + blockIdx.x * (long)blockDim.x + threadIdx.x; "
                 "dm_iteration < dm_end; dm_iteration += gridDim.x * (long)blockDim.x)\n"
                 "%s_stage_%d(dm_arrays.of, &dm_values, dm_iteration, 0, 1);\n}\n",
                 loop->name, number);
}

void emit_stages(const struct loop *loop, struct text *text)
{
    text_add(text, "\nstruct %s_values {\n", loop->name);
    for (int c = 0; c < loop->capture_count; c++)
        text_add(text, "%s %s;\n", loop->captures[c].type, loop->captures[c].name);
    text_add(text, "%s};\n", loop->capture_count ? "" : "char none;\n");
    text_add(text, "struct %s_arrays { struct dm_slices of[%d]; };\n", loop->name,
             loop->array_count);
    for (int s = 0; s < loop->stage_count; s++) {
        emit_function(loop, s, text);
        if (loop->pragma->directive->form != DIRECTIVE_BLOCKS)
            emit_kernel(loop, s, text);
    }
}
