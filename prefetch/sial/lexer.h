/* lexer.h: from the text to words and signs, one at a time. */
#ifndef PREFETCH_SIAL_LEXER_H
#define PREFETCH_SIAL_LEXER_H

#include "prefetch/sial/compiler.h"

/* Signs and keywords stand in the order of the tables in lexer.c. */
enum token_kind {
    TOKEN_END_OF_FILE,
    TOKEN_END_OF_LINE, /* empty lines and lines that go on give none */
    TOKEN_NAME,
    TOKEN_WHOLE, /* number without point or exponent */
    TOKEN_REAL,
    TOKEN_STRING,
    TOKEN_PLUS_SET, /* the longer signs come first */
    TOKEN_MINUS_SET,
    TOKEN_TIMES_SET,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER_EQUAL,
    TOKEN_EQUAL,
    TOKEN_NOT_EQUAL,
    TOKEN_SET,
    TOKEN_LESS,
    TOKEN_GREATER,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_TIMES,
    TOKEN_DIVIDE,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_OPEN_BRACKET,
    TOKEN_CLOSE_BRACKET,
    TOKEN_COMMA,
    TOKEN_COLON,
    TOKEN_ABS,
    TOKEN_ALLOCATE,
    TOKEN_AND,
    TOKEN_AOINDEX,
    TOKEN_CALL,
    TOKEN_COLLECTIVE,
    TOKEN_CONSTANT,
    TOKEN_CREATE,
    TOKEN_DEALLOCATE,
    TOKEN_DELETE,
    TOKEN_DISTRIBUTED,
    TOKEN_DO,
    TOKEN_ELSE,
    TOKEN_ENDDO,
    TOKEN_ENDIF,
    TOKEN_ENDPARDO,
    TOKEN_ENDPROC,
    TOKEN_ENDSIAL,
    TOKEN_EXECUTE,
    TOKEN_EXIT,
    TOKEN_GET,
    TOKEN_GPU_OFF,
    TOKEN_GPU_ON,
    TOKEN_IF,
    TOKEN_IMPORT,
    TOKEN_INDEX,
    TOKEN_INT,
    TOKEN_LAINDEX,
    TOKEN_LOCAL,
    TOKEN_MOAINDEX,
    TOKEN_MOBINDEX,
    TOKEN_MOINDEX,
    TOKEN_NONZERO,
    TOKEN_NOT,
    TOKEN_OR,
    TOKEN_PARDO,
    TOKEN_PREDEFINED,
    TOKEN_PREPARE,
    TOKEN_PRINT,
    TOKEN_PROC,
    TOKEN_PUT,
    TOKEN_REQUEST,
    TOKEN_RETURN,
    TOKEN_SCALAR,
    TOKEN_SEGMENT,
    TOKEN_SERVED,
    TOKEN_SERVER_BARRIER,
    TOKEN_SIAL,
    TOKEN_SIP_BARRIER,
    TOKEN_SPECIAL,
    TOKEN_SQRT,
    TOKEN_STATIC,
    TOKEN_TEMP,
    TOKEN_WHERE,
    TOKEN_KINDS
};

struct token {
    enum token_kind kind;
    struct place place;
    const char *text; /* names, keywords, strings (without the quotes) and numbers, as written */
    double number;
};

struct lexer {
    struct compiler *compiler;
    const char *text;
    size_t position, line_start;
    int file, line;
    enum token_kind last;
    struct place last_end; /* just behind the last token */
};

void sial_lexer_start(struct lexer *lexer, struct compiler *compiler, int file);
struct token sial_lexer_next(struct lexer *lexer);

/* `enddo`, end of line: a token in messages. */
enum { SIAL_TOKEN_TEXT = 96 };
void sial_token_text(struct token token, char text[SIAL_TOKEN_TEXT]);

#endif
