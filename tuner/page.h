/* page.h: a search as a page to look at, with its data beside it. */
#ifndef TUNER_PAGE_H
#define TUNER_PAGE_H

#include <stdio.h>

#include <datamotion/tuner.h>

#include "analysis.h"
#include "tool.h"

/* Writes DIR/index.html, figures as SVG if gnuplot is there, and what they show as CSV. Of the
 * result, what was measured and the points of several objectives count. Ends the program with a
 * sentence if DIR cannot be written. */
void page_write(const char *folder, struct tuner_search *search, const struct tool_result *result);

/* ---- figures (page_figures.c) ---- */

enum page_figure { PAGE_CONVERGENCE, PAGE_FRONT, PAGE_IMPORTANCE, PAGE_EFFECTS, PAGE_FIGURES };
extern const char *const page_figure_names[PAGE_FIGURES]; /* of the files, without .svg */

/* Writes the files of data that the figures are drawn from. */
void page_write_data(const char *folder, struct tuner_search *search,
                     const struct tool_result *result, const struct analysis *analysis);

/* Draws them; false without gnuplot, or if it fails. */
bool page_draw(const char *folder, const struct tuner_space *space,
               const struct tool_result *result, const struct analysis *analysis);

/* Opens DIR/name to be written, and closes what was written. */
FILE *page_open(const char *folder, const char *name);
void page_close(FILE *out, const char *folder, const char *name);

#endif
