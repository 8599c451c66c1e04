#include "pricing_progress.h"

#include <stddef.h>

#include "tasks_progress.h"

const char *const pricing_progress_names[] = {
    [PRICING_MANUAL] = "manual", [PRICING_THREAD] = "thread", [PRICING_NONE] = "none", NULL};

static enum pricing_progress current = PRICING_NONE;

enum dm_status pricing_progress_start(enum pricing_progress progress)
{
    current = progress;
    return progress == PRICING_THREAD ? tasks_progress_start(TASKS_THREAD) : DM_OK;
}

enum dm_status pricing_progress_stop(void)
{
    enum pricing_progress progress = current;
    current = PRICING_NONE;
    return progress == PRICING_THREAD ? tasks_progress_stop(TASKS_THREAD) : DM_OK;
}

enum dm_status pricing_progress_now(void)
{
    return current == PRICING_MANUAL ? tasks_progress_probe() : DM_OK;
}
