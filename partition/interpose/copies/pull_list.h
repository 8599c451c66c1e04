/* pull_list.h: what the kernel of pull.cu copies. */
#ifndef PULL_LIST_H
#define PULL_LIST_H

enum { PULL_MAX = 32 };

/* `count` runs of `length` bytes whose begins are `stride` bytes apart, from one address to
 * another. */
struct pull_piece {
    unsigned long long to, from, length, stride, count;
};

struct pull_list {
    struct pull_piece piece[PULL_MAX];
};

#endif
