#include "pricing_progress.h"

#include <stddef.h>

#include "tasks_progress.h"

const char *const pricing_progress_names[] = {
    [PRICING_MANUAL] = "manual", [PRICING_THREAD] = "thread", [PRICING_NONE] = "none", NULL};

static enum pricing_progress current = PRICING_NONE;

void pricing_progress_start(enum pricing_progress progress)
{
    current = progress;
    if (progress == PRICING_THREAD)
        tasks_progress_start(TASKS_THREAD);
}

void pricing_progress_stop(void)
{
    if (current == PRICING_THREAD)
        tasks_progress_stop(TASKS_THREAD);
    current = PRICING_NONE;
}

void pricing_progress_now(void)
{
    if (current == PRICING_MANUAL)
        tasks_progress_probe();
}
