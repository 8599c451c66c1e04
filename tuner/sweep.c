#include "sweep.h"

#include "common/harness/exit.h"

const char *const sweep_ignored[] = {
    "experiment", "variant", "gpu",         "host",       "rank",     "ranks",  "gpus",   "rep",
    "size",       "outcome", "rate_gflops", "time_min_s", "spread_s", "errors", "status", NULL};

struct tuner_replay *sweep_load(const char *path, const char *kernel)
{
    struct tuner_replay *replay;

    check_status(tuner_replay_load(&replay, path, sweep_ignored, "variant", kernel));
    return replay;
}
