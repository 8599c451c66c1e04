/* tuner_replay_fuzz: the readers of replayed tables and of logs on broken files.
 *
 *     tuner_replay_fuzz [--seconds N] [--seed N]
 *
 * Changes tables at random and checks what comes out: a sentence, or a space with a time for each
 * configuration; a log that is refused stays as it is, one that is accepted can be gone on with. To
 * be built with -fsanitize=address,undefined. */
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <datamotion/tuner.h>

#include "common/clock.h"
#include "common/harness/exit.h"
#define FUZZ_MOST_BYTES 4096
#include "tests/unit/fuzz_text.h"

/* The last one is a log. */
static const char *const seeds[] = {
    "bx,by,time_s\n1,1,0.5\n1,2,0.25\n2,1,\n2,2,nan\n",
    "variant,flags,time_s,by\nmvt,-O2,1e-3,1\nmvt,\"-O3, \"\"x\"\"\",2e-3,1\nsyrk,-O2,1,2\n",
    "bx,by,outcome,time_s,spread_s,cost_s,seed,strategy,oracle\n1,1,ok,0.5,0,1,1,local,o\n"
    "2,1,invalid,,,0.25,1,local,o\n3,4,hanging,,,10,1,local,o\n1,1,ok,0.25,0.1,1,2,iterml,o\n",
};
static const char *const words[] = {
    "bx",  "by",  "time_s", "variant", "mvt", "ok",  "failed", ",",
    "\"",  "\n",  "\r\n",   "\"\"",    "1",   "2",   "-3",     "1e-3",
    "nan", "inf", "",       "0x1p",    "o",   "-O2", "1e400",  "18446744073709551616"};
enum { SEEDS = sizeof seeds / sizeof *seeds, WORDS = sizeof words / sizeof *words };

/* ---- changes ---- */

static void change_word(void)
{
    replace_word(words[draw(WORDS)], ",\n");
}

/* A line of any seed. */
static void insert_line(void)
{
    const char *from = seeds[draw(SEEDS)];
    size_t at = draw(length + 1);

    for (size_t lines = draw(4); lines > 0 && strchr(from, '\n')[1]; lines--)
        from = strchr(from, '\n') + 1;
    while (at > 0 && bytes[at - 1] != '\n')
        at--;
    splice(at, 0, from, strcspn(from, "\n") + 1);
}

static void cut_off(void)
{
    length = draw(length + 1);
}

static void mutate(size_t seed)
{
    static void (*const changes[])(void) = {change_byte, change_word, change_word,
                                            change_word, insert_line, cut_off};

    length = strlen(seeds[seed]);
    memcpy(bytes, seeds[seed], length);
    for (size_t times = draw(2) ? 1 : draw(6); times > 0; times--)
        changes[draw(sizeof changes / sizeof *changes)]();
}

/* ---- files without a name ---- */

static int make_file(char path[64])
{
    int file = memfd_create("table", MFD_CLOEXEC);

    check_errno(file >= 0);
    check_errno(write(file, bytes, length) == (ssize_t)length);
    snprintf(path, 64, "/proc/self/fd/%d", file);
    return file;
}

/* ---- what must hold ---- */

static void show_bytes(void)
{
    fprintf(stderr, "---- the file:\n");
    fwrite(bytes, 1, length, stderr);
    fprintf(stderr, "\n----\n");
}

static void check_replay(struct tuner_replay *replay)
{
    const struct tuner_space *space = tuner_replay_space(replay);
    struct tuner_objective objective = tuner_replay_objective(replay);
    size_t valid = 0;
    double best_s = INFINITY;

    for (size_t i = 0; i < tuner_space_size(space); i++) {
        struct tuner_trial trial;
        check_status(tuner_objective_measure(objective, i, &trial));
        if (trial.outcome == TUNER_OK ? !(trial.time_s > 0.0 && isfinite(trial.time_s))
                                      : trial.outcome != TUNER_INVALID)
            fail("configuration %zu has the outcome %d and the time %g", i, trial.outcome,
                 trial.time_s);
        valid += trial.outcome == TUNER_OK;
        best_s = fmin(best_s, trial.time_s);
    }
    if (valid == 0 || valid != tuner_replay_valid(replay) || best_s != tuner_replay_best_s(replay))
        fail("%zu valid configurations, best %g", valid, best_s);
}

/* Accepted, or refused with a sentence; none was left before. */
static void check_answer(enum dm_status status, const void *object)
{
    if ((status == DM_OK) != (object != NULL) || (!object && !*dm_message()))
        fail("%s, with the status %s: %s", object ? "accepted" : "refused", dm_status_name(status),
             dm_message());
}

static bool try_replay(void)
{
    static const char *const ignored[] = {"outcome", "seed", NULL};
    char path[64];
    bool filtered = draw(3) == 0;
    int file = make_file(path);
    struct tuner_replay *replay;

    dm_fail(DM_OK, "%s", "");
    enum dm_status status = tuner_replay_load(&replay, path, draw(2) ? ignored : NULL,
                                              filtered ? "variant" : NULL, filtered ? "mvt" : NULL);
    check_answer(status, replay);
    close(file);
    if (!replay)
        return false;
    check_replay(replay);
    tuner_replay_free(replay);
    return true;
}

static void check_untouched(int file)
{
    static char after[FUZZ_MOST_BYTES + 1];

    if (pread(file, after, sizeof after, 0) != (ssize_t)length || memcmp(after, bytes, length) != 0)
        fail("a log that is refused was changed");
}

/* A trial is added, and all is there when it is opened anew. */
static void check_log(struct tuner_log *log, const struct tuner_space *space, const char *path)
{
    struct tuner_trial found;
    struct tuner_trial trial = {
        .outcome = TUNER_OK, .time_s = 0.125, .spread_s = 0.5, .cost_s = 3.0};
    size_t size = tuner_log_size(log), added = draw(tuner_space_size(space));
    bool known = tuner_log_find(log, added, &found);

    check_status(tuner_log_add(log, added, &trial, 1, "local"));
    tuner_log_close(log);
    if (tuner_log_open(&log, path, space, "o") != DM_OK)
        fail("a log that was accepted is refused: %s", dm_message());
    if (tuner_log_size(log) != size + !known || tuner_log_was_cut(log) ||
        !tuner_log_find(log, added, &found) || found.time_s != trial.time_s)
        fail("a log has not what was added");
    tuner_log_close(log);
}

static bool try_log(const struct tuner_space *space)
{
    char path[64];
    int file = make_file(path);
    struct tuner_log *log;

    dm_fail(DM_OK, "%s", "");
    enum dm_status status = tuner_log_open(&log, path, space, "o");
    bool accepted = log != NULL;
    check_answer(status, log);
    if (log)
        check_log(log, space, path);
    else
        check_untouched(file);
    close(file);
    return accepted;
}

/* ---- the program ---- */

int main(int argc, char **argv)
{
    static const char space_text[] = "integer bx 1 3\ninteger by 1 4\n";
    struct tuner_space *space;
    double seconds = read_options(argc, argv, NULL);
    size_t tables = 0, replays = 0, logs = 0, accepted = 0;

    begin_watch(show_bytes);
    check_status(tuner_space_read(&space, space_text, strlen(space_text), "space"));
    for (double end_s = clock_now_s() + seconds; clock_now_s() < end_s;) {
        mutate(draw(SEEDS));
        if (draw(8) == 0)
            compress_and_change();
        tables++;
        replays += try_replay();
        mutate(SEEDS - 1);
        logs++;
        accepted += try_log(space);
    }
    printf("%zu tables tried, %zu of them accepted; %zu logs, %zu accepted; seed %llu\n", tables,
           replays, logs, accepted, (unsigned long long)random_seed);
    tuner_space_free(space);
    end_watch();
    return 0;
}
