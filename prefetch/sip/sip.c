#include "prefetch/sip/sip.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "prefetch/sip/get.h"
#include "prefetch/sip/interpreter.h"

static const double default_wait_limit_s = 60.0;
static const size_t default_server_memory = (size_t)1 << 30;

static bool fail_run(struct sip_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fail_run(struct sip_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

static bool check_mpi_call(int code, const char *doing, struct sip_error *error)
{
    char cause[MPI_MAX_ERROR_STRING];
    int length;
    if (code == MPI_SUCCESS)
        return true;
    MPI_Error_string(code, cause, &length);
    return fail_run(error, "%s failed: %s", doing, cause);
}

/* ---- who does what ---- */

bool sip_default_split(int ranks, int *workers, int *servers)
{
    if (ranks < 2)
        return false;
    *servers = ranks / 4 > 0 ? ranks / 4 : 1;
    *workers = ranks - *servers;
    return true;
}

/* What is not configured follows from the rest. */
static bool split(struct sip_config *config, int ranks, struct sip_error *error)
{
    int workers = config->workers, servers = config->servers;
    if (workers == 0 && servers == 0)
        sip_default_split(ranks, &workers, &servers);
    else if (workers == 0)
        workers = ranks - servers;
    else if (servers == 0)
        servers = (workers + 2) / 3;
    if (workers < 1 || servers < 1)
        return fail_run(error,
                        "%d rank%s not enough: a program needs at least 1 worker and 1 server",
                        ranks, ranks == 1 ? " is" : "s are");
    if (workers > ranks - servers)
        return fail_run(
            error,
            "%d worker%s and %d server%s need %d ranks, but there %s %d: start more, or "
            "choose fewer",
            workers, workers == 1 ? "" : "s", servers, servers == 1 ? "" : "s", workers + servers,
            ranks == 1 ? "is" : "are", ranks);
    config->workers = workers;
    config->servers = servers;
    return true;
}

/* ---- checks, the same on all ranks ---- */

static bool check_specials(const struct sial_program *program, struct sip_error *error)
{
    for (int i = 0; i < program->special_count; i++) {
        const struct sial_special *special = &program->specials[i];
        const struct super_instruction *known = sip_super_instruction(special->name);
        if (!known)
            return fail_run(error, "%s: there is no super instruction %s: see the list of them",
                            worker_file(program), special->name);
        if (strcmp(known->signature, special->signature) != 0)
            return fail_run(error, "%s: super instruction %s has the signature %s, not %s",
                            worker_file(program), special->name, known->signature,
                            special->signature);
    }
    return true;
}

/* Blocks travel as one MPI message each. */
static bool check_blocks(const struct sial_program *program, const int *segments,
                         struct sip_error *error)
{
    for (int i = 0; i < program->array_count; i++) {
        const struct sial_array *array = &program->arrays[i];
        double elements = 1.0;
        for (int d = 0; d < array->rank; d++)
            elements *= segments[program->indices[array->indices[d]].kind];
        if (elements > INT_MAX)
            return fail_run(error,
                            "%s: a block of array %s would have %.10g elements, %d are possible: "
                            "choose shorter segments",
                            worker_file(program), array->name, elements, INT_MAX);
    }
    return true;
}

static bool check_config(const struct sial_program *program, const struct sip_config *config,
                         struct sip_error *error)
{
    int segments[SIAL_INDEX_KINDS];
    worker_segments(program, config, segments);
    for (int kind = 0; kind < SIAL_INDEX_KINDS; kind++)
        if (segments[kind] < 1)
            return fail_run(error, "a segment of length %d is no segment: choose 1 or more",
                            segments[kind]);
    if (config->prefetch < 0)
        return fail_run(error, "%d blocks cannot be prefetched: choose 0 or more",
                        config->prefetch);
    return check_specials(program, error) && check_blocks(program, segments, error);
}

/* ---- the transport ---- */

static struct transport_array *list_arrays(const struct sial_program *program,
                                           const struct sip_config *config)
{
    int segments[SIAL_INDEX_KINDS];
    worker_segments(program, config, segments);
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

static struct transport_config transport_config(const struct sip_config *config, MPI_Comm job,
                                                const struct transport_array *arrays, int count)
{
    return (struct transport_config){.job = job,
                                     .workers = config->workers,
                                     .servers = config->servers,
                                     .kind = config->transport,
                                     .arrays = arrays,
                                     .array_count = count,
                                     .server_memory_bytes = config->server_memory_bytes
                                                                ? config->server_memory_bytes
                                                                : default_server_memory,
                                     .spill_directory = config->spill_directory,
                                     .spill_limit_bytes = config->spill_limit_bytes,
                                     .wait_limit_s = config->wait_limit_s};
}

/* ---- one worker ---- */

static void collect(struct worker *worker)
{
    struct sip_counters *counters = worker->counters;
    struct pinning_cache_statistics cache;
    pinning_cache_statistics(worker->memory.cache, &cache);
    counters->cache_hits = cache.hits;
    counters->cache_misses = cache.misses;
    counters->copies = memory_copies(&worker->memory);
    transport_counters(worker->transport, &counters->transport);
}

/* All workers leave a barrier; then the clock is zero. */
static bool start_together(struct worker *worker)
{
    int statement;
    struct transfer_conflict conflict;
    struct transport_error error;
    status_activity = "the common start of all workers";
    if (transport_barrier(worker->transport, NULL, &statement, &conflict, &error) != TRANSFER_DONE)
        return fail_run(worker->error, "%s: %s", worker_file(worker->program), error.text);
    worker->start_s = clock_now_s();
    return true;
}

/* Until everything that is under way has ended. */
static bool end_program(struct worker *worker)
{
    int statement = worker->current;
    struct transfer_conflict conflict;
    struct transport_error error;
    if (!get_forget_all(worker, -1))
        return false;
    enum transfer_state state = transport_drain(worker->transport, &statement, &conflict, &error);
    if (!interpreter_put_state(worker, state, statement, &conflict, &error))
        return false;
    worker->counters->run_s = worker_now(worker);
    collect(worker);
    return true;
}

/* After an error nothing is given back: blocks may still arrive in this memory until the job ends.
 */
static bool run_worker(const struct sial_program *program, const struct sip_config *config,
                       const struct transport_config *transport, struct sip_result *result,
                       struct sip_error *error)
{
    struct worker *worker = malloc(sizeof *worker);
    struct transport_error cause;
    if (!worker)
        return fail_run(error, "no memory for a worker");
    if (!worker_open(worker, program, config, result, error)) {
        worker_close(worker);
        free(worker);
        return false;
    }
    worker->transport = transport_open(transport, &cause);
    if (!worker->transport)
        return fail_run(error, "%s: %s", worker_file(program), cause.text);
    if (!start_together(worker) || !interpreter_run(worker) || !end_program(worker))
        return false;
    status_activity = "the end of the program";
    if (!transport_close(worker->transport, &cause))
        return fail_run(error, "%s: %s", worker_file(program), cause.text);
    worker_close(worker);
    free(worker);
    return true;
}

/* ---- one rank ---- */

static bool run_server(const struct sial_program *program, const struct transport_config *transport,
                       struct sip_result *result, struct sip_error *error)
{
    struct transport_error cause;
    status_activity = "a server, which waits for requests";
    bool fine = server_run(transport, &result->server, &cause);
    status_activity = NULL;
    return fine || fail_run(error, "%s: a server: %s", worker_file(program), cause.text);
}

/* Ranks without work leave the cores to the others. */
static bool wait_for_all(MPI_Comm world, struct sip_error *error)
{
    const struct timespec nap = {0, 200000};
    MPI_Request request;
    int done = 0;
    status_activity = "the end of the program";
    if (!check_mpi_call(MPI_Ibarrier(world, &request), "MPI_Ibarrier", error))
        return false;
    while (check_mpi_call(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test", error) && !done)
        nanosleep(&nap, NULL);
    status_activity = NULL;
    return done;
}

static bool run_in_job(const struct sial_program *program, const struct sip_config *config,
                       MPI_Comm job, struct sip_result *result, struct sip_error *error)
{
    struct transport_array *arrays = list_arrays(program, config);
    if (!arrays)
        return fail_run(error, "no memory for the list of arrays");
    struct transport_config transport = transport_config(config, job, arrays, program->array_count);
    bool fine = result->is_worker ? run_worker(program, config, &transport, result, error)
                                  : run_server(program, &transport, result, error);
    if (fine)
        free(arrays);
    return fine;
}

bool sip_run(const struct sial_program *program, const struct sip_config *given,
             struct sip_result *result, struct sip_error *error)
{
    struct sip_config config = *given;
    int rank, ranks;
    *result = (struct sip_result){.worker = -1};
    error->text[0] = '\0';
    if (!check_mpi_call(MPI_Comm_rank(config.world, &rank), "MPI_Comm_rank", error) ||
        !check_mpi_call(MPI_Comm_size(config.world, &ranks), "MPI_Comm_size", error) ||
        !split(&config, ranks, error) || !check_config(program, &config, error))
        return false;
    if (config.wait_limit_s <= 0.0)
        config.wait_limit_s = default_wait_limit_s;
    result->is_worker = rank < config.workers;
    result->worker = result->is_worker ? rank : -1;
    result->is_server = !result->is_worker && rank < config.workers + config.servers;
    bool in_job = result->is_worker || result->is_server;
    MPI_Comm job;
    if (!check_mpi_call(MPI_Comm_split(config.world, in_job ? 0 : MPI_UNDEFINED, rank, &job),
                        "MPI_Comm_split", error))
        return false;
    if (in_job && !run_in_job(program, &config, job, result, error))
        return false;
    if (in_job)
        MPI_Comm_free(&job);
    return wait_for_all(config.world, error);
}

void sip_result_free(struct sip_result *result)
{
    free(result->scalars);
    free(result->waits);
    free(result->events);
    *result = (struct sip_result){0};
}
