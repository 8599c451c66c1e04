/* tuner_convergence: how good is what searches have found after so many trials? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/harness/program.h"

#include "example.h"
#include "mean.h"
#include "percentiles.h"
#include "shell_word.h"
#include "sweep.h"

enum { PEER = 5 }; /* place of the public tuner */

static const struct variant variants[] = {
    {"random", "samples at random"},
    {"annealing", "simulated annealing"},
    {"genetic", "a genetic algorithm"},
    {"local", "iterated local search"},
    {"auto", "the portfolio with a Gaussian process"},
    [PEER] = {"kernel-tuner", "Kernel Tuner, which is not part of this suite, with --strategies"},
    {0},
};

struct row {
    const char *benchmark, *strategy;
    size_t points, trials, searches;
    PERCENTILES(best);
    double best_mean, model_s;
};
static const struct column columns[] = {
    PARAMETER(struct row, benchmark, "the kernel"),
    PARAMETER(struct row, strategy, "how it searches: the variant, or a strategy of kernel-tuner"),
    PARAMETER(struct row, points, "configurations of the space"),
    PARAMETER(struct row, trials, "configurations measured by one search"),
    METRIC(struct row, searches, "repetitions with different seeds"),
    PERCENTILE_COLUMNS(struct row, best, "least possible time / time found"),
    METRIC(struct row, best_mean, "mean"),
    METRIC(struct row, model_s, "time of fitting and predicting in one search, mean"),
    {0},
};

static const char *sweep, *python = "python3";
static struct option_words benchmarks = {.list = "matmul,stencil"};
static struct option_words strategies = {
    .list = "random_sample,genetic_algorithm,simulated_annealing,mls,greedy_mls,"
            "ordered_greedy_mls,greedy_ils,diff_evo,pso,firefly_algorithm,basinhopping,"
            "dual_annealing,hybrid_vndx,adaptive_tabu_greywolf"};
static struct option_numbers trials = {.list = "10,20,50,100,150,200"};
static int64_t searches = 40;
static const struct program_option options[] = {
    {"sweep", OPTION_TEXT, &sweep, "FILE", "results of tuner_examples (.csv or .csv.gz)", 0, 0},
    {"benchmarks", OPTION_WORDS, &benchmarks, "LIST", "kernels, separated by commas", 0, 0},
    {"trials", OPTION_NUMBERS, &trials, "LIST", "trials of a search", 1, 1000000},
    {"searches", OPTION_INTEGER, &searches, "N", "repetitions with different seeds", 1, 100000},
    {"strategies", OPTION_WORDS, &strategies, "LIST", "of kernel-tuner", 0, 0},
    {"python", OPTION_TEXT, &python, "PROGRAM", "that has the module kernel_tuner", 0, 0},
    {0},
};

static void record(struct run *run, const char *variant, struct row *row, double *best,
                   double time_s)
{
    size_t count = (size_t)searches;

    statistics_sort(best, count);
    row->searches = count;
    row->best = percentiles_of(best, count);
    row->best_mean = mean_of(best, count).mean;
    record_row(run, variant, 0, row, time_s, 0);
}

/* ---- searches of this suite ---- */

static void search_kernel(struct run *run, const char *name, const char *benchmark,
                          struct tuner_replay *replay)
{
    struct tuner_batch batch = {.objective = tuner_replay_objective(replay),
                                .space = tuner_replay_space(replay),
                                .best_s = tuner_replay_best_s(replay),
                                .strategy = tuner_strategy_of(name),
                                .searches = (size_t)searches,
                                .iterations = 1,
                                .cut_ratio = 0.5,
                                .seed = run->settings.seed};
    struct tuner_batch_result result = {.best = allocate_or_fail(batch.searches, sizeof(double))};
    size_t points = tuner_space_size(batch.space);

    for (size_t i = 0; i < trials.count; i++) {
        batch.samples = (size_t)trials.values[i];
        if (batch.samples > points)
            continue;
        check_status(tuner_batch_run(&batch, &result));
        struct row row = {.benchmark = benchmark,
                          .strategy = name,
                          .points = points,
                          .trials = batch.samples,
                          .model_s = result.model_s};
        record(run, name, &row, result.best, result.time_s);
    }
    free(result.best);
}

/* ---- those of the public tuner, by a program of its own ---- */

static void write_word(FILE *out, const char *word)
{
    const struct shell_place place = {0};

    check_status(shell_word_write(out, &place, word));
    fputc(' ', out);
}

static FILE *start_peer(const struct run *run, const char *benchmark)
{
    char script[TREE_FILE_BYTES], *text = NULL;
    size_t bytes;

    check_status(tree_file(script, "tuner/peer/kernel_tuner_searches.py"));
    const char *words[] = {python, script, sweep, benchmark};
    FILE *out = open_memstream(&text, &bytes);
    check_errno(out != NULL);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        write_word(out, words[i]);
    }
    fprintf(out, "%lld %llu ", (long long)searches, (unsigned long long)run->settings.seed);
    for (size_t i = 0; i < trials.count; i++)
        fprintf(out, "%s%lld", i ? "," : "", (long long)trials.values[i]);
    fputc(' ', out);
    for (size_t i = 0; i < strategies.count; i++)
        write_word(out, strategies.values[i]);
    fclose(out);
    fflush(NULL);
    FILE *peer = popen(text, "re");
    check_errno(peer != NULL);
    free(text);
    return peer;
}

/* A line "STRATEGY 0.8 0.9 ... 0.25": what was found after each number of trials, and seconds,
 * which are the last row of `found`. False if it is no such line. */
static bool read_search(const char *line, const char *strategy, double *found, size_t search)
{
    size_t length = strlen(strategy);
    char *end;

    if (strncmp(line, strategy, length) != 0 || line[length] != ' ')
        return false;
    line += length;
    for (size_t i = 0; i <= trials.count; i++) {
        found[i * (size_t)searches + search] = strtod(line, &end);
        if (end == line)
            return false;
        line = end;
    }
    return true;
}

static void record_peer(struct run *run, const char *benchmark, const char *strategy, size_t points,
                        double *found)
{
    double time_s = mean_of(found + trials.count * (size_t)searches, (size_t)searches).mean;

    for (size_t i = 0; i < trials.count; i++) {
        struct row row = {.benchmark = benchmark,
                          .strategy = strategy,
                          .points = points,
                          .trials = (size_t)trials.values[i],
                          .model_s = NAN};
        if (row.trials <= points)
            record(run, variants[PEER].name, &row, found + i * (size_t)searches, time_s);
    }
}

/* All searches of a strategy: what they found, or the first line that does not say so. */
static bool follow_strategy(FILE *peer, const char *strategy, double *found, char why[256])
{
    bool all = true;
    char *line = NULL;
    size_t room = 0;

    for (size_t i = 0; i < (size_t)searches; i++) {
        if (getline(&line, &room, peer) <= 0) {
            all = false;
            break;
        }
        line[strcspn(line, "\n")] = 0;
        if (all && !read_search(line, strategy, found, i)) {
            snprintf(why, 256, "%s", line);
            all = false;
        }
    }
    free(line);
    return all;
}

static void search_peer(struct run *run, const char *benchmark, size_t points)
{
    double *found = allocate_or_fail((trials.count + 1) * (size_t)searches, sizeof *found);
    FILE *peer = start_peer(run, benchmark);

    for (size_t i = 0; i < strategies.count; i++) {
        char why[256] = "it ended without a word";
        if (follow_strategy(peer, strategies.values[i], found, why)) {
            record_peer(run, benchmark, strategies.values[i], points, found);
            continue;
        }
        record_waived(run, variants[PEER].name, why);
        program_note(run, "%s: %s: %s", benchmark, strategies.values[i], why);
        if (feof(peer))
            break;
    }
    pclose(peer);
    free(found);
}

static void run_all(struct run *run)
{
    if (!sweep)
        fail("--sweep FILE is missing: name the results of tuner_examples");
    for (size_t b = 0; b < benchmarks.count; b++) {
        const char *benchmark = benchmarks.values[b];
        struct tuner_replay *replay = sweep_load(sweep, benchmark);
        for (int i = 0; i < PEER; i++)
            if (program_wants_variant(run, i)) {
                program_note(run, "%s: %s", benchmark, variants[i].name);
                search_kernel(run, variants[i].name, benchmark, replay);
            }
        if (program_wants_variant(run, PEER))
            search_peer(run, benchmark, tuner_space_size(tuner_replay_space(replay)));
        tuner_replay_free(replay);
    }
}

const struct program program = {
    .name = "tuner_convergence",
    .summary = "replays searches on the kernels of tuner/kernels: how good is what they find?",
    .details =
        "--searches searches with different seeds on the times that tuner_examples measured, for\n"
        "each of the numbers of --trials. Kernel Tuner replays the same table in its simulation\n"
        "mode, with its own defaults; its trials are different configurations of the space.\n"
        "time_s is the mean time of one search here, without measuring; results but for times\n"
        "depend on the sweep, the options and --seed alone.",
    .variants = variants,
    .options = options,
    .columns = columns,
    .run = run_all,
};
