/* Started with mpirun by prefetch_sip.bats: what statements of SIAL programs do on workers and
 * servers. */
#include <stdlib.h>

#include "prefetch_sip_test.h"

static void expressions(void)
{
    reset(1, 1);
    expect_results("sial t\n scalar a\n scalar b\n scalar c\n scalar d\n scalar e\n int n = 7\n"
                   "a = 2.0 * 3.0 - 1.0 / 4.0\n b = sqrt(abs(-16.0))\n n = -n / 2\n c = (scalar)n\n"
                   "n = (int)(-2.9)\n d = (scalar)n\n"
                   "if n == -2 and not (a < b) or a > 100.0\n e = 1.0\n else\n e = 2.0\n endif\n"
                   "a -= 0.25\n endsial\n",
                   5.5, 4.0, -3.0, -2.0, 1.0);
}

static void blocks_are_permuted_and_contracted(void)
{
    reset(1, 1);
    config.segment[PREFETCH_INDEX_MO] = 2;
    /* s: 1 2 3 / 4 5 6 with rows i (2) and columns p (3); u is its transpose; c = s u is 2 x 2. */
    expect_results(
        "sial t\n special fill_block_sequential wr\n special block_sum rw\n"
        "moindex i = 1:1\n moindex k = 1:1\n aoindex p = 1:1\n"
        "temp s[i,p]\n temp u[p,i]\n temp v[p,k]\n temp c[i,k]\n temp w[p,i]\n temp f[i,p]\n"
        "scalar dot\n scalar corner\n scalar total\n scalar three\n scalar difference\n"
        "do i\n do k\n do p\n"
        "execute fill_block_sequential s[i,p] 1.0\n"
        "u[p,i] = s[i,p]\n"
        "execute fill_block_sequential w[p,i] 1.0\n"
        "dot = s[i,p] * w[p,i]\n" /* 1*1+2*3+3*5+4*2+5*4+6*6 */
        "v[p,k] = 1.0\n"
        "c[i,k] = 2.0 * s[i,p] * v[p,k]\n execute block_sum c[i,k] total\n"
        "f[i,p] = 2.0 * s[i,p] + u[p,i]\n f[i,p] *= 2.0\n f[i,p] -= 3.0 * s[i,p]\n"
        "f[i,p] += 1.0\n execute block_sum f[i,p] three\n"
        "f[i,p] = s[i,p] - u[p,i]\n difference = f[i,p] * f[i,p]\n"
        "corner = c[i,k] * c[i,k]\n"
        "enddo p\n enddo k\n enddo i\n endsial\n",
        1 + 6 + 15 + 8 + 20 + 36, 2 * (12 * 12 + 30 * 30), 84, 3 * 21 + 6, 0);
}

static void array_kinds_have_their_rules(void)
{
    reset(1, 1);
    expect_results(
        "sial t\n aoindex i = 1:2\n aoindex j = 1:2\n static s[i,j]\n temp t[i,j]\n"
        "local l[i,j]\n scalar zero\n scalar sum\n scalar fresh\n scalar swapped\n"
        "do i\n do j\n zero += s[i,j] * s[i,j]\n s[i,j] += (scalar)(10*i + j)\n"
        "enddo j\n enddo i\n"
        "allocate l[*,*]\n"
        "do i\n do j\n fresh += l[i,j] * l[i,j]\n l[i,j] = s[i,j]\n"
        "t[i,j] = 2.0 * l[i,j]\n t[i,j] = 3.0 * t[i,j]\n sum += t[i,j] * s[i,j]\n"
        "enddo j\n enddo i\n"
        "do i\n deallocate l[i,*]\n enddo i\n deallocate l[*,*]\n"
        "do i\n do j\n if i == j\n allocate l[i,j]\n l[i,j] = 1.0\n swapped += l[i,j] * l[i,j]\n"
        "endif\n t[i,j] = (scalar)(i)\n t[j,i] = t[i,j]\n swapped += t[j,i] * t[j,i]\n"
        "enddo j\n enddo i\n endsial\n",
        0, 9 * 6 * (121 + 144 + 441 + 484), 0, 18 + 9 * 10);
}

static void loops_end_early_and_procedures_return(void)
{
    reset(workers_of(2), 1);
    expect_results("sial t\n index i = 1:10\n index j = 1:10\n index k = 5:4\n int n\n"
                   "scalar seen\n scalar passed\n scalar returned\n"
                   "proc find\n do j\n passed += 1.0\n if j == n\n return\n endif\n enddo j\n"
                   "passed += 1000.0\n endproc find\n"
                   "do i\n do j\n if j > i\n exit\n endif\n seen += 1.0\n enddo j\n enddo i\n"
                   "n = 4\n call find\n n = 11\n call find\n do j\n returned += j\n enddo j\n"
                   "do k\n seen += 1e6\n enddo k\n endsial\n",
                   55, 4 + 10 + 1000, 55);
}

static void ints_of_where_are_those_of_the_begin(void)
{
    reset(1, 1);
    config.prefetch = 3;
    expect_results(
        "sial t\n index i = 1:9\n int limit = 6\n distributed a[i]\n temp t[i]\n"
        "scalar seen\n do i\n t[i] = 1.0\n put a[i] = t[i]\n enddo i\n sip_barrier\n"
        "pardo i where i <= limit where i > 2\n get a[i]\n seen += a[i] * a[i]\n limit = 3\n"
        "endpardo i\n endsial\n",
        4);
}

static void every_kind_of_pardo_visits_all_sets(void)
{
    for (int kind = PREFETCH_PARDO_SEQUENTIAL; kind <= PREFETCH_PARDO_FRAGMENTED; kind++) {
        reset(workers_of(3), 1);
        config.pardo = (enum prefetch_pardo)kind;
        expect_results("sial t\n index i = 1:7\n index j = 1:5\n scalar mine\n scalar all\n"
                       "pardo i, j where i < j\n mine = mine + 1.0 + 100.0 * i\n endpardo i, j\n"
                       "collective all += mine\n mine = 0.0\n endsial\n",
                       0, 10 + 100 * (4 * 1 + 3 * 2 + 2 * 3 + 4));
    }
}

static void nonzero_visits_what_was_put(void)
{
    for (int kind = PREFETCH_PARDO_BALANCED; kind <= PREFETCH_PARDO_FRAGMENTED; kind++) {
        reset(workers_of(3), 1);
        config.pardo = (enum prefetch_pardo)kind;
        config.prefetch = 2;
        expect_results(
            "sial t\n index i = 1:6\n index k = 1:6\n distributed a[i,k]\n temp t[i,k]\n"
            "scalar mine\n scalar all\n scalar row\n"
            "pardo i, k where i + k == 5\n t[i,k] = 1.0*i\n put a[i,k] = t[i,k]\n"
            "endpardo i, k\n sip_barrier\n"
            "pardo i, k nonzero a[i,k]\n get a[i,k]\n mine += a[i,k] * a[i,k]\n"
            "endpardo i, k\n collective all += mine\n mine = 0.0\n"
            "do i\n pardo k nonzero a[i,k]\n mine += 1.0\n endpardo k\n enddo i\n"
            "collective row += mine\n mine = 0.0\n"
            "sip_barrier\n pardo i, k where i == 6\n t[i,k] = 1.0\n put a[i,k] = t[i,k]\n"
            "endpardo i, k\n sip_barrier\n"
            "pardo i, k nonzero a[i,k]\n mine += 1.0\n endpardo i, k\n"
            "collective row += mine\n mine = 0.0\n endsial\n",
            0, 1 + 4 + 9 + 16, 4 + 10);
    }
}

static void arrays_are_created_and_deleted(void)
{
    reset(workers_of(2), 1);
    expect_results(
        "sial t\n index g = 1:3\n index i = 1:4\n distributed a[i]\n temp t[i]\n"
        "scalar mine\n scalar all\n"
        "do g\n create a\n pardo i\n t[i] = 1.0 * g\n put a[i] += t[i]\n endpardo i\n"
        "sip_barrier\n pardo i\n get a[i]\n mine += a[i] * a[i]\n endpardo i\n delete a\n"
        "enddo g\n collective all += mine\n mine = 0.0\n endsial\n",
        0, 4 * (1 + 4 + 9));
}

/* A copy that was fetched before the worker's own put is not used after it. */
static void own_puts_are_seen(void)
{
    reset(1, 1);
    config.prefetch = 4;
    expect_results(
        "sial t\n index i = 1:5\n distributed a[i]\n temp t[i]\n scalar old\n scalar new\n"
        "do i\n t[i] = 1.0\n put a[i] = t[i]\n enddo i\n sip_barrier\n"
        "do i\n get a[i]\n old += a[i] * a[i]\n t[i] = 1.0\n put a[i] += a[i]\n put a[i] += t[i]\n"
        "get a[i]\n new += a[i] * a[i]\n exit\n enddo i\n endsial\n",
        1, 9);
}

static void worker_0_prints(void)
{
    reset(workers_of(3), 1);
    char *text = NULL;
    size_t bytes = 0;
    config.output = open_memstream(&text, &bytes);
    struct prefetch_result result = run_text(
        "sial t\n index i = 1:2\n int n = -3\n scalar x = 0.1\n print \"x = \", x, \", n = \", n\n"
        "print\n do i\n print i, \" \", 1.0/3.0\n enddo i\n endsial\n",
        &config);
    fclose(config.output);
    const char *right = "x = 0.1, n = -3\n\n1 0.3333333333\n2 0.3333333333\n";
    expect(strcmp(text, ranks.rank == 0 ? right : "") == 0);
    free(text);
    prefetch_result_free(&result);
}

/* first += 100 * rank of the block + its extent; second: the sum of the block's elements. */
static enum dm_status inspect(struct prefetch_argument *arguments, int count,
                              struct prefetch_context *context)
{
    (void)context;
    expect(count == 3);
    size_t elements = 1;
    for (int d = 0; d < arguments[2].block.rank; d++)
        elements *= (size_t)arguments[2].block.extent[d];
    arguments[0].number += 100.0 * arguments[2].block.rank + arguments[2].block.extent[0];
    arguments[1].number = 0.0;
    for (size_t i = 0; i < elements; i++)
        arguments[1].number += arguments[2].block.data[i];
    return DM_OK;
}

static void own_super_instructions_are_called(void)
{
    const struct prefetch_instruction own = {"inspect", "uwr", "for this test", inspect};
    const struct prefetch_instruction known = {"block_sum", "rw", "the name is taken", inspect};
    const struct prefetch_instruction wrong = {"other", "rx", "x is no letter", inspect};
    expect_ok(prefetch_register(&own));
    expect_error(prefetch_register(&own), DM_INVALID,
                 "there is a super instruction inspect already");
    expect_error(prefetch_register(&known), DM_INVALID, "a super instruction block_sum already");
    expect_error(prefetch_register(&wrong), DM_INVALID, "the signature rx");
    const struct prefetch_instruction *last = prefetch_instructions();
    while (last[1].name)
        last++;
    expect(last->run == inspect);
    reset(1, 1);
    expect_results(
        "sial t\n special inspect uwr\n aoindex i = 1:1\n aoindex j = 1:1\n temp t[i,j]\n"
        "scalar shape = 1.0\n scalar sum\n do i\n do j\n t[i,j] = 2.0\n"
        "execute inspect shape sum t[i,j]\n enddo j\n enddo i\n endsial\n",
        1 + 200 + 3, 9 * 2.0);
}

static void the_table_of_super_instructions_is_finite(void)
{
    static char names[64][16];
    struct prefetch_instruction more = {NULL, "r", "for this test", inspect};
    enum dm_status status = DM_OK;
    for (int i = 0; i < 64 && status == DM_OK; i++) {
        snprintf(names[i], sizeof names[i], "more%d", i);
        more.name = names[i];
        status = prefetch_register(&more);
    }
    expect(status == DM_INVALID && strstr(dm_message(), "and no more possible"));
}

int main(int argc, char **argv)
{
    ranks_start(&argc, &argv);
    alarm(HANGS_AFTER_S);
    check(expressions);
    check(blocks_are_permuted_and_contracted);
    check(array_kinds_have_their_rules);
    check(loops_end_early_and_procedures_return);
    check(ints_of_where_are_those_of_the_begin);
    check(every_kind_of_pardo_visits_all_sets);
    check(nonzero_visits_what_was_put);
    check(arrays_are_created_and_deleted);
    check(own_puts_are_seen);
    check(worker_0_prints);
    check(own_super_instructions_are_called);
    check(the_table_of_super_instructions_is_finite);
    ranks.stop();
    return test_failures > 0;
}
