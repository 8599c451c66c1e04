/* html.h: writing an HTML page in which every inserted text is escaped. */
#ifndef RUN_HTML_H
#define RUN_HTML_H

#include <stdio.h>

/* Writes the template with each @ replaced by the next argument, a text, escaped. There must be one
 * argument per @. */
void html_put(FILE *page, const char *template, ...);

/* Writes a file as it is; it is an error if it is not there. */
void html_put_file(FILE *page, const char *path);

/* Writes an SVG file as an <img> that carries the picture in itself, so that the names inside
 * pictures do not meet; 0 if there is no such file. */
int html_put_picture(FILE *page, const char *path, const char *description);

#endif
