/* rows.h: the rows of one experiment's CSV into its table. */
#ifndef RUN_ROWS_H
#define RUN_ROWS_H

#include <sqlite3.h>

/* In the data base, repetition REP of start START of the program has the number
 * REP + START * STARTS_APART: the order in which aggregates such as interval_low() have them. */
enum { STARTS_APART = 1000000000 };

/* Makes the table with the columns of the CSV of experiment `id` and fills it. The program's own
 * columns must be those of the table own_columns, which is what the JSON document says. Ends the
 * tool with `file:line: what` if the header or a cell is not by the rules. */
void rows_load(sqlite3 *database, const char *path, const char *id, const char *table);

#endif
