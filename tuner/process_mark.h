/* process_mark.h: finds the processes of a command that have left its process group, by a variable
 * in their environment. */
#ifndef TUNER_PROCESS_MARK_H
#define TUNER_PROCESS_MARK_H

/* Our environment and a new mark, for posix_spawn(); the caller calls free(). NULL with the
 * sentence of DM_NO_MEMORY. */
char **process_mark(void);

/* Kills all processes with the last mark. */
void process_kill_marked(void);

#endif
