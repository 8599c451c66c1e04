/* Image 2 is outside of the library, in an MPI call that ends when image 1 has got and put what it
 * wants there: with UCX between them it is served all the same. Started with two images. */
#include "coarrays/caf/runtime.h"

#include "caf_ranks_test.h"

enum { ELEMENTS = 40000, STRIDE = 3, LINE = ELEMENTS / STRIDE, LIMIT_S = 60 };

static struct caf_coarray *coarray;
static int32_t *mine, local[ELEMENTS];

static int32_t value_of(int image, int i)
{
    return 1000000 * image + i;
}

static void wrong_after(const char *what, long wrong)
{
    expect(wrong == 0);
    if (wrong)
        fprintf(stderr, "# %s: %ld wrong\n", what, wrong);
}

static void get_and_put(void)
{
    long wrong = 0;
    expect_ok(caf_get(local, coarray, 2, 0, sizeof local));
    for (int i = 0; i < ELEMENTS; i++)
        wrong += local[i] != value_of(2, i);
    wrong_after("get", wrong);
    for (int i = 0; i < ELEMENTS; i++)
        local[i] = value_of(1, i);
    expect_ok(caf_put(coarray, 2, 0, local, sizeof local));
    expect_ok(caf_sync_memory());
}

/* Packed messages, which the target's thread unpacks and answers. */
static void get_and_put_lines(void)
{
    static int32_t line[LINE];
    long wrong = 0;
    expect_ok(
        caf_get_line(line, sizeof *line, coarray, 2, 0, STRIDE * sizeof *line, LINE, sizeof *line));
    for (int i = 0; i < LINE; i++)
        wrong += line[i] != value_of(1, STRIDE * i);
    wrong_after("get of a line", wrong);
    for (int i = 0; i < LINE; i++)
        line[i] = value_of(3, STRIDE * i);
    expect_ok(
        caf_put_line(coarray, 2, 0, STRIDE * sizeof *line, line, sizeof *line, LINE, sizeof *line));
    expect_ok(caf_sync_memory());
}

static void add(void)
{
    int32_t old = 0;
    expect_ok(caf_atomic_operation(coarray, 2, sizeof *mine, CAF_ADD, 7, &old));
    expect(old == value_of(1, 1));
}

static void served_in_mpi(void)
{
    char token = 0;
    for (int i = 0; i < ELEMENTS; i++)
        mine[i] = value_of(caf_this_image(), i);
    expect_ok(caf_sync_all());
    if (caf_this_image() == 1) {
        alarm(LIMIT_S);
        get_and_put();
        get_and_put_lines();
        add();
        MPI_Send(&token, 1, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
        alarm(HANGS_AFTER_S);
    } else if (caf_this_image() == 2) {
        long wrong = 0;
        MPI_Recv(&token, 1, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect_ok(caf_sync_memory());
        for (int i = 0; i < ELEMENTS; i++)
            wrong += mine[i] !=
                     value_of(i % STRIDE == 0 && i / STRIDE < LINE ? 3 : 1, i) + (i == 1 ? 7 : 0);
        wrong_after("what was put", wrong);
    }
    expect_ok(caf_sync_all());
}

/* The same while it computes, until what it waits for lies in its memory. */
static void served_while_computing(void)
{
    volatile int32_t *flag = mine;
    int32_t line[2] = {value_of(5, 0), value_of(5, 1)};
    *flag = 0;
    expect_ok(caf_sync_all());
    if (caf_this_image() == 1) {
        expect_ok(caf_put_line(coarray, 2, 0, STRIDE * sizeof *mine, line, sizeof *line, 2,
                               sizeof *line));
        expect_ok(caf_sync_memory());
    } else if (caf_this_image() == 2) {
        double start_s = now_s();
        while (*flag != value_of(5, 0) && now_s() - start_s < LIMIT_S)
            ;
        expect(*flag == value_of(5, 0));
    }
    expect_ok(caf_sync_all());
    expect(caf_this_image() != 2 || mine[STRIDE] == value_of(5, 1));
}

int main(int argc, char **argv)
{
    static const struct step steps[] = {STEP(served_in_mpi), STEP(served_while_computing), {0}};
    void *memory;
    alarm(HANGS_AFTER_S);
    expect_ok(caf_start(&argc, &argv));
    expect_ok(caf_allocate(&coarray, sizeof local, CAF_DATA, &memory));
    mine = memory;
    run_steps(steps);
    bool is_first = caf_this_image() == 1;
    expect_ok(caf_free(coarray));
    expect_ok(caf_end());
    return is_first ? end_tests() : 0;
}
