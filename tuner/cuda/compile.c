#include "compile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/error.h"

#include "tuner/allocate.h"
#include "tuner/command_text.h"

enum { JOBS_MAX = 256 };

struct job {
    size_t configuration;
    pid_t pid; /* and its process group */
    double start_s;
    enum compile_state state;
};

struct compiler {
    const struct tuner_space *space;
    const struct compile_options *options;
    struct job jobs[JOBS_MAX];
    size_t count;
};

/* For compiler_kill. */
static volatile pid_t running[JOBS_MAX];

static void note(pid_t pid, pid_t instead)
{
    for (size_t i = 0; i < JOBS_MAX; i++)
        if (running[i] == pid) {
            running[i] = instead;
            return;
        }
}

void compiler_kill(void)
{
    for (size_t i = 0; i < JOBS_MAX; i++)
        if (running[i] > 0)
            kill(-running[i], SIGKILL);
}

/* ---- names ---- */

static void name_build(size_t configuration, char *name, size_t size)
{
    snprintf(name, size, "c%zu", configuration);
}

void compiler_image(size_t configuration, char *path, size_t size)
{
    snprintf(path, size, "./c%zu.image", configuration);
}

static void name_file(const struct compiler *compiler, size_t configuration, const char *ending,
                      char path[4096])
{
    snprintf(path, 4096, "%s/c%zu%s", compiler->options->folder, configuration, ending);
}

enum dm_status compiler_command(const struct compiler *compiler, size_t configuration, char **text)
{
    char name[32];

    name_build(configuration, name, sizeof name);
    return command_text(text, compiler->space, compiler->options->command, configuration, name);
}

/* ---- starting ---- */

static enum dm_status write_source(const struct compiler *compiler, size_t configuration)
{
    char path[4096];

    name_file(compiler, configuration, ".cu", path);
    FILE *out = fopen(path, "we");
    if (!out)
        return error_errno("%s", path);
    enum dm_status status =
        compile_write_source(out, compiler->options, compiler->space, configuration);
    if (fclose(out) != 0 && status == DM_OK)
        status = error_errno("%s", path);
    return status;
}

/* In the child: only async-signal-safe calls. */
static void become_compiler(const struct compiler *compiler, const char *command, const char *words)
{
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    int said = open(words, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(empty, STDIN_FILENO);
    dup2(said, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    if (chdir(compiler->options->folder) == 0)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static enum dm_status start(struct compiler *compiler, size_t configuration, struct job *job)
{
    char words[4096];
    char *command;

    TRY(write_source(compiler, configuration));
    TRY(compiler_command(compiler, configuration, &command));
    name_file(compiler, configuration, ".words", words);
    *job = (struct job){configuration, fork(), clock_now_s(), COMPILE_RUNNING};
    if (job->pid == 0)
        become_compiler(compiler, command, words);
    free(command);
    if (job->pid < 0)
        return error_errno("a compiler cannot be started");
    setpgid(job->pid, job->pid); /* whoever is first */
    note(0, job->pid);
    return DM_OK;
}

/* ---- following ---- */

static void stop(struct job *job)
{
    kill(-job->pid, SIGKILL);
    while (waitpid(job->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    note(job->pid, 0);
}

/* What became of it by now. */
static void look(const struct compiler *compiler, struct job *job)
{
    int status;

    if (job->state != COMPILE_RUNNING)
        return;
    if (waitpid(job->pid, &status, WNOHANG) == job->pid) {
        note(job->pid, 0);
        job->state = WIFEXITED(status) && WEXITSTATUS(status) == 0 ? COMPILE_DONE : COMPILE_FAILED;
    } else if (clock_now_s() - job->start_s > compiler->options->limit_s) {
        stop(job);
        job->state = COMPILE_LATE;
    }
}

static struct job *find(struct compiler *compiler, size_t configuration)
{
    for (size_t i = 0; i < compiler->count; i++)
        if (compiler->jobs[i].configuration == configuration)
            return &compiler->jobs[i];
    return NULL;
}

static int count_running(struct compiler *compiler)
{
    int count = 0;

    for (size_t i = 0; i < compiler->count; i++) {
        look(compiler, &compiler->jobs[i]);
        count += compiler->jobs[i].state == COMPILE_RUNNING;
    }
    return count;
}

/* What was expected and is done, but was not asked for so far, may never be. */
static bool make_room(struct compiler *compiler)
{
    for (size_t i = 0; compiler->count >= JOBS_MAX / 2 && i < compiler->count; i++)
        if (compiler->jobs[i].state != COMPILE_RUNNING)
            compiler_forget(compiler, compiler->jobs[i].configuration);
    return compiler->count < JOBS_MAX / 2;
}

enum dm_status compiler_expect(struct compiler *compiler, const size_t *configurations,
                               size_t count)
{
    int running = count_running(compiler);

    for (size_t i = 0; i < count && running < compiler->options->jobs; i++) {
        if (find(compiler, configurations[i]))
            continue;
        if (!make_room(compiler))
            return DM_OK;
        TRY(start(compiler, configurations[i], &compiler->jobs[compiler->count]));
        compiler->count++;
        running++;
    }
    return DM_OK;
}

enum dm_status compiler_wait(struct compiler *compiler, size_t configuration,
                             enum compile_state *state)
{
    const struct timespec nap = {.tv_nsec = 500000};
    struct job *job = find(compiler, configuration);

    *state = COMPILE_NONE;
    if (!job) {
        job = &compiler->jobs[compiler->count];
        TRY(start(compiler, configuration, job));
        compiler->count++;
    }
    for (look(compiler, job); job->state == COMPILE_RUNNING; look(compiler, job))
        nanosleep(&nap, NULL);
    *state = job->state;
    return DM_OK;
}

void compiler_forget(struct compiler *compiler, size_t configuration)
{
    static const char *const endings[] = {".cu", ".words", ".image"};
    struct job *job = find(compiler, configuration);
    char path[4096];

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        name_file(compiler, configuration, endings[i], path);
        unlink(path);
    }
    if (!job)
        return;
    if (job->state == COMPILE_RUNNING)
        stop(job);
    *job = compiler->jobs[--compiler->count];
}

void compiler_words(const struct compiler *compiler, size_t configuration, char *words, size_t size)
{
    char path[4096], line[1024];
    bool decided = false;

    *words = 0;
    name_file(compiler, configuration, ".words", path);
    FILE *in = fopen(path, "re");
    while (in && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = 0;
        if (compiler->options->verbose)
            fprintf(stderr, "%s\n", line);
        if (!decided && (!*words || strstr(line, "error"))) {
            snprintf(words, size, "%s", line);
            decided = strstr(line, "error") != NULL;
        }
    }
    if (in)
        fclose(in);
}

/* ---- opening ---- */

enum dm_status compiler_open(struct compiler **compiler, const struct tuner_space *space,
                             const struct compile_options *options)
{
    char *command, *source = NULL;
    size_t bytes;

    *compiler = NULL;
    struct compiler *opened = allocate(1, sizeof *opened);
    if (!opened)
        return DM_NO_MEMORY;
    opened->space = space;
    opened->options = options;
    FILE *out = open_memstream(&source, &bytes);
    enum dm_status status = out ? compile_write_source(out, options, space, 0)
                                : error_errno("the source of a configuration");
    if (out)
        fclose(out);
    free(source);
    if (status == DM_OK)
        status = compiler_command(opened, 0, &command);
    if (status != DM_OK) {
        free(opened);
        return status;
    }
    free(command);
    *compiler = opened;
    return DM_OK;
}

void compiler_close(struct compiler *compiler)
{
    if (!compiler)
        return;
    while (compiler->count)
        compiler_forget(compiler, compiler->jobs[0].configuration);
    free(compiler);
}
