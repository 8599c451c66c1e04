/* ledger.h: what the tree itself says: manifests, claims, figures, published tables. */
#ifndef RUN_LEDGER_H
#define RUN_LEDGER_H

#include <sqlite3.h>

/* Makes the tables claims, figures, experiments and one per transcribed table of the theses, from
 * the files below `root`. */
void ledger_load(sqlite3 *database, const char *root);

#endif
