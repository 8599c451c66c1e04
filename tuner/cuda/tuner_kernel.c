/* tuner-kernel: measures kernels for the tuner (server.h). */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "energy.h"
#include "server.h"

static struct server server;

/* The next word of a line; empty at its end. */
static char *take_word(char **rest)
{
    char *word = *rest;
    size_t length = strcspn(word, " ");

    *rest = word + length + (word[length] == ' ');
    word[length] = 0;
    return word;
}

static enum dm_status take_number(char **rest, uint64_t *number)
{
    const char *word = take_word(rest);
    char *end;

    errno = 0;
    *number = strtoull(word, &end, 10);
    if (end == word || *end || *word == '-' || errno)
        return dm_fail(DM_INVALID, "'%.40s' is not a whole number", word);
    return DM_OK;
}

/* ---- the setup ---- */

static enum dm_status read_settings(char *rest)
{
    uint64_t runs, flush, energy;

    TRY(take_number(&rest, &runs));
    TRY(take_number(&rest, &server.seed));
    server.tolerance = strtod(take_word(&rest), NULL);
    TRY(take_number(&rest, &flush));
    TRY(take_number(&rest, &energy));
    if (runs < 1 || runs > 1000000)
        return dm_fail(DM_INVALID, "runs must be from 1 to 1000000");
    server.runs = (int)runs;
    server.flush = flush;
    server.energy = energy;
    return DM_OK;
}

static enum dm_status add_argument(char **rest, struct server_argument **argument)
{
    const char *name = take_word(rest);

    if (server.argument_count == SERVER_ARGUMENTS_MAX)
        return dm_fail(DM_INVALID, "a kernel has at most %d arguments", SERVER_ARGUMENTS_MAX);
    *argument = &server.arguments[server.argument_count++];
    (*argument)->element = element_of(name, strlen(name));
    return (*argument)->element ? DM_OK : dm_fail(DM_INVALID, "unknown type '%.40s'", name);
}

static enum dm_status copy_path(char **to, const char *path)
{
    *to = strdup(path);
    return *to ? DM_OK : error_no_memory(strlen(path));
}

static enum dm_status read_array(char *rest)
{
    struct server_argument *argument = NULL;
    uint64_t count;

    TRY(add_argument(&rest, &argument));
    TRY(take_number(&rest, &count));
    if (count < 1 || count > (uint64_t)1 << 40)
        return dm_fail(DM_INVALID, "an array needs from 1 to 2^40 elements");
    argument->count = count;
    argument->checked = strcmp(take_word(&rest), "in") != 0;
    const char *word = take_word(&rest);
    int kind = 0;
    while (kind < CONTENTS_KINDS && strcmp(contents_names[kind], word) != 0)
        kind++;
    if (kind == CONTENTS_KINDS)
        return dm_fail(DM_INVALID, "unknown contents '%.40s'", word);
    argument->contents = (enum contents)kind;
    return copy_path(&argument->path, rest);
}

static enum dm_status read_against(char *rest)
{
    if (server.argument_count == 0)
        return dm_fail(DM_INVALID, "a reference belongs to an array");
    return copy_path(&server.arguments[server.argument_count - 1].against, rest);
}

static enum dm_status read_scalar(char *rest)
{
    struct server_argument *argument = NULL;

    TRY(add_argument(&rest, &argument));
    argument->scalar = true;
    return DM_OK;
}

static enum dm_status begin(char *rest)
{
    int major = 0, minor = 0;
    char name[128] = "", pci[32] = "";

    (void)rest;
    TRY(server_begin(&server));
    TRY_DRIVER(
        cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, server.device));
    TRY_DRIVER(
        cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, server.device));
    TRY_DRIVER(cuDeviceGetName(name, sizeof name, server.device));
    if (server.energy) {
        TRY_DRIVER(cuDeviceGetPCIBusId(pci, sizeof pci, server.device));
        server.energy = energy_open(pci);
    }
    printf("ready %d%d %s\n", major, minor, name);
    return DM_OK;
}

/* ---- runs ---- */

static enum dm_status take_shape(char **rest, unsigned shape[3])
{
    for (int i = 0; i < 3; i++) {
        uint64_t number;
        TRY(take_number(rest, &number));
        shape[i] = number <= UINT_MAX ? (unsigned)number : 0; /* 0 is refused at launch */
    }
    return DM_OK;
}

static enum dm_status take_values(char **rest, struct launch *launch)
{
    for (size_t i = 0; i < server.argument_count; i++) {
        struct server_argument *argument = &server.arguments[i];
        launch->parameters[i] = argument->scalar ? (void *)&argument->value : &argument->device;
        if (argument->scalar && !element_read(argument->element, take_word(rest), &argument->value))
            return dm_fail(DM_INVALID, "argument %zu: its value is no %s", i + 1,
                           argument->element->name);
    }
    return DM_OK;
}

static enum dm_status run(char *rest)
{
    struct launch launch;
    uint64_t shared;
    const char *image = take_word(&rest), *name = take_word(&rest);

    TRY(take_shape(&rest, launch.grid));
    TRY(take_shape(&rest, launch.block));
    TRY(take_number(&rest, &shared));
    launch.shared = shared <= INT_MAX ? (unsigned)shared : INT_MAX;
    TRY(take_values(&rest, &launch));
    enum dm_status status = server_run(&server, image, name, &launch);
    if (status != DM_OK)
        printf("crash %s\n", dm_message());
    return status;
}

static const struct {
    const char *word;
    enum dm_status (*read)(char *rest);
} lines[] = {
    {"settings", read_settings}, {"array", read_array}, {"against", read_against},
    {"scalar", read_scalar},     {"begin", begin},      {"run", run},
};

static enum dm_status read_line(char *line)
{
    char *rest = line;
    const char *word = take_word(&rest);

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (strcmp(lines[i].word, word) == 0)
            return lines[i].read(rest);
    return dm_fail(DM_INVALID, "unknown line '%.40s'", word);
}

int main(void)
{
    static char line[SERVER_LINE_BYTES];

    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        bool is_run = strncmp(line, "run ", 4) == 0;
        enum dm_status status = read_line(line);
        if (status != DM_OK && !is_run)
            printf("error %s\n", dm_message());
        fflush(stdout);
        if (status != DM_OK)
            return 1;
    }
    return 0;
}
