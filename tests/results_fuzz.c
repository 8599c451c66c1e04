/* results_fuzz: the readers of recorded results, run/results.c and run/rows.c, on broken files.
 *
 *     results_fuzz [--seconds N] [--seed N] [--folder DIR] [RESULT]...
 *
 * RESULT is the path of a recorded result without its ending: RESULT.json and RESULT.csv or
 * RESULT.csv.gz. Each trial changes one of the two at random, and a child loads both into a data
 * base: it succeeds, or ends with exit code 1 and one sentence. What does neither stays in DIR
 * (default: results_fuzz.found). To be built with -fsanitize=address,undefined. */
#include "common/clock.h"
#define FUZZ_MOST_BYTES (1 << 16)
#include "tests/unit/fuzz_text.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/database.h"
#include "run/results.h"

enum { RESULTS_MAX = 64, LIMIT_S = 10, SANITIZER = 99 };

struct text {
    size_t length;
    char bytes[FUZZ_MOST_BYTES];
};

struct result {
    char id[64];
    struct text csv, json;
};

static struct result results[RESULTS_MAX];
static size_t result_count;
static const char *folder = "results_fuzz.found";

static const char builtin_csv[] =
    "experiment,variant,gpu,host,rank,ranks,gpus,rep,start,size_bytes,rate,time_s,errors,status\n"
    "demo,\"a,b\",soft,h,0,1,1,0,0,8,1.5,2e-3,0,pass\ndemo,c,soft,h,0,1,1,0,1,8,none,2e-3,0,pass\n"
    "demo,c,soft,h,0,1,1,1,1,,,,0,waived\n";
static const char builtin_json[] =
    "{\"schema_version\": 1, \"meta\": {\"experiment\": \"demo\", \"argv\": [\"x\", \"-n\", \"2\"]},"
    " \"system\": {\"host\": \"h\", \"cores_online\": 2}, \"devices\": [{\"device\": 0, \"name\": \"g\"}],"
    " \"columns\": [{\"name\": \"size_bytes\", \"kind\": \"parameter\"}, {\"name\": \"rate\", \"kind\": \"metric\"}],"
    " \"waived\": [{\"variant\": \"c\", \"reason\": \"none\"}], \"status\": \"PASS\"}\n";
static const char *const csv_words[] = {"",
                                        "0",
                                        "1",
                                        "-1",
                                        "1000000000",
                                        "999999999999999999",
                                        "1e308",
                                        "1e-320",
                                        "nan",
                                        "inf",
                                        "0x1p3",
                                        "pass",
                                        "waived",
                                        "fail",
                                        "rep",
                                        "start",
                                        "time_s",
                                        "\"\"",
                                        "\"\n\"",
                                        "n",
                                        "starts",
                                        "rowid",
                                        "a b",
                                        "\"x",
                                        "9999999999999999999999999",
                                        "%s%n",
                                        "'); DROP TABLE experiments; --",
                                        "\"\"\"\""};
static const char *const json_words[] = {"{}",
                                         "[]",
                                         "null",
                                         "true",
                                         "\"\"",
                                         "0",
                                         "-1",
                                         "1e999",
                                         "\"metric\"",
                                         "\"parameter\"",
                                         "\"name\"",
                                         "\"kind\"",
                                         "\"columns\"",
                                         "\"system\"",
                                         "\"meta\"",
                                         "\"PASS\"",
                                         "\"\\u0000\"",
                                         "\"size_bytes\"",
                                         "[[[[[[[[[[",
                                         "{\"a\":{\"a\":{\"a\":",
                                         "\"x\\\"y; DROP TABLE t\"",
                                         "\"time_s\""};

/* Sanitizers end with a code of their own. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "exitcode=99:detect_leaks=0";
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "exitcode=99";
}

static bool read_text(const char *path, const char *ending, struct text *text)
{
    char name[4096];
    snprintf(name, sizeof name, "%s%s", path, ending);
    gzFile file = gzopen(name, "rb");
    if (!file)
        return false;
    int count = gzread(file, text->bytes, sizeof text->bytes);
    gzclose(file);
    text->length = count > 0 ? (size_t)count : 0;
    while (text->length == sizeof text->bytes && text->bytes[text->length - 1] != '\n')
        text->length--; /* of a longer file its first lines */
    return count > 0;
}

static void add_result(const char *path)
{
    if (result_count == RESULTS_MAX)
        fail("at most %d results", RESULTS_MAX);
    struct result *result = &results[result_count++];
    const char *slash = strrchr(path, '/');
    snprintf(result->id, sizeof result->id, "%s", slash ? slash + 1 : path);
    if (!read_text(path, ".json", &result->json) ||
        (!read_text(path, ".csv", &result->csv) && !read_text(path, ".csv.gz", &result->csv)))
        fail("%s: no .json and .csv or .csv.gz", path);
}

static void read_word(const char *word)
{
    static bool is_folder;
    if (is_folder)
        folder = word;
    else if (strcmp(word, "--folder") != 0)
        add_result(word);
    is_folder = !is_folder && strcmp(word, "--folder") == 0;
}

static void add_builtin(void)
{
    struct result *result = &results[result_count++];
    snprintf(result->id, sizeof result->id, "demo");
    result->csv.length = sizeof builtin_csv - 1;
    memcpy(result->csv.bytes, builtin_csv, sizeof builtin_csv);
    result->json.length = sizeof builtin_json - 1;
    memcpy(result->json.bytes, builtin_json, sizeof builtin_json);
}

static void move_part(void)
{
    char part[256];
    size_t at = draw(length), count = draw(sizeof part);
    if (at + count > length)
        count = length - at;
    memcpy(part, bytes + at, count);
    if (draw(2))
        splice(at, count, "", 0);
    splice(draw(length + 1), 0, part, count);
}

static void change(bool csv)
{
    for (size_t times = 1 + draw(4); times > 0; times--) {
        switch (draw(3)) {
        case 0:
            change_byte();
            break;
        case 1:
            move_part();
            break;
        default:
            if (csv)
                replace_word(csv_words[draw(sizeof csv_words / sizeof *csv_words)], ",\n");
            else
                replace_word(json_words[draw(sizeof json_words / sizeof *json_words)], ",:[]{}");
        }
    }
}

static void write_file(const char *id, const char *ending, const char *data, size_t count)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, id, ending);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, count, file) != count || fclose(file) != 0)
        fail("%s cannot be written: %s", path, strerror(errno));
}

static void remove_file(const char *id, const char *ending)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, id, ending);
    unlink(path);
}

/* In a child, whose stderr is the file SAID. */
static void load(const char *id)
{
    char said[4096];
    snprintf(said, sizeof said, "%s/said", folder);
    if (!freopen(said, "wb", stderr))
        _exit(SANITIZER);
    setvbuf(stderr, NULL, _IONBF, 0);
    alarm(LIMIT_S);
    sqlite3 *database = database_open(":memory:", true);
    database_run(
        database,
        "CREATE TABLE experiments(id, dir, status, reason, started_utc, ended_utc, version, "
        "commit_id, dirty, cores, command, node, gpu, host)");
    database_run(database, "INSERT INTO experiments(id) VALUES(%Q)", id);
    results_prepare(database);
    results_load(database, folder, id, id);
    results_warn(database, folder);
    sqlite3_close(database);
    exit(0);
}

/* Whether a child ended as it must; one that refuses says why, in one line. */
static bool ended_well(int ending)
{
    char path[4096], said[1024];
    if (!WIFEXITED(ending) || WEXITSTATUS(ending) > 1)
        return false;
    if (WEXITSTATUS(ending) == 0)
        return true;
    snprintf(path, sizeof path, "%s/said", folder);
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(said, 1, sizeof said, file) : 0;
    if (file)
        fclose(file);
    size_t lines = 0;
    for (size_t i = 0; i < count; i++)
        lines += said[i] == '\n';
    return lines == 1 && count > 10;
}

/* Returns whether it was accepted. */
static bool try(const struct result *result)
{
    const bool csv = draw(3) > 0, packed = draw(4) == 0;
    const struct text *changed = csv ? &result->csv : &result->json;
    length = changed->length;
    memcpy(bytes, changed->bytes, length);
    change(csv);
    if (packed && csv)
        compress_and_change();
    remove_file(result->id, ".csv");
    remove_file(result->id, ".csv.gz");
    write_file(result->id, ".json", csv ? result->json.bytes : bytes,
               csv ? result->json.length : length);
    write_file(result->id, packed && csv ? ".csv.gz" : ".csv", csv ? bytes : result->csv.bytes,
               csv ? length : result->csv.length);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        load(result->id);
    int ending;
    if (child < 0 || waitpid(child, &ending, 0) != child)
        fail("no child process: %s", strerror(errno));
    if (!ended_well(ending))
        fail("finding: %s ended with %d; its files and its last words are in %s", result->id,
             ending, folder);
    return ending == 0;
}

int main(int argc, char **argv)
{
    double seconds = read_options(argc, argv, read_word), start = clock_now_s();
    uint64_t seed = random_seed;
    size_t tried = 0, accepted = 0;
    if (result_count == RESULTS_MAX)
        fail("at most %d results", RESULTS_MAX - 1);
    add_builtin();
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        fail("%s cannot be made: %s", folder, strerror(errno));
    for (; clock_now_s() - start < seconds; tried++)
        accepted += try(&results[draw(result_count)]);
    printf("%zu results tried, %zu of them accepted; seed %llu\n", tried, accepted,
           (unsigned long long)seed);
    for (size_t i = 0; i < result_count; i++) {
        remove_file(results[i].id, ".csv");
        remove_file(results[i].id, ".csv.gz");
        remove_file(results[i].id, ".json");
    }
    remove_file("said", "");
    rmdir(folder);
    return 0;
}
