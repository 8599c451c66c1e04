/* report.h: the parts of the report, a folder of pages that link to one another.
 *
 *   index.html  thesis-NAME.html  mechanism-NAME.html  figure-ID.html  machine.html  search.js
 *
 * A claim stands on its figure's page, or on its mechanism's where it has no figure; an experiment
 * stands on its mechanism's page. */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

struct report {
    sqlite3 *database;
    const char *results; /* directory */
    const char *folder;  /* of the pages; the results are its parent */
    FILE *page;          /* the one that is being written */
};

enum { VERDICTS = 6 };

/* The verdicts, in the order of their colours, and what each says. */
extern const char *const report_verdicts[VERDICTS][2];

/* Begins the page folder/NAME.html with the navigation and its title, or ends the tool. */
void report_open(struct report *report, const char *name, const char *title);
void report_close(struct report *report);

/* A verdict as a coloured badge. */
void report_badge(const struct report *report, const char *verdict);

/* How many claims have each verdict, as one bar; `where` is a condition on claims c and verdicts v
 * with %Q for `value`. */
void report_bar(const struct report *report, const char *where, const char *value);

/* The claims of a condition with everything that is known of each. */
void report_claims(const struct report *report, const char *where, const char *value);

/* A figure's picture or table; false if there is none. */
bool report_picture(const struct report *report, const char *figure, const char *title);

void report_start(struct report *report);
void report_theses(struct report *report);
void report_mechanisms(struct report *report);
void report_figures(struct report *report);
void report_machine(struct report *report);
void report_search(const struct report *report);

#endif
