/* The SIAL compiler: whole programs, the tables that they become, and how they are shown. */
#include "prefetch_sial_check.h"

/* Program put_test of Peshne 2018, listing A.1. */
static const char put_test[] = "sial put_test\n"
                               "    predefined int norb\n"
                               "    aoindex i = 1:norb\n"
                               "    aoindex j = 1:norb\n"
                               "    distributed a[i,j]\n"
                               "    distributed b[i,j]\n"
                               "    temp t[i,j]\n"
                               "    scalar x\n"
                               "\n"
                               "    print \"starting loop\"\n"
                               "\n"
                               "    pardo i\n"
                               "      do j\n"
                               "        t[i,j] = (scalar)((i-1)*norb + (j-1)) + 1.0\n"
                               "        put a[i,j] = t[i,j]\n"
                               "      enddo j\n"
                               "    endpardo i\n"
                               "    sip_barrier\n"
                               "    pardo i\n"
                               "      do j\n"
                               "      get a[i,j]\n"
                               "      x = a[i,j] * a[i,j]\n"
                               "      put b[i,j] = a[i,j]\n"
                               "      enddo j\n"
                               "    endpardo i\n"
                               "endsial put_test\n";

/* Listing A.2 as far as it is printed, with an end. */
static const char contraction_small[] = "sial contraction_small\n"
                                        "  special fill_block_cyclic wr\n"
                                        "  aoindex i = 1:1\n"
                                        "  aoindex j = 1:1\n"
                                        "  aoindex k = 1:1\n"
                                        "  aoindex l = 1:1\n"
                                        "  aoindex m = 1:1\n"
                                        "  temp a[i, j, k, l]\n"
                                        "  temp b[j, k]\n"
                                        "  local c[i, l]\n"
                                        "  gpu_on\n"
                                        "  do k\n"
                                        "    do j\n"
                                        "      execute fill_block_cyclic b [j, k] 1.0\n"
                                        "      do i\n"
                                        "        do l\n"
                                        "          allocate c[i, l]\n"
                                        "          execute fill_block_cyclic a[i,j,k,l] 1.0\n"
                                        "          c[i,l] = a[i,j,k,l] * b[j,k]\n"
                                        "          deallocate c[i,*]\n"
                                        "        enddo l\n"
                                        "      enddo i\n"
                                        "    enddo j\n"
                                        "  enddo k\n"
                                        "  gpu_off\n"
                                        "endsial\n";

static int count_operations(const struct prefetch_program *program, enum sial_operation operation)
{
    int count = 0;
    for (int i = 0; i < program->instruction_count; i++)
        count += program->instructions[i].operation == operation;
    return count;
}

static void listing_a1_compiles(void)
{
    struct prefetch_program *program = compile_good(put_test);
    if (!program)
        return;
    expect(strcmp(program->name, "put_test") == 0 && program->index_count == 2);
    expect(program->indices[0].kind == SIAL_AO && program->indices[1].high == 4);
    expect(program->arrays[0].kind == SIAL_DISTRIBUTED && !program->arrays[0].created);
    expect(program->arrays[2].kind == SIAL_TEMP && program->arrays[2].rank == 2);
    expect(program->loop_count == 4 && program->loops[0].parallel && !program->loops[1].parallel);
    expect(program->site_count == 1 && program->sites[0].loop == 3);
    const struct sial_instruction *get = &program->instructions[program->sites[0].instruction];
    expect(get->operation == SIAL_GET && get->line == 21 && get->column == 7);
    expect(count_operations(program, SIAL_PUSH_DOT) == 1);
    expect(count_operations(program, SIAL_PUT) == 2);
    expect(count_operations(program, SIAL_SIP_BARRIER) == 1);
    char text[200];
    sial_describe(program, program->sites[0].instruction, text, sizeof text);
    expect(strcmp(text, "test:21: get a[i,j]") == 0);
    sial_describe(program, program->sites[0].instruction, text, 10);
    expect(strcmp(text, "test:21: ") == 0);
    prefetch_free(program);
}

static void listing_a2_compiles(void)
{
    struct prefetch_program *program = compile_good(contraction_small);
    if (!program)
        return;
    char code[4000];
    instructions_of(program, code, sizeof code);
    expect(strstr(code, "execute fill_block_cyclic b[j,k] 1; loop_begin 2:do i; "
                        "loop_begin 3:do l; allocate c[i,l]") != NULL);
    expect(strstr(code, "push_number 1; block_contract c[i,l] = a[i,j,k,l] b[j,k]; "
                        "deallocate c[i,*]") != NULL);
    expect(strncmp(code, "gpu_on; ", 8) == 0);
    expect(program->executes[0].arguments[1].kind == PREFETCH_ARGUMENT_NUMBER);
    int segments[SIAL_INDEX_KINDS] = {[SIAL_AO] = 15}, extents[4];
    expect(sial_block_elements(program, 0, segments, extents) == 50625 && extents[3] == 15);
    segments[SIAL_AO] = 2000000000;
    expect(sial_block_elements(program, 0, segments, NULL) == SIZE_MAX);
    prefetch_free(program);
}

static void tables_hold_what_was_declared(void)
{
    struct prefetch_program *program = compile_good(SAMPLE "create d\nendsial");
    if (!program)
        return;
    expect(program->scalars[1].initial == 2.0 && program->ints[1].initial == 3);
    expect(program->int_count == 2 && program->scalar_count == 2);
    expect(strcmp(program->specials[0].signature, "wru") == 0);
    expect(strcmp(program->specials[1].signature, "") == 0);
    const struct sial_array *last = &program->arrays[program->array_count - 1];
    expect(strcmp(last->name, "e") == 0 && last->kind == SIAL_SERVED && !last->created);
    expect(program->arrays[program->array_count - 2].created);
    int e = program->array_count - 1, extents[2], segments[SIAL_INDEX_KINDS] = {9, 9, 5, 9, 9, 9};
    expect(sial_block_count(program, e) == 12);
    expect(sial_block_elements(program, e, segments, extents) == 5);
    expect(extents[0] == 5 && extents[1] == 1);
    expect(sial_block_number(program, e, (int[]){2, -1}) == 0);
    expect(sial_block_number(program, e, (int[]){2, 4}) == 5);
    expect(sial_block_number(program, e, (int[]){3, -1}) == 6);
    expect(sial_block_number(program, e, (int[]){3, 5}) == -1);
    expect(sial_block_number(program, e, (int[]){1, 0}) == -1);
    prefetch_free(program);
}

static void constants_are_evaluated(void)
{
    static const struct {
        const char *value;
        double result;
    } cases[] = {
        {"1 + 2*3 - 4", 3},       {"7/2", 3},         {"-7/2", -3},       {"7/2.0", 3.5},
        {"abs(-3)", 3},           {"(int) 2.9*2", 4}, {"(int) -2.9", -2}, {"(scalar) 7/2", 3.5},
        {"sqrt(16)", 4},          {"2 - -3", 5},      {"norb*norb", 16},  {"1e3 + .5", 1000.5},
        {"-(2 + 3)*(1 - 4)", 15}, {"8/2/2", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "sial t\npredefined int norb\nconstant scalar c = %s\nscalar x = c\nendsial",
                 cases[i].value);
        struct prefetch_program *program = compile_good(text);
        expect(program && program->scalars[0].initial == cases[i].result);
        prefetch_free(program);
    }
}

static void statements_are_described(void)
{
    char text[200];
    struct prefetch_program *program =
        compile_good("sial t\nprint \"# no comment\"  # a comment\n"
                     "print \"1234567890123456789012345678901234567890"
                     "123456789012345678901234567890\" , 1 + 2 + 3 + 4\n"
                     "endsial");
    if (!program)
        return;
    sial_describe(program, 0, text, sizeof text);
    expect(strcmp(text, "test:2: print \"# no comment\"") == 0);
    sial_describe(program, 2, text, sizeof text);
    expect(strcmp(text, "test:3: print \"1234567890123456789012345678901234567890"
                        "123456789012345678901234567890\" ,...") == 0);
    prefetch_free(program);
}

/* The tables; instructions are in the tests above. */
static void the_disassembler_shows_the_tables(void)
{
    struct prefetch_program *program =
        compile_good("sial t\nsegment moindex = 7\nmoindex p = 2:3\nserved e[p,p]\nint m = 3\n"
                     "scalar x = 0.5\nspecial f rw\ncreate e\nproc q\nrequest e[p,p]\nendproc\n"
                     "pardo p where m > p nonzero e[p,p]\nendpardo\nendsial");
    if (!program)
        return;
    char *text = disassemble(program);
    static const char expected[] =
        "program t\nfile 0: test, 14 lines\nsegment moindex = 7\nmoindex p = 2:3\n"
        "scalar x = 0.5\nint m = 3\nspecial f rw\nserved e[p,p], 4 blocks, created\n"
        "loop 0:pardo p, end 3, where 6 to 8, nonzero e[p,p]\nsite 0: e[p,p], no loop\n"
        "    0  0:8     create e\n    1  0:12    loop_begin 0:pardo p\n"
        "    2  0:12    loop_end 0:pardo p\n    3  0:14    halt\n"
        "    4  0:10    get e[p,p] site 0\n    5  0:9     return\n"
        "    6  0:12    push_int m\n    7  0:12    push_index p\n    8  0:12    greater\n";
    expect(strcmp(text, expected) == 0);
    free(text);
    prefetch_free(program);
}

static void predefined_names_have_defaults(void)
{
    struct prefetch_definition n = {"n", 3};
    static const char text[] = "sial t\npredefined int n = 2*4\npredefined scalar x = 0.5\n"
                               "segment aoindex = n\nindex i = n:-1\nstatic a[i,i]\nendsial";
    for (size_t given = 0; given < 2; given++) {
        struct prefetch_program *program;
        expect_ok(prefetch_compile_text(&program, "test", text, strlen(text), &n, given));
        expect(program && program->segment[SIAL_AO] == (given ? 3 : 8));
        expect(program && program->indices[0].low == (given ? 3 : 8));
        expect(program && sial_block_count(program, 0) == 0);
        prefetch_free(program);
    }
}

/* A site belongs to the innermost loop that moves its block along. */
static void sites_know_their_loops(void)
{
    struct prefetch_program *program =
        compile_good(SAMPLE "pardo i\ndo k\nget a[i,i]\ndo j\nget a[i,j]\nget b[i,i]\nenddo\n"
                            "call q\nenddo\nendpardo\nproc q\nrequest d[i,j]\nendproc\nendsial");
    if (!program)
        return;
    expect(program->site_count == 4);
    expect(program->sites[0].loop == 0); /* pardo i, not do k */
    expect(program->sites[1].loop == 2);
    expect(program->sites[2].loop == 0);
    expect(program->sites[3].loop == -1);
    prefetch_free(program);
}

int main(void)
{
    run_test(listing_a1_compiles);
    run_test(listing_a2_compiles);
    run_test(tables_hold_what_was_declared);
    run_test(sites_know_their_loops);
    run_test(constants_are_evaluated);
    run_test(predefined_names_have_defaults);
    run_test(statements_are_described);
    run_test(the_disassembler_shows_the_tables);
    return end_tests();
}
