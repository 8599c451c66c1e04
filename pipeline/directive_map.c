/* The map clause: directions, pipeline(...) and items. */
#include "directive_internal.h"

/* Words of the map clause; `alloc` is OpenMP's for memory that is not copied. */
static const struct {
    const char *word;
    enum dm_region_direction direction;
} directions[] = {{"to", DM_REGION_TO},
                  {"from", DM_REGION_FROM},
                  {"tofrom", DM_REGION_TOFROM},
                  {"alloc", DM_REGION_SCRATCH}};
enum { DIRECTIONS = sizeof directions / sizeof *directions };

/* ---- directions ---- */

/* The direction that the token after `ahead` others names, or -1. */
static int direction_at(const struct directive_parser *parser, int ahead)
{
    for (int i = 0; i < DIRECTIONS; i++)
        if (directive_sees(parser, ahead, directions[i].word))
            return i;
    return -1;
}

/* Takes the direction that is next. `map` may say it before, in and after `pipeline(...)`, but only
 * one. */
static bool take_direction(struct directive_parser *parser, struct directive_item *item)
{
    int index = direction_at(parser, 0);
    const struct directive_token *token = directive_next(parser);
    if (item->direction_given && item->direction != directions[index].direction)
        return directive_fail(parser->error, token->place,
                              "`%s` contradicts the direction before it: one map has one",
                              directions[index].word);
    item->direction = directions[index].direction;
    item->direction_given = true;
    parser->next++;
    return true;
}

/* ---- pipeline(...) ---- */

static bool set_form(struct directive_parser *parser, enum directive_form form)
{
    static const char *const words[] = {"", "chunk_size and overlap", "dirc and num_block"};
    struct directive *directive = parser->directive;
    if (directive->form != DIRECTIVE_EITHER && directive->form != form)
        return directive_fail(parser->error, directive_next(parser)->place,
                              "this `pipeline` has %s, one before it has %s: a directive has one "
                              "of the two forms",
                              words[form], words[directive->form]);
    directive->form = form;
    return true;
}

static bool read_blocks_form(struct directive_parser *parser, struct directive_item *item)
{
    if (directive_sees(parser, 0, "alloc"))
        return directive_expected(parser, "`to`, `from` or `tofrom`");
    if (!set_form(parser, DIRECTIVE_BLOCKS) || !take_direction(parser, item))
        return false;
    if (directive_take(parser, ",") || directive_take(parser, ":"))
        return directive_parse_expression(parser, &item->num_block);
    return true;
}

static bool read_chunks_form(struct directive_parser *parser, struct directive_item *item)
{
    if (!set_form(parser, DIRECTIVE_CHUNKS) ||
        !directive_parse_expression(parser, &item->chunk_size))
        return false;
    if (!directive_take(parser, ","))
        return true;
    if (direction_at(parser, 0) >= 0)
        return directive_expected(parser, "overlap, a number");
    return directive_parse_expression(parser, &item->overlap);
}

/* pipeline(iterator[, chunk_size[, overlap]]) or pipeline(iterator[, dirc[, num_block]]). */
static bool read_modifier(struct directive_parser *parser, struct directive_item *item)
{
    item->pipelined = true;
    if (!directive_need(parser, "pipeline", NULL) || !directive_need(parser, "(", "`pipeline`"))
        return false;
    item->iterator_place = directive_next(parser)->place;
    if (!directive_need_name(parser, "the name of the iterator", item->iterator))
        return false;
    if (directive_take(parser, ",")) {
        bool blocks = direction_at(parser, 0) >= 0;
        if (!(blocks ? read_blocks_form(parser, item) : read_chunks_form(parser, item)))
            return false;
    }
    return directive_need(parser, ")", "what `pipeline` is given");
}

static bool sees_modifier(const struct directive_parser *parser, int ahead)
{
    return directive_sees(parser, ahead, "pipeline") && directive_sees(parser, ahead + 1, "(");
}

/* `to:`, or `to,` ahead of `pipeline(`; an array may be called `to`. */
static bool sees_leading_direction(const struct directive_parser *parser)
{
    return direction_at(parser, 0) >= 0 &&
           (directive_sees(parser, 1, ":") ||
            (directive_sees(parser, 1, ",") && sees_modifier(parser, 2)));
}

/* What stands before the items: [direction , | direction :] pipeline(...) [, direction] : or
 * [direction :]. */
static bool read_map_type(struct directive_parser *parser, struct directive_item *item)
{
    if (sees_leading_direction(parser)) {
        if (!take_direction(parser, item))
            return false;
        parser->next++;
    }
    if (!sees_modifier(parser, 0))
        return true;
    if (!read_modifier(parser, item))
        return false;
    if (directive_take(parser, ",")) {
        if (direction_at(parser, 0) < 0)
            return directive_expected(parser, "`to`, `from`, `tofrom` or `alloc`");
        return take_direction(parser, item) && directive_need(parser, ":", "the direction");
    }
    if (!directive_need(parser, ":", "`pipeline(...)`"))
        return false;
    if (direction_at(parser, 0) < 0 || !directive_sees(parser, 1, ":"))
        return true;
    return take_direction(parser, item) && directive_need(parser, ":", "the direction");
}

/* ---- items ---- */

static bool read_bracket(struct directive_parser *parser, struct directive_item *item)
{
    if (item->dimensions == DIRECTIVE_DIMENSIONS)
        return directive_fail(parser->error, directive_next(parser)->place,
                              "an array has at most %d dimensions", DIRECTIVE_DIMENSIONS);
    struct directive_bracket *bracket = &item->brackets[item->dimensions++];
    bracket->length = DIRECTIVE_ABSENT;
    if (!directive_need(parser, "[", "the name"))
        return false;
    bracket->place = directive_next(parser)->place;
    if (!directive_parse_expression(parser, &bracket->begin))
        return false;
    if (directive_take(parser, ":") && !directive_parse_expression(parser, &bracket->length))
        return false;
    if (directive_sees(parser, 0, "]"))
        return directive_take(parser, "]");
    return directive_expected(parser, bracket->length == DIRECTIVE_ABSENT
                                          ? "`:` and the length of the section, or `]`"
                                          : "`]` after the length of the section");
}

/* Adds an item with what `type` says about it. */
static bool read_item(struct directive_parser *parser, const struct directive_item *type)
{
    struct directive *directive = parser->directive;
    struct directive_place place = directive_next(parser)->place;
    if (directive->item_count == DIRECTIVE_ITEMS)
        return directive_fail(parser->error, place, "a directive maps at most %d arrays",
                              DIRECTIVE_ITEMS);
    struct directive_item *item = &directive->items[directive->item_count++];
    *item = *type;
    item->place = place;
    if (!directive_need_name(parser, "the name of an array", item->name))
        return false;
    while (directive_sees(parser, 0, "["))
        if (!read_bracket(parser, item))
            return false;
    return true;
}

/* One map type with its items; ends at `)` or before the next `pipeline(`. */
static bool read_group(struct directive_parser *parser)
{
    struct directive_item type = {.direction = DM_REGION_TOFROM,
                                  .chunk_size = DIRECTIVE_ABSENT,
                                  .overlap = DIRECTIVE_ABSENT,
                                  .num_block = DIRECTIVE_ABSENT};
    if (!read_map_type(parser, &type))
        return false;
    do {
        if (!read_item(parser, &type))
            return false;
    } while (directive_take(parser, ",") && !sees_modifier(parser, 0));
    return true;
}

bool directive_parse_map(struct directive_parser *parser)
{
    if (!directive_need(parser, "(", "`map`"))
        return false;
    do {
        if (!read_group(parser))
            return false;
    } while (sees_modifier(parser, 0));
    if (directive_take(parser, ")"))
        return true;
    return directive_expected(parser, "`[`, `,` or `)` after an item of `map`");
}
