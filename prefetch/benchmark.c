#include "benchmark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"

#include "sip_options.h"

/* A blank and a variable of the environment, if it is set. */
static void append_variable(char *text, size_t bytes, const char *name)
{
    const char *value = getenv(name);
    size_t length = strlen(text);
    if (value && *value)
        snprintf(text + length, bytes - length, " %s", value);
}

const char *benchmark_network(void)
{
    static char text[96];
    const char *cluster = getenv("DATAMOTION_CLUSTER");
    if (ranks.local_count == ranks.count)
        return "shared memory";
    if (!cluster || !*cluster)
        return "network";
    snprintf(text, sizeof text, "cluster");
    append_variable(text, sizeof text, "DATAMOTION_CLUSTER_RATE");
    append_variable(text, sizeof text, "DATAMOTION_CLUSTER_DELAY");
    return text;
}

struct benchmark_program benchmark_compile(const char *entry)
{
    char *name = strdup(entry);
    check_errno(name != NULL);
    char *set = strchr(name, ':');
    if (set)
        *set++ = '\0';
    for (char *colon = set; colon && (colon = strchr(colon, ':'));)
        *colon = ',';
    return (struct benchmark_program){name, sip_compile(name, set)};
}

void benchmark_free_program(struct benchmark_program *program)
{
    free(program->name);
    prefetch_free(program->code);
}
