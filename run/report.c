/* report: a folder of HTML pages about a machine's results. Called by run/report with the results
 * directory and the empty folder below it, after run/collect and run/check. */
#include "report.h"

#include <stdlib.h>

#include "database.h"
#include "tool.h"

int main(int argc, char **argv)
{
    if (argc != 3)
        tool_fail("Usage: report RESULTS FOLDER; run/report RESULTS calls it");
    char *path = tool_text("%s/results.db", argv[1]);
    struct report report = {database_open(path, false), argv[1], argv[2], NULL};
    report_start(&report);
    report_theses(&report);
    report_mechanisms(&report);
    report_figures(&report);
    report_machine(&report);
    report_search(&report);
    sqlite3_close(report.database);
    free(path);
    return 0;
}
