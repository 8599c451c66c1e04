/* end.c: an end of a path: its buffers, what is started and waited for, open and close. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/error_cuda.h"
#include "common/memory.h"

#include "path.h"

/* ---- buffers ---- */

static const enum memory_kind kinds[RDMA_PLACES] = {
    [RDMA_PAGEABLE] = MEMORY_PAGEABLE,
    [RDMA_PINNED] = MEMORY_PINNED,
    [RDMA_DEVICE] = MEMORY_DEVICE,
};

/* A server without a GPU never calls CUDA, so the system locks the pages. */
static bool locks_by_itself(const struct rdma_config *config)
{
    return config->place == RDMA_PINNED && config->device < 0;
}

static size_t whole_pages(size_t bytes)
{
    return round_up(bytes, (size_t)sysconf(_SC_PAGESIZE));
}

static enum dm_status lock_memory(struct rdma_end *end, void **memory)
{
    const size_t bytes = whole_pages(end->config.bytes);
    void *made = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (made == MAP_FAILED)
        return dm_fail(DM_NO_MEMORY,
                       "%zu bytes of host memory are not available: choose a smaller size", bytes);
    end->is_locked &= mlock(made, bytes) == 0;
    *memory = made;
    return DM_OK;
}

static enum dm_status make_buffer(struct rdma_end *end, void *of_caller, void **buffer)
{
    *buffer = of_caller;
    if (of_caller)
        return DM_OK;
    return locks_by_itself(&end->config)
               ? lock_memory(end, buffer)
               : memory_obtain(kinds[end->config.place], end->config.bytes, buffer);
}

static enum dm_status make_buffers(struct rdma_end *end)
{
    if (end->path->own_buffers)
        return DM_OK;
    TRY(make_buffer(end, end->config.send_buffer, &end->send_buffer));
    return make_buffer(end, end->config.receive_buffer, &end->receive_buffer);
}

static void release_buffer(const struct rdma_end *end, const void *of_caller, void *buffer)
{
    if (!buffer || of_caller)
        return;
    if (locks_by_itself(&end->config))
        munmap(buffer, whole_pages(end->config.bytes));
    else
        memory_give_back(kinds[end->config.place], buffer);
}

static void release_buffers(const struct rdma_end *end)
{
    if (end->path->own_buffers || end->left_to_mpi)
        return;
    release_buffer(end, end->config.send_buffer, end->send_buffer);
    release_buffer(end, end->config.receive_buffer, end->receive_buffer);
}

/* ---- open and close ---- */

/* A communicator of the end's own, in which the lower rank is 0: messages of several ends, and
 * of the caller, do not meet. */
static enum dm_status join(struct contact *contact)
{
    enum { TAG = 20534 };
    const bool is_lower = contact->rank < contact->peer;
    const int members[2] = {is_lower ? contact->rank : contact->peer,
                            is_lower ? contact->peer : contact->rank};
    MPI_Group all, both = MPI_GROUP_NULL;
    MPI_Comm pair = MPI_COMM_NULL;
    TRY_MPI(MPI_Comm_group(contact->ranks, &all));
    enum dm_status status = status_of_mpi(MPI_Group_incl(all, 2, members, &both));
    MPI_Group_free(&all);
    TRY(status);
    status = status_of_mpi(MPI_Comm_create_group(contact->ranks, both, TAG, &pair));
    MPI_Group_free(&both);
    TRY(status);
    MPI_Comm_set_errhandler(pair, MPI_ERRORS_RETURN);
    contact->ranks = pair;
    contact->rank = is_lower ? 0 : 1;
    contact->peer = 1 - contact->rank;
    return DM_OK;
}

/* Both ranks call it. */
static void dismantle(struct rdma_end *end)
{
    if (end->is_open && end->path->disconnect)
        end->path->disconnect(end);
    contact_agree(&end->contact, DM_OK); /* memory that the other rank has mapped is not released */
    if (end->is_open)
        end->path->close(end);
    release_buffers(end);
    if (!end->left_to_mpi && !end->contact.is_lost)
        MPI_Comm_free(&end->contact.ranks);
    free(end->state);
    free(end);
}

/* An error that is reported here shall not be found later. */
static void forget_cuda_error(const struct rdma_end *end)
{
    if (end->config.device >= 0)
        (void)cudaGetLastError();
}

static enum dm_status abandon(struct rdma_end *end, enum dm_status status)
{
    char sentence[1024];
    forget_cuda_error(end);
    snprintf(sentence, sizeof sentence, "%s", dm_message());
    dismantle(end);
    return dm_fail(status, "%s", sentence);
}

/* An end and its state, all zero. */
static enum dm_status make(struct rdma_end **end, const struct path *path)
{
    *end = calloc(1, sizeof **end);
    if (!*end)
        return error_no_memory(sizeof **end);
    (*end)->path = path;
    (*end)->is_locked = true;
    (*end)->state = calloc(1, path->state_bytes);
    return (*end)->state ? DM_OK : error_no_memory(path->state_bytes);
}

/* Nothing of the path was opened before: both ranks come as far. */
static enum dm_status prepare(struct rdma_end *end, struct contact *contact,
                              const struct rdma_config *config, enum dm_status status)
{
    if (status == DM_OK && config->device >= 0)
        status = status_of_cuda(cudaSetDevice(config->device));
    TRY(contact_learn_cores(contact, status));
    end->config = *config;
    end->config.path = contact->path;
    TRY(join(contact)); /* need not wait after what was just exchanged */
    end->contact = *contact;
    return DM_OK;
}

static enum dm_status open_path(struct rdma_end **end, struct contact contact,
                                const struct rdma_config *config, enum rdma_path path)
{
    struct rdma_end *made;
    TRY(path_check(&contact, config, path));
    enum dm_status status = make(&made, path_of(path));
    status = prepare(made, &contact, config, status);
    if (status != DM_OK) {
        free(made ? made->state : NULL);
        free(made);
        return status;
    }
    status = contact_agree(&made->contact, make_buffers(made));
    made->is_open = status == DM_OK;
    if (made->is_open)
        status = contact_agree(&made->contact, made->path->open(made));
    if (status != DM_OK)
        return abandon(made, status);
    *end = made;
    return DM_OK;
}

enum dm_status rdma_open(struct rdma_end **end, const struct rdma_config *config)
{
    struct contact contact;
    enum rdma_path candidates[RDMA_PATHS];
    enum dm_status status = DM_UNAVAILABLE;
    *end = NULL;
    TRY(contact_make(&contact, config));
    const int count = path_candidates(config, candidates);
    for (int i = 0; i < count && status == DM_UNAVAILABLE; i++)
        status = open_path(end, contact, config, candidates[i]);
    return status;
}

void rdma_close(struct rdma_end *end)
{
    if (end)
        dismantle(end);
}

enum rdma_path rdma_end_path(const struct rdma_end *end)
{
    return end->config.path;
}

void *rdma_send_buffer(const struct rdma_end *end)
{
    return end->send_buffer;
}

void *rdma_receive_buffer(const struct rdma_end *end)
{
    return end->receive_buffer;
}

bool rdma_buffers_are_locked(const struct rdma_end *end)
{
    return end->is_locked;
}

double rdma_staging_s(const struct rdma_end *end)
{
    return end->staging_s;
}

/* ---- blocks ---- */

static enum dm_status refuse(const struct rdma_end *end, const char *what, size_t bytes)
{
    if (end->failed != DM_OK)
        return dm_fail(end->failed, "%s was started at an end that has failed before: close it",
                       what);
    if (bytes > end->config.bytes)
        return dm_fail(DM_INVALID, "%s of %zu bytes was started at an end for %zu", what, bytes,
                       end->config.bytes);
    return dm_fail(DM_INVALID, "%s was started beyond the window of %d: rdma_wait first", what,
                   end->config.window);
}

/* The end cannot be used any more if it fails halfway. */
static enum dm_status keep(struct rdma_end *end, enum dm_status status)
{
    if (status == DM_OK)
        return DM_OK;
    end->failed = status;
    forget_cuda_error(end);
    return status;
}

static bool is_startable(const struct rdma_end *end, int started, size_t bytes)
{
    return end->failed == DM_OK && bytes <= end->config.bytes && started < end->config.window;
}

enum dm_status rdma_start_receive(struct rdma_end *end, size_t bytes)
{
    if (!is_startable(end, end->receives, bytes))
        return refuse(end, "a receive", bytes);
    end->receives++;
    return keep(end, end->path->start_receive(end, bytes));
}

enum dm_status rdma_start_send(struct rdma_end *end, size_t bytes)
{
    if (!is_startable(end, end->sends, bytes))
        return refuse(end, "a send", bytes);
    end->sends++;
    return keep(end, end->path->start_send(end, bytes));
}

enum dm_status rdma_wait(struct rdma_end *end)
{
    if (end->failed != DM_OK)
        return dm_fail(end->failed, "a wait at an end that has failed before: close it");
    enum dm_status status = end->path->wait(end);
    if (status == DM_TIMEOUT)
        return status;
    end->receives = end->sends = 0;
    return keep(end, status);
}

enum dm_status rdma_send(struct rdma_end *end, size_t bytes)
{
    TRY(rdma_start_send(end, bytes));
    return rdma_wait(end);
}

enum dm_status rdma_receive(struct rdma_end *end, size_t bytes)
{
    TRY(rdma_start_receive(end, bytes));
    return rdma_wait(end);
}
