/* partition_objects: what the run time keeps: launches, pairs of launches, pointers, last writers.
 */
#include <stdlib.h>

#include <datamotion/partition.h>

#include "common/harness/exit.h"
#include "common/harness/option_lists.h"

#include "device_list.h"
#include "module_path.h"
#include "object_chains.h"
#include "object_launches.h"
#include "object_pointers.h"

static const struct variant variants[] = {
    [OBJECT_LAUNCH] = {"launch", "a launch that differs in one field from the one before it"},
    [OBJECT_PAIR] = {"pair", "two launches of which the second reads what the first wrote"},
    [OBJECT_POINTER] = {"pointer", "memory behind the pointers that cuMemAlloc returns"},
    [OBJECT_CHAIN] = {"chain", "random sequences of launches; needs no device"},
    {0},
};

static const char *devices_list = "all";
static struct option_numbers chain_devices = {.list = "4"};
static int64_t sequences = 1000;
static const char *modules;
static const struct program_option options[] = {
    {"devices", OPTION_TEXT, &devices_list, "LIST",
     "numbers of devices; all: powers of two up to what is there, and that; most: that", 0, 0},
    {"chain-devices", OPTION_NUMBERS, &chain_devices, "LIST",
     "chain: numbers of devices that write", 1, PARTITION_MAX_DEVICES},
    {"sequences", OPTION_INTEGER, &sequences, "N", "chain: sequences in a repetition", 1, 1e7},
    {"modules", OPTION_TEXT, &modules, "DIR",
     "modules and data bases of the kernels (none: partition/ beside the program's directory)", 0,
     0},
    {0},
};

/* ---- through the driver API ---- */

/* Launches that run on one device create no pairs, which is then to be seen. */
static bool is_split(struct run *run, struct object_gpu *gpu)
{
    const char *refusal = object_gpu_refusal(gpu);
    if (!*refusal)
        return true;
    record_waived(run, "launch", refusal);
    record_waived(run, "pair", refusal);
    return false;
}

static size_t add_jobs(struct object_job *jobs, size_t at, const struct object_job *kind,
                       const char *const *steps, int count)
{
    for (int i = 0; i < count; i++) {
        jobs[at + (size_t)i] = *kind;
        jobs[at + (size_t)i].number = i;
        jobs[at + (size_t)i].step = steps[i];
    }
    return at + (size_t)count;
}

static void measure_devices(struct run *run, int devices, const char *directory)
{
    struct object_gpu gpu;
    struct object_job jobs[OBJECT_LAUNCH_STEPS + OBJECT_PAIR_STEPS + OBJECT_POINTER_STEPS];
    struct object_job kind = {
        .devices = devices, .context = &gpu, .seed = run->settings.seed << 32};
    size_t count = 0;
    object_gpu_open(&gpu, devices, directory, run->settings.seed);
    if (is_split(run, &gpu)) {
        kind.variant = OBJECT_LAUNCH;
        kind.sample = object_launch_sample;
        count = add_jobs(jobs, count, &kind, object_launch_steps, OBJECT_LAUNCH_STEPS);
        kind.variant = OBJECT_PAIR;
        kind.sample = object_pair_sample;
        count = add_jobs(jobs, count, &kind, object_pair_steps, OBJECT_PAIR_STEPS);
    }
    kind.variant = OBJECT_POINTER;
    kind.sample = object_pointer_sample;
    count = add_jobs(jobs, count, &kind, object_pointer_steps, OBJECT_POINTER_STEPS);
    object_jobs_run(run, jobs, count);
    object_gpu_close(&gpu);
}

static void measure_all_devices(struct run *run, const struct option_numbers *devices)
{
    char directory[MODULE_PATH];
    module_path(directory, modules, ".");
    for (size_t i = 0; i < devices->count; i++) {
        run->gpus = (int)devices->values[i];
        measure_devices(run, run->gpus, directory);
    }
}

/* ---- on the host alone ---- */

static void measure_chains(struct run *run)
{
    struct object_job *jobs = allocate_or_fail(chain_devices.count, sizeof *jobs);
    for (size_t i = 0; i < chain_devices.count; i++)
        jobs[i] = (struct object_job){.variant = OBJECT_CHAIN,
                                      .step = "full history",
                                      .devices = (int)chain_devices.values[i],
                                      .sample = object_chain_sample,
                                      .context = &sequences,
                                      .seed = run->settings.seed << 32};
    object_jobs_run(run, jobs, chain_devices.count);
    free(jobs);
}

/* A wrong list of devices is told before anything is measured. */
static void run_all(struct run *run)
{
    struct option_numbers devices = {0};
    if (program_wants_variant(run, OBJECT_LAUNCH) || program_wants_variant(run, OBJECT_PAIR) ||
        program_wants_variant(run, OBJECT_POINTER))
        devices = device_list_read(run, "launch", devices_list);
    if (program_wants_variant(run, OBJECT_CHAIN))
        measure_chains(run);
    if (devices.count > 0)
        measure_all_devices(run, &devices);
    free(devices.values);
}

const struct program program = {
    .name = "partition_objects",
    .summary = "counts the objects that the run time creates, and checks its last-writer maps",
    .details =
        "launch: a stencil is launched, then with one field changed (time_s: that call on the\n"
        "host), then both again. A launch that is known needs no object. pair: launches A (in to\n"
        "out) and B (out to in) alternate; a dependency belongs to the two launches in their order,\n"
        "by the rule that the last launch wrote all. pointer: 8 allocations; the driver says on\n"
        "which device memory is; time_s is of one cuMemAlloc or one look-up. chain: the map of\n"
        "last writers of 24 random launches out of 6, each of which is kept once, beside that of\n"
        "the full history. Another number of objects than expected, a pointer elsewhere, or a\n"
        "mismatch is an error. Source: Klein 2016, 3.4 and 5.4.\n"
        "The software GPU has 16 devices unless SOFTGPU_DEVICES says otherwise.",
    .variants = variants,
    .options = options,
    .columns = object_columns,
    .uses_gpu = true,
    .start = device_list_start,
    .run = run_all,
};
