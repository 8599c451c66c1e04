/* line.h: the words, numbers and signs of one line of a space's text. */
#ifndef TUNER_LINE_H
#define TUNER_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <datamotion/tuner_space.h>

struct source_line {
    const char *at, *end; /* what is left of the line */
    const char *name;     /* of the text, for sentences */
    size_t number;        /* from 1 */
};

/* DM_INVALID, with "name:line: " before the sentence. */
enum dm_status line_error(const struct source_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same, with what stands where `wanted` should: a noun such as "a number". */
enum dm_status line_expected(struct source_line *line, const char *wanted);

/* Whether nothing follows but blanks and a comment. */
bool line_ended(struct source_line *line);

/* Steps over this sign if it is next. */
bool line_take(struct source_line *line, const char *sign);

/* Whether a C identifier is next; its length, else 0. */
size_t line_name_length(struct source_line *line);

/* DM_INVALID if anything else is next. A word in quotes may be empty and have blanks; one without
 * ends at a blank or #. A number has no sign unless `negative` allows a minus. */
enum dm_status line_name(struct source_line *line, char name[TUNER_NAME_BYTES]);
enum dm_status line_quoted(struct source_line *line, char word[TUNER_NAME_BYTES]);
enum dm_status line_word(struct source_line *line, char word[TUNER_NAME_BYTES]);
enum dm_status line_number(struct source_line *line, bool negative, int64_t *number);

/* A decimal number that is finite, and how it is written. */
enum dm_status line_real(struct source_line *line, char word[TUNER_NAME_BYTES], double *real);

/* Whether a number with a point or an exponent is next; steps over it. It has no sign. */
bool line_take_real(struct source_line *line, double *real);

#endif
