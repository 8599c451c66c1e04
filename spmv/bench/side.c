#include "side.h"

#include "common/error.h"

#include "cache.h"
#include "cusparse.h"

/* The next part, whose data are there. */
static void add_part(struct spmv_side *side, enum spmv_part_kind kind, const char *variant,
                     struct spmv_repeat repeat)
{
    struct spmv_part *part = &side->parts[side->count];
    part->kind = kind;
    part->repeat = repeat;
    part->repeat.turns = kind == SPMV_PART_TRIAD ? 1 : side->turns;
    part->repeat.on_device = side->on_device;
    spmv_repeat_open(&part->repeat, side->inner);
    side->subjects[side->count++] = (struct subject){
        .variant = variant, .sample = spmv_repeat_sample, .context = &part->repeat};
}

static void add_ways(struct spmv_side *side, struct run *run, const char *matrix,
                     const struct spmv_task *task, const struct spmv_way *ways)
{
    for (const struct spmv_way *way = ways; way->variant; way++) {
        struct spmv_copies *copies = &side->parts[side->count].copies;
        if (way->on_device != side->on_device || !program_wants(run, way->variant))
            continue;
        enum dm_status status = spmv_copies_open(copies, way, task, side->turns);
        if (error_within(status, "%s", matrix) == DM_OK)
            add_part(side, SPMV_PART_WAY, way->variant,
                     (struct spmv_repeat){.operate = spmv_copies_multiply, .context = copies});
        else
            record_waived(run, way->variant, dm_message());
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
    add_part(side, SPMV_PART_COPY, variant,
             (struct spmv_repeat){.operate = spmv_stream_copy_operate, .context = copy});
}

/* STREAM's numbers are doubles, so a matrix of floats has no triad beside it. */
static void add_triad(struct spmv_side *side, struct run *run, const struct spmv_task *task)
{
    const char *variant = "triad-cpu";
    struct spmv_triad *triad = &side->parts[side->count].triad;
    if (side->on_device || task->options.precision != SPMV_DOUBLE || !program_wants(run, variant))
        return;
    spmv_triad_open(triad, run->settings.seed);
    add_part(side, SPMV_PART_TRIAD, variant,
             (struct spmv_repeat){.operate = spmv_triad_operate, .context = triad});
}

/* The first `count` parts are own formats on the device. */
static void reformat(struct spmv_side *side, size_t count, const struct spmv_task *task, bool check)
{
    struct spmv_matrix csr;
    if (spmv_matrix_create(&csr, SPMV_CSR, task->coo, &task->options) != DM_OK)
        return;
    if (spmv_matrix_to_device(&csr) == DM_OK)
        for (size_t i = 0; i < count; i++)
            if (side->parts[i].copies.way->kind != SPMV_CSR)
                spmv_copies_reformat(&side->parts[i].copies, &csr, check);
    spmv_matrix_release(&csr);
}

void spmv_side_open(struct spmv_side *side, struct run *run, const char *matrix,
                    const struct spmv_task *task)
{
    if (side->turns == 0)
        side->turns = spmv_cache_turns(spmv_task_bytes(task), side->on_device, SPMV_TURNS_MAX);
    add_ways(side, run, matrix, task, spmv_own_ways);
    if (side->on_device)
        reformat(side, side->count, task, run->settings.check);
    add_ways(side, run, matrix, task, spmv_cusparse_ways);
    add_copy(side, run, task);
    add_triad(side, run, task);
}

void spmv_side_close(struct spmv_side *side)
{
    for (size_t i = 0; i < side->count; i++) {
        struct spmv_part *part = &side->parts[i];
        spmv_repeat_close(&part->repeat);
        if (part->kind == SPMV_PART_WAY)
            spmv_copies_close(&part->copies);
        else if (part->kind == SPMV_PART_COPY)
            spmv_stream_copy_close(&part->stream_copy);
        else
            spmv_triad_close(&part->triad);
    }
}
