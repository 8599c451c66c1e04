/* command_output.h: the time that a command prints, and other numbers. */
#ifndef TUNER_COMMAND_OUTPUT_H
#define TUNER_COMMAND_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include <datamotion/tuner.h>

/* To be made as {.prefix = ...}. Output may be as long as it likes: only one line is kept. */
struct command_output {
    const char *prefix; /* of the line that counts; the last such line, if there are several */
    char line[1024];    /* the line so far, its beginning if it is longer */
    size_t length;
    double unit_s;                  /* of a number without a unit; 0: 1 s */
    double time_s;                  /* 0: no line that counts, or it has no time */
    const char *const *further;     /* prefixes of other lines that count, or NULL */
    double more[TUNER_FURTHER_MAX]; /* their numbers, 0: none */
};

/* Takes the next bytes; `output` is a struct command_output. */
void command_output_take(void *output, const char *bytes, size_t count);

/* At its end: the last line counts without a newline, too. */
void command_output_end(struct command_output *output);

/* At the end of the output: the first number that follows the prefix. false if there is none, if it
 * is not finite or not above 0, or if letters follow it that are no unit: s, ms, us, ns (3ms, 3
 * ms).
 */
bool command_output_time(struct command_output *output, double *time_s);

#endif
