#include "database.h"
#include "html.h"
#include "report.h"

/* A term and its text, if there is one. */
static void put_fact(const struct report *report, const char *term, const char *text)
{
    if (*text)
        html_put(report->page, "<dt>@<dd>@", term, text);
}

/* What was measured on each other machine that judges the claim. */
static void put_elsewhere(const struct report *report, const char *claim)
{
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT 'on ' || machine, verdict || iif(measured = '', '', ', ' || measured) FROM "
        "elsewhere WHERE id = %Q AND verdict NOT IN ('waived', 'pending', 'shown') ORDER BY rowid",
        claim);
    while (database_row(query))
        put_fact(report, database_text(query, 0), database_text(query, 1));
}

/* Links to the experiments that a claim is judged from, each with the command that redoes it. */
static void put_experiments(const struct report *report, const char *claim)
{
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT id, dir FROM experiments WHERE id IN (SELECT experiment FROM claim_experiments "
        "WHERE claim = %Q) OR %Q NOT IN (SELECT claim FROM claim_experiments) AND EXISTS (SELECT 1 "
        "FROM claims c WHERE c.id = %Q AND ',' || figures || ',' LIKE '%%,' || c.figure || ',%%') "
        "ORDER BY rowid",
        claim, claim, claim);
    while (database_row(query))
        html_put(report->page,
                 "<dt>experiment<dd><a href=\"mechanism-@.html#experiment-@\">@</a>, "
                 "again: <code>make -B @</code>\n",
                 database_text(query, 1), database_text(query, 0), database_text(query, 0),
                 database_text(query, 0));
}

void report_claims(const struct report *report, const char *where, const char *value)
{
    char *condition = sqlite3_mprintf(where, value);
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT v.verdict, v.id, c.statement, v.measured, v.bound, v.reason, "
        "iif(v.rests_on = '', '', 'rests on data of ' || v.rests_on || ' as well'), c.kind, "
        "iif(c.section = '-', '', ', section ' || c.section), c.author, c.check_text, iif(c.thesis_value = '-', '', c.thesis_value), c.metric "
        "FROM verdicts v JOIN claims c USING (id) WHERE %s ORDER BY c.rowid",
        condition);
    while (database_row(query)) {
        const char *id = database_text(query, 1);
        html_put(report->page, "<section class=\"claim\" id=\"@\"><h3>", id);
        report_badge(report, database_text(query, 0));
        html_put(report->page, " @ <a class=\"id\" href=\"#@\">@</a></h3>\n<dl>",
                 database_text(query, 2), id, id);
        put_fact(report, "measured", database_text(query, 3));
        put_fact(report, "bound", database_text(query, 4));
        put_fact(report, "remark", database_text(query, 5));
        put_fact(report, "", database_text(query, 6));
        put_elsewhere(report, id);
        put_fact(report, "published", database_text(query, 11));
        put_fact(report, "check", database_text(query, 10));
        html_put(report->page, "<dt>source<dd><a href=\"thesis-@.html#@\">@@</a> (kind @)",
                 database_text(query, 9), id, database_text(query, 9), database_text(query, 8),
                 database_text(query, 7));
        put_experiments(report, id);
        html_put(report->page, "</dl></section>\n");
    }
    sqlite3_free(condition);
}

/* One thesis: its claims by section, a line each, with the way to the figure. */
static void put_thesis(struct report *report, const char *author)
{
    char *name = sqlite3_mprintf("thesis-%s", author),
         *title = sqlite3_mprintf("Claims of %s", author);
    report_open(report, name, title);
    report_bar(report, "c.author = %Q", author);
    html_put(report->page,
             "<p class=\"filter\" hidden><label>Verdict <select><option value=\"\">all"
             "</option>");
    for (int i = 0; i < VERDICTS; i++)
        html_put(report->page, "<option>@</option>", report_verdicts[i][0]);
    html_put(report->page,
             "</select></label> <label>Text <input type=\"search\"></label> <output></output></p>\n"
             "<table class=\"claims sortable\"><thead><tr><th>verdict<th>claim<th>statement"
             "<th>figure<th>mechanism<th>section</tr></thead><tbody>\n");
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT v.verdict, v.id, c.statement, iif(v.figure IN (SELECT id FROM figures), v.figure, ''), c.dir, nullif(c.section, '-'), "
        "iif(v.figure IN (SELECT id FROM figures), 'figure-' || v.figure, 'mechanism-' || c.dir) "
        "FROM verdicts v JOIN claims c USING (id) WHERE c.author = %Q ORDER BY c.rowid",
        author);
    while (database_row(query)) {
        const char *id = database_text(query, 1), *page = database_text(query, 6);
        html_put(report->page, "<tr id=\"@\"><td>", id);
        report_badge(report, database_text(query, 0));
        html_put(report->page, "<td><a href=\"@.html#@\">@</a><td>@<td data-label=\"figure\">",
                 page, id, id, database_text(query, 2));
        if (*database_text(query, 3))
            html_put(report->page, "<a href=\"figure-@.html\">@</a>", database_text(query, 3),
                     database_text(query, 3));
        html_put(report->page,
                 "<td data-label=\"mechanism\"><a href=\"mechanism-@.html\">@</a><td "
                 "data-label=\"section\">@</tr>\n",
                 database_text(query, 4), database_text(query, 4), database_text(query, 5));
    }
    html_put(report->page, "</tbody></table>\n");
    report_close(report);
    sqlite3_free(name);
    sqlite3_free(title);
}

void report_theses(struct report *report)
{
    sqlite3_stmt *query =
        database_prepare(report->database, "SELECT DISTINCT author FROM claims ORDER BY rowid");
    while (database_row(query))
        put_thesis(report, database_text(query, 0));
}
