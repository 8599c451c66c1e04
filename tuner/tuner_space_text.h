/* tuner_space_text.h: the words, numbers and signs of one line of a space's text. */
#ifndef TUNER_SPACE_TEXT_H
#define TUNER_SPACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tuner_space.h"

struct tuner_text {
    const char *at, *end; /* what is left of the line */
    const char *name;     /* of the text, for sentences */
    size_t line;          /* from 1 */
    const char *complaint;
};

/* Notes why the line is wrong; returns false. */
bool tuner_text_refuse(struct tuner_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same, with what stands where `wanted` should: a noun such as "a number". */
bool tuner_text_refuse_next(struct tuner_text *text, const char *wanted);

/* Whether nothing follows but blanks and a comment. */
bool tuner_text_ended(struct tuner_text *text);

/* Steps over this sign if it is next. */
bool tuner_text_take(struct tuner_text *text, const char *sign);

/* Whether a C identifier is next; its length, else 0. */
size_t tuner_text_name_length(struct tuner_text *text);

/* These note what is wrong if anything else is next. A word in quotes may be empty and have blanks;
 * one without ends at a blank or #. A number has no sign unless `negative` allows a minus. */
bool tuner_text_name(struct tuner_text *text, char name[TUNER_NAME]);
bool tuner_text_quoted(struct tuner_text *text, char word[TUNER_NAME]);
bool tuner_text_word(struct tuner_text *text, char word[TUNER_NAME]);
bool tuner_text_number(struct tuner_text *text, bool negative, int64_t *number);

#endif
