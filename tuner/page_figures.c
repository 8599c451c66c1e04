/* What the figures of a page show, and gnuplot, which draws them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/harness/exit.h"

#include "csv.h"
#include "page.h"
#include "search_internal.h"
#include "value.h"

const char *const page_figure_names[PAGE_FIGURES] = {"convergence", "front", "importance",
                                                     "effects"};

enum { COLUMNS = 3, LABELS_MAX = 6 /* at an axis */ };

/* ---- data ---- */

static void write_convergence(const char *folder, struct tuner_search *search)
{
    size_t trials = tuner_search_progress(search)->trials;
    double best_s = INFINITY;
    FILE *out = page_open(folder, "convergence.csv");

    fputs("trial,outcome,time_s,best_s\n", out);
    for (size_t i = 0; i < trials; i++) {
        struct tuner_trial trial;
        tuner_search_tried(search, search_known(search, i), &trial);
        fprintf(out, "%zu,%s,", i + 1, tuner_outcome_name(trial.outcome));
        if (trial.outcome == TUNER_OK) {
            best_s = fmin(best_s, trial.time_s);
            fprintf(out, "%.9g", trial.time_s);
        }
        fprintf(out, isinf(best_s) ? ",\n" : ",%.9g\n", best_s);
    }
    page_close(out, folder, "convergence.csv");
}

static void write_front(const char *folder, const struct tool_result *result)
{
    const struct tool_objectives *objectives = &result->options->objectives;
    FILE *out = page_open(folder, "front.csv");

    fputs("time_s", out);
    for (size_t o = 1; o < objectives->count; o++)
        fprintf(out, ",%s", tool_objective_name(objectives, o));
    fputs(",front\n", out);
    for (size_t i = 0; i < result->point_count; i++) {
        for (size_t o = 0; o < objectives->count; o++)
            fprintf(out, "%.9g,", tool_objective_value(&result->points[i].trial, o));
        fprintf(out, "%d\n", result->points[i].best);
    }
    page_close(out, folder, "front.csv");
}

static void write_importance(const char *folder, const struct tuner_space *space,
                             const struct analysis *analysis)
{
    FILE *out = page_open(folder, "importance.csv");

    fputs("parameter,importance\n", out);
    for (size_t d = 0; d < tuner_space_dimensions(space); d++) {
        csv_write(out, tuner_space_parameter(space, d)->name, 0);
        fprintf(out, ",%.4f\n", analysis->parameters[d].importance);
    }
    page_close(out, folder, "importance.csv");
}

static void write_effects(const char *folder, const struct tuner_space *space,
                          const struct analysis *analysis)
{
    FILE *out = page_open(folder, "effects.csv");
    char buffer[TUNER_NAME_BYTES];

    fputs("parameter,value,speed\n", out);
    for (size_t d = 0; d < tuner_space_dimensions(space); d++) {
        const struct tuner_parameter *parameter = tuner_space_parameter(space, d);
        const struct analysis_parameter *effect = &analysis->parameters[d];
        for (size_t v = 0; v < effect->count; v++) {
            csv_write(out, parameter->name, 0);
            csv_write(out, value_of_index(parameter, effect->indices[v], buffer), ',');
            fprintf(out, ",%.4f\n", effect->speed[v]);
        }
    }
    page_close(out, folder, "effects.csv");
}

void page_write_data(const char *folder, struct tuner_search *search,
                     const struct tool_result *result, const struct analysis *analysis)
{
    const struct tuner_space *space = tuner_search_options(search)->space;

    write_convergence(folder, search);
    if (result->points)
        write_front(folder, result);
    if (!analysis)
        return;
    write_importance(folder, space, analysis);
    write_effects(folder, space, analysis);
}

/* ---- gnuplot ---- */

/* Within quotes of gnuplot's. */
static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' || strchr("\"\\`$", *text) ? '\'' : *text, out);
    fputc('"', out);
}

/* The look of the suite's figures (plots/style.gp). */
static void write_style(FILE *out, enum page_figure figure, int height)
{
    fprintf(out,
            "reset\n"
            "set terminal svg size 720,%d font 'DejaVu Sans,13' background '#ffffff' noenhanced\n"
            "set output '%s.svg'\n"
            "set encoding utf8\nset datafile separator comma\n"
            "set style line 1 linecolor rgb '#0072B2' linewidth 1.6 pointtype 7 pointsize 0.5\n"
            "set style line 2 linecolor rgb '#D55E00' linewidth 1.6 pointtype 5 pointsize 0.5\n"
            "set style fill solid 0.85 noborder\nset border 3 linecolor rgb '#404040'\n"
            "set grid xtics ytics linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5\n"
            "set tics nomirror scale 0.6, 0.3\nset key top right\n",
            height, page_figure_names[figure]);
}

static void write_convergence_plot(FILE *out)
{
    write_style(out, PAGE_CONVERGENCE, 400);
    fputs("set xlabel 'trial'\nset ylabel 'time (s)'\nset logscale y\n"
          "set format y '%.1s %c'\n"
          "plot 'convergence.csv' every ::1 using 1:3 with points linestyle 2 title 'trials', "
          "'' every ::1 using 1:4 with steps linestyle 1 title 'best so far'\n",
          out);
}

/* Times and the first further objective; which points are on the front is in the last column. */
static void write_front_plot(FILE *out, const struct tool_objectives *objectives)
{
    const int mark = (int)objectives->count + 1;

    write_style(out, PAGE_FRONT, 400);
    fputs("set xlabel 'time (s)'\nset format x '%.1s %c'\nset logscale xy\nset ylabel ", out);
    write_text(out, tool_objective_name(objectives, 1));
    fprintf(out,
            "\nplot 'front.csv' every ::1 using 1:2 with points linestyle 2 title 'trials', "
            "'' every ::1 using ($%d == 1 ? $1 : NaN):2 with points linestyle 1 pointsize 1 "
            "title 'front'\n",
            mark);
}

static void write_importance_plot(FILE *out, const struct tuner_space *space,
                                  const struct analysis *analysis)
{
    size_t dimensions = tuner_space_dimensions(space);

    write_style(out, PAGE_IMPORTANCE, 100 + 30 * (int)dimensions);
    fprintf(out,
            "set xlabel 'importance (total effect)'\nset xrange [0:*]\nset yrange [%zu.5:-0.5]\n"
            "set ytics (",
            dimensions - 1);
    for (size_t d = 0; d < dimensions; d++) {
        fputs(d ? ", " : "", out);
        write_text(out, tuner_space_parameter(space, d)->name);
        fprintf(out, " %zu", d);
    }
    fputs(")\n$bars << END\n", out);
    for (size_t d = 0; d < dimensions; d++)
        fprintf(out, "%zu,%.4f\n", d, analysis->parameters[d].importance);
    fputs("END\nplot $bars using ($2/2):1:($2/2):(0.35) with boxxyerror linestyle 1 notitle\n",
          out);
}

static void write_effect_plot(FILE *out, const struct tuner_parameter *parameter,
                              const struct analysis_parameter *effect, size_t number)
{
    size_t step = (effect->count + LABELS_MAX - 1) / LABELS_MAX;
    char buffer[TUNER_NAME_BYTES];

    fputs("set title ", out);
    write_text(out, parameter->name);
    fputs("\nset xtics (", out);
    for (size_t v = 0; v < effect->count; v += step) {
        fputs(v ? ", " : "", out);
        write_text(out, value_of_index(parameter, effect->indices[v], buffer));
        fprintf(out, " %zu", v);
    }
    fprintf(out, ")\nset xrange [-0.5:%zu.5]\n$effect%zu << END\n", effect->count - 1, number);
    for (size_t v = 0; v < effect->count; v++)
        fprintf(out, "%zu,%.4f\n", v, effect->speed[v]);
    fprintf(out, "END\nplot [] [0:*] $effect%zu using 1:2 with linespoints linestyle 1 notitle\n",
            number);
}

static void write_effects_plot(FILE *out, const struct tuner_space *space,
                               const struct analysis *analysis)
{
    size_t shown = 0, number = 0;

    for (size_t d = 0; d < tuner_space_dimensions(space); d++)
        shown += analysis->parameters[d].count > 1;
    size_t lines = (shown + COLUMNS - 1) / COLUMNS;
    if (lines == 0)
        return;
    write_style(out, PAGE_EFFECTS, 40 + 200 * (int)lines);
    fprintf(out, "set multiplot layout %zu,%d\nset xtics rotate by -30 font ',10'\n", lines,
            COLUMNS);
    for (size_t d = 0; d < tuner_space_dimensions(space); d++)
        if (analysis->parameters[d].count > 1)
            write_effect_plot(out, tuner_space_parameter(space, d), &analysis->parameters[d],
                              number++);
    fputs("unset multiplot\n", out);
}

/* In the folder, so that its name needs no quotes. */
static bool run_gnuplot(const char *folder)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        if (chdir(folder) == 0)
            execlp("gnuplot", "gnuplot", "page.gp", (char *)NULL);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

bool page_draw(const char *folder, const struct tuner_space *space,
               const struct tool_result *result, const struct analysis *analysis)
{
    FILE *out = page_open(folder, "page.gp");

    write_convergence_plot(out);
    if (result->points)
        write_front_plot(out, &result->options->objectives);
    if (analysis) {
        write_importance_plot(out, space, analysis);
        write_effects_plot(out, space, analysis);
    }
    page_close(out, folder, "page.gp");
    return run_gnuplot(folder);
}
