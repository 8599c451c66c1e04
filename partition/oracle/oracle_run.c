/* oracle_run.c: executes a kernel's threads one after another and records what they access. */
#include "oracle.h"
#include "common/random.h"
#include "common/harness/exit.h"

#include <stdlib.h>
#include <string.h>

/* On both sides of an array: accesses beside it are recorded, not fatal. */
enum { MARGIN_BYTES = 1 << 16 };

/* Integers in arrays are below that, so that indices that are loaded are those of elements. */
enum { LARGEST_INDEX = 4096 };

static struct oracle_launch *tracing;

static void record_in(struct oracle_argument *array, size_t offset, size_t bytes, int write)
{
    size_t first = offset / array->element_bytes;
    size_t last = (offset + bytes - 1) / array->element_bytes;
    for (size_t i = first; i <= last; i++)
        if (i < array->elements)
            array->accessed[write][i] = 1;
        else
            array->outside++;
}

static void record(const void *address, unsigned long bytes, int write)
{
    for (size_t i = 0; i < tracing->kernel->argument_count; i++) {
        struct oracle_argument *array = &tracing->arguments[i];
        size_t size = array->elements * array->element_bytes;
        uintptr_t begin = (uintptr_t)array->memory, at = (uintptr_t)address;
        if (!array->memory || at < begin || at >= begin + size + 2 * MARGIN_BYTES)
            continue;
        if (at < begin + MARGIN_BYTES)
            array->outside++;
        else
            record_in(array, at - begin - MARGIN_BYTES, bytes, write);
        return;
    }
}

static void fill(struct oracle_argument *array, char fundamental, uint64_t seed)
{
    void *values = array->memory + MARGIN_BYTES;
    size_t count = array->elements;
    if (fundamental == 'f' && array->element_bytes == sizeof(float))
        random_fill_float(values, count, seed);
    else if (fundamental == 'd')
        random_fill_double(values, count, seed);
    else if (fundamental == 'i' && array->element_bytes == sizeof(int))
        for (size_t i = 0; i < count; i++)
            ((int *)values)[i] =
                (int)random_below(seed, i, count < LARGEST_INDEX ? count : LARGEST_INDEX);
    else
        random_fill_bytes(values, count * array->element_bytes, seed);
}

static void prepare_array(struct oracle_argument *array, const struct partition_argument *described,
                          size_t elements, uint64_t seed)
{
    if (described->element_bits == 0 || described->element_bits % 8 != 0)
        fail("argument %s has elements of %u bits", described->name, described->element_bits);
    array->elements = elements;
    array->element_bytes = described->element_bits / 8;
    array->memory = allocate_or_fail(elements * array->element_bytes + 2 * MARGIN_BYTES, 1);
    memset(array->memory, 0, elements * array->element_bytes + 2 * MARGIN_BYTES);
    array->value.pointer = array->memory + MARGIN_BYTES;
    for (int write = 0; write < 2; write++)
        array->accessed[write] = allocate_or_fail(elements, 1);
    array->earlier = allocate_or_fail(elements, 1);
    fill(array, described->fundamental, seed);
}

static int64_t scalar(const struct oracle_case *its, const char *name)
{
    for (size_t i = 0; i < its->scalar_count; i++)
        if (strcmp(its->scalars[i].name, name) == 0)
            return its->scalars[i].value;
    fail("case of %s: argument %s has no value", its->kernel, name);
}

static void prepare_number(struct oracle_launch *launch, size_t index)
{
    const struct partition_argument *described = &launch->kernel->arguments[index];
    struct oracle_argument *number = &launch->arguments[index];
    if (described->fundamental == 'f')
        number->value.single = 0.5f;
    else if (described->fundamental == 'd')
        number->value.number = 0.5;
    else
        number->value.integer = scalar(launch->its, described->name);
    launch->scalars[index] = number->value.integer;
}

void oracle_prepare(struct oracle_launch *launch)
{
    size_t count = launch->kernel->argument_count;
    launch->arguments = allocate_or_fail(count, sizeof *launch->arguments);
    launch->scalars = allocate_or_fail(count, sizeof *launch->scalars);
    memset(launch->arguments, 0, count * sizeof *launch->arguments);
    memset(launch->scalars, 0, count * sizeof *launch->scalars);
    for (size_t i = 0; i < count; i++) {
        const struct partition_argument *described = &launch->kernel->arguments[i];
        if (described->level == 0)
            prepare_number(launch, i);
        else
            prepare_array(&launch->arguments[i], described, launch->its->elements, i);
    }
}

void oracle_release(struct oracle_launch *launch)
{
    for (size_t i = 0; i < launch->kernel->argument_count; i++) {
        free(launch->arguments[i].memory);
        free(launch->arguments[i].accessed[0]);
        free(launch->arguments[i].accessed[1]);
        free(launch->arguments[i].earlier);
    }
    free(launch->arguments);
    free(launch->scalars);
}

static void forget(struct oracle_launch *launch)
{
    for (size_t i = 0; i < launch->kernel->argument_count; i++) {
        struct oracle_argument *array = &launch->arguments[i];
        for (int write = 0; array->memory && write < 2; write++)
            memset(array->accessed[write], 0, array->elements);
        array->outside = 0;
    }
}

static struct oracle_triple triple(const unsigned size[3])
{
    return (struct oracle_triple){size[0], size[1], size[2]};
}

/* The i-th element of a box, x fastest. */
static struct oracle_triple inside(const unsigned size[3], unsigned i)
{
    return (struct oracle_triple){i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
}

static void run_block(const struct oracle_launch *launch, void **arguments)
{
    const unsigned *size = launch->its->shape.block;
    for (unsigned i = 0; i < size[0] * size[1] * size[2]; i++) {
        *launch->module->thread = inside(size, i);
        launch->code->call(arguments);
    }
}

void oracle_run_part(struct oracle_launch *launch, const struct partition_part *part)
{
    void *arguments[ORACLE_SCALARS];
    if (launch->kernel->argument_count > ORACLE_SCALARS)
        fail("kernel %s has more than %d arguments", launch->kernel->name, ORACLE_SCALARS);
    for (size_t i = 0; i < launch->kernel->argument_count; i++)
        arguments[i] = &launch->arguments[i].value;
    forget(launch);
    tracing = launch;
    *launch->module->access = record;
    *launch->module->block_size = triple(launch->its->shape.block);
    *launch->module->grid_size = triple(launch->its->shape.grid);
    for (unsigned i = 0; i < part->blocks[0] * part->blocks[1] * part->blocks[2]; i++) {
        struct oracle_triple block = inside(part->blocks, i);
        block.x += part->offset[0];
        block.y += part->offset[1];
        block.z += part->offset[2];
        *launch->module->block = block;
        run_block(launch, arguments);
    }
    *launch->module->access = NULL;
}
