/* place.h: where things are: the user's file, tuner-kernel and the compiler, and a folder for what
 * is made. */
#ifndef TUNER_CUDA_PLACE_H
#define TUNER_CUDA_PLACE_H

#include <limits.h>
#include <stdio.h>
#include <sys/types.h>

#include <datamotion/status.h>

struct place {
    char source[PATH_MAX], folder[PATH_MAX], tools[PATH_MAX], server[PATH_MAX + 32];
    char *command; /* of the compiler */
    pid_t janitor; /* removes the folder when this process is gone, however it ends; 0: none */
    int alive;     /* our end of the pipe that tells it so */
};

/* DM_INVALID: no file can be read there, or its path has a quote; DM_FAILED: no folder can be made
 * in $TMPDIR; DM_UNAVAILABLE: tuner-kernel is not beside the program. */
enum dm_status place_open(struct place *place, const char *source);

/* Removes the folder. A process that ends without it, even by SIGKILL, leaves none either. */
void place_close(struct place *place);

/* Sets the compiler's command: what the user says (NULL: nothing) or NVRTC, nvcc or, for the
 * software GPU, the C++ compiler. DM_UNAVAILABLE: there is none. */
enum dm_status place_compiler(struct place *place, const char *compiler, const char *flags,
                              int architecture);

/* Writes " /absolute/path"; the path is the user's, relative to the working folder. */
void place_write_path(FILE *out, const char *path);

#endif
