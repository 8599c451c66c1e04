/* protocol.h: what workers and servers say to each other.
 *
 *   get            request ->         <- block, or an empty message and then a reply that says why
 *   put            request, block ->  <- reply
 *   list           request ->         <- reply with a count, then that many block numbers
 *   delete, flush  request ->         <- reply
 *   close          request ->
 *
 * All but the request travel with the tag that the request names; each conversation in flight has
 * its own. All ranks run on machines with the same number formats. */
#ifndef PREFETCH_SIP_PROTOCOL_H
#define PREFETCH_SIP_PROTOCOL_H

#include <stdint.h>

enum { TAG_REQUEST = 0, TAG_FIRST = 1 };

enum request_kind {
    REQUEST_GET,
    REQUEST_PUT,
    REQUEST_ADD,
    REQUEST_DELETE,
    REQUEST_FLUSH,
    REQUEST_LIST,
    REQUEST_CLOSE
};

struct request {
    int kind; /* enum request_kind */
    int array;
    int64_t number, elements; /* of the block */
    int epoch;                /* barriers that the worker has passed */
    int statement;
    int tag;
};

enum reply_kind { REPLY_DONE, REPLY_MISSING, REPLY_CONFLICT, REPLY_FAILED };

struct reply {
    int status;            /* enum reply_kind */
    int cause;             /* REPLY_FAILED: enum store_outcome */
    int worker, statement; /* REPLY_CONFLICT: who wrote the block, and where */
    int64_t count;         /* of numbers that follow a list's reply */
};

#endif
