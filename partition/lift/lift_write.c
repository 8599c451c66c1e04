/* lift_write.c: a module in LLVM IR. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lift_emit.h"

/* ---- control flow ---- */

static void begin_block(struct lift_emit *emit, const char *kind, unsigned number)
{
    fprintf(emit->out, "%s%u:\n", kind, number);
    emit->closed = false;
}

/* Labels have numbers, so that no name in the text is one of ours. */
static size_t label_number(struct lift_emit *emit, const struct lift_table *labels,
                           const char *name)
{
    const size_t *found = lift_find(labels, name);
    if (found)
        return *found;
    lift_cannot(emit, "it goes to a label that is not there");
    return 0;
}

static void branch(struct lift_emit *emit, const struct lift_table *labels)
{
    const struct lift_operand *to = &emit->at->operands[0];
    if (emit->at->operand_count != 1 || to->kind != LIFT_NAME) {
        lift_cannot(emit, "a branch of this kind is not known here");
        return;
    }
    size_t target = label_number(emit, labels, to->name);
    unsigned next = ++emit->blocks;
    if (!emit->at->predicate) {
        lift_line(emit, "br label %%label%zu", target);
        emit->closed = true;
        return;
    }
    struct lift_value go = lift_condition(emit, emit->at->predicate, emit->at->negated);
    size_t behind = (size_t)(emit->at - emit->kernel->instructions) + 1;
    if (behind < emit->kernel->instruction_count && emit->kernel->instructions[behind].label) {
        lift_line(emit, "br i1 %s, label %%label%zu, label %%label%zu", go.text, target, behind);
        emit->closed = true; /* both ways out of a loop lead to one block where they do in PTX */
        return;
    }
    lift_line(emit, "br i1 %s, label %%label%zu, label %%next%u", go.text, target, next);
    begin_block(emit, "next", next);
}

static void plain_instruction(struct lift_emit *emit)
{
    static bool (*const groups[])(struct lift_emit *) = {
        lift_emit_memory,     lift_emit_predicate, lift_emit_carry, lift_emit_integer,
        lift_emit_bits,       lift_emit_bytes,     lift_emit_real,  lift_emit_half,
        lift_emit_conversion, lift_emit_warp};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (groups[i](emit))
            return;
    lift_cannot(emit, "this instruction is not known here");
}

static bool is_return(const struct lift_instruction *instruction)
{
    return strcmp(instruction->parts[0], "ret") == 0 || strcmp(instruction->parts[0], "exit") == 0;
}

/* An instruction with a predicate is jumped over. */
static void predicated(struct lift_emit *emit)
{
    unsigned number = ++emit->blocks;
    struct lift_value go = lift_condition(emit, emit->at->predicate, emit->at->negated);
    lift_line(emit, "br i1 %s, label %%do%u, label %%skip%u", go.text, number, number);
    begin_block(emit, "do", number);
    if (is_return(emit->at)) {
        lift_line(emit, "ret void");
    } else {
        plain_instruction(emit);
        lift_line(emit, "br label %%skip%u", number);
    }
    begin_block(emit, "skip", number);
}

static void instruction(struct lift_emit *emit, const struct lift_table *labels)
{
    if (emit->closed)
        begin_block(emit, "dead", ++emit->blocks);
    if (strcmp(emit->at->parts[0], "bra") == 0) {
        branch(emit, labels);
    } else if (emit->at->predicate) {
        predicated(emit);
    } else if (is_return(emit->at)) {
        lift_line(emit, "ret void");
        emit->closed = true;
    } else {
        plain_instruction(emit);
    }
}

static void body(struct lift_emit *emit, const struct lift_table *labels)
{
    struct lift_kernel *kernel = emit->kernel;
    for (size_t i = 0; i < kernel->instruction_count && !kernel->refusal; i++) {
        emit->at = &kernel->instructions[i];
        if (!emit->at->label) {
            instruction(emit, labels);
            continue;
        }
        if (!emit->closed)
            lift_line(emit, "br label %%label%zu", i);
        begin_block(emit, "label", (unsigned)i);
    }
    if (!emit->closed)
        lift_line(emit, "ret void");
}

/* ---- a kernel ---- */

static struct lift_table find_labels(struct lift_kernel *kernel)
{
    struct lift_table labels = {0};
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const char *label = kernel->instructions[i].label;
        if (!label)
            continue;
        if (lift_find(&labels, label))
            lift_refuse(kernel, "line %u: the label %.60s is there twice",
                        kernel->instructions[i].line, label);
        size_t *number = lift_allocate(&kernel->module->memory, sizeof *number);
        *number = i;
        lift_insert(&kernel->module->memory, &labels, label, number);
    }
    return labels;
}

/* How often each register is written. */
static void count_definitions(struct lift_kernel *kernel)
{
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct lift_instruction *instruction = &kernel->instructions[i];
        for (size_t o = 0; o < instruction->operand_count; o++) {
            const struct lift_operand *operand = &instruction->operands[o];
            const struct lift_operand *items =
                operand->kind == LIFT_LIST ? operand->items : operand;
            size_t count = operand->kind == LIFT_LIST ? operand->count : 1;
            for (size_t j = 0; j < count; j++) {
                struct lift_register *found =
                    items[j].kind == LIFT_NAME ? lift_register(kernel, items[j].name) : NULL;
                if (!found || o > 0)
                    continue;
                found->definitions++;
                found->definition = instruction;
            }
        }
    }
}

static struct lift_type type_of(const struct lift_parameter *parameter)
{
    return parameter->is_pointer ? lift_address_type : parameter->type;
}

static void signature(const struct lift_kernel *kernel, bool is_named, FILE *out)
{
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct lift_parameter *parameter = &kernel->parameters[i];
        fputs(i ? ", " : "", out);
        if (parameter->is_structure)
            fprintf(out, "i%" PRIu64, 8 * parameter->bytes);
        else
            fputs(lift_llvm(type_of(parameter)), out);
        if (is_named)
            fprintf(out, " %%param_%zu", i);
    }
}

static void variables(const struct lift_kernel *kernel, FILE *out)
{
    for (size_t i = 0; i < kernel->register_count; i++) {
        const struct lift_register *of = kernel->register_list[i];
        const char *type = of->is_address ? "i8*" : lift_llvm(of->type);
        fprintf(out, "  %%%s.r = alloca %s\n", lift_plain(of->name), type);
        if (of->type.kind == 'p')
            fprintf(out, "  %%%s.n = alloca i1\n", lift_plain(of->name));
        for (unsigned leaf = 0; leaf < of->leaves; leaf++)
            fprintf(out, "  %%%s.%u = alloca %s\n", lift_plain(of->name), leaf, type);
    }
}

/* Arrays of a thread. */
static void local_arrays(const struct lift_kernel *kernel, FILE *out)
{
    for (size_t i = 0; i < kernel->variables.count; i++) {
        const struct lift_variable *of = kernel->variables.list[i];
        if (of->space == 'l')
            fprintf(out, "  %%%s.l = alloca [%" PRIu64 " x i8], align %" PRIu64 "\n",
                    lift_plain(of->name), of->bytes, of->align);
    }
}

static void check(struct lift_kernel *kernel)
{
    if (lift_is_reserved(kernel->name) || lift_find(&kernel->module->variables.table, kernel->name))
        lift_refuse(kernel, "it has a name that is taken: rename it");
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (kernel->parameters[i].is_structure && !kernel->parameters[i].bytes)
            lift_refuse(kernel, "argument %zu is no number, pointer or structure of bytes", i);
    if (!kernel->refusal)
        lift_inline(kernel);
    if (!kernel->refusal)
        count_definitions(kernel);
    if (!kernel->refusal)
        lift_find_members(kernel);
    if (!kernel->refusal)
        lift_find_addresses(kernel);
}

static void write_kernel(struct lift_kernel *kernel, bool to_run, FILE *out)
{
    char *text = NULL;
    size_t length;
    check(kernel);
    if (kernel->refusal)
        return;
    FILE *lines = open_memstream(&text, &length);
    if (!lines) {
        lift_refuse(kernel, "there is not enough memory");
        return;
    }
    struct lift_table labels = find_labels(kernel);
    struct lift_emit emit = {.kernel = kernel, .out = lines, .to_run = to_run};
    body(&emit, &labels);
    bool is_written = fclose(lines) == 0;
    if (!kernel->refusal && is_written) {
        /* To be run, a kernel has no name outside: it may be one of the C library. */
        fprintf(out, "define%s void @%s(", to_run ? " internal" : "", kernel->name);
        signature(kernel, true, out);
        fprintf(out, ")%s {\nentry:\n", to_run ? " sanitize_thread" : "");
        variables(kernel, out);
        local_arrays(kernel, out);
        if (emit.has_carry)
            fputs("  %lift.carry = alloca i1\n", out);
        fprintf(out, "%s}\n", text);
    }
    free(text);
}

/* void lift_call_NAME(void **arguments), as cuLaunchKernel has them */
static void write_call(const struct lift_kernel *kernel, FILE *out)
{
    fprintf(out, "define void @lift_call_%s(i8** %%arguments) {\n", kernel->name);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        if (kernel->parameters[i].is_structure)
            continue;
        const char *type = lift_llvm(type_of(&kernel->parameters[i]));
        fprintf(out, "  %%place%zu = getelementptr i8*, i8** %%arguments, i64 %zu\n", i, i);
        fprintf(out, "  %%at%zu = load i8*, i8** %%place%zu\n", i, i);
        fprintf(out, "  %%typed%zu = bitcast i8* %%at%zu to %s*\n", i, i, type);
        fprintf(out, "  %%value%zu = load %s, %s* %%typed%zu\n", i, type, type, i);
    }
    fprintf(out, "  call void @%s(", kernel->name);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct lift_parameter *parameter = &kernel->parameters[i];
        fputs(i ? ", " : "", out);
        if (parameter->is_structure)
            fprintf(out, "i%" PRIu64 " undef", 8 * parameter->bytes);
        else
            fprintf(out, "%s %%value%zu", lift_llvm(type_of(parameter)), i);
    }
    fputs(")\n  ret void\n}\n", out);
}

/* ---- the module ---- */

static void write_variable(const struct lift_variable *variable, bool to_run, FILE *out)
{
    if (variable->space == 's' || lift_is_reserved(variable->name))
        return;
    const char *space = to_run                       ? ""
                        : lift_is_constant(variable) ? " addrspace(4)"
                                                     : " addrspace(1)";
    fprintf(out, "@%s = internal%s global [%" PRIu64 " x i8] ", variable->name, space,
            variable->bytes);
    if (!variable->initial || !to_run) {
        fputs("zeroinitializer", out);
    } else {
        fputs("c\"", out);
        for (uint64_t i = 0; i < variable->bytes; i++)
            fprintf(out, "\\%02X", variable->initial[i]);
        fputs("\"", out);
    }
    fprintf(out, ", align %" PRIu64 "\n", variable->align);
}

static void write_head(const struct lift_module *module, bool to_run, FILE *out)
{
    static const char *const real[] = {"sqrt", "sin",  "cos",   "exp2",  "exp", "log2",
                                       "fabs", "rint", "trunc", "floor", "ceil"};
    static const char *const pairs[] = {"minnum", "maxnum", "copysign"};
    static const char *const llvm[] = {"half", "float", "double"};
    fprintf(out, "target triple = \"%s\"\n",
            to_run ? "x86_64-pc-linux-gnu" : "nvptx64-nvidia-cuda");
    fprintf(out, "@lift_shared = internal%s global [262144 x i8] zeroinitializer, align 256\n",
            to_run ? "" : " addrspace(3)");
    for (size_t i = 0; i < module->variables.count; i++)
        write_variable(module->variables.list[i], to_run, out);
    fputs("attributes #0 = { nounwind readnone willreturn speculatable }\n"
          "declare i32 @partition_thread(i32) #0\ndeclare i32 @partition_block(i32) #0\n"
          "declare i32 @partition_block_size(i32) #0\ndeclare i32 @partition_grid_size(i32) #0\n"
          "declare void @partition_barrier()\ndeclare i32 @lift_shuffle(i32, i32) #0\n"
          "declare i32 @llvm.fshl.i32(i32, i32, i32) #0\n"
          "declare i32 @llvm.fshr.i32(i32, i32, i32) #0\n",
          out);
    /* Where it runs, time goes on. */
    fprintf(out, "declare i64 @lift_clock(i32)%s\n", to_run ? "" : " #0");
    for (unsigned t = 0; t < 3; t++) {
        unsigned bits = 16u << t;
        for (size_t i = 0; i < sizeof real / sizeof *real; i++)
            fprintf(out, "declare %s @llvm.%s.f%u(%s) #0\n", llvm[t], real[i], bits, llvm[t]);
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            fprintf(out, "declare %s @llvm.%s.f%u(%s, %s) #0\n", llvm[t], pairs[i], bits, llvm[t],
                    llvm[t]);
        fprintf(out, "declare %s @llvm.fma.f%u(%s, %s, %s) #0\n", llvm[t], bits, llvm[t], llvm[t],
                llvm[t]);
        for (unsigned i = 8; i <= 64; i *= 2)
            fprintf(out,
                    "declare i%u @llvm.fptosi.sat.i%u.f%u(%s) #0\n"
                    "declare i%u @llvm.fptoui.sat.i%u.f%u(%s) #0\n",
                    i, i, bits, llvm[t], i, i, bits, llvm[t]);
    }
    for (unsigned i = 8; i <= 64; i *= 2)
        fprintf(out,
                "declare i%u @llvm.ctpop.i%u(i%u) #0\ndeclare i%u @llvm.bitreverse.i%u(i%u) #0\n"
                "declare i%u @llvm.ctlz.i%u(i%u, i1) #0\n",
                i, i, i, i, i, i, i, i, i);
}

/* clang's list of kernels. */
static void write_list(const struct lift_module *module, FILE *out)
{
    size_t count = 0;
    for (size_t i = 0; i < module->kernel_count; i++) {
        const struct lift_kernel *kernel = &module->kernels[i];
        if (kernel->refusal)
            continue;
        fprintf(out, "!%zu = !{void (", count++);
        signature(kernel, false, out);
        fprintf(out, ")* @%s, !\"kernel\", i32 1}\n", kernel->name);
    }
    fputs("!nvvm.annotations = !{", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s!%zu", i ? ", " : "", i);
    fputs("}\n", out);
}

/* The sizes of grid and block, for partition-wrap. */
static void write_sizes(const struct lift_launch *launch, FILE *out)
{
    const unsigned *grid = launch->grid, *block = launch->block;
    fprintf(out,
            "@launch_numbers = constant [6 x i32] [i32 %u, i32 %u, i32 %u, i32 %u, i32 %u, "
            "i32 %u]\n",
            grid[0], grid[1], grid[2], block[0], block[1], block[2]);
}

/* Only the launch's kernel is left. */
static void choose_kernel(struct lift_module *module)
{
    size_t kept = 0;
    for (size_t i = 0; i < module->kernel_count; i++)
        if (strcmp(module->kernels[i].name, module->launch->kernel) == 0)
            module->kernels[kept++] = module->kernels[i];
    module->kernel_count = kept;
}

void lift_write(struct lift_module *module, bool to_run, FILE *out, FILE *lines)
{
    lift_find_written(module);
    write_head(module, to_run, out);
    if (module->launch) {
        write_sizes(module->launch, out);
        choose_kernel(module);
    }
    for (size_t i = 0; i < module->kernel_count; i++) {
        struct lift_kernel *kernel = &module->kernels[i];
        write_kernel(kernel, to_run, out);
        if (kernel->refusal)
            fprintf(lines, "refused %s %s\n", kernel->name, kernel->refusal);
        else if (to_run)
            write_call(kernel, out);
        else
            lift_write_members(kernel, lines);
        if (!kernel->refusal && module->launch)
            lift_write_launch(kernel, lines);
    }
    if (!to_run)
        write_list(module, out);
}
