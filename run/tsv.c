#include "tsv.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* Splits the next line that is no comment into fields; returns how many, 0 at the end. */
static int split_line(struct tsv *tsv)
{
    char *line;
    do {
        line = strsep(&tsv->rest, "\n");
        tsv->line++;
        if (!line || (!tsv->rest && *line == '\0'))
            return 0;
    } while (*line == '#');
    int count = 0;
    for (char *field; (field = strsep(&line, "\t"));) {
        if (count == TSV_MOST_COLUMNS)
            tool_fail_at(tsv->path, tsv->line, "there are more than %d fields", TSV_MOST_COLUMNS);
        tsv->fields[count++] = field;
    }
    return count;
}

void tsv_open(struct tsv *tsv, const char *path, const char *const *names)
{
    *tsv = (struct tsv){.path = path};
    tsv->text = tsv->rest = tool_read_file(path);
    if (!tsv->text)
        tool_fail("%s: no such file", path);
    int count = split_line(tsv);
    while (names[tsv->columns])
        tsv->columns++;
    for (int i = 0; i < tsv->columns; i++)
        if (i >= count || strcmp(tsv->fields[i], names[i]) != 0)
            tool_fail_at(path, tsv->line, "column %d of the header must be '%s'", i + 1, names[i]);
    if (count != tsv->columns)
        tool_fail_at(path, tsv->line, "the header has %d columns instead of %d", count,
                     tsv->columns);
}

bool tsv_read(struct tsv *tsv)
{
    int count = split_line(tsv);
    if (count == 0)
        return false;
    if (count != tsv->columns)
        tool_fail_at(tsv->path, tsv->line, "there are %d fields, the header has %d", count,
                     tsv->columns);
    return true;
}

void tsv_close(struct tsv *tsv)
{
    free(tsv->text);
}
