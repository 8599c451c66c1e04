#include "sync_task.h"

#include "common/clock.h"

#include "images.h"

const char *const sync_operation_names[] = {[SYNC_ALL] = "sync-all",
                                            [SYNC_PAIR] = "sync-images-pair",
                                            [SYNC_RING] = "sync-images-ring",
                                            [EVENT] = "event",
                                            [LOCK] = "lock",
                                            [CRITICAL] = "critical",
                                            [ATOMIC_ADD] = "atomic-add",
                                            [FETCH_ADD] = "fetch-add",
                                            [CO_SUM] = "co-sum",
                                            [CO_BROADCAST] = "co-broadcast",
                                            [ALLOCATE] = "allocate",
                                            [OPERATIONS] = NULL};

/* ---- who takes part; images count from 1 ---- */

/* Pairs are half the number of images apart, so that on two nodes they are on both. 0: none. */
static int partner_of(int image, int images)
{
    int half = images / 2;
    return image <= half ? image + half : image <= 2 * half ? image - half : 0;
}

void sync_task_open(struct sync_task *task, const struct sync_kernels *kernels)
{
    int image = ranks.rank + 1, images = ranks.count;
    int next = image % images + 1, previous = (image + images - 2) % images + 1;
    task->kernels = kernels;
    task->active = true;
    switch (task->operation) {
    case SYNC_PAIR:
    case EVENT:
        task->image = task->neighbour[0] = partner_of(image, images);
        task->neighbours = 1;
        task->active = task->image != 0;
        break;
    case SYNC_RING:
        task->image = task->neighbour[0] = next;
        task->neighbour[1] = previous;
        task->neighbours = next == previous ? 1 : 2;
        break;
    case LOCK:
    case ATOMIC_ADD:
    case FETCH_ADD:
        task->image = 1;
        task->active = image == images;
        break;
    default:
        task->image = next;
    }
    task->word_before = (uint32_t)kernels->word();
    kernels->all(1);
}

/* ---- one sample ---- */

static void operate(const struct sync_task *task, int times)
{
    const struct sync_kernels *kernels = task->kernels;
    switch (task->operation) {
    case SYNC_ALL:
        kernels->all(times);
        break;
    case SYNC_PAIR:
    case SYNC_RING:
        kernels->images(times, task->neighbours, task->neighbour);
        break;
    case EVENT:
        kernels->event(times, task->image, ranks.rank + 1 < task->image);
        break;
    case LOCK:
        kernels->lock(times, task->image);
        break;
    case CRITICAL:
        kernels->critical(times);
        break;
    case ATOMIC_ADD:
        kernels->add(times, task->image);
        break;
    case FETCH_ADD:
        kernels->fetch_add(times, task->image);
        break;
    case CO_SUM:
        kernels->sum(times, 1);
        break;
    case CO_BROADCAST:
        kernels->broadcast(times, 1);
        break;
    default:
        kernels->allocate(times);
    }
}

double sync_sample(void *context)
{
    struct sync_task *task = context;
    double time_s = 0;
    if (task->active) {
        double start_s = clock_now_s();
        operate(task, task->times);
        time_s = (clock_now_s() - start_s) / task->times;
        task->added += (uint32_t)task->times;
    }
    /* Who takes no part waits here, and serves the others. */
    task->kernels->all(1);
    return task->operation == EVENT ? time_s / 2 : time_s;
}

/* ---- checks, outside the timed region; each returns what is wrong on this image ---- */

enum { TIMES = 20 };

/* What was written before is there afterwards. */
static long check_order(const struct sync_task *task)
{
    const struct sync_kernels *kernels = task->kernels;
    long wrong = 0;
    for (int value = 1; value <= TIMES && task->active; value++) {
        kernels->define(task->image, value);
        operate(task, 1);
        wrong += kernels->word() != value;
        operate(task, 1);
    }
    kernels->all(1);
    return wrong;
}

/* Posts are counted, and those that were waited for are gone. */
static long check_events(const struct sync_task *task)
{
    const struct sync_kernels *kernels = task->kernels;
    long wrong = task->active && kernels->posted() != 0;
    kernels->all(1);
    if (task->active)
        kernels->post(TIMES, task->image);
    kernels->all(1);
    if (!task->active)
        return 0;
    /* MPI may deliver them later than the barrier. */
    for (double end_s = clock_now_s() + 1; kernels->posted() < TIMES && clock_now_s() < end_s;)
        ;
    if (kernels->posted() != TIMES)
        return 1;
    kernels->take(TIMES);
    return wrong + (kernels->posted() != 0);
}

/* Additions that are not atomic come one after the other: by all images to image 1's counter. */
static long check_exclusion(const struct sync_task *task)
{
    const struct sync_kernels *kernels = task->kernels;
    int before = kernels->counter();
    kernels->all(1);
    if (task->operation == LOCK)
        kernels->locked_add(TIMES, 1);
    else
        kernels->critical_add(TIMES);
    kernels->all(1);
    int added = kernels->counter() - before;
    return added != (ranks.rank == 0 ? TIMES * ranks.count : 0);
}

/* The additions of all samples have all arrived. */
static long check_added(const struct sync_task *task)
{
    uint32_t sum = (uint32_t)images_sum((long)task->added);
    uint32_t word = (uint32_t)task->kernels->word();
    return ranks.rank == 0 && word != task->word_before + sum;
}

/* Additions by all images at once: each fetches another number. Wrong on all images alike. */
static long check_fetched(const struct sync_task *task)
{
    const struct sync_kernels *kernels = task->kernels;
    if (ranks.rank == 0)
        kernels->define(1, 0);
    kernels->all(1);
    long fetched = (long)kernels->fetch_add(TIMES, 1);
    /* Who is in MPI serves the others only where MPI carries their operations. */
    kernels->all(1);
    long sum = images_sum(fetched);
    long count = TIMES * (long)ranks.count;
    return images_sum(ranks.rank == 0 && kernels->word() != count) +
           (sum != count * (count - 1) / 2);
}

bool sync_fetches(const struct sync_task *task)
{
    return check_fetched(task) == 0;
}

static long check_collective(const struct sync_task *task)
{
    const struct sync_kernels *kernels = task->kernels;
    double image = ranks.rank + 1, images = ranks.count;
    if (task->operation == CO_BROADCAST)
        return kernels->broadcast(TIMES, image) != 1;
    return kernels->sum(TIMES, image) != images * (images + 1) / 2;
}

/* A new coarray is one on all images. */
static long check_allocated(const struct sync_task *task)
{
    int previous = (ranks.rank + ranks.count - 1) % ranks.count + 1;
    return task->kernels->allocated(task->image, ranks.rank + 1) != previous;
}

static long check(const struct sync_task *task)
{
    switch (task->operation) {
    case SYNC_ALL:
    case SYNC_PAIR:
    case SYNC_RING:
        return check_order(task);
    case EVENT:
        return check_events(task);
    case LOCK:
    case CRITICAL:
        return check_exclusion(task);
    case ATOMIC_ADD:
        return check_added(task);
    case FETCH_ADD:
        return check_added(task) + check_fetched(task);
    case ALLOCATE:
        return check_allocated(task);
    default:
        return check_collective(task);
    }
}

long sync_errors(const struct sync_task *task)
{
    return images_sum(check(task));
}
