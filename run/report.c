/* report: one self-contained HTML page about a machine's results. Called by run/report with the
 * root of the tree and the results directory, after run/collect and run/check. */
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "database.h"
#include "html.h"
#include "tool.h"

static const char *const verdicts[][2] = {
    {"reproduced", "the measured data have the property that the thesis states"},
    {"not reproduced", "they do not have it on this machine: a finding, not an error of the suite"},
    {"ambiguous", "the 95 % interval of the measurement straddles the bound"},
    {"waived", "this machine lacks what the claim is about; the remark says what"},
    {"pending", "no query or no data for it yet"},
    {"shown", "arithmetic or a quotation: its numbers agree or not, nothing is measured"},
};
enum { VERDICTS = sizeof verdicts / sizeof *verdicts };

void report_badge(const struct report *report, const char *verdict)
{
    for (int i = 0; i < VERDICTS; i++)
        if (strcmp(verdict, verdicts[i][0]) == 0)
            fprintf(report->page, "<span class=\"badge v%d\">%s</span>", i, verdict);
}

static void put_head(const struct report *report, const char *root)
{
    char *style = tool_text("%s/run/report.css", root);
    const char *name = strrchr(report->results, '/');
    name = name ? name + 1 : report->results;
    html_put(report->page,
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<title>datamotion: @</title>\n<style>\n",
             name);
    html_put_file(report->page, style);
    html_put(report->page,
             "</style></head><body>\n<header><h1>datamotion <span>@</span></h1>\n"
             "<nav><a href=\"#figures\">Figures</a> <a href=\"#verdicts\">Verdicts</a> "
             "<a href=\"#experiments\">Experiments</a> <a href=\"#machine\">Machine</a> "
             "<a href=\"#reading\">How to read</a></nav></header>\n<main>\n",
             name);
    free(style);
}

/* One fact of the machine, all its values, or "" if it is unknown. */
static char *fact(const struct report *report, const char *name)
{
    char *value = database_value(
        report->database, "SELECT group_concat(value, ' and ') FROM machine WHERE name = %Q", name);
    return value ? value : sqlite3_mprintf("");
}

static void put_machine_line(const struct report *report)
{
    char *cpu = fact(report, "cpu"), *device = fact(report, "device0_name");
    char *gpus =
        database_value(report->database, "SELECT group_concat(DISTINCT gpu) FROM experiments "
                                         "WHERE status IS NOT NULL");
    char *span = database_value(
        report->database, "SELECT min(started_utc) || ' to ' || max(ended_utc) FROM experiments");
    html_put(report->page, "<p class=\"line\">@@@</p>\n",
             *cpu ? cpu : "No experiment was measured yet.", *device ? "; " : "", device);
    if (span)
        html_put(report->page, "<p class=\"line\">Measured @</p>\n", span);
    if (gpus && strstr(gpus, "soft"))
        html_put(
            report->page,
            "<p class=\"notice\">GPU <code>soft</code>: kernels ran on the software GPU. Its times "
            "are honest "
            "times of this computer's CPU and are not those of a GPU; the shape of a result can be "
            "judged, its numbers cannot be compared with a GPU's.</p>\n");
    sqlite3_free(cpu);
    sqlite3_free(device);
    sqlite3_free(gpus);
    sqlite3_free(span);
}

static void put_summary(const struct report *report)
{
    html_put(report->page, "<section id=\"summary\"><h2>Summary</h2><div class=\"tiles\">\n");
    for (int i = 0; i < VERDICTS; i++) {
        char *count = database_value(
            report->database, "SELECT count(*) FROM verdicts WHERE verdict = %Q", verdicts[i][0]);
        fprintf(report->page, "<div class=\"tile v%d\"><b>%s</b> %s</div>\n", i, count,
                verdicts[i][0]);
        sqlite3_free(count);
    }
    html_put(report->page, "</div>\n");
    put_machine_line(report);
    html_put(report->page, "</section>\n");
}

static void put_verdicts(const struct report *report)
{
    html_put(report->page,
             "<section id=\"verdicts\"><h2>All verdicts</h2>\n"
             "<p class=\"filter\" hidden><label>Verdict <select><option value=\"\">all</option>");
    for (int i = 0; i < VERDICTS; i++)
        html_put(report->page, "<option>@</option>", verdicts[i][0]);
    html_put(report->page,
             "</select></label> <label>Text <input type=\"search\"></label> <output></output></p>\n"
             "<table class=\"claims "
             "sortable\"><thead><tr><th>verdict<th>claim<th>directory<th>figure<th>kind"
             "<th>statement<th>published<th>measured<th>bound<th>remark</tr></thead><tbody>\n");
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT v.verdict, v.id, c.dir, v.figure, v.kind, c.statement, c.thesis_value, v.measured, "
        "v.bound, v.reason FROM verdicts v JOIN claims c USING (id) "
        /* What was judged comes first. */
        "ORDER BY v.verdict = 'pending', v.verdict = 'waived', c.rowid");
    while (database_row(query)) {
        static const char *const labels[] = {"verdict", "claim",     "directory", "figure",
                                             "kind",    "statement", "published", "measured",
                                             "bound",   "remark"};
        html_put(report->page, "<tr><td>");
        report_badge(report, database_text(query, 0));
        for (int i = 1; i < 10; i++)
            html_put(report->page, "<td data-label=\"@\">@", labels[i], database_text(query, i));
        html_put(report->page, "</tr>\n");
    }
    html_put(report->page, "</tbody></table></section>\n");
}

static void put_experiments(const struct report *report)
{
    html_put(report->page, "<section id=\"experiments\"><h2>Experiments</h2>\n<table "
                           "class=\"claims sortable\"><thead><tr>"
                           "<th>experiment<th>directory<th>status<th>GPU<th>time (s)<th>started "
                           "(UTC)<th>version<th>remark</tr></thead><tbody>\n");
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT id, dir, coalesce(lower(replace(status, '_', ' ')), 'not measured'), coalesce(gpu, "
        "''), "
        "CASE WHEN status <> 'WAIVED' THEN round((julianday(ended_utc) - julianday(started_utc)) * "
        "86400) END, "
        "coalesce(started_utc, ''), coalesce(version || ' ', '') || coalesce(commit_id, '') || "
        "CASE dirty WHEN 1 THEN ' (changed)' ELSE '' END, "
        "coalesce(reason, (SELECT group_concat(variant || ': ' || w.reason, '; ') FROM waived w "
        "WHERE w.experiment = id), '') FROM experiments ORDER BY rowid");
    while (database_row(query)) {
        static const char *const labels[] = {"experiment", "directory", "status",  "GPU",
                                             "time (s)",   "started",   "version", "remark"};
        html_put(report->page, "<tr>");
        for (int i = 0; i < 8; i++)
            html_put(report->page, "<td data-label=\"@\">@", labels[i], database_text(query, i));
        html_put(report->page, "</tr>\n");
    }
    html_put(report->page, "</tbody></table></section>\n");
}

static void put_machine(const struct report *report)
{
    html_put(report->page, "<section id=\"machine\"><h2>Machine</h2>\n<table><tbody>\n");
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT replace(name, '_', ' '), group_concat(value, ' and ') FROM machine "
        "GROUP BY name ORDER BY min(rowid)");
    while (database_row(query))
        html_put(report->page, "<tr><th>@<td>@</tr>\n", database_text(query, 0),
                 database_text(query, 1));
    html_put(report->page, "</tbody></table></section>\n");
}

static void put_reading(const struct report *report, const char *root)
{
    html_put(report->page, "<section id=\"reading\"><h2>How to read a verdict</h2><dl>\n");
    for (int i = 0; i < VERDICTS; i++) {
        html_put(report->page, "<dt>");
        report_badge(report, verdicts[i][0]);
        html_put(report->page, "<dd>@</dd>\n", verdicts[i][1]);
    }
    html_put(
        report->page,
        "<dt>exact<dd>a count or a result that is the same on every machine</dd>\n"
        "<dt>shape<dd>an order, a trend, a ratio above 1 or a crossover, which any machine can show</dd>\n"
        "<dt>value<dd>a number that is judged only where the machine is like the thesis's, "
        "and is shown otherwise</dd>\n</dl>\n"
        "<p>A time is the median of the repetitions; its interval is the 95 % interval of "
        "order statistics. "
        "Something is called faster only when the intervals separate.</p></section>\n"
        "</main>\n<script>\n");
    char *script = tool_text("%s/run/report.js", root);
    html_put_file(report->page, script);
    html_put(report->page, "</script></body></html>\n");
    free(script);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        tool_fail("Usage: report ROOT RESULTS; run/report RESULTS calls it");
    const char *root = argv[1], *results = argv[2];
    char *database_path = tool_text("%s/results.db", results);
    char *path = tool_text("%s/report.html", results);
    char *unfinished = tool_text("%s/.report.html.unfinished", results);
    tool_lock(results);
    struct report report = {database_open(database_path, false), results, fopen(unfinished, "w")};
    if (!report.page)
        tool_fail("%s: cannot be written: %s", unfinished, strerror(errno));
    tool_unfinished_file(unfinished);
    put_head(&report, root);
    put_summary(&report);
    report_figures(&report);
    put_verdicts(&report);
    put_experiments(&report);
    put_machine(&report);
    put_reading(&report, root);
    int broken = ferror(report.page);
    if (fclose(report.page) != 0 || broken || rename(unfinished, path) != 0)
        tool_fail("%s: cannot be written: %s", path, strerror(errno));
    tool_unfinished_file(NULL);
    sqlite3_close(report.database);
    printf("%s\n", path);
    free(database_path);
    free(path);
    free(unfinished);
    return 0;
}
