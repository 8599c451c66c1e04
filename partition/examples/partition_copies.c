/* partition_copies.c: what three GPUs have to copy before each launches its part of a kernel.
 *
 * Build: cc -std=c11 partition_copies.c $(pkg-config --cflags --libs datamotion-partition) \
 *     -o partition_copies
 * Run: ./partition_copies
 * Prints: 4 copies: 1->0 at 400, 0->1 at 399, 2->1 at 800, 1->2 at 799 */
#include <datamotion/partition.h>

#include <stdio.h>
#include <stdlib.h>

enum { GPUS = 3, N = 1200 };

/* What `partition-analyse smooth.cu -o smooth.db` finds out about bytes
 * out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3. */
#define BYTES "  type i8*\n  bits 0\n  element_bits 8\n  fundamental i\n  dims 1\n  level 1\n"
#define MAP   "{ [gx] -> in[i] : gx - 1 <= i <= gx + 1 and 0 <= i < 1200 }\n"
static const char smooth[] =
    "datamotion-partition 1\nkernel smooth\n source smooth.cu\n coordinates gx\n split x\n"
    " invalid { : false }\n argument 0\n  name in\n" BYTES "  read " MAP "  read_access " MAP
    " argument 1\n  name out\n" BYTES "  write { [gx] -> out[gx] }\n"
    "  write_access { [gx] -> out[gx] }\n  injective yes\n end\n";

static void check(enum dm_status status)
{
    if (status == DM_OK)
        return;
    fprintf(stderr, "%s\n", dm_message());
    exit(1);
}

int main(void)
{
    struct partition_database *database;
    struct partition_part parts[GPUS];
    struct partition_shape shape = {{N / 100, 1, 1}, {100, 1, 1}};
    struct partition_intervals reads[GPUS] = {{0}}, writes[GPUS] = {{0}}, none[GPUS] = {{0}};
    struct partition_states *states;
    struct partition_transition first, second;
    enum partition_extent extent;
    FILE *file = fopen("smooth.db", "w");

    if (!file || fputs(smooth, file) < 0 || fclose(file) != 0)
        return 1;
    check(partition_database_load(&database, "smooth.db"));
    struct partition_launch launch = {partition_database_find(database, "smooth"), NULL, &shape};
    check(partition_check_launch(&launch));
    check(partition_grid(shape.grid, GPUS, "x", false, parts));
    for (int i = 0; i < GPUS; i++) {
        check(partition_accesses(&launch, 0, false, &parts[i], PARTITION_BOXES, &reads[i], &extent,
                                 NULL));
        check(partition_accesses(&launch, 1, true, &parts[i], PARTITION_BOXES, &writes[i], &extent,
                                 NULL));
    }
    /* One launch writes the buffer, the next one reads it. */
    check(partition_states_create(&states, GPUS, N));
    check(partition_states_launch(states, partition_states_initial(states), none, writes, true, 1,
                                  &first));
    check(partition_states_launch(states, first.next, reads, none, true, 1, &second));
    printf("%zu copies:", second.copy_count);
    for (size_t i = 0; i < second.copy_count; i++)
        printf("%s %d->%d at %lld", i ? "," : "", second.copies[i].from, second.copies[i].to,
               (long long)second.copies[i].bytes.begin);
    printf("\n");
    return 0;
}
