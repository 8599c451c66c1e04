#include "pricing_setting.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coarrays/hetero/pricing_speed.h"
#include "common/harness/exit.h"
#include "common/harness/scope.h"

#include "images.h"
#include "pricing_check.h"

static int cores(void)
{
    cpu_set_t set;
    check_errno(sched_getaffinity(0, sizeof set, &set) == 0);
    return CPU_COUNT(&set);
}

/* Left out: this image's part of the host's cores. */
static int own_threads(struct pricing_setting *setting, const struct option_numbers *given,
                       int cpu_images)
{
    static char number[16];
    int share = cores() / ranks.local_count;
    snprintf(number, sizeof number, "%d", share > 0 ? share : 1);
    setting->threads = given->list ? given->list : number;
    if (!given->list)
        return share > 0 ? share : 1;
    if (given->count != 1 && given->count != (size_t)cpu_images)
        images_refuse("--threads %s: there are %d CPU images: name as many numbers, or one",
                      given->list, cpu_images);
    return (int)given->values[given->count == 1 || ranks.rank >= cpu_images ? 0 : ranks.rank];
}

static void create_portfolio(struct pricing_setting *setting, uint64_t seed,
                             const struct pricing_wish *wish)
{
    struct pricing_portfolio *portfolio = &setting->portfolio;
    portfolio->simulation =
        (struct asian_simulation){.seed = seed, .paths = wish->paths, .steps = (int)wish->steps};
    if (asian_check(&portfolio->simulation) != DM_OK)
        images_refuse("%s", dm_message());
    if (wish->log && wish->distinct > 0)
        images_refuse("--log and --distinct: the log does not say which options repeat; leave one");
    portfolio->count = (int)wish->options;
    portfolio->distinct =
        (int)(wish->distinct > 0 && wish->distinct < wish->options ? wish->distinct
                                                                   : wish->options);
    portfolio->options = allocate_or_fail((size_t)wish->options, sizeof *portfolio->options);
    for (int64_t i = 0; i < wish->options; i++)
        portfolio->options[i] = asian_option_of(seed, (uint64_t)i % (uint64_t)portfolio->distinct);
}

/* Reads the log, if there is to be one, and lists what is left. */
static void find_left(struct run *run, struct pricing_setting *setting,
                      const struct pricing_wish *wish)
{
    size_t count = (size_t)wish->options;
    setting->list = allocate_or_fail(count, sizeof *setting->list);
    setting->is_done = allocate_or_fail(count, sizeof *setting->is_done);
    setting->logged = allocate_or_fail(count, sizeof *setting->logged);
    memset(setting->is_done, 0, count * sizeof *setting->is_done);
    memset(setting->logged, 0, count * sizeof *setting->logged);
    if (wish->log && pricing_log_open(&setting->log, wish->log, (int)wish->options,
                                      &setting->portfolio.simulation, setting->logged,
                                      setting->is_done) != DM_OK)
        images_refuse("%s", dm_message());
    for (size_t i = 0; i < count; i++)
        if (!setting->is_done[i])
            setting->list[setting->left++] = (int)i;
    if (wish->log)
        program_note(run, "%d of %lld options are in %s already",
                     (int)wish->options - setting->left, (long long)wish->options, wish->log);
}

static double sum_of_all(double value)
{
    check_status(caf_sum(&value, 1, CAF_DOUBLE, 0));
    return value;
}

static void measure_alone(struct pricing_setting *setting)
{
    double own, multi;
    check_status(pricing_speed_alone(&setting->portfolio, &setting->device, 0, &own));
    check_status(
        pricing_speed_alone(&setting->portfolio, &setting->device, setting->multi, &multi));
    if (setting->multi == 0)
        own = multi = fmax(own, multi);
    double first = own;
    check_status(caf_broadcast(&first, sizeof first, 1));
    setting->ratio = own / first;
    setting->maximum = sum_of_all(own);
    setting->maximum_multi = sum_of_all(multi);
}

struct pricing_setting pricing_setting_create(struct run *run, const struct pricing_wish *wish)
{
    struct pricing_setting setting = {.device = {.threads = 1}};
    setting.multi_image = ranks.count - (int)wish->gpu_images;
    setting.multi = caf_this_image() == setting.multi_image ? (int)wish->multi : 0;
    setting.device.threads = own_threads(&setting, &wish->threads, setting.multi_image);
    create_portfolio(&setting, run->settings.seed, wish);
    if (caf_this_image() > setting.multi_image) {
        program_choose_device(run);
        check_status(asian_device_open(&setting.device.gpu, &setting.portfolio.simulation));
    }
    find_left(run, &setting, wish);
    if (run->settings.check) {
        setting.expected = pricing_expected(&setting.portfolio, setting.device.threads);
        setting.wrong_prices = pricing_wrong_prices(&setting.portfolio, setting.expected);
    }
    measure_alone(&setting);
    check_status(pricing_pace_create(&setting.pace));
    return setting;
}

void pricing_setting_destroy(struct pricing_setting *setting)
{
    check_status(caf_free(setting->pace));
    pricing_log_close(setting->log);
    asian_device_close(setting->device.gpu);
    free(setting->expected);
    free(setting->logged);
    free(setting->is_done);
    free(setting->list);
    free(setting->portfolio.options);
}

/* Other images take more or fewer than the first in the ratio of their throughputs; 0: learnt. */
static int fixed_size(const struct pricing_setting *setting, bool by_boss, int per_request)
{
    if (per_request == 0 || by_boss)
        return per_request;
    return (int)fmin(fmax(round(per_request * setting->ratio), 1), setting->portfolio.count);
}

struct pricing_job pricing_setting_job(const struct pricing_setting *setting, bool by_boss,
                                       bool mth, int per_request, int phases)
{
    size_t count = (size_t)setting->portfolio.count;
    struct pricing_job job = {.portfolio = &setting->portfolio,
                              .device = setting->device,
                              .way = by_boss ? PRICING_BOSS : PRICING_FETCH_ADD,
                              .list = setting->list,
                              .left = setting->left,
                              .log = setting->log,
                              .sizes = {.options = setting->left,
                                        .fixed = fixed_size(setting, by_boss, per_request),
                                        .many = mth ? setting->multi : 0,
                                        .phases = phases,
                                        .pace_image = mth ? setting->multi_image : 1,
                                        .pace = setting->pace},
                              .sums = scope_allocate(MEMORY_PAGEABLE, count * sizeof *job.sums),
                              .priced =
                                  scope_allocate(MEMORY_PAGEABLE, count * sizeof *job.priced)};
    memcpy(job.sums, setting->logged, count * sizeof *job.sums);
    return job;
}
