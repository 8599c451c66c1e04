/* partition_map_scop.c: Polly's scops, as partition-wrap writes them (partition_wrap_scops.h). */
#include <string.h>

#include "partition_map.h"

struct reader {
    struct map_module *module;
    const char *path;
    struct map_kernel *kernel;
    isl_set *domain; /* of the statement */
};

static const char *text_of(const struct reader *reader, const json_t *of, const char *key)
{
    const char *text = json_string_value(json_object_get(of, key));
    if (!text)
        map_fail("%s: a scop, or a part of one, has no text \"%s\"", reader->path, key);
    return text;
}

static const json_t *list_of(const struct reader *reader, const json_t *of, const char *key)
{
    const json_t *list = json_object_get(of, key);
    if (!json_is_array(list))
        map_fail("%s: a scop, or a part of one, has no list \"%s\"", reader->path, key);
    return list;
}

static isl_set *set_of(const struct reader *reader, const json_t *of, const char *key)
{
    isl_set *set = isl_set_read_from_str(reader->module->isl, text_of(reader, of, key));
    if (!set)
        map_fail("%s: kernel %s: \"%s\" is no set", reader->path, reader->kernel->name, key);
    return set;
}

static void read_parameter(struct reader *reader, const json_t *of)
{
    struct map_kernel *kernel = reader->kernel;
    const char *name = text_of(reader, of, "name"), *text = text_of(reader, of, "text");
    struct map_parameter parameter = {.name = map_copy(name, strlen(name)),
                                      .expression = map_copy(text, strlen(text))};
    map_classify_parameter(kernel, reader->module->isl, &parameter, json_object_get(of, "value"));
    kernel->parameters = map_grow(kernel->parameters, kernel->parameter_count, sizeof parameter);
    kernel->parameters[kernel->parameter_count++] = parameter;
}

static char fundamental_of(const char *type)
{
    return strcmp(type, "float") == 0    ? 'f'
           : strcmp(type, "double") == 0 ? 'd'
           : strcmp(type, "half") == 0   ? 'h'
                                         : 'i';
}

/* Arrays whose outermost dimension has a size are the thread's own. */
static void read_array(struct reader *reader, const json_t *of)
{
    static const char prefix[] = "MemRef_";
    const char *name = text_of(reader, of, "name");
    struct map_argument *argument =
        map_starts(name, prefix) ? map_find_argument(reader->kernel, name + strlen(prefix)) : NULL;
    if (!argument || !json_object_get(of, "sizes"))
        return;
    const json_t *sizes = list_of(reader, of, "sizes");
    for (size_t i = 0; i < json_array_size(sizes); i++) {
        const char *size = json_string_value(json_array_get(sizes, i));
        if (!size)
            map_fail("%s: a size of %s is no text", reader->path, name);
        argument->sizes = map_grow(argument->sizes, argument->size_count, sizeof *argument->sizes);
        argument->sizes[argument->size_count++] = map_copy(size, strlen(size));
    }
    json_int_t bytes = json_integer_value(json_object_get(of, "bytes"));
    if (bytes <= 0 || bytes > 4096)
        map_fail("%s: the elements of %s have no size", reader->path, name);
    argument->element_bits = 8 * (unsigned)bytes;
    argument->fundamental = fundamental_of(text_of(reader, of, "element"));
}

static void read_access(struct reader *reader, const json_t *of)
{
    static const char *const kinds[] = {
        [MAP_READ] = "read", [MAP_MUST_WRITE] = "must_write", [MAP_MAY_WRITE] = "may_write"};
    const char *word = text_of(reader, of, "kind");
    size_t kind = 0;
    while (kind < sizeof kinds / sizeof *kinds && strcmp(kinds[kind], word) != 0)
        kind++;
    isl_map *relation = isl_map_read_from_str(reader->module->isl, text_of(reader, of, "relation"));
    if (!relation || kind == sizeof kinds / sizeof *kinds)
        map_fail("%s: kernel %s has an access that is none", reader->path, reader->kernel->name);
    map_add_access(reader->kernel, (enum map_access_kind)kind, relation, reader->domain);
}

static void read_statement(struct reader *reader, const json_t *of)
{
    reader->domain = set_of(reader, of, "domain");
    const json_t *accesses = list_of(reader, of, "accesses");
    for (size_t i = 0; i < json_array_size(accesses); i++)
        read_access(reader, json_array_get(accesses, i));
    isl_set_free(reader->domain);
}

static void read_each(struct reader *reader, const json_t *scop, const char *key,
                      void (*read)(struct reader *reader, const json_t *of))
{
    const json_t *list = list_of(reader, scop, key);
    for (size_t i = 0; i < json_array_size(list); i++)
        read(reader, json_array_get(list, i));
}

/* That block is partition-wrap's own, behind the loops over the grid. What leads to it alone holds
 * all that is in these loops: what is not listed is not executed. */
static bool is_seen_whole(const struct reader *reader, const json_t *scop)
{
    return reader->kernel->coordinate_count > 0 &&
           strcmp(text_of(reader, scop, "exit"), "launch.end") == 0;
}

static void read_scop(struct reader *reader, const json_t *scop)
{
    const char *name = text_of(reader, scop, "function");
    struct map_kernel *kernel = map_find_kernel(reader->module, name, strlen(name));
    if (!kernel)
        return;
    if (kernel->scops++) {
        map_refuse(kernel,
                   "Polly sees more than one part in it: some control flow depends on data");
        return;
    }
    reader->kernel = kernel;
    kernel->is_seen_whole = is_seen_whole(reader, scop);
    map_add_invalid(kernel, isl_set_complement(set_of(reader, scop, "assumed")));
    map_add_invalid(kernel, set_of(reader, scop, "invalid"));
    read_each(reader, scop, "parameters", read_parameter);
    read_each(reader, scop, "arrays", read_array);
    read_each(reader, scop, "statements", read_statement);
}

/* Documents may follow one another: kernels of which each was described by itself. */
void map_read_scops(struct map_module *module, const char *path)
{
    json_error_t error;
    struct reader reader = {.module = module, .path = path};
    const char *text = map_read_file(path);
    do {
        json_t *root = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &error);
        if (!root)
            map_fail("%s, line %d: %s", path, error.line, error.text);
        read_each(&reader, root, "scops", read_scop);
        json_decref(root);
        text += error.position;
        text += strspn(text, " \n");
    } while (*text);
    for (size_t i = 0; i < module->kernel_count; i++)
        map_finish_kernel(&module->kernels[i], module->isl);
}
