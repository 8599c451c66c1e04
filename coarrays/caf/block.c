#include <stdlib.h>

#include "error.h"
#include "far.h"

/* Sections whose far side is few or long pieces go by RMA, a call for each: the target need not
 * help, and a call costs as much as sending this many bytes. */
enum { FEW_PIECES = 4, LONG_PIECE_BYTES = 4096 };

/* Through a buffer at most so much at once. */
enum { BUFFER_BYTES = 1 << 20 };

/* Between nodes, up to this size, a message, which keeps its place behind earlier ones, is better
 * than RMA that must wait for them. */
enum { ORDERED_BYTES = 64 << 10 };

static bool are_few_or_long(const struct far_section *section, size_t piece_bytes)
{
    return piece_bytes >= LONG_PIECE_BYTES || far_bytes(section) / piece_bytes <= FEW_PIECES;
}

static enum far_way choose_way(const struct far_section *section)
{
    if (!are_few_or_long(section, far_run(section)))
        return WAY_MESSAGE;
    bool is_ordered =
        runtime.nodes > 1 && far_bytes(section) <= ORDERED_BYTES && pending_overlaps(section);
    return is_ordered ? WAY_MESSAGE : WAY_RMA;
}

/* RMA with a buffer in which the local elements lie as the far ones do, without gaps. */
static enum dm_status transfer_by_buffer(const struct far_section *chunk, char *buffer)
{
    struct far_section packed = *chunk;
    far_use_buffer(&packed, buffer);
    far_simplify(&packed);
    if (chunk->is_put)
        far_pack(chunk, buffer);
    enum dm_status status = rma_elements(&packed, true);
    if (status == DM_OK && !chunk->is_put)
        far_unpack(chunk, buffer);
    return status;
}

static enum dm_status transfer_by_rma(const struct far_section *section)
{
    struct far_section chunk;
    if (are_few_or_long(section, section->element_bytes))
        return rma_elements(section, true);
    size_t bytes = far_bytes(section);
    char *buffer = malloc(bytes < BUFFER_BYTES ? bytes : BUFFER_BYTES);
    if (!buffer)
        return dm_fail(DM_NO_MEMORY, "%s: no memory for a buffer on image %d", caf_statement,
                       runtime.image);
    enum dm_status status = DM_OK;
    struct far_cut cut = far_cut(section, BUFFER_BYTES);
    while (status == DM_OK && far_next(&cut, &chunk))
        status = transfer_by_buffer(&chunk, buffer);
    free(buffer);
    return status;
}

enum dm_status block_transfer(const struct far_section *section)
{
    enum far_way way = choose_way(section);
    TRY(pending_wait(section, way));
    return way == WAY_MESSAGE ? packed_transfer(section) : transfer_by_rma(section);
}
