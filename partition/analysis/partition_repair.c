/* partition_repair: takes out of a preprocessed source what clang cannot compile, so that the rest
 * of the file can be analysed.
 *
 *     partition-repair SOURCE MESSAGES > REPAIRED
 *
 * MESSAGES are clang's, with lines SOURCE:LINE:COLUMN: error: WHY. A function with an error in its
 * body gets the body { partition_unreadable("WHY"); }, for which partition-wrap refuses every
 * kernel that runs it. Any other definition or declaration with an error is left out, and what uses
 * its name afterwards is an error in turn: clang and this have to be run until nothing is left to
 * repair. Exit code 1: there is nothing that could be repaired. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "partition-repair: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (!file)
        stop(path, strerror(errno));
    *length = 0;
    do {
        if (*length == room && !(text = realloc(text, (room = 2 * room + 65536) + 1)))
            stop(path, "there is no memory for it");
        *length += fread(text + *length, 1, room - *length, file);
    } while (!feof(file) && !ferror(file));
    fclose(file);
    text[*length] = 0;
    return text;
}

/* ---- errors ---- */

struct fault {
    size_t place; /* in the source */
    char why[160];
    bool is_repaired;
};

struct faults {
    struct fault *items;
    size_t count;
};

static size_t place_of(const char *source, unsigned long line, unsigned long column)
{
    const char *at = source;
    while (--line && (at = strchr(at, '\n')))
        at++;
    return at ? (size_t)(at - source) + column - 1 : strlen(source);
}

/* What goes into a string literal. */
static void copy_why(char *out, size_t room, const char *why)
{
    size_t length = 0;
    for (; *why && *why != '\n' && length + 1 < room; why++)
        if (*why != '"' && *why != '\\')
            out[length++] = *why;
    out[length] = 0;
}

/* PATH:LINE:COLUMN: error: WHY */
static void add_fault(struct faults *faults, const char *source, const char *path, const char *line)
{
    static const char error[] = ": error: ";
    size_t length = strlen(path);
    if (strncmp(line, path, length) != 0 || line[length] != ':')
        return;
    char *rest;
    unsigned long number = strtoul(line + length + 1, &rest, 10);
    unsigned long column = *rest == ':' ? strtoul(rest + 1, &rest, 10) : 0;
    if (!number || !column || strncmp(rest, error, strlen(error)) != 0)
        return;
    faults->items = realloc(faults->items, (faults->count + 1) * sizeof *faults->items);
    if (!faults->items)
        stop(path, "there is no memory for clang's messages");
    struct fault *fault = &faults->items[faults->count++];
    *fault = (struct fault){.place = place_of(source, number, column)};
    copy_why(fault->why, sizeof fault->why, rest + strlen(error));
}

static struct faults read_faults(const char *source, const char *path, const char *messages)
{
    struct faults faults = {0};
    for (const char *line = messages; line;
         line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        add_fault(&faults, source, path, line);
    return faults;
}

/* ---- definitions and declarations on the top level ---- */

/* A preprocessed text: no comments. */
struct item {
    const char *begin, *end;
    const char *body; /* its opening brace; NULL: it is no function */
};

/* Behind a literal that begins at `at`, or a line of the preprocessor; `at` itself if there is
 * none. */
static const char *behind_literal(const char *at)
{
    char quote = *at;
    if (quote == '#')
        return at + strcspn(at, "\n");
    if (quote != '"' && quote != '\'')
        return at;
    for (at++; *at && *at != quote; at++)
        at += *at == '\\' && at[1];
    return *at ? at + 1 : at;
}

static bool is_word(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 &&
           !isalnum((unsigned char)at[length]) && at[length] != '_';
}

/* namespace x { and extern "C" {: what is inside is on the top level, too. */
static bool opens_scope(const char *begin, const char *brace)
{
    bool has_list = memchr(begin, '(', (size_t)(brace - begin)) != NULL;
    return !has_list &&
           (is_word(begin, brace, "namespace") || is_word(begin, brace, "inline namespace") ||
            is_word(begin, brace, "extern"));
}

static const char *behind_block(const char *at)
{
    int depth = 0;
    while (*at) {
        const char *behind = behind_literal(at);
        if (behind != at) {
            at = behind;
            continue;
        }
        depth += (*at == '{') - (*at == '}');
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

static bool is_function(const char *begin, const char *brace)
{
    int depth = 0;
    bool has_list = false;
    for (const char *at = begin; at < brace; at++) {
        depth += (*at == '(') - (*at == ')');
        has_list |= *at == '(';
        if (depth == 0 && *at == '=' && at[1] != '=')
            return false;
    }
    return has_list && depth == 0;
}

/* The item that begins at `at`, which is not at the end of the text. */
static struct item next_item(const char *at)
{
    struct item item = {.begin = at, .end = behind_literal(at)};
    int depth = 0;
    if (*at == '#')
        return item;
    while (*at) {
        const char *behind = behind_literal(at);
        if (behind != at) {
            at = behind;
            continue;
        }
        depth += (*at == '(') - (*at == ')');
        bool is_end = depth <= 0 && (*at == ';' || *at == '}');
        bool is_scope = *at == '{' && opens_scope(item.begin, at);
        if (is_end || is_scope) {
            at++;
            break;
        }
        if (*at == '{' && depth <= 0 && is_function(item.begin, at)) {
            item.body = at;
            at = behind_block(at);
            break;
        }
        at = *at == '{' ? behind_block(at) : at + 1;
    }
    item.end = at;
    return item;
}

/* ---- output ---- */

/* The first error within [begin, end); all of these count as repaired. */
static struct fault *fault_in(struct faults *faults, const char *source, const char *begin,
                              const char *end)
{
    struct fault *first = NULL;
    for (size_t i = 0; i < faults->count; i++) {
        const char *at = source + faults->items[i].place;
        if (at < begin || at >= end)
            continue;
        faults->items[i].is_repaired = true;
        first = first ? first : &faults->items[i];
    }
    return first;
}

/* The word that ends at `end`, but for spaces; *end becomes its end. */
static const char *word_before(const char *begin, const char **end)
{
    while (*end > begin && isspace((unsigned char)(*end)[-1]))
        --*end;
    const char *name = *end;
    while (name > begin && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
        name--;
    return name;
}

/* The name before the list of parameters; NULL: there is none. */
static const char *function_name(const struct item *item, const char **end)
{
    int depth = 0;
    for (const char *at = item->begin; at < item->end; at++) {
        *end = at;
        if (*at == '(' && depth++ == 0) {
            const char *name = word_before(item->begin, end);
            bool is_attribute =
                is_word(name, *end + 1, "__attribute__") || is_word(name, *end + 1, "__declspec");
            if (!is_attribute && name < *end)
                return name;
        }
        depth -= *at == ')';
    }
    return NULL;
}

/* Another function of the name of one that is left out would be called in its place. */
static void poison_name(const struct item *item, const char *why)
{
    const char *end, *name = function_name(item, &end);
    for (const char *at = item->begin; name && at < end; at++)
        if (is_word(at, item->end, "operator"))
            stop("an operator", "its declaration cannot be compiled, and others would replace it");
    if (!name)
        return;
    printf("\n#pragma GCC poison %.*s\n", (int)(end - name), name);
    fprintf(stderr, "partition-repair: %.*s is left out: %s\n", (int)(end - name), name, why);
}

static bool is_scope_border(const struct item *item)
{
    return !item->body &&
           (item->end[-1] == '{' || (item->end[-1] == '}' && item->end - item->begin == 1));
}

static void write_item(struct faults *faults, const char *source, const struct item *item)
{
    const char *body = item->body ? item->body : item->end;
    struct fault *head = fault_in(faults, source, item->begin, body);
    struct fault *within = fault_in(faults, source, body, item->end);
    if (is_scope_border(item) || (!head && !within))
        fwrite(item->begin, 1, (size_t)(item->end - item->begin), stdout);
    else if (!head)
        printf("%.*s{ partition_unreadable(\"%s\"); }\n", (int)(body - item->begin), item->begin,
               within->why);
    else
        poison_name(item, head ? head->why : within->why);
}

int main(int argc, char **argv)
{
    size_t length, message_length;
    if (argc != 3)
        stop("usage", "partition-repair SOURCE MESSAGES > REPAIRED");
    char *source = read_file(argv[1], &length);
    char *messages = read_file(argv[2], &message_length);
    struct faults faults = read_faults(source, argv[1], messages);
    bool any = false;
    for (const char *at = source; *at;) {
        size_t space = strspn(at, " \t\r\n");
        fwrite(at, 1, space, stdout);
        at += space;
        if (!*at)
            break;
        struct item item = next_item(at);
        write_item(&faults, source, &item);
        at = item.end;
    }
    for (size_t i = 0; i < faults.count; i++)
        any |= faults.items[i].is_repaired;
    free(faults.items);
    free(messages);
    free(source);
    return any && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
