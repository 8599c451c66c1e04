#include "list_machine.h"

#include "common/clock.h"
#include "common/harness/exit.h"

/* ---- events ---- */

static void see(void *context, enum index_list_event kind, int site, size_t before, size_t after,
                uint64_t front, uint64_t position)
{
    struct list_machine *machine = context;
    (void)site; /* only of a prefetch; peeks belong to the same line */
    machine->events[machine->count++] = (struct list_event){
        .kind = kind,
        .site = machine->site,
        .before = before,
        .length = after,
        .outstanding = machine->site < 0 ? 0 : index_list_ahead(machine->list, machine->site),
        .configured = machine->configured,
        .front = front,
        .position = position,
        .time_s = clock_now_s() - machine->start_s,
    };
}

static bool differs(const struct list_event *event, enum index_list_event kind, size_t before,
                    const struct list_model *model, uint64_t position)
{
    return event->kind != kind || event->before != before ||
           event->length != model->end - model->front || event->front != model->front ||
           event->position != position || event->set != (int)position + 1;
}

static bool ahead_differs(const struct list_machine *machine, const struct list_event *event)
{
    const struct list_model *model = &machine->model;
    return event->site >= 0 && event->outstanding != model->next[event->site] - model->front;
}

/* The model's opinion on the last operation: a peek, then the update or prefetch itself. */
static void verify(struct list_machine *machine)
{
    struct list_model *model = &machine->model;
    struct list_event *peek = &machine->events[machine->before], *own = peek + 1;
    int site = machine->site;
    size_t before = model->end - model->front;
    uint64_t position = site < 0 ? model->front : model->next[site];
    if (position + 1 == model->end && model->end < (uint64_t)machine->length)
        model->end++;
    peek->errors =
        differs(peek, INDEX_LIST_PEEK, before, model, position) + ahead_differs(machine, peek);
    before = model->end - model->front;
    if (site >= 0)
        model->next[site]++;
    else
        model->front++;
    for (int other = 0; other < SITES; other++)
        if (model->next[other] < model->front)
            model->next[other] = model->front;
    own->errors =
        differs(own, site < 0 ? INDEX_LIST_UPDATE : INDEX_LIST_PREFETCH, before, model, position) +
        ahead_differs(machine, own);
}

/* ---- the loop ---- */

static void begin(struct list_machine *machine)
{
    machine->before = machine->count;
    machine->start_s = clock_now_s();
}

static void finish(struct list_machine *machine, const struct index_set *set)
{
    if (machine->count != machine->before + 2)
        fail("an operation on the list made %zu events instead of 2",
             machine->count - machine->before);
    for (size_t i = machine->before; i < machine->count; i++)
        machine->events[i].set = set->value[0];
    verify(machine);
}

bool list_machine_update(struct list_machine *machine)
{
    struct index_set current;
    machine->site = -1;
    machine->configured = 0;
    begin(machine);
    if (!index_list_update(machine->list, &current))
        return false;
    finish(machine, &current);
    return true;
}

void list_machine_get(struct list_machine *machine, int site, int64_t distance, int64_t remaining)
{
    struct index_set set;
    machine->site = site;
    machine->configured = (size_t)(distance < remaining ? distance : remaining);
    while (index_list_ahead(machine->list, site) < machine->configured) {
        begin(machine);
        if (!index_list_prefetch(machine->list, site, &set))
            fail("GET %d got no set although %lld iterations remain: is there too little memory?",
                 site + 1, (long long)remaining);
        finish(machine, &set);
    }
}

size_t list_machine_events(int64_t length)
{
    return 2 * (size_t)length * (1 + SITES);
}

void list_machine_start(struct list_machine *machine)
{
    machine->loop = (struct loop){.kind = LOOP_SEQUENTIAL,
                                  .count = 1,
                                  .low = {1},
                                  .high = {(int)machine->length},
                                  .workers = 1};
    struct index_source source = loop_source(&machine->loop);
    struct index_list_observer observer = {see, machine};
    machine->count = 0;
    machine->model = (struct list_model){.end = 1};
    check_status(index_list_open(&machine->list, &source, SITES, &observer));
}

void list_machine_end(struct list_machine *machine)
{
    index_list_close(machine->list);
}
