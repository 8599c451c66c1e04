#include "onesided_task.h"

#include <string.h>

#include "common/clock.h"
#include "common/harness/scope.h"
#include "common/random.h"

#include "images.h"

bool onesided_is_late(const struct onesided_task *task)
{
    return task->variant == ONESIDED_PASSIVE || task->variant == ONESIDED_ACTIVE;
}

void onesided_open(struct onesided_task *task, uint64_t seed)
{
    size_t bytes = task->bytes;
    task->seed = seed;
    task->source = scope_random(MEMORY_PAGEABLE, bytes, task->seed);
    if (task->variant == ONESIDED_ACTIVE) {
        /* MPICH 4.0 puts into the neighbour's window where windows are of 8 bytes. */
        const MPI_Aint window_bytes = bytes < 16 ? 16 : (MPI_Aint)bytes;
        check_mpi(MPI_Win_allocate(window_bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &task->memory,
                                   &task->window));
        check_mpi(MPI_Win_fence(0, task->window));
    } else {
        check_status(caf_allocate(&task->coarray, bytes, CAF_DATA, (void **)&task->memory));
    }
    memset(task->memory, 0, bytes);
    check_status(caf_sync_all());
}

void onesided_close(void *context)
{
    struct onesided_task *task = context;
    if (task->variant == ONESIDED_ACTIVE)
        check_mpi(MPI_Win_free(&task->window));
    else
        check_status(caf_free(task->coarray));
}

/* The target's work: it calls nothing that would let a transfer progress. */
static void compute_when_target(const struct onesided_task *task)
{
    double start_s = clock_now_s();
    while (ranks.rank == ranks.count - 1 && clock_now_s() - start_s < task->late_s)
        ;
}

static void put_to_last(struct onesided_task *task)
{
    if (ranks.rank == 0) {
        check_status(caf_put(task->coarray, ranks.count, 0, task->source, task->bytes));
        check_status(caf_sync_memory());
    } else {
        compute_when_target(task);
    }
}

static void put_between_fences(struct onesided_task *task)
{
    compute_when_target(task);
    check_mpi(MPI_Win_fence(0, task->window));
    if (ranks.rank == 0)
        check_mpi(MPI_Put(task->source, (int)task->bytes, MPI_BYTE, ranks.count - 1, 0,
                          (int)task->bytes, MPI_BYTE, task->window));
    check_mpi(MPI_Win_fence(0, task->window));
}

static void broadcast(struct onesided_task *task)
{
    check_status(caf_broadcast(ranks.rank ? task->memory : task->source, task->bytes, 1));
}

static void put_to_all(struct onesided_task *task)
{
    for (int image = 2; ranks.rank == 0 && image <= ranks.count; image++)
        check_status(caf_put(task->coarray, image, 0, task->source, task->bytes));
    check_status(caf_sync_all());
}

double onesided_sample(void *context)
{
    static void (*const operations[])(struct onesided_task *) = {
        [ONESIDED_PASSIVE] = put_to_last,
        [ONESIDED_ACTIVE] = put_between_fences,
        [ONESIDED_COLLECTIVE] = broadcast,
        [ONESIDED_PUTS] = put_to_all,
    };
    struct onesided_task *task = context;
    double start_s = clock_now_s();
    operations[task->variant](task);
    double time_s = clock_now_s() - start_s;
    return onesided_is_late(task) && ranks.rank > 0 ? 0 : time_s;
}

long onesided_errors(const struct onesided_task *task)
{
    check_status(caf_sync_all());
    bool is_target = onesided_is_late(task) ? ranks.rank == ranks.count - 1 : ranks.rank > 0;
    return images_sum(
        is_target ? (long)random_count_wrong_bytes(task->memory, task->bytes, task->seed) : 0);
}
