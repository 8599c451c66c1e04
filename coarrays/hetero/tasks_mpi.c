/* Handing out tasks by a thread of rank 0 that replies to messages. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include <datamotion/coarrays.h>

#include "common/error.h"

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
    /* How the boss ended, and the sentence of its thread: valid once it has failed or was joined.
     */
    enum dm_status boss_status;
    char boss_sentence[512];
    atomic_bool boss_failed;
};

static bool has_boss(void)
{
    return caf_this_image() == 1;
}

static void destroy(void *context)
{
    struct state *state = context;
    if (!state)
        return;
    if (state->comm != MPI_COMM_NULL)
        MPI_Comm_free(&state->comm);
    free(state->packets);
    free(state->packet);
    free(state);
}

static enum dm_status obtain(uint64_t **memory, size_t words)
{
    *memory = calloc(words ? words : 1, sizeof **memory);
    return *memory ? DM_OK : error_no_memory(words * sizeof **memory);
}

static enum dm_status open_state(struct state *state, const uint64_t *input)
{
    size_t words = state->packet_words - 1;
    TRY(obtain(&state->packet, state->packet_words));
    TRY_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &state->comm));
    if (!has_boss())
        return DM_OK;
    TRY(obtain(&state->packets, (size_t)state->tasks * state->packet_words));
    for (int i = 0; i < state->tasks; i++) {
        uint64_t *packet = state->packets + (size_t)i * state->packet_words;
        packet[0] = (uint64_t)i;
        if (words > 0)
            memcpy(packet + 1, input + (size_t)i * words, words * sizeof *input);
    }
    return DM_OK;
}

static enum dm_status create(void **context, int tasks, const uint64_t *input, size_t words)
{
    struct state *state = malloc(sizeof *state);
    if (!state)
        return error_no_memory(sizeof *state);
    *state = (struct state){.tasks = tasks, .packet_words = words + 1, .comm = MPI_COMM_NULL};
    enum dm_status status = open_state(state, input);
    if (status == DM_OK)
        *context = state;
    else
        destroy(state);
    return status;
}

/* Ends when every image has got the reply that nothing is left. */
static enum dm_status reply_to_requests(const struct state *state)
{
    const uint64_t none = UINT64_MAX;
    int next = 0, working = caf_num_images();
    while (working > 0) {
        MPI_Status status;
        TRY_MPI(MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG_REQUEST, state->comm, &status));
        bool left = next < state->tasks;
        const uint64_t *packet =
            left ? state->packets + (size_t)next++ * state->packet_words : &none;
        working -= !left;
        TRY_MPI(MPI_Send(packet, left ? (int)state->packet_words : 1, MPI_UINT64_T,
                         status.MPI_SOURCE, TAG_TASK, state->comm));
    }
    return DM_OK;
}

static void *run_boss(void *context)
{
    struct state *state = context;
    state->boss_status = reply_to_requests(state);
    snprintf(state->boss_sentence, sizeof state->boss_sentence, "%s", dm_message());
    atomic_store(&state->boss_failed, state->boss_status != DM_OK);
    return NULL;
}

static enum dm_status error_of_boss(const struct state *state)
{
    return dm_fail(state->boss_status, "%s", state->boss_sentence);
}

static enum dm_status start(void *context)
{
    struct state *state = context;
    if (has_boss() && pthread_create(&state->boss, NULL, run_boss, state) != 0)
        return dm_fail(DM_FAILED, "no thread can be started to hand out tasks");
    return status_of_mpi(MPI_Barrier(state->comm));
}

/* Where the boss has failed no reply comes: its own image is told, and ends the others. */
static enum dm_status receive_packet(struct state *state)
{
    MPI_Request request;
    TRY_MPI(MPI_Irecv(state->packet, (int)state->packet_words, MPI_UINT64_T, 0, TAG_TASK,
                      state->comm, &request));
    for (int arrived = 0; has_boss() && !arrived; sched_yield()) {
        /* In this order, as the last reply may have come before the failure. */
        bool failed = atomic_load(&state->boss_failed);
        TRY_MPI(MPI_Test(&request, &arrived, MPI_STATUS_IGNORE));
        if (arrived || !failed)
            continue;
        TRY_MPI(MPI_Cancel(&request));
        TRY_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        return error_of_boss(state);
    }
    return status_of_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static enum dm_status next(void *context, uint64_t *input, int *task)
{
    struct state *state = context;
    TRY_MPI(MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_REQUEST, state->comm));
    TRY(receive_packet(state));
    *task = state->packet[0] == UINT64_MAX ? -1 : (int)state->packet[0];
    if (*task >= 0)
        memcpy(input, state->packet + 1, (state->packet_words - 1) * sizeof *input);
    return DM_OK;
}

static enum dm_status finish(void *context)
{
    struct state *state = context;
    if (has_boss()) {
        pthread_join(state->boss, NULL);
        if (state->boss_status != DM_OK)
            return error_of_boss(state);
    }
    return status_of_mpi(MPI_Barrier(state->comm));
}

const struct tasks_way tasks_mpi = {create, start, next, finish, destroy};
