#include "far.h"

#include "error.h"

#include "section.h"

void far_turn(struct far_section *section)
{
    for (int d = 0; d < section->rank; d++) {
        if (section->far[d] >= 0)
            continue;
        ptrdiff_t last = (ptrdiff_t)section->count[d] - 1;
        section->offset += (size_t)(last * section->far[d]);
        section->local += last * section->near[d];
        section->far[d] = -section->far[d];
        section->near[d] = -section->near[d];
    }
}

static struct caf_shape shape_of(const struct far_section *section)
{
    struct caf_shape shape = {.rank = section->rank, .element_bytes = section->element_bytes};
    for (int d = 0; d < section->rank; d++)
        shape.count[d] = section->count[d];
    return shape;
}

static struct caf_strides strides_of(const struct far_section *section, const ptrdiff_t *stride)
{
    struct caf_strides strides = {{0}};
    for (int d = 0; d < section->rank; d++)
        strides.stride[d] = stride[d];
    return strides;
}

void far_simplify(struct far_section *section)
{
    struct caf_shape shape = shape_of(section);
    struct caf_strides far = strides_of(section, section->far);
    struct caf_strides near = strides_of(section, section->near);
    struct section simple = section_simplify(&shape, &far, &near);
    section->rank = simple.rank;
    section->element_bytes = simple.element_bytes;
    for (int d = 0; d < simple.rank; d++) {
        section->count[d] = simple.count[d];
        section->far[d] = simple.to[d];
        section->near[d] = simple.from[d];
    }
}

size_t far_bytes(const struct far_section *section)
{
    struct caf_shape shape = shape_of(section);
    return section_bytes(&shape);
}

size_t far_end(const struct far_section *section)
{
    size_t end = section->offset + section->element_bytes;
    for (int d = 0; d < section->rank; d++)
        end += (section->count[d] - 1) * (size_t)section->far[d];
    return end;
}

size_t far_run(const struct far_section *section)
{
    size_t run = section->element_bytes;
    for (int d = 0; d < section->rank && section->far[d] == (ptrdiff_t)run; d++)
        run *= section->count[d];
    return run;
}

void far_use_buffer(struct far_section *section, char *buffer)
{
    struct caf_shape shape = shape_of(section);
    struct caf_strides packed = section_packed(&shape);
    section->local = buffer;
    for (int d = 0; d < section->rank; d++)
        section->near[d] = packed.stride[d];
}

void far_pack(const struct far_section *section, char *buffer)
{
    struct caf_shape shape = shape_of(section);
    struct caf_strides near = strides_of(section, section->near), packed = section_packed(&shape);
    struct section simple = section_simplify(&shape, &packed, &near);
    section_copy(&simple, buffer, section->local);
}

void far_unpack(const struct far_section *section, const char *buffer)
{
    struct caf_shape shape = shape_of(section);
    struct caf_strides near = strides_of(section, section->near), packed = section_packed(&shape);
    struct section simple = section_simplify(&shape, &near, &packed);
    section_copy(&simple, section->local, buffer);
}

struct far_cut far_cut(const struct far_section *section, size_t limit)
{
    struct far_cut cut = {.whole = section};
    size_t bytes = section->element_bytes;
    while (cut.dimension < section->rank && bytes * section->count[cut.dimension] <= limit)
        bytes *= section->count[cut.dimension++];
    cut.step = bytes < limit ? limit / bytes : 1;
    return cut;
}

bool far_next(struct far_cut *cut, struct far_section *chunk)
{
    const struct far_section *whole = cut->whole;
    int d = cut->dimension;
    if (cut->is_done)
        return false;
    *chunk = *whole;
    chunk->rank = d < whole->rank ? d + 1 : d;
    if (d < whole->rank && whole->count[d] - cut->at[d] > cut->step)
        chunk->count[d] = cut->step;
    else if (d < whole->rank)
        chunk->count[d] = whole->count[d] - cut->at[d];
    for (int i = d; i < whole->rank; i++) {
        chunk->offset += cut->at[i] * (size_t)whole->far[i];
        chunk->local += (ptrdiff_t)cut->at[i] * whole->near[i];
    }
    size_t step = cut->step;
    for (; d < whole->rank; d++, step = 1) {
        cut->at[d] += step;
        if (cut->at[d] < whole->count[d])
            return true;
        cut->at[d] = 0;
    }
    cut->is_done = true;
    return true;
}

/* TRANSFER_ELEMENT emulates compilers that send every element of an array as a message of its own
 * (thesis, chapter 6): a get waits for each element before it requests the next; puts do not wait.
 */
enum dm_status far_transfer(struct far_section *section)
{
    if (runtime.transfer != TRANSFER_ELEMENT)
        far_simplify(section);
    if (runtime.transfer == TRANSFER_BLOCK)
        return block_transfer(section);
    TRY(pending_wait(section, WAY_RMA));
    return runtime.transfer == TRANSFER_ELEMENT ? rma_elements(section, false)
                                                : datatype_transfer(section);
}
