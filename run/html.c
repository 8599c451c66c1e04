#include "html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static void put_escaped(FILE *page, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", page);
            break;
        case '<':
            fputs("&lt;", page);
            break;
        case '>':
            fputs("&gt;", page);
            break;
        case '"':
            fputs("&quot;", page);
            break;
        case '\'':
            fputs("&#39;", page);
            break;
        default:
            fputc(*text, page);
        }
    }
}

void html_put(FILE *page, const char *template, ...)
{
    va_list arguments;
    va_start(arguments, template);
    for (const char *c = template; *c; c++) {
        if (*c == '@')
            put_escaped(page, va_arg(arguments, const char *));
        else
            fputc(*c, page);
    }
    va_end(arguments);
}

void html_put_file(FILE *page, const char *path)
{
    char *text = tool_read_file(path);
    if (!text)
        tool_fail("%s: no such file", path);
    fputs(text, page);
    free(text);
}
