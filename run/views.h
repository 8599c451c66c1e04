/* views.h: the quantities that figures and claims share. */
#ifndef RUN_VIEWS_H
#define RUN_VIEWS_H

#include <sqlite3.h>

/* Makes the views of claims/views/ below `root`, when all tables are there, and of each the same of
 * the second machine: partner_VIEW reads partner_TABLE where VIEW reads TABLE. */
void views_load(sqlite3 *database, const char *root);

#endif
