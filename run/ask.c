/* ask: prints the rows of a query as lines, columns separated by tabs. Called by plots/draw and its
 * figures.
 *
 * Usage: ask SOCKET QUERY
 * The socket is that of an answer. Exit code 1, with the reason on stderr, if there are no rows to
 * print. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "queries.h"
#include "tool.h"

static int connect_to(const char *path)
{
    struct sockaddr_un address = queries_address(path);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0)
        tool_fail("%s: %s", path, strerror(errno));
    return connection;
}

int main(int count, char **words)
{
    if (count != 3)
        tool_fail("Usage: ask SOCKET QUERY");
    int connection = connect_to(words[1]);
    size_t length = 0;
    char *reply = NULL;
    /* All of the reply is read before any is printed: gnuplot asks again while it has not read the
     * rows of the last query, and answer must be free by then. */
    if (queries_send(connection, words[2], strlen(words[2])) == 0 &&
        shutdown(connection, SHUT_WR) == 0)
        reply = queries_receive(connection, &length);
    if (!reply || length == 0)
        tool_fail("%s: no reply", words[1]);
    if (*reply == ANSWER_ERROR)
        tool_fail("%s", reply + 1);
    fwrite(reply + 1, 1, length - 1, stdout);
    free(reply);
    return fflush(stdout) == 0 ? 0 : 1;
}
