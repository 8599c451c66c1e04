/* Host or GPU by learned cost and transfers. */
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "common/harness/exit.h"
#include "prefetch/sip/device_choice.h"
#include "tests/unit/test.h"

static const double work = 1e6;

static struct device_choice *make_choice(void)
{
    struct device_choice *choice = NULL;
    check_status(device_choice_create(&choice));
    return choice;
}

static enum choice_device decide(struct device_choice *choice, double amount)
{
    return device_choice_decide(choice, CHOICE_CONTRACT, amount, 0, 0, 0, 0);
}

/* All trials of both devices. */
static void learn_both(struct device_choice *choice, double amount, double host_s, double gpu_s)
{
    for (int trial = 0; trial < 3; trial++) {
        device_choice_learn(choice, CHOICE_CONTRACT, amount, CHOICE_HOST, host_s);
        device_choice_learn(choice, CHOICE_CONTRACT, amount, CHOICE_GPU, gpu_s);
    }
}

static double cost(const struct device_choice *choice, double amount, enum choice_device device)
{
    return device_choice_cost(choice, CHOICE_CONTRACT, amount, device, 0, 0);
}

static void unknown_is_tried(void)
{
    struct device_choice *choice = make_choice();
    int tried[2] = {0};
    expect(isnan(cost(choice, work, CHOICE_HOST)) && isnan(cost(choice, work, CHOICE_GPU)));
    for (int i = 0; i < 6; i++) {
        enum choice_device device = decide(choice, work);
        tried[device]++;
        device_choice_learn(choice, CHOICE_CONTRACT, work, device, device ? 1.0 : 2.0);
    }
    expect(tried[CHOICE_HOST] == 3 && tried[CHOICE_GPU] == 3);
    for (int i = 0; i < 8; i++)
        expect(decide(choice, work) == CHOICE_GPU);
    expect(device_choice_count(choice, CHOICE_HOST) == 3);
    expect(device_choice_count(choice, CHOICE_GPU) == 11);
    device_choice_destroy(choice);
}

static void trials_end_even_if_nobody_reports(void)
{
    struct device_choice *choice = make_choice();
    for (int i = 0; i < 6; i++)
        decide(choice, work);
    expect(decide(choice, work) == CHOICE_HOST);
    expect(device_choice_decide(choice, CHOICE_CONTRACT, work, 0, 0, 800, 1) == CHOICE_GPU);
    device_choice_learn(choice, CHOICE_CONTRACT, work, CHOICE_GPU, 5.0);
    expect(decide(choice, work) == CHOICE_GPU);
    device_choice_destroy(choice);
}

static void the_cheaper_device_is_chosen(void)
{
    struct device_choice *choice = make_choice();
    learn_both(choice, 1e3, 1e-6, 1e-5);
    learn_both(choice, 1e9, 1.0, 0.1);
    expect(decide(choice, 1e3) == CHOICE_HOST && decide(choice, 1e9) == CHOICE_GPU);
    /* about the same work is the same, other work and operations are not */
    expect(cost(choice, 1.02e9, CHOICE_GPU) == 0.1);
    expect(isnan(cost(choice, 4e9, CHOICE_GPU)));
    expect(isnan(device_choice_cost(choice, CHOICE_SUM, 1e9, CHOICE_GPU, 0, 0)));
    device_choice_destroy(choice);
}

static void costs_follow_the_samples(void)
{
    struct device_choice *choice = make_choice();
    device_choice_learn(choice, CHOICE_CONTRACT, work, CHOICE_GPU, 100.0); /* warms up */
    expect(cost(choice, work, CHOICE_GPU) == 100.0);
    device_choice_learn(choice, CHOICE_CONTRACT, work, CHOICE_GPU, 1.0);
    expect(cost(choice, work, CHOICE_GPU) == 1.0);
    device_choice_learn(choice, CHOICE_CONTRACT, work, CHOICE_GPU, 3.0);
    expect(cost(choice, work, CHOICE_GPU) == 1.0); /* the lower one in the middle */
    device_choice_learn(choice, CHOICE_CONTRACT, work, CHOICE_GPU, 2.0);
    expect(cost(choice, work, CHOICE_GPU) == 2.0);
    for (int i = 0; i < 40; i++)
        device_choice_learn(choice, CHOICE_CONTRACT, work, CHOICE_GPU, 2.0);
    expect(fabs(cost(choice, work, CHOICE_GPU) - 2.0) < 1e-3);
    device_choice_learn(choice, CHOICE_CONTRACT, work, CHOICE_HOST, 1.5);
    device_choice_learn(choice, CHOICE_CONTRACT, work, CHOICE_HOST, 1.5);
    expect(decide(choice, work) == CHOICE_HOST);
    device_choice_destroy(choice);
}

/* Operations that one of the devices really takes so long. */
struct node {
    struct device_choice *choice;
    double time_s[2]; /* by enum choice_device */
    int disturbed_from, disturbed_until;
    int operations;
};

/* Executes so many operations; returns how many were put on the device. While the node is disturbed
 * an operation takes a hundred times as long. */
static int execute(struct node *node, int count, enum choice_device device)
{
    int there = 0;
    for (int i = 0; i < count; i++, node->operations++) {
        bool disturbed =
            node->operations >= node->disturbed_from && node->operations < node->disturbed_until;
        enum choice_device chosen = decide(node->choice, work);
        there += chosen == device;
        device_choice_learn(node->choice, CHOICE_CONTRACT, work, chosen,
                            node->time_s[chosen] * (disturbed ? 100.0 : 1.0));
    }
    return there;
}

/* Whichever single operation is disturbed, the slower device gets as many as if none were, but for
 * a few. */
static void a_disturbed_sample_costs_a_few_operations(void)
{
    for (int at = -1; at < 40; at++) {
        struct node node = {make_choice(), {4.0, 1.0}, at, at + 1, 0};
        int slower = execute(&node, 2000, CHOICE_HOST);
        expect(slower >= 3 && slower <= 3 + 14);
        device_choice_destroy(node.choice);
    }
}

/* All trials of a device disturbed, as on a node that does something else for a while. */
static void a_wrong_choice_is_corrected(void)
{
    struct node node = {make_choice(), {4.0, 1.0}, 3, 6, 0};
    int slower = execute(&node, 80, CHOICE_HOST);
    expect(slower <= 70);
    expect(execute(&node, 1520, CHOICE_HOST) <= 20);
    device_choice_destroy(node.choice);
}

/* The share of operations that try the slower device again is bounded. */
static void trying_again_is_bounded(void)
{
    struct node node = {make_choice(), {1.0, 15.0}, -1, -1, 0};
    expect(execute(&node, 100000, CHOICE_GPU) <= 3 + 7 + 100000 / 512);
    /* and a device that became the faster one is found */
    node.time_s[CHOICE_GPU] = 0.5;
    expect(execute(&node, 4000, CHOICE_HOST) <= 3 * 513 + 60);
    device_choice_destroy(node.choice);
}

/* What transfers alone make dearer is not tried again. */
static void what_cannot_win_is_not_tried_again(void)
{
    struct device_choice *choice = make_choice();
    learn_both(choice, work, 1e-6, 1e-7);
    for (int i = 0; i < 6; i++)
        decide(choice, work);
    for (int i = 0; i < 1000; i++)
        expect(device_choice_decide(choice, CHOICE_CONTRACT, work, (size_t)1 << 40, 2, 0, 0) ==
               CHOICE_HOST);
    device_choice_destroy(choice);
}

static void transfers_count(void)
{
    struct device_choice *choice = make_choice();
    size_t bytes = (size_t)1 << 40; /* many seconds on any bus */
    learn_both(choice, work, 1.0, 0.5);
    expect(device_choice_decide(choice, CHOICE_CONTRACT, work, 0, 0, 0, 0) == CHOICE_GPU);
    expect(device_choice_decide(choice, CHOICE_CONTRACT, work, bytes, 2, 0, 0) == CHOICE_HOST);
    expect(device_choice_decide(choice, CHOICE_CONTRACT, work, 0, 0, bytes, 2) == CHOICE_GPU);
    for (int device = CHOICE_HOST; device <= CHOICE_GPU; device++) {
        double none_s = cost(choice, work, (enum choice_device)device);
        double blocks_s =
            device_choice_cost(choice, CHOICE_CONTRACT, work, (enum choice_device)device, 0, 1000);
        double bytes_s = device_choice_cost(choice, CHOICE_CONTRACT, work,
                                            (enum choice_device)device, 1 << 30, 0);
        /* a copy's latency is between 100 ns and 100 ms, its rate between 10 MB/s and 10 TB/s */
        expect(blocks_s - none_s > 1e-4 && blocks_s - none_s < 1e2);
        expect(bytes_s - none_s > 1e-4 && bytes_s - none_s < 1e2);
    }
    device_choice_destroy(choice);
}

static void every_power_of_two_has_its_own_cost(void)
{
    struct device_choice *choice = make_choice();
    for (int power = 0; power < 60; power++)
        learn_both(choice, ldexp(1.0, power), 1.0 + power, 100.0 - power);
    for (int power = 0; power < 60; power++) {
        expect(cost(choice, ldexp(1.0, power), CHOICE_HOST) == 1.0 + power);
        expect(cost(choice, ldexp(1.9, power), CHOICE_GPU) == 100.0 - power);
    }
    expect(decide(choice, ldexp(1.0, 10)) == CHOICE_HOST);
    expect(decide(choice, ldexp(1.0, 59)) == CHOICE_GPU);
    device_choice_destroy(choice);
}

static void odd_input_does_no_harm(void)
{
    struct device_choice *choice = make_choice();
    const double bad_times_s[] = {-1.0, NAN, INFINITY};
    const double odd_work[] = {0.0, -5.0, NAN, INFINITY, 1e300, 0.5};
    for (int i = 0; i < 3; i++)
        device_choice_learn(choice, CHOICE_CONTRACT, work, CHOICE_GPU, bad_times_s[i]);
    expect(isnan(cost(choice, work, CHOICE_GPU)));
    for (int i = 0; i < 6; i++) {
        learn_both(choice, odd_work[i], 2.0, 1.0);
        expect(cost(choice, odd_work[i], CHOICE_GPU) == 1.0);
        expect(decide(choice, odd_work[i]) == CHOICE_GPU);
    }
    expect(isnan(cost(choice, work, CHOICE_GPU)));
    device_choice_destroy(NULL);
    device_choice_destroy(choice);
}

/* In a process of its own, which must not have used a GPU before. */
static void no_gpu_is_an_error(void)
{
    pid_t child = fork();
    if (child == 0) {
        struct device_choice *choice = (struct device_choice *)&child;
        setenv("SOFTGPU_DEVICES", "0", 1);
        setenv("CUDA_VISIBLE_DEVICES", "", 1);
        _exit(device_choice_create(&choice) == DM_UNAVAILABLE && !choice ? 0 : 1);
    }
    int status = -1;
    expect(child > 0 && waitpid(child, &status, 0) == child);
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    run_test(no_gpu_is_an_error);
    run_test(unknown_is_tried);
    run_test(trials_end_even_if_nobody_reports);
    run_test(the_cheaper_device_is_chosen);
    run_test(costs_follow_the_samples);
    run_test(a_disturbed_sample_costs_a_few_operations);
    run_test(a_wrong_choice_is_corrected);
    run_test(trying_again_is_bounded);
    run_test(what_cannot_win_is_not_tried_again);
    run_test(transfers_count);
    run_test(every_power_of_two_has_its_own_cost);
    run_test(odd_input_does_no_harm);
    return end_tests();
}
