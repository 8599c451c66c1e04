/* Messages by MPI_Isend. Small ones come into a receive that is always posted, which is what MPI
 * does best; large ones, which may come only when their sender is in MPI again, are probed for, so
 * that others need not wait for that. Their numbers tell in which order they were sent. */
#include "messages_mpi.h"

#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "error.h"
#include "runtime.h"
#include "wait.h"

/* A message travels as whole blocks, so that MPI's int counts suffice for any size. */
enum { BLOCK = 64, SMALL_BLOCKS = 32, TAG_SMALL = 1, TAG_LARGE };

/* Small messages one after another, after which a large one is looked for all the same. */
enum { SMALL_IN_A_ROW = 64 };

struct head {
    uint64_t bytes; /* of the body, which follows */
    uint32_t kind;
    uint32_t number; /* of those from this image to that one; wraps around */
};

/* A message on its way. */
struct packet {
    struct packet *next;
    MPI_Request request;
    int image; /* the other one */
    bool done;
    _Alignas(16) struct head head;
    char body[];
};

static MPI_Comm channel = MPI_COMM_NULL;
static MPI_Datatype block;
static struct packet *outgoing;
static struct packet *incoming;          /* those that come, or have come before earlier ones */
static uint64_t *sent_to, *handled_from; /* [image - 1] */

/* Where the next small message comes. */
static struct {
    _Alignas(16) struct head head;
    char body[SMALL_BLOCKS * BLOCK - sizeof(struct head)];
} small;
static MPI_Request posted;

static enum dm_status packet_create(int image, size_t blocks, struct packet **created)
{
    struct packet *packet = malloc(sizeof *packet + blocks * BLOCK);
    if (!packet)
        return error_no_memory(sizeof *packet + blocks * BLOCK);
    packet->next = NULL;
    packet->image = image;
    packet->done = false;
    *created = packet;
    return DM_OK;
}

/* ---- sending ---- */

static enum dm_status is_done(struct packet *packet, bool *done)
{
    int is_complete = 0;
    TRY_MPI(MPI_Test(&packet->request, &is_complete, MPI_STATUS_IGNORE));
    *done = is_complete;
    return DM_OK;
}

/* Forgets what MPI has sent. */
static enum dm_status clear_outgoing(void)
{
    struct packet **link = &outgoing;
    while (*link) {
        struct packet *packet = *link;
        TRY(is_done(packet, &packet->done));
        if (packet->done) {
            *link = packet->next;
            free(packet);
        } else {
            link = &packet->next;
        }
    }
    return DM_OK;
}

enum dm_status messages_mpi_send(int image, enum message_kind kind, const void *body, size_t bytes)
{
    size_t blocks = (sizeof(struct head) + bytes + BLOCK - 1) / BLOCK;
    struct packet *packet = NULL;
    TRY(packet_create(image, blocks, &packet));
    packet->head =
        (struct head){.bytes = bytes, .kind = kind, .number = (uint32_t)sent_to[image - 1]};
    if (bytes)
        memcpy(packet->body, body, bytes);
    /* Nothing that was not set leaves this process. */
    memset(packet->body + bytes, 0, blocks * BLOCK - sizeof(struct head) - bytes);
    int tag = blocks <= SMALL_BLOCKS ? TAG_SMALL : TAG_LARGE;
    enum dm_status status = status_of_mpi(
        MPI_Isend(&packet->head, (int)blocks, block, image - 1, tag, channel, &packet->request));
    if (status != DM_OK) {
        free(packet);
        return status;
    }
    sent_to[image - 1]++;
    packet->next = outgoing;
    outgoing = packet;
    TRY(is_done(packet, &packet->done));
    if (packet->done) {
        outgoing = packet->next;
        free(packet);
    }
    return DM_OK;
}

bool messages_mpi_have_left(void)
{
    return !outgoing;
}

/* ---- receiving ---- */

static bool is_next(int image, const struct head *head)
{
    return head->number == (uint32_t)handled_from[image - 1];
}

static enum dm_status handle(int image, const struct head *head, const void *body)
{
    handled_from[image - 1]++;
    return messages_deliver(image, (enum message_kind)head->kind, body, head->bytes);
}

static void add_incoming(struct packet *packet)
{
    struct packet **end = &incoming;
    while (*end)
        end = &(*end)->next;
    *end = packet;
}

static enum dm_status post_small(void)
{
    TRY_MPI(MPI_Irecv(&small, SMALL_BLOCKS, block, MPI_ANY_SOURCE, TAG_SMALL, channel, &posted));
    return DM_OK;
}

static enum dm_status keep_small(int image)
{
    size_t bytes = sizeof(struct head) + small.head.bytes;
    struct packet *packet = NULL;
    TRY(packet_create(image, (bytes + BLOCK - 1) / BLOCK, &packet));
    memcpy(&packet->head, &small, bytes);
    packet->done = true;
    add_incoming(packet);
    return DM_OK;
}

static enum dm_status receive_small(bool *found)
{
    int is_there;
    MPI_Status origin;
    TRY_MPI(MPI_Test(&posted, &is_there, &origin));
    *found = is_there;
    if (!is_there)
        return DM_OK;
    int image = origin.MPI_SOURCE + 1;
    enum dm_status status =
        is_next(image, &small.head) ? handle(image, &small.head, small.body) : keep_small(image);
    TRY(post_small());
    return status;
}

static enum dm_status receive_large(bool *found)
{
    int is_there, blocks;
    MPI_Message message;
    MPI_Status origin;
    struct packet *packet = NULL;
    TRY_MPI(MPI_Improbe(MPI_ANY_SOURCE, TAG_LARGE, channel, &is_there, &message, &origin));
    if (!is_there)
        return DM_OK;
    *found = true;
    TRY_MPI(MPI_Get_count(&origin, block, &blocks));
    TRY(packet_create(origin.MPI_SOURCE + 1, (size_t)blocks, &packet));
    enum dm_status status =
        status_of_mpi(MPI_Imrecv(&packet->head, blocks, block, &message, &packet->request));
    if (status == DM_OK)
        add_incoming(packet);
    else
        free(packet);
    return status;
}

/* One that was kept may be the next when a later one in the list has been handled. */
static enum dm_status handle_incoming(void)
{
    struct packet **link = &incoming;
    while (*link) {
        struct packet *packet = *link;
        if (!packet->done)
            TRY(is_done(packet, &packet->done));
        if (!packet->done || !is_next(packet->image, &packet->head)) {
            link = &packet->next;
            continue;
        }
        enum dm_status status = handle(packet->image, &packet->head, packet->body);
        *link = packet->next;
        free(packet);
        TRY(status);
        link = &incoming;
    }
    return DM_OK;
}

enum dm_status messages_mpi_progress(bool *found)
{
    /* One at a time: to find no other takes MPI a look at the network, and somebody may wait for
     * what this one brought. */
    static int in_a_row;
    TRY(receive_small(found));
    in_a_row = *found ? in_a_row + 1 : 0;
    if (in_a_row % SMALL_IN_A_ROW == 0)
        TRY(receive_large(found));
    /* To look for a large one may have brought a small one, which should not wait for a turn. */
    if (!*found)
        TRY(receive_small(found));
    if (incoming)
        TRY(handle_incoming());
    if (outgoing)
        TRY(clear_outgoing());
    return DM_OK;
}

/* ---- start and end ---- */

enum dm_status messages_mpi_start(void)
{
    TRY_MPI(MPI_Comm_dup(runtime.all, &channel));
    TRY_MPI(MPI_Comm_set_errhandler(channel, MPI_ERRORS_RETURN));
    TRY_MPI(MPI_Type_contiguous(BLOCK, MPI_BYTE, &block));
    TRY_MPI(MPI_Type_commit(&block));
    sent_to = calloc((size_t)runtime.images, sizeof *sent_to);
    handled_from = calloc((size_t)runtime.images, sizeof *handled_from);
    if (!sent_to || !handled_from)
        return error_no_memory(2 * (size_t)runtime.images * sizeof *sent_to);
    outgoing = incoming = NULL;
    return post_small();
}

static bool has_handled(const uint64_t *expected)
{
    for (int i = 0; i < runtime.images; i++)
        if (handled_from[i] < expected[i])
            return false;
    return true;
}

/* Waits for all that was sent to this image so far. Handlers may have sent more meanwhile. */
static enum dm_status receive_all(void)
{
    uint64_t *expected = calloc((size_t)runtime.images, sizeof *expected);
    if (!expected)
        return error_no_memory((size_t)runtime.images * sizeof *expected);
    enum dm_status status =
        status_of_mpi(MPI_Alltoall(sent_to, 1, MPI_UINT64_T, expected, 1, MPI_UINT64_T, channel));
    struct wait wait = wait_start("normal termination");
    while (status == DM_OK && (!has_handled(expected) || outgoing))
        status = wait_turn(&wait);
    free(expected);
    return status;
}

static enum dm_status sent_by_all(uint64_t *sum)
{
    uint64_t sent = 0;
    for (int i = 0; i < runtime.images; i++)
        sent += sent_to[i];
    TRY_MPI(MPI_Allreduce(&sent, sum, 1, MPI_UINT64_T, MPI_SUM, channel));
    return DM_OK;
}

enum dm_status messages_mpi_settle(void)
{
    uint64_t before, after;
    TRY(sent_by_all(&after));
    do {
        before = after;
        TRY(receive_all());
        TRY(sent_by_all(&after));
    } while (before != after);
    free(sent_to);
    free(handled_from);
    sent_to = handled_from = NULL;
    TRY_MPI(MPI_Cancel(&posted));
    TRY_MPI(MPI_Wait(&posted, MPI_STATUS_IGNORE));
    TRY_MPI(MPI_Type_free(&block));
    TRY_MPI(MPI_Comm_free(&channel));
    channel = MPI_COMM_NULL;
    return DM_OK;
}
