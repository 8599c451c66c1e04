/* promote_index.c: finds where a routine computes its thread indices. */
#include "promote_index.h"

#include <string.h>

static const char *const block_sizes[GRID_DIMENSIONS] = {"%ntid.x", "%ntid.y", "%ntid.z"};

/* The words and signs at the begin of an instruction. */
enum {
    MOV_TARGET = 1, /* mov.u32 a , b ; */
    MOV_SOURCE = 3,
    MOV_TOKENS = 4,
    MAD_TARGET = 1, /* mad.lo.s32 a , b , c , d ; */
    MAD_FACTOR = 3,
    MAD_OTHER_FACTOR = 5,
    MAD_TOKENS = 8
};

/* What is between two signs that end an instruction. */
struct ptx_instruction {
    struct ptx_token token[MAD_TOKENS]; /* the first ones */
    size_t count;                       /* of all */
    bool whole;                         /* ends with ; and has no parentheses */
};

/* *at moves behind the sign that ends it. */
static struct ptx_instruction read_instruction(const char **at)
{
    struct ptx_instruction instruction = {.whole = true};
    for (;;) {
        struct ptx_token token = ptx_next(at);
        if (token.kind == PTX_END || token.kind == PTX_BROKEN || ptx_ends_instruction(token)) {
            instruction.whole = instruction.whole && ptx_is(token, ";");
            return instruction;
        }
        if (ptx_is(token, "("))
            instruction.whole = false;
        if (instruction.count < MAD_TOKENS)
            instruction.token[instruction.count] = token;
        instruction.count++;
    }
}

/* A register of its own, not an element of a vector. */
static bool is_register(struct ptx_token token)
{
    return token.kind == PTX_WORD && !memchr(token.text, '.', token.length);
}

/* Whether it is `mov.u32 register, source;`. */
static bool moves(const struct ptx_instruction *instruction, const char *source)
{
    const struct ptx_token *token = instruction->token;
    return instruction->whole && instruction->count == MOV_TOKENS && ptx_is(token[0], "mov.u32") &&
           is_register(token[MOV_TARGET]) && ptx_is(token[2], ",") &&
           ptx_is(token[MOV_SOURCE], source);
}

static bool is_mad(const struct ptx_instruction *instruction)
{
    const struct ptx_token *token = instruction->token;
    return instruction->whole && instruction->count == MAD_TOKENS &&
           ptx_is(token[0], "mad.lo.s32") && ptx_is(token[2], ",") && ptx_is(token[4], ",") &&
           ptx_is(token[6], ",");
}

/* The dimension whose block index and block size it multiplies, or -1. */
static int multiplies(const struct ptx_indices *indices, const struct ptx_instruction *instruction)
{
    if (!is_mad(instruction))
        return -1;
    struct ptx_token a = instruction->token[MAD_FACTOR], b = instruction->token[MAD_OTHER_FACTOR];
    for (int d = 0; d < GRID_DIMENSIONS; d++) {
        struct ptx_token block = indices->block[d], size = indices->size[d];
        if (block.length && size.length &&
            ((ptx_same(a, block) && ptx_same(b, size)) ||
             (ptx_same(a, size) && ptx_same(b, block))))
            return d;
    }
    return -1;
}

/* Whether an instruction can set only what its first operand names: not a part of one with a vector
 * or a call. */
static bool sets_first_operand(const struct ptx_instruction *instruction)
{
    struct ptx_token first = instruction->token[0];
    return instruction->whole && instruction->count &&
           (ptx_is(first, "@") || (first.kind == PTX_WORD && *first.text != '%'));
}

/* One of the words of an instruction, and the sign or word before it. */
struct position {
    const struct ptx_instruction *instruction;
    size_t index;
    struct ptx_token token, before;
};

static bool block_is_expected(const struct ptx_indices *indices, int dimension,
                              const struct position *position)
{
    size_t index = position->index;
    if (moves(position->instruction, place_registers[dimension]))
        return index == MOV_TARGET;
    return multiplies(indices, position->instruction) == dimension &&
           (index == MAD_FACTOR || index == MAD_OTHER_FACTOR);
}

/* Where it is not read, it might be set to something else. */
static bool size_is_expected(int dimension, const struct position *position)
{
    if (position->index == MOV_TARGET && moves(position->instruction, block_sizes[dimension]))
        return true;
    return sets_first_operand(position->instruction) &&
           (ptx_is(position->before, ",") || ptx_is(position->before, "["));
}

/* Gives up a dimension whose registers are used in another way. */
static void check_word(struct ptx_indices *indices, const struct position *position)
{
    for (int d = 0; d < GRID_DIMENSIONS; d++) {
        struct ptx_token *block = &indices->block[d];
        if (!block->length)
            continue;
        if ((ptx_same(position->token, *block) && !block_is_expected(indices, d, position)) ||
            (ptx_same(position->token, indices->size[d]) && !size_is_expected(d, position)))
            block->length = 0;
    }
}

/* Also gives up what no thread index comes from. */
static void check_instructions(struct ptx_indices *indices, const struct ptx_routine *routine)
{
    bool computed[GRID_DIMENSIONS] = {false};
    for (const char *at = routine->body; at < routine->body_end;) {
        const char *word = at;
        const struct ptx_instruction instruction = read_instruction(&at);
        struct position position = {.instruction = &instruction};
        for (; position.index < instruction.count; position.index++) {
            position.before = position.token;
            position.token = ptx_next(&word);
            check_word(indices, &position);
        }
        int dimension = multiplies(indices, &instruction);
        if (dimension >= 0)
            computed[dimension] = true;
    }
    for (int d = 0; d < GRID_DIMENSIONS; d++)
        if (!computed[d])
            indices->block[d].length = 0;
}

/* The first register that gets each block size, and the one that gets each block index if that is
 * read once. */
static struct ptx_indices find_registers(const struct ptx_routine *routine)
{
    struct ptx_indices indices = {0};
    unsigned reads[GRID_DIMENSIONS] = {0};
    for (const char *at = routine->body; at < routine->body_end;) {
        const struct ptx_instruction instruction = read_instruction(&at);
        for (int d = 0; d < GRID_DIMENSIONS; d++) {
            if (moves(&instruction, place_registers[d]))
                indices.block[d] = instruction.token[MOV_TARGET];
            if (!indices.size[d].length && moves(&instruction, block_sizes[d]))
                indices.size[d] = instruction.token[MOV_TARGET];
        }
    }
    for (const char *at = routine->body; at < routine->body_end;) {
        int place = ptx_place_register(ptx_next(&at));
        if (place >= 0 && place < GRID_DIMENSIONS)
            reads[place]++;
    }
    for (int d = 0; d < GRID_DIMENSIONS; d++)
        if (reads[d] != 1)
            indices.block[d].length = 0;
    return indices;
}

struct ptx_indices ptx_find_indices(const struct ptx_routine *routine)
{
    struct ptx_indices indices = find_registers(routine);
    check_instructions(&indices, routine);
    return indices;
}

int ptx_index_computed(const struct ptx_indices *indices, const char *text,
                       struct ptx_token *thread)
{
    const struct ptx_instruction instruction = read_instruction(&text);
    *thread = instruction.token[MAD_TARGET];
    return multiplies(indices, &instruction);
}
