/* The texts of a program: the file itself and what it imports. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "prefetch/sial/compiler.h"

/* Where each line begins; also looks for bytes that are no text. */
static void divide_into_lines(struct compiler *compiler, int number)
{
    struct sial_file *file = &compiler->program->files[number];
    size_t lines = 1;
    for (const char *at = file->text; (at = strchr(at, '\n')); at++)
        lines++;
    file->line_starts = sial_keep(compiler, lines * sizeof *file->line_starts);
    file->lines = 1;
    for (size_t i = 0; file->text[i]; i++)
        if (file->text[i] == '\n')
            file->line_starts[file->lines++] = i + 1;
}

/* Control characters are a sign that the file is no program at all. */
static void check_is_text(struct compiler *compiler, int number, size_t length)
{
    const struct sial_file *file = &compiler->program->files[number];
    size_t line = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)file->text[i];
        if (line + 1 < file->lines && i >= file->line_starts[line + 1])
            line++;
        if ((c < ' ' && !strchr("\t\n\r", c)) || c == 0 || c == 0x7f) {
            struct place place = {number, (int)line + 1, (int)(i - file->line_starts[line]) + 1};
            sial_fail(compiler, place, "the byte 0x%02x is no text: a program is plain text", c);
        }
    }
}

static void check_limits(struct compiler *compiler, const char *name, size_t length)
{
    if (length > SIAL_TEXT_BYTES_MAX - compiler->text_bytes)
        sial_fail_nowhere(compiler, DM_INVALID,
                          "%.200s: a program with its imports has at most %d MiB", name,
                          SIAL_TEXT_BYTES_MAX >> 20);
    if (compiler->program->file_count == SIAL_FILES_MAX)
        sial_fail_nowhere(compiler, DM_INVALID, "%.200s: a program has at most %d files", name,
                          SIAL_FILES_MAX);
    compiler->text_bytes += length;
}

/* A file whose text is still empty; its name and lines are there, so that errors can name it. */
static struct sial_file *add_file(struct compiler *compiler, const char *name, size_t length)
{
    check_limits(compiler, name, length);
    char *kept = sial_keep_text(compiler, name, strlen(name));
    char *text = sial_keep(compiler, length + 1);
    struct prefetch_program *program = compiler->program;
    struct sial_file *file = sial_add(compiler, program->files, program->file_count);
    *file = (struct sial_file){.name = kept, .text = text};
    return file;
}

static int finish_file(struct compiler *compiler, size_t length)
{
    int number = compiler->program->file_count - 1;
    divide_into_lines(compiler, number);
    check_is_text(compiler, number, length);
    return number;
}

int sial_add_text(struct compiler *compiler, const char *name, const char *text, size_t length)
{
    struct sial_file *file = add_file(compiler, name, length);
    if (length > 0)
        memcpy(file->text, text, length);
    return finish_file(compiler, length);
}

_Noreturn static void fail_to_read(struct compiler *compiler, const char *path, struct place place,
                                   const char *reason)
{
    if (place.line > 0)
        sial_fail(compiler, place, "cannot read %.200s: %s", path, reason);
    sial_fail_nowhere(compiler, DM_FAILED, "cannot read %.200s: %s", path, reason);
}

/* Whether this file has been added, under this or another path. */
static bool is_added(struct compiler *compiler, const struct stat *facts)
{
    struct stat other;
    for (int i = 0; i < compiler->program->file_count; i++)
        if (stat(compiler->program->files[i].name, &other) == 0 && facts->st_dev == other.st_dev &&
            facts->st_ino == other.st_ino)
            return true;
    return false;
}

/* Nothing in here ends the compilation, so the file is always closed. */
static bool read_text(const char *path, char *text, size_t length)
{
    /* Without O_NONBLOCK a pipe that took the file's place would be waited for. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    size_t done = 0;
    while (done < length) {
        ssize_t count = read(descriptor, text + done, length - done);
        if (count <= 0)
            break;
        done += (size_t)count;
    }
    close(descriptor);
    return done == length;
}

int sial_add_file(struct compiler *compiler, const char *path, struct place place)
{
    struct stat facts;
    if (stat(path, &facts) != 0)
        fail_to_read(compiler, path, place, strerror(errno));
    if (!S_ISREG(facts.st_mode))
        fail_to_read(compiler, path, place, "it is not a regular file");
    if (is_added(compiler, &facts))
        return -1;
    size_t length = (size_t)facts.st_size;
    struct sial_file *file = add_file(compiler, path, length);
    errno = 0;
    if (!read_text(path, file->text, length))
        fail_to_read(compiler, path, place, errno ? strerror(errno) : "it became shorter");
    return finish_file(compiler, length);
}
