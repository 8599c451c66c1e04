/* Started with mpirun by coarrays_stealing.bats: stealing_ranks_test ROUNDS. What balances uneven
 * work loses no task and no result, and what is wrong is seen. */
#include "coarrays/hetero/stealing_internal.h"
#include "coarrays/hetero/stealing_task.h"
#include "common/harness/ranks.h"

#include "caf_ranks_test.h"
#include "tests/unit/test_status.h"

static int me, images, rounds;

static struct stealing_problem small_problem(void)
{
    return (struct stealing_problem){
        .tasks = 8, .bytes = 104, .operations = 3000, .skew = 5, .seed = 11, .check = true};
}

static struct stealing *create(const struct stealing_problem *problem)
{
    struct stealing *stealing = NULL;
    expect_ok(stealing_create(&stealing, problem));
    return stealing;
}

static struct stealing_outcome check(const struct stealing *stealing)
{
    struct stealing_outcome outcome = {.errors = -1};
    expect_ok(stealing_check(stealing, &outcome));
    return outcome;
}

static struct stealing_outcome run_once(struct stealing *stealing, enum stealing_strategy strategy,
                                        int threads)
{
    expect_ok(stealing_reset(stealing, threads));
    expect_ok(stealing_run(stealing, strategy));
    return check(stealing);
}

/* ---- tasks ---- */

static void steps_grow_to_the_skew(void)
{
    struct stealing_problem problem = {.operations = 1000000, .skew = 4};
    int64_t all = 0;
    expect(stealing_steps(&problem, 1, 1) == 1000000);
    for (int image = 1; image <= 4; image++)
        all += stealing_steps(&problem, image, 4);
    expect(all == 4000000);
    expect(stealing_steps(&problem, 4, 4) == 4 * stealing_steps(&problem, 1, 4));
    expect(stealing_steps(&problem, 2, 4) == 2 * stealing_steps(&problem, 1, 4));
    problem.skew = 1;
    expect(stealing_steps(&problem, 1, 4) == stealing_steps(&problem, 4, 4));
}

/* But on every number of the data. */
static void a_sum_does_not_depend_on_cuts(void)
{
    uint64_t data[7] = {3, 1, 4, 1, 5, 9, 2};
    uint64_t whole = stealing_sum(data, 7, 0, 1000), once = stealing_sum(data, 7, 0, 7);
    int threads;
    for (int64_t cut = 0; cut <= 1000; cut += 37)
        expect(stealing_sum(data, 7, 0, cut) + stealing_sum(data, 7, cut, 1000) == whole);
    expect(stealing_compute(data, 7, 1000, &threads) == whole && threads >= 1);
    for (int i = 0; i < 7; i++) {
        data[i] ^= 1;
        expect(stealing_sum(data, 7, 0, 7) != once);
        data[i] ^= 1;
    }
}

/* ---- strategies ---- */

static void nobody_helps(void)
{
    struct stealing_problem problem = small_problem();
    struct stealing *stealing = create(&problem);
    struct stealing_outcome outcome = run_once(stealing, STEALING_NONE, 1);
    double lambda = images > 1 ? 100 * (5 / 3.0 - 1) : 0;
    expect(outcome.errors == 0 && outcome.stolen == 0 && outcome.threads_max == 1);
    expect(outcome.lambda > lambda - 0.1 && outcome.lambda < lambda + 0.1);
    stealing_free(stealing);
}

/* The last image's word at `offset`, as soon as it is more than it was at the start. */
static void wait_for_help(const struct stealing *stealing, size_t offset, int32_t start)
{
    double start_s = now_s();
    int32_t word = start;
    while (word <= start && now_s() - start_s < 20)
        expect_ok(caf_atomic_ref(stealing->parts, me, offset, &word));
    expect(word > start);
}

/* The last image does not begin until another has come to its help. */
static struct stealing_outcome run_late(struct stealing *stealing, enum stealing_strategy strategy)
{
    expect_ok(stealing_reset(stealing, 1));
    if (me == images && strategy == STEALING_PROCESS)
        wait_for_help(stealing, offsetof(struct part, next), 0);
    if (me == images && strategy == STEALING_THREAD)
        wait_for_help(stealing, offsetof(struct part, threads), 1);
    expect_ok(stealing_run(stealing, strategy));
    return check(stealing);
}

static void who_has_finished_helps(void)
{
    struct stealing_problem problem = small_problem();
    struct stealing *stealing = create(&problem);
    if (images > 1) {
        struct stealing_outcome process = run_late(stealing, STEALING_PROCESS);
        expect(process.errors == 0 && process.stolen > 0 && process.threads_max == 1);
        struct stealing_outcome thread = run_late(stealing, STEALING_THREAD);
        expect(thread.errors == 0 && thread.stolen > 0);
        expect(thread.threads_max > 1 && thread.threads_max <= images);
        expect(thread.lambda == run_once(stealing, STEALING_NONE, 1).lambda);
    }
    stealing_free(stealing);
}

/* Images finish at about the same time, and hand on and steal in each other's way. */
static void many_short_runs(void)
{
    struct stealing_problem problem = small_problem();
    problem.operations = 30;
    problem.tasks = 3;
    problem.skew = 1;
    struct stealing *stealing = create(&problem);
    for (int round = 0; round < rounds; round++) {
        expect(run_once(stealing, STEALING_PROCESS, 1).errors == 0);
        struct stealing_outcome thread = run_once(stealing, STEALING_THREAD, 1);
        expect(thread.errors == 0 && thread.threads_max <= images);
    }
    stealing_free(stealing);
}

/* ---- errors ---- */

/* More tasks than any machine has memory for. */
static void without_memory_there_is_a_sentence(void)
{
    struct stealing_problem problem = small_problem();
    struct stealing *stealing = NULL;
    problem.tasks = 1 << 30;
    problem.bytes = (size_t)1 << 30;
    expect_error(stealing_create(&stealing, &problem), DM_NO_MEMORY, "");
    expect(!stealing && *dm_message());
    stealing_free(NULL);
}

static void what_is_wrong_is_counted(void)
{
    struct stealing_problem problem = small_problem();
    struct stealing *stealing = create(&problem);
    if (me == images)
        stealing->own_data[stealing->count - 1] ^= (uint64_t)1 << 40;
    expect(run_once(stealing, STEALING_PROCESS, 1).errors == 1);
    if (me == 1)
        stealing->own_results[problem.tasks - 1].sum++;
    expect(check(stealing).errors == 2);
    if (me == 1)
        stealing->tasks_done++;
    expect(check(stealing).errors == 3);
    stealing_free(stealing);

    problem.check = false;
    stealing = create(&problem);
    expect_ok(stealing_reset(stealing, 1));
    expect(check(stealing).errors == (long)problem.tasks * images);
    stealing_free(stealing);
}

int main(int argc, char **argv)
{
    static const struct step steps[] = {
        STEP(steps_grow_to_the_skew),
        STEP(a_sum_does_not_depend_on_cuts),
        STEP(nobody_helps),
        STEP(who_has_finished_helps),
        STEP(many_short_runs),
        STEP(what_is_wrong_is_counted),
        STEP(without_memory_there_is_a_sentence),
        {0},
    };
    alarm(HANGS_AFTER_S);
    ranks_start(&argc, &argv);
    if (argc != 2 || (rounds = atoi(argv[1])) < 1) {
        fprintf(stderr, "usage: %s ROUNDS\n", argv[0]);
        return 2;
    }
    program_start(NULL, NULL);
    me = caf_this_image();
    images = caf_num_images();
    run_steps(steps);
    int code = me == 1 ? end_tests() : 0;
    expect_ok(caf_end());
    ranks.stop();
    return code;
}
