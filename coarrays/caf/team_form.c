/* FORM TEAM: each image tells the others of the current team the number of its new team. */
#include <stdlib.h>

#include "agree.h"
#include "error.h"
#include "sync.h"
#include "team.h"

struct request {
    int32_t number, new_index, slot;
};

struct table {
    struct request *of; /* of[index in the parent]; number 0: it has failed */
    int *index;         /* in the new team */
    int *member, *slot; /* of this image's new team */
    int images;
};

/* ---- what all request ---- */

static enum dm_status tell_all(const struct request *mine, struct request *all)
{
    TRY(team_tell(mine, sizeof *mine));
    for (int i = 1; i <= current_team->images; i++)
        if (team_told(i))
            all[i] = *(const struct request *)team_told(i);
    return DM_OK;
}

static enum dm_status tell(const struct request *mine, struct request *all)
{
    if (!runtime.by_mpi)
        return tell_all(mine, all);
    TRY_MPI(MPI_Allgather(mine, sizeof *mine, MPI_BYTE, all + 1, sizeof *mine, MPI_BYTE,
                          current_team->all));
    return DM_OK;
}

static enum dm_status check_number(int number)
{
    if (number > 0)
        return DM_OK;
    return invalid(CAF_BAD_ARGUMENT, "FORM TEAM: a team's number must be positive, but is %d",
                   number);
}

/* ---- indices ---- */

/* In the order of the parent's indices, unless they were requested. */
static void count_indices(const struct table *table)
{
    for (int i = 1; i <= current_team->images; i++) {
        int before = 0;
        for (int j = 1; j < i; j++)
            before += table->of[j].number == table->of[i].number;
        table->index[i] = table->of[i].new_index != 0 ? table->of[i].new_index : before + 1;
    }
}

static enum dm_status gather_members(struct table *table, int number)
{
    for (int i = 1; i <= current_team->images; i++)
        table->images += table->of[i].number == number;
    for (int i = 1; i <= current_team->images; i++) {
        int index = table->index[i];
        if (table->of[i].number != number)
            continue;
        if (index < 1 || index > table->images || table->member[index] != 0)
            return invalid(CAF_BAD_ARGUMENT,
                           "FORM TEAM: NEW_INDEX %d of image %d: the %d images of team %d need "
                           "indices 1 to %d, each once",
                           index, i, table->images, number, table->images);
        table->member[index] = current_team->member[i];
        table->slot[index] = table->of[i].slot;
    }
    return DM_OK;
}

/* ---- the object ---- */

/* That of an earlier FORM TEAM of this image, if the team is the same for all of its images, which
 * all find alike: they have formed the same teams. */
static struct team *find_equal(const struct table *table, int number)
{
    for (struct team *team = team_newest(); team; team = team->next) {
        bool equal =
            team->parent == current_team && team->number == number && team->images == table->images;
        for (int i = 1; equal && i <= table->images; i++)
            equal = team->member[i] == table->member[i];
        for (int i = 1; equal && i <= current_team->images; i++)
            equal = team->sibling_number[i] == table->of[i].number &&
                    team->sibling_index[i] == table->index[i];
        if (equal)
            return team;
    }
    return NULL;
}

static enum dm_status create(struct table *table, int number, struct team **team)
{
    int *numbers = calloc((size_t)current_team->images + 1, sizeof *numbers);
    if (!numbers)
        return dm_fail(DM_NO_MEMORY, "FORM TEAM: no memory on image %d", runtime.image);
    for (int i = 1; i <= current_team->images; i++)
        numbers[i] = table->of[i].number;
    struct team_plan plan = {.number = number,
                             .images = table->images,
                             .member = table->member,
                             .sibling_number = numbers,
                             .sibling_index = table->index,
                             .slot = table->slot};
    table->index = NULL; /* is the team's now */
    atomic_fetch_add(&control_of(runtime.image)->slots, 1);
    return team_create(&plan, team);
}

static enum dm_status form(struct table *table, int number, int new_index, struct team **team)
{
    struct request mine = {number, new_index, atomic_load(&control_of(runtime.image)->slots)};
    enum dm_status status = check_number(number);
    if (status == DM_OK && mine.slot == SLOTS)
        status =
            dm_fail(DM_NO_MEMORY, "FORM TEAM: image %d has formed %d teams", runtime.image, SLOTS);
    TRY(agree(status));
    TRY(tell(&mine, table->of));
    count_indices(table);
    TRY(agree(gather_members(table, number)));
    *team = find_equal(table, number);
    return *team ? DM_OK : create(table, number, team);
}

enum dm_status team_form(int number, int new_index, struct team **team)
{
    enum dm_status met;
    TRY(sync_for_windows("FORM TEAM", &met));
    caf_statement = "FORM TEAM";
    size_t count = (size_t)current_team->images + 1;
    struct table table = {.of = calloc(count, sizeof *table.of),
                          .index = calloc(count, sizeof *table.index),
                          .member = calloc(count, sizeof *table.member),
                          .slot = calloc(count, sizeof *table.slot)};
    enum dm_status status =
        table.of && table.index && table.member && table.slot
            ? form(&table, number, new_index, team)
            : dm_fail(DM_NO_MEMORY, "FORM TEAM: no memory on image %d", runtime.image);
    free(table.of);
    free(table.index);
    free(table.member);
    free(table.slot);
    return status != DM_OK || met == DM_OK ? status : lost_again("FORM TEAM");
}
