#include "page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/harness/exit.h"

#include "tool.h"
#include "value.h"

/* ---- files ---- */

static void path_of(char *path, size_t size, const char *folder, const char *name)
{
    if ((size_t)snprintf(path, size, "%s/%s", folder, name) >= size)
        fail("--report: the name of the folder is too long");
}

FILE *page_open(const char *folder, const char *name)
{
    char path[4096];

    path_of(path, sizeof path, folder, name);
    FILE *out = fopen(path, "we");
    if (!out)
        fail("--report: %s: %s", path, strerror(errno));
    return out;
}

void page_close(FILE *out, const char *folder, const char *name)
{
    bool broken = ferror(out);

    if (fclose(out) != 0 || broken)
        fail("--report: %s/%s could not be written", folder, name);
}

/* ---- HTML ---- */

static void write_escaped(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else
            fputc(*text, out);
}

static void write_head(FILE *out, const char *words)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Tuning: ",
          out);
    write_escaped(out, words);
    fputs(
        "</title>\n<style>\n:root { color-scheme: light dark; }\n"
        "body { max-width: 48rem; margin: 0 auto; padding: 0 1rem 3rem; font: 16px/1.5 system-ui, "
        "sans-serif; }\nimg { max-width: 100%; border-radius: .25rem; }\n"
        "code { overflow-wrap: anywhere; }\n"
        "td, th { padding: .1rem 1rem .1rem 0; text-align: left; }\n</style></head><body>\n"
        "<h1>Tuning</h1>\n<p><code>",
        out);
    write_escaped(out, words);
    fputs("</code></p>\n", out);
}

static void write_summary(FILE *out, const struct tuner_progress *known,
                          const struct tuner_space *space)
{
    char time[TOOL_TIME_BYTES];

    fprintf(out, "<p>%zu of %zu configurations were tried:", known->trials,
            tuner_space_size(space));
    for (int i = 0; i < TUNER_OUTCOMES; i++)
        fprintf(out, "%s %zu %s", i ? "," : "", known->count[i],
                tuner_outcome_name((enum tuner_outcome)i));
    fprintf(out, ". The best one: %s.</p>\n", tool_value(known->best_trial.time_s, time));
}

/* What is best on average, whatever the others are. */
static size_t best_on_average(const struct analysis_parameter *effect)
{
    size_t best = 0;

    for (size_t v = 1; v < effect->count; v++)
        if (effect->speed[v] > effect->speed[best])
            best = v;
    return effect->indices[best];
}

static void write_parameters(FILE *out, const struct tuner_space *space, size_t best,
                             const struct analysis *analysis)
{
    char buffer[TUNER_NAME_BYTES];

    fputs("<table><tr><th>parameter<th>best", out);
    fputs(analysis ? "<th>importance<th>best on average</tr>\n" : "</tr>\n", out);
    for (size_t d = 0; d < tuner_space_dimensions(space); d++) {
        const struct tuner_parameter *parameter = tuner_space_parameter(space, d);
        fputs("<tr><td>", out);
        write_escaped(out, parameter->name);
        fputs("<td>", out);
        write_escaped(out, value_text(space, best, d, buffer));
        if (analysis) {
            const struct analysis_parameter *effect = &analysis->parameters[d];
            fprintf(out, "<td>%.2f<td>", effect->importance);
            write_escaped(out, value_of_index(parameter, best_on_average(effect), buffer));
        }
        fputs("</tr>\n", out);
    }
    fputs("</table>\n", out);
}

static void write_figures(FILE *out, const struct tool_result *result,
                          const struct analysis *analysis, bool drawn)
{
    static const char *const captions[PAGE_FIGURES] = {
        "The time of each trial, and of the best one so far.",
        "The first two objectives of each trial that was ok. On the front are those that no other "
        "one equals in all objectives and beats in one.",
        "The share of the variance of the speed, all over the space, that goes where this parameter "
        "has one value; parameters that act together count more than once.",
        "The speed, as a share of the best one's, that is expected with each value, whatever the "
        "other parameters are; what failed counts as 0."};

    for (int i = 0; i < (analysis ? PAGE_FIGURES : PAGE_IMPORTANCE); i++) {
        if (i == PAGE_FRONT && !result->points)
            continue;
        fprintf(out, "<h2>%c%s</h2>\n", page_figure_names[i][0] - 'a' + 'A',
                page_figure_names[i] + 1);
        if (drawn)
            fprintf(out, "<img src=\"%s.svg\" alt=\"%s\">\n", page_figure_names[i], captions[i]);
        fprintf(out, "<p>%s <a href=\"%s.csv\">Data</a></p>\n", captions[i], page_figure_names[i]);
    }
    if (!drawn)
        fputs("<p>There are no figures, as gnuplot is missing or failed.</p>\n", out);
    if (analysis)
        fprintf(out,
                "<p>Importance and effects are those of a model, a random forest with nearest "
                "neighbours, which explains %.2f of the variance of the trials that it was fitted "
                "to.</p>\n",
                analysis->fit);
}

void page_write(const char *folder, struct tuner_search *search, const struct tool_result *result)
{
    const struct tuner_progress *known = tuner_search_progress(search);
    const struct tuner_space *space = tuner_search_options(search)->space;
    struct analysis analysis, *found = NULL;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        fail("--report: %s: %s", folder, strerror(errno));
    if (analysis_of(&analysis, search) == DM_OK)
        found = &analysis;
    page_write_data(folder, search, result, found);
    bool drawn = page_draw(folder, space, result, found);
    FILE *out = page_open(folder, "index.html");
    write_head(out, result->subject->words);
    write_summary(out, known, space);
    write_parameters(out, space, known->best, found);
    write_figures(out, result, found, drawn);
    fputs("</body></html>\n", out);
    page_close(out, folder, "index.html");
}
