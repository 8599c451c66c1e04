/* Messages by MPI_Isend and MPI_Improbe. */
#include "messages_mpi.h"

#include <stdlib.h>
#include <string.h>
#include <mpi.h>

#include "error.h"
#include "runtime.h"
#include "wait.h"

/* A message travels as whole blocks, so that MPI's int counts suffice for any size. */
enum { BLOCK = 64, SMALL_BLOCKS = 32, TAG = 1 };

struct head {
    uint64_t bytes; /* of the body, which follows */
    uint32_t kind;
    uint32_t unused;
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
static struct packet *outgoing, *incoming, **incoming_end;
static uint64_t *sent_to; /* sent_to[image - 1] */
static uint64_t received;

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
    packet->head = (struct head){.bytes = bytes, .kind = kind};
    if (bytes)
        memcpy(packet->body, body, bytes);
    /* Nothing that was not set leaves this process. */
    memset(packet->body + bytes, 0, blocks * BLOCK - sizeof(struct head) - bytes);
    enum dm_status status = status_of_mpi(
        MPI_Isend(&packet->head, (int)blocks, block, image - 1, TAG, channel, &packet->request));
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

/* ---- receiving ---- */

static enum dm_status handle(int image, const struct head *head, const void *body)
{
    received++;
    return messages_deliver(image, (enum message_kind)head->kind, body, head->bytes);
}

/* Messages of few blocks are here already when they are seen. */
static enum dm_status receive_small(MPI_Message *message, int image, int blocks)
{
    struct {
        _Alignas(16) struct head head;
        char body[SMALL_BLOCKS * BLOCK];
    } packet;
    TRY_MPI(MPI_Mrecv(&packet.head, blocks, block, message, MPI_STATUS_IGNORE));
    return handle(image, &packet.head, packet.body);
}

/* A large one may come only when its sender is in MPI again; others need not wait for that. */
static enum dm_status begin_large(MPI_Message *message, int image, int blocks)
{
    struct packet *packet = NULL;
    TRY(packet_create(image, (size_t)blocks, &packet));
    enum dm_status status =
        status_of_mpi(MPI_Imrecv(&packet->head, blocks, block, message, &packet->request));
    if (status != DM_OK) {
        free(packet);
        return status;
    }
    *incoming_end = packet;
    incoming_end = &packet->next;
    return DM_OK;
}

/* Whether an earlier message of the same image is not there yet. */
static bool must_wait(const struct packet *packet)
{
    for (const struct packet *other = incoming; other != packet; other = other->next)
        if (other->image == packet->image)
            return true;
    return false;
}

static enum dm_status handle_large(void)
{
    struct packet **link = &incoming;
    while (*link) {
        struct packet *packet = *link;
        if (!packet->done)
            TRY(is_done(packet, &packet->done));
        if (packet->done && !must_wait(packet)) {
            enum dm_status status = handle(packet->image, &packet->head, packet->body);
            *link = packet->next;
            if (!*link)
                incoming_end = link;
            free(packet);
            TRY(status);
        } else {
            link = &packet->next;
        }
    }
    return DM_OK;
}

static enum dm_status receive_one(bool *found)
{
    int is_there, blocks;
    MPI_Message message;
    MPI_Status origin;
    TRY_MPI(MPI_Improbe(MPI_ANY_SOURCE, TAG, channel, &is_there, &message, &origin));
    *found = is_there;
    if (!is_there)
        return DM_OK;
    TRY_MPI(MPI_Get_count(&origin, block, &blocks));
    if (blocks <= SMALL_BLOCKS && !incoming)
        return receive_small(&message, origin.MPI_SOURCE + 1, blocks);
    return begin_large(&message, origin.MPI_SOURCE + 1, blocks);
}

enum dm_status messages_mpi_progress(bool *found)
{
    /* One at a time: to find no other takes MPI a look at the network, and somebody may wait for
     * what this one brought. */
    TRY(receive_one(found));
    if (incoming)
        TRY(handle_large());
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
    if (!sent_to)
        return error_no_memory((size_t)runtime.images * sizeof *sent_to);
    outgoing = incoming = NULL;
    incoming_end = &incoming;
    received = 0;
    return DM_OK;
}

/* Waits for all that was sent to this image so far. Handlers may have sent more meanwhile. */
static enum dm_status receive_all(void)
{
    uint64_t expected;
    TRY_MPI(MPI_Reduce_scatter_block(sent_to, &expected, 1, MPI_UINT64_T, MPI_SUM, channel));
    struct wait wait = wait_start("normal termination");
    while (received < expected || outgoing)
        TRY(wait_turn(&wait));
    return DM_OK;
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
    sent_to = NULL;
    TRY_MPI(MPI_Type_free(&block));
    TRY_MPI(MPI_Comm_free(&channel));
    channel = MPI_COMM_NULL;
    return DM_OK;
}
