/* tuner_complain.h: how functions of tuner/ say why they return NULL. */
#ifndef TUNER_COMPLAIN_H
#define TUNER_COMPLAIN_H

/* Sets *complaint to the sentence, which the next call overwrites, and returns NULL. */
void *tuner_complain(const char **complaint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
