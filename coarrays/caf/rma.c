#include <stdlib.h>
#include <string.h>

#include "conduit.h"
#include "error.h"
#include "far.h"
#include "window.h"

/* Small puts are copied here and travel on after the call has returned: waiting for each would cost
 * a round trip, and some MPIs wait for the target even in MPI_Win_flush_local. */
enum { STAGE_BYTES = 1 << 20, STAGED_BYTES = 16 << 10 };
static char *stage;
static size_t staged;

static enum dm_status start_put(struct caf_coarray *to, int image, size_t offset, const char *from,
                                size_t bytes)
{
    TRY(memory_put_started(to->segment, image));
    return conduit->put(to->segment, image, far_displacement(to, offset), from, bytes);
}

static enum dm_status start_get(char *to, struct caf_coarray *from, int image, size_t offset,
                                size_t bytes)
{
    return conduit->get(from->segment, image, far_displacement(from, offset), to, bytes);
}

static enum dm_status finish(struct caf_coarray *coarray, int image, bool is_put)
{
    return conduit->finish(coarray->segment, image, is_put);
}

/* Room for so many bytes until the next flush, or NULL if they are too many. */
static char *find_stage(size_t bytes)
{
    if (bytes > STAGED_BYTES || (!stage && !(stage = malloc(STAGE_BYTES))))
        return NULL;
    if (memory_is_flushed())
        staged = 0;
    if (staged + bytes > STAGE_BYTES) {
        if (memory_flush())
            return NULL;
        staged = 0;
    }
    staged += bytes;
    return stage + staged - bytes;
}

void rma_end(void)
{
    free(stage);
    stage = NULL;
    staged = 0;
}

/* ---- sections ---- */

static enum dm_status transfer_element(const struct far_section *element, bool together)
{
    if (element->is_put)
        return start_put(element->coarray, element->image, element->offset, element->local,
                         element->element_bytes);
    enum dm_status status = start_get(element->local, element->coarray, element->image,
                                      element->offset, element->element_bytes);
    return status != DM_OK || together ? status : finish(element->coarray, element->image, false);
}

static enum dm_status transfer_elements(const struct far_section *section, bool together)
{
    struct far_section element;
    struct far_cut cut = far_cut(section, 1);
    enum dm_status status = DM_OK;
    while (status == DM_OK && far_next(&cut, &element))
        status = transfer_element(&element, together);
    return status;
}

enum dm_status rma_elements(const struct far_section *section, bool together)
{
    struct far_section staged_section = *section;
    char *copy = section->is_put ? find_stage(far_bytes(section)) : NULL;
    if (copy) {
        far_pack(section, copy);
        far_use_buffer(&staged_section, copy);
        return transfer_elements(&staged_section, together);
    }
    enum dm_status status = transfer_elements(section, together);
    return status != DM_OK ? status : finish(section->coarray, section->image, section->is_put);
}
