#include "database.h"
#include "html.h"
#include "report.h"

static void put_nodes(const struct report *report)
{
    sqlite3_stmt *query = database_prepare(
        report->database,
        "SELECT n.id, n.host, cpu, n.cores, memory_gib, os, iif(devices = '', 'none', devices), count(e.id) FROM nodes n LEFT "
        "JOIN experiments e ON e.node = n.id GROUP BY n.id ORDER BY n.id");
    while (database_row(query)) {
        html_put(report->page, "<h2 id=\"node-@\">Node @</h2>\n<table><tbody>\n",
                 database_text(query, 0), database_text(query, 0));
        static const char *const names[] = {
            "host", "processor", "cores", "memory (GiB)", "system", "devices", "experiments there"};
        for (int i = 1; i <= 7; i++)
            html_put(report->page, "<tr><th>@<td>@</tr>\n", names[i - 1], database_text(query, i));
        html_put(report->page, "</tbody></table>\n");
    }
}

static void put_facts(const struct report *report)
{
    html_put(report->page, "<h2>All that the results say of it</h2>\n<table><tbody>\n");
    sqlite3_stmt *query = database_prepare(
        report->database, "SELECT replace(name, '_', ' '), group_concat(value, '; ') FROM machine "
                          "GROUP BY name ORDER BY min(rowid)");
    while (database_row(query))
        html_put(report->page, "<tr><th>@<td>@</tr>\n", database_text(query, 0),
                 database_text(query, 1));
    html_put(report->page, "</tbody></table>\n");
}

static void put_reading(const struct report *report)
{
    html_put(report->page, "<h2 id=\"reading\">How to read a verdict</h2><dl>\n");
    for (int i = 0; i < VERDICTS; i++) {
        html_put(report->page, "<dt>");
        report_badge(report, report_verdicts[i][0]);
        html_put(report->page, "<dd>@\n", report_verdicts[i][1]);
    }
    html_put(
        report->page,
        "<dt>exact<dd>a count or a result that is the same on every machine\n"
        "<dt>shape<dd>an order, a trend, a ratio above 1 or a crossover, which any machine can "
        "show\n<dt>value<dd>a number that is judged only where the machine is like the "
        "thesis's, and is shown otherwise\n"
        "<dt>arithmetic, quoted<dd>follows from numbers that are given, or restates them: "
        "never counted as reproduced\n</dl>\n"
        "<p>A time is the median of the repetitions; its interval is the 95 % interval of "
        "order statistics, widened where repetitions depend on one another. Something is "
        "called faster only when the intervals separate.</p>\n");
}

void report_machine(struct report *report)
{
    report_open(report, "machine", "The machine, and how to read this");
    put_nodes(report);
    put_reading(report);
    put_facts(report);
    report_close(report);
}
