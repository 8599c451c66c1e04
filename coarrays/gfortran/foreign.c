#include "foreign.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>

#include "coarrays/caf/control.h"
#include "coarrays/caf/error.h"
#include "coarrays/caf/runtime.h"
#include "coarrays/caf/section.h"

/* Pieces that one system call copies. */
enum { PIECES = 256 };

struct pieces {
    int image;
    bool is_put;
    struct iovec local[PIECES], foreign[PIECES];
    unsigned long count;
    size_t bytes;
};

void foreign_start(void)
{
    /* Without it Yama lets only ancestors; where there is no Yama it fails, and is not needed. */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

bool foreign_is_near(int image)
{
    return runtime.node_of[image] == runtime.node;
}

static enum dm_status copy_pieces(struct pieces *pieces)
{
    int process = atomic_load(&control_of(pieces->image)->pid);
    ssize_t copied = pieces->is_put ? process_vm_writev(process, pieces->local, pieces->count,
                                                        pieces->foreign, pieces->count, 0)
                                    : process_vm_readv(process, pieces->local, pieces->count,
                                                       pieces->foreign, pieces->count, 0);
    if (copied != (ssize_t)pieces->bytes)
        return invalid(CAF_BAD_ARGUMENT,
                       "the target of a pointer component of image %d, which was not allocated "
                       "through it, cannot be reached: %s",
                       pieces->image, strerror(copied < 0 ? errno : EFAULT));
    pieces->count = 0;
    pieces->bytes = 0;
    return DM_OK;
}

static enum dm_status add(struct pieces *pieces, void *local, void *foreign, size_t bytes)
{
    pieces->local[pieces->count] = (struct iovec){local, bytes};
    pieces->foreign[pieces->count++] = (struct iovec){foreign, bytes};
    pieces->bytes += bytes;
    return pieces->count == PIECES ? copy_pieces(pieces) : DM_OK;
}

/* The next combination of indices; false after the last. */
static bool advance(const struct section *section, size_t *index)
{
    for (int d = 0; d < section->rank; d++) {
        if (++index[d] < section->count[d])
            return true;
        index[d] = 0;
    }
    return false;
}

static enum dm_status copy_of_others(const struct section *section, int image, bool is_put,
                                     char *to, char *from)
{
    struct pieces pieces = {.image = image, .is_put = is_put};
    size_t index[CAF_MAX_RANK] = {0};
    do {
        char *to_element = to, *from_element = from;
        for (int d = 0; d < section->rank; d++) {
            to_element += (ptrdiff_t)index[d] * section->to[d];
            from_element += (ptrdiff_t)index[d] * section->from[d];
        }
        TRY(is_put ? add(&pieces, from_element, to_element, section->element_bytes)
                   : add(&pieces, to_element, from_element, section->element_bytes));
    } while (advance(section, index));
    return pieces.count > 0 ? copy_pieces(&pieces) : DM_OK;
}

static enum dm_status copy(const struct section *section, int image, bool is_put, char *to,
                           char *from)
{
    if (section->rank > 0 && section->count[0] == 0)
        return DM_OK;
    if (image != runtime.image)
        return copy_of_others(section, image, is_put, to, from);
    section_copy(section, to, from);
    return DM_OK;
}

enum dm_status foreign_get(int image, size_t address, const struct caf_strides *strides, void *to,
                           const struct caf_strides *to_strides, const struct caf_shape *shape)
{
    struct section section = section_simplify(shape, to_strides, strides);
    return copy(&section, image, false, to, (char *)address);
}

enum dm_status foreign_put(int image, size_t address, const struct caf_strides *strides,
                           const void *from, const struct caf_strides *from_strides,
                           const struct caf_shape *shape)
{
    struct section section = section_simplify(shape, strides, from_strides);
    return copy(&section, image, true, (char *)address, (char *)from);
}
