/* prefetch_servers: run time and waits of three programs by the number of servers (Peshne
 * 2018, 6.2.5). */
#include <stdlib.h>

#include "common/harness/program.h"

#include "benchmark.h"
#include "sip_options.h"

static const struct variant variants[] = {
    {"prefetch", "each get requests also the blocks of the next iterations"},
    {"no-prefetch", "each get requests its own block"},
    {0},
};

static const struct column columns[] = {
    BENCHMARK_NETWORK_COLUMN,
    {"transport", COLUMN_PARAMETER, "messages, or window (one-sided)"},
    {"program", COLUMN_PARAMETER, "SIAL program"},
    {"workers", COLUMN_PARAMETER, "ranks that compute"},
    {"servers", COLUMN_PARAMETER, "ranks that store blocks; further ranks are idle"},
    {"prefetch_blocks", COLUMN_PARAMETER, "blocks that each get is ahead"},
    {"runtime_s", COLUMN_METRIC, "time of the program: the largest of all workers"},
    {"wait_s", COLUMN_METRIC, "wait for blocks and at barriers: mean of the workers"},
    {"block_wait_s", COLUMN_METRIC, "of this, for blocks"},
    {"barrier_wait_s", COLUMN_METRIC, "of this, at barriers"},
    {"hit_ratio", COLUMN_METRIC, "accesses that did not block / all accesses: mean of the workers"},
    {0},
};

static const char *programs = "scf_like:norb=6:cycles=2:work_s=0.003,"
                              "transform_like:nao=6:nmo=2:ng=3:work_s=0.0005,"
                              "ccsd_like:nvirt=4:nocc=1:cycles=1:work_s=0.0005",
                  *server_counts = "1..4";
static int64_t workers = 3, ahead = 4;
static const struct program_option options[] = {
    {"programs", OPTION_TEXT, &programs, "LIST",
     "SIAL programs with their predefined values, NAME:VALUE=NUMBER:...,NAME:...", 0, 0},
    {"workers", OPTION_INTEGER, &workers, "N", "ranks that compute", 1, 1 << 20},
    {"servers", OPTION_TEXT, &server_counts, "LIST",
     "numbers of servers, such as 1..4; workers and the most servers are the ranks that are needed",
     0, 0},
    {"prefetch", OPTION_INTEGER, &ahead, "K", "blocks ahead of variant prefetch", 1, 1 << 20},
    SIP_SEGMENT_OPTION,
    SIP_RUN_OPTIONS,
    {0},
};

struct sample {
    double runtime_s, block_wait_s, barrier_wait_s, hit_ratio;
};

/* One program with one number of servers and one variant: a subject of measure(). */
struct job {
    const struct benchmark_program *program;
    struct sip_config config;
    struct benchmark_samples samples;
};

static struct sample summarise(const struct sip_counters *counters, int count)
{
    struct sample sample = {0};
    for (int i = 0; i < count; i++) {
        const struct sip_counters *c = &counters[i];
        sample.runtime_s = c->run_s > sample.runtime_s ? c->run_s : sample.runtime_s;
        sample.block_wait_s += c->block_wait_s / count;
        sample.barrier_wait_s += c->barrier_wait_s / count;
        sample.hit_ratio += c->accesses ? (double)c->hits / (double)c->accesses / count : 0.0;
    }
    return sample;
}

static double run_once(void *context)
{
    struct job *job = context;
    struct sip_result result = sip_run_or_fail(job->program->code, &job->config);
    struct sip_counters *counters = sip_gather_workers(&result);
    struct sample *sample = benchmark_add_sample(&job->samples);
    if (ranks.rank == 0)
        *sample = summarise(counters, job->config.workers);
    free(counters);
    sip_result_free(&result);
    return sample->runtime_s;
}

static void record(struct run *run, const struct job *job, const struct subject *subject)
{
    for (size_t i = 0; i < subject->count; i++) {
        const struct sample *sample = benchmark_sample(&job->samples, subject, i);
        struct value values[] = {
            text(benchmark_network()),    text(sip_transport_name(job->config.transport)),
            text(job->program->name),     integer(job->config.workers),
            integer(job->config.servers), integer(job->config.prefetch),
            real(sample->runtime_s),      real(sample->block_wait_s + sample->barrier_wait_s),
            real(sample->block_wait_s),   real(sample->barrier_wait_s),
            real(sample->hit_ratio),
        };
        record_values(run, subject->variant, (int)i, values, subject->times_s[i], 0);
    }
}

static void measure_job(struct run *run, const struct benchmark_program *program,
                        const struct sip_config *config)
{
    struct job jobs[2];
    struct subject subjects[2];
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        if (!program_wants(run, variants[i].name))
            continue;
        jobs[count] = (struct job){
            .program = program, .config = *config, .samples.item_bytes = sizeof(struct sample)};
        jobs[count].config.prefetch = i == 0 ? (int)ahead : 0;
        subjects[count] = (struct subject){
            .variant = variants[i].name, .sample = run_once, .context = &jobs[count]};
        count++;
    }
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++) {
        record(run, &jobs[i], &subjects[i]);
        free(jobs[i].samples.items);
    }
    measure_free(subjects, count);
}

static void run_all(struct run *run)
{
    struct benchmark_numbers servers = benchmark_read_numbers("servers", server_counts, 1, 1 << 20);
    struct benchmark_program program;
    struct sip_config config = sip_options_config(run);
    config.workers = (int)workers;
    for (size_t i = 0; i < servers.count; i++)
        if (workers + servers.values[i] > ranks.count)
            benchmark_refuse(
                "%d workers and %d servers need %d ranks, and there are %d: mpirun -np %d",
                (int)workers, (int)servers.values[i], (int)(workers + servers.values[i]),
                ranks.count, (int)(workers + servers.values[i]));
    for (const char *at = programs; benchmark_next_program(&at, &program);) {
        for (size_t i = 0; i < servers.count; i++) {
            config.servers = (int)servers.values[i];
            measure_job(run, &program, &config);
        }
        benchmark_free_program(&program);
    }
    free(servers.values);
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    sip_options.segment = "ao=24,mo=8,la=8";
}

const struct program program = {
    .name = "prefetch_servers",
    .summary = "measures run time and waits of SIAL programs by the number of servers",
    .details =
        "The programs stand in for those of a biphenyl job and compute by sleeping, so that\n"
        "workers and servers that share cores do not slow one another down. Each checks its\n"
        "own results; a wrong one ends the job. time_s is runtime_s.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .start_ranks = ranks_start,
    .start = start_program,
    .run = run_all,
};
