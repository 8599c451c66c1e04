/* report: a folder of HTML pages about a machine's results. Called by run/report with the results
 * directory, the empty folder below it, and the directories of other machines whose verdicts stand
 * beside, after run/collect and run/check. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "tool.h"

/* The verdicts of other machines, from their data bases, as the table elsewhere. */
static void read_elsewhere(sqlite3 *database, int count, char **machines)
{
    database_run(database, "CREATE TEMP TABLE elsewhere(machine TEXT, id TEXT, verdict TEXT, "
                           "measured TEXT)");
    for (int i = 0; i < count; i++) {
        const char *slash = strrchr(machines[i], '/');
        database_run(database, "ATTACH %Q || '/results.db' AS other", machines[i]);
        database_run(database,
                     "INSERT INTO elsewhere SELECT %Q, id, verdict, measured FROM other.verdicts",
                     slash ? slash + 1 : machines[i]);
        database_run(database, "DETACH other");
    }
    database_run(database, "CREATE INDEX temp.elsewhere_id ON elsewhere(id)");
}

int main(int argc, char **argv)
{
    if (argc < 3)
        tool_fail("Usage: report RESULTS FOLDER [OTHER_RESULTS...]; run/report RESULTS calls it");
    char *path = tool_text("%s/results.db", argv[1]);
    struct report report = {database_open(path, false), argv[1], argv[2], NULL};
    read_elsewhere(report.database, argc - 3, argv + 3);
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
