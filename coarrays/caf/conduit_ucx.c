/* The conduit of UCX: puts, gets and atomic operations are UCX's own. */
#include "conduit.h"

#include "error.h"

#if HAVE_UCX
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "sync.h"
#include "team.h"
#include "ucx_peers.h"
#include "wait.h"

static _Atomic size_t puts_going;

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
    messages_hold();
    ucs_status_t mapped = ucx.ucp_mem_map(ucx_context, &wish, &reach->memory);
    if (mapped == UCS_OK)
        mapped = ucx.ucp_rkey_pack(ucx_context, reach->memory, &key, &bytes);
    messages_release();
    TRY(of_ucx(mapped, "ALLOCATE"));
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
    messages_hold();
    for (int image = 1; image <= runtime.images; image++) {
        if (reach->remote[image].key)
            ucx.ucp_rkey_destroy(reach->remote[image].key);
        free(reach->remote[image].packed);
    }
    if (reach->memory)
        ucx.ucp_mem_unmap(ucx_context, reach->memory);
    messages_release();
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

/* *found is NULL if there is nobody to reach. */
static enum dm_status find_remote(struct segment *segment, int image, struct remote **found)
{
    struct remote *remote = &segment->reach->remote[image];
    *found = NULL;
    if (remote->key_bytes == 0 || peer_is_lost(image))
        return DM_OK;
    if (peers[image].broken)
        return peer_verdict(caf_statement, image, UCS_ERR_ENDPOINT_TIMEOUT);
    if (!remote->key) {
        messages_hold();
        ucs_status_t status =
            ucx.ucp_ep_rkey_unpack(peers[image].endpoint, remote->packed, &remote->key);
        messages_release();
        TRY(of_ucx(status, "a segment"));
    }
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
    struct remote *remote;
    TRY(find_remote(segment, image, &remote));
    if (!remote)
        return DM_OK;
    ucp_request_param_t how = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK, .cb.send = put_is_over};
    messages_hold();
    ucs_status_ptr_t request = ucx.ucp_put_nbx(peers[image].endpoint, from, bytes,
                                               remote->base + displacement, remote->key, &how);
    puts_going += UCS_PTR_IS_PTR(request);
    messages_release();
    if (!UCS_PTR_IS_PTR(request) && UCS_PTR_STATUS(request) != UCS_OK)
        return peer_verdict("PUT", image, UCS_PTR_STATUS(request));
    return DM_OK;
}

static enum dm_status get(struct segment *segment, int image, size_t displacement, char *to,
                          size_t bytes)
{
    struct remote *remote;
    bool reached;
    TRY(find_remote(segment, image, &remote));
    if (!remote)
        return DM_OK;
    messages_hold();
    ucs_status_ptr_t request = ucx.ucp_get_nbx(
        peers[image].endpoint, to, bytes, remote->base + displacement, remote->key, &ucx_plain);
    messages_release();
    return peer_complete("GET", image, request, &reached);
}

static enum dm_status finish(struct segment *segment, int image, bool is_put)
{
    struct wait wait = wait_start("PUT");
    (void)segment;
    while (is_put && puts_going > 0) {
        TRY(wait_turn(&wait));
        if (peer_is_lost(image))
            peer_forget(image);
    }
    return DM_OK;
}

static enum dm_status flush(struct segment *segment, int image)
{
    (void)segment;
    return peer_flush(image);
}

/* ---- words ---- */

static enum dm_status atomic(struct segment *segment, int image, size_t displacement,
                             ucp_atomic_op_t operation, const int32_t *value, int32_t *reply)
{
    struct remote *remote;
    bool reached = false;
    ucp_request_param_t how = {.op_attr_mask =
                                   UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_REPLY_BUFFER,
                               .datatype = ucp_dt_make_contig(sizeof *value),
                               .reply_buffer = reply};
    TRY(find_remote(segment, image, &remote));
    if (remote) {
        messages_hold();
        ucs_status_ptr_t request =
            ucx.ucp_atomic_op_nbx(peers[image].endpoint, operation, value, 1,
                                  remote->base + displacement, remote->key, &how);
        messages_release();
        TRY(peer_complete(caf_statement, image, request, &reached));
    }
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
const struct conduit conduit_ucx = {.name = "ucx",
                                    .start = peers_start,
                                    .end = peers_end,
                                    .open = open_segment,
                                    .close = close_segment,
                                    .put = put,
                                    .get = get,
                                    .finish = finish,
                                    .flush = flush,
                                    .fetch_add = fetch_add,
                                    .compare_swap = compare_swap,
                                    .atomic_with_cpu = true,
                                    .send = ucx_send,
                                    .progress = ucx_progress,
                                    .settle = ucx_settle};
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
