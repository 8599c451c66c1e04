/* The conduit of UCX: one worker per image, an endpoint to each image that it speaks to, made when
 * it first does. Puts, gets and atomic operations are UCX's; messages are its active messages. An
 * endpoint whose image dies completes what is on its way with an error. */
#include "conduit.h"

#include "error.h"

#if HAVE_UCX
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agree.h"
#include "control.h"
#include "sync.h"
#include "team.h"
#include "ucx_calls.h"
#include "wait.h"
#include "watch.h"

enum {
    MESSAGE = 1,                /* id of the only active message */
    UNSENT_BYTES_MAX = 32 << 20 /* messages on their way beyond this are waited for */
};

/* How long the watch may take to tell what UCX has seen. */
static const double VERDICT_S = 2;

struct head {
    uint32_t image, kind;
};

static ucp_context_h context;
static ucp_worker_h worker;
static struct peer {
    void *address;
    ucp_ep_h endpoint;
    bool broken;   /* its endpoint has failed */
    bool farewell; /* it needs this image no more */
} * peers;         /* [image] */
static size_t unsent_bytes, puts_going;
static uint64_t delivered;
static enum dm_status heard; /* the first error of a message's handler */

static const ucp_request_param_t plain;

static enum dm_status of_ucx(ucs_status_t status, const char *what)
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

static enum dm_status find_endpoint(int image, ucp_ep_h *endpoint)
{
    struct peer *peer = &peers[image];
    if (!peer->endpoint) {
        ucp_ep_params_t wish = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                                              UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                                              UCP_EP_PARAM_FIELD_ERR_HANDLER,
                                .address = peer->address,
                                .err_mode = UCP_ERR_HANDLING_MODE_PEER,
                                .err_handler = {note_broken, peer}};
        TRY(of_ucx(ucx.ucp_ep_create(worker, &wish, &peer->endpoint), "an endpoint"));
    }
    *endpoint = peer->endpoint;
    return DM_OK;
}

static bool is_lost(int image)
{
    return image_state(image) == IMAGE_FAILED;
}

/* What is on its way then completes with an error. */
static void forget(int image)
{
    struct peer *peer = &peers[image];
    if (!peer->endpoint || peer->broken)
        return;
    ucp_request_param_t now = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                               .flags = UCP_EP_CLOSE_FLAG_FORCE};
    ucs_status_ptr_t request = ucx.ucp_ep_close_nbx(peer->endpoint, &now);
    if (UCS_PTR_IS_PTR(request))
        ucx.ucp_request_free(request);
    peer->broken = true;
}

/* UCX has lost the image: whether it has ended is the watch's to say. DM_OK if so. */
static enum dm_status wait_for_verdict(const char *statement, int image, ucs_status_t status)
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

/* Waits for an operation on an image. *reached is false if that has ended. */
static enum dm_status complete(const char *statement, int image, ucs_status_ptr_t request,
                               bool *reached)
{
    ucs_status_t status = UCS_PTR_IS_PTR(request) ? UCS_INPROGRESS : UCS_PTR_STATUS(request);
    enum dm_status waited = DM_OK;
    if (status == UCS_INPROGRESS) {
        struct wait wait = wait_start(statement);
        while ((status = ucx.ucp_request_check_status(request)) == UCS_INPROGRESS &&
               (waited = wait_turn(&wait)) == DM_OK)
            if (is_lost(image))
                forget(image);
        ucx.ucp_request_free(request);
    }
    *reached = status == UCS_OK;
    if (waited != DM_OK || status == UCS_OK)
        return waited;
    return wait_for_verdict(statement, image, status);
}

/* ---- messages ---- */

/* Handlers read numbers in a message where they lie. */
enum { ALIGNMENT = 16 };

static ucs_status_t hear(void *unused, const void *head, size_t head_bytes, void *body,
                         size_t bytes, const ucp_am_recv_param_t *how)
{
    (void)unused;
    (void)head_bytes;
    (void)how;
    struct head from;
    memcpy(&from, head, sizeof from);
    static _Alignas(16) char nothing[16];
    void *copy = NULL;
    enum dm_status status = DM_OK;
    if (bytes > 0 && (uintptr_t)body % ALIGNMENT != 0) {
        copy = malloc(bytes);
        status = copy ? DM_OK : error_no_memory(bytes);
        if (copy)
            body = memcpy(copy, body, bytes);
    }
    if (bytes == 0)
        body = nothing;
    delivered++;
    if (status == DM_OK)
        status = messages_deliver((int)from.image, (enum message_kind)from.kind, body, bytes);
    free(copy);
    if (heard == DM_OK)
        heard = status;
    return UCS_OK;
}

static enum dm_status progress(bool *found)
{
    uint64_t before = delivered;
    ucx.ucp_worker_progress(worker);
    *found = delivered != before;
    enum dm_status status = heard;
    heard = DM_OK;
    return status;
}

/* A message on its way. */
struct packet {
    size_t bytes;
    struct head head;
    char body[];
};

static void sent(void *request, ucs_status_t status, void *packet)
{
    (void)status;
    unsent_bytes -= ((struct packet *)packet)->bytes;
    free(packet);
    ucx.ucp_request_free(request);
}

/* What is sent to an image that has ended has no effect: it is found by whoever waits for it. */
static enum dm_status send_message(int image, enum message_kind kind, const void *body,
                                   size_t bytes)
{
    ucp_ep_h endpoint;
    if (is_lost(image) || peers[image].broken)
        return DM_OK;
    TRY(find_endpoint(image, &endpoint));
    struct packet *packet = malloc(sizeof *packet + bytes);
    if (!packet)
        return error_no_memory(sizeof *packet + bytes);
    packet->bytes = bytes;
    packet->head = (struct head){(uint32_t)runtime.image, (uint32_t)kind};
    if (bytes)
        memcpy(packet->body, body, bytes);
    /* Eager: a message whose data the target has to fetch would be overtaken by later ones. */
    ucp_request_param_t how = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS |
                                               UCP_OP_ATTR_FIELD_CALLBACK |
                                               UCP_OP_ATTR_FIELD_USER_DATA,
                               .flags = UCP_AM_SEND_FLAG_EAGER,
                               .cb.send = sent,
                               .user_data = packet};
    unsent_bytes += bytes;
    ucs_status_ptr_t request = ucx.ucp_am_send_nbx(endpoint, MESSAGE, &packet->head,
                                                   sizeof packet->head, packet->body, bytes, &how);
    if (!UCS_PTR_IS_PTR(request)) {
        unsent_bytes -= bytes;
        free(packet);
    }
    bool found;
    while (unsent_bytes > UNSENT_BYTES_MAX && !messages_are_handled())
        TRY(messages_progress(&found));
    return DM_OK;
}

/* ---- segments ---- */

struct remote {
    uint64_t base;
    size_t key_bytes; /* 0: the image has no part */
    char *packed;
    ucp_rkey_h key;
};

struct reach {
    ucp_mem_h memory;
    struct remote remote[]; /* [image] */
};

struct part {
    uint64_t base;
    uint64_t key_bytes;
    char key[TOLD_BYTES - 16];
};

static enum dm_status map_memory(struct segment *segment, struct reach *reach, struct part *part)
{
    char *own = segment->shared.part[runtime.place_of[runtime.image]];
    ucp_mem_map_params_t wish = {.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS |
                                               UCP_MEM_MAP_PARAM_FIELD_LENGTH,
                                 .address = own,
                                 .length = segment->shared.bytes};
    void *key;
    size_t bytes;
    TRY(of_ucx(ucx.ucp_mem_map(context, &wish, &reach->memory), "ALLOCATE"));
    TRY(of_ucx(ucx.ucp_rkey_pack(context, reach->memory, &key, &bytes), "ALLOCATE"));
    enum dm_status status = DM_OK;
    if (bytes > sizeof part->key)
        status = dm_fail(DM_UNAVAILABLE, "ALLOCATE: UCX's key of a segment has %zu bytes", bytes);
    else
        memcpy(part->key, key, bytes);
    part->base = (uint64_t)(uintptr_t)own;
    part->key_bytes = bytes;
    ucx.ucp_rkey_buffer_release(key);
    return status;
}

static enum dm_status learn_part(struct remote *remote, const struct part *part)
{
    remote->packed = malloc(part->key_bytes);
    if (!remote->packed)
        return error_no_memory(part->key_bytes);
    memcpy(remote->packed, part->key, part->key_bytes);
    remote->base = part->base;
    remote->key_bytes = part->key_bytes;
    return DM_OK;
}

static enum dm_status close_segment(struct segment *segment)
{
    struct reach *reach = segment->reach;
    if (!reach)
        return DM_OK;
    for (int image = 1; image <= runtime.images; image++) {
        if (reach->remote[image].key)
            ucx.ucp_rkey_destroy(reach->remote[image].key);
        free(reach->remote[image].packed);
    }
    if (reach->memory)
        ucx.ucp_mem_unmap(context, reach->memory);
    free(reach);
    segment->reach = NULL;
    return DM_OK;
}

static enum dm_status open_segment(struct segment *segment, size_t bytes)
{
    struct part part = {0};
    (void)bytes;
    size_t size = sizeof(struct reach) + ((size_t)runtime.images + 1) * sizeof(struct remote);
    segment->reach = calloc(1, size);
    enum dm_status status =
        segment->reach ? map_memory(segment, segment->reach, &part) : error_no_memory(size);
    status = agree(status);
    if (status == DM_OK)
        status = team_tell(&part, sizeof part - sizeof part.key + part.key_bytes);
    for (int i = 1; status == DM_OK && i <= current_team->images; i++)
        if (team_told(i))
            status = learn_part(&segment->reach->remote[current_team->member[i]], team_told(i));
    status = agree(status);
    if (status != DM_OK)
        close_segment(segment);
    return status;
}

/* ---- transfers ---- */

/* *key is NULL if there is nobody to reach. */
static enum dm_status find_remote(struct segment *segment, int image, ucp_ep_h *endpoint,
                                  struct remote **found)
{
    struct remote *remote = &segment->reach->remote[image];
    *found = NULL;
    if (remote->key_bytes == 0 || is_lost(image))
        return DM_OK;
    TRY(find_endpoint(image, endpoint));
    if (peers[image].broken)
        return wait_for_verdict(caf_statement, image, UCS_ERR_ENDPOINT_TIMEOUT);
    if (!remote->key)
        TRY(of_ucx(ucx.ucp_ep_rkey_unpack(*endpoint, remote->packed, &remote->key), "a segment"));
    *found = remote;
    return DM_OK;
}

static void put_is_over(void *request, ucs_status_t status, void *unused)
{
    (void)status;
    (void)unused;
    puts_going--;
    ucx.ucp_request_free(request);
}

static enum dm_status put(struct segment *segment, int image, size_t displacement, const char *from,
                          size_t bytes)
{
    ucp_ep_h endpoint;
    struct remote *remote;
    TRY(find_remote(segment, image, &endpoint, &remote));
    if (!remote)
        return DM_OK;
    ucp_request_param_t how = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK, .cb.send = put_is_over};
    ucs_status_ptr_t request =
        ucx.ucp_put_nbx(endpoint, from, bytes, remote->base + displacement, remote->key, &how);
    if (UCS_PTR_IS_PTR(request))
        puts_going++;
    else if (UCS_PTR_STATUS(request) != UCS_OK)
        return wait_for_verdict("PUT", image, UCS_PTR_STATUS(request));
    return DM_OK;
}

static enum dm_status get(struct segment *segment, int image, size_t displacement, char *to,
                          size_t bytes)
{
    ucp_ep_h endpoint;
    struct remote *remote;
    bool reached;
    TRY(find_remote(segment, image, &endpoint, &remote));
    if (!remote)
        return DM_OK;
    return complete(
        "GET", image,
        ucx.ucp_get_nbx(endpoint, to, bytes, remote->base + displacement, remote->key, &plain),
        &reached);
}

static enum dm_status finish(struct segment *segment, int image, bool is_put)
{
    struct wait wait = wait_start("PUT");
    (void)segment;
    while (is_put && puts_going > 0) {
        TRY(wait_turn(&wait));
        if (is_lost(image))
            forget(image);
    }
    return DM_OK;
}

static enum dm_status flush(struct segment *segment, int image)
{
    bool reached;
    (void)segment;
    if (!peers[image].endpoint || peers[image].broken)
        return DM_OK;
    return complete("SYNC MEMORY", image, ucx.ucp_ep_flush_nbx(peers[image].endpoint, &plain),
                    &reached);
}

/* ---- words ---- */

static enum dm_status atomic(struct segment *segment, int image, size_t displacement,
                             ucp_atomic_op_t operation, const int32_t *value, int32_t *reply)
{
    ucp_ep_h endpoint;
    struct remote *remote;
    bool reached = false;
    ucp_request_param_t how = {.op_attr_mask =
                                   UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_REPLY_BUFFER,
                               .datatype = ucp_dt_make_contig(sizeof *value),
                               .reply_buffer = reply};
    TRY(find_remote(segment, image, &endpoint, &remote));
    if (remote)
        TRY(complete(caf_statement, image,
                     ucx.ucp_atomic_op_nbx(endpoint, operation, value, 1,
                                           remote->base + displacement, remote->key, &how),
                     &reached));
    return reached ? DM_OK : lost(caf_statement, image);
}

static enum dm_status fetch_add(struct segment *segment, int image, size_t displacement,
                                int32_t add, int32_t *old)
{
    return atomic(segment, image, displacement, UCP_ATOMIC_OP_ADD, &add, old);
}

static enum dm_status compare_swap(struct segment *segment, int image, size_t displacement,
                                   int32_t compare, int32_t value, int32_t *old)
{
    *old = value; /* what is swapped in, and then what was found */
    return atomic(segment, image, displacement, UCP_ATOMIC_OP_CSWAP, &compare, old);
}

/* ---- start and end ---- */

static enum dm_status hear_farewell(int from_image, const void *body, size_t bytes)
{
    (void)body;
    (void)bytes;
    peers[from_image].farewell = true;
    return DM_OK;
}

/* Atomic operations with the processor's, also where a network card could do them alone. */
static enum dm_status open_context(void)
{
    ucp_config_t *config;
    ucp_params_t wish = {.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS,
                         .features = UCP_FEATURE_RMA | UCP_FEATURE_AMO32 | UCP_FEATURE_AM,
                         .estimated_num_eps = (size_t)runtime.images};
    TRY(ucx_load());
    TRY(of_ucx(ucx.ucp_config_read(NULL, NULL, &config), "start"));
    enum dm_status status =
        of_ucx(ucx.ucp_config_modify(config, "ATOMIC_MODE", "cpu"), "UCX_ATOMIC_MODE=cpu");
    if (status == DM_OK)
        status = of_ucx(ucx.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &wish, config, &context),
                        "start");
    ucx.ucp_config_release(config);
    return status;
}

static enum dm_status open_worker(void)
{
    ucp_worker_params_t wish = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                .thread_mode = UCS_THREAD_MODE_SINGLE};
    ucp_am_handler_param_t handler = {.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID |
                                                    UCP_AM_HANDLER_PARAM_FIELD_CB |
                                                    UCP_AM_HANDLER_PARAM_FIELD_FLAGS,
                                      .id = MESSAGE,
                                      .cb = hear,
                                      .flags = UCP_AM_FLAG_WHOLE_MSG};
    TRY(open_context());
    TRY(of_ucx(ucx.ucp_worker_create(context, &wish, &worker), "start"));
    return of_ucx(ucx.ucp_worker_set_am_recv_handler(worker, &handler), "start");
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

static void end(void)
{
    for (int image = 1; peers && image <= runtime.images; image++)
        forget(image);
    if (worker)
        ucx.ucp_worker_destroy(worker);
    if (context)
        ucx.ucp_cleanup(context);
    if (peers)
        free(peers[1].address);
    free(peers);
    worker = NULL;
    context = NULL;
    peers = NULL;
}

/* Endpoints to all images: to make one to a host that has died would take as long as TCP tries to
 * reach it. All images do this together, and serve one another meanwhile. */
static enum dm_status make_acquaintances(void)
{
    ucp_ep_h endpoint;
    MPI_Request request;
    int done = 0;
    enum dm_status status = DM_OK;
    for (int image = 1; status == DM_OK && image <= runtime.images; image++)
        if (image != runtime.image)
            status = find_endpoint(image, &endpoint);
    for (int image = 1; status == DM_OK && image <= runtime.images; image++) {
        if (image == runtime.image)
            continue;
        ucs_status_ptr_t flushed = ucx.ucp_ep_flush_nbx(peers[image].endpoint, &plain);
        while (UCS_PTR_IS_PTR(flushed) && ucx.ucp_request_check_status(flushed) == UCS_INPROGRESS &&
               !peers[image].broken)
            ucx.ucp_worker_progress(worker);
        if (UCS_PTR_IS_PTR(flushed))
            ucx.ucp_request_free(flushed);
    }
    TRY_MPI(MPI_Ibarrier(runtime.all, &request));
    while (!done) {
        ucx.ucp_worker_progress(worker);
        TRY_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    }
    return status;
}

static enum dm_status start(void)
{
    ucp_address_t *address;
    size_t bytes;
    unsent_bytes = puts_going = 0;
    peers = calloc((size_t)runtime.images + 1, sizeof *peers);
    enum dm_status status = peers ? open_worker() : error_no_memory(sizeof *peers);
    TRY(agree(status));
    messages_handle(MESSAGE_FAREWELL, hear_farewell);
    TRY(agree(of_ucx(ucx.ucp_worker_get_address(worker, &address, &bytes), "start")));
    status = share_addresses(address, bytes);
    ucx.ucp_worker_release_address(worker, address);
    return status == DM_OK && runtime.recovers ? make_acquaintances() : status;
}

/* Who has said farewell, or has ended, needs this image no more. */
static enum dm_status settle(void)
{
    struct wait wait = wait_start("normal termination");
    for (int image = 1; image <= runtime.images; image++)
        if (image != runtime.image)
            TRY(send_message(image, MESSAGE_FAREWELL, NULL, 0));
    for (int image = 1; image <= runtime.images; image++)
        while (image != runtime.image && !peers[image].farewell && !peers[image].broken &&
               !is_lost(image) && !watch_has_ended(image))
            TRY(wait_turn(&wait));
    for (int image = 1; image <= runtime.images; image++)
        if (!is_lost(image) && !watch_has_ended(image))
            TRY(flush(NULL, image));
    return DM_OK;
}

const struct conduit conduit_ucx = {.name = "ucx",
                                    .start = start,
                                    .end = end,
                                    .open = open_segment,
                                    .close = close_segment,
                                    .put = put,
                                    .get = get,
                                    .finish = finish,
                                    .flush = flush,
                                    .fetch_add = fetch_add,
                                    .compare_swap = compare_swap,
                                    .atomic_with_cpu = true,
                                    .send = send_message,
                                    .progress = progress,
                                    .settle = settle,
                                    .forget = forget};

#else

static enum dm_status start(void)
{
    return dm_fail(DM_UNAVAILABLE, "CAF_CONDUIT=ucx: UCX was not there when this library was built "
                                   "(Debian: libucx-dev; ./setup)");
}

static void end(void)
{
}

const struct conduit conduit_ucx = {.name = "ucx", .start = start, .end = end};

#endif
