#include "spmv_side.h"

#include "spmv_cache.h"
#include "spmv_cusparse.h"

#include <stdio.h>

static void add_part(struct spmv_side *side, const char *variant, struct spmv_repeat repeat)
{
    struct spmv_part *part = &side->parts[side->count];
    part->repeat = repeat;
    part->repeat.turns = side->turns;
    part->repeat.on_device = side->on_device;
    spmv_repeat_open(&part->repeat, side->inner);
    side->subjects[side->count++] = (struct subject){
        .variant = variant, .sample = spmv_repeat_sample, .context = &part->repeat};
}

static void waive_way(struct run *run, const char *variant, const char *matrix,
                      const struct sparse_error *error)
{
    char reason[sizeof error->text + 128];
    snprintf(reason, sizeof reason, "%s: %s", matrix, error->text);
    record_waived(run, variant, reason);
}

static void add_ways(struct spmv_side *side, struct run *run, const char *matrix,
                     const struct spmv_task *task, const struct spmv_way *ways)
{
    for (const struct spmv_way *way = ways; way->variant; way++) {
        struct spmv_copies *copies = &side->parts[side->count].copies;
        struct sparse_error error;
        if (way->on_device != side->on_device || !program_wants(run, way->variant))
            continue;
        if (spmv_copies_open(copies, way, task, side->turns, &error)) {
            add_part(side, way->variant,
                     (struct spmv_repeat){.operate = spmv_copies_multiply, .context = copies});
        } else {
            copies->way = NULL; /* the next one takes its place */
            waive_way(run, way->variant, matrix, &error);
        }
    }
}

static void add_copy(struct spmv_side *side, struct run *run, const struct spmv_task *task)
{
    const char *variant = side->on_device ? "copy-gpu" : "copy-cpu";
    struct spmv_stream_copy *copy = &side->parts[side->count].stream_copy;
    if (!program_wants(run, variant))
        return;
    spmv_stream_copy_open(copy, side->on_device, spmv_task_bytes(task) / 2, side->turns,
                          run->settings.seed);
    add_part(side, variant,
             (struct spmv_repeat){.operate = spmv_stream_copy_operate, .context = copy});
}

void spmv_side_open(struct spmv_side *side, struct run *run, const char *matrix,
                    const struct spmv_task *task)
{
    if (side->turns == 0)
        side->turns = spmv_cache_turns(spmv_task_bytes(task), side->on_device, SPMV_TURNS_MOST);
    add_ways(side, run, matrix, task, spmv_own_ways);
    add_ways(side, run, matrix, task, spmv_cusparse_ways);
    add_copy(side, run, task);
}

void spmv_side_close(struct spmv_side *side)
{
    for (size_t i = 0; i < side->count; i++) {
        struct spmv_part *part = &side->parts[i];
        spmv_repeat_close(&part->repeat);
        if (part->copies.way)
            spmv_copies_close(&part->copies);
        else
            spmv_stream_copy_close(&part->stream_copy);
    }
}
