/* tuner_replay_test: replayed tables, and the CSV that they are read from. */
#include <math.h>
#include <sys/stat.h>
#include <zlib.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#include "common/random.h"
#include "tuner/csv.h"
#include "tuner/sweep.h"

#include "tuner_objective_test.h"

/* ---- replayed tables ---- */

static enum dm_status load(struct tuner_replay **replay, const char *path)
{
    return tuner_replay_load(replay, path, NULL, NULL, NULL);
}

static const char table[] = "flags,bx,note,time_s\r\n"
                            "-O3,16,x,0.25\r\n"
                            "\"a \"\"b\"\", c\",8,\"two\nlines\",1e-3\n"
                            "-O3,8,,\n"
                            "\"a \"\"b\"\", c\",-2,,nan\n";

static void check_table(const char *path)
{
    const char *const ignored[] = {"note", "not there", NULL};
    struct tuner_replay *replay;

    expect_ok(tuner_replay_load(&replay, path, ignored, NULL, NULL));
    if (!replay)
        return;
    const struct tuner_space *space = tuner_replay_space(replay);
    struct tuner_objective objective = tuner_replay_objective(replay);
    expect(tuner_space_size(space) == 4 && tuner_space_dimensions(space) == 2);
    expect(tuner_replay_valid(replay) == 2);
    expect(tuner_replay_best_s(replay) == 1e-3);
    const struct tuner_parameter *flags = tuner_space_parameter(space, 0);
    expect(flags->kind == TUNER_CATEGORY && flags->count == 2);
    expect(strcmp(flags->words[0], "-O3") == 0 && strcmp(flags->words[1], "a \"b\", c") == 0);
    const struct tuner_parameter *block = tuner_space_parameter(space, 1);
    expect(block->kind == TUNER_INTEGER && block->count == 3);
    expect(block->values[0] == -2 && block->values[1] == 8 && block->values[2] == 16);
    struct tuner_trial trial = ask(objective, configuration_of(space, 0, 2));
    expect(trial.outcome == TUNER_OK && trial.time_s == 0.25 && trial.cost_s == 0.25);
    expect(trial.spread_s == 0.0);
    trial = ask(objective, configuration_of(space, 0, 1));
    expect(trial.outcome == TUNER_INVALID && isnan(trial.time_s) && trial.cost_s == 0.0);
    expect(ask(objective, configuration_of(space, 1, 0)).outcome == TUNER_INVALID);
    expect(ask(objective, configuration_of(space, 1, 1)).time_s == 1e-3);
    tuner_replay_free(replay);
}

static void a_table_is_replayed(void)
{
    check_table(write_text("table.csv", table));
}

static void a_compressed_table_is_replayed(void)
{
    const char *path = path_of("table.csv.gz");
    gzFile out = gzopen(path, "wb");

    expect(gzwrite(out, table, sizeof table - 1) == sizeof table - 1);
    expect(gzclose(out) == Z_OK);
    check_table(path);
}

static void a_compressed_table_that_is_cut_off_is_refused(void)
{
    const char *path = path_of("cut.csv.gz");
    gzFile out = gzopen(path, "wb");
    struct stat status;
    struct tuner_replay *replay;

    for (int i = 0; i < 1000; i++)
        gzprintf(out, "%s%d,%d\n", i ? "" : "bx,time_s\n", i, i + 1);
    expect(gzclose(out) == Z_OK);
    check_errno(stat(path, &status) == 0);
    for (off_t length = status.st_size - 1; length > 30; length -= 97) {
        check_errno(truncate(path, length) == 0);
        expect_error(load(&replay, path), DM_INVALID, "ends within compressed data");
        expect(!replay);
    }
}

static void bad_tables_are_refused_with_their_line(void)
{
    static const struct {
        const char *text, *expected;
    } tables[] = {
        {"", "no header"},
        {"bx,time_s", "no header"},
        {"bx,time\n1,2\n", "no column time_s"},
        {"time_s\n1\n", "no column of a parameter"},
        {"bx,bx,time_s\n1,1,2\n", "two columns bx"},
        {"bx,,time_s\n1,1,2\n", "column 2"},
        {"bx,time_s\n", "no rows"},
        {"bx,time_s\n1,2\n2\n", ":3: 1 cells, the header has 2"},
        {"bx,time_s\n1,2\n2,1,3\n", ":3: 3 cells"},
        {"bx,time_s\n1,2\n\n", ":3: 1 cells"},
        {"bx,time_s\n\"1\n1\",2\n2,x\n", ":4: the time x is not a number"},
        {"bx,time_s\n1,0x1\n", "not a number"},
        {"bx,time_s\n1,1e400\n", "not a number"},
        {"bx,time_s\n1, 1\n", "not a number"},
        {"bx,time_s\n1,inf\n", "not a number"},
        {"bx,time_s\n1,-1\n", ":2: the time -1 is not above 0"},
        {"bx,time_s\n1,0\n", "not above 0"},
        {"bx,time_s\n,1\n", ":2: the parameter bx has no value"},
        {"bx,time_s\n1,2\n1,3\n", "table.csv: "},
        {"bx,time_s\n1,\n2,nan\n", "no row has a time"},
        {"bx,time_s\n1,2\n2,3", ":3: the last line is cut off"},
        {"bx,time_s\n1,2\n\"2,3\n", ":3: the last line is cut off"},
        {"bx,time_s\n1,2\n\"2\"x,3\n", ":3: quotes"},
        {"bx,time_s\n1,2\n2\",3\n", ":3: quotes"},
    };

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const char *path = write_text("table.csv", tables[i].text);
        struct tuner_replay *replay;
        expect_error(load(&replay, path), DM_INVALID, tables[i].expected);
        expect(!replay);
    }
}

static void what_is_no_table_is_refused(void)
{
    static const char zero[] = "bx,time_s\n1,\0\n";
    struct tuner_replay *replay;

    expect_error(load(&replay, path_of("none")), DM_FAILED, "No such file");
    expect_error(load(&replay, folder), DM_FAILED, "irectory");
    const char *path = write_bytes("zero.csv", zero, sizeof zero - 1);
    expect_error(load(&replay, path), DM_INVALID, "is not a text file");
    expect(!replay);
}

static void columns_that_are_too_much_are_refused(void)
{
    char text[2000] = "", *at = text;
    struct tuner_replay *replay;

    for (int i = 0; i <= TUNER_PARAMETERS_MAX; i++)
        at += sprintf(at, "p%d,", i);
    at += sprintf(at, "time_s\n");
    expect_error(load(&replay, write_text("many.csv", text)), DM_INVALID, "more than 32 columns");
    at = text + sprintf(text, "p,time_s\n");
    for (int i = 0; i <= TUNER_WORDS_MAX; i++)
        at += sprintf(at, "w%d,1\n", i);
    expect_error(load(&replay, write_text("words.csv", text)), DM_INVALID, "64 words");
    sprintf(text, "p,time_s\n%064d-,1\n", 1);
    expect_error(load(&replay, write_text("long.csv", text)), DM_INVALID, "longer than 63 bytes");
    sprintf(text, "%064d,time_s\n1,1\n", 1);
    expect_error(load(&replay, write_text("name.csv", text)), DM_INVALID,
                 "has too many characters");
    sprintf(text, "p,time_s\n9223372036854775808,1\n5,2\n"); /* beyond int64: a word */
    expect_ok(load(&replay, write_text("large.csv", text)));
    expect(replay && tuner_space_parameter(tuner_replay_space(replay), 0)->kind == TUNER_CATEGORY);
    tuner_replay_free(replay);
}

static void reals_are_numbers(void)
{
    struct tuner_replay *replay;

    expect_ok(load(&replay, write_text("reals.csv", "p,q,time_s\n0.50,a,1\n-3,a,2\n1e-2,a,3\n"
                                                    "0.5,b,4\n")));
    const struct tuner_parameter *p = tuner_space_parameter(tuner_replay_space(replay), 0);
    expect(p->kind == TUNER_REALS && p->count == 3);
    expect(p->reals[0] == -3.0 && p->reals[1] == 0.01 && p->reals[2] == 0.5);
    expect(strcmp(p->words[1], "1e-2") == 0 && tuner_replay_valid(replay) == 4);
    tuner_replay_free(replay);
    expect_error(load(&replay, write_text("twice.csv", "p,time_s\n0.50,1\n0.5,2\n")), DM_INVALID,
                 "two rows");
}

static void what_is_known_elsewhere_is_matched_and_completed(void)
{
    static const char text[] = "integer x 1 4\nvalues r 0.5 1.5\ncategory own a b\n";
    struct tuner_space *space;
    size_t known;
    float *prior;

    check_status(tuner_space_read(&space, text, sizeof text - 1, "own.space"));
    expect_ok(tuner_prior_load(&prior, &known, space,
                               write_text("there.csv", "r,x,time_s\n0.50,1,2\n1.5,2,4\n1.5,9,1\n"
                                                       "0.5,4,\n"),
                               NULL, NULL, NULL));
    expect(known == 6);
    for (size_t i = 0; prior && i < tuner_space_size(space); i++) {
        int64_t x = tuner_space_value(space, i, 0), r = tuner_space_value(space, i, 1);
        float expected = r == 0 && x == 1   ? 0.5f
                         : r == 1 && x == 2 ? 0.25f
                         : r == 0 && x == 4 ? 0.0f
                                            : -1.0f;
        expect(prior[i] >= 0.0f && prior[i] <= 1.0f && (expected < 0.0f || prior[i] == expected));
    }
    free(prior);
    expect_error(tuner_prior_load(&prior, &known, space, write_text("a.csv", "z,time_s\n1,2\n"),
                                  NULL, NULL, NULL),
                 DM_INVALID, "its parameter z is not in the space");
    expect_error(tuner_prior_load(&prior, &known, space, write_text("b.csv", "x,time_s\n7,2\n"),
                                  NULL, NULL, NULL),
                 DM_INVALID, "it has no configuration of the space");
    expect(!prior);
    tuner_space_free(space);
}

/* A table as tuner_sweep writes it, of two kernels. */
static void write_sweep(const char *path, int side)
{
    FILE *out = fopen(path, "we");

    check_errno(out);
    fprintf(out, "experiment,variant,gpu,host,rank,ranks,gpus,rep,size,block_x,block_y,outcome,"
                 "rate_gflops,spread_s,time_s,errors,status\n");
    for (int kernel = 0; kernel < 2; kernel++)
        for (int y = side; y > 0; y--)
            for (int x = 1; x <= side; x++)
                fprintf(out, "sweep,%s,soft,here,0,1,1,0,64,%d,%d,ok,1,0,%.9g,0,pass\n",
                        kernel ? "gemm" : "mvt", x, y, 1e-6 * (kernel * 5000000 + 1000 * x + y));
    check_errno(fclose(out) == 0);
}

static void one_kernel_of_a_sweep_is_replayed(void)
{
    enum { SIDE = 90 };
    const char *path = path_of("sweep.csv");

    write_sweep(path, SIDE);
    double start_s = clock_now_s();
    struct tuner_replay *replay;
    expect_ok(tuner_replay_load(&replay, path, sweep_ignored, "variant", "gemm"));
    expect(clock_now_s() - start_s < 50.0);
    if (!replay)
        return;
    const struct tuner_space *space = tuner_replay_space(replay);
    expect(tuner_space_size(space) == SIDE * SIDE && tuner_space_dimensions(space) == 2);
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        double x = (double)tuner_space_value(space, i, 0);
        double y = (double)tuner_space_value(space, i, 1);
        double time_s = ask(tuner_replay_objective(replay), i).time_s;
        expect(fabs(time_s - 1e-6 * (5000000 + 1000 * x + y)) < 1e-7);
    }
    tuner_replay_free(replay);
    expect_error(tuner_replay_load(&replay, path, sweep_ignored, "variant", "syrk"), DM_INVALID,
                 "no rows with the value syrk");
    expect_error(tuner_replay_load(&replay, path, sweep_ignored, "kernel", "syrk"), DM_INVALID,
                 "no column kernel");
}

static void more_than_a_million_rows_are_refused(void)
{
    const char *path = path_of("rows.csv");
    FILE *out = fopen(path, "we");

    check_errno(out);
    fprintf(out, "a,b,time_s\n");
    for (int i = 0; i <= 1000000; i++)
        fprintf(out, "%d,%d,1\n", i / 1001, i % 1001);
    check_errno(fclose(out) == 0);
    struct tuner_replay *replay;
    expect_error(load(&replay, path), DM_INVALID, "more than 1000000 rows");
}

/* ---- CSV ---- */

static void cells_are_read_as_they_were_written(void)
{
    enum { ROWS = 200, CELLS = 5 };
    static char cells[ROWS][CELLS][8];
    const char *path = path_of("cells.csv");
    FILE *out = fopen(path, "we");
    uint64_t drawn = 0;

    for (int row = 0; row < ROWS; row++)
        for (int c = 0; c < CELLS; c++) {
            size_t length = random_below(1, drawn++, 7);
            for (size_t i = 0; i < length; i++)
                cells[row][c][i] = "a,\"\n\r b"[random_below(1, drawn++, 7)];
            csv_write(out, cells[row][c], c ? ',' : 0);
            fputs(c == CELLS - 1 ? "\n" : "", out);
        }
    check_errno(fclose(out) == 0);
    struct csv csv;
    expect_ok(csv_load(&csv, path));
    for (int row = 0; row < ROWS; row++) {
        expect(csv_next(&csv) == CSV_ROW && csv.count == CELLS);
        for (int c = 0; c < CELLS; c++)
            expect(strcmp(csv.cells[c], cells[row][c]) == 0);
    }
    expect(csv_next(&csv) == CSV_END);
    csv_release(&csv);
}

int main(void)
{
    make_folder();
    run_test(a_table_is_replayed);
    run_test(a_compressed_table_is_replayed);
    run_test(a_compressed_table_that_is_cut_off_is_refused);
    run_test(bad_tables_are_refused_with_their_line);
    run_test(what_is_no_table_is_refused);
    run_test(columns_that_are_too_much_are_refused);
    run_test(reals_are_numbers);
    run_test(what_is_known_elsewhere_is_matched_and_completed);
    run_test(one_kernel_of_a_sweep_is_replayed);
    run_test(more_than_a_million_rows_are_refused);
    run_test(cells_are_read_as_they_were_written);
    remove_folder();
    return end_tests();
}
