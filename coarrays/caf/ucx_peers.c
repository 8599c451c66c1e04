/* One endpoint to each image, made at the start. One whose image dies completes what is on its way
 * with an error. */
#if HAVE_UCX
#include "ucx_peers.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agree.h"
#include "control.h"
#include "error.h"
#include "wait.h"
#include "watch.h"

/* How long the watch may take to tell what UCX has seen. */
static const double VERDICT_S = 2;

struct peer *peers;
ucp_context_h ucx_context;
ucp_worker_h ucx_worker;
const ucp_request_param_t ucx_plain;

enum dm_status of_ucx(ucs_status_t status, const char *what)
{
    if (status == UCS_OK)
        return DM_OK;
    return dm_fail(DM_FAILED, "%s: UCX: %s", what, ucx.ucs_status_string(status));
}
/* ---- endpoints ---- */

static void note_broken(void *peer, ucp_ep_h endpoint, ucs_status_t status)
{
    (void)endpoint;
    (void)status;
    ((struct peer *)peer)->broken = true;
}

static enum dm_status make_endpoint(struct peer *peer)
{
    ucp_ep_params_t wish = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                                          UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                                          UCP_EP_PARAM_FIELD_ERR_HANDLER,
                            .address = peer->address,
                            .err_mode = UCP_ERR_HANDLING_MODE_PEER,
                            .err_handler = {note_broken, peer}};
    return of_ucx(ucx.ucp_ep_create(ucx_worker, &wish, &peer->endpoint), "an endpoint");
}

bool peer_is_lost(int image)
{
    return image_state(image) == IMAGE_FAILED;
}

/* What is on its way then completes with an error. */
void peer_forget(int image)
{
    struct peer *peer = &peers[image];
    if (!peer->endpoint || peer->broken)
        return;
    ucp_request_param_t now = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                               .flags = UCP_EP_CLOSE_FLAG_FORCE};
    messages_hold();
    ucs_status_ptr_t request = ucx.ucp_ep_close_nbx(peer->endpoint, &now);
    if (UCS_PTR_IS_PTR(request))
        ucx.ucp_request_free(request);
    peer->broken = true;
    messages_release();
}

/* UCX has lost the image: whether it has ended is the watch's to say. DM_OK if so. */
enum dm_status peer_verdict(const char *statement, int image, ucs_status_t status)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int turn = 0; turn < 1000 * VERDICT_S; turn++) {
        watch_images(true);
        if (image_state(image) != IMAGE_RUNNING)
            return DM_OK;
        nanosleep(&pause, NULL);
    }
    return dm_fail(DM_FAILED, "%s: UCX has lost image %d, which has not ended: %s", statement,
                   image, ucx.ucs_status_string(status));
}

static ucs_status_t state_of(ucs_status_ptr_t request)
{
    messages_hold();
    ucs_status_t status = ucx.ucp_request_check_status(request);
    messages_release();
    return status;
}

static void forget_request(ucs_status_ptr_t request)
{
    messages_hold();
    ucx.ucp_request_free(request);
    messages_release();
}

/* Waits for an operation on an image. *reached is false if that has ended. */
enum dm_status peer_complete(const char *statement, int image, ucs_status_ptr_t request,
                             bool *reached)
{
    ucs_status_t status = UCS_PTR_IS_PTR(request) ? UCS_INPROGRESS : UCS_PTR_STATUS(request);
    enum dm_status waited = DM_OK;
    if (status == UCS_INPROGRESS) {
        struct wait wait = wait_start(statement);
        while ((status = state_of(request)) == UCS_INPROGRESS &&
               (waited = wait_turn(&wait)) == DM_OK)
            if (peer_is_lost(image))
                peer_forget(image);
        forget_request(request);
    }
    *reached = status == UCS_OK;
    if (waited != DM_OK || status == UCS_OK)
        return waited;
    return peer_verdict(statement, image, status);
}

enum dm_status peer_flush(int image)
{
    bool reached;
    if (!peers[image].endpoint || peers[image].broken)
        return DM_OK;
    messages_hold();
    ucs_status_ptr_t request = ucx.ucp_ep_flush_nbx(peers[image].endpoint, &ucx_plain);
    messages_release();
    return peer_complete("SYNC MEMORY", image, request, &reached);
}

/* ---- start and end ---- */

/* Atomic operations with the processor's, also where a network card could do them alone; and not by
 * the protocols that UCX 1.16 takes by default, which have none for compare-and-swap over TCP: an
 * endpoint ended at the first. A UCX that does not know the name has no others. */
static enum dm_status configure(ucp_config_t *config)
{
    ucs_status_t status = ucx.ucp_config_modify(config, "PROTO_ENABLE", "n");
    if (status != UCS_ERR_NO_ELEM)
        TRY(of_ucx(status, "UCX_PROTO_ENABLE=n"));
    return of_ucx(ucx.ucp_config_modify(config, "ATOMIC_MODE", "cpu"), "UCX_ATOMIC_MODE=cpu");
}

static enum dm_status open_context(void)
{
    ucp_config_t *config;
    ucp_params_t wish = {.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS,
                         .features = UCP_FEATURE_RMA | UCP_FEATURE_AMO32 | UCP_FEATURE_AM,
                         .estimated_num_eps = (size_t)runtime.images};
    TRY(ucx_load());
    TRY(of_ucx(ucx.ucp_config_read(NULL, NULL, &config), "start"));
    enum dm_status status = configure(config);
    if (status == DM_OK)
        status =
            of_ucx(ucx.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &wish, config, &ucx_context),
                   "start");
    ucx.ucp_config_release(config);
    return status;
}

static enum dm_status open_worker(void)
{
    ucp_worker_params_t wish = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    TRY(open_context());
    TRY(of_ucx(ucx.ucp_worker_create(ucx_context, &wish, &ucx_worker), "start"));
    return ucx_messages_start();
}

static enum dm_status share_addresses(const void *own, uint64_t bytes)
{
    uint64_t longest = bytes;
    TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_UINT64_T, MPI_MAX, runtime.all));
    char *mine = calloc(1, longest), *all = calloc((size_t)runtime.images, longest);
    enum dm_status status = agree(mine && all ? DM_OK : error_no_memory(longest));
    if (status == DM_OK) {
        memcpy(mine, own, bytes);
        status = status_of_mpi(
            MPI_Allgather(mine, (int)longest, MPI_BYTE, all, (int)longest, MPI_BYTE, runtime.all));
    }
    for (int image = 1; status == DM_OK && image <= runtime.images; image++)
        peers[image].address = all + (size_t)(image - 1) * longest;
    free(mine);
    if (status != DM_OK)
        free(all);
    return status;
}

void peers_end(void)
{
    ucx_helper_end();
    for (int image = 1; peers && image <= runtime.images; image++)
        peer_forget(image);
    if (ucx_worker)
        ucx.ucp_worker_destroy(ucx_worker);
    if (ucx_context)
        ucx.ucp_cleanup(ucx_context);
    if (peers)
        free(peers[1].address);
    free(peers);
    ucx_worker = NULL;
    ucx_context = NULL;
    peers = NULL;
}

static void connect_peer(struct peer *peer)
{
    ucs_status_ptr_t flushed = ucx.ucp_ep_flush_nbx(peer->endpoint, &ucx_plain);
    while (UCS_PTR_IS_PTR(flushed) && ucx.ucp_request_check_status(flushed) == UCS_INPROGRESS &&
           !peer->broken)
        ucx.ucp_worker_progress(ucx_worker);
    if (UCS_PTR_IS_PTR(flushed))
        ucx.ucp_request_free(flushed);
}

/* To make an endpoint to a host that has died would take as long as TCP tries to reach it. And UCX
 * 1.13 may crash over TCP where an endpoint is made while a message from the same image is handled:
 * so all exist before the first call that handles any. The images serve one another until all are
 * connected. */
static enum dm_status make_acquaintances(void)
{
    MPI_Request request;
    int done = 0;
    enum dm_status status = DM_OK;
    for (int image = 1; status == DM_OK && image <= runtime.images; image++)
        status = make_endpoint(&peers[image]);
    TRY(agree(status));
    for (int image = 1; image <= runtime.images; image++)
        connect_peer(&peers[image]);
    TRY_MPI(MPI_Ibarrier(runtime.all, &request));
    while (!done) {
        ucx.ucp_worker_progress(ucx_worker);
        TRY_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    }
    return DM_OK;
}

enum dm_status peers_start(void)
{
    ucp_address_t *address;
    size_t bytes;
    peers = calloc((size_t)runtime.images + 1, sizeof *peers);
    enum dm_status status = peers ? open_worker() : error_no_memory(sizeof *peers);
    TRY(agree(status));
    TRY(agree(of_ucx(ucx.ucp_worker_get_address(ucx_worker, &address, &bytes), "start")));
    status = share_addresses(address, bytes);
    ucx.ucp_worker_release_address(ucx_worker, address);
    if (status == DM_OK)
        status = make_acquaintances();
    return status == DM_OK ? ucx_helper_start() : status;
}

#else
typedef int ucx_is_missing;
#endif
