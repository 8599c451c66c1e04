/* partition_applications: one-GPU programs as they are, partitioned, and by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/compare.h"

#include "application_columns.h"
#include "application_sweep.h"
#include "device_list.h"
#include "module_path.h"

static const struct variant variants[] = {
    [APPLICATION_ORIGINAL] = {"original", "the program as it is, on one device"},
    [APPLICATION_PARTITIONED] = {"partitioned", "the same program on several devices"},
    [APPLICATION_BY_HAND] = {"by-hand", "stencil only: written by hand for several devices"},
    {0},
};

static struct option_words apps = {.list = "matmul,stencil,nbody"}, blocks = {.list = "default"};
static struct application_sweep sweep = {
    .device_list = "all",
    .splits = {.list = "default"},
    .htods = {.noun = "way to copy from the host", .names = application_htods, .list = "scatter"},
    .resolutions = {.noun = "resolution", .names = application_resolutions, .list = "exact"},
    .accesses = {.noun = "method of access", .names = application_accesses, .list = "boxes"},
    .options = {.list = "-"},
};
static const char *modules;
static const struct program_option options[] = {
    {"apps", OPTION_WORDS, &apps, "LIST", "applications, each name[:n[:iterations]]; see details",
     0, 0},
    {"devices", OPTION_TEXT, &sweep.device_list, "LIST",
     "numbers of devices; all: powers of two up to what is there, and that; most: that", 0, 0},
    {"splits", OPTION_WORDS, &sweep.splits, "LIST",
     "dimensions to cut, such as x, y, xy; default: what the data base says", 0, 0},
    {"htod", OPTION_CHOICES, &sweep.htods, "LIST", "copies from the host: scatter, broadcast, lazy",
     0, 0},
    {"resolutions", OPTION_CHOICES, &sweep.resolutions, "LIST",
     "copies between launches: exact, last-writer, none", 0, 0},
    {"access", OPTION_CHOICES, &sweep.accesses, "LIST",
     "how accessed elements are found: boxes, rows, points", 0, 0},
    {"options", OPTION_WORDS, &sweep.options, "LIST",
     "-, or some of these joined by +: whole, no-coalesce, no-cache, thesis-grid, spans, "
     "engines",
     0, 0},
    {"blocks", OPTION_WORDS, &blocks, "LIST",
     "threads of a block, such as 32x8 or 128; default: the application's", 0, 0},
    {"modules", OPTION_TEXT, &modules, "DIR",
     "modules and data bases of the kernels (none: partition/ beside the program's directory)", 0,
     0},
    {0},
};

/* ---- the ways to run one application ---- */

static struct application_mode plain_mode(long devices)
{
    return (struct application_mode){(int)devices, "-", "-", "-", "-", "-"};
}

static bool open_job(struct run *run, void *task)
{
    struct application_job *job = task;
    job->check = run->settings.check;
    return program_wants_variant(run, job->variant);
}

static long count_errors(struct run *run, void *task)
{
    (void)run;
    return ((const struct application_job *)task)->errors;
}

static const struct comparison comparison = {.task_bytes = TASK(struct application_job),
                                             .row_bytes = sizeof(struct application_row),
                                             .open = open_job,
                                             .sample = application_job_sample,
                                             .row = application_columns_fill,
                                             .verify = count_errors};

static size_t list_jobs(const struct application_work *work, struct application_job *jobs)
{
    size_t count = 0;
    bool by_hand = strcmp(work->application->name, "stencil") == 0;
    jobs[count++] = (struct application_job){
        .variant = APPLICATION_ORIGINAL, .work = work, .mode = plain_mode(1)};
    for (size_t i = 0; by_hand && i < sweep.devices.count; i++)
        jobs[count++] = (struct application_job){.variant = APPLICATION_BY_HAND,
                                                 .work = work,
                                                 .mode = plain_mode(sweep.devices.values[i])};
    for (size_t i = 0; i < application_sweep_count(&sweep); i++)
        jobs[count++] = (struct application_job){.variant = APPLICATION_PARTITIONED,
                                                 .work = work,
                                                 .mode = application_sweep_mode(&sweep, i)};
    return count;
}

/* A launch that was not split must not pass unnoticed: its times are those of one device. */
static void note_one_device(struct run *run, const struct application_job *job)
{
    const struct partition_statistics *last = &job->last.statistics;
    if (last->one_device)
        program_note(run, "%s on %d devices: %llu of %llu launches ran on one device: %s",
                     job->work->application->name, job->mode.devices,
                     (unsigned long long)last->one_device, (unsigned long long)last->launches,
                     job->note);
}

static void measure_work(struct run *run, struct application_work *work)
{
    size_t room = 1 + sweep.devices.count + application_sweep_count(&sweep);
    struct application_job *jobs = allocate_or_fail(room, sizeof *jobs);
    size_t count = list_jobs(work, jobs);
    application_work_open(work);
    compare_tasks(run, &comparison, jobs, count);
    for (size_t i = 0; i < count; i++)
        note_one_device(run, &jobs[i]);
    application_work_close(work);
    free(jobs);
}

static void measure_application(struct run *run, const char *word)
{
    char directory[MODULE_PATH];
    module_path(directory, modules, ".");
    for (size_t i = 0; i < blocks.count; i++) {
        struct application_work work = application_read_work(word);
        work.input.seed = run->settings.seed;
        work.input.modules = directory;
        application_read_block(blocks.values[i], work.input.block);
        measure_work(run, &work);
    }
}

/* ---- all of them ---- */

/* Ends the program before anything is measured if a word is wrong. */
static void check_words(void)
{
    int block[3];
    for (size_t i = 0; i < apps.count; i++)
        application_read_work(apps.values[i]);
    for (size_t i = 0; i < blocks.count; i++)
        application_read_block(blocks.values[i], block);
}

/* The largest number of devices that a run uses. */
static int largest_number(void)
{
    long largest = 1;
    for (size_t i = 0; i < sweep.devices.count; i++)
        largest = sweep.devices.values[i] > largest ? sweep.devices.values[i] : largest;
    return (int)largest;
}

/* The runtime API keeps the primary contexts, so that each run retains them and need not make them.
 */
static void keep_contexts(int devices)
{
    for (int d = 0; d < devices; d++) {
        check_cuda(cudaSetDevice(d));
        check_cuda(cudaFree(NULL));
    }
    check_cuda(cudaSetDevice(0));
}

static void run_all(struct run *run)
{
    application_sweep_open(run, &sweep);
    check_words();
    run->gpus = largest_number();
    keep_contexts(run->gpus);
    for (size_t i = 0; i < apps.count; i++)
        measure_application(run, apps.values[i]);
    free(sweep.devices.values);
}

const struct program program = {
    .name = "partition_applications",
    .summary = "measures one-GPU programs on several GPUs",
    .details =
        "Applications: matmul (the thesis's order of indices), matmul_rows, matmul_tiled, stencil,\n"
        "stencil9, nbody, nbody_soft, stencil3d, conv2d, reduction, chain, refine, histogram.\n"
        "Each is an ordinary program for one GPU on CUDA's driver API, which here runs in\n"
        "this process, with its calls interposed. time_s is from its first copy to its last;\n"
        "contexts and modules are made and released outside of it. Every run's result is compared\n"
        "bit by bit with that of the unmodified program; a difference is an error, except with\n"
        "--resolutions none, and with last-writer for refine, where it is counted only.\n"
        "--options:\n"
        "  whole        every part is taken to read everything\n"
        "  no-coalesce  one copy for each run of elements\n"
        "  no-cache     nothing is kept for the next launch\n"
        "  thesis-grid  the thesis's rule for two dimensions\n"
        "  engines      copies between devices by the copy engines alone, no kernel for short ones\n"
        "  spans        waits after each step, for kernel_s and sync_comm_s; slower\n"
        "A launch that could not be split is counted in one_device, and the reason is printed.\n"
        "The software GPU has 16 devices unless SOFTGPU_DEVICES says otherwise.",
    .variants = variants,
    .options = options,
    .columns = application_columns,
    .uses_gpu = true,
    .start = device_list_start,
    .run = run_all,
};
