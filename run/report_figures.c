#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "database.h"
#include "html.h"
#include "report.h"
#include "tool.h"

/* The claims of a figure or directory that are pending, or those that are not. */
static void put_claims_that(const struct report *report, const char *where, const char *value,
                            bool pending)
{
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT v.verdict, v.id, c.statement, c.thesis_value, v.measured, v.bound, v.reason, "
        "v.kind FROM verdicts v JOIN claims c USING (id) "
        "WHERE (v.verdict = 'pending') = %d AND %s = %Q ORDER BY c.rowid",
        pending, where, value);
    bool any = false;
    for (; database_row(query); any = true) {
        if (!any && pending)
            html_put(report->page, "<details><summary>Pending claims</summary>\n");
        if (!any)
            html_put(report->page,
                     "<table class=\"claims\"><thead><tr><th>verdict<th>claim<th>published"
                     "<th>measured<th>bound<th>remark</tr></thead><tbody>\n");
        html_put(report->page, "<tr><td>");
        report_badge(report, database_text(query, 0));
        html_put(report->page,
                 "<td data-label=\"claim\"><span class=\"id\">@ (@)</span> @<td "
                 "data-label=\"published\">@"
                 "<td data-label=\"measured\">@<td data-label=\"bound\">@<td "
                 "data-label=\"remark\">@</tr>\n",
                 database_text(query, 1), database_text(query, 7), database_text(query, 2),
                 database_text(query, 3), database_text(query, 4), database_text(query, 5),
                 database_text(query, 6));
    }
    if (any)
        html_put(report->page, pending ? "</tbody></table></details>\n" : "</tbody></table>\n");
}

static void put_claims(const struct report *report, const char *where, const char *value)
{
    put_claims_that(report, where, value, false);
    put_claims_that(report, where, value, true);
}

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
    int columns = sqlite3_column_count(query);
    html_put(report->page,
             "<details><summary>Published numbers</summary><div class=\"wide\"><table><thead><tr>");
    for (int i = 0; i < columns; i++)
        html_put(report->page, "<th>@", sqlite3_column_name(query, i));
    html_put(report->page, "</tr></thead><tbody>\n");
    while (database_row(query)) {
        html_put(report->page, "<tr>");
        for (int i = 0; i < columns; i++)
            html_put(report->page, "<td>@", database_text(query, i));
        html_put(report->page, "</tr>\n");
    }
    html_put(report->page, "</tbody></table></div></details>\n");
    sqlite3_free(table);
}

/* What feeds a figure and did not give numbers, and why. */
static void put_missing(const struct report *report, const char *figure)
{
    sqlite3_stmt *query =
        database_prepare(report->database,
                         "SELECT id, CASE WHEN status IS NULL THEN 'not measured' ELSE 'waived: ' "
                         "|| coalesce(reason, '') END "
                         "FROM experiments WHERE ',' || figures || ',' LIKE '%%,' || %Q || ',%%' "
                         "AND (status IS NULL OR status = 'WAIVED')",
                         figure);
    while (database_row(query))
        html_put(report->page, "<p class=\"remark\"><code>@</code> @</p>\n",
                 database_text(query, 0), database_text(query, 1));
}

static void put_figure(const struct report *report, const char *id, const char *title,
                       const char *section)
{
    html_put(report->page, "<article id=\"@\"><h4>@ <span class=\"id\">@, section @</span></h4>\n",
             id, title, id, section);
    char *picture = tool_text("%s/figures/%s.svg", report->results, id);
    char *table = tool_text("%s/tables/%s.html", report->results, id);
    int shown = html_put_picture(report->page, picture, title);
    if (access(table, R_OK) == 0) {
        html_put(report->page, "<div class=\"wide\">");
        html_put_file(report->page, table);
        html_put(report->page, "</div>\n");
        shown = 1;
    }
    if (!shown)
        html_put(report->page, "<p class=\"remark\">Not drawn in these results.</p>\n");
    put_missing(report, id);
    put_published(report, id);
    put_claims(report, "v.figure", id);
    html_put(report->page, "</article>\n");
    free(picture);
    free(table);
}

/* A figure is worth its place when it is drawn or a claim of it has a verdict; the rest is folded
 * away. */
static bool has_content(const struct report *report, const char *id)
{
    char *picture = tool_text("%s/figures/%s.svg", report->results, id);
    char *table = tool_text("%s/tables/%s.html", report->results, id);
    char *judged = database_value(
        report->database, "SELECT 1 FROM verdicts WHERE figure = %Q AND verdict <> 'pending'", id);
    bool content = judged || access(picture, R_OK) == 0 || access(table, R_OK) == 0;
    sqlite3_free(judged);
    free(picture);
    free(table);
    return content;
}

/* The figures of a directory that have content, or those that have none; returns how many. */
static int put_directory_figures(const struct report *report, const char *dir, bool content)
{
    sqlite3_stmt *query = database_prepare(report->database,
                                           "SELECT id, title, section FROM figures WHERE dir = %Q "
                                           "ORDER BY author = 'datamotion', rowid",
                                           dir);
    int count = 0;
    while (database_row(query)) {
        if (has_content(report, database_text(query, 0)) != content)
            continue;
        if (count++ == 0 && !content)
            html_put(report->page,
                     "<details><summary>Figures and tables without data here</summary>\n");
        put_figure(report, database_text(query, 0), database_text(query, 1),
                   database_text(query, 2));
    }
    if (count > 0 && !content)
        html_put(report->page, "</details>\n");
    return count;
}

void report_figures(const struct report *report)
{
    sqlite3_stmt *query = database_prepare(
        report->database, "SELECT dir, sum(verdict = 'reproduced'), "
                          "sum(verdict NOT IN ('waived', 'pending', 'shown')), count(*), "
                          "sum(verdict NOT IN ('waived', 'pending')) > 0 "
                          "FROM claims JOIN verdicts USING (id) GROUP BY dir "
                          "ORDER BY 3 DESC, dir");
    html_put(report->page, "<section id=\"figures\"><h2>Figures and claims</h2>\n");
    while (database_row(query)) {
        const char *dir = database_text(query, 0);
        html_put(
            report->page,
            "<details class=\"directory\" @><summary><h3>@</h3> @ of @ claims judged, @ reproduced</summary>\n",
            sqlite3_column_int(query, 4) ? "open" : "", dir, database_text(query, 2),
            database_text(query, 3), database_text(query, 1));
        put_directory_figures(report, dir, true);
        put_directory_figures(report, dir, false);
        html_put(report->page, "<article><h4>Claims without a figure</h4>\n");
        put_claims(report, "v.figure = '-' AND c.dir", dir);
        html_put(report->page, "</article></details>\n");
    }
    html_put(report->page, "</section>\n");
}
