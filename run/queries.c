#include "queries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tool.h"

struct sockaddr_un queries_address(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *folder = tool_text("%s", path), *name = strrchr(folder, '/');
    if (name) {
        *name++ = '\0';
        if (chdir(*folder ? folder : "/") != 0)
            tool_fail("%s: %s", path, strerror(errno));
    } else {
        name = folder;
    }
    if (strlen(name) >= sizeof address.sun_path)
        tool_fail("%s: too long for the name of a socket", name);
    strcpy(address.sun_path, name);
    free(folder);
    return address;
}

char *queries_receive(int connection, size_t *length)
{
    char *text = NULL;
    size_t space = 0;
    ssize_t count;
    *length = 0;
    do {
        if (space - *length < 2)
            text = tool_resize(text, space = 2 * space + 4096);
        count = recv(connection, text + *length, space - *length - 1, 0);
        if (count > 0)
            *length += (size_t)count;
    } while (count > 0 || (count < 0 && errno == EINTR));
    if (count < 0) {
        free(text);
        return NULL;
    }
    text[*length] = '\0';
    return text;
}

int queries_send(int connection, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t count = send(connection, text, length, MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR)
            return -1;
        if (count > 0) {
            text += count;
            length -= (size_t)count;
        }
    }
    return 0;
}
