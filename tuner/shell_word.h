/* shell_word.h: values in a shell command as words that the shell cannot take for anything else. */
#ifndef TUNER_SHELL_WORD_H
#define TUNER_SHELL_WORD_H

#include <stdbool.h>
#include <stdio.h>

#include <datamotion/status.h>

/* Where in a command one is: inside which quotes, if any. {0} at its begin. */
struct shell_place {
    char quote;   /* ' or ", 0: none */
    bool escaped; /* the letter before was a backslash that counts */
    bool nested;  /* behind $( or `, where quotes begin anew: not followed further */
    char before;  /* the letter before */
};

/* Steps over the next letter of the command. */
void shell_place_step(struct shell_place *place, char letter);

/* Writes the value so that the shell makes one word of it at this place, or a part of one if it
 * stands within one. DM_INVALID behind $( or `, for a value of more than letters that need no
 * quotes. */
enum dm_status shell_word_write(FILE *out, const struct shell_place *place, const char *value);

/* The same of a value that is several words, separated by blanks; within quotes it is one. */
enum dm_status shell_words_write(FILE *out, const struct shell_place *place, const char *value);

#endif
