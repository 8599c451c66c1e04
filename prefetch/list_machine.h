/* list_machine.h: a list of index sets, each event of which is noted and compared with a plain
 * model. */
#ifndef PREFETCH_LIST_MACHINE_H
#define PREFETCH_LIST_MACHINE_H

#include "prefetch/sip/index_list.h"
#include "prefetch/sip/loop.h"

enum { SITES = 2 };

struct list_event {
    enum index_list_event kind;
    int site; /* -1: update and its peek */
    size_t before, length, outstanding, configured;
    uint64_t front, position;
    int set;
    long errors;   /* differences from the model */
    double time_s; /* since the call of update or prefetch */
};

/* What a plain model knows: the list is [front, end) of the loop's sets, and each site has one to
 * get next. */
struct list_model {
    uint64_t front, end, next[SITES];
};

struct list_machine {
    int64_t length; /* of the loop, whose sets are 1, 2, ... */
    struct loop loop;
    struct index_list *list;
    struct list_model model;
    struct list_event *events; /* room for two per set that the loop and the sites get */
    size_t count, before;      /* events now, and before the operation */
    int site;                  /* on whose behalf; -1: the loop's */
    size_t configured;
    double start_s;
};

/* How many events a loop has at most. */
size_t list_machine_events(int64_t length);

/* The loop starts again. */
void list_machine_start(struct list_machine *machine);
void list_machine_end(struct list_machine *machine);

/* The loop's next iteration; false: it is over. */
bool list_machine_update(struct list_machine *machine);

/* A GET: prefetches until as many sets are outstanding as it wants, and the loop still has. */
void list_machine_get(struct list_machine *machine, int site, int64_t distance, int64_t remaining);

#endif
