#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "report.h"
#include "tool.h"

/* search.js: everything that can be found, as a list that works without a server. */
void report_search(const struct report *report)
{
    char *path = tool_text("%s/search.js", report->folder);
    FILE *file = fopen(path, "w");
    if (!file)
        tool_fail("%s: cannot be written: %s", path, strerror(errno));
    char *list = database_value(
        report->database,
        "SELECT json_group_array(json_array(id, text, page)) FROM ("
        "SELECT v.id AS id, c.statement || ' (' || v.verdict || ')' AS text, "
        "iif(v.figure IN (SELECT id FROM figures), 'figure-' || v.figure, 'mechanism-' || c.dir) || "
        "'.html#' || v.id AS page FROM verdicts v JOIN claims c USING (id) "
        "UNION ALL SELECT id, title, 'figure-' || id || '.html' FROM figures "
        "UNION ALL SELECT id, 'experiment of ' || dir || ', program ' || program, "
        "'mechanism-' || dir || '.html#experiment-' || id FROM experiments)");
    fprintf(file, "\"use strict\";\nconst found = %s;\n", list ? list : "[]");
    sqlite3_free(list);
    const bool broken = ferror(file);
    if (fclose(file) != 0 || broken)
        tool_fail("%s: cannot be written: %s", path, strerror(errno));
    free(path);
}
