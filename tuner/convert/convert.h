/* convert.h: spaces and results in the JSON formats that auto-tuners share, and in ours.
 *
 *     a space's text    <->  T1: ConfigurationSpace with TuningParameters and Conditions
 *     a log or table    <->  T4: results, each with configuration, times, invalidity, measurements
 *
 * Conditions and values are texts in Python's syntax. Sources: the schemas T1 1.0.0 and T4 1.0.0 of
 * the open auto-tuning formats. */
#ifndef TUNER_CONVERT_H
#define TUNER_CONVERT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include <datamotion/status.h>

/* All of these: DM_INVALID with a sentence for what has no counterpart. */
enum dm_status convert_space_to_json(json_t **json, const char *path);
enum dm_status convert_space_from_json(FILE *out, const json_t *json);
enum dm_status convert_results_to_json(json_t **json, const char *path);
enum dm_status convert_results_from_json(FILE *out, const json_t *json, const char *oracle);

/* A constraint with Python's words and signs, and back; the caller calls free(). */
enum dm_status convert_to_python(char **python, const char *expression, size_t length);
enum dm_status convert_from_python(char **expression, const char *python);

/* Values in Python's or JSON's syntax: [1, 2], ['a', "b"], [0.5, True]; a new array of JSON. */
enum dm_status convert_values(json_t **values, const char *python);

#endif
