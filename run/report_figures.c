#include "database.h"
#include "html.h"
#include "report.h"

/* The transcribed table of the thesis with the figure's name, if there is one. */
static void put_published(const struct report *report, const char *figure)
{
    char *table = database_value(
        report->database,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name = replace(%Q, '-', '_')",
        figure);
    if (!table)
        return;
    sqlite3_stmt *query = database_prepare(report->database, "SELECT * FROM \"%w\"", table);
    const int columns = sqlite3_column_count(query);
    html_put(report->page, "<h2>Published numbers</h2><div class=\"wide\"><table><thead><tr>");
    for (int i = 0; i < columns; i++)
        html_put(report->page, "<th>@", sqlite3_column_name(query, i));
    html_put(report->page, "</tr></thead><tbody>\n");
    while (database_row(query)) {
        html_put(report->page, "<tr>");
        for (int i = 0; i < columns; i++)
            html_put(report->page, "<td>@", database_text(query, i));
        html_put(report->page, "</tr>\n");
    }
    html_put(report->page, "</tbody></table></div>\n");
    sqlite3_free(table);
}

/* What feeds the figure: status, or why there are no numbers, data, node and command. */
static void put_sources(const struct report *report, const char *figure)
{
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT id, dir, CASE status WHEN 'WAIVED' THEN 'waived: ' || coalesce(reason, '') "
        "ELSE coalesce(lower(status), 'not measured') END, coalesce(started_utc, ''), "
        "coalesce(commit_id, '') FROM experiments WHERE ',' || figures || ',' LIKE '%%,' || %Q || "
        "',%%' ORDER BY rowid",
        figure);
    bool any = false;
    for (; database_row(query); any = true) {
        const char *id = database_text(query, 0);
        if (!any)
            html_put(report->page,
                     "<h2>Experiments</h2>\n<table class=\"claims\"><thead><tr><th>experiment"
                     "<th>status<th>measured (UTC)<th>commit<th>again</tr></thead><tbody>\n");
        html_put(report->page,
                 "<tr><td><a href=\"mechanism-@.html#experiment-@\">@</a><td>@<td "
                 "data-label=\"measured\">@<td data-label=\"commit\">@<td "
                 "data-label=\"again\"><code>make -B @</code></tr>\n",
                 database_text(query, 1), id, id, database_text(query, 2), database_text(query, 3),
                 database_text(query, 4), id);
    }
    html_put(report->page, any ? "</tbody></table>\n" : "");
}

void report_figures(struct report *report)
{
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT id, title, dir, iif(section = '-', '', 'section ' || section || ' of '), author, "
        "iif(author = 'datamotion' OR workload = '-', '', 'Published from: ' || workload || "
        "iif(hardware = '-', '', '; ' || hardware) || '. ') "
        "FROM figures ORDER BY rowid");
    while (database_row(query)) {
        const char *id = database_text(query, 0), *dir = database_text(query, 2);
        char *name = sqlite3_mprintf("figure-%s", id);
        report_open(report, name, database_text(query, 1));
        html_put(report->page,
                 "<p class=\"line\"><code>@</code>, @<a href=\"thesis-@.html\">@</a>; "
                 "mechanism <a href=\"mechanism-@.html\">@</a></p>\n",
                 id, database_text(query, 3), database_text(query, 4), database_text(query, 4), dir,
                 dir);
        if (!report_picture(report, id, database_text(query, 1)))
            html_put(report->page, "<p class=\"remark\">Not drawn in these results.</p>\n");
        html_put(report->page,
                 "<p class=\"remark\">@Explained in the terminal by "
                 "<code>run/explain @</code>.</p>\n",
                 database_text(query, 5), id);
        report_claims(report, "v.figure = %Q", id);
        put_sources(report, id);
        put_published(report, id);
        report_close(report);
        sqlite3_free(name);
    }
}
