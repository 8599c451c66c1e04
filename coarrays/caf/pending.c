#include "far.h"

/* Puts that may still be on their way. More than this many are waited for. */
enum { PENDING = 64 };

struct pending {
    const struct caf_coarray *coarray;
    int image;
    enum far_way way;
    size_t low, high;
};
static struct pending pending[PENDING];
static int count;

static struct pending describe(const struct far_section *section, enum far_way way)
{
    return (struct pending){section->coarray, section->image, way, section->offset,
                            far_end(section)};
}

static bool overlaps(const struct pending *a, const struct pending *b)
{
    return a->coarray == b->coarray && a->image == b->image && a->low < b->high && b->low < a->high;
}

bool pending_overlaps(const struct far_section *section)
{
    struct pending new = describe(section, WAY_RMA);
    for (int i = 0; i < count; i++)
        if (overlaps(&new, &pending[i]))
            return true;
    return false;
}

static bool must_wait(const struct pending *new)
{
    for (int i = 0; i < count; i++)
        if (overlaps(new, &pending[i]) &&
            (new->way != WAY_MESSAGE || pending[i].way != WAY_MESSAGE))
            return true;
    return false;
}

/* Puts that follow one another, element by element, or repeat one another, are one entry. */
static bool join(const struct pending *new)
{
    for (int i = count - 1; i >= 0; i--) {
        struct pending *old = &pending[i];
        if (old->coarray != new->coarray || old->image != new->image || old->way != new->way ||
            new->low < old->low || new->low > old->high)
            continue;
        if (new->high > old->high)
            old->high = new->high;
        return true;
    }
    return false;
}

enum dm_status pending_wait(const struct far_section *section, enum far_way way)
{
    struct pending new = describe(section, way);
    enum dm_status status = must_wait(&new) ? caf_sync_memory() : DM_OK;
    if (status != DM_OK || !section->is_put || join(&new))
        return status;
    if (count == PENDING)
        status = caf_sync_memory();
    if (status == DM_OK)
        pending[count++] = new;
    return status;
}

void pending_clear(void)
{
    count = 0;
}
