/* tuner_process_mark.h: finds the processes of a command that have left its process group, by a
 * variable in their environment. */
#ifndef TUNER_PROCESS_MARK_H
#define TUNER_PROCESS_MARK_H

/* Our environment and a new mark, for posix_spawn(); the array is to be released with free(). */
char **tuner_process_mark(void);

/* Kills all processes with the last mark. */
void tuner_process_kill_marked(void);

#endif
