/* database_argument.c: the lines between `argument` and the next one. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "database_internal.h"

enum dm_status database_copy(char **target, const char *text)
{
    free(*target);
    *target = strdup(text);
    return *target ? DM_OK : error_no_memory(strlen(text) + 1);
}

static enum dm_status take_reduction(struct database_reader *reader, char *value)
{
    static const char *const kinds[] = {
        [PARTITION_ADD_32] = "add_32",   [PARTITION_ADD_64] = "add_64",
        [PARTITION_AND] = "and",         [PARTITION_OR] = "or",
        [PARTITION_XOR] = "xor",         [PARTITION_MIN_S32] = "min_s32",
        [PARTITION_MIN_U32] = "min_u32", [PARTITION_MIN_S64] = "min_s64",
        [PARTITION_MIN_U64] = "min_u64", [PARTITION_MAX_S32] = "max_s32",
        [PARTITION_MAX_U32] = "max_u32", [PARTITION_MAX_S64] = "max_s64",
        [PARTITION_MAX_U64] = "max_u64", [PARTITION_ADD_F32] = "add_f32",
        [PARTITION_ADD_F64] = "add_f64"};
    for (size_t i = PARTITION_ADD_32; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(value, kinds[i]) == 0) {
            reader->argument->reduction = (enum partition_reduction)i;
            return DM_OK;
        }
    return dm_fail(DM_INVALID, "an atomic operation expected, not %.40s", value);
}

static enum dm_status read_number(const char *text, unsigned largest, unsigned *number)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || value > largest)
        return dm_fail(DM_INVALID, "a number from 0 to %u expected, not %.40s", largest, text);
    *number = (unsigned)value;
    return DM_OK;
}

static enum dm_status take_name(struct database_reader *reader, char *value)
{
    for (size_t i = 0; i + 1 < reader->kernel->argument_count; i++)
        if (strcmp(reader->kernel->arguments[i].name, value) == 0)
            return dm_fail(DM_INVALID, "a second argument %.80s", value);
    return database_copy(&reader->argument->name, value);
}

static enum dm_status take_type(struct database_reader *reader, char *value)
{
    return database_copy(&reader->argument->type, value);
}

static enum dm_status take_bits(struct database_reader *reader, char *value)
{
    enum { STRUCTURE_BITS = 32768 };
    return read_number(value, STRUCTURE_BITS, &reader->argument->bits);
}

static enum dm_status take_element_bits(struct database_reader *reader, char *value)
{
    return read_number(value, 4096, &reader->argument->element_bits);
}

/* STRUCTURE BYTE */
static enum dm_status take_member(struct database_reader *reader, char *value)
{
    enum { BYTE_MAX = 4095 };
    unsigned whole = 0;
    char *byte = strchr(value, ' ');
    size_t own = reader->kernel->argument_count - 1;
    if (!byte || own == 0)
        return dm_fail(DM_INVALID, "member takes an earlier argument and a byte");
    *byte++ = 0;
    TRY(read_number(value, (unsigned)own - 1, &whole));
    TRY(read_number(byte, BYTE_MAX, &reader->argument->offset));
    if (reader->kernel->arguments[whole].whole || reader->kernel->arguments[whole].level)
        return dm_fail(DM_INVALID, "argument %u is no structure", whole);
    reader->argument->whole = whole + 1;
    return DM_OK;
}

static enum dm_status take_dims(struct database_reader *reader, char *value)
{
    return read_number(value, ACCESS_MAX_DIMS, &reader->argument->dims);
}

static enum dm_status take_level(struct database_reader *reader, char *value)
{
    return read_number(value, 8, &reader->argument->level);
}

static enum dm_status take_fundamental(struct database_reader *reader, char *value)
{
    if (strlen(value) != 1 || !strchr("fdih", *value))
        return dm_fail(DM_INVALID, "fundamental is f, d, h or i, not %.40s", value);
    reader->argument->fundamental = *value;
    return DM_OK;
}

static enum dm_status take_size(struct database_reader *reader, char *value)
{
    return access_add_size(reader->database->isl, reader->argument, value);
}

static enum dm_status take_map(struct database_reader *reader, bool write, bool each,
                               const char *value)
{
    return access_add_map(reader->database->isl, reader->kernel->space, reader->argument, write,
                          each, value);
}

static enum dm_status take_read(struct database_reader *reader, char *value)
{
    struct partition_argument *argument = reader->argument;
    argument->reads = true;
    argument->reads_whole =
        strcmp(value, "whole") == 0 || strncmp(value, "whole ", strlen("whole ")) == 0;
    TRY(database_copy(&argument->read, value));
    return argument->reads_whole ? DM_OK : take_map(reader, false, false, value);
}

static enum dm_status take_write(struct database_reader *reader, char *value)
{
    reader->argument->writes = true;
    TRY(database_copy(&reader->argument->write, value));
    return take_map(reader, true, false, value);
}

static enum dm_status take_read_access(struct database_reader *reader, char *value)
{
    return take_map(reader, false, true, value);
}

static enum dm_status take_write_access(struct database_reader *reader, char *value)
{
    return take_map(reader, true, true, value);
}

static enum dm_status take_read_pattern(struct database_reader *reader, char *value)
{
    return database_copy(&reader->argument->read_pattern, strcmp(value, "-") == 0 ? "" : value);
}

static enum dm_status take_write_pattern(struct database_reader *reader, char *value)
{
    return database_copy(&reader->argument->write_pattern, strcmp(value, "-") == 0 ? "" : value);
}

static enum dm_status take_read_domain_dims(struct database_reader *reader, char *value)
{
    return database_copy(&reader->argument->read_domain_dims, value);
}

static enum dm_status take_write_domain_dims(struct database_reader *reader, char *value)
{
    return database_copy(&reader->argument->write_domain_dims, value);
}

static enum dm_status take_may_write(struct database_reader *reader, char *value)
{
    reader->argument->may_write = true;
    return strcmp(value, "yes") == 0 ? DM_OK
                                     : dm_fail(DM_INVALID, "may_write is yes, not %.40s", value);
}

static enum dm_status take_injective(struct database_reader *reader, char *value)
{
    reader->argument->injective = strcmp(value, "yes") == 0;
    if (!reader->argument->injective && strcmp(value, "no") != 0)
        return dm_fail(DM_INVALID, "injective is yes or no, not %.40s", value);
    return DM_OK;
}

static const struct {
    const char *key;
    enum dm_status (*take)(struct database_reader *reader, char *value);
    bool needed, repeated;
} keys[] = {
    {"name", take_name, true, false},
    {"type", take_type, true, false},
    {"bits", take_bits, true, false},
    {"element_bits", take_element_bits, true, false},
    {"fundamental", take_fundamental, true, false},
    {"dims", take_dims, true, false},
    {"level", take_level, true, false},
    {"sizes", take_size, false, true},
    {"read", take_read, false, false},
    {"read_access", take_read_access, false, true},
    {"read_pattern", take_read_pattern, false, false},
    {"write", take_write, false, false},
    {"write_access", take_write_access, false, true},
    {"write_pattern", take_write_pattern, false, false},
    {"injective", take_injective, false, false},
    {"may_write", take_may_write, false, false},
    {"read_domain_dims", take_read_domain_dims, false, false},
    {"write_domain_dims", take_write_domain_dims, false, false},
    {"reduces", take_reduction, false, false},
    {"member", take_member, false, false},
};
enum { KEYS = sizeof keys / sizeof *keys };

enum dm_status database_argument_key(struct database_reader *reader, const char *key, char *value,
                                     bool *known)
{
    for (unsigned i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].key, key) != 0)
            continue;
        *known = true;
        if (!keys[i].repeated && (reader->argument_keys & (1u << i)))
            return dm_fail(DM_INVALID, "a second %s of one argument", key);
        reader->argument_keys |= 1u << i;
        return keys[i].take(reader, value);
    }
    *known = false;
    return DM_OK;
}

/* ---- a whole argument ---- */

static enum dm_status check_access(struct database_reader *reader, bool write, bool has_map)
{
    const struct partition_argument *argument = reader->argument;
    size_t count = argument->maps ? argument->maps->of[write].count : 0;
    const char *kind = write ? "write" : "read";
    if (has_map != (count > 0))
        return dm_fail(DM_INVALID, "argument %.80s has %s without %s", argument->name,
                       has_map ? kind : "single accesses", has_map ? "its single accesses" : kind);
    return DM_OK;
}

/* One number for each single access, none below that of the coordinates. */
static enum dm_status check_domain_dims(struct database_reader *reader, bool write)
{
    const struct partition_argument *argument = reader->argument;
    const char *text = write ? argument->write_domain_dims : argument->read_domain_dims;
    size_t accesses = argument->maps ? argument->maps->of[write].count : 0, numbers = 0;
    const char *at = text;
    while (at) {
        char *end;
        unsigned long dims = strtoul(at, &end, 10);
        if (!isdigit((unsigned char)*at) || (*end && *end != ',') ||
            dims < reader->kernel->space->coordinate_count)
            return dm_fail(DM_INVALID, "argument %.80s: iteration spaces of %.40s dimensions",
                           argument->name, text);
        numbers++;
        at = *end ? end + 1 : NULL;
    }
    if (text && numbers != accesses)
        return dm_fail(DM_INVALID, "argument %.80s has %zu accesses and %zu iteration spaces",
                       argument->name, accesses, numbers);
    return DM_OK;
}

static enum dm_status check_sizes(struct database_reader *reader)
{
    const struct partition_argument *argument = reader->argument;
    size_t count = argument->maps ? argument->maps->size_count : 0;
    bool has_maps = argument->writes || (argument->reads && !argument->reads_whole);
    if (has_maps && count + 1 != argument->dims)
        return dm_fail(DM_INVALID, "argument %.80s has %u dimensions and %zu sizes", argument->name,
                       argument->dims, count);
    return DM_OK;
}

static enum dm_status or_empty(char **text)
{
    return *text ? DM_OK : database_copy(text, "");
}

static enum dm_status check_accesses(struct database_reader *reader)
{
    const struct partition_argument *argument = reader->argument;
    TRY(check_access(reader, false, argument->reads && !argument->reads_whole));
    TRY(check_access(reader, true, argument->writes));
    TRY(check_sizes(reader));
    TRY(check_domain_dims(reader, false));
    return check_domain_dims(reader, true);
}

enum dm_status database_end_argument(struct database_reader *reader)
{
    struct partition_argument *argument = reader->argument;
    if (!argument)
        return DM_OK;
    for (unsigned i = 0; i < KEYS; i++)
        if (keys[i].needed && !(reader->argument_keys & (1u << i)))
            return dm_fail(DM_INVALID, "the argument before has no %s", keys[i].key);
    if (argument->level == 0 && (argument->reads || argument->writes || argument->dims > 0))
        return dm_fail(DM_INVALID, "argument %.80s is no pointer, yet it has elements",
                       argument->name);
    if ((argument->reads || argument->writes) && argument->element_bits % 8 != 0)
        return dm_fail(DM_INVALID, "elements of %u bits are not whole bytes",
                       argument->element_bits);
    if ((argument->reads || argument->writes) && argument->element_bits == 0)
        return dm_fail(DM_INVALID, "argument %.80s has elements of no size", argument->name);
    bool follows_member = reader->kernel->argument_count > 1 && argument[-1].whole;
    if (argument->whole ? argument->bits > 64 : follows_member)
        return dm_fail(DM_INVALID, "argument %.80s is no member, or not behind the others",
                       argument->name);
    if (argument->reduction && (argument->level == 0 || argument->reads || argument->writes))
        return dm_fail(DM_INVALID, "argument %.80s is reduced, and something else", argument->name);
    TRY(check_accesses(reader));
    TRY(or_empty(&argument->read_pattern));
    TRY(or_empty(&argument->write_pattern));
    TRY(or_empty(&argument->read_domain_dims));
    TRY(or_empty(&argument->write_domain_dims));
    reader->argument = NULL;
    return DM_OK;
}
