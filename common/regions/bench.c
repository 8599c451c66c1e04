#include "common/regions/bench.h"

#include <stdlib.h>
#include <string.h>

#include "common/harness/program.h"

#include "common/regions/device_memory.h"

/* A float of such bytes is no number. */
enum { NAN_BYTE = 0xff };

/* Those that are measured together. */
struct field {
    struct bench_configuration *configurations;
    size_t count;
    bool base_known;
    size_t base_bytes; /* in use without plans: context and kernels, less what others had before */
};

/* What measure() hands back to the callbacks of one configuration. */
struct contender {
    struct field *field;
    struct bench_configuration *configuration;
};

static void close_plan(struct bench_configuration *configuration)
{
    if (configuration->plan)
        configuration->method->close(configuration->plan);
    configuration->plan = NULL;
}

static void close_all(struct field *field)
{
    for (size_t i = 0; i < field->count; i++)
        close_plan(&field->configurations[i]);
}

static double run_once(struct bench_configuration *configuration, void *report)
{
    status_activity = configuration->variant;
    double time_s = 0.0;
    check_status(configuration->method->run(configuration->plan, report, &time_s));
    status_activity = NULL;
    return time_s;
}

/* Opens the plan and runs it once, so that kernels are loaded and memory has been touched. */
static enum dm_status open_plan(struct bench_configuration *configuration)
{
    size_t in_use = device_memory_in_use();
    const enum dm_status status = configuration->method->open(
        &configuration->benchmark->region, configuration->options, &configuration->plan);
    if (status == DM_FAILED || status == DM_LOST)
        fail_status(status);
    if (status != DM_OK)
        return status;
    void *report = allocate_or_fail(1, configuration->method->report_bytes);
    run_once(configuration, report);
    free(report);
    size_t now = device_memory_in_use();
    configuration->plan_bytes = now > in_use ? now - in_use : 0;
    return DM_OK;
}

/* Opens a plan beside those that are open, or, if there is no memory for that, alone. */
static enum dm_status hold_plan(const struct contender *contender)
{
    if (contender->configuration->plan || open_plan(contender->configuration) == DM_OK)
        return DM_OK;
    close_all(contender->field);
    return open_plan(contender->configuration);
}

static void before_sample(void *context)
{
    const struct contender *contender = context;
    if (hold_plan(contender) != DM_OK)
        fail("%s of %s could be executed, but not again: %s", contender->configuration->variant,
             contender->configuration->benchmark->kind->name, dm_message());
}

static void *next_report(struct bench_configuration *configuration)
{
    size_t bytes = configuration->method->report_bytes;
    if (configuration->report_count == configuration->report_capacity) {
        configuration->report_capacity += configuration->report_capacity + 16;
        configuration->reports =
            realloc(configuration->reports, configuration->report_capacity * bytes);
        check_errno(configuration->reports != NULL);
    }
    return (char *)configuration->reports + configuration->report_count++ * bytes;
}

static double sample(void *context)
{
    const struct contender *contender = context;
    return run_once(contender->configuration, next_report(contender->configuration));
}

static bool may_change_inputs(const struct dm_region *region)
{
    bool may = region->rounds > 1;
    for (int i = 0; i < region->array_count; i++)
        may |= region->arrays[i].direction == DM_REGION_TOFROM;
    return may;
}

/* Overwrites what the iterations write with NaN. */
static void spoil(const struct dm_region_array *array, const struct dm_region *region)
{
    long first, end;
    bool panels = array->split == DM_REGION_COLUMNS;
    dm_region_window(array, region->begin, region->end, &first, &end);
    for (size_t row = 0; row < (panels ? array->rows : 1); row++)
        memset((char *)array->host + row * array->pitch_bytes + (size_t)first * array->slice_bytes,
               NAN_BYTE, (size_t)(end - first) * array->slice_bytes);
}

/* Leaves nothing of earlier results behind. Inputs that no execution may change are not filled
 * again, which would take longer than all else; one that changes them nevertheless shows in the
 * errors of the next. */
static void renew(struct benchmark *benchmark)
{
    const struct dm_region *region = &benchmark->region;
    if (may_change_inputs(region)) {
        benchmark_reset(benchmark);
        return;
    }
    for (int i = 0; i < region->array_count; i++)
        if (region->arrays[i].direction == DM_REGION_FROM)
            spoil(&region->arrays[i], region);
}

static void verify(const struct contender *contender)
{
    struct bench_configuration *configuration = contender->configuration;
    before_sample((void *)contender);
    void *report = allocate_or_fail(1, configuration->method->report_bytes);
    renew(configuration->benchmark);
    run_once(configuration, report);
    configuration->errors = benchmark_errors(configuration->benchmark);
    free(report);
}

/* Opens the first plan again, now that what stays in memory is there. */
static void open_again(struct contender *contender)
{
    size_t before, in_use;
    struct field *field = contender->field;
    close_plan(contender->configuration);
    in_use = device_memory_in_use();
    field->base_known = device_memory_before(&before) && in_use >= before;
    field->base_bytes = field->base_known ? in_use - before : 0;
    before_sample(contender);
}

/* Finds out which configurations can be executed, and what memory they use. */
static size_t open_all(struct contender *contenders, size_t count, struct subject *subjects)
{
    size_t able = 0;
    for (size_t i = 0; i < count; i++) {
        struct bench_configuration *configuration = contenders[i].configuration;
        if (hold_plan(&contenders[i]) != DM_OK) {
            configuration->reason = strdup(dm_message());
            check_errno(configuration->reason != NULL);
            continue;
        }
        if (able == 0)
            open_again(&contenders[i]);
        configuration->used_known = contenders[i].field->base_known;
        configuration->used_bytes = contenders[i].field->base_bytes + configuration->plan_bytes;
        subjects[able++] = (struct subject){.variant = configuration->variant,
                                            .before = before_sample,
                                            .sample = sample,
                                            .context = &contenders[i]};
    }
    return able;
}

/* Fills the data of each benchmark once. */
static void fill_data(struct bench_configuration *configurations, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t first = 0;
        while (configurations[first].benchmark != configurations[i].benchmark)
            first++;
        if (first == i)
            benchmark_reset(configurations[i].benchmark);
    }
}

void bench_measure(struct run *run, struct bench_configuration *configurations, size_t count)
{
    struct contender *contenders = allocate_or_fail(count, sizeof *contenders);
    struct subject *subjects = allocate_or_fail(count, sizeof *subjects);
    struct field field = {.configurations = configurations, .count = count};
    for (size_t i = 0; i < count; i++)
        contenders[i] = (struct contender){&field, &configurations[i]};
    fill_data(configurations, count);
    size_t able = open_all(contenders, count, subjects);
    measure(run, subjects, able);
    for (size_t i = 0; i < able; i++) {
        struct contender *contender = subjects[i].context;
        contender->configuration->subject = subjects[i];
        if (run->settings.check)
            verify(contender);
    }
    close_all(&field);
    free(subjects);
    free(contenders);
}

const void *bench_report(const struct bench_configuration *configuration, size_t repetition)
{
    size_t warmup = configuration->report_count - configuration->subject.count;
    return (const char *)configuration->reports +
           (warmup + repetition) * configuration->method->report_bytes;
}

void bench_free(struct bench_configuration *configurations, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        measure_free(&configurations[i].subject, 1);
        free(configurations[i].reports);
        free(configurations[i].reason);
    }
}
