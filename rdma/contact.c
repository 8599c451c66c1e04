/* contact.c: blocks as messages of MPI, and what both ranks tell one another besides. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#include "contact.h"
#include "count.h"

static enum dm_status find_world_ranks(struct contact *contact)
{
    const int pair[2] = {contact->rank, contact->peer};
    int found[2] = {MPI_UNDEFINED, MPI_UNDEFINED};
    MPI_Group group, world;
    TRY_MPI(MPI_Comm_group(contact->ranks, &group));
    enum dm_status status = status_of_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world));
    if (status == DM_OK) {
        status = status_of_mpi(MPI_Group_translate_ranks(group, 2, pair, world, found));
        MPI_Group_free(&world);
    }
    MPI_Group_free(&group);
    contact->world_rank = found[0] == MPI_UNDEFINED ? pair[0] : found[0];
    contact->world_peer = found[1] == MPI_UNDEFINED ? pair[1] : found[1];
    return status;
}

enum dm_status contact_make(struct contact *contact, const struct rdma_config *config)
{
    const double usual_limit_s = 60; /* to tell the other rank that this one's limit is none */
    int count;
    *contact = (struct contact){
        .ranks = config->ranks,
        .peer = config->peer,
        .path = config->path,
        .wait_limit_s = config->wait_limit_s > 0 ? config->wait_limit_s : usual_limit_s,
        .local_ranks = config->local_ranks,
        .is_crowded = true, /* until it is known: that is never wrong, only slow */
    };
    TRY_MPI(MPI_Comm_rank(config->ranks, &contact->rank));
    TRY_MPI(MPI_Comm_size(config->ranks, &count));
    if (config->peer < 0 || config->peer >= count || config->peer == contact->rank)
        return dm_fail(DM_INVALID, "rank %d cannot be the other rank: choose another one of %d",
                       config->peer, count);
    return find_world_ranks(contact);
}

/* ---- messages ---- */

/* Blocks and letters do not meet, as a block that was given up may still be on its way. Letters
 * also go on the caller's communicator: their tag is one that callers hardly use. */
enum { BLOCK_TAG = 0, LETTER_TAG = 20533, PIECE_BYTES = 1 << 20 };

/* MPI counts in int. */
struct amount {
    MPI_Datatype type;
    int count;
    bool is_made;
};

/* Pieces and a rest, as one element. */
static enum dm_status make_large(struct amount *amount, size_t bytes)
{
    MPI_Datatype piece;
    TRY_MPI(MPI_Type_contiguous(PIECE_BYTES, MPI_BYTE, &piece));
    MPI_Datatype parts[2] = {piece, MPI_BYTE};
    int lengths[2] = {(int)(bytes / PIECE_BYTES), (int)(bytes % PIECE_BYTES)};
    MPI_Aint offsets[2] = {0, (MPI_Aint)(bytes - bytes % PIECE_BYTES)};
    enum dm_status status =
        status_of_mpi(MPI_Type_create_struct(2, lengths, offsets, parts, &amount->type));
    MPI_Type_free(&piece);
    TRY(status);
    amount->count = 1;
    amount->is_made = true;
    return status_of_mpi(MPI_Type_commit(&amount->type));
}

static enum dm_status make_amount(struct amount *amount, size_t bytes)
{
    *amount = (struct amount){.type = MPI_BYTE, .count = (int)bytes};
    return bytes <= INT_MAX ? DM_OK : make_large(amount, bytes);
}

/* A request that uses the type keeps it. */
static void release(struct amount *amount)
{
    if (amount->is_made)
        MPI_Type_free(&amount->type);
}

static enum dm_status start_send(const struct contact *contact, int tag, const void *buffer,
                                 size_t bytes, MPI_Request *request)
{
    struct amount amount;
    enum dm_status status = make_amount(&amount, bytes);
    if (status == DM_OK) {
        copies_enter_mpi();
        int error = MPI_Isend(buffer, amount.count, amount.type, contact->peer, tag, contact->ranks,
                              request);
        copies_leave_mpi();
        status = error_mpi(error, "MPI_Isend", __FILE__, __LINE__);
    }
    release(&amount);
    return status;
}

static enum dm_status start_receive(const struct contact *contact, int tag, void *buffer,
                                    size_t bytes, MPI_Request *request)
{
    struct amount amount;
    enum dm_status status = make_amount(&amount, bytes);
    if (status == DM_OK) {
        copies_enter_mpi();
        int error = MPI_Irecv(buffer, amount.count, amount.type, contact->peer, tag, contact->ranks,
                              request);
        copies_leave_mpi();
        status = error_mpi(error, "MPI_Irecv", __FILE__, __LINE__);
    }
    release(&amount);
    return status;
}

enum dm_status message_send(const struct contact *contact, const void *buffer, size_t bytes,
                            MPI_Request *request)
{
    return start_send(contact, BLOCK_TAG, buffer, bytes, request);
}

enum dm_status message_receive(const struct contact *contact, void *buffer, size_t bytes,
                               MPI_Request *request)
{
    return start_receive(contact, BLOCK_TAG, buffer, bytes, request);
}

/* ---- agreement ---- */

/* Small enough for MPI to send it before the other rank asks. */
struct letter {
    int world_rank, status;
    char sentence[1024];
    char data[EXCHANGE_BYTES];
};

/* Not on the stack: MPI may still use it when the other rank is lost. */
struct letters {
    struct letter mine, theirs;
    MPI_Request requests[2];
};

static enum dm_status send_and_receive(const struct contact *contact, struct letters *letters)
{
    TRY(start_receive(contact, LETTER_TAG, &letters->theirs, sizeof letters->theirs,
                      &letters->requests[0]));
    TRY(start_send(contact, LETTER_TAG, &letters->mine, sizeof letters->mine,
                   &letters->requests[1]));
    return requests_wait(contact, letters->requests, 2, "a reply");
}

/* Both ranks come to the same. */
static enum dm_status verdict(const struct letter *lower, const struct letter *higher)
{
    bool are_alike =
        lower->status == higher->status && strcmp(lower->sentence, higher->sentence) == 0;
    const struct letter *failed = lower->status != DM_OK ? lower : higher;
    if (failed->status == DM_OK)
        return DM_OK;
    if (are_alike)
        return dm_fail((enum dm_status)failed->status, "%s", failed->sentence);
    return dm_fail((enum dm_status)failed->status, "rank %d: %s", failed->world_rank,
                   failed->sentence);
}

static enum dm_status exchange(struct contact *contact, struct letters *letters, void *theirs,
                               size_t bytes)
{
    enum dm_status status = send_and_receive(contact, letters);
    if (status != DM_OK) {
        contact->is_lost = true;
        if (letters->mine.status != DM_OK)
            return dm_fail((enum dm_status)letters->mine.status, "%s", letters->mine.sentence);
        return status;
    }
    memcpy(theirs, letters->theirs.data, bytes);
    bool is_lower = contact->rank < contact->peer;
    return is_lower ? verdict(&letters->mine, &letters->theirs)
                    : verdict(&letters->theirs, &letters->mine);
}

enum dm_status contact_exchange(struct contact *contact, enum dm_status status, const void *mine,
                                void *theirs, size_t bytes)
{
    if (contact->is_lost)
        return status != DM_OK ? status : dm_fail(DM_LOST, "rank %d is lost", contact->world_peer);
    struct letters *letters = calloc(1, sizeof *letters);
    if (!letters) {
        contact->is_lost = true;
        return error_no_memory(sizeof *letters);
    }
    letters->mine.world_rank = contact->world_rank;
    letters->mine.status = (int)status;
    if (status != DM_OK)
        memcpy(letters->mine.sentence, dm_message(), strlen(dm_message()) + 1);
    memcpy(letters->mine.data, mine, bytes);
    requests_clear(letters->requests, 2);
    status = exchange(contact, letters, theirs, bytes);
    if (requests_drop(letters->requests, 2))
        free(letters);
    return status;
}

enum dm_status contact_agree(struct contact *contact, enum dm_status status)
{
    char mine = 0, theirs;
    return contact_exchange(contact, status, &mine, &theirs, sizeof mine);
}
