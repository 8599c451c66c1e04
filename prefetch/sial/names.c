#include "prefetch/sial/names.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char *const kinds[] = {"an index",
                                    "an array",
                                    "a scalar",
                                    "an int",
                                    "a constant",
                                    "a predefined name",
                                    "a super instruction",
                                    "a procedure"};

const char *sial_symbol_kind_text(enum symbol_kind kind)
{
    return kinds[kind];
}

static struct symbol **bucket_of(struct compiler *compiler, const char *name)
{
    unsigned hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned)tolower((unsigned char)*name)) * 16777619u;
    return &compiler->names[hash % SIAL_NAME_BUCKETS];
}

static struct symbol *look_up(struct compiler *compiler, const char *name)
{
    struct symbol *symbol = *bucket_of(compiler, name);
    while (symbol && strcasecmp(symbol->name.text, name) != 0)
        symbol = symbol->next;
    return symbol;
}

struct symbol *sial_declare(struct compiler *compiler, struct name name, enum symbol_kind kind)
{
    struct symbol *other = look_up(compiler, name.text);
    if (other)
        sial_fail(compiler, name.place, "`%s` is declared already: %s in line %d of %.80s",
                  name.text, kinds[other->kind], other->name.place.line,
                  compiler->program->files[other->name.place.file].name);
    struct symbol *symbol = sial_take(compiler, sizeof *symbol);
    struct symbol **bucket = bucket_of(compiler, name.text);
    *symbol = (struct symbol){.name = name, .kind = kind, .next = *bucket};
    *bucket = symbol;
    return symbol;
}

int sial_distance(const char *left, const char *right, int most)
{
    enum { LONGEST = 64 };
    int row[LONGEST + 1], columns = (int)strlen(right), rows = (int)strlen(left);
    if (columns > LONGEST || rows - columns > most || columns - rows > most)
        return most + 1;
    for (int j = 0; j <= columns; j++)
        row[j] = j;
    for (int i = 1; i <= rows; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            bool same = tolower((unsigned char)left[i - 1]) == tolower((unsigned char)right[j - 1]);
            int change = diagonal + !same, step = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < step ? change : step;
        }
    }
    return row[columns] <= most ? row[columns] : most + 1;
}

/* The declared name that is nearest, if it is near enough to be meant. */
static const struct symbol *nearest(struct compiler *compiler, const char *name)
{
    const struct symbol *best = NULL;
    int most = strlen(name) > 4 ? 2 : strlen(name) > 1 ? 1 : 0, least = most + 1;
    for (int i = 0; i < SIAL_NAME_BUCKETS; i++)
        for (const struct symbol *symbol = compiler->names[i]; symbol; symbol = symbol->next) {
            int distance = sial_distance(name, symbol->name.text, most);
            if (distance < least) {
                best = symbol;
                least = distance;
            }
        }
    return best;
}

struct symbol *sial_find(struct compiler *compiler, struct name name)
{
    struct symbol *symbol = look_up(compiler, name.text);
    if (symbol)
        return symbol;
    const struct symbol *near = nearest(compiler, name.text);
    if (near)
        sial_fail(compiler, name.place, "`%s` is not declared: did you mean `%s`?", name.text,
                  near->name.text);
    sial_fail(compiler, name.place, "`%s` is not declared", name.text);
}

struct symbol *sial_find_kind(struct compiler *compiler, struct name name, enum symbol_kind kind)
{
    struct symbol *symbol = sial_find(compiler, name);
    if (symbol->kind != kind)
        sial_fail(compiler, name.place, "expected %s, but `%s` is %s", kinds[kind], name.text,
                  kinds[symbol->kind]);
    return symbol;
}
