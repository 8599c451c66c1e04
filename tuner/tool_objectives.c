#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "tool.h"

static const char time_name[] = "time";

/* ---- names ---- */

static bool is_name(const char *text)
{
    size_t length = 0;

    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length > 0 && !text[length] && length < TUNER_NAME_BYTES;
}

void tool_objective_add(struct tool_objectives *objectives, const char *name)
{
    char *prefix;
    size_t further = objectives->count - 1;

    if (!is_name(name))
        fail("--objective %s is no name of letters, digits and _", name);
    if (strcmp(name, time_name) == 0) /* it always is one */
        return;
    for (size_t i = 0; i < further; i++)
        if (strcmp(name, objectives->further[i]) == 0)
            fail("--objective %s is given twice", name);
    if (further == TUNER_FURTHER_MAX)
        fail("--objective %s: there are more than %d beside the time", name, TUNER_FURTHER_MAX);
    check_errno(asprintf(&prefix, "%s:", name) >= 0); /* as long as the program */
    objectives->further[further] = name;
    objectives->prefixes[further] = prefix;
    objectives->count++;
}

const char *tool_objective_name(const struct tool_objectives *objectives, size_t which)
{
    return which == 0 ? time_name : objectives->further[which - 1];
}

double tool_objective_value(const struct tuner_trial *trial, size_t which)
{
    return which == 0 ? trial->time_s : trial->further[which - 1];
}

/* ---- what is minimised ---- */

size_t tool_rounds(const struct tool_objectives *objectives)
{
    return objectives->count > 1 ? objectives->count + 1 : 1;
}

double tool_round_value(const struct tool_objectives *objectives, const struct tuner_trial *trial,
                        size_t round)
{
    double logarithms = 0.0;

    if (round < objectives->count)
        return tool_objective_value(trial, round);
    for (size_t i = 0; i < objectives->count; i++)
        logarithms += log(tool_objective_value(trial, i));
    return exp(logarithms / (double)objectives->count);
}

/* ---- the front ---- */

static int compare_points(const void *a, const void *b)
{
    const struct tuner_trial *left = &((const struct tool_point *)a)->trial;
    const struct tuner_trial *right = &((const struct tool_point *)b)->trial;

    for (size_t i = 0; i <= TUNER_FURTHER_MAX; i++) {
        double x = tool_objective_value(left, i), y = tool_objective_value(right, i);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* As good in all objectives, and better in one. */
static bool beats(const struct tool_objectives *objectives, const struct tuner_trial *one,
                  const struct tuner_trial *other)
{
    bool better = false;

    for (size_t i = 0; i < objectives->count; i++) {
        double x = tool_objective_value(one, i), y = tool_objective_value(other, i);
        if (x > y)
            return false;
        better = better || x < y;
    }
    return better;
}

void tool_front(const struct tool_objectives *objectives, struct tool_point *points, size_t count)
{
    qsort(points, count, sizeof *points, compare_points);
    for (size_t i = 0; i < count; i++) {
        points[i].best = true;
        /* Whatever beats it comes before it, and if that is beaten, so does what beats that. */
        for (size_t j = 0; j < i && points[i].best; j++)
            points[i].best =
                !points[j].best || !beats(objectives, &points[j].trial, &points[i].trial);
    }
}
