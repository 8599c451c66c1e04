#include "messages.h"

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

static message_handler *handlers[MESSAGE_KINDS];
static MPI_Comm channel = MPI_COMM_NULL;
static MPI_Datatype block;
static struct packet *outgoing, *incoming, **incoming_end;
static uint64_t *sent_to; /* sent_to[image - 1] */
static uint64_t received;
static bool handling;

static struct packet *packet_create(int image, size_t blocks)
{
    struct packet *packet = malloc(sizeof *packet + blocks * BLOCK);
    if (!packet)
        caf_error_stop(1, "there is no memory for a message");
    packet->next = NULL;
    packet->image = image;
    packet->done = false;
    return packet;
}

void messages_handle(enum message_kind kind, message_handler *handler)
{
    handlers[kind] = handler;
}

/* ---- sending ---- */

static bool is_done(struct packet *packet)
{
    int done = 0;
    need_mpi(MPI_Test(&packet->request, &done, MPI_STATUS_IGNORE));
    return done;
}

/* Forgets what MPI has sent. */
static void clear_outgoing(void)
{
    struct packet **link = &outgoing;
    while (*link) {
        struct packet *packet = *link;
        if (is_done(packet)) {
            *link = packet->next;
            free(packet);
        } else {
            link = &packet->next;
        }
    }
}

void messages_send(int image, enum message_kind kind, const void *body, size_t bytes)
{
    size_t blocks = (sizeof(struct head) + bytes + BLOCK - 1) / BLOCK;
    struct packet *packet = packet_create(image, blocks);
    packet->head = (struct head){.bytes = bytes, .kind = kind};
    if (bytes)
        memcpy(packet->body, body, bytes);
    /* Nothing that was not set leaves this process. */
    memset(packet->body + bytes, 0, blocks * BLOCK - sizeof(struct head) - bytes);
    need_mpi(
        MPI_Isend(&packet->head, (int)blocks, block, image - 1, TAG, channel, &packet->request));
    sent_to[image - 1]++;
    if (is_done(packet)) {
        free(packet);
    } else {
        packet->next = outgoing;
        outgoing = packet;
    }
}

/* ---- receiving ---- */

static void handle(int image, const struct head *head, const void *body)
{
    handling = true;
    received++;
    handlers[head->kind](image, body, head->bytes);
    handling = false;
}

/* Messages of few blocks are here already when they are seen. */
static void receive_small(MPI_Message *message, int image, int blocks)
{
    struct {
        _Alignas(16) struct head head;
        char body[SMALL_BLOCKS * BLOCK];
    } packet;
    need_mpi(MPI_Mrecv(&packet.head, blocks, block, message, MPI_STATUS_IGNORE));
    handle(image, &packet.head, packet.body);
}

/* A large one may come only when its sender is in MPI again; others need not wait for that. */
static void begin_large(MPI_Message *message, int image, int blocks)
{
    struct packet *packet = packet_create(image, (size_t)blocks);
    need_mpi(MPI_Imrecv(&packet->head, blocks, block, message, &packet->request));
    *incoming_end = packet;
    incoming_end = &packet->next;
}

/* Whether an earlier message of the same image is not there yet. */
static bool must_wait(const struct packet *packet)
{
    for (const struct packet *other = incoming; other != packet; other = other->next)
        if (other->image == packet->image)
            return true;
    return false;
}

static void handle_large(void)
{
    struct packet **link = &incoming;
    while (*link) {
        struct packet *packet = *link;
        packet->done = packet->done || is_done(packet);
        if (packet->done && !must_wait(packet)) {
            handle(packet->image, &packet->head, packet->body);
            *link = packet->next;
            free(packet);
        } else {
            link = &packet->next;
        }
    }
    incoming_end = link;
}

static bool receive_one(void)
{
    int found, blocks;
    MPI_Message message;
    MPI_Status status;
    need_mpi(MPI_Improbe(MPI_ANY_SOURCE, TAG, channel, &found, &message, &status));
    if (!found)
        return false;
    need_mpi(MPI_Get_count(&status, block, &blocks));
    if (blocks <= SMALL_BLOCKS && !incoming)
        receive_small(&message, status.MPI_SOURCE + 1, blocks);
    else
        begin_large(&message, status.MPI_SOURCE + 1, blocks);
    return true;
}

bool messages_progress(void)
{
    if (channel == MPI_COMM_NULL || handling)
        return false;
    /* One at a time: to find no other takes MPI a look at the network, and somebody may wait for
     * what this one brought. */
    bool found = receive_one();
    if (incoming)
        handle_large();
    if (outgoing)
        clear_outgoing();
    return found;
}

/* ---- start and end ---- */

void messages_start(void)
{
    for (int kind = 0; kind < MESSAGE_KINDS; kind++)
        handlers[kind] = NULL;
    if (!runtime.windows)
        return;
    need_mpi(MPI_Comm_dup(runtime.all, &channel));
    need_mpi(MPI_Comm_set_errhandler(channel, MPI_ERRORS_RETURN));
    need_mpi(MPI_Type_contiguous(BLOCK, MPI_BYTE, &block));
    need_mpi(MPI_Type_commit(&block));
    sent_to = calloc((size_t)runtime.images, sizeof *sent_to);
    if (!sent_to)
        caf_error_stop(1, "there is no memory for the counters of messages");
    outgoing = incoming = NULL;
    incoming_end = &incoming;
    received = 0;
}

/* Waits for all that was sent to this image so far. Handlers may have sent more meanwhile. */
static void receive_all(void)
{
    uint64_t expected;
    need_mpi(MPI_Reduce_scatter_block(sent_to, &expected, 1, MPI_UINT64_T, MPI_SUM, channel));
    struct wait wait = wait_start("normal termination");
    while (received < expected || outgoing)
        if (wait_turn(&wait))
            caf_error_stop(1, caf_error_text());
}

static uint64_t sent_by_all(void)
{
    uint64_t sent = 0, sum;
    for (int i = 0; i < runtime.images; i++)
        sent += sent_to[i];
    need_mpi(MPI_Allreduce(&sent, &sum, 1, MPI_UINT64_T, MPI_SUM, channel));
    return sum;
}

void messages_end(void)
{
    if (channel == MPI_COMM_NULL)
        return;
    uint64_t before, after = sent_by_all();
    do {
        before = after;
        receive_all();
        after = sent_by_all();
    } while (before != after);
    free(sent_to);
    sent_to = NULL;
    need_mpi(MPI_Type_free(&block));
    need_mpi(MPI_Comm_free(&channel));
    channel = MPI_COMM_NULL;
}
