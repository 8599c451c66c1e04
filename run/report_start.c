#include <string.h>

#include "database.h"
#include "html.h"
#include "report.h"

/* What the machine is and when it was measured. */
static void put_machine(const struct report *report)
{
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT cpu || ', ' || n.cores || ' cores, ' || memory_gib || ' GiB' || iif(devices = '', "
        "'', ', ' || devices), count(e.id) || iif(count(e.id) = 1, ' experiment', ' experiments') "
        "FROM nodes n LEFT JOIN experiments e ON e.node = n.id "
        "GROUP BY n.id ORDER BY n.id");
    while (database_row(query))
        html_put(report->page, "<p class=\"line\">@: @</p>\n", database_text(query, 0),
                 database_text(query, 1));
    char *span = database_value(report->database,
                                "SELECT min(started_utc) || ' to ' || max(ended_utc) || ' UTC' "
                                "FROM experiments WHERE status <> 'WAIVED'");
    html_put(report->page, "<p class=\"line\">@@</p>\n", span ? "Measured " : "",
             span ? span : "No experiment was measured yet.");
    sqlite3_free(span);
    char *soft =
        database_value(report->database, "SELECT 1 FROM experiments WHERE gpu = 'soft' LIMIT 1");
    if (soft)
        html_put(report->page,
                 "<p class=\"notice\">GPU <code>soft</code>: kernels ran on the software GPU. Its "
                 "times are honest times of this computer's CPU and are not those of a GPU; the "
                 "shape of a result can be judged, its numbers cannot be compared with a "
                 "GPU's.</p>\n");
    sqlite3_free(soft);
}

static void put_legend(const struct report *report)
{
    html_put(report->page, "<p class=\"line\">");
    for (int i = 0; i < VERDICTS; i++) {
        char *count =
            database_value(report->database, "SELECT count(*) FROM verdicts WHERE verdict = %Q",
                           report_verdicts[i][0]);
        report_badge(report, report_verdicts[i][0]);
        html_put(report->page, " @ ", count);
        sqlite3_free(count);
    }
    html_put(report->page, "</p>\n");
}

static void put_theses(const struct report *report)
{
    html_put(report->page, "<h2 id=\"theses\">Verdicts by thesis</h2>\n");
    put_legend(report);
    sqlite3_stmt *query =
        database_prepare(report->database,
                         "SELECT author, count(*) FROM claims GROUP BY author ORDER BY min(rowid)");
    html_put(report->page, "<div class=\"bars\">\n");
    while (database_row(query)) {
        html_put(report->page, "<a href=\"thesis-@.html\">@ <span class=\"id\">@ claims</span></a>",
                 database_text(query, 0), database_text(query, 0), database_text(query, 1));
        report_bar(report, "c.author = %Q", database_text(query, 0));
    }
    html_put(report->page, "</div>\n");
}

static void put_mechanisms(const struct report *report)
{
    html_put(report->page, "<h2 id=\"mechanisms\">By mechanism</h2>\n<div class=\"bars\">\n");
    sqlite3_stmt *query = database_prepare(
        report->database, "SELECT dir, count(*), (SELECT count(*) FROM figures f WHERE f.dir = "
                          "claims.dir) FROM claims GROUP BY dir ORDER BY dir");
    while (database_row(query)) {
        html_put(report->page,
                 "<a href=\"mechanism-@.html\">@ <span class=\"id\">@ claims, @ figures</span></a>",
                 database_text(query, 0), database_text(query, 0), database_text(query, 1),
                 database_text(query, 2));
        report_bar(report, "c.dir = %Q", database_text(query, 0));
    }
    html_put(report->page, "</div>\n");
}

/* Five claims, each with a way to all that is known of it; which: a condition and an order in SQL.
 */
static void put_five(const struct report *report, const char *title, const char *verdict,
                     const char *which)
{
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT v.id, c.statement, v.measured, v.bound, iif(v.figure IN (SELECT id FROM figures), "
        "'figure-' || v.figure, 'mechanism-' || c.dir) FROM verdicts v JOIN claims c USING (id) "
        "WHERE v.verdict = %Q AND %s LIMIT 5",
        verdict, which);
    bool any = false;
    for (; database_row(query); any = true) {
        if (!any)
            html_put(report->page, "<h3>@</h3>\n<ul>\n", title);
        html_put(report->page,
                 "<li><a href=\"@.html#@\">@</a> <span class=\"id\">@</span><br>measured @, bound "
                 "@\n",
                 database_text(query, 4), database_text(query, 0), database_text(query, 1),
                 database_text(query, 0), database_text(query, 2), database_text(query, 3));
    }
    html_put(report->page, any ? "</ul>\n" : "");
}

/* What failed, and why claims were not judged, the most frequent reason first. */
static void put_failed(const struct report *report)
{
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT id, dir, lower(replace(status, '_', ' ')), coalesce(reason, '') FROM experiments "
        "WHERE status NOT IN ('PASS', 'WAIVED') ORDER BY rowid");
    html_put(report->page, "<h2>What failed, and why claims were not judged</h2>\n<ul>\n");
    bool any = false;
    for (; database_row(query); any = true)
        html_put(report->page, "<li><a href=\"mechanism-@.html#experiment-@\">@</a>: @; @\n",
                 database_text(query, 1), database_text(query, 0), database_text(query, 0),
                 database_text(query, 2), database_text(query, 3));
    if (!any)
        html_put(report->page, "<li>No experiment failed.\n");
    query = database_prepare(
        report->database, "SELECT count(*), verdict, reason FROM verdicts WHERE verdict IN "
                          "('waived', 'pending') GROUP BY verdict, reason ORDER BY 1 DESC LIMIT 8");
    while (database_row(query))
        html_put(report->page, "<li>@ claims are @: @\n", database_text(query, 0),
                 database_text(query, 1), database_text(query, 2));
    html_put(report->page, "</ul>\n");
}

void report_start(struct report *report)
{
    report_open(report, "index", "What holds on this machine");
    put_machine(report);
    put_theses(report);
    html_put(report->page, "<h2>The strongest and the weakest results</h2>\n");
    put_five(report, "Hold by the widest margin", "reproduced",
             "margin IS NOT NULL ORDER BY margin DESC");
    /* What is counted exactly meets its bound without a margin, which says nothing. */
    put_five(report, "Hold by the narrowest margin", "reproduced",
             "margin > 0 AND c.kind <> 'exact' ORDER BY margin");
    put_five(report, "Miss by the widest margin", "not reproduced",
             "margin IS NOT NULL ORDER BY margin");
    put_mechanisms(report);
    put_failed(report);
    report_close(report);
}
