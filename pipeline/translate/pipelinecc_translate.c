/* pipelinecc-translate: from a source with directives to kernels and a source that calls them. The
 * driver pipelinecc calls it twice:
 *
 *   pipelinecc-translate mark FILE LANGUAGE MARKED FLAGS...
 *     MARKED: FILE with the names of each directive as a statement, to be preprocessed
 *   pipelinecc-translate translate FILE LANGUAGE PREPROCESSED HOST KERNELS FLAGS...
 *     HOST: FILE that calls its loops. KERNELS: what is called; "-": it is part of HOST
 *
 * LANGUAGE: c or c++. FLAGS are clang's. Exit code 3: the file has no directive. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translate.h"

enum { NO_DIRECTIVE = 3, FILE_LOOPS = 64 };

static void write_file(const char *path, const struct text *text)
{
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(text->bytes, 1, text->length, file) == text->length;
    if (!file || fclose(file) != 0 || !written) {
        fprintf(stderr, "pipelinecc: error: %s cannot be written\n", path);
        exit(1);
    }
}

/* ---- the loops of a file ---- */

struct search {
    const struct source *source;
    const struct pragmas *pragmas;
    struct loop *loops;
    int count;
    CXCursor function;
};

/* pipelined_FILE_LINE, of letters that a name may have. */
static char *name_of(const struct source *written, const struct pragma *pragma)
{
    const char *slash = strrchr(written->path, '/');
    char *name =
        keep_format("pipelined_%s_%u", slash ? slash + 1 : written->path, pragma->place.line);
    for (char *at = name; *at; at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *at))
            *at = '_';
    return name;
}

static void add_loop(struct search *search, CXCursor statement, CXCursor marker,
                     struct pragma *pragma)
{
    if (search->count == FILE_LOOPS)
        error_at(pragma->place, "a file with more than %d directives: not supported", FILE_LOOPS);
    search->loops[search->count++] = (struct loop){.source = search->source,
                                                   .pragmas = search->pragmas,
                                                   .pragma = pragma,
                                                   .name = name_of(search->source->written, pragma),
                                                   .statement = statement,
                                                   .marker = marker,
                                                   .function = search->function};
}

/* Loops behind directives, with the marker before each. */
static void find_loops(struct search *search, CXCursor cursor)
{
    struct cursors children = source_children(cursor);
    for (int c = 0; c < children.count; c++) {
        const struct pragma *pragma =
            clang_getCursorKind(children.at[c]) == CXCursor_ForStmt
                ? pragma_of(search->source, search->pragmas, children.at[c])
                : NULL;
        if (clang_getCursorSemanticParent(children.at[c]).kind == CXCursor_TranslationUnit)
            search->function = children.at[c];
        if (pragma && pragma->pipeline) {
            if (c == 0 || clang_getCursorKind(children.at[c - 1]) != CXCursor_CompoundStmt)
                error_at(pragma->place, "the directive's loop must stand in a block of its own: "
                                        "write `{` before the directive and `}` behind the loop");
            add_loop(search, children.at[c], children.at[c - 1], (struct pragma *)pragma);
        } else {
            find_loops(search, children.at[c]);
        }
    }
}

/* ---- the file as it was written ---- */

static struct place place_of(CXCursor cursor)
{
    struct place place = {0};
    clang_getExpansionLocation(clang_getCursorLocation(cursor), NULL, &place.line, &place.column,
                               NULL);
    return place;
}

/* Where the loop of a directive ends; 0: not found. */
static size_t loop_end(const struct source *source, CXCursor cursor, const struct pragma *pragma)
{
    struct cursors children = source_children(cursor);
    for (int c = 0; c < children.count; c++) {
        struct place place = place_of(children.at[c]);
        size_t end = 0;
        if (clang_getCursorKind(children.at[c]) == CXCursor_ForStmt &&
            place.line == pragma->loop.line && place.column == pragma->loop.column) {
            unsigned offset;
            clang_getExpansionLocation(clang_getRangeEnd(clang_getCursorExtent(children.at[c])),
                                       NULL, NULL, NULL, &offset);
            end = offset;
            if (end < source->length && source->bytes[end] == ';')
                end++;
        }
        if (!end)
            end = loop_end(source, children.at[c], pragma);
        if (end)
            return end;
    }
    return 0;
}

static size_t line_offset(const struct source *source, unsigned line)
{
    size_t at = 0;
    while (line > 1 && at < source->length)
        line -= source->bytes[at++] == '\n';
    return at;
}

struct edit {
    size_t begin, end;
    struct text text;
};

/* A loop, and in a file of its own what it calls. Line numbers stay. */
static void replace_loop(const struct source *written, const struct loop *loop, bool own_file,
                         struct edit *edit)
{
    edit->begin = loop->pragma->begin;
    edit->end = loop_end(written, clang_getTranslationUnitCursor(written->unit), loop->pragma);
    if (!edit->end)
        error_at(loop->pragma->place, "the end of the loop is in a macro: write it out");
    emit_call(loop, own_file, &edit->text);
    for (size_t at = edit->begin; at < edit->end; at++)
        if (written->bytes[at] == '\n')
            text_add(&edit->text, "\n");
}

/* What is put before a function. */
static void insert_before(const struct source *written, const struct loop *loop, CXCursor function,
                          struct edit *edit)
{
    struct place place = source_place(loop->source, function);
    if (strcmp(place.file, written->path) != 0)
        error_at(loop->pragma->place,
                 "`%s`, which the loop calls, is in another file: write "
                 "`__host__ __device__` there",
                 keep_string(clang_getCursorSpelling(function)));
    edit->begin = edit->end = line_offset(written, place.line) + place.column - 1;
}

static int by_begin(const void *a, const void *b)
{
    const struct edit *left = a, *right = b;
    return (left->begin > right->begin) - (left->begin < right->begin);
}

static void add_functions(const struct source *written, const struct loop *loop, struct edit *edits,
                          int *count)
{
    for (int f = 0; f < loop->functions.count; f++) {
        struct edit edit = {0};
        bool there = strstr(source_text(loop->source, loop->functions.at[f]), "__device__") != NULL;
        insert_before(written, loop, loop->functions.at[f], &edit);
        for (int e = 0; e < *count; e++)
            there = there || (edits[e].begin == edit.begin && edits[e].end == edit.begin);
        if (there)
            continue;
        text_add(&edit.text, "__host__ __device__ ");
        edits[(*count)++] = edit;
    }
}

/* The public headers that the kernels need. */
static void add_headers(const struct search *search, struct text *text)
{
    static const char *const names[] = {"blp", "blp_device", "pipeline_loop"};
    bool blocks = false;
    for (int l = 0; l < search->count; l++)
        blocks = blocks || search->loops[l].pragma->directive->form == DIRECTIVE_BLOCKS;
    for (int n = blocks ? 0 : 2; n < 3; n++)
        text_add(text, "#include <datamotion/%s.h>\n", names[n]);
}

/* A C++ file holds its kernels itself. */
static void write_host(const struct source *written, struct search *search, bool own_file,
                       const char *path)
{
    struct edit *edits = keep(sizeof *edits * (FILE_LOOPS * 34));
    struct text text = {0};
    int count = 0;
    size_t done = 0;
    if (!own_file)
        add_headers(search, &text);
    text_add(&text, "#line 1 \"%s\"\n", written->path);
    for (int l = 0; l < search->count; l++) {
        const struct loop *loop = &search->loops[l];
        replace_loop(written, loop, own_file, &edits[count++]);
        if (own_file)
            continue;
        insert_before(written, loop, loop->function, &edits[count]);
        struct edit *before = &edits[count++];
        unsigned line = source_place(loop->source, loop->function).line;
        text_add(&before->text, "\n");
        emit_loop(loop, false, &before->text);
        text_add(&before->text, "#line %u \"%s\"\n", line, written->path);
        if (loop->functions.count <= 32)
            add_functions(written, loop, edits, &count);
    }
    qsort(edits, (size_t)count, sizeof *edits, by_begin);
    for (int e = 0; e < count; e++) {
        text_add_bytes(&text, written->bytes + done, edits[e].begin - done);
        text_add_bytes(&text, edits[e].text.bytes, edits[e].text.length);
        done = edits[e].end;
    }
    text_add_bytes(&text, written->bytes + done, written->length - done);
    write_file(path, &text);
}

static void write_kernels(const struct search *search, const char *path)
{
    struct text text = {0};
    text_add(&text, "/* Kernels of the pipelined loops of %s, made by pipelinecc. */\n",
             search->source->written->path);
    add_headers(search, &text);
    text_add(&text, "\n");
    emit_declarations(search->loops, search->count, &text);
    for (int l = 0; l < search->count; l++)
        emit_loop(&search->loops[l], true, &text);
    write_file(path, &text);
}

/* ---- commands ---- */

static int mark(char **arguments, int flag_count, const char *const *flags)
{
    struct source written = {0};
    struct text marked = {0};
    source_open(&written, arguments[0], arguments[1], flag_count, flags);
    struct pragmas pragmas = read_pragmas(&written);
    bool any = false;
    for (int p = 0; p < pragmas.count; p++)
        any = any || pragmas.at[p].pipeline;
    mark_names(&written, &pragmas, &marked);
    write_file(arguments[2], &marked);
    return any ? 0 : NO_DIRECTIVE;
}

static int translate(char **arguments, int flag_count, const char *const *flags)
{
    struct source written = {0}, source = {.written = &written};
    bool own_file = strcmp(arguments[4], "-") != 0;
    source_open(&written, arguments[0], arguments[1], flag_count, flags);
    source_open(&source, arguments[2],
                strcmp(arguments[1], "c") == 0 ? "cpp-output" : "c++-cpp-output", flag_count,
                flags);
    struct pragmas pragmas = read_pragmas(&written);
    struct search search = {.source = &source, .pragmas = &pragmas};
    search.loops = keep(sizeof *search.loops * FILE_LOOPS);
    find_loops(&search, clang_getTranslationUnitCursor(source.unit));
    for (int l = 0; l < search.count; l++)
        analyse_loop(&search.loops[l]);
    write_host(&written, &search, own_file, arguments[3]);
    if (own_file)
        write_kernels(&search, arguments[4]);
    return 0;
}

int main(int count, char **words)
{
    if (count >= 5 && strcmp(words[1], "mark") == 0)
        return mark(words + 2, count - 5, (const char *const *)words + 5);
    if (count >= 7 && strcmp(words[1], "translate") == 0)
        return translate(words + 2, count - 7, (const char *const *)words + 7);
    fputs("pipelinecc-translate is called by pipelinecc: see pipelinecc -h\n", stderr);
    return 1;
}
