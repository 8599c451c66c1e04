/* partition_applications: one-GPU programs as they are, partitioned, and by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/exit.h"

#include "application_columns.h"
#include "application_sweep.h"
#include "module_path.h"

static const struct variant variants[] = {
    [APPLICATION_ORIGINAL] = {"original", "the program as it is, on one device"},
    [APPLICATION_PARTITIONED] = {"partitioned", "the same program on several devices"},
    [APPLICATION_BY_HAND] = {"by-hand", "stencil only: written by hand for several devices"},
    {0},
};

static const char *applications_list = "matmul,stencil,nbody";
static const char *blocks_list = "default";
static struct application_lists lists = {
    .devices = "all",
    .splits = "default",
    .htod = "scatter",
    .resolutions = "exact",
    .access = "boxes",
    .options = "-",
};
static const char *modules;
static const struct program_option options[] = {
    {"apps", OPTION_TEXT, &applications_list, "LIST",
     "applications, each name[:n[:iterations]]; see details", 0, 0},
    {"devices", OPTION_TEXT, &lists.devices, "LIST",
     "numbers of devices; all: powers of two up to what is there, and that; most: that", 0, 0},
    {"splits", OPTION_TEXT, &lists.splits, "LIST",
     "dimensions to cut, such as x, y, xy; default: what the data base says", 0, 0},
    {"htod", OPTION_TEXT, &lists.htod, "LIST", "copies from the host: scatter, broadcast, lazy", 0,
     0},
    {"resolutions", OPTION_TEXT, &lists.resolutions, "LIST",
     "copies between launches: exact, last-writer, none", 0, 0},
    {"access", OPTION_TEXT, &lists.access, "LIST",
     "how accessed elements are found: boxes, rows, points", 0, 0},
    {"options", OPTION_TEXT, &lists.options, "LIST",
     "-, or some of these joined by +: whole, no-coalesce, no-cache, thesis-grid, spans, "
     "engines",
     0, 0},
    {"blocks", OPTION_TEXT, &blocks_list, "LIST",
     "threads of a block, such as 32x8 or 128; default: the application's", 0, 0},
    {"modules", OPTION_TEXT, &modules, "DIR",
     "modules and data bases of the kernels (none: partition/ beside the program's directory)", 0,
     0},
    {0},
};

static void add_job(struct run *run, struct application_job *jobs, struct subject *subjects,
                    size_t *count, struct application_job job)
{
    const char *variant = variants[job.way].name;
    if (!program_wants(run, variant))
        return;
    job.check = run->settings.check;
    jobs[*count] = job;
    subjects[*count] = (struct subject){
        .variant = variant, .sample = application_job_sample, .context = &jobs[*count]};
    ++*count;
}

static struct application_mode plain_mode(long devices)
{
    return (struct application_mode){(int)devices, "-", "-", "-", "-", "-"};
}

static size_t add_jobs(struct run *run, const struct application_sweep *sweep,
                       const struct application_work *work, struct application_job *jobs,
                       struct subject *subjects)
{
    size_t count = 0;
    struct application_job job = {.way = APPLICATION_ORIGINAL, .work = work, .mode = plain_mode(1)};
    add_job(run, jobs, subjects, &count, job);
    job.way = APPLICATION_BY_HAND;
    bool by_hand = strcmp(work->application->name, "stencil") == 0;
    for (size_t i = 0; by_hand && i < sweep->devices.count; i++) {
        job.mode = plain_mode(sweep->devices.values[i]);
        add_job(run, jobs, subjects, &count, job);
    }
    job.way = APPLICATION_PARTITIONED;
    for (size_t i = 0; i < application_sweep_count(sweep); i++) {
        job.mode = application_sweep_mode(sweep, i);
        add_job(run, jobs, subjects, &count, job);
    }
    return count;
}

/* A launch that was not split must not pass unnoticed: its times are those of one device. */
static void note_one_device(struct run *run, const struct application_job *job)
{
    const struct partition_statistics *last = &job->samples[job->count - 1].statistics;
    if (last->one_device)
        program_note(run, "%s on %d devices: %llu of %llu launches ran on one device: %s",
                     job->work->application->name, job->mode.devices,
                     (unsigned long long)last->one_device, (unsigned long long)last->launches,
                     job->note);
}

static void record_job(struct run *run, struct application_job *job, struct subject *subject)
{
    note_one_device(run, job);
    application_columns_record(run, job, subject->variant, subject->times_s, subject->count);
    application_job_free(job);
}

static void measure_work(struct run *run, const struct application_sweep *sweep,
                         struct application_work *work)
{
    size_t most = 1 + sweep->devices.count + application_sweep_count(sweep);
    struct application_job *jobs = allocate_or_fail(most, sizeof *jobs);
    struct subject *subjects = allocate_or_fail(most, sizeof *subjects);
    application_work_open(work);
    size_t count = add_jobs(run, sweep, work, jobs, subjects);
    measure(run, subjects, count);
    for (size_t i = 0; i < count; i++)
        record_job(run, &jobs[i], &subjects[i]);
    measure_free(subjects, count);
    application_work_close(work);
    free(subjects);
    free(jobs);
}

static void measure_application(struct run *run, const struct application_sweep *sweep,
                                const char *word, const struct option_words *blocks)
{
    char directory[MODULE_PATH];
    module_path(directory, modules, ".");
    for (size_t i = 0; i < blocks->count; i++) {
        struct application_work work = application_read_work(word);
        work.input.seed = run->settings.seed;
        work.input.modules = directory;
        application_read_block(blocks->values[i], work.input.block);
        measure_work(run, sweep, &work);
    }
}

/* Ends the program before anything is measured if a word is wrong. */
static void check_words(const struct option_words *words, const struct option_words *blocks)
{
    int block[3];
    for (size_t i = 0; i < words->count; i++)
        application_read_work(words->values[i]);
    for (size_t i = 0; i < blocks->count; i++)
        application_read_block(blocks->values[i], block);
}

/* The largest number of devices that a run uses. */
static int most_devices(const struct application_sweep *sweep)
{
    long most = 1;
    for (size_t i = 0; i < sweep->devices.count; i++)
        most = sweep->devices.values[i] > most ? sweep->devices.values[i] : most;
    return (int)most;
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
    struct application_sweep sweep = application_sweep_read(run, &lists);
    struct option_words words = option_read_words("apps", applications_list);
    struct option_words blocks = option_read_words("blocks", blocks_list);
    check_words(&words, &blocks);
    run->gpus = most_devices(&sweep);
    keep_contexts(run->gpus);
    for (size_t i = 0; i < words.count; i++)
        measure_application(run, &sweep, words.values[i], &blocks);
    option_free_words(&blocks);
    option_free_words(&words);
    application_sweep_free(&sweep);
}

static void start_program(int argc, char **argv)
{
    (void)argc;
    (void)argv;
#ifdef SOFTGPU
    setenv("SOFTGPU_DEVICES", "16", 0);
#endif
}

const struct program program = {
    .name = "partition_applications",
    .summary = "measures one-GPU programs on several GPUs",
    .details =
        "Applications: matmul (the thesis's order of indices), matmul_rows, matmul_tiled, stencil,\n"
        "stencil9, nbody, nbody_soft, stencil3d, conv2d, reduction, chain, refine, histogram (not\n"
        "split). Each is an ordinary program for one GPU on CUDA's driver API, which here runs in\n"
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
    .start = start_program,
    .run = run_all,
};
