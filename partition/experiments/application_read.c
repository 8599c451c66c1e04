#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "application_sweep.h"

/* Reads `:NUMBER` at *at and moves on; `otherwise` if there is nothing. */
static int64_t read_number(const char **at, int64_t otherwise, const char *word)
{
    char *end;
    if (!**at)
        return otherwise;
    long long number = **at == ':' ? strtoll(*at + 1, &end, 10) : 0;
    if (number < 1 || number > INT_MAX)
        fail("--apps %s is not name[:n[:iterations]] with whole numbers from 1 on", word);
    *at = end;
    return number;
}

static const struct application *find_application(const char *word, size_t length)
{
    const char *names[APPLICATIONS_MAX + 1] = {NULL};
    for (int i = 0; applications[i].name; i++)
        names[i] = applications[i].name;
    return &applications[option_find_name("application", names, word, (int)length)];
}

struct application_work application_read_work(const char *word)
{
    size_t length = strcspn(word, ":");
    const struct application *application = find_application(word, length);
    const char *at = word + length;
    struct application_work work = {.application = application};
    work.input.n = read_number(&at, application->default_n, word);
    work.input.iterations = read_number(&at, application->default_iterations, word);
    if (*at)
        fail("--apps %s is not name[:n[:iterations]]", word);
    return work;
}

void application_read_block(const char *word, int block[3])
{
    int end = 0;
    memset(block, 0, 3 * sizeof *block);
    if (strcmp(word, "default") == 0)
        return;
    block[1] = block[2] = 1;
    int found =
        sscanf(word, "%9d%nx%9d%nx%9d%n", &block[0], &end, &block[1], &end, &block[2], &end);
    if (found < 1 || word[end] || block[0] < 1 || block[1] < 1 || block[2] < 1)
        fail("--blocks %s is not default or threads such as 32x8", word);
}
