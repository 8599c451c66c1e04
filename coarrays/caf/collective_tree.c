/* Collectives of images on several nodes by this library's own messages, along a binomial tree of
 * the team's images. All come together first; who fails later ends the collective for all that
 * wait. A reduction keeps the order of the images: an image adds what lies after it, x1 + (x2 +
 * ...). */
#include <stdlib.h>
#include <string.h>

#include "collective_internal.h"
#include "collective_parts.h"
#include "error.h"
#include "sync.h"
#include "team.h"
#include "wait.h"

enum { PIECE_BYTES = 1 << 20 };

enum step { STEP_REDUCE, STEP_RESULT, STEP_BROADCAST };

/* ---- one piece ---- */

struct piece {
    uint64_t number;
    char *data;
    size_t bytes;
};

static struct part_key key_of(const struct piece *piece, enum step step)
{
    return (struct part_key){.step = step, .piece = piece->number};
}

static enum dm_status give(const struct piece *piece, enum step step, int index)
{
    return part_give(key_of(piece, step), index, piece->data, piece->bytes);
}

/* A failure anywhere may have kept the image from giving it. */
static enum dm_status take(const struct piece *piece, enum step step, int index,
                           struct part **taken)
{
    struct wait wait = wait_start(caf_statement);
    while (!(*taken = part_find(key_of(piece, step), index))) {
        for (int i = 1; i <= current_team->images; i++)
            if (image_state(current_team->member[i]) == IMAGE_FAILED)
                return collective_stopped();
        TRY(wait_turn(&wait));
    }
    return DM_OK;
}

static enum dm_status take_into(const struct piece *piece, enum step step, int index)
{
    struct part *part;
    TRY(take(piece, step, index, &part));
    memcpy(piece->data, part->data, piece->bytes);
    free(part);
    return DM_OK;
}

/* Ranks count from the source, which has 0. */
static enum dm_status broadcast_piece(const struct piece *piece, int source)
{
    int images = current_team->images, mask = 1;
    int rank = (current_team->index - source + images) % images;
    while (mask < images && !(rank & mask))
        mask *= 2;
    if (rank)
        TRY(take_into(piece, STEP_BROADCAST, (rank - mask + source - 1) % images + 1));
    while ((mask /= 2) > 0)
        if (rank + mask < images)
            TRY(give(piece, STEP_BROADCAST, (rank + mask + source - 1) % images + 1));
    return DM_OK;
}

/* The sum is then image 1's, in piece->data. */
static enum dm_status reduce_piece(const struct reduction *reduction, const struct piece *piece)
{
    int images = current_team->images, rank = current_team->index - 1;
    for (int mask = 1; mask < images; mask *= 2) {
        struct part *part;
        if (rank & mask)
            return give(piece, STEP_REDUCE, rank - mask + 1);
        if (rank + mask >= images)
            continue;
        TRY(take(piece, STEP_REDUCE, rank + mask + 1, &part));
        reduction->combine(piece->data, part->data, piece->bytes / reduction->element_bytes,
                           reduction->context);
        memcpy(piece->data, part->data, piece->bytes);
        free(part);
    }
    return DM_OK;
}

static enum dm_status hand_over(const struct piece *piece, int result_image)
{
    if (result_image == 0)
        return broadcast_piece(piece, 1);
    if (result_image == 1)
        return DM_OK;
    if (current_team->index == 1)
        return give(piece, STEP_RESULT, result_image);
    return current_team->index == result_image ? take_into(piece, STEP_RESULT, 1) : DM_OK;
}

/* ---- all ---- */

static enum dm_status begin(void)
{
    TRY(collective_come_together());
    current_team->collectives++;
    return DM_OK;
}

enum dm_status tree_broadcast(char *data, size_t bytes, int source_image)
{
    TRY(begin());
    for (size_t done = 0; done < bytes; done += PIECE_BYTES) {
        struct piece piece = {.number = done / PIECE_BYTES,
                              .data = data + done,
                              .bytes = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES};
        TRY(broadcast_piece(&piece, source_image));
    }
    return DM_OK;
}

/* Only who wants the result gets it into its data. */
enum dm_status tree_reduce(const struct reduction *reduction)
{
    size_t step = reduction->element_bytes;
    if (step < PIECE_BYTES)
        step = PIECE_BYTES / step * step;
    size_t bytes = reduction->count * reduction->element_bytes;
    bool wanted = reduction->result_image == 0 || reduction->result_image == current_team->index;
    TRY(begin());
    char *copy = malloc(bytes < step ? bytes + 1 : step);
    enum dm_status status = copy ? DM_OK : error_no_memory(step);
    for (size_t done = 0; status == DM_OK && done < bytes; done += step) {
        struct piece piece = {.number = done / step,
                              .data = copy,
                              .bytes = bytes - done < step ? bytes - done : step};
        memcpy(copy, reduction->data + done, piece.bytes);
        status = reduce_piece(reduction, &piece);
        if (status == DM_OK)
            status = hand_over(&piece, reduction->result_image);
        if (status == DM_OK && wanted)
            memcpy(reduction->data + done, copy, piece.bytes);
    }
    free(copy);
    return status;
}
