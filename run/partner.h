/* partner.h: another recorded machine beside the one that is collected.
 *
 * Two of the theses compare two nodes. One machine cannot be both: what this machine measured is
 * shown beside what a recorded machine, its partner, measured. */
#ifndef RUN_PARTNER_H
#define RUN_PARTNER_H

#include <sqlite3.h>

/* The directory of the partner of `results`, to be freed; NULL if there is none. The environment
 * variable PARTNER names it ("none": none); without it, it is the last by name of the machines
 * recorded below ROOT/results, other than `results` and of its class: with CUDA GPUs, or with the
 * software GPU. */
char *partner_find(const char *root, const char *results);

/* What its data base calls it: the last part of its path. */
const char *partner_name(const char *partner);

/* Loads the partner's results: each table X of an experiment becomes partner_X, `machine` becomes
 * partner_machine with an entry `directory`. Must come before the results of the machine itself. */
void partner_load(sqlite3 *database, const char *partner);

/* After the machine's own results: for each of its experiments that the partner has not measured,
 * or measured with other columns, an empty table stands in, so that queries need not ask. */
void partner_complete(sqlite3 *database);

#endif
