/* report.h: the parts of the report page. */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include <sqlite3.h>
#include <stdio.h>

struct report {
    sqlite3 *database;
    const char *results; /* directory */
    FILE *page;
};

/* The figures of each directory with pictures, tables, claims and published numbers. */
void report_figures(const struct report *report);

/* A verdict as a coloured badge. */
void report_badge(const struct report *report, const char *verdict);

#endif
