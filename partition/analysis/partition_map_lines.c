/* partition_map_lines.c: what single instructions mean for a kernel. Calls and atomics are gone:
 * partition-wrap refuses them. */
#include <ctype.h>
#include <string.h>

#include "partition_map.h"

/* Accesses of a call: Polly sees a copy of memory as a read and a write. */
static size_t call_accesses(const char *line)
{
    if (strstr(line, "@llvm.memcpy.") || strstr(line, "@llvm.memmove."))
        return 2;
    return strstr(line, "@llvm.memset.") ? 1 : 0;
}

/* The type begins the text and ends before a comma or a space. */
static bool is_pointer(const char *text)
{
    size_t length = strcspn(text, ", ");
    return map_is_opaque_pointer(text) || (length && text[length - 1] == '*');
}

/* %7 = phi float* ..., %7 = select i1 %6, float* ...: an array that Polly cannot name. */
static bool chooses_pointer(const char *line, const char *operation)
{
    static const char phi[] = " = phi ", select[] = " = select i1 ";
    const char *condition = operation + strlen(select);
    if (map_starts(operation, select))
        return is_pointer(condition + strcspn(condition, ",") + strlen(", "));
    return isdigit((unsigned char)line[1]) && map_starts(operation, phi) &&
           is_pointer(operation + strlen(phi));
}

/* %gx1 = phi i64 ...: the counter of the loop over gx. */
static void note_counter(struct map_kernel *kernel, const char *line, const char *operation)
{
    for (size_t i = 0; i < kernel->coordinate_count && map_starts(operation, " = phi "); i++) {
        size_t length = strlen(kernel->coordinates[i]);
        const char *rest = line + 1 + length;
        if (strncmp(line + 1, kernel->coordinates[i], length) == 0 &&
            rest + strspn(rest, "0123456789") == operation)
            kernel->counters |= 1u << i;
    }
}

static void judge_value(struct map_kernel *kernel, const char *line, const char *operation)
{
    static const char load[] = " = load ";
    note_counter(kernel, line, operation);
    if (map_starts(operation, " = inttoptr "))
        map_refuse(kernel, "makes a pointer from an integer: index an array argument");
    if (chooses_pointer(line, operation))
        map_refuse(kernel, "chooses a pointer at run time: index one array argument");
    if (!map_starts(operation, load))
        return;
    kernel->ir_accesses++;
    if (is_pointer(operation + strlen(load)))
        map_refuse(kernel, "loads a pointer from memory: pass each array as an argument");
}

static void note_constant(struct map_kernel *kernel, const char *name, size_t length)
{
    kernel->reads_constants = true;
    kernel->constants =
        map_grow(kernel->constants, kernel->constant_count, sizeof *kernel->constants);
    kernel->constants[kernel->constant_count++] = map_isl_name(name, length);
}

static void note_symbols(struct map_kernel *kernel, const struct map_symbols *symbols,
                         const char *line)
{
    for (const char *at = strchr(line, '@'); at; at = strchr(at, '@')) {
        size_t length = map_name_length(++at);
        if (map_contains(&symbols->variables, at, length))
            map_refuse(kernel,
                       "uses the __device__ variable %.*s: pass it as an argument, or make it "
                       "__constant__",
                       (int)length, at);
        if (map_contains(&symbols->constants, at, length))
            note_constant(kernel, at, length);
    }
}

static void note_local(struct map_kernel *kernel, const char *line)
{
    size_t length = map_name_length(line + 1);
    kernel->locals = map_grow(kernel->locals, kernel->local_count, sizeof *kernel->locals);
    kernel->locals[kernel->local_count++] = map_isl_name(line + 1, length);
}

void map_judge_line(struct map_kernel *kernel, const struct map_symbols *symbols, const char *line)
{
    const char *operation = line[0] == '%' ? strstr(line, " = ") : NULL;
    note_symbols(kernel, symbols, line);
    if (map_starts(line, "store "))
        kernel->ir_accesses++;
    else if (map_starts(line, "call "))
        kernel->ir_accesses += call_accesses(line);
    else if (operation && map_starts(operation, " = alloca "))
        note_local(kernel, line);
    else if (operation)
        judge_value(kernel, line, operation);
}
