/* path_nccl.c: ncclSend and ncclRecv, for comparison. NCCL is loaded at run time, so that programs
 * start where it is missing; its header must be there when this file is compiled. */
#include "common/error_cuda.h"

#include "path.h"

#if defined(SOFTGPU) || !defined(__has_include) || !__has_include(<nccl.h>)

static enum dm_status check(const struct rdma_config *config)
{
    (void)config;
#if defined(SOFTGPU)
    return dm_fail(DM_UNAVAILABLE,
                   "NCCL does not support the software GPU: this path needs a CUDA GPU (GPU=cuda)");
#else
    return dm_fail(DM_UNAVAILABLE,
                   "this was compiled without nccl.h: install NCCL and build with NCCL_HOME=DIR, "
                   "the folder with include/nccl.h and lib/libnccl.so.2");
#endif
}

const struct path path_nccl = {.check = check};

#else

#include <dlfcn.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(NCCL_HOME)
#define NCCL_HOME ""
#endif

/* ---- the library ---- */

static struct {
    __typeof__(ncclGetUniqueId) *get_unique_id;
    __typeof__(ncclCommInitRank) *init_rank;
    __typeof__(ncclCommDestroy) *destroy;
    __typeof__(ncclCommAbort) *abort;
    __typeof__(ncclGroupStart) *group_start;
    __typeof__(ncclGroupEnd) *group_end;
    __typeof__(ncclSend) *send;
    __typeof__(ncclRecv) *receive;
    __typeof__(ncclGetErrorString) *error_string;
} nccl;

static enum dm_status status_of(ncclResult_t result, const char *call)
{
    if (result == ncclSuccess)
        return DM_OK;
    return dm_fail(DM_FAILED, "%s: %s", call, nccl.error_string(result));
}

/* That of the environment, that of the compilation, and whatever the loader finds. */
static void *open_library(void)
{
    const char *homes[] = {getenv("NCCL_HOME"), NCCL_HOME};
    char path[4096];
    void *library = NULL;
    for (size_t i = 0; i < sizeof homes / sizeof *homes && !library; i++)
        if (homes[i] && homes[i][0]) {
            snprintf(path, sizeof path, "%s/lib/libnccl.so.2", homes[i]);
            library = dlopen(path, RTLD_NOW);
        }
    return library ? library : dlopen("libnccl.so.2", RTLD_NOW);
}

static enum dm_status check(const struct rdma_config *config)
{
    const struct {
        const char *name;
        void *function;
    } needed[] = {{"ncclGetUniqueId", &nccl.get_unique_id},
                  {"ncclCommInitRank", &nccl.init_rank},
                  {"ncclCommDestroy", &nccl.destroy},
                  {"ncclCommAbort", &nccl.abort},
                  {"ncclGroupStart", &nccl.group_start},
                  {"ncclGroupEnd", &nccl.group_end},
                  {"ncclSend", &nccl.send},
                  {"ncclRecv", &nccl.receive},
                  {"ncclGetErrorString", &nccl.error_string}};
    static void *library;

    (void)config;
    if (library)
        return DM_OK;
    /* Multicast serves collectives alone, and where it breaks it takes the links of the host with
     * it. NCCL reads this when it is loaded. */
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    void *found = open_library();
    if (!found)
        return dm_fail(
            DM_UNAVAILABLE,
            "libnccl.so.2 cannot be loaded: set NCCL_HOME to the folder whose lib it is in");
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        void *function = dlsym(found, needed[i].name);
        if (!function) {
            dlclose(found);
            return dm_fail(
                DM_UNAVAILABLE,
                "this libnccl.so.2 is older than 2.7 and cannot send: install a newer one");
        }
        memcpy(needed[i].function, &function, sizeof function); /* C has no such conversion */
    }
    library = found;
    return DM_OK;
}

/* ---- an end ---- */

/* The two bytes stand for an empty block: of none NCCL moves nothing, and does not even wait. */
struct nccl_end {
    ncclComm_t pair;
    cudaStream_t stream;
    cudaEvent_t done;
    bool is_launched;                   /* what was started is on its way */
    void *tokens;                       /* on the device */
    size_t *receive_bytes, *send_bytes; /* of what was started */
};

static enum dm_status start_receive(struct rdma_end *end, size_t bytes)
{
    struct nccl_end *state = end->state;
    state->receive_bytes[end->receives - 1] = bytes;
    return DM_OK;
}

static enum dm_status start_send(struct rdma_end *end, size_t bytes)
{
    struct nccl_end *state = end->state;
    state->send_bytes[end->sends - 1] = bytes;
    return DM_OK;
}

static enum dm_status add_to_group(const struct rdma_end *end)
{
    const struct nccl_end *state = end->state;
    const int peer = end->contact.peer;
    char *tokens = state->tokens;
    for (int i = 0; i < end->receives; i++) {
        size_t bytes = state->receive_bytes[i];
        TRY(status_of(nccl.receive(bytes ? end->receive_buffer : tokens, bytes ? bytes : 1,
                                   ncclChar, peer, state->pair, state->stream),
                      "ncclRecv"));
    }
    for (int i = 0; i < end->sends; i++) {
        size_t bytes = state->send_bytes[i];
        TRY(status_of(nccl.send(bytes ? end->send_buffer : tokens + 1, bytes ? bytes : 1, ncclChar,
                                peer, state->pair, state->stream),
                      "ncclSend"));
    }
    return DM_OK;
}

/* All that was started, as one group: alone, a send and a receive would wait for each other. */
static enum dm_status launch_group(const struct rdma_end *end)
{
    TRY(status_of(nccl.group_start(), "ncclGroupStart"));
    enum dm_status status = add_to_group(end);
    ncclResult_t result = nccl.group_end();
    return status != DM_OK ? status : status_of(result, "ncclGroupEnd");
}

static enum dm_status wait_nccl(struct rdma_end *end)
{
    struct nccl_end *state = end->state;
    if (!state->is_launched) {
        TRY(launch_group(end));
        TRY_CUDA(cudaEventRecord(state->done, state->stream));
        state->is_launched = true;
    }
    TRY(event_wait(&end->contact, state->done, "a block"));
    state->is_launched = false;
    return DM_OK;
}

/* The first transfer connects both GPUs and loads kernels, which takes a second and waits for
 * everything that runs on the device. */
static enum dm_status connect(struct rdma_end *end)
{
    end->receives = end->sends = 1;
    start_receive(end, end->config.bytes);
    start_send(end, end->config.bytes);
    enum dm_status status = wait_nccl(end);
    end->receives = end->sends = 0;
    return status;
}

static enum dm_status prepare(struct nccl_end *state, size_t window)
{
    state->receive_bytes = calloc(window, sizeof *state->receive_bytes);
    state->send_bytes = calloc(window, sizeof *state->send_bytes);
    if (!state->receive_bytes || !state->send_bytes)
        return error_no_memory(2 * window * sizeof *state->send_bytes);
    TRY_CUDA(cudaMalloc(&state->tokens, 2));
    TRY_CUDA(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
    return status_of_cuda(cudaEventCreateWithFlags(&state->done, cudaEventDisableTiming));
}

static enum dm_status open_nccl(struct rdma_end *end)
{
    struct nccl_end *state = end->state;
    const int rank = end->contact.rank;
    ncclUniqueId mine = {0}, theirs;
    enum dm_status status = prepare(state, (size_t)end->config.window);
    if (status == DM_OK && rank == 0)
        status = status_of(nccl.get_unique_id(&mine), "ncclGetUniqueId");
    TRY(contact_exchange(&end->contact, status, &mine, &theirs, sizeof mine));
    /* NCCL has no time limit here. */
    TRY(status_of(nccl.init_rank(&state->pair, 2, rank == 0 ? mine : theirs, rank),
                  "ncclCommInitRank"));
    return connect(end);
}

/* Only the abort does not wait for a transfer that never ends. */
static void close_nccl(struct rdma_end *end)
{
    struct nccl_end *state = end->state;
    if (state->pair && (state->is_launched || end->failed != DM_OK || end->contact.is_lost))
        nccl.abort(state->pair);
    else if (state->pair)
        nccl.destroy(state->pair);
    if (state->done)
        cudaEventDestroy(state->done);
    if (state->stream)
        cudaStreamDestroy(state->stream);
    cudaFree(state->tokens);
    free(state->receive_bytes);
    free(state->send_bytes);
}

const struct path path_nccl = {
    .check = check,
    .state_bytes = sizeof(struct nccl_end),
    .open = open_nccl,
    .start_receive = start_receive,
    .start_send = start_send,
    .wait = wait_nccl,
    .close = close_nccl,
    .needs_devices = true,
    .own_devices = true,
};

#endif
