/* One run of a program: the part of this rank. */
#include <stdlib.h>
#include <strings.h>
#include <time.h>

#include <datamotion/prefetch.h>

#include "common/clock.h"
#include "common/error.h"
#include "prefetch/sip/get.h"
#include "prefetch/sip/interpreter.h"
#include "prefetch/sip/setup.h"

static const size_t default_server_memory = (size_t)1 << 30;

/* What this rank is doing, for whoever wants to know. */
static void show(const struct prefetch_config *config, const char *activity)
{
    if (config->activity)
        *config->activity = activity;
}

/* ---- the transport ---- */

static struct transport_array *list_arrays(const struct prefetch_program *program,
                                           const struct prefetch_config *config)
{
    int segments[SIAL_INDEX_KINDS];
    setup_segments(program, config, segments);
    struct transport_array *arrays = calloc((size_t)program->array_count + 1, sizeof *arrays);
    for (int i = 0; arrays && i < program->array_count; i++) {
        const struct sial_array *array = &program->arrays[i];
        arrays[i].name = array->name;
        arrays[i].elements = sial_block_elements(program, i, segments, NULL);
        arrays[i].blocks = sial_block_count(program, i);
        arrays[i].served = array->kind == SIAL_SERVED;
        arrays[i].remote = array->kind == SIAL_DISTRIBUTED || array->kind == SIAL_SERVED;
    }
    return arrays;
}

static struct transport_config transport_config(const struct prefetch_config *config, MPI_Comm job,
                                                const struct transport_array *arrays, int count)
{
    return (struct transport_config){
        .job = job,
        .workers = config->workers,
        .servers = config->servers,
        .kind = config->transport == PREFETCH_WINDOW ? TRANSPORT_WINDOW : TRANSPORT_MESSAGES,
        .arrays = arrays,
        .array_count = count,
        .server_memory_bytes =
            config->server_memory_bytes ? config->server_memory_bytes : default_server_memory,
        .spill_directory = config->spill_directory,
        .spill_limit_bytes = config->spill_limit_bytes,
        .wait_limit_s = config->wait_limit_s};
}

/* ---- one worker ---- */

static void collect(struct worker *worker)
{
    struct prefetch_counters *counters = worker->counters;
    struct pinning_cache_statistics cache;
    struct transport_counters blocks;
    pinning_cache_statistics(worker->memory.cache, &cache);
    transport_counters(worker->transport, &blocks);
    counters->run_s = worker_now(worker);
    counters->cache_hits = cache.hits;
    counters->cache_misses = cache.misses;
    counters->copies = memory_copies(&worker->memory);
    counters->window_gets = blocks.window_gets;
    counters->message_gets = blocks.message_gets;
    counters->puts = blocks.puts;
    counters->received_bytes = blocks.bytes_received;
    counters->sent_bytes = blocks.bytes_sent;
}

/* All workers leave a barrier; then the clock is zero. */
static enum dm_status start_together(struct worker *worker)
{
    struct put_report report;
    show(worker->config, "the common start of all workers");
    enum dm_status status = transport_barrier(worker->transport, &report);
    if (status != DM_OK)
        return error_within(status, "%s", setup_file(worker->program));
    worker->start_s = clock_now_s();
    return DM_OK;
}

/* Until everything that is under way has ended. */
static enum dm_status end_program(struct worker *worker)
{
    TRY(get_forget_all(worker, -1));
    TRY(interpreter_drain(worker));
    collect(worker);
    show(worker->config, "the end of the program");
    enum dm_status status = transport_close(worker->transport);
    return status == DM_OK ? DM_OK : error_within(status, "%s", setup_file(worker->program));
}

/* After an error nothing is given back: blocks may still arrive in this memory until the job ends.
 */
static enum dm_status run_worker(const struct prefetch_program *program,
                                 const struct prefetch_config *config,
                                 const struct transport_config *transport,
                                 struct prefetch_result *result)
{
    struct worker *worker = malloc(sizeof *worker);
    if (!worker)
        return error_no_memory(sizeof *worker);
    enum dm_status status = worker_open(worker, program, config, result);
    if (status != DM_OK) {
        worker_close(worker);
        free(worker);
        return error_within(status, "%s: worker %d cannot start", setup_file(program),
                            result->worker);
    }
    status = transport_open(&worker->transport, transport);
    if (status != DM_OK)
        return error_within(status, "%s", setup_file(program));
    TRY(start_together(worker));
    TRY(interpreter_run(worker));
    TRY(end_program(worker));
    worker_close(worker);
    free(worker);
    return DM_OK;
}

/* ---- one rank ---- */

static enum dm_status run_server(const struct prefetch_program *program,
                                 const struct transport_config *transport,
                                 struct prefetch_result *result)
{
    enum dm_status status = server_run(transport, &result->server);
    return status == DM_OK ? DM_OK : error_within(status, "%s: a server", setup_file(program));
}

/* Ranks without work leave the cores to the others. */
static enum dm_status wait_for_all(MPI_Comm world)
{
    const struct timespec nap = {0, 200000};
    MPI_Request request;
    int done = 0;
    TRY_MPI(MPI_Ibarrier(world, &request));
    for (;;) {
        TRY_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        if (done)
            return DM_OK;
        nanosleep(&nap, NULL);
    }
}

static enum dm_status run_in_job(const struct prefetch_program *program,
                                 const struct prefetch_config *config, MPI_Comm job,
                                 struct prefetch_result *result)
{
    struct transport_array *arrays = list_arrays(program, config);
    if (!arrays)
        return error_no_memory(((size_t)program->array_count + 1) * sizeof *arrays);
    struct transport_config transport = transport_config(config, job, arrays, program->array_count);
    if (result->is_server)
        show(config, "a server, which waits for requests");
    enum dm_status status = result->is_worker ? run_worker(program, config, &transport, result)
                                              : run_server(program, &transport, result);
    if (status == DM_OK)
        free(arrays);
    return status;
}

enum dm_status prefetch_run(const struct prefetch_program *program,
                            const struct prefetch_config *given, struct prefetch_result *result)
{
    struct prefetch_config config = *given;
    int rank, ranks;
    MPI_Comm job;
    *result = (struct prefetch_result){.worker = -1};
    TRY_MPI(MPI_Comm_rank(config.world, &rank));
    TRY_MPI(MPI_Comm_size(config.world, &ranks));
    TRY(setup_complete(&config, ranks));
    TRY(setup_check(program, &config));
    result->is_worker = rank < config.workers;
    result->worker = result->is_worker ? rank : -1;
    result->is_server = !result->is_worker && rank < config.workers + config.servers;
    bool in_job = result->is_worker || result->is_server;
    TRY_MPI(MPI_Comm_split(config.world, in_job ? 0 : MPI_UNDEFINED, rank, &job));
    if (in_job) {
        TRY(run_in_job(program, &config, job, result));
        TRY_MPI(MPI_Comm_free(&job));
    }
    show(&config, "the end of the program");
    enum dm_status status = wait_for_all(config.world);
    show(&config, NULL);
    return status;
}

/* ---- results ---- */

void prefetch_result_free(struct prefetch_result *result)
{
    if (!result)
        return;
    free(result->scalars);
    free(result->waits);
    free(result->events);
    *result = (struct prefetch_result){.worker = -1};
}

enum dm_status prefetch_scalar(const struct prefetch_program *program,
                               const struct prefetch_result *result, const char *name,
                               double *value)
{
    if (!result->is_worker)
        return dm_fail(DM_INVALID, "scalar %s: this rank was no worker", name);
    for (int i = 0; i < program->scalar_count; i++)
        if (strcasecmp(program->scalars[i].name, name) == 0) {
            *value = result->scalars[i];
            return DM_OK;
        }
    return dm_fail(DM_INVALID, "%s has no scalar %s", setup_file(program), name);
}
