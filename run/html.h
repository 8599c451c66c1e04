/* html.h: writing an HTML page in which every inserted text is escaped. */
#ifndef RUN_HTML_H
#define RUN_HTML_H

#include <stdio.h>

/* Writes the template with each @ replaced by the next argument, a text, escaped. There must be one
 * argument per @. */
void html_put(FILE *page, const char *template, ...);

/* Writes a file as it is; it is an error if it is not there. */
void html_put_file(FILE *page, const char *path);

#endif
