#include <string.h>

#include "section.h"

/* Two dimensions at once, so that a short inner one costs no call. */
struct plane {
    size_t element_bytes;
    size_t count[2];
    ptrdiff_t to[2], from[2];
};
typedef void copy_plane(const struct plane *plane, char *to, const char *from);

#define inline_always static inline __attribute__((always_inline))

/* With a constant size memcpy becomes one or two moves. Four elements a turn, because address
 * arithmetic is most of the work. */
inline_always void copy_row(size_t bytes, size_t count, char *restrict to, ptrdiff_t to_stride,
                            const char *restrict from, ptrdiff_t from_stride)
{
    for (; count >= 4; count -= 4) {
        memcpy(to, from, bytes);
        memcpy(to + to_stride, from + from_stride, bytes);
        memcpy(to + 2 * to_stride, from + 2 * from_stride, bytes);
        memcpy(to + 3 * to_stride, from + 3 * from_stride, bytes);
        to += 4 * to_stride;
        from += 4 * from_stride;
    }
    for (; count > 0; count--) {
        memcpy(to, from, bytes);
        to += to_stride;
        from += from_stride;
    }
}

/* Gathers and scatters, with one constant stride, get loops of their own: they need half of the
 * address arithmetic. */
inline_always void copy_rows(size_t bytes, const struct plane *plane, char *to, const char *from)
{
    ptrdiff_t constant = (ptrdiff_t)bytes;
    for (size_t j = 0; j < plane->count[1]; j++) {
        if (plane->to[0] == constant)
            copy_row(bytes, plane->count[0], to, constant, from, plane->from[0]);
        else if (plane->from[0] == constant)
            copy_row(bytes, plane->count[0], to, plane->to[0], from, constant);
        else
            copy_row(bytes, plane->count[0], to, plane->to[0], from, plane->from[0]);
        to += plane->to[1];
        from += plane->from[1];
    }
}

#define COPY_PLANE(bytes)                                                                          \
    static void copy_##bytes(const struct plane *plane, char *to, const char *from)                \
    {                                                                                              \
        copy_rows(bytes, plane, to, from);                                                         \
    }
COPY_PLANE(1)
COPY_PLANE(2)
COPY_PLANE(4)
COPY_PLANE(8)
COPY_PLANE(12)
COPY_PLANE(16)
COPY_PLANE(24)
COPY_PLANE(32)

static void copy_any(const struct plane *plane, char *to, const char *from)
{
    copy_rows(plane->element_bytes, plane, to, from);
}

static copy_plane *choose_copy(size_t element_bytes)
{
    switch (element_bytes) {
    case 1:
        return copy_1;
    case 2:
        return copy_2;
    case 4:
        return copy_4;
    case 8:
        return copy_8;
    case 12:
        return copy_12;
    case 16:
        return copy_16;
    case 24:
        return copy_24;
    case 32:
        return copy_32;
    default:
        return copy_any;
    }
}

/* All planes: the outer dimensions count like an odometer. */
static void copy_planes(copy_plane *copy, const struct section *section, const struct plane *plane,
                        char *to, const char *from)
{
    size_t at[CAF_MAX_RANK] = {0};
    int d;
    do {
        copy(plane, to, from);
        for (d = 2; d < section->rank; d++) {
            to += section->to[d];
            from += section->from[d];
            if (++at[d] < section->count[d])
                break;
            at[d] = 0;
            to -= (ptrdiff_t)section->count[d] * section->to[d];
            from -= (ptrdiff_t)section->count[d] * section->from[d];
        }
    } while (d < section->rank);
}

void section_copy(const struct section *section, void *to, const void *from)
{
    if (section->rank == 0) {
        memcpy(to, from, section->element_bytes);
        return;
    }
    struct plane plane = {.element_bytes = section->element_bytes, .count = {section->count[0], 1}};
    plane.to[0] = section->to[0];
    plane.from[0] = section->from[0];
    if (section->rank > 1) {
        plane.count[1] = section->count[1];
        plane.to[1] = section->to[1];
        plane.from[1] = section->from[1];
    }
    copy_plane *copy = choose_copy(section->element_bytes);
    if (section->rank <= 2)
        copy(&plane, to, from);
    else
        copy_planes(copy, section, &plane, to, from);
}
