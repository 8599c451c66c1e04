/* Started with mpirun by prefetch_sip.bats, once per case: prefetch_sip_errors_ranks_test CASE. A
 * rank that gets the error says whether it is the right one, and ends the job, since the others may
 * still wait. With the argument `list` it prints the names of the cases. */
#include "common/harness/exit.h"

#include "prefetch_sip_test.h"

struct error_case {
    const char *name, *text;
    const char *error;   /* the whole text */
    const char *or_else; /* what another worker may say */
    int workers;         /* 0: 1 */
    size_t memory;       /* of workers */
    int prefetch;
    enum dm_status status; /* DM_OK: DM_INVALID */
    /* What becomes of the blocks of worker 0; NULL: nobody looks. */
    enum dm_status (*block_event)(void *context, const struct prefetch_block_event *event);
};

#define ARRAYS                                                                                     \
    "sial e\naoindex i = 1:3\naoindex j = 1:3\nindex n = 1:9\naoindex m = 2:4\n"                   \
    "distributed a[i,j]\nserved s[i,j]\ndistributed c[i,j]\ntemp t[i,j]\nlocal l[i,j]\n"           \
    "scalar x\nint k\nspecial assert_close rrr\ndistributed v[n]\ntemp u[n]\n"

static enum dm_status refuse_event(void *context, const struct prefetch_block_event *event)
{
    (void)context;
    if (event->kind != PREFETCH_BLOCK_WRITE)
        return DM_OK;
    return dm_fail(DM_LOST, "no event of %zu elements, please", event->elements);
}

static const struct error_case cases[] = {
    {.name = "refused_event",
     .text = ARRAYS "do i\ndo j\nt[i,j] = 1.0\nenddo j\nenddo i\nendsial\n",
     .block_event = refuse_event,
     .status = DM_LOST,
     .error = "e.sialx:18: t[i,j] = 1.0: block t[1,1] cannot be had in host memory: no event of 9 "
              "elements, please"},
    {.name = "never_put",
     .text = ARRAYS "do i\ndo j\nget a[i,j]\nx = a[i,j] * a[i,j]\nenddo j\nenddo i\nendsial\n",
     .error = "e.sialx:18: get a[i,j]: block a[1,1] was never put"},
    {.name = "prefetched_never_put",
     .text = ARRAYS "do n\nif n < 5\nu[n] = 1.0\nput v[n] = u[n]\nendif\nenddo n\nsip_barrier\n"
                    "do n\nget v[n]\nx = v[n] * v[n]\nenddo n\nendsial\n",
     .prefetch = 3,
     .error = "e.sialx:24: get v[n]: block v[5] was never put"},
    {.name = "served_never_put",
     .text = ARRAYS "do i\ndo j\nrequest s[i,j]\nt[i,j] = s[i,j]\nenddo j\nenddo i\nendsial\n",
     .error = "e.sialx:18: request s[i,j]: block s[1,1] was never put"},
    {.name = "not_got",
     .text = ARRAYS "do i\ndo j\nx = a[i,j] * a[i,j]\nenddo j\nenddo i\nendsial\n",
     .error =
         "e.sialx:18: x = a[i,j] * a[i,j]: block a[1,1] is not here: get it before it is read"},
    {.name = "only_prefetched",
     .text = ARRAYS "do n\nu[n] = 1.0\nput v[n] = u[n]\nenddo n\nsip_barrier\n"
                    "do n\nif n < 3\nget v[n]\nendif\nx = v[n] * v[n]\nenddo n\nendsial\n",
     .prefetch = 4,
     .error = "e.sialx:25: x = v[n] * v[n]: block v[3] is not here: get it before it is read"},
    {.name = "not_requested",
     .text = ARRAYS "do i\ndo j\nput a[i,j] = s[i,j]\nenddo j\nenddo i\nendsial\n",
     .error = "e.sialx:18: put a[i,j] = s[i,j]: block s[1,1] is not here: request it before it is "
              "read"},
    {.name = "gone_after_barrier",
     .text = ARRAYS "do n\nu[n] = 1.0\nput v[n] = u[n]\nget v[n]\nenddo n\nsip_barrier\ndo n\n"
                    "x = v[n] * v[n]\nenddo n\nendsial\n",
     .error = "e.sialx:23: x = v[n] * v[n]: block v[1] is not here: get it before it is read"},
    {.name = "two_puts",
     .text = ARRAYS "pardo n\nif n <= 2\ndo i\ndo j\nif i + j == 2\nt[i,j] = 1.0\n"
                    "put a[i,j] = t[i,j]\nendif\nenddo j\nenddo i\nendif\nendpardo n\n"
                    "sip_barrier\nendsial\n",
     .workers = 2,
     .error =
         "e.sialx:22: put a[i,j] = t[i,j]: worker 1 puts block a[1,1], which worker 0 accesses "
         "at e.sialx:22: put a[i,j] = t[i,j]: separate them by a barrier",
     .or_else = "e.sialx:22: put a[i,j] = t[i,j]: worker 0 puts block a[1,1], which worker 1 "
                "accesses at e.sialx:22: put a[i,j] = t[i,j]: separate them by a barrier"},
    {.name = "put_and_get",
     .text =
         ARRAYS "special compute_for r\npardo n\nif n == 1\ndo i\ndo j\nt[i,j] = 1.0\n"
                "put a[i,j] = t[i,j]\nget a[i,j]\nx = a[i,j] * a[i,j]\nenddo j\nenddo i\nendif\n"
                "if n == 2\nexecute compute_for 0.3\ndo i\ndo j\nget a[i,j]\n"
                "x = a[i,j] * a[i,j]\nenddo j\nenddo i\nendif\nendpardo n\nendsial\n",
     .workers = 2,
     .error = "e.sialx:32: get a[i,j]: worker 1 gets block a[1,1], which worker 0 puts at "
              "e.sialx:22: put a[i,j] = t[i,j]: separate them by a barrier"},
    {.name = "temp_unwritten",
     .text = ARRAYS "do i\ndo j\nx = t[i,j] * t[i,j]\nenddo j\nenddo i\nendsial\n",
     .error =
         "e.sialx:18: x = t[i,j] * t[i,j]: block t[1,1] of a temp array is read before one was "
         "written"},
    {.name = "temp_not_current",
     .text = ARRAYS "do i\ndo j\nif j == 1\nt[i,j] = 1.0\nendif\nt[i,j] += 1.0\nenddo j\nenddo i\n"
                    "endsial\n",
     .error = "e.sialx:21: t[i,j] += 1.0: block t[1,2] is not the current one of its temp array, "
              "which is t[1,1]: a temp array has one block at a time"},
    {.name = "local_unallocated",
     .text =
         ARRAYS "do i\nallocate l[i,*]\ndo j\nl[i,j] = 1.0\nenddo j\ndeallocate l[i,*]\nenddo i\n"
                "do i\ndo j\nl[i,j] = 1.0\nenddo j\nenddo i\nendsial\n",
     .error = "e.sialx:25: l[i,j] = 1.0: block l[1,1] is not allocated: allocate it first"},
    {.name = "local_twice",
     .text = ARRAYS "do i\nallocate l[i,*]\nenddo i\ndo j\nallocate l[*,j]\nenddo j\nendsial\n",
     .error =
         "e.sialx:20: allocate l[*,j]: block l[1,1] is allocated already: deallocate it first"},
    {.name = "local_free_twice",
     .text = ARRAYS "do i\ndo j\ndeallocate l[i,j]\nenddo j\nenddo i\nendsial\n",
     .error = "e.sialx:18: deallocate l[i,j]: block l[1,1] is not allocated"},
    {.name = "out_of_range",
     .text = ARRAYS "do i\ndo m\nget a[i,m]\nenddo m\nenddo i\nendsial\n",
     .prefetch = 2,
     .error = "e.sialx:18: get a[i,m]: index m is 4, but dimension 2 of a runs from 1 to 3"},
    {.name = "allocate_out_of_range",
     .text = ARRAYS "do m\nallocate l[*,m]\nenddo m\nendsial\n",
     .error = "e.sialx:17: allocate l[*,m]: index m is 4, but dimension 2 of l runs from 1 to 3"},
    {.name = "no_value",
     .text = ARRAYS "proc p\nx = 1.0 * i\nendproc\ndo i\ncall p\nenddo i\ncall p\nendsial\n",
     .error = "e.sialx:17: x = 1.0 * i: index i has no value here: use it within a loop over it"},
    {.name = "two_values",
     .text = ARRAYS "proc p\ndo i\nx = 1.0\nenddo i\nendproc\ndo i\ncall p\nenddo i\nendsial\n",
     .error = "e.sialx:17: do i: index i has a value already: a loop over it is active"},
    {.name = "not_created",
     .text = ARRAYS "do i\ndo j\nt[i,j] = 1.0\nput c[i,j] = t[i,j]\nenddo j\nenddo i\ncreate c\n"
                    "endsial\n",
     .error =
         "e.sialx:19: put c[i,j] = t[i,j]: array c does not exist here: use it between create c "
         "and delete c"},
    {.name = "created_twice",
     .text = ARRAYS "create c\ncreate c\nendsial\n",
     .error = "e.sialx:17: create c: array c exists already"},
    {.name = "deleted_twice",
     .text = ARRAYS "create c\ndelete c\ndelete c\nendsial\n",
     .error = "e.sialx:18: delete c: array c does not exist: create it first"},
    {.name = "divided_by_zero",
     .text = ARRAYS "k = 7 / k\nendsial\n",
     .error = "e.sialx:16: k = 7 / k: division of the int 7 by zero"},
    {.name = "where_divided_by_zero",
     .text = ARRAYS "pardo n where 6 / (n - 4) > 0\nx = 1.0\nendpardo n\nendsial\n",
     .error = "e.sialx:16: pardo n where 6 / (n - 4) > 0: division of the int 6 by zero"},
    {.name = "too_large_for_an_int",
     .text = ARRAYS "k = (int)1e17\nendsial\n",
     .error = "e.sialx:16: k = (int)1e17: 1e+17 is too large for int k: up to 2^53 is exact"},
    {.name = "assertion",
     .text = ARRAYS "x = 1.0\nexecute assert_close x 2.0 0.1\nendsial\n",
     .error = "e.sialx:17: execute assert_close x 2.0 0.1: "},
    {.name = "memory",
     .text = ARRAYS "do n\nu[n] = 1.0\nput v[n] = u[n]\nenddo n\nsip_barrier\ndo n\nget v[n]\n"
                    "do i\ndo j\nt[i,j] = 1.0\nenddo j\nenddo i\nenddo n\nendsial\n",
     .memory = 48,
     .status = DM_NO_MEMORY,
     .error =
         "e.sialx:25: t[i,j] = 1.0: a block of 72 bytes does not fit into the worker's memory: "
         "8 of 48 bytes hold blocks that are in use; give workers more memory"},
    {.name = "unknown_special",
     .text = "sial e\nspecial no_such_thing rw\nendsial\n",
     .error = "e.sialx: there is no super instruction no_such_thing: see the list of them"},
    {.name = "other_signature",
     .text = "sial e\nspecial assert_close rw\nendsial\n",
     .error = "e.sialx: super instruction assert_close has the signature rrr, not rw"},
    {.name = "too_few_ranks",
     .text = "sial e\nendsial\n",
     .workers = 99,
     .error = "99 workers and 1 server need 100 ranks, but there are 3: start more, or choose "
              "fewer"},
    {0},
};

static bool is_right(const char *text, const char *right)
{
    /* A super instruction's own sentence follows. */
    bool open = right && right[strlen(right) - 1] == ' ';
    return right && (open ? strncmp(text, right, strlen(right)) == 0 && strlen(text) > strlen(right)
                          : strcmp(text, right) == 0);
}

static void run_case(const struct error_case *each)
{
    struct prefetch_result result;
    struct prefetch_config config = {.world = MPI_COMM_WORLD,
                                     .workers = each->workers ? each->workers : 1,
                                     .servers = 1,
                                     .wait_limit_s = 10,
                                     .worker_memory_bytes = each->memory,
                                     .prefetch = each->prefetch,
                                     .block_event = each->block_event};
    for (int kind = 0; kind < PREFETCH_INDEX_KINDS; kind++)
        config.segment[kind] = 3;
    struct prefetch_program *program = compile("e.sialx", each->text, NULL, 0);
    enum dm_status status = prefetch_run(program, &config, &result);
    bool right = status == (each->status != DM_OK ? each->status : DM_INVALID) &&
                 (is_right(dm_message(), each->error) || is_right(dm_message(), each->or_else));
    printf("%sok %s\n", right ? "" : "not ", each->name);
    if (!right)
        printf("# %s: %s\n# expected: %s\n", dm_status_name(status), dm_message(), each->error);
    fflush(stdout);
    usleep(200000); /* others may have something to say, too */
    MPI_Abort(MPI_COMM_WORLD, right ? 3 : 1);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        for (const struct error_case *each = cases; each->name; each++)
            puts(each->name);
        return 0;
    }
    ranks_start(&argc, &argv);
    alarm(HANGS_AFTER_S);
    for (const struct error_case *each = cases; each->name && argc == 2; each++)
        if (strcmp(each->name, argv[1]) == 0)
            run_case(each);
    fail("usage: mpirun -np 3 %s CASE", argv[0]);
}
