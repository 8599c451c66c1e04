#include "rdma_pairs.h"

#include "option_lists.h"
#include "status.h"

#include <stdbool.h>
#include <string.h>

static struct rdma_pair pair_of(int first, int second)
{
    enum rdma_place places[2] = {(enum rdma_place)first, (enum rdma_place)second};
    return (struct rdma_pair){
        {places[0], places[1]},
        {rdma_place_letter(places[0]), ' ', rdma_place_letter(places[1]), '\0'}};
}

/* RDMA_PLACES if it is none. */
static int place_of(char letter)
{
    int place = 0;
    while (place < RDMA_PLACES && rdma_place_letter((enum rdma_place)place) != letter)
        place++;
    return place;
}

static struct rdma_pair read_pair(const char *option, const char *word)
{
    if (strlen(word) == 3 && word[1] == '-') {
        int first = place_of(word[0]), second = place_of(word[2]);
        if (first < RDMA_PLACES && second < RDMA_PLACES)
            return pair_of(first, second);
    }
    fail("--%s %s: a pair is two of H, P and D, such as D-D or H-D, and all are all nine", option,
         word);
}

struct rdma_pairs rdma_read_pairs(const char *option, const char *list)
{
    enum { ALL = RDMA_PLACES * RDMA_PLACES };
    struct option_words words = option_read_words(option, list);
    bool all = words.count == 1 && strcmp(words.values[0], "all") == 0;
    struct rdma_pairs pairs = {.count = all ? ALL : words.count};

    pairs.values = allocate_or_fail(pairs.count, sizeof *pairs.values);
    for (size_t i = 0; i < pairs.count; i++)
        pairs.values[i] = all ? pair_of((int)i / RDMA_PLACES, (int)i % RDMA_PLACES)
                              : read_pair(option, words.values[i]);
    option_free_words(&words);
    return pairs;
}
