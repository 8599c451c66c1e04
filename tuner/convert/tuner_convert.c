/* tuner_convert: spaces and results between our texts and the JSON that auto-tuners share. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/gpu.h"
#include "common/harness/exit.h"
#include "common/harness/version.h"

#include "convert.h"

static const char formats[] = "  space  our text of parameters and constraints  <->  T1 (JSON)\n"
                              "  log    our log or table, CSV with time_s       <->  T4 (JSON)\n";

static void help(void)
{
    printf(
        "tuner_convert - spaces and results in the formats that auto-tuners share\n\n"
        "Usage: tuner_convert [-o FILE] FILE\n\n"
        "What the file is decides what it becomes, on stdout or in FILE:\n%s\n"
        "Options:\n"
        "  -o FILE           write to FILE; it is left as it is on an error\n"
        "  -l, -h, -V        the formats; this help; version and commit\n\n"
        "Values of all kinds are kept; a parameter that is missing in some results, as it does\n"
        "not matter there, has its first value in the table. Of T1 the parameters and conditions\n"
        "are read and written, not the kernel. Conditions are in Python's syntax.\n\n"
        "Example: tuner_convert measured.json -o measured.csv && tuner --replay measured.csv\n\n"
        "Exit codes: 0 it was converted, 1 it was not.\n",
        formats);
}

/* ---- files ---- */

static char first_letter(const char *path)
{
    FILE *in = fopen(path, "re");
    int letter;

    if (!in)
        fail("%s: %s", path, strerror(errno));
    do
        letter = fgetc(in);
    while (letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r');
    fclose(in);
    return letter == EOF ? 0 : (char)letter;
}

/* A table's first line has a column time_s; a space's has none. */
static bool is_table(const char *path)
{
    FILE *in = fopen(path, "re");
    char *line = NULL;
    size_t bytes = 0;

    if (!in)
        fail("%s: %s", path, strerror(errno));
    bool found = getline(&line, &bytes, in) > 0 && strstr(line, "time_s");
    free(line);
    fclose(in);
    return found;
}

static void write_json(FILE *out, json_t *json)
{
    if (json_dumpf(json, out, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) != 0)
        fail("the JSON cannot be written");
    fputc('\n', out);
    json_decref(json);
}

static void convert_json(FILE *out, const char *path)
{
    json_error_t error;
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

    if (!json)
        fail("%s:%d: %s", path, error.line, error.text);
    if (json_object_get(json, "ConfigurationSpace"))
        check_status(convert_space_from_json(out, json));
    else if (json_object_get(json, "results"))
        check_status(convert_results_from_json(out, json, path));
    else
        fail("%s has neither a ConfigurationSpace (T1) nor results (T4)", path);
    json_decref(json);
}

static void convert(FILE *out, const char *path)
{
    json_t *json;

    if (first_letter(path) == '{') {
        convert_json(out, path);
        return;
    }
    if (is_table(path))
        check_status(convert_results_to_json(&json, path));
    else
        check_status(convert_space_to_json(&json, path));
    write_json(out, json);
}

/* All is made before the file is opened, so that an error leaves it as it was. */
static void write_to(const char *path, const char *text, size_t bytes)
{
    FILE *out = path ? fopen(path, "we") : stdout;

    if (!out || fwrite(text, 1, bytes, out) != bytes || fflush(out) != 0)
        fail("%s: %s", path ? path : "stdout", strerror(errno));
    if (path && fclose(out) != 0)
        fail("%s: %s", path, strerror(errno));
}

static int show(char letter)
{
    if (letter == 'h')
        help();
    else if (letter == 'l')
        fputs(formats, stdout);
    else
        printf("tuner_convert %s (commit %s%s, GPU %s)\n", version_number, version_commit,
               version_dirty ? ", modified" : "", GPU_KIND);
    return EXIT_PASS;
}

int main(int argc, char **argv)
{
    const char *in = NULL, *to = NULL;
    char *text = NULL;
    size_t bytes;

    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] && strchr("hlV", argv[i][1]) && !argv[i][2])
            return show(argv[i][1]);
        if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
            to = argv[++i];
        else if (argv[i][0] == '-' || in)
            fail("%s: expected [-o FILE] and one file; -h explains", argv[i]);
        else
            in = argv[i];
    }
    if (!in)
        fail("which file is to be converted? -h explains");
    FILE *out = open_memstream(&text, &bytes);
    check_errno(out != NULL);
    convert(out, in);
    check_errno(fclose(out) == 0);
    write_to(to, text, bytes);
    free(text);
    return EXIT_PASS;
}
