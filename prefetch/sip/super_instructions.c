/* The super instructions that every program can use, and room for more. */
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "prefetch/sip/super_internal.h"

enum { INSTRUCTIONS_MAX = 64 };

static struct prefetch_instruction table[INSTRUCTIONS_MAX + 1] = {
    {"fill_block_cyclic", "wr", "the number, then 1 more each, up to 20, then again from 1",
     super_fill_cyclic},
    {"fill_block_sequential", "wr", "the number, then 1 more each", super_fill_sequential},
    {"fill_block_random", "wr",
     "uniform in [-1, 1): a function of the seed, the whole number, the array's name, block and "
     "element",
     super_fill_random},
    {"fill_block_symmetric", "wr",
     "uniform in [-1, 1): a function of the seed, the whole number and the element's positions in "
     "any order",
     super_fill_symmetric},
    {"fill_block_position", "wr",
     "each element's position in the whole array along that dimension, from 1",
     super_fill_position},
    {"divide_blocks", "ur", "divides each element by the second block's; none of these may be 0",
     super_divide},
    {"add_to_diagonal", "ur", "adds the number to the elements on the array's diagonal",
     super_add_to_diagonal},
    {"set_diagonal", "ur", "sets the elements on the array's diagonal to the number",
     super_set_diagonal},
    {"energy_denominator", "wrr",
     "occupied minus virtual orbital energies of a block such as d[a,b,i,j], all at most -gap: "
     "block, gap, step",
     super_denominator},
    {"assert_close", "rrr",
     "ends the run unless two numbers agree to a tolerance, relative above 1", super_assert_close},
    {"assert_below", "rr", "ends the run unless the first number is below the second",
     super_assert_below},
    {"assert_block", "rrr",
     "ends the run unless two blocks agree element by element to a tolerance, relative above 1",
     super_assert_block},
    {"block_norm", "rw", "square root of the sum of squares, into a scalar", super_norm},
    {"block_maxabs", "rw", "largest absolute value, into a scalar", super_maxabs},
    {"block_sum", "rw", "sum of the elements, into a scalar", super_sum},
    {"print_block", "r", "prints the elements, on worker 0", super_print},
    {"compute_for", "r",
     "stands for so many seconds of computing: the process sleeps, so that ranks that share a core "
     "do not slow one "
     "another",
     super_compute_for},
    {"set_prefetch", "r", "blocks that every get and request is ahead from now on",
     super_set_prefetch},
};

const struct prefetch_instruction *super_find(const char *name)
{
    for (const struct prefetch_instruction *each = table; each->name; each++)
        if (strcasecmp(each->name, name) == 0)
            return each;
    return NULL;
}

static bool is_signature(const char *letters)
{
    return strspn(letters, "rwu") == strlen(letters) && strlen(letters) <= PREFETCH_ARGUMENTS_MAX;
}

enum dm_status prefetch_register(const struct prefetch_instruction *instruction)
{
    if (!is_signature(instruction->signature))
        return dm_fail(DM_INVALID,
                       "super instruction %s: the signature %s is not up to %d letters r, w, u",
                       instruction->name, instruction->signature, PREFETCH_ARGUMENTS_MAX);
    if (super_find(instruction->name))
        return dm_fail(DM_INVALID, "there is a super instruction %s already", instruction->name);
    size_t used = 0;
    while (table[used].name)
        used++;
    if (used == INSTRUCTIONS_MAX)
        return dm_fail(DM_INVALID,
                       "super instruction %s: there are %d already, and no more possible",
                       instruction->name, INSTRUCTIONS_MAX);
    table[used] = *instruction;
    return DM_OK;
}

const struct prefetch_instruction *prefetch_instructions(void)
{
    return table;
}
