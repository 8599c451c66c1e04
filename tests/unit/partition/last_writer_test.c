/* last_writer.h against one last writer for each element; the examples of two launches on two
 * devices and of a window that moves. */
#include <stdlib.h>

#include "partition/last_writer.h"
#include "tests/unit/test_status.h"

#include "intervals_test.h"

enum { DEVICES = 4, LAUNCHES = 6, ROUNDS = 300 };

static void free_sets(struct partition_intervals *sets, int count)
{
    for (int i = 0; i < count; i++)
        partition_intervals_free(&sets[i]);
}

/* ---- copies ---- */

static void copies_are_foreign_reads(void)
{
    struct partition_intervals writes[DEVICES] = {{0}}, reads[DEVICES] = {{0}};
    for (int round = 0; round < ROUNDS; round++) {
        bool w[DEVICES][FLAGS], r[DEVICES][FLAGS], copied[DEVICES][DEVICES][FLAGS] = {{{0}}};
        for (int d = 0; d < DEVICES; d++) {
            random_flags(w[d], 9);
            random_flags(r[d], 9);
            expect_ok(set_of_flags(&writes[d], w[d]));
            expect_ok(set_of_flags(&reads[d], r[d]));
        }
        struct partition_copy *copies;
        size_t count;
        expect_ok(last_writer_copies(DEVICES, writes, reads, round % 2, 3, &copies, &count));
        for (size_t i = 0; i < count; i++)
            for (int64_t k = 0; k < copies[i].bytes.count; k++)
                for (int64_t b = 0; b < copies[i].bytes.length; b++)
                    copied[copies[i].from][copies[i].to]
                          [copies[i].bytes.begin + k * copies[i].bytes.stride + b] = true;
        for (int from = 0; from < DEVICES; from++)
            for (int to = 0; to < DEVICES; to++)
                for (int e = 0; e < FLAGS; e++)
                    expect(copied[from][to][e] == (from != to && w[from][e] && r[to][e]));
        free(copies);
    }
    free_sets(writes, DEVICES);
    free_sets(reads, DEVICES);
}

/* Six elements on two devices; each reads its own three and one of the other's. */
static void two_launches_on_two_devices(void)
{
    struct partition_intervals writes[2] = {{0}}, reads[2] = {{0}};
    expect_ok(partition_intervals_push(&writes[0], 0, 3));
    expect_ok(partition_intervals_push(&writes[1], 3, 6));
    expect_ok(partition_intervals_push(&reads[0], 0, 4));
    expect_ok(partition_intervals_push(&reads[1], 2, 6));
    struct partition_copy *copies;
    size_t count;
    expect_ok(last_writer_copies(2, writes, reads, true, 1, &copies, &count));
    expect(count == 2);
    expect(copies[0].from == 1 && copies[0].to == 0 && copies[0].bytes.begin == 3);
    expect(copies[1].from == 0 && copies[1].to == 1 && copies[1].bytes.begin == 2);
    free(copies);
    expect_error(last_writer_copies(2, writes, reads, false, 0, &copies, &count), DM_INVALID,
                 "0 bytes each");
    expect(!copies && count == 0);
    free_sets(writes, 2);
    free_sets(reads, 2);
}

/* ---- chains ---- */

struct launches {
    bool writes[LAUNCHES][DEVICES][FLAGS];
    struct partition_intervals sets[LAUNCHES][DEVICES];
};

static void draw_launches(struct launches *launches)
{
    for (int l = 0; l < LAUNCHES; l++) {
        bool any[FLAGS];
        memset(launches->writes[l], 0, sizeof launches->writes[l]);
        random_flags(any, 30);
        for (int i = 0; i < FLAGS; i++)
            launches->writes[l][next_random(DEVICES)][i] = any[i];
        for (int d = 0; d < DEVICES; d++)
            expect_ok(set_of_flags(&launches->sets[l][d], launches->writes[l][d]));
    }
}

static void note_owner(const struct launches *launches, int launch, bool owners[DEVICES][FLAGS])
{
    for (int i = 0; i < FLAGS; i++)
        for (int d = 0; d < DEVICES; d++)
            if (launches->writes[launch][d][i]) {
                for (int other = 0; other < DEVICES; other++)
                    owners[other][i] = other == d;
            }
}

/* Launches in any order, many of them again: the chain keeps each once and the owners stay right.
 */
static void owners_after_random_launches(void)
{
    static struct launches launches;
    struct partition_intervals owner[DEVICES] = {{0}};
    for (int round = 0; round < ROUNDS; round++) {
        struct chain chain = {.devices = DEVICES};
        bool owners[DEVICES][FLAGS] = {{0}}, seen[LAUNCHES] = {0};
        size_t different = 0;
        draw_launches(&launches);
        for (int i = 0; i < 2 * LAUNCHES; i++) {
            int launch = (int)next_random(LAUNCHES);
            different += !seen[launch];
            seen[launch] = true;
            expect_ok(chain_add(&chain, &launches.sets[launch], launches.sets[launch]));
            note_owner(&launches, launch, owners);
            expect(chain.count == different);
            expect_ok(chain_owners(&chain, owner));
            for (int d = 0; d < DEVICES; d++)
                expect(has_flags(&owner[d], owners[d]));
        }
        chain_free(&chain);
    }
    free_sets(owner, DEVICES);
    free_sets(launches.sets[0], LAUNCHES * DEVICES);
}

static void cycles_keep_the_chain_short(void)
{
    struct partition_intervals writes[DEVICES] = {{0}};
    struct chain chain = {.devices = DEVICES};
    for (int i = 0; i < 100; i++)
        expect_ok(chain_add(&chain, &writes[i % 3], writes));
    expect(chain.count == 3);
    expect(chain.links[0].launch == &writes[0] && chain.links[2].launch == &writes[1]);
    chain_free(&chain);
    expect(!chain.links && chain.count == 0);
}

static void many_launches(void)
{
    static char identities[50];
    struct partition_intervals writes = {0}, owner = {0};
    struct chain chain = {.devices = 1};
    expect_ok(partition_intervals_push(&writes, 5, 9));
    for (int i = 0; i < 50; i++)
        expect_ok(chain_add(&chain, &identities[i], &writes));
    expect(chain.count == 50 && chain.links[49].launch == &identities[0]);
    expect_ok(chain_owners(&chain, &owner));
    expect(intervals_equal(&owner, &writes));
    partition_intervals_free(&writes);
    partition_intervals_free(&owner);
    chain_free(&chain);
}

/* A window that moves: the last launch alone does not say who has the rest. */
static void windows_that_move(void)
{
    struct partition_intervals first[2] = {{0}}, second[2] = {{0}}, owner[2] = {{0}};
    expect_ok(partition_intervals_push(&first[0], 0, 10));
    expect_ok(partition_intervals_push(&first[1], 10, 20));
    expect_ok(partition_intervals_push(&second[0], 8, 12));
    expect_ok(partition_intervals_push(&second[1], 12, 16));
    struct chain chain = {.devices = 2};
    expect_ok(chain_add(&chain, first, first));
    expect_ok(chain_add(&chain, second, second));
    expect_ok(chain_owners(&chain, owner));
    expect(owner[0].count == 1 && owner[0].items[0].begin == 0 && owner[0].items[0].end == 12);
    expect(owner[1].count == 1 && owner[1].items[0].begin == 12 && owner[1].items[0].end == 20);
    chain_free(&chain);
    free_sets(first, 2);
    free_sets(second, 2);
    free_sets(owner, 2);
}

int main(void)
{
    run_test(copies_are_foreign_reads);
    run_test(two_launches_on_two_devices);
    run_test(owners_after_random_launches);
    run_test(cycles_keep_the_chain_short);
    run_test(many_launches);
    run_test(windows_that_move);
    return end_tests();
}
