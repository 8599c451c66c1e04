/* tell.h: what the run time has to say to the user.
 *
 * A program that is interposed knows nothing of the run time, and the CUresult that it gets has no
 * room for a sentence. So tell() writes a line on stderr, and is the only function of the run time
 * that does; none ends the program. */
#ifndef TELL_H
#define TELL_H

/* Writes `partition: ` and the sentence. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
