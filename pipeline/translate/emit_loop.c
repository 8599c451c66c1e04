/* What executes a loop: its launch function or persistent kernel, and the function that is called
 * in its place. */
#include <string.h>

#include "translate.h"

static bool by_blocks(const struct loop *loop)
{
    return loop->pragma->directive->form == DIRECTIVE_BLOCKS;
}

/* ---- the directive with the extents as the analysis knows them ---- */

static void emit_node(const struct loop *loop, int node, struct text *text)
{
    static const char signs[] = {[DIRECTIVE_ADD] = '+',
                                 [DIRECTIVE_SUBTRACT] = '-',
                                 [DIRECTIVE_MULTIPLY] = '*',
                                 [DIRECTIVE_DIVIDE] = '/',
                                 [DIRECTIVE_REMAINDER] = '%'};
    const struct pipeline_directive *directive = loop->pragma->directive;
    const struct directive_node *at = &directive->nodes[node];
    if (at->kind == DIRECTIVE_NUMBER) {
        text_add(text, "%ld", at->number);
    } else if (at->kind == DIRECTIVE_CONSTANT || at->kind == DIRECTIVE_ITERATOR) {
        text_add(text, "%.*s", at->name_length, directive->text + at->name);
    } else {
        text_add(text, "(");
        if (at->kind != DIRECTIVE_NEGATE)
            emit_node(loop, at->left, text);
        text_add(text, "%c", at->kind == DIRECTIVE_NEGATE ? '-' : signs[at->kind]);
        emit_node(loop, at->kind == DIRECTIVE_NEGATE ? at->left : at->right, text);
        text_add(text, ")");
    }
}

static void emit_optional(const struct loop *loop, const char *before, int node, struct text *text)
{
    if (node == DIRECTIVE_ABSENT)
        return;
    text_add(text, "%s", before);
    emit_node(loop, node, text);
}

static void emit_bracket(const struct loop *loop, const struct directive_bracket *bracket,
                         struct text *text)
{
    text_add(text, "[");
    emit_node(loop, bracket->begin, text);
    emit_optional(loop, ":", bracket->length, text);
    text_add(text, "]");
}

/* One map clause. Pointers become arrays of slices, or of one dimension. */
static void emit_map(const struct loop *loop, const struct array *array, struct text *text)
{
    static const char *const words[] = {"alloc", "to", "from", "tofrom"};
    const struct directive_item *item = array->item;
    text_add(text, "\n        \" map(");
    if (item->pipelined) {
        text_add(text, "pipeline(%s", item->iterator);
        if (by_blocks(loop) && array->direction != DM_REGION_SCRATCH) {
            text_add(text, ", %s", words[array->direction]);
            emit_optional(loop, ", ", item->num_block, text);
        } else {
            emit_optional(loop, ", ", item->chunk_size, text);
            emit_optional(loop, ", ", item->overlap, text);
        }
        text_add(text, "), ");
    }
    text_add(text, "%s: %s", words[array->direction], array->name);
    if (!array->pointer)
        for (int d = 0; d < item->dimensions; d++)
            if (array->whole >> d & 1)
                text_add(text, "[0:dm_extent_%s_%d]", array->name, d);
            else
                emit_bracket(loop, &item->brackets[d], text);
    else if (array->split >= 0) {
        emit_bracket(loop, &item->brackets[0], text);
        text_add(text, "[0:dm_slice_%s]", array->name);
    } else {
        text_add(text, "[0:dm_slice_%s]", array->name);
    }
    text_add(text, ")\"");
}

static void emit_directive(const struct loop *loop, struct text *text)
{
    const struct pipeline_directive *directive = loop->pragma->directive;
    text_add(text,
             "static const char %s_directive[] =\n        \"#pragma omp target teams "
             "distribute\"",
             loop->name);
    for (int a = 0; a < loop->array_count; a++)
        emit_map(loop, &loop->arrays[a], text);
    text_add(text, "\n        \" iterator(%s = ", directive->iterator);
    emit_node(loop, directive->begin, text);
    emit_optional(loop, ":", directive->end, text);
    emit_optional(loop, ":", directive->step, text);
    text_add(text, ")\";\n");
}

/* ---- how it is launched ---- */

/* Whether the host can tell how many threads a nest needs: it reads no arrays. */
static bool host_counts(const struct loop *loop, const struct stage *stage)
{
    for (int c = 0; c < stage->counter_count; c++)
        for (int a = 0; a < loop->access_count; a++)
            if (source_within(loop->accesses[a].cursor, stage->counters[c]->lower_at) ||
                source_within(loop->accesses[a].cursor, stage->counters[c]->end_at))
                return false;
    return stage->counter_count > 0;
}

static void emit_count(const struct loop *loop, int number, struct text *text)
{
    const struct stage *stage = &loop->stages[number];
    if (!host_counts(loop, stage))
        return;
    text_add(text,
             "\n/* How many threads an iteration can use. */\nstatic long "
             "%s_threads_%d([[maybe_unused]] const struct %s_values *dm_values, "
             "[[maybe_unused]] long dm_iteration)\n{\n",
             loop->name, number, loop->name);
    for (int c = 0; c < loop->capture_count; c++)
        text_add(text, "[[maybe_unused]] const %s %s = dm_values->%s;\n", loop->captures[c].type,
                 loop->captures[c].name, loop->captures[c].name);
    text_add(text, "[[maybe_unused]] const long %s = dm_iteration * (%s);\nreturn 1",
             loop->counter->name, expression_text(loop, &loop->counter->step));
    for (int c = 0; c < stage->counter_count; c++) {
        const struct counter *counter = stage->counters[c];
        text_add(text, " * pipeline_count(%s, %s, %s)",
                 source_text(loop->source, counter->lower_at),
                 keep_format(counter->end_included ? "(%s) + 1" : "%s",
                             source_text(loop->source, counter->end_at)),
                 expression_text(loop, &counter->step));
    }
    text_add(text, ";\n}\n");
}

static void emit_launch(const struct loop *loop, struct text *text)
{
    text_add(text,
             "\nstatic cudaError_t %s_launch(const struct dm_region *dm_region, const struct "
             "dm_slices *dm_views,\n    long dm_begin, long dm_end, cudaStream_t dm_stream)\n{\n"
             "const struct %s_values dm_values = *(const struct %s_values *)dm_region->context;\n"
             "struct %s_arrays dm_arrays;\n"
             "cudaError_t dm_error = cudaSuccess;\n"
             "for (int a = 0; a < %d; a++)\ndm_arrays.of[a] = dm_views[a];\n",
             loop->name, loop->name, loop->name, loop->name, loop->array_count);
    for (int s = 0; s < loop->stage_count; s++) {
        const struct stage *stage = &loop->stages[s];
        const char *threads =
            host_counts(loop, stage)
                ? keep_format("%s_threads_%d(&dm_values, dm_begin)", loop->name, s)
            : stage->counter_count ? "65536l"
            : stage->team          ? "(dm_end - dm_begin) * (long)PIPELINE_BLOCK"
                                   : "dm_end - dm_begin";
        text_add(text,
                 "dm_launch(%s_kernel_%d, dim3(pipeline_blocks(%s)%s), PIPELINE_BLOCK, 0, "
                 "dm_stream, dm_arrays, dm_values,\n    dm_begin, dm_end);\n"
                 "dm_error = cudaGetLastError();\nif (dm_error != cudaSuccess)\nreturn dm_error;\n",
                 loop->name, s, threads,
                 stage->counter_count ? ", pipeline_rows(dm_end - dm_begin)" : "");
    }
    text_add(text, "return dm_error;\n}\n");
}

/* The persistent kernel of blp: all threads of a block do a part of a stage. */
static void emit_persistent(const struct loop *loop, struct text *text)
{
    bool parts = true;
    text_add(text,
             "\nstatic __device__ void %s_compute(const struct blp_unit *unit, const struct "
             "%s_values *dm_values)\n{\nconst long dm_threads = unit->parts * (long)blockDim.x;\n"
             "const long dm_thread = unit->part * (long)blockDim.x + threadIdx.x;\n",
             loop->name, loop->name);
    for (int s = 0; s < loop->stage_count; s++) {
        const struct stage *stage = &loop->stages[s];
        bool alone = !stage->counter_count && !stage->team;
        parts = parts && host_counts(loop, stage);
        text_add(text,
                 "if (unit->stage == %d)\nfor (long dm_iteration = unit->begin%s; dm_iteration < "
                 "unit->end; dm_iteration += %s)\n%s_stage_%d(unit->views, dm_values, "
                 "dm_iteration, %s, %s);\n",
                 s, alone ? " + dm_thread" : "", alone ? "dm_threads" : "1", loop->name, s,
                 alone ? "0" : "dm_thread", alone ? "1" : "dm_threads");
    }
    text_add(text, "}\n");
    if (parts)
        text_add(text,
                 "\nstatic int %s_parts(const void *context)\n{\nconst struct %s_values *dm_values "
                 "= (const struct %s_values *)context;\nreturn pipeline_parts(%s_threads_0("
                 "dm_values, 1));\n}\n",
                 loop->name, loop->name, loop->name, loop->name);
    text_add(text,
             "BLP_KERNEL(%s_persistent_kernel, struct %s_values, %s_compute, 1024, %d%s%s%s)\n",
             loop->name, loop->name, loop->name, loop->stage_count, parts ? ", " : "",
             parts ? loop->name : "", parts ? "_parts" : "");
}

/* ---- the function that is called ---- */

static void emit_array(const struct loop *loop, int number, struct text *text)
{
    const struct array *array = &loop->arrays[number];
    const char *memory = keep_format("dm_memory_%d", number);
    const char *extent = NULL;
    const struct polynomial *extents = array->extents;
    text_add(text, "{\"%s\", %s, sizeof(%s), ", array->name,
             array->direction == DM_REGION_SCRATCH ? "NULL" : memory, array->element);
    if (array->split >= 0)
        extent = keep_format("(%s) + (%s)", expression_text(loop, &array->begin),
                             expression_text(loop, &array->length));
    if (array->pointer) {
        text_add(text, "%d, {", array->split >= 0 ? 2 : 1);
        text_add(text, array->split >= 0 ? "%s, " : "%s", array->split >= 0 ? extent : "");
        text_add(text, "(long)(%s)}},\n", expression_text(loop, &array->inner));
        return;
    }
    text_add(text, "%d, {", array->dimensions);
    for (int d = 0; d < array->dimensions; d++)
        text_add(text, "%s(long)(%s)", d ? ", " : "",
                 extents[d].unknown && extent ? extent : expression_text(loop, &extents[d]));
    text_add(text, "}},\n");
}

/* Names of the directive that pipelinecc has added. Returns how many. */
static int emit_own_names(const struct loop *loop, const struct array *array, struct text *text)
{
    int count = 1;
    text_add(text, "{\"dm_slice_%s\", (long)(%s)},\n", array->name,
             expression_text(loop, &array->inner));
    for (int d = 0; d < array->dimensions; d++)
        if (array->whole >> d & 1) {
            text_add(text, "{\"dm_extent_%s_%d\", (long)(%s)},\n", array->name, d,
                     expression_text(loop, &array->extents[d]));
            count++;
        }
    return count;
}

static void emit_names(const struct loop *loop, struct text *text)
{
    const struct pragma *pragma = loop->pragma;
    int count = pragma->constants.count;
    text_add(text, "const struct pipeline_constant dm_constants[] = {\n");
    for (int n = 0; n < pragma->constants.count; n++)
        text_add(text, "{\"%s\", dm_constant_%d},\n", pragma->constants.names[n], n);
    for (int a = 0; a < loop->array_count; a++)
        count += emit_own_names(loop, &loop->arrays[a], text);
    text_add(text, "};\nconst struct pipeline_array dm_arrays[] = {\n");
    for (int a = 0; a < loop->array_count; a++)
        emit_array(loop, a, text);
    text_add(text,
             "};\nconst struct pipeline_names dm_names = {dm_constants, %d, dm_arrays, %d};\n",
             count, loop->array_count);
}

static void emit_parameters(const struct loop *loop, struct text *text)
{
    for (int a = 0; a < loop->array_count; a++)
        text_add(text, "%s[[maybe_unused]] void *dm_memory_%d", a ? ", " : "", a);
    for (int n = 0; n < loop->pragma->constants.count; n++)
        text_add(text, ", long dm_constant_%d", n);
    for (int c = 0; c < loop->capture_count; c++)
        text_add(text, ", [[maybe_unused]] %s %s", loop->captures[c].type, loop->captures[c].name);
}

/* Whether it says how long chunks are; else that and the streams are chosen by measurements. */
static bool says_chunks(const struct loop *loop)
{
    for (int a = 0; a < loop->array_count; a++)
        if (loop->arrays[a].item->chunk_size != DIRECTIVE_ABSENT)
            return true;
    return false;
}

static void emit_pipeline(const struct loop *loop, const struct pragma *pragma, struct text *text)
{
    text_add(text,
             "struct pipeline_options dm_options = {%s, dm_loop.streams, 0, 0};\n"
             "struct pipeline_report dm_report;\nstruct pipeline_plan *dm_plan = NULL;\n"
             "dm_status = pipeline_open(&dm_plan, &dm_loop.region, &dm_options);\n"
             "if (dm_status == DM_OK)\ndm_status = pipeline_run(dm_plan, &dm_report);\n"
             "pipeline_close(dm_plan);\n"
             "if (dm_status == DM_OK && getenv(\"PIPELINECC_REPORT\"))\n"
             "fprintf(stderr, \"%s:%u: %%ld chunks of %%ld on %%d streams, %%.1f MB on the device, "
             "%%.3f ms\\n\",\n    dm_report.chunks, dm_report.chunk_size, dm_report.streams, "
             "(double)dm_report.device_bytes / 1e6,\n    1e3 * dm_report.time_s);\n",
             says_chunks(loop) ? "dm_loop.chunk_size" : "0", pragma->place.file,
             pragma->place.line);
}

/* Copy blocks that leave none to compute here are left to the library. */
static void emit_blp(const struct loop *loop, const struct pragma *pragma, struct text *text)
{
    const char *file = pragma->place.file;
    const unsigned line = pragma->place.line;
    text_add(text,
             "struct blp_options dm_options = {};\nstruct blp_report dm_report;\n"
             "struct blp_plan *dm_plan = NULL;\n"
             "pipeline_copy_blocks(&dm_loop, &dm_options.copy_in_blocks, "
             "&dm_options.copy_out_blocks);\n"
             "dm_status = blp_open(&dm_plan, &dm_loop.region, &%s_persistent_kernel, "
             "&dm_options);\n",
             loop->name);
    text_add(text,
             "if (dm_status == DM_INVALID && (dm_options.copy_in_blocks || "
             "dm_options.copy_out_blocks)) {\n"
             "fprintf(stderr, \"%s:%u: num_block is left to the library: %%s\\n\", "
             "dm_message());\ndm_options.copy_in_blocks = dm_options.copy_out_blocks = 0;\n"
             "dm_status = blp_open(&dm_plan, &dm_loop.region, &%s_persistent_kernel, "
             "&dm_options);\n}\n",
             file, line, loop->name);
    text_add(text,
             "if (dm_status == DM_OK)\ndm_status = blp_run(dm_plan, &dm_report);\n"
             "blp_close(dm_plan);\n"
             "if (dm_status == DM_OK && getenv(\"PIPELINECC_REPORT\"))\n"
             "fprintf(stderr, \"%s:%u: %%ld tasks, %%d and %%d of %%d blocks copy in and out, "
             "%%.1f MB on the device, %%.3f ms\\n\",\n    dm_report.tasks, "
             "dm_report.copy_in_blocks, dm_report.copy_out_blocks, dm_report.blocks,\n    "
             "(double)dm_report.device_bytes / 1e6, 1e3 * dm_report.time_s);\n",
             file, line);
}

/* The arguments as the kernels get them, and as names of the directive. */
static void emit_arguments(const struct loop *loop, struct text *text)
{
    const struct counter *counter = loop->counter;
    char *lower = expression_text(loop, &counter->lower),
         *end = expression_text(loop, &counter->end);
    char *step = expression_text(loop, &counter->step);
    text_add(text, "if (%s >= %s)\nreturn;\n", lower, end);
    text_add(text,
             "/* of the last iteration */\n[[maybe_unused]] const long %s = %s + (%s - 1 - (%s)) / "
             "(%s) * (%s);\n",
             counter->name, lower, end, lower, step, step);
    text_add(text, "const struct %s_values dm_values = {", loop->name);
    for (int c = 0; c < loop->capture_count; c++)
        text_add(text, "%s%s", c ? ", " : "", loop->captures[c].name);
    text_add(text, "};\n");
    emit_names(loop, text);
}

static void emit_execution(const struct loop *loop, bool own_file, struct text *text)
{
    const struct pragma *pragma = loop->pragma;
    text_add(text, "\n%s void %s(", own_file ? "extern \"C\"" : "static", loop->name);
    emit_parameters(loop, text);
    text_add(text, ")\n{\n");
    emit_arguments(loop, text);
    text_add(
        text,
        "struct pipeline_directive *dm_directive = NULL;\nstruct pipeline_loop dm_loop;\n"
        "enum dm_status dm_status = pipeline_directive_parse(&dm_directive, %s_directive);\n"
        "if (dm_status == DM_OK)\ndm_status = pipeline_directive_bind(dm_directive, &dm_names, "
        "%s%s, &dm_values, &dm_loop);\npipeline_directive_free(dm_directive);\n"
        "if (dm_status == DM_OK) {\nbool dm_locked[DM_REGION_ARRAYS];\n"
        "dm_loop.region.ordered = %s;\npipeline_page_lock(&dm_loop.region, dm_locked);\n",
        loop->name, by_blocks(loop) ? "NULL" : loop->name, by_blocks(loop) ? "" : "_launch",
        loop->ordered ? "true" : "false");
    if (by_blocks(loop))
        emit_blp(loop, pragma, text);
    else
        emit_pipeline(loop, pragma, text);
    text_add(text,
             "pipeline_page_unlock(&dm_loop.region, dm_locked);\n}\n"
             "if (dm_status != DM_OK) {\nfprintf(stderr, \"%s:%u: %%s\\n\", dm_message());\n"
             "exit(EXIT_FAILURE);\n}\n}\n",
             pragma->place.file, pragma->place.line);
}

void emit_loop(const struct loop *loop, bool own_file, struct text *text)
{
    emit_stages(loop, text);
    for (int s = 0; s < loop->stage_count; s++)
        emit_count(loop, s, text);
    if (by_blocks(loop))
        emit_persistent(loop, text);
    else
        emit_launch(loop, text);
    text_add(text, "\n");
    emit_directive(loop, text);
    emit_execution(loop, own_file, text);
}

void emit_call(const struct loop *loop, bool own_file, struct text *text)
{
    if (own_file) {
        text_add(text, "{ extern void %s(", loop->name);
        for (int a = 0; a < loop->array_count; a++)
            text_add(text, "%svoid *", a ? ", " : "");
        for (int n = 0; n < loop->pragma->constants.count; n++)
            text_add(text, ", long");
        for (int c = 0; c < loop->capture_count; c++)
            text_add(text, ", %s", loop->captures[c].type);
        text_add(text, "); ");
    }
    text_add(text, "%s%s(", own_file ? "" : "{ ", loop->name);
    for (int a = 0; a < loop->array_count; a++)
        text_add(text, "%s(void *)(%s)", a ? ", " : "", loop->arrays[a].name);
    for (int n = 0; n < loop->pragma->constants.count; n++)
        text_add(text, ", (long)(%s)", loop->pragma->constants.names[n]);
    for (int c = 0; c < loop->capture_count; c++)
        text_add(text, ", %s", loop->captures[c].name);
    text_add(text, "); }");
}
