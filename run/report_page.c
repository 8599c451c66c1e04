#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "database.h"
#include "html.h"
#include "report.h"
#include "tool.h"

const char *const report_verdicts[VERDICTS][2] = {
    {"reproduced", "the measured data have the property that the thesis states"},
    {"not reproduced", "they do not have it on this machine: a finding, not an error of the suite"},
    {"ambiguous", "the 95 % interval of the measurement straddles the bound"},
    {"waived", "this machine lacks what the claim is about; the remark says what"},
    {"pending", "no query or no data for it yet"},
    {"shown", "arithmetic or a quotation: its numbers agree or not, nothing is measured"},
};

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void report_open(struct report *report, const char *name, const char *title)
{
    char *path = tool_text("%s/%s.html", report->folder, name);
    report->page = fopen(path, "w");
    if (!report->page)
        tool_fail("%s: cannot be written: %s", path, strerror(errno));
    html_put(report->page,
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<title>@ - datamotion @</title>\n<link rel=\"stylesheet\" href=\"report.css\">\n"
             "<script defer src=\"report.js\"></script></head><body>\n"
             "<header><a class=\"home\" href=\"index.html\">datamotion <span>@</span></a>\n"
             "<nav><a href=\"index.html#theses\">Theses</a> "
             "<a href=\"index.html#mechanisms\">Mechanisms</a> "
             "<a href=\"machine.html\">Machine</a> "
             "<a href=\"machine.html#reading\">How to read</a></nav>\n"
             "<form class=\"search\" role=\"search\" hidden><input type=\"search\" "
             "aria-label=\"Search claims, figures and experiments\" "
             "placeholder=\"Search claims, figures, experiments\"><ul></ul></form></header>\n"
             "<main>\n<h1>@</h1>\n",
             title, last_part(report->results), last_part(report->results), title);
    free(path);
}

void report_close(struct report *report)
{
    html_put(report->page, "</main></body></html>\n");
    const bool broken = ferror(report->page);
    if (fclose(report->page) != 0 || broken)
        tool_fail("%s: a page cannot be written: %s", report->folder, strerror(errno));
    report->page = NULL;
}

void report_badge(const struct report *report, const char *verdict)
{
    for (int i = 0; i < VERDICTS; i++)
        if (strcmp(verdict, report_verdicts[i][0]) == 0)
            fprintf(report->page, "<span class=\"badge v%d\">%s</span>", i, verdict);
}

void report_bar(const struct report *report, const char *where, const char *value)
{
    char *condition = sqlite3_mprintf(where, value);
    html_put(report->page, "<div class=\"bar\">");
    for (int i = 0; i < VERDICTS; i++) {
        char *count = database_value(
            report->database,
            "SELECT nullif(count(*), 0) FROM verdicts v JOIN claims c USING (id) WHERE verdict = "
            "%Q AND %s",
            report_verdicts[i][0], condition);
        if (count)
            fprintf(report->page,
                    "<span class=\"v%d\" style=\"flex-grow:%s\" title=\"%s %s\">%s</span>", i,
                    count, count, report_verdicts[i][0], count);
        sqlite3_free(count);
    }
    html_put(report->page, "</div>\n");
    sqlite3_free(condition);
}

bool report_picture(const struct report *report, const char *figure, const char *title)
{
    char *picture = tool_text("%s/figures/%s.svg", report->results, figure);
    char *table = tool_text("%s/tables/%s.html", report->results, figure);
    const bool drawn = access(picture, R_OK) == 0, written = access(table, R_OK) == 0;
    if (drawn)
        html_put(report->page,
                 "<a class=\"picture\" href=\"../figures/@.svg\"><img loading=\"lazy\" "
                 "width=\"720\" height=\"440\" alt=\"@\" src=\"../figures/@.svg\"></a>\n",
                 figure, title, figure);
    if (written) {
        html_put(report->page, "<div class=\"wide\">");
        html_put_file(report->page, table);
        html_put(report->page, "</div>\n");
    }
    free(picture);
    free(table);
    return drawn || written;
}
