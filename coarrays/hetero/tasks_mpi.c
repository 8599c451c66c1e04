/* Handing out tasks by a thread of rank 0 that replies to messages. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "common/harness/exit.h"
#include "common/harness/ranks.h"

#include "tasks.h"

enum { TAG_REQUEST, TAG_TASK };

/* A task and its input lie together as they are sent: word 0 is the task's number. */
struct state {
    int tasks;
    size_t packet_words;
    uint64_t *packets; /* of all tasks, on rank 0 */
    uint64_t *packet;  /* what arrived here */
    MPI_Comm comm;
    pthread_t boss;
};

static void *create(int tasks, const uint64_t *input, size_t words)
{
    struct state *state = allocate_or_fail(1, sizeof *state);
    *state = (struct state){.tasks = tasks, .packet_words = words + 1};
    state->packet = allocate_or_fail(state->packet_words, sizeof *state->packet);
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &state->comm));
    if (ranks.rank > 0)
        return state;
    state->packets = allocate_or_fail((size_t)tasks * state->packet_words, sizeof(uint64_t));
    for (int i = 0; i < tasks; i++) {
        uint64_t *packet = state->packets + (size_t)i * state->packet_words;
        packet[0] = (uint64_t)i;
        if (words > 0)
            memcpy(packet + 1, input + (size_t)i * words, words * sizeof *input);
    }
    return state;
}

/* Ends when every image has got the reply that nothing is left. */
static void *reply_to_requests(void *context)
{
    const struct state *state = context;
    const uint64_t none = UINT64_MAX;
    int next = 0, working = ranks.count;
    while (working > 0) {
        MPI_Status status;
        check_mpi(MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG_REQUEST, state->comm, &status));
        bool left = next < state->tasks;
        const uint64_t *packet =
            left ? state->packets + (size_t)next++ * state->packet_words : &none;
        working -= !left;
        check_mpi(MPI_Send(packet, left ? (int)state->packet_words : 1, MPI_UINT64_T,
                           status.MPI_SOURCE, TAG_TASK, state->comm));
    }
    return NULL;
}

static void start(void *context)
{
    struct state *state = context;
    if (ranks.rank == 0 && pthread_create(&state->boss, NULL, reply_to_requests, state) != 0)
        fail("no thread can be started to hand out tasks");
    ranks.barrier();
}

static int next(void *context, uint64_t *input)
{
    struct state *state = context;
    check_mpi(MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_REQUEST, state->comm));
    check_mpi(MPI_Recv(state->packet, (int)state->packet_words, MPI_UINT64_T, 0, TAG_TASK,
                       state->comm, MPI_STATUS_IGNORE));
    if (state->packet[0] == UINT64_MAX)
        return -1;
    memcpy(input, state->packet + 1, (state->packet_words - 1) * sizeof *input);
    return (int)state->packet[0];
}

static void finish(void *context)
{
    struct state *state = context;
    if (ranks.rank == 0)
        pthread_join(state->boss, NULL);
    ranks.barrier();
}

static void destroy(void *context)
{
    struct state *state = context;
    check_mpi(MPI_Comm_free(&state->comm));
    free(state->packets);
    free(state->packet);
    free(state);
}

const struct tasks_way tasks_mpi = {create, start, next, finish, destroy};
