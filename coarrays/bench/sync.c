#include "sync.h"

#include "images.h"

struct sync_kernels sync_of(const struct kernels *kernels)
{
    static const char *const names[] = {"open",      "close", "all_images", "with_images",
                                        "event",     "lock",  "critical",   "add",
                                        "fetch_add", "sum",   "broadcast",  "allocate",
                                        "define",    "word",  "locked_add", "critical_add",
                                        "counter",   "post",  "posted",     "take",
                                        "allocated", NULL};
    struct sync_kernels found;
    kernels_find(kernels, "sync_", names, &found);
    return found;
}

/* ---- caf.h: one coarray of this ---- */

struct part {
    int32_t word, counter;
    _Alignas(16) struct caf_lock lock;
    struct caf_event event;
};
enum {
    WORD = offsetof(struct part, word),
    COUNTER = offsetof(struct part, counter),
    LOCK = offsetof(struct part, lock),
    EVENT = offsetof(struct part, event)
};
static struct caf_coarray *coarray;
static struct part *mine;

static void caf_open(void)
{
    void *memory;
    check_status(caf_allocate(&coarray, sizeof(struct part), CAF_DATA, &memory));
    mine = memory;
}

static void caf_close(void)
{
    check_status(caf_free(coarray));
}

static void all(int times)
{
    for (int i = 0; i < times; i++)
        check_status(caf_sync_all());
}

static void images(int times, int count, const int *image)
{
    for (int i = 0; i < times; i++)
        check_status(caf_sync_images(count, image));
}

static void post(int times, int image)
{
    for (int i = 0; i < times; i++)
        check_status(caf_event_post(coarray, image, EVENT));
}

static void take(int count)
{
    check_status(caf_event_wait(coarray, EVENT, count));
}

static void event(int times, int partner, int first)
{
    for (int i = 0; i < times; i++) {
        if (first)
            post(1, partner);
        take(1);
        if (!first)
            post(1, partner);
    }
}

static void lock(int times, int image)
{
    for (int i = 0; i < times; i++) {
        check_status(caf_lock(coarray, image, LOCK, NULL));
        check_status(caf_unlock(coarray, image, LOCK));
    }
}

/* A critical section is a lock of image 1 that has no name (Fortran
 * 2018, 11.1.6). */
static void critical(int times)
{
    lock(times, 1);
}

static void add(int times, int image)
{
    for (int i = 0; i < times; i++)
        check_status(caf_atomic_operation(coarray, image, WORD, CAF_ADD, 1, NULL));
    check_status(caf_sync_memory());
}

static double fetch_add(int times, int image)
{
    double sum = 0;
    for (int i = 0; i < times; i++) {
        int32_t old;
        check_status(caf_atomic_operation(coarray, image, WORD, CAF_ADD, 1, &old));
        sum += old;
    }
    return sum;
}

static double sum(int times, double value)
{
    double result = 0;
    for (int i = 0; i < times; i++) {
        result = value;
        check_status(caf_sum(&result, 1, CAF_DOUBLE, 0));
    }
    return result;
}

static double broadcast(int times, double value)
{
    double result = 0;
    for (int i = 0; i < times; i++) {
        result = value;
        check_status(caf_broadcast(&result, sizeof result, 1));
    }
    return result;
}

static void allocate(int times)
{
    for (int i = 0; i < times; i++) {
        struct caf_coarray *made;
        void *memory;
        check_status(caf_allocate(&made, SYNC_ALLOCATED * sizeof(double), CAF_DATA, &memory));
        check_status(caf_free(made));
    }
}

static void define(int image, int value)
{
    check_status(caf_atomic_define(coarray, image, WORD, value));
}

static int word(void)
{
    int32_t value;
    check_status(caf_atomic_ref(coarray, caf_this_image(), WORD, &value));
    return value;
}

static void locked_add(int times, int image)
{
    for (int i = 0; i < times; i++) {
        int32_t value;
        check_status(caf_lock(coarray, image, LOCK, NULL));
        check_status(caf_get(&value, coarray, image, COUNTER, sizeof value));
        value++;
        check_status(caf_put(coarray, image, COUNTER, &value, sizeof value));
        check_status(caf_unlock(coarray, image, LOCK));
    }
}

static void critical_add(int times)
{
    locked_add(times, 1);
}

static int counter(void)
{
    return mine->counter;
}

static int posted(void)
{
    int count;
    check_status(caf_event_query(coarray, EVENT, &count));
    return count;
}

static double allocated(int image, double value)
{
    struct caf_coarray *made;
    void *memory;
    size_t last = (SYNC_ALLOCATED - 1) * sizeof(double);
    check_status(caf_allocate(&made, SYNC_ALLOCATED * sizeof(double), CAF_DATA, &memory));
    check_status(caf_put(made, image, last, &value, sizeof value));
    check_status(caf_sync_all());
    double came = ((double *)memory)[SYNC_ALLOCATED - 1];
    check_status(caf_free(made));
    return came;
}

const struct sync_kernels sync_caf = {
    caf_open,   caf_close,    all,     images,    event,    lock,   critical,
    add,        fetch_add,    sum,     broadcast, allocate, define, word,
    locked_add, critical_add, counter, post,      posted,   take,   allocated,
};
