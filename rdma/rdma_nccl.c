/* rdma_nccl.c: ncclSend and ncclRecv, for comparison. NCCL is loaded at run time, so that programs
 * start where it is missing; its header must be there when this file is compiled. */
#include "rdma_internal.h"
#include "status.h"

#if defined(SOFTGPU) || !defined(__has_include) || !__has_include(<nccl.h>)

static const char *nccl_complaint(const struct rdma_config *config)
{
    (void)config;
#if defined(SOFTGPU)
    return "NCCL knows no software GPU: this path needs a CUDA GPU (GPU=cuda)";
#else
    return "the programs were compiled without nccl.h: install NCCL and build with NCCL_HOME=DIR, "
           "the folder with include/nccl.h and lib/libnccl.so.2";
#endif
}

const struct rdma_operations rdma_nccl_operations = {.complaint = nccl_complaint};

#else

#include "ranks.h"

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
    __typeof__(ncclGroupStart) *group_start;
    __typeof__(ncclGroupEnd) *group_end;
    __typeof__(ncclSend) *send;
    __typeof__(ncclRecv) *receive;
    __typeof__(ncclGetErrorString) *error_string;
} nccl;

#define check_nccl(expression)                                                                     \
    do {                                                                                           \
        ncclResult_t check_result = (expression);                                                  \
        if (check_result != ncclSuccess)                                                           \
            fail_expression(#expression, nccl.error_string(check_result), __FILE__, __LINE__);     \
    } while (0)

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

/* NULL, or why NCCL cannot be used. */
static const char *load(void)
{
    const struct {
        const char *name;
        void *function;
    } wanted[] = {{"ncclGetUniqueId", &nccl.get_unique_id},
                  {"ncclCommInitRank", &nccl.init_rank},
                  {"ncclCommDestroy", &nccl.destroy},
                  {"ncclGroupStart", &nccl.group_start},
                  {"ncclGroupEnd", &nccl.group_end},
                  {"ncclSend", &nccl.send},
                  {"ncclRecv", &nccl.receive},
                  {"ncclGetErrorString", &nccl.error_string}};
    static void *library;

    if (library)
        return NULL;
    /* Multicast serves collectives alone, and where it breaks it takes the links of the host with
     * it. NCCL reads this when it is loaded. */
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    void *found = open_library();
    if (!found)
        return "libnccl.so.2 cannot be loaded: set NCCL_HOME to the folder whose lib it is in";
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *function = dlsym(found, wanted[i].name);
        if (!function) {
            dlclose(found);
            return "this libnccl.so.2 is older than 2.7 and cannot send: install a newer one";
        }
        memcpy(wanted[i].function, &function, sizeof function); /* C has no such conversion */
    }
    library = found;
    return NULL;
}

/* NCCL refuses two ranks on one GPU, and it must not be asked in vain: its refusal ends in
 * different errors at the two ranks. */
static const char *nccl_complaint(const struct rdma_config *config)
{
    int devices = 0;

    (void)config;
    check_cuda(cudaGetDeviceCount(&devices));
    if (devices < ranks.local_count)
        return "NCCL wants a GPU for each rank, and this host has fewer GPUs than ranks";
    return load();
}

/* ---- an end ---- */

/* The two bytes stand for a block of none: NCCL moves nothing then, and would not even wait. */
struct nccl_end {
    ncclComm_t pair;
    cudaStream_t stream;
    cudaEvent_t done;
    char *token;                        /* on the device */
    size_t *receive_bytes, *send_bytes; /* of what was started */
};

static void nccl_start_receive(struct rdma_end *end, size_t bytes)
{
    struct nccl_end *state = end->state;
    state->receive_bytes[end->receives - 1] = bytes;
}

static void nccl_start_send(struct rdma_end *end, size_t bytes)
{
    struct nccl_end *state = end->state;
    state->send_bytes[end->sends - 1] = bytes;
}

/* All that was started, as one group: alone, a send and a receive would wait for one another. */
static void launch_group(const struct rdma_end *end)
{
    const struct nccl_end *state = end->state;
    int peer = end->config.peer;

    check_nccl(nccl.group_start());
    for (int i = 0; i < end->receives; i++) {
        size_t bytes = state->receive_bytes[i];
        check_nccl(nccl.receive(bytes ? end->receive_buffer : state->token, bytes ? bytes : 1,
                                ncclChar, peer, state->pair, state->stream));
    }
    for (int i = 0; i < end->sends; i++) {
        size_t bytes = state->send_bytes[i];
        check_nccl(nccl.send(bytes ? end->send_buffer : state->token + 1, bytes ? bytes : 1,
                             ncclChar, peer, state->pair, state->stream));
    }
    check_nccl(nccl.group_end());
}

static void nccl_wait(struct rdma_end *end)
{
    struct nccl_end *state = end->state;

    launch_group(end);
    check_cuda(cudaEventRecord(state->done, state->stream));
    rdma_wait_event(end, state->done, "a block");
}

/* The first transfer connects both GPUs and loads kernels, which takes a second and waits for
 * everything that runs on the device. */
static void connect(struct rdma_end *end)
{
    end->receives = end->sends = 1;
    nccl_start_receive(end, end->config.bytes);
    nccl_start_send(end, end->config.bytes);
    nccl_wait(end);
    end->receives = end->sends = 0;
}

static void nccl_open(struct rdma_end *end)
{
    struct nccl_end *state = allocate_or_fail(1, sizeof *state);
    ncclUniqueId mine = {0}, theirs;
    unsigned long window = (unsigned long)end->config.window;

    end->state = state;
    state->receive_bytes = allocate_or_fail(window, sizeof *state->receive_bytes);
    state->send_bytes = allocate_or_fail(window, sizeof *state->send_bytes);
    check_cuda(cudaMalloc((void **)&state->token, 2));
    check_cuda(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
    check_cuda(cudaEventCreateWithFlags(&state->done, cudaEventDisableTiming));
    if (end->rank == 0)
        check_nccl(nccl.get_unique_id(&mine));
    rdma_exchange(&end->config, &mine, &theirs, sizeof mine);
    /* NCCL has no limit of its own here; the program's time limit names what it was doing. */
    status_activity = "connecting both ranks by NCCL";
    check_nccl(nccl.init_rank(&state->pair, 2, end->rank == 0 ? mine : theirs, end->rank));
    connect(end);
    status_activity = NULL;
}

static void nccl_close(struct rdma_end *end)
{
    struct nccl_end *state = end->state;

    check_nccl(nccl.destroy(state->pair));
    check_cuda(cudaEventDestroy(state->done));
    check_cuda(cudaStreamDestroy(state->stream));
    check_cuda(cudaFree(state->token));
    free(state->receive_bytes);
    free(state->send_bytes);
    free(state);
}

const struct rdma_operations rdma_nccl_operations = {
    .complaint = nccl_complaint,
    .open = nccl_open,
    .start_receive = nccl_start_receive,
    .start_send = nccl_start_send,
    .wait = nccl_wait,
    .close = nccl_close,
    .needs_devices = true,
};

#endif
