/* tuner_memory_test: wherever memory runs out, the library says so and leaves nothing behind (what
 * is left is AddressSanitizer's to find). This program has its own allocate(), in the library's
 * place.
 */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "tuner/allocate.h"

#include "tuner_objective_test.h"

static _Atomic long allocations_left = -1; /* until one fails; below 0: none does */

void *allocate(size_t count, size_t element_bytes)
{
    if (allocations_left >= 0 && allocations_left-- == 0) {
        error_no_memory(count * element_bytes);
        return NULL;
    }
    return calloc(count ? count : 1, element_bytes);
}

void *allocate_copy(const void *source, size_t count, size_t element_bytes)
{
    void *copy = allocate(count, element_bytes);
    if (copy && count)
        memcpy(copy, source, count * element_bytes);
    return copy;
}

static const char blocks[] =
    "integer bx 1 12\ninteger by 1 12\ncategory f a b\nrequire bx * by < 50\n";
static struct tuner_space *space; /* of these */

/* Does it with one failing allocation after the other, until there are no more. */
static void run_out(enum dm_status (*operation)(const void *), const void *argument)
{
    int failures = 0;

    for (;; failures++) {
        allocations_left = failures;
        enum dm_status status = operation(argument);
        allocations_left = -1;
        if (status == DM_OK)
            break;
        expect_error(status, DM_NO_MEMORY, "no host memory for");
        if (test_failed_checks)
            break;
    }
    expect(failures > 0);
}

/* ---- spaces ---- */

static enum dm_status read_blocks(const void *unused)
{
    struct tuner_space *read;
    (void)unused;
    enum dm_status status = tuner_space_read(&read, blocks, sizeof blocks - 1, "blocks");
    tuner_space_free(read);
    return status;
}

static enum dm_status load_file(const void *unused)
{
    struct tuner_space *read;
    (void)unused;
    enum dm_status status = tuner_space_load(&read, "tuner/spaces/gemm_example.space");
    tuner_space_free(read);
    return status;
}

static enum dm_status list_rows(const void *unused)
{
    static const int64_t rows[] = {1, 1, 0, 2, 3, 1};
    struct tuner_parameter parameters[3];
    struct tuner_space *made;
    (void)unused;
    for (size_t d = 0; d < 3; d++)
        parameters[d] = *tuner_space_parameter(space, d);
    enum dm_status status = tuner_space_of_rows(&made, parameters, 3, rows, 2);
    tuner_space_free(made);
    return status;
}

static enum dm_status make_matrix(const void *unused)
{
    float *matrix;
    (void)unused;
    TRY(tuner_space_matrix(space, TUNER_ALIGNED, &matrix));
    free(matrix);
    return DM_OK;
}

static void spaces(void)
{
    run_out(read_blocks, NULL);
    run_out(load_file, NULL);
    run_out(list_rows, NULL);
    run_out(make_matrix, NULL);
}

/* ---- models ---- */

static enum dm_status learn(const void *argument)
{
    const struct tuner_model_kind *kind = argument;
    static const float rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1}, targets[] = {1, 0, .5f, .2f, .1f};
    struct tuner_model *model;
    float predicted[5];

    TRY(kind->fit(&model, rows, targets, 5, 2, 1));
    enum dm_status status = kind->predict(model, rows, NULL, 5, predicted);
    kind->release(model);
    return status;
}

static void models(void)
{
    for (size_t k = 0; tuner_model_kinds()[k]; k++) {
        run_out(learn, tuner_model_kinds()[k]);
        tuner_model_kinds()[k]->release(NULL);
    }
}

/* ---- searches ---- */

static enum dm_status measure(void *context, size_t configuration, struct tuner_trial *trial)
{
    (void)context;
    trial->time_s = 1.0 + sin((double)configuration);
    return DM_OK;
}

static enum dm_status search_with(const void *strategy)
{
    const struct tuner_search_options options = {.space = space,
                                                 .objective = {measure, NULL},
                                                 .trials_max = 60,
                                                 .model = tuner_model_kind_of("cart"),
                                                 .samples = 20,
                                                 .cut_ratio = 0.5,
                                                 .iterations = 3};
    const struct tuner_trial known = {.time_s = 0.5};
    struct tuner_search *search;

    TRY(tuner_search_open(&search, &options));
    enum dm_status status = tuner_search_recall(search, 3, &known);
    if (status == DM_OK)
        status = tuner_search_run(search, strategy);
    tuner_search_close(search);
    return status;
}

static enum dm_status run_batch(const void *unused)
{
    double best[4];
    struct tuner_batch_result result = {.best = best};
    const struct tuner_batch batch = {.space = space,
                                      .objective = {measure, NULL},
                                      .best_s = 0.1,
                                      .strategy = tuner_strategy_of("guided"),
                                      .model = tuner_model_kind_of("knn"),
                                      .samples = 30,
                                      .iterations = 3,
                                      .searches = 4};
    (void)unused;
    return tuner_batch_run(&batch, &result);
}

static void searches(void)
{
    for (size_t s = 0; tuner_strategies()[s]; s++)
        run_out(search_with, tuner_strategies()[s]);
    run_out(run_batch, NULL);
}

/* ---- tables, commands, logs ---- */

static enum dm_status load_table(const void *path)
{
    struct tuner_replay *replay;
    enum dm_status status = tuner_replay_load(&replay, path, NULL, NULL, NULL);
    tuner_replay_free(replay);
    return status;
}

static enum dm_status run_command(const void *unused)
{
    const struct tuner_command_options options = {.command = "echo t: {bx}",
                                                  .runs = 1,
                                                  .limit_s = 20.0,
                                                  .prefix = "t:",
                                                  .build = "true {by}"};
    struct tuner_command *command;
    struct tuner_trial trial;
    (void)unused;

    TRY(tuner_command_open(&command, space, &options));
    enum dm_status status = tuner_objective_measure(tuner_command_objective(command), 0, &trial);
    expect(status != DM_OK || trial.time_s == 1.0);
    tuner_command_close(command);
    return status;
}

static enum dm_status open_log(const void *path)
{
    struct tuner_log *log;
    enum dm_status status = tuner_log_open(&log, path, space, "sine");
    tuner_log_close(log);
    return status;
}

static void files_and_commands(void)
{
    run_out(load_table, write_text("table.csv", "bx,f,time_s\n1,a,3\n2,b,4\n"));
    run_out(run_command, NULL);
    run_out(open_log, path_of("log.csv"));
}

int main(void)
{
    make_folder();
    space = read_space(blocks);
    run_test(spaces);
    run_test(models);
    run_test(searches);
    run_test(files_and_commands);
    tuner_space_free(space);
    remove_folder();
    return end_tests();
}
