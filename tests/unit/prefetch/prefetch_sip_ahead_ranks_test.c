/* Started with mpirun by prefetch_sip.bats: prefetching, memory, devices and records of the run
 * time. */
#include <math.h>

#include "common/harness/exit.h"
#include "prefetch/traces.h"

#include "prefetch_sip_test.h"

/* ---- prefetching ---- */

static const char *put_test =
    "sial put_test\n predefined int norb\n special set_prefetch r\n predefined int ahead = -1\n"
    "aoindex i = 1:norb\n aoindex j = 1:norb\n distributed a[i,j]\n distributed b[i,j]\n"
    "temp t[i,j]\n scalar x\n scalar sum\n scalar all\n"
    "if ahead >= 0\n execute set_prefetch ahead\n endif\n"
    "pardo i\n do j\n t[i,j] = (scalar)((i-1)*norb + (j-1)) + 1.0\n put a[i,j] = t[i,j]\n enddo j\n"
    "endpardo i\n sip_barrier\n"
    "pardo i\n do j\n get a[i,j]\n x = a[i,j] * a[i,j]\n put b[i,j] = a[i,j]\n sum += x\n enddo j\n"
    "endpardo i\n sip_barrier\n collective all += sum\n sum = 0.0\n x = 0.0\n endsial\n";

static struct prefetch_result run_put_test(int norb, int ahead)
{
    struct prefetch_definition definitions[] = {{"norb", norb}, {"ahead", ahead}};
    struct prefetch_result result;
    struct prefetch_program *program = compile("put_test.sialx", put_test, definitions, 2);
    check_status(prefetch_run(program, &config, &result));
    prefetch_free(program);
    return result;
}

static int line_of_get(void)
{
    int line = 1;
    for (const char *at = put_test; strncmp(at, "get", 3) != 0; at++)
        line += *at == '\n';
    return line;
}

static double right_sum(int norb)
{
    double n = norb * norb; /* nine elements per block, squares of 1 .. n */
    return 9 * n * (n + 1) * (2 * n + 1) / 6;
}

static void results_do_not_depend_on_prefetching(void)
{
    for (int servers = 1; servers <= 3; servers++)
        for (int workers = 1; workers <= 4 && workers + servers <= ranks.count; workers++)
            for (int kind = PREFETCH_MESSAGES; kind <= PREFETCH_WINDOW; kind++)
                for (int ahead = 0; ahead <= 16; ahead = ahead ? 4 * ahead : 1) {
                    reset(workers, servers);
                    config.transport = (enum prefetch_transport)kind;
                    config.prefetch = ahead;
                    struct prefetch_result result = run_put_test(6, -1);
                    expect(!result.is_worker || result.scalars[2] == right_sum(6));
                    expect(result.is_worker == (ranks.rank < workers));
                    expect(result.is_server ==
                           (ranks.rank >= workers && ranks.rank < workers + servers));
                    prefetch_result_free(&result);
                }
}

static void first_access_alone_waits(void)
{
    reset(1, 1);
    struct prefetch_result result = run_put_test(6, -1);
    const struct prefetch_counters *counters = &result.counters;
    if (result.is_worker) {
        expect(counters->accesses == 108 && counters->gets == 36 && counters->prefetches == 0);
        /* A block may arrive before its first access. */
        expect(counters->hits >= 72 && counters->hits < 108);
        expect(counters->block_wait_s > 0 && counters->run_s > counters->block_wait_s);
    }
    prefetch_result_free(&result);
}

/* K blocks ahead of the first, then one per iteration: at the end of each inner loop nothing is
 * left over. */
static void prefetching_requests_every_block_once(void)
{
    reset(1, 1);
    config.prefetch = 3;
    struct prefetch_result result = run_put_test(6, -1);
    if (result.is_worker) {
        expect(result.counters.gets == 6 && result.counters.prefetches == 30);
        expect(result.counters.unused_prefetches == 0);
        expect(result.counters.message_gets == 36);
    }
    prefetch_result_free(&result);
    config.prefetch = 0;
    result = run_put_test(6, 3); /* set by the program itself */
    expect(!result.is_worker || result.counters.prefetches == 30);
    prefetch_result_free(&result);
    config.prefetch = 5;
    struct prefetch_distance get[] = {{line_of_get(), 4}, {line_of_get(), 0}};
    config.distances = get;
    config.distance_count = 2; /* the last one counts */
    result = run_put_test(6, -1);
    expect(!result.is_worker || result.counters.prefetches == 0);
    prefetch_result_free(&result);
    config.distance_count = 0;
    result = run_put_test(6, -1);
    expect(!result.is_worker || result.counters.prefetches == 30);
    prefetch_result_free(&result);
}

static void a_loop_of_length_1_has_nothing_to_prefetch(void)
{
    reset(1, 1);
    config.prefetch = 8;
    struct prefetch_result result = run_put_test(1, -1);
    if (result.is_worker) {
        expect(result.counters.gets == 1 && result.counters.prefetches == 0);
        expect(result.counters.accesses == 3 && result.counters.hits >= 2);
    }
    prefetch_result_free(&result);
}

static void waits_are_recorded_by_iteration(void)
{
    reset(1, 1);
    config.prefetch = 2;
    config.record_waits = true;
    struct prefetch_result result = run_put_test(5, -1);
    if (result.is_worker)
        expect(result.wait_count == 25);
    for (size_t i = 0; i < result.wait_count; i++) {
        const struct prefetch_wait *wait = &result.waits[i];
        expect(wait->site == 0 && wait->iteration == (int)(i % 5) && wait->loop_length == 5);
        expect(wait->get_s > 0 && wait->wait_s >= 0);
    }
    prefetch_result_free(&result);
}

static void blocks_left_behind_are_counted(void)
{
    reset(1, 1);
    config.prefetch = 4;
    struct prefetch_result result = run_text(
        "sial t\n index i = 1:9\n distributed a[i]\n temp t[i]\n scalar x\n"
        "do i\n t[i] = 1.0\n put a[i] = t[i]\n enddo i\n sip_barrier\n"
        "do i\n get a[i]\n x += a[i]*a[i]\n if i == 2\n exit\n endif\n enddo i\n sip_barrier\n endsial\n",
        &config);
    if (result.is_worker) {
        expect(result.scalars[0] == 2 && result.counters.prefetches == 5);
        expect(result.counters.unused_prefetches == 4);
    }
    prefetch_result_free(&result);
}

/* What lies ahead may not exist: only its access would be an error. */
static void blocks_ahead_may_be_missing(void)
{
    reset(1, 1);
    config.prefetch = 6;
    expect_results(
        "sial t\n index i = 1:9\n index k = 1:4\n distributed a[k]\n temp t[k]\n scalar x\n"
        "do k\n if k < 4\n t[k] = 1.0\n put a[k] = t[k]\n endif\n enddo k\n sip_barrier\n"
        "do k\n get a[k]\n if k < 4\n x += a[k]*a[k]\n endif\n enddo k\n"
        "do k\n get a[k]\n x += a[k]*a[k]\n if k == 2\n exit\n endif\n enddo k\n"
        "endsial\n",
        5);
}

static void little_memory_evicts(void)
{
    for (int ahead = 0; ahead <= 8; ahead += 4) {
        reset(1, 1);
        config.prefetch = ahead;
        config.worker_memory_bytes = 5 * 9 * sizeof(double); /* five blocks, one of them t */
        struct prefetch_result result = run_put_test(6, -1);
        if (result.is_worker) {
            expect(result.scalars[2] == right_sum(6));
            expect(result.counters.gets + result.counters.prefetches == 36);
            expect(ahead == 0 || result.counters.prefetches > 0);
        }
        prefetch_result_free(&result);
    }
    /* Evicted between two accesses: fetched again. */
    reset(1, 1);
    config.worker_memory_bytes = 3 * sizeof(double);
    struct prefetch_result result = run_text(
        "sial t\n index i = 1:4\n distributed a[i]\n temp t[i]\n scalar x\n"
        "do i\n t[i] = 1.0*i\n put a[i] = t[i]\n enddo i\n sip_barrier\n"
        "do i\n get a[i]\n x += a[i]*a[i]\n enddo i\n do i\n x += 100.0*a[i]*a[i]\n enddo i\n endsial\n",
        &config);
    if (result.is_worker)
        expect(result.scalars[0] == 3030 && result.counters.gets > 4);
    prefetch_result_free(&result);
}

static void servers_with_little_memory_use_the_disk(void)
{
    for (int kind = PREFETCH_MESSAGES; kind <= PREFETCH_WINDOW; kind++) {
        reset(workers_of(2), 1);
        config.transport = (enum prefetch_transport)kind;
        config.server_memory_bytes = 240; /* ten of forty blocks */
        config.prefetch = 3;
        struct prefetch_result result = run_text(
            "sial t\n special fill_block_sequential wr\n aoindex i = 1:40\n served a[i]\n temp t[i]\n"
            "scalar mine\n scalar all\n scalar v\n"
            "pardo i\n v = 1.0*i\n execute fill_block_sequential t[i] v\n prepare a[i] = t[i]\n endpardo i\n"
            "server_barrier\n"
            "pardo i\n request a[i]\n mine += a[i]*a[i]\n endpardo i\n collective all += mine\n"
            "endsial\n",
            &config);
        double right = 0;
        for (int i = 1; i <= 40; i++)
            for (int e = 0; e < 3; e++)
                right += (i + e) * (i + e);
        expect(!result.is_worker || result.scalars[1] == right);
        expect(!result.is_server || (result.server.spills > 0 && result.server.loads > 0));
        prefetch_result_free(&result);
    }
}

/* ---- devices and records ---- */

static const char *on_devices =
    "sial t\n special fill_block_random wr\n aoindex i = 1:3\n aoindex j = 1:3\n aoindex k = 1:3\n"
    "distributed a[i,k]\n temp t[i,k]\n temp c[i,j]\n temp d[j,i]\n static s[i,j]\n"
    "scalar mine\n scalar all\n"
    "pardo i, k\n execute fill_block_random t[i,k] 1\n put a[i,k] = t[i,k]\n endpardo i, k\n"
    "sip_barrier\n gpu_on\n"
    "pardo i, j\n do k\n get a[i,k]\n get a[j,k]\n c[i,j] = 0.5 * a[i,k] * a[j,k]\n"
    "d[j,i] = c[i,j]\n d[j,i] *= 2.0\n s[i,j] += d[j,i] - c[i,j]\n c[i,j] = 1.0\n"
    "s[i,j] -= c[i,j]\n enddo k\n mine += s[i,j] * s[i,j]\n put a[i,j] = s[i,j]\n endpardo i, j\n"
    "gpu_off\n collective all += mine\n endsial\n";

static void devices_agree(void)
{
    double first = 0;
    for (int device = PREFETCH_HOST; device <= PREFETCH_AUTO; device++) {
        for (int policy = PINNING_UNOPTIMIZED; policy <= PINNING_OPTIMIZED; policy++) {
            reset(1, 1);
            config.device = (enum prefetch_device)device;
            config.policy = (enum pinning_policy)policy;
            config.prefetch = 2;
            struct prefetch_result result = run_text(on_devices, &config);
            if (!result.is_worker)
                continue;
            if (device == PREFETCH_HOST)
                first = result.scalars[1];
            expect(fabs(result.scalars[1] - first) <= 1e-12 * first);
            bool on_gpu = result.counters.gpu_operations > 0;
            expect(on_gpu == (device != PREFETCH_HOST));
            expect((result.counters.copies.copies > 0) == on_gpu);
            expect(result.counters.host_operations > 0 || device == PREFETCH_GPU);
            prefetch_result_free(&result);
        }
    }
}

static void the_trace_of_blocks_is_valid(void)
{
    reset(1, 1);
    struct trace trace = {.name = "test"}, again;
    config.device = PREFETCH_GPU;
    config.prefetch = 2;
    config.block_event = traces_add_block_event;
    config.block_event_context = &trace;
    struct prefetch_result result = run_text(on_devices, &config);
    if (result.is_worker) {
        struct trace_summary summary;
        FILE *file = tmpfile();
        expect_ok(trace_write(&trace, file, NULL));
        rewind(file);
        expect_ok(trace_read(&again, file, "trace"));
        expect_ok(trace_summarise(&again, &summary));
        /* c[i,j] is written three times per block, each on its own; 9 fetched of 9, and more. */
        expect(summary.requests > 27 && summary.releases == summary.requests);
        fclose(file);
        trace_free(&again);
    }
    trace_free(&trace);
    prefetch_result_free(&result);
}

static void events_tell_what_happened(void)
{
    reset(workers_of(2), 1);
    config.prefetch = 2;
    config.record_events = true;
    struct prefetch_result result = run_put_test(4, -1);
    size_t seen[PREFETCH_EVENT_BARRIER + 1] = {0};
    for (size_t i = 0; i < result.event_count; i++) {
        const struct prefetch_event *event = &result.events[i];
        seen[event->kind]++;
        expect(event->begin_s >= 0 && event->end_s >= event->begin_s);
        expect(event->end_s <= result.counters.run_s && event->worker == ranks.rank);
    }
    size_t blocks = result.is_worker ? 16 / (size_t)config.workers : 0;
    expect(seen[PREFETCH_EVENT_REQUEST] == blocks && seen[PREFETCH_EVENT_ARRIVE] == blocks);
    expect(seen[PREFETCH_EVENT_PUT] == 2 * blocks && seen[PREFETCH_EVENT_COMPUTE] == 2 * blocks);
    expect(seen[PREFETCH_EVENT_BARRIER] == (result.is_worker ? 3 : 0));
    prefetch_result_free(&result);
}

static void the_default_split(void)
{
    int workers = 0, servers = 0;
    expect_error(prefetch_split(1, &workers, &servers), DM_INVALID, "1 rank is not enough");
    expect_ok(prefetch_split(2, &workers, &servers));
    expect(workers == 1 && servers == 1);
    expect_ok(prefetch_split(4, &workers, &servers));
    expect(workers == 3 && servers == 1);
    expect_ok(prefetch_split(8, &workers, &servers));
    expect(workers == 6 && servers == 2);
    reset(0, 0);
    struct prefetch_result result = run_put_test(2, -1);
    expect(!result.is_worker || result.scalars[2] == right_sum(2));
    expect(result.is_worker || result.is_server);
    prefetch_result_free(&result);
}

static void configurations_are_checked(void)
{
    struct prefetch_definition definitions[] = {{"norb", 2}, {"ahead", 0}};
    struct prefetch_program *program = compile("put_test.sialx", put_test, definitions, 2);
    struct prefetch_distance distance = {1, 3};
    reset(1, 1);
    expect_ok(prefetch_check(program, &config));
    config.workers = ranks.count;
    expect_error(prefetch_check(program, &config), DM_INVALID, "start more, or choose fewer");
    reset(0, ranks.count);
    expect_error(prefetch_check(program, &config), DM_INVALID, "at least 1 worker and 1 server");
    reset(1, 1);
    config.segment[PREFETCH_INDEX_AO] = -1;
    expect_error(prefetch_check(program, &config), DM_INVALID, "a segment of length -1");
    config.segment[PREFETCH_INDEX_AO] = 1 << 16;
    expect_error(prefetch_check(program, &config), DM_INVALID, "choose shorter segments");
    reset(1, 1);
    config.prefetch = -1;
    expect_error(prefetch_check(program, &config), DM_INVALID, "-1 blocks cannot be prefetched");
    reset(1, 1);
    config.distances = &distance;
    config.distance_count = 1;
    expect_error(prefetch_check(program, &config), DM_INVALID,
                 "line 1 of put_test.sialx has no get");
    distance = (struct prefetch_distance){line_of_get(), -1};
    expect_error(prefetch_check(program, &config), DM_INVALID, "-1 blocks cannot be prefetched");
    prefetch_free(program);
}

static void scalars_have_names(void)
{
    double value = 0.0;
    struct prefetch_definition definitions[] = {{"norb", 2}, {"ahead", 0}};
    struct prefetch_program *program = compile("put_test.sialx", put_test, definitions, 2);
    struct prefetch_result result;
    reset(1, 1);
    check_status(prefetch_run(program, &config, &result));
    if (result.is_worker) {
        expect_ok(prefetch_scalar(program, &result, "ALL", &value));
        expect(value == right_sum(2));
        expect_error(prefetch_scalar(program, &result, "none", &value), DM_INVALID,
                     "put_test.sialx has no scalar none");
    } else {
        expect_error(prefetch_scalar(program, &result, "all", &value), DM_INVALID,
                     "this rank was no worker");
    }
    expect(strcmp(prefetch_program_name(program), "put_test") == 0);
    expect(strcmp(prefetch_array_name(program, 0), "a") == 0 && !prefetch_array_name(program, 9));
    prefetch_result_free(&result);
    prefetch_result_free(NULL);
    prefetch_free(program);
    prefetch_free(NULL);
}

int main(int argc, char **argv)
{
    ranks_start(&argc, &argv);
    alarm(HANGS_AFTER_S);
    check(results_do_not_depend_on_prefetching);
    check(first_access_alone_waits);
    check(prefetching_requests_every_block_once);
    check(a_loop_of_length_1_has_nothing_to_prefetch);
    check(waits_are_recorded_by_iteration);
    check(blocks_left_behind_are_counted);
    check(blocks_ahead_may_be_missing);
    check(little_memory_evicts);
    check(servers_with_little_memory_use_the_disk);
    check(devices_agree);
    check(the_trace_of_blocks_is_valid);
    check(events_tell_what_happened);
    check(the_default_split);
    check(configurations_are_checked);
    check(scalars_have_names);
    ranks.stop();
    return test_failures > 0;
}
