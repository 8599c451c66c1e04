#include "tuner_oracle.h"

const char *const tuner_outcome_names[TUNER_OUTCOMES] = {"ok", "invalid", "failed", "hanging"};

const char *const tuner_replay_sweep_ignored[] = {
    "experiment", "variant", "gpu",         "host",       "rank",     "ranks",  "gpus",   "rep",
    "size",       "outcome", "rate_gflops", "time_min_s", "spread_s", "errors", "status", NULL};
