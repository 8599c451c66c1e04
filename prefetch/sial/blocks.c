/* Sizes, counts and numbers of blocks. */
#include "prefetch/sial/bytecode.h"

size_t sial_block_elements(const struct prefetch_program *program, int array, const int *segments,
                           int *extents)
{
    const struct sial_array *shape = &program->arrays[array];
    size_t elements = 1;
    for (int i = 0; i < shape->rank; i++) {
        enum sial_index_kind kind = program->indices[shape->indices[i]].kind;
        int extent = kind == SIAL_SIMPLE ? 1 : segments[kind];
        if (__builtin_mul_overflow(elements, (size_t)extent, &elements))
            elements = SIZE_MAX;
        if (extents)
            extents[i] = extent;
    }
    return elements;
}

static int64_t range_of(const struct prefetch_program *program, int index)
{
    int64_t range = (int64_t)program->indices[index].high - program->indices[index].low + 1;
    return range > 0 ? range : 0;
}

int64_t sial_block_count(const struct prefetch_program *program, int array)
{
    const struct sial_array *shape = &program->arrays[array];
    int64_t count = 1;
    for (int i = 0; i < shape->rank; i++)
        count *= range_of(program, shape->indices[i]);
    return count;
}

int64_t sial_block_number(const struct prefetch_program *program, int array, const int *values)
{
    const struct sial_array *shape = &program->arrays[array];
    int64_t number = 0;
    for (int i = 0; i < shape->rank; i++) {
        const struct sial_index *index = &program->indices[shape->indices[i]];
        if (values[i] < index->low || values[i] > index->high)
            return -1;
        number = number * range_of(program, shape->indices[i]) + (values[i] - (int64_t)index->low);
    }
    return number;
}
