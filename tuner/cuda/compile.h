/* compile.h: images of a kernel, one per configuration, by compilers that run at the same time.
 *
 * A source is made for each: the parameters as macros, the user's file, and for a name with
 * template arguments their instantiation. */
#ifndef TUNER_CUDA_COMPILE_H
#define TUNER_CUDA_COMPILE_H

#include <stdio.h>

#include <datamotion/tuner_space.h>

struct compile_options {
    const char *source;  /* the user's file, an absolute path */
    const char *name;    /* of the kernel: "gemm", or "gemm<{bx}, float>" */
    const char *folder;  /* of what is made */
    const char *command; /* makes {build}.image of {build}.cu; {name} stands for a parameter */
    int jobs;            /* compilers at the same time, >= 1 */
    double limit_s;      /* then a compiler is killed */
    bool soft;           /* for the software GPU */
    bool verbose;        /* what compilers say goes to stderr */
};

enum compile_state {
    COMPILE_NONE,
    COMPILE_RUNNING,
    COMPILE_DONE,
    COMPILE_FAILED,
    COMPILE_LATE /* it took longer than the limit */
};

struct compiler;

/* Copies nothing; the options must outlive it. DM_INVALID: a {name} that the space has not;
 * DM_NO_MEMORY. */
enum dm_status compiler_open(struct compiler **compiler, const struct tuner_space *space,
                             const struct compile_options *options);
void compiler_close(struct compiler *compiler); /* kills what runs */

/* Starts those that were not started before, the first one first, until there are `jobs` of them.
 */
enum dm_status compiler_expect(struct compiler *compiler, const size_t *configurations,
                               size_t count);

/* Waits for its end. */
enum dm_status compiler_wait(struct compiler *compiler, size_t configuration,
                             enum compile_state *state);

/* The image's path from the folder: "./c17.image". */
void compiler_image(size_t configuration, char *path, size_t size);

/* Removes what was made for it. */
void compiler_forget(struct compiler *compiler, size_t configuration);

/* The first line with "error" of what the compiler said, else its first one. */
void compiler_words(const struct compiler *compiler, size_t configuration, char *words,
                    size_t size);

/* The command; the caller calls free(). */
enum dm_status compiler_command(const struct compiler *compiler, size_t configuration, char **text);

/* Writes the source of a configuration (compile_source.c). DM_INVALID: the name has a {parameter}
 * that the space has not. */
enum dm_status compile_write_source(FILE *out, const struct compile_options *options,
                                    const struct tuner_space *space, size_t configuration);

/* The kernel's own name: "gemm" of "space::gemm<{bx}>". */
void compile_base_name(const char *name, char *base, size_t size);

/* Kills all that runs; may be called in a signal handler. */
void compiler_kill(void);

#endif
