/* The SIAL compiler: what statements become. Whole programs are in prefetch_sial_program_test.c,
 * errors in prefetch_sial_errors_test.c and prefetch_sial_limits_test.c. */
#include "prefetch_sial_check.h"

static const struct {
    const char *statements, *code;
} statement_cases[] = {
    {"", "halt"},
    {"# nothing\n\n", "halt"},
    {"x = 1", "push_number 1; store_scalar x =; halt"},
    {"X = 1 # upper case", "push_number 1; store_scalar x =; halt"},
    {"x += y*2.0", "push_scalar y; push_number 2; times; store_scalar x +=; halt"},
    {"x -= 1", "push_number 1; store_scalar x -=; halt"},
    {"x *= 2+y",
     "push_scalar x; push_number 2; push_scalar y; plus; times; store_scalar x =; halt"},
    {"m *= 3", "push_int m; push_number 3; times; store_int m =; halt"},
    {"x = two + half", "push_number 2; push_number 0.5; plus; store_scalar x =; halt"},
    {"m = o/2*3",
     "push_int o; push_number 2; divide_int; push_number 3; times; store_int m =; halt"},
    {"x = 1.5/2", "push_number 1.5; push_number 2; divide; store_scalar x =; halt"},
    {"x = (scalar) o/2", "push_int o; push_number 2; divide; store_scalar x =; halt"},
    {"x = 2*o/y",
     "push_number 2; push_int o; times; push_scalar y; divide; store_scalar x =; halt"},
    {"m = (int) (y/2)", "push_scalar y; push_number 2; divide; truncate; store_int m =; halt"},
    {"x = -y*2", "push_scalar y; push_number 2; times; negate; store_scalar x =; halt"},
    {"x = 1 - 2 - -y", "push_number 1; push_number 2; minus; push_scalar y; negate; minus; "
                       "store_scalar x =; halt"},
    {"x = sqrt(abs(y))", "push_scalar y; absolute; square_root; store_scalar x =; halt"},
    {"print", "print_end; halt"},
    {"print \"x # y\", x, m, 1.0", "print_string \"x # y\"; push_scalar x; print_number scalar; "
                                   "push_int m; print_number int; push_number 1; print_number "
                                   "scalar; print_end; halt"},
    {"print x,\n\n  # on\n m", "push_scalar x; print_number scalar; push_int m; print_number int; "
                               "print_end; halt"},
    {"x = y \\ # on\n + 1", "push_scalar y; push_number 1; plus; store_scalar x =; halt"},
    {"if x < 1\nx = 1\nendif",
     "push_scalar x; push_number 1; less; jump_if_zero 6; push_number 1; store_scalar x =; halt"},
    {"if x>=1 or not m==2 and (y<=1)\nelse\nm = 1\nendif",
     "push_scalar x; push_number 1; greater_equal; push_int m; push_number 2; equal; not; "
     "push_scalar y; push_number 1; less_equal; and; or; jump_if_zero 14; jump 16; "
     "push_number 1; store_int m =; halt"},
    {"if (x+1)*2 != y\nendif", "push_scalar x; push_number 1; plus; push_number 2; times; "
                               "push_scalar y; not_equal; jump_if_zero 8; halt"},
    {"do i\nif i == 2\nexit\nendif\nenddo i",
     "loop_begin 0:do i; push_index i; push_number 2; equal; jump_if_zero 6; loop_exit 0:do i; "
     "loop_end 0:do i; halt"},
    {"pardo i, j where i <= j where j > two nonzero a[i,j]\nendpardo i, j",
     "loop_begin 0:pardo i,j; loop_end 0:pardo i,j; halt; push_index i; push_index j; less_equal; "
     "push_index j; push_number 2; greater; and"},
    {"do k\npardo i\n where i < k\nwhere m == 0\n\nendpardo\nenddo",
     "loop_begin 0:do k; loop_begin 1:pardo i; loop_end 1:pardo i; loop_end 0:do k; halt; "
     "push_index i; push_index k; less; push_int m; push_number 0; equal; and"},
    {"call q\nproc q\nx = 1\nreturn\nendproc q\ncall q",
     "call 3; call 3; halt; push_number 1; store_scalar x =; return; return"},
    {"create a\ndelete a", "create a; delete a; halt"},
    {"collective x += y", "collective x += y; halt"},
    {"server_barrier\ngpu_on\ngpu_off", "server_barrier; gpu_on; gpu_off; halt"},
    {"execute g", "execute g; halt"},
    {"execute f y o x\nexecute f y half x", "execute f y o x; execute f y 0.5 x; halt"},
    {"do i\ndo j\nexecute f t[i,j] \"s\" y\nexecute f x -2.5 y\nexecute f s[i,i] j x\nenddo\nenddo",
     "loop_begin 0:do i; loop_begin 1:do j; execute f t[i,j] \"s\" y; execute f x -2.5 y; "
     "execute f s[i,i] j x; loop_end 1:do j; loop_end 0:do i; halt"},
};

static void statements_become_instructions(void)
{
    for (size_t i = 0; i < sizeof statement_cases / sizeof *statement_cases; i++) {
        char text[2000], code[2000];
        snprintf(text, sizeof text, SAMPLE "%s\nendsial", statement_cases[i].statements);
        struct prefetch_program *program = compile_good(text);
        if (!program)
            continue;
        instructions_of(program, code, sizeof code);
        if (strcmp(code, statement_cases[i].code) != 0)
            printf("# %s\n# gives %s\n", statement_cases[i].statements, code);
        expect(strcmp(code, statement_cases[i].code) == 0);
        prefetch_free(program);
    }
}

/* Within do i, j, k. */
static const struct {
    const char *statement, *code;
} block_cases[] = {
    {"t[i,j] = 1.5", "push_number 1.5; block_fill t[i,j] ="},
    {"t[i,i] -= x", "push_scalar x; block_fill t[i,i] -="},
    {"t[i,j] *= x+1", "push_scalar x; push_number 1; plus; block_scale t[i,j]"},
    {"t[i,j] = u[j,i]", "push_number 1; block_copy t[i,j] = u[j,i]"},
    {"t[i,j] = t[j,i]", "push_number 1; block_copy t[i,j] = t[j,i]"},
    {"t[i,j] += -2.0*u[j,i]", "push_number 2; negate; block_copy t[i,j] += u[j,i]"},
    {"t[i,j] = u[j,i]/2", "push_number 1; push_number 2; divide; block_copy t[i,j] = u[j,i]"},
    {"t[i,j] = 2*u[j,i]/3", "push_number 2; push_number 3; divide; block_copy t[i,j] = u[j,i]"},
    {"t[i,j] = 1/2*u[j,i]", "push_number 1; push_number 2; divide_int; block_copy t[i,j] = u[j,i]"},
    {"t[i,j] = (x+1)*u[j,i]*y", "push_scalar x; push_number 1; plus; push_scalar y; times; "
                                "block_copy t[i,j] = u[j,i]"},
    {"t[i,j] = 2*(-(y*u[j,i]))",
     "push_number 2; push_scalar y; negate; times; block_copy t[i,j] = u[j,i]"},
    {"t[i,j] = a[i,j] - x*u[j,i]", "push_number 1; push_scalar x; negate; "
                                   "block_sum t[i,j] = a[i,j] u[j,i]"},
    {"t[i,j] = (a[i,j] + d[i,j])", "push_number 1; push_number 1; "
                                   "block_sum t[i,j] = a[i,j] d[i,j]"},
    {"t[i,j] = b[i,k]*s[k,j]", "push_number 1; block_contract t[i,j] = b[i,k] s[k,j]"},
    {"t[i,j] -= 2.0*b[k,i]*x*s[k,j]", "push_number 2; push_scalar x; times; "
                                      "block_contract t[i,j] -= b[k,i] s[k,j]"},
    {"t[i,j] = v[i]*v[j]", "push_number 1; block_contract t[i,j] = v[i] v[j]"},
    {"v[i] = t[i,j]*v[j]", "push_number 1; block_contract v[i] = t[i,j] v[j]"},
    {"x = 2.0*t[i,j]*u[j,i]/y", "push_number 2; push_dot t[i,j] u[j,i]; times; push_scalar y; "
                                "divide; store_scalar x ="},
    {"x = -t[i,j]*u[j,i]", "push_dot t[i,j] u[j,i]; negate; store_scalar x ="},
    {"x = sqrt(v[i]*v[i]) + v[j]*v[j]", "push_dot v[i] v[i]; square_root; push_dot v[j] v[j]; "
                                        "plus; store_scalar x ="},
    {"x = (v[i]*v[i])*(v[j]*v[j])",
     "push_dot v[i] v[i]; push_dot v[j] v[j]; times; store_scalar x ="},
    {"m = (int) (v[i]*v[i])", "push_dot v[i] v[i]; truncate; store_int m ="},
    {"print i/2, v[i]*v[i]", "push_index i; push_number 2; divide_int; print_number int; "
                             "push_dot v[i] v[i]; print_number scalar; print_end"},
    {"get a[i,i]", "get a[i,i] site 0"},
    {"put a[k,j] = t[k,j]", "put a[k,j] = t[k,j]"},
    {"put a[k,j] += a[k,j]", "put a[k,j] += a[k,j]"},
    {"put b[i,j] = a[i,j]", "put b[i,j] = a[i,j]"},
    {"request d[i,j]", "get d[i,j] site 0"},
    {"prepare d[i,j] += c[i,j]", "put d[i,j] += c[i,j]"},
    {"allocate c[i,*]", "allocate c[i,*]"},
    {"deallocate c[*,*]", "deallocate c[*,*]"},
};

static void block_statements_become_instructions(void)
{
    static const char before[] = "loop_begin 0:do i; loop_begin 1:do j; loop_begin 2:do k; ";
    for (size_t i = 0; i < sizeof block_cases / sizeof *block_cases; i++) {
        char text[2000], code[2000];
        snprintf(text, sizeof text, SAMPLE "do i\ndo j\ndo k\n%s\nenddo\nenddo\nenddo\nendsial",
                 block_cases[i].statement);
        struct prefetch_program *program = compile_good(text);
        if (!program)
            continue;
        instructions_of(program, code, sizeof code);
        char *inner = code + strlen(before), *end = strstr(code, "; loop_end");
        expect(end != NULL);
        *end = '\0';
        if (strcmp(inner, block_cases[i].code) != 0)
            printf("# %s\n# gives %s\n", block_cases[i].statement, inner);
        expect(strcmp(inner, block_cases[i].code) == 0);
        prefetch_free(program);
    }
}

/* Long things that are within the limits: nothing in the compiler is deep or quadratic in them. */
static void long_programs_compile(void)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    fprintf(file, SAMPLE "x = 0");
    for (int i = 0; i < 20000; i++)
        fprintf(file, " %c %d*y", i % 2 ? '+' : '-', i);
    fprintf(file, "\nx = ");
    for (int i = 0; i < 90; i++)
        fputs("(-", file);
    fprintf(file, "1");
    for (int i = 0; i < 90; i++)
        putc(')', file);
    for (int i = 0; i < 20000; i++)
        fprintf(file, "\nif x < %d\nx = %d\nendif", i, i);
    for (int i = 0; i < 64; i++)
        fprintf(file, "\nproc q%d\n%s%d\nendproc", i, i < 63 ? "call q" : "x = ", i + 1);
    fprintf(file, "\nendsial");
    fclose(file);
    struct prefetch_program *program = compile_good(text);
    expect(program && program->instruction_count > 180000);
    prefetch_free(program);
    free(text);
}

int main(void)
{
    run_test(statements_become_instructions);
    run_test(block_statements_become_instructions);
    run_test(long_programs_compile);
    return end_tests();
}
