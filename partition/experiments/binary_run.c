#include "binary_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/harness/exit.h"

#include "module_path.h"

enum { LINE = 1024 };

void binary_read(struct binary *binary, const char *word)
{
    size_t length = strcspn(word, ":");
    if (length == 0 || length >= sizeof binary->name || strchr(word, '/'))
        fail("--programs %s is not name[:argument...]", word);
    snprintf(binary->name, sizeof binary->name, "%.*s", (int)length, word);
    const char *arguments = word[length] ? word + length + 1 : "";
    if (strlen(arguments) >= sizeof binary->arguments ||
        strspn(arguments, "0123456789:") != strlen(arguments))
        fail("--programs %s: arguments are whole numbers, such as %s:1000:20", word, binary->name);
    snprintf(binary->arguments, sizeof binary->arguments, "%s", arguments);
    for (char *at = binary->arguments; (at = strchr(at, ':')); at++)
        *at = ' ';
}

/* The path of a file beside the modules, where no other is named. */
static void find(char path[MODULE_PATH], const char *folder, const char *file)
{
    module_path(path, folder, file);
    if (access(path, R_OK) != 0)
        fail("%s is not there: make partition GPU=cuda builds it", path);
    if (strchr(path, '\''))
        fail("%s: a path with a quotation mark is not supported", path);
}

/* What is started, and what it is started with; "": as it is. */
struct files {
    char program[MODULE_PATH], library[MODULE_PATH];
};

static void find_files(const struct binary *binary, struct files *files)
{
    char file[BINARY_NAME + 16];
    snprintf(file, sizeof file, "%s%s", binary->folder ? "" : "programs/", binary->name);
    find(files->program, binary->folder, file);
    files->library[0] = 0;
    if (binary->devices && binary->library)
        snprintf(files->library, sizeof files->library, "%s", binary->library);
    else if (binary->devices)
        find(files->library, NULL, "libpartition.so");
}

/* The shell's command; what the program writes to stderr goes to the file `errors`. */
static void write_command(char command[BINARY_COMMAND], const struct binary *binary,
                          const struct files *files, double limit_s, const char *statistics,
                          const char *errors)
{
    int used = 0;
    if (binary->devices)
        used = snprintf(command, BINARY_COMMAND,
                        "PARTITION_DEVICES=%d PARTITION_STATISTICS='%s' LD_PRELOAD='%s' ",
                        binary->devices, statistics, files->library);
    used += snprintf(command + used, used < BINARY_COMMAND ? (size_t)(BINARY_COMMAND - used) : 0,
                     "timeout -k 5 %.0f '%s' %s 2>'%s'", limit_s, files->program, binary->arguments,
                     errors);
    if (used >= BINARY_COMMAND)
        fail("%s: the paths of the program and libpartition.so are too long", binary->name);
}

/* The last line of a file, "" if there is none. */
static void read_last_line(FILE *file, char line[LINE])
{
    char next[LINE];
    line[0] = 0;
    while (file && fgets(next, sizeof next, file))
        snprintf(line, LINE, "%s", next);
    line[strcspn(line, "\n")] = 0;
}

/* Removes the folder and what is in it; the last line of the program's errors is kept. */
static void clean_up(const char *scratch, const char *statistics, const char *errors,
                     char last_error[LINE])
{
    FILE *file = fopen(errors, "r");
    read_last_line(file, last_error);
    if (file)
        fclose(file);
    unlink(statistics);
    unlink(errors);
    rmdir(scratch);
}

static void fail_run(const struct binary *binary, int status, const char *line)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_TIMEOUT)
        fail("%s %s reached its time limit", binary->name, binary->arguments);
    fail("%s %s failed (%s): %s", binary->name, binary->arguments,
         binary->devices ? "with libpartition.so" : "as it is", *line ? line : "it says nothing");
}

/* False: there are none. */
static bool read_statistics(const char *name, struct binary_result *result)
{
    char key[LINE];
    double value;
    FILE *file = fopen(name, "r");
    if (!file)
        return false;
    while (fscanf(file, "%1023s %lf", key, &value) == 2) {
        if (strcmp(key, "launches") == 0)
            result->launches = (int64_t)value;
        else if (strcmp(key, "one_device") == 0)
            result->one_device = (int64_t)value;
        else if (strcmp(key, "d2d_bytes") == 0)
            result->d2d_bytes = (int64_t)value;
    }
    fclose(file);
    return true;
}

static struct binary_result run_in(const char *scratch, const struct binary *binary,
                                   const struct files *files, double limit_s)
{
    struct binary_result result = {.launches = -1, .one_device = -1, .d2d_bytes = -1};
    char command[BINARY_COMMAND], statistics[MODULE_PATH], errors[MODULE_PATH];
    char line[LINE], last_error[LINE];
    snprintf(statistics, sizeof statistics, "%s/statistics", scratch);
    snprintf(errors, sizeof errors, "%s/errors", scratch);
    write_command(command, binary, files, limit_s, statistics, errors);
    double start_s = clock_now_s();
    FILE *output = popen(command, "r");
    check_errno(output);
    read_last_line(output, line);
    int status = pclose(output);
    result.whole_s = clock_now_s() - start_s;
    bool counted = !binary->devices || read_statistics(statistics, &result);
    clean_up(scratch, statistics, errors, last_error);
    if (status != 0)
        fail_run(binary, status, last_error);
    if (sscanf(line, "%*s %" SCNx64 " %lf", &result.checksum, &result.seconds) != 2)
        fail("%s %s does not end with its name, a checksum and a time: %s", binary->name,
             binary->arguments, line);
    if (!counted)
        fail("%s: libpartition.so left no statistics", binary->name);
    return result;
}

struct binary_result binary_run(const struct binary *binary, double limit_s)
{
    const char *folder = getenv("TMPDIR");
    char scratch[MODULE_PATH / 2];
    struct files files;
    find_files(binary, &files);
    snprintf(scratch, sizeof scratch, "%s/datamotion.XXXXXX", folder ? folder : "/tmp");
    check_errno(mkdtemp(scratch));
    return run_in(scratch, binary, &files, limit_s);
}
