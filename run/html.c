#include "html.h"

#include <stdarg.h>
#include <stdint.h>
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

static void put_base64(FILE *page, const char *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        uint32_t group = 0;
        for (size_t j = 0; j < 3; j++)
            group = group << 8 | (i + j < count ? (unsigned char)bytes[i + j] : 0);
        for (size_t j = 0; j < 4; j++)
            fputc(i + j <= count ? digits[group >> (18 - 6 * j) & 63] : '=', page);
    }
}

int html_put_picture(FILE *page, const char *path, const char *description)
{
    char *text = tool_read_file(path);
    if (!text)
        return 0;
    html_put(page, "<img loading=\"lazy\" alt=\"@\" src=\"data:image/svg+xml;base64,", description);
    put_base64(page, text, strlen(text));
    fputs("\">\n", page);
    free(text);
    return 1;
}
