#include "pair_task.h"

#include "common/clock.h"
#include "common/harness/scope.h"
#include "common/random.h"

#include "images.h"

/* ---- samples ---- */

static void send(struct pair_task *task)
{
    check_mpi(MPI_Send(task->source, (int)task->bytes, MPI_BYTE, task->partner, 0, MPI_COMM_WORLD));
}

static void receive(struct pair_task *task)
{
    check_mpi(MPI_Recv(task->arrived, (int)task->bytes, MPI_BYTE, task->partner, 0, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE));
}

/* A round trip is two blocks, one after the other. */
static double send_there_and_back(struct pair_task *task)
{
    double start_s = clock_now_s();
    for (int i = 0; i < task->times; i++) {
        if (task->is_first)
            send(task);
        receive(task);
        if (!task->is_first)
            send(task);
    }
    return (clock_now_s() - start_s) / (2 * task->times);
}

static void get_mpi(struct pair_task *task)
{
    int bytes = (int)task->bytes;
    for (int i = 0; i < task->times; i++) {
        check_mpi(MPI_Get(task->arrived, bytes, MPI_BYTE, task->partner, 0, bytes, MPI_BYTE,
                          task->window));
        check_mpi(MPI_Win_flush(task->partner, task->window));
    }
}

static void get_caf(struct pair_task *task)
{
    for (int i = 0; i < task->times; i++)
        check_status(caf_get(task->arrived, task->coarray, task->partner + 1, 0, task->bytes));
}

/* The first of a pair gets; the other one waits inside MPI. */
double pair_sample(void *context)
{
    struct pair_task *task = context;
    if (task->variant == PAIR_SENDRECV)
        return send_there_and_back(task);
    double start_s = clock_now_s();
    if (!task->is_first)
        return 0;
    if (task->variant == PAIR_MPI_GET)
        get_mpi(task);
    else
        get_caf(task);
    return (clock_now_s() - start_s) / task->times;
}

/* ---- before and after ---- */

void pair_open(struct pair_task *task, uint64_t seed)
{
    size_t bytes = task->bytes;
    int half = ranks.count / 2;
    task->is_first = ranks.rank < half;
    task->partner = task->is_first ? ranks.rank + half : ranks.rank - half;
    task->seed = seed;
    task->arrived = scope_zeros(MEMORY_PAGEABLE, bytes);
    if (task->variant == PAIR_MPI_GET) {
        check_mpi(MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &task->source,
                                   &task->window));
        check_mpi(MPI_Win_lock_all(0, task->window));
    } else if (task->variant == PAIR_CAF_GET) {
        check_status(caf_allocate(&task->coarray, bytes, CAF_DATA, (void **)&task->source));
    } else {
        task->source = scope_allocate(MEMORY_PAGEABLE, bytes);
    }
    random_fill_bytes(task->source, bytes, task->seed + (uint64_t)ranks.rank);
    if (task->variant == PAIR_MPI_GET)
        check_mpi(MPI_Win_sync(task->window));
    check_status(caf_sync_all());
}

void pair_close(void *context)
{
    struct pair_task *task = context;
    if (task->variant == PAIR_MPI_GET) {
        check_mpi(MPI_Win_unlock_all(task->window));
        check_mpi(MPI_Win_free(&task->window));
    } else if (task->variant == PAIR_CAF_GET) {
        check_status(caf_free(task->coarray));
    }
}

long pair_errors(const struct pair_task *task)
{
    if (task->variant != PAIR_SENDRECV && !task->is_first)
        return images_sum(0);
    return images_sum((long)random_count_wrong_bytes(task->arrived, task->bytes,
                                                     task->seed + (uint64_t)task->partner));
}
