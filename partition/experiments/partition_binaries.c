/* partition_binaries: programs that nvcc built, as they are and on several GPUs by libpartition.so.
 */
#include <stdlib.h>
#include <string.h>

#include "common/harness/compare.h"
#include "common/harness/program.h"

#include "application_sweep.h"
#include "binary_run.h"
#include "device_list.h"

enum { ORIGINAL, PARTITIONED };
static const struct variant variants[] = {
    [ORIGINAL] = {"original", "the program as nvcc built it, on one GPU"},
    [PARTITIONED] = {"partitioned", "the same file started with libpartition.so"},
    {0},
};

static struct option_words programs = {
    .list =
        "jacobi:1000:20,heat3d:96:10,lu:200,adi:512:5,transpose:1000:3,scan:100000,histogram:100000,"
        "nbody:4096:3,fdtd:600:20,matmul:512,cublas:512,variables:100000:6,streams:50000:7,"
        "reduction:300000,graph:51200:4"};
static const char *device_list = "all", *folder, *library;
static double limit_s = 100;
static const struct program_option options[] = {
    {"programs", OPTION_WORDS, &programs, "LIST", "programs, each name[:argument...]", 0, 0},
    {"devices", OPTION_TEXT, &device_list, "LIST",
     "numbers of devices; all: powers of two up to what is there, and that; most: that", 0, 0},
    {"folder", OPTION_TEXT, &folder, "DIR",
     "folder of the programs; none: partition/programs beside this program's", 0, 0},
    {"library", OPTION_TEXT, &library, "FILE", "none: libpartition.so there", 0, 0},
    {"limit", OPTION_REAL, &limit_s, "SECONDS", "time limit of one run of a program", 1, 86400},
    {0},
};

struct row {
    const char *app, *arguments;
    int devices;
    double process_s;
    int64_t launches, one_device, d2d_bytes, different;
};
static const struct column columns[] = {
    PARAMETER(struct row, app, "program"),
    PARAMETER(struct row, arguments, "its arguments: sizes and steps"),
    PARAMETER(struct row, devices, "devices that it was given"),
    METRIC(struct row, process_s, "from the start of the process to its end (s)"),
    METRIC(struct row, launches, "launches of the program"),
    METRIC(struct row, one_device, "of these, launches on one device"),
    METRIC(struct row, d2d_bytes, "bytes between devices"),
    METRIC(struct row, different, "1: its result has other bits than that of the original"),
    {0},
};

/* A program as it is or on so many devices. */
struct job {
    int variant;
    int devices;
    struct binary binary;
    uint64_t expected; /* the original's checksum */
    struct binary_result last;
    long errors;
};

static bool open_job(struct run *run, void *task)
{
    return program_wants_variant(run, ((const struct job *)task)->variant);
}

static double sample(void *task)
{
    struct job *job = task;
    job->last = binary_run(&job->binary, limit_s);
    job->errors += job->last.checksum != job->expected;
    return job->last.seconds;
}

static long count_errors(struct run *run, void *task)
{
    (void)run;
    return ((const struct job *)task)->errors;
}

static int64_t count_of(int64_t count)
{
    return count < 0 ? NO_VALUE : count;
}

static void fill_row(const void *task, double time_s, void *row)
{
    const struct job *job = task;
    (void)time_s;
    *(struct row *)row = (struct row){.app = job->binary.name,
                                      .arguments = job->binary.arguments,
                                      .devices = job->devices,
                                      .process_s = job->last.whole_s,
                                      .launches = count_of(job->last.launches),
                                      .one_device = count_of(job->last.one_device),
                                      .d2d_bytes = count_of(job->last.d2d_bytes),
                                      .different = job->last.checksum != job->expected};
}

static const struct comparison comparison = {.task_bytes = TASK(struct job),
                                             .row_bytes = sizeof(struct row),
                                             .open = open_job,
                                             .sample = sample,
                                             .row = fill_row,
                                             .verify = count_errors};

/* A launch that was not split must not pass unnoticed: its times are those of one device. */
static void note_one_device(struct run *run, const struct job *job)
{
    if (job->devices > 1 && job->last.one_device > 0)
        program_note(run, "%s on %d devices: %lld of %lld launches ran on one device",
                     job->binary.name, job->devices, (long long)job->last.one_device,
                     (long long)job->last.launches);
}

static void measure_program(struct run *run, const char *word, const struct option_numbers *devices)
{
    struct job *jobs = allocate_or_fail(1 + devices->count, sizeof *jobs);
    struct binary binary = {.folder = folder, .library = library};
    binary_read(&binary, word);
    uint64_t expected = binary_run(&binary, limit_s).checksum;
    jobs[0] =
        (struct job){.variant = ORIGINAL, .devices = 1, .binary = binary, .expected = expected};
    for (size_t i = 0; i < devices->count; i++) {
        jobs[1 + i] = jobs[0];
        jobs[1 + i].variant = PARTITIONED;
        jobs[1 + i].devices = jobs[1 + i].binary.devices = (int)devices->values[i];
    }
    compare_tasks(run, &comparison, jobs, 1 + devices->count);
    for (size_t i = 0; i < 1 + devices->count; i++)
        note_one_device(run, &jobs[i]);
    free(jobs);
}

static void run_all(struct run *run)
{
    struct option_numbers devices = device_list_read(run, variants[PARTITIONED].name, device_list);
    struct binary checked;
    for (size_t i = 0; i < programs.count; i++)
        binary_read(&checked, programs.values[i]);
    for (size_t i = 0; i < devices.count; i++)
        if (devices.values[i] > run->gpus)
            run->gpus = (int)devices.values[i];
    for (size_t i = 0; i < programs.count; i++)
        measure_program(run, programs.values[i], &devices);
    free(devices.values);
}

const struct program program = {
    .name = "partition_binaries",
    .summary = "measures programs that nvcc built, unchanged, on several GPUs",
    .details =
        "Each run is a process of its own: the program as it is, or the same file with\n"
        "LD_PRELOAD=libpartition.so. time_s is what the program times, its launches and waiting for\n"
        "them; process_s also has its start, its copies and, with libpartition.so, the making of\n"
        "contexts. Every run's checksum, of all bits of the result, must be that of the original.\n"
        "A data base of each file is made at its first run (README, Programs that nvcc built), which\n"
        "is the warm-up.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .uses_gpu = true,
    .run = run_all,
};
