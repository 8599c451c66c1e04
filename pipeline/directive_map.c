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
static enum dm_status take_direction(struct directive_parser *parser, struct directive_item *item)
{
    int index = direction_at(parser, 0);
    const struct directive_token *token = directive_next(parser);
    if (item->direction_given && item->direction != directions[index].direction)
        return directive_fail(token->place,
                              "`%s` contradicts the direction before it: a map has one",
                              directions[index].word);
    item->direction = directions[index].direction;
    item->direction_given = true;
    parser->next++;
    return DM_OK;
}

/* ---- pipeline(...) ---- */

static enum dm_status set_form(struct directive_parser *parser, enum directive_form form)
{
    static const char *const words[] = {"", "chunk_size and overlap", "dirc and num_block"};
    struct pipeline_directive *directive = parser->directive;
    if (directive->form != DIRECTIVE_EITHER && directive->form != form)
        return directive_fail(directive_next(parser)->place,
                              "this `pipeline` has %s, one before it has %s: a directive has one "
                              "form",
                              words[form], words[directive->form]);
    directive->form = form;
    return DM_OK;
}

static enum dm_status read_blocks_form(struct directive_parser *parser, struct directive_item *item)
{
    if (directive_sees(parser, 0, "alloc"))
        return directive_expected(parser, "`to`, `from` or `tofrom`");
    TRY(set_form(parser, DIRECTIVE_BLOCKS));
    TRY(take_direction(parser, item));
    if (directive_take(parser, ",") || directive_take(parser, ":"))
        return directive_parse_expression(parser, &item->num_block);
    return DM_OK;
}

static enum dm_status read_chunks_form(struct directive_parser *parser, struct directive_item *item)
{
    TRY(set_form(parser, DIRECTIVE_CHUNKS));
    TRY(directive_parse_expression(parser, &item->chunk_size));
    if (!directive_take(parser, ","))
        return DM_OK;
    if (direction_at(parser, 0) >= 0)
        return directive_expected(parser, "overlap, a number");
    return directive_parse_expression(parser, &item->overlap);
}

/* pipeline(iterator[, chunk_size[, overlap]]) or pipeline(iterator[, dirc[, num_block]]). */
static enum dm_status read_modifier(struct directive_parser *parser, struct directive_item *item)
{
    item->pipelined = true;
    TRY(directive_need(parser, "pipeline", NULL));
    TRY(directive_need(parser, "(", "`pipeline`"));
    item->iterator_place = directive_next(parser)->place;
    TRY(directive_need_name(parser, "the name of the iterator", item->iterator));
    if (directive_take(parser, ",")) {
        bool blocks = direction_at(parser, 0) >= 0;
        TRY(blocks ? read_blocks_form(parser, item) : read_chunks_form(parser, item));
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
static enum dm_status read_map_type(struct directive_parser *parser, struct directive_item *item)
{
    if (sees_leading_direction(parser)) {
        TRY(take_direction(parser, item));
        parser->next++;
    }
    if (!sees_modifier(parser, 0))
        return DM_OK;
    TRY(read_modifier(parser, item));
    if (directive_take(parser, ",")) {
        if (direction_at(parser, 0) < 0)
            return directive_expected(parser, "`to`, `from`, `tofrom` or `alloc`");
        TRY(take_direction(parser, item));
        return directive_need(parser, ":", "the direction");
    }
    TRY(directive_need(parser, ":", "`pipeline(...)`"));
    if (direction_at(parser, 0) < 0 || !directive_sees(parser, 1, ":"))
        return DM_OK;
    TRY(take_direction(parser, item));
    return directive_need(parser, ":", "the direction");
}

/* ---- items ---- */

static enum dm_status read_bracket(struct directive_parser *parser, struct directive_item *item)
{
    if (item->dimensions == PIPELINE_DIMENSIONS)
        return directive_fail(directive_next(parser)->place, "an array has at most %d dimensions",
                              PIPELINE_DIMENSIONS);
    struct directive_bracket *bracket = &item->brackets[item->dimensions++];
    bracket->length = DIRECTIVE_ABSENT;
    TRY(directive_need(parser, "[", "the name"));
    bracket->place = directive_next(parser)->place;
    TRY(directive_parse_expression(parser, &bracket->begin));
    if (directive_take(parser, ":"))
        TRY(directive_parse_expression(parser, &bracket->length));
    if (directive_take(parser, "]"))
        return DM_OK;
    return directive_expected(parser, bracket->length == DIRECTIVE_ABSENT
                                          ? "`:` and the length of the section, or `]`"
                                          : "`]` after the length of the section");
}

/* Adds an item with what `type` says about it. */
static enum dm_status read_item(struct directive_parser *parser, const struct directive_item *type)
{
    struct pipeline_directive *directive = parser->directive;
    struct directive_place place = directive_next(parser)->place;
    if (directive->item_count == DIRECTIVE_ITEMS)
        return directive_fail(place, "a directive maps at most %d arrays", DIRECTIVE_ITEMS);
    struct directive_item *item = &directive->items[directive->item_count++];
    *item = *type;
    item->place = place;
    TRY(directive_need_name(parser, "the name of an array", item->name));
    while (directive_sees(parser, 0, "["))
        TRY(read_bracket(parser, item));
    return DM_OK;
}

/* One map type with its items; ends at `)` or before the next `pipeline(`. */
static enum dm_status read_group(struct directive_parser *parser)
{
    struct directive_item type = {.direction = DM_REGION_TOFROM,
                                  .chunk_size = DIRECTIVE_ABSENT,
                                  .overlap = DIRECTIVE_ABSENT,
                                  .num_block = DIRECTIVE_ABSENT};
    TRY(read_map_type(parser, &type));
    do {
        TRY(read_item(parser, &type));
    } while (directive_take(parser, ",") && !sees_modifier(parser, 0));
    return DM_OK;
}

enum dm_status directive_parse_map(struct directive_parser *parser)
{
    TRY(directive_need(parser, "(", "`map`"));
    do {
        TRY(read_group(parser));
    } while (sees_modifier(parser, 0));
    if (directive_take(parser, ")"))
        return DM_OK;
    return directive_expected(parser, "`[`, `,` or `)` after an item of `map`");
}
