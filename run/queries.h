/* queries.h: the socket between answer, which holds a data base open, and ask, which sends it a
 * query. A query ends where its sender shuts the connection down; the reply is one character,
 * ANSWER_ROWS or ANSWER_ERROR, and a text. */
#ifndef RUN_QUERIES_H
#define RUN_QUERIES_H

#include <stddef.h>
#include <stdio.h>
#include <sys/un.h>

enum { ANSWER_ROWS = '+', ANSWER_ERROR = '-' };

/* The address of the socket `path`. An address holds about a hundred characters, so this process
 * goes to the socket's folder and names it from there. */
struct sockaddr_un queries_address(const char *path);

/* Everything that comes on a connection, with '\0' behind it, to be freed; NULL if it breaks. */
char *queries_receive(int connection, size_t *length);

/* 0, or -1 if the connection breaks. */
int queries_send(int connection, const char *text, size_t length);

#endif
