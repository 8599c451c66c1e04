/* results.h: one experiment's CSV and JSON into the data base. */
#ifndef RUN_RESULTS_H
#define RUN_RESULTS_H

#include <sqlite3.h>

/* Makes the tables that all experiments fill: configurations, machine, waived. */
void results_prepare(sqlite3 *database);

/* Loads ID.csv (or ID.csv.gz) and ID.json of the directory: the tables `table` and TABLE_median,
 * and its rows of experiments, configurations, machine and waived. Does nothing if there is no CSV;
 * ends the tool if a file is not by the rules. */
void results_load(sqlite3 *database, const char *directory, const char *id, const char *table);

/* A sentence on stderr if configurations drifted (the halves of their repetitions separate), and
 * one if starts of the program differ. */
void results_warn(sqlite3 *database, const char *directory);

#endif
