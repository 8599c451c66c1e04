#include <stdlib.h>
#include <unistd.h>

#include "database.h"
#include "html.h"
#include "report.h"
#include "tool.h"

static bool is_drawn(const struct report *report, const char *figure)
{
    char *picture = tool_text("%s/figures/%s.svg", report->results, figure);
    char *table = tool_text("%s/tables/%s.html", report->results, figure);
    char *waived = database_value(report->database,
                                  "SELECT 1 FROM experiments WHERE ',' || figures || ',' LIKE "
                                  "'%%,' || %Q || ',%%' GROUP BY 1 HAVING sum(status IN ('PASS', "
                                  "'OUT_OF_REFERENCE')) = 0",
                                  figure);
    const bool drawn = !waived && (access(picture, R_OK) == 0 || access(table, R_OK) == 0);
    sqlite3_free(waived);
    free(picture);
    free(table);
    return drawn;
}

static sqlite3_stmt *figures_of(const struct report *report, const char *dir)
{
    return database_prepare(
        report->database,
        "SELECT f.id, f.title, f.kind, (SELECT count(*) FROM verdicts v WHERE v.figure = f.id), "
        "coalesce((SELECT max(reason) FROM experiments e WHERE ',' || e.figures || ',' LIKE '%%,' "
        "|| f.id || ',%%' AND e.status = 'WAIVED'), iif(f.kind = 'diagram', 'a drawing without "
        "data', 'no data in these results')) FROM figures f WHERE dir = %Q "
        "ORDER BY author = 'datamotion', f.rowid",
        dir);
}

/* The drawn figures as small pictures with their verdicts. */
static void put_drawn(const struct report *report, const char *dir)
{
    html_put(report->page, "<h2>Figures and tables</h2>\n<div class=\"cards\">\n");
    sqlite3_stmt *query = figures_of(report, dir);
    while (database_row(query)) {
        const char *id = database_text(query, 0);
        if (!is_drawn(report, id))
            continue;
        html_put(report->page, "<a class=\"card\" href=\"figure-@.html\"><b>@</b>", id,
                 database_text(query, 1));
        char *picture = tool_text("%s/figures/%s.svg", report->results, id);
        if (access(picture, R_OK) == 0)
            html_put(report->page,
                     "<img loading=\"lazy\" width=\"720\" height=\"440\" alt=\"\" "
                     "src=\"../figures/@.svg\">",
                     id);
        free(picture);
        html_put(report->page, "<span class=\"id\">@</span>", id);
        report_bar(report, "v.figure = %Q", id);
        html_put(report->page, "</a>\n");
    }
    html_put(report->page, "</div>\n");
}

/* Those without a picture, with the reason. */
static void put_not_drawn(const struct report *report, const char *dir)
{
    sqlite3_stmt *query = figures_of(report, dir);
    bool any = false;
    while (database_row(query)) {
        const char *id = database_text(query, 0);
        if (is_drawn(report, id))
            continue;
        html_put(report->page, any ? "" : "<h2 id=\"missing\">Not drawn here</h2>\n<ul>\n");
        html_put(report->page,
                 "<li><a href=\"figure-@.html\">@</a> <span class=\"id\">@</span>: @\n", id,
                 database_text(query, 1), id, database_text(query, 4));
        any = true;
    }
    html_put(report->page, any ? "</ul>\n" : "");
}

static void put_links(const struct report *report, const char *term, const char *sql,
                      const char *experiment)
{
    sqlite3_stmt *query = database_prepare(report->database, sql, experiment);
    bool any = false;
    for (; database_row(query); any = true) {
        if (!any)
            html_put(report->page, "<dt>@<dd>", term);
        html_put(report->page, "<a href=\"@\">@</a> ", database_text(query, 0),
                 database_text(query, 1));
    }
}

static void put_experiment(const struct report *report, sqlite3_stmt *row)
{
    const char *id = database_text(row, 0);
    html_put(report->page,
             "<section class=\"claim\" id=\"experiment-@\"><h3>@ <span class=\"id\">@</span></h3>\n"
             "<dl><dt>again<dd><code>make -B @</code>",
             id, id, database_text(row, 1), id);
    if (*database_text(row, 2))
        html_put(report->page, "<dt>ran<dd><code>@</code>", database_text(row, 2));
    if (*database_text(row, 3))
        html_put(report->page,
                 "<dt>on<dd><a href=\"machine.html#node-@\">node @</a>, @ s from @ UTC",
                 database_text(row, 3), database_text(row, 3), database_text(row, 4),
                 database_text(row, 5));
    if (*database_text(row, 6))
        html_put(report->page, "<dt>version<dd>@", database_text(row, 6));
    if (*database_text(row, 7))
        html_put(report->page, "<dt>remark<dd>@", database_text(row, 7));
    char *plain = tool_text("%s/%s.csv", report->results, id);
    char *packed = tool_text("%s/%s.csv.gz", report->results, id);
    const bool is_plain = access(plain, R_OK) == 0;
    if (is_plain || access(packed, R_OK) == 0)
        html_put(report->page,
                 "<dt>data<dd><a href=\"../@.csv@\">@.csv@</a>, <a href=\"../@.json\">@.json</a>",
                 id, is_plain ? "" : ".gz", id, is_plain ? "" : ".gz", id, id);
    put_links(
        report, "figures",
        "SELECT 'figure-' || f.id || '.html', f.id FROM figures f, experiments e WHERE e.id = %Q AND "
        "',' || e.figures || ',' LIKE '%%,' || f.id || ',%%' ORDER BY f.rowid",
        id);
    put_links(
        report, "claims",
        "SELECT iif(c.figure IN (SELECT id FROM figures), 'figure-' || c.figure, 'mechanism-' "
        "|| c.dir) || '.html#' || c.id, c.id FROM claim_experiments x JOIN claims c ON c.id = x.claim WHERE "
        "x.experiment = %Q ORDER BY c.rowid",
        id);
    html_put(report->page, "</dl></section>\n");
    free(packed);
    free(plain);
}

static void put_experiments(const struct report *report, const char *dir)
{
    html_put(report->page, "<h2>Experiments</h2>\n");
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT id, coalesce(lower(replace(status, '_', ' ')), 'not measured'), "
        "coalesce(command, ''), coalesce(node, ''), "
        "CAST(round((julianday(ended_utc) - julianday(started_utc)) * 86400) AS INTEGER), "
        "started_utc, coalesce(version || ', commit ' || commit_id || "
        "iif(dirty, ' with changes', ''), ''), coalesce(reason, '') || coalesce((SELECT '; waived: "
        "' || group_concat(variant || ' (' || w.reason || ')', ', ') FROM waived w WHERE "
        "w.experiment = id AND variant <> ''), '') FROM experiments WHERE dir = %Q ORDER BY rowid",
        dir);
    while (database_row(query))
        put_experiment(report, query);
}

void report_mechanisms(struct report *report)
{
    sqlite3_stmt *query = database_prepare(
        report->database, "SELECT dir FROM claims UNION SELECT dir FROM experiments");
    while (database_row(query)) {
        const char *dir = database_text(query, 0);
        char *name = tool_text("mechanism-%s", dir);
        report_open(report, name, dir);
        report_bar(report, "c.dir = %Q", dir);
        put_drawn(report, dir);
        html_put(report->page, "<h2>Claims without a figure</h2>\n");
        report_claims(report,
                      "c.dir = %Q AND c.figure NOT IN (SELECT id FROM figures) AND v.verdict "
                      "NOT IN ('waived', 'pending')",
                      dir);
        put_experiments(report, dir);
        put_not_drawn(report, dir);
        html_put(report->page, "<h2>Claims that were not judged</h2>\n");
        report_claims(report,
                      "c.dir = %Q AND c.figure NOT IN (SELECT id FROM figures) AND v.verdict "
                      "IN ('waived', 'pending')",
                      dir);
        report_close(report);
        free(name);
    }
}
