#include "common/clock.h"
#include "common/harness/exit.h"
#include "common/random.h"
#include "partition/last_writer.h"

#include "object_chains.h"

enum { ELEMENTS = 64, LAUNCHES = 6, HISTORY = 24 };

/* Launches by number; a launch writes an element on one device or not at all (-1). */
struct sequence {
    int devices;
    int writer[LAUNCHES][ELEMENTS];
    struct partition_intervals writes[LAUNCHES][PARTITION_MAX_DEVICES];
    int history[HISTORY]; /* oldest first */
    struct partition_intervals owner[PARTITION_MAX_DEVICES];
};

/* A source of numbers: each is of the next index. */
struct dice {
    uint64_t seed, thrown;
};

static int throw_below(struct dice *dice, int bound)
{
    return (int)random_below(dice->seed, dice->thrown++, (uint64_t)bound);
}

/* Each launch writes every other element, or fewer or more: its own share of all. */
static void draw(struct sequence *sequence, struct dice *dice)
{
    for (int l = 0; l < LAUNCHES; l++) {
        int share = 1 + throw_below(dice, 9);
        for (int d = 0; d < sequence->devices; d++)
            sequence->writes[l][d].count = 0;
        for (int e = 0; e < ELEMENTS; e++) {
            bool is_written = throw_below(dice, 10) < share;
            int device = is_written ? throw_below(dice, sequence->devices) : -1;
            sequence->writer[l][e] = device;
            if (is_written)
                check_status(partition_intervals_push(&sequence->writes[l][device], e, e + 1));
        }
        for (int d = 0; d < sequence->devices; d++)
            partition_intervals_normalise(&sequence->writes[l][d]);
    }
    for (int i = 0; i < HISTORY; i++)
        sequence->history[i] = throw_below(dice, LAUNCHES);
}

/* Fills owner[]; returns the number of launches that the chain dropped. */
static int64_t follow_chain(struct sequence *sequence)
{
    struct chain chain = {.devices = sequence->devices};
    for (int i = 0; i < HISTORY; i++) {
        const struct partition_intervals *writes = sequence->writes[sequence->history[i]];
        check_status(chain_add(&chain, writes, writes));
    }
    check_status(chain_owners(&chain, sequence->owner));
    int64_t dropped = HISTORY - (int64_t)chain.count;
    chain_free(&chain);
    return dropped;
}

static bool contains(const struct partition_intervals *set, int64_t element)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i].begin <= element && element < set->items[i].end)
            return true;
    return false;
}

/* Elements whose owners by the chain are not the last writer alone. */
static int64_t count_mismatches(const struct sequence *sequence)
{
    int64_t mismatches = 0;
    for (int e = 0; e < ELEMENTS; e++) {
        int last = -1;
        for (int i = 0; i < HISTORY; i++) {
            int writer = sequence->writer[sequence->history[i]][e];
            last = writer < 0 ? last : writer;
        }
        bool same = true;
        for (int d = 0; d < sequence->devices; d++)
            same &= contains(&sequence->owner[d], e) == (d == last);
        mismatches += !same;
    }
    return mismatches;
}

static void free_sets(struct sequence *sequence)
{
    for (int d = 0; d < sequence->devices; d++) {
        partition_intervals_free(&sequence->owner[d]);
        for (int l = 0; l < LAUNCHES; l++)
            partition_intervals_free(&sequence->writes[l][d]);
    }
}

double object_chain_sample(struct object_job *job)
{
    struct sequence sequence = {.devices = job->devices};
    struct dice dice = {.seed = job->seed};
    int64_t sequences = *(const int64_t *)job->context;
    int64_t dropped = 0, mismatches = 0;
    double spent_s = 0;
    for (int64_t i = 0; i < sequences; i++) {
        draw(&sequence, &dice);
        double start_s = clock_now_s();
        dropped += follow_chain(&sequence);
        spent_s += clock_now_s() - start_s;
        mismatches += count_mismatches(&sequence);
    }
    free_sets(&sequence);
    job->row.sequences = sequences;
    job->row.dropped = dropped;
    job->row.mismatches = mismatches;
    job->errors += mismatches;
    return spent_s / (double)sequences;
}
