/* partition_map_write.c: the data base; database.h describes its form. */
#include <isl/space.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition_map.h"

static void write_map(const char *key, isl_map *map)
{
    char *text = isl_map_to_str(map);
    printf("  %s %s\n", key, text);
    free(text);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Parameters of the map and of the array's sizes: elements depend on both. */
static void write_pattern(const char *key, const struct map_argument *argument, isl_map *map)
{
    isl_space *space = isl_map_get_space(map);
    for (size_t i = 0; i < argument->size_count; i++) {
        isl_map *size = isl_map_read_from_str(isl_map_get_ctx(map), argument->sizes[i]);
        space = isl_space_align_params(space, isl_map_get_space(size));
        isl_map_free(size);
    }
    size_t count = (size_t)isl_space_dim(space, isl_dim_param);
    char **names = map_allocate((count + 1) * sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = (char *)(uintptr_t)isl_space_get_dim_name(space, isl_dim_param, (unsigned)i);
    qsort(names, count, sizeof *names, by_text);
    printf("  %s %s", key, count ? "" : "-");
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i ? "," : "", names[i]);
    putchar('\n');
    isl_space_free(space);
}

/* Of the iteration space of each access, in the order of their lines. */
static void write_domain_dims(const char *key, const struct map_argument *argument, bool is_write)
{
    const char *before = "";
    printf("  %s ", key);
    for (size_t i = 0; i < argument->access_count; i++)
        if (argument->accesses[i].write == is_write) {
            printf("%s%u", before, argument->accesses[i].domain_dims);
            before = ",";
        }
    putchar('\n');
}

static void write_accesses(const struct map_argument *argument, bool is_write)
{
    const char *word = is_write ? "write" : "read";
    isl_map *all = is_write ? argument->write : argument->read;
    if (!is_write && argument->whole) {
        printf("  read whole %s\n  read_pattern -\n", argument->whole);
        return;
    }
    if (!all)
        return;
    write_map(word, all);
    for (size_t i = 0; i < argument->access_count; i++)
        if (argument->accesses[i].write == is_write)
            write_map(map_format("%s_access", word), argument->accesses[i].map);
    write_domain_dims(map_format("%s_domain_dims", word), argument, is_write);
    write_pattern(map_format("%s_pattern", word), argument, all);
}

static void write_argument(const struct map_argument *argument, size_t number)
{
    printf(" argument %zu\n  name %s\n  type %s\n  bits %u\n  element_bits %u\n", number,
           argument->name, argument->type, argument->bits, argument->element_bits);
    printf("  fundamental %c\n  dims %zu\n  level %u\n", argument->fundamental,
           argument->level ? argument->size_count + 1 : 0, argument->level);
    for (size_t i = 0; i < argument->size_count; i++)
        printf("  sizes %s\n", argument->sizes[i]);
    write_accesses(argument, false);
    write_accesses(argument, true);
    if (argument->write)
        printf("  injective %s\n", argument->injective ? "yes" : "no");
    if (argument->may_write)
        puts("  may_write yes");
    if (argument->structure)
        printf("  member %zu %zu\n", argument->structure - 1, argument->offset);
    if (argument->reduction)
        printf("  reduces %s\n", argument->reduction);
}

static isl_stat write_invalid_piece(isl_basic_set *piece, void *unused)
{
    isl_set *set = isl_set_drop_unused_params(isl_set_from_basic_set(piece));
    char *text = isl_set_to_str(set);

    (void)unused;
    if (text)
        printf(" invalid %s\n", text);
    free(text);
    isl_set_free(set);
    return text ? isl_stat_ok : isl_stat_error;
}

/* In pieces, each with its own parameters: of a kernel from PTX there are dozens of both, and
 * whoever reads the line would put each number into each piece. */
static void write_invalid(isl_set *invalid)
{
    if (isl_set_is_empty(invalid) == isl_bool_true)
        puts(" invalid {  : false }");
    else if (isl_set_foreach_basic_set(invalid, write_invalid_piece, NULL) != isl_stat_ok)
        map_fail("there is no memory for what the analysis assumes");
}

static void write_accepted(const struct map_module *module, struct map_kernel *kernel)
{
    printf("kernel %s\n source %s\n coordinates", kernel->name, module->source);
    for (size_t i = 0; i < kernel->coordinate_count; i++)
        printf(" %s", kernel->coordinates[i]);
    printf("\n split %c\n", kernel->split);
    write_invalid(kernel->invalid);
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (kernel->parameters[i].meaning == MAP_DEFINED)
            printf(" define %s = %s\n", kernel->parameters[i].name,
                   kernel->parameters[i].expression);
    for (size_t i = 0; i < kernel->argument_count; i++)
        write_argument(&kernel->arguments[i], i);
    puts(" end");
}

/* Whether the numbers of a launch may tell more. */
static bool gains_by_numbers(const struct map_kernel *kernel)
{
    bool is_inexact = kernel->refusal != NULL;
    for (size_t i = 0; i < kernel->argument_count; i++)
        is_inexact = is_inexact || kernel->arguments[i].whole;
    return is_inexact && kernel->is_wrapped && kernel->argument_count;
}

static void write_numbers(const struct map_kernel *kernel)
{
    printf("numbers %s ", kernel->name);
    for (size_t i = 0; i < kernel->argument_count; i++)
        putchar(kernel->arguments[i].integer ? 'i' : '-');
    putchar('\n');
}

void map_write_kernel(const struct map_module *module, struct map_kernel *kernel)
{
    if (kernel->refusal)
        printf("refused %s %s\n", kernel->name, kernel->refusal);
    else
        write_accepted(module, kernel);
    if (kernel->touches)
        printf("touches %s %s\n", kernel->name, kernel->touches);
    if (gains_by_numbers(kernel))
        write_numbers(kernel);
}
