/* The SIAL compiler on bad programs: the place and the words of each error. Limits, definitions and
 * imports are in prefetch_sial_limits_test.c. */
#include "prefetch_sial_check.h"

/* place: line:column; the lines of statements and declarations count from the first one that is
 * written here. */
struct bad {
    const char *text, *place, *words;
};

enum { HEAD_LINES = 2, DECLARATION_LINES = 23 };
#define DECLARATIONS                                                                               \
    HEAD "aoindex i = 1:norb\naoindex j = 1:norb\naoindex k = 1:norb\nmoindex p = 1:2\n"           \
         "index n = 1:4\nstatic s[i,j]\ntemp t[i,j]\ntemp v[i]\nlocal c[i,j]\n"                    \
         "distributed a[i,j]\ndistributed b[i,j]\nserved d[i,j]\ntemp w[p,n]\nscalar x\n"          \
         "scalar energy\nint m\nconstant int two = 2\nspecial f wr\nproc quiet\nx = 1\nendproc\n"

/* The case's line counts from `before`, the lines that stand ahead of its text. */
static void check_bad(const char *head, const struct bad *bad, const char *tail, int before)
{
    char text[4000], place[40];
    int line = 0, column = 0;
    snprintf(text, sizeof text, "%s%s%s", head, bad->text, tail);
    sscanf(bad->place, "%d:%d", &line, &column);
    snprintf(place, sizeof place, "%d:%d", before + line, column);
    check_error(text, strlen(text), place, bad->words);
}

#define CHECK_ALL(cases, head, tail, before)                                                       \
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)                                      \
    check_bad(head, &cases[i], tail, before)

static void programs_are_framed(void)
{
    static const struct bad cases[] = {
        {"", "1:1", "expected `sial` and the name of the program, found the end of the file"},
        {"\n  # only a comment\n", "3:1", "expected `sial`"},
        {"x = 1\n", "1:1", "expected `sial` and the name of the program, found `x`"},
        {"sial\n", "1:5", "expected the name of the program, found the end of the line"},
        {"sial do\n", "1:6", "expected the name of the program, found the keyword `do`"},
        {"sial t t\n", "1:8", "expected the end of the line after the name of the program"},
        {HEAD, "3:1", "expected a statement, `proc` or `endsial`, found the end of the file"},
        {HEAD "endsial u\n", "3:9", "`endsial u` closes what line 1 names `t`"},
        {HEAD "endsial\nx = 1\n", "4:1", "expected nothing after `endsial`, found `x`"},
        {HEAD "enddo\n", "3:1", "expected a statement, `proc` or `endsial`, found the keyword"},
    };
    CHECK_ALL(cases, "", "", 0);
}

static void words_and_signs(void)
{
    static const struct bad cases[] = {
        {"x = 1 $ 2", "1:7", "the character $ has no meaning"},
        {"x = \xc3\xa4", "1:5", "letters beyond ASCII"},
        {"x = 12a", "1:5", "a letter follows a number"},
        {"x = 1.5.2", "1:8", "expected the end of the line after a statement, found `.2`"},
        {"x = 9007199254740993000", "1:5", "too large for an int"},
        {"x = 1e999", "1:5", "1e999 is too large"},
        {"x = 1111111111222222222233333333334444444444555555555566666666667777", "1:5",
         "at most 63 characters"},
        {"print \"abc", "1:7", "the string does not end on its line"},
        {"x = 1 \\ 2", "1:7", "expected the end of the line after a backslash"},
        {"x1234567890123456789012345678901234567890123456789012345678901234 = 1", "1:1",
         "a name has at most 63 characters, this one 65"},
        {"x = 1 \\", "2:1", "expected the end of the line after a statement, found the keyword"},
    };
    CHECK_ALL(cases, DECLARATIONS, "\nendsial", DECLARATION_LINES);
    check_error("sial t\nx\0y\nendsial", 18, "2:2", "the byte 0x00 is no text");
    check_error("sial t\n\x1b[1m", 11, "2:1", "the byte 0x1b is no text");
}

static void keywords_are_no_names(void)
{
    char words[] = "abs allocate and aoindex call collective constant create deallocate delete "
                   "distributed do else enddo endif endpardo endproc endsial execute exit get "
                   "gpu_off gpu_on if import index int laindex local moaindex mobindex moindex "
                   "nonzero not or pardo predefined prepare print proc put request return scalar "
                   "segment served server_barrier sial sip_barrier special sqrt static temp where";
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char text[100], expected[100];
        word[0] -= 'a' - 'A';
        snprintf(text, sizeof text, "scalar %s", word);
        snprintf(expected, sizeof expected, "expected a name, found the keyword `%s`", word);
        struct bad bad = {text, "1:8", expected};
        check_bad(HEAD, &bad, "\nendsial", HEAD_LINES);
    }
}

static void declarations_are_checked(void)
{
    static const struct bad cases[] = {
        {"int 5", "1:5", "expected a name, found `5`"},
        {"int do", "1:5", "expected a name, found the keyword `do`"},
        {"constant x = 1", "1:10", "expected `int` or `scalar`, found `x`"},
        {"constant int x", "1:15", "expected `=` and the value of the constant"},
        {"constant int x = 1.5", "1:18", "`x` is an int, its value must be one"},
        {"constant int x = y", "1:18", "`y` is not declared"},
        {"scalar y\nconstant int x = y", "2:18", "but `y` is a scalar"},
        {"constant int x = 1/(norb-4)", "1:21", "division by 0"},
        {"constant scalar x = sqrt(-1)", "1:21", "not a finite number"},
        {"constant scalar x = 1e308*10", "1:27", "not a finite number"},
        {"constant int x = 9007199254740992*3", "1:35", "beyond 2^53"},
        {"constant int x = 1 < 2", "1:18", "expected a number that is known"},
        {"constant int x = \"a\"", "1:18", "expected a number, a name, a block or `(`"},
        {"int x = 1.0", "1:9", "the value of an int must be an int"},
        {"int x\nscalar X", "2:8", "`X` is declared already: an int in line 3 of test"},
        {"predefined int other", "1:16", "nothing gives it a value: set other=8"},
        {"predefined scalar other", "1:19", "set other=1.0"},
        {"predefined int other = 0.5", "1:24", "must be an int"},
        {"predefined int other = 3000000000", "1:24", "it must be from -2147483647 to 2147483647"},
        {"segment index = 3", "1:9", "its segments have the length 1"},
        {"segment foo = 3", "1:9", "expected a kind of index"},
        {"segment aoindex = 0", "1:19", "it must be from 1 to 2147483647"},
        {"segment aoindex = 2\nsegment aoindex = 2", "2:9", "have a length already: 2"},
        {"aoindex i 1:4", "1:11", "expected `=` and the range of the index"},
        {"aoindex i = 1", "1:14", "expected `:` between the ends of the range"},
        {"aoindex i = 1:nor", "1:15", "`nor` is not declared: did you mean `norb`?"},
        {"aoindex i = 1.0:4", "1:13", "a segment number must be an int"},
        {"aoindex i = 1:3000000000", "1:15", "a segment number is 3000000000"},
        {"aoindex i = 1:1000000001", "1:13", "at most 1000000000 values"},
        {"static a", "1:9", "expected `[` after the name of an array"},
        {"static a[]", "1:10", "expected an index, found `]`"},
        {"static a[i]", "1:10", "`i` is not declared"},
        {"static a[norb]", "1:10", "expected an index, but `norb` is a predefined name"},
        {"aoindex i = 1:2\nstatic a[i,i,i,i,i,i,i,i,i]", "2:26", "at most 8 dimensions"},
        {"index i = 1:1000000000\nstatic a[i,i,i]", "2:8", "more blocks than can be counted"},
        {"special f rx", "1:11", "a signature has a letter r, w or u per argument"},
        {"special f rrrrrrrrr", "1:11", "at most 8 arguments"},
        {"import foo", "1:8", "expected the name of a file between quotes"},
        {"import \"no/such.sialx\"", "1:8", "cannot read no/such.sialx: No such file"},
        {"import \"/dev/null\"", "1:8", "it is not a regular file"},
        {"scalar x\nx = 1\nscalar y", "3:1", "declarations stand before the first statement"},
        {"scalar x scalar y", "1:10", "expected the end of the line after a declaration"},
    };
    CHECK_ALL(cases, HEAD, "\nendsial", HEAD_LINES);
}

static void structure_is_checked(void)
{
    static const struct bad cases[] = {
        {"do i\n", "3:1", "expected a statement or `enddo` for the `do` of line 24"},
        {"do i\nendpardo", "2:1", "expected a statement or `enddo`"},
        {"do i\nenddo j", "2:7", "`enddo j` closes what line 24 names `i`"},
        {"do i, j\nenddo", "1:5", "expected the end of the line after the index of a do"},
        {"do x\nenddo", "1:4", "expected an index, but `x` is a scalar"},
        {"do i\ndo i\nenddo\nenddo", "2:4", "a loop around runs over `i` already"},
        {"pardo i\nendpardo j", "2:10", "`endpardo` must name the indices"},
        {"pardo i, j\nendpardo i", "2:11", "expected `,` and the other indices"},
        {"pardo i, i\nendpardo", "1:10", "`i` stands twice in this pardo"},
        {"pardo i do j\n", "1:9", "expected `where`, `nonzero` or the end of the line"},
        {"pardo i,i,i,i,i,i,i,i,i\nendpardo", "1:23", "a pardo has at most 8 indices"},
        {"pardo i\nx = 1\nwhere i < 2\nendpardo", "3:1", "stands directly after the indices"},
        {"pardo i where i\nendpardo", "1:15", "expected a condition, found a number"},
        {"pardo i where i = 2\nendpardo", "1:17", "`=` assigns; `==` compares"},
        {"pardo i where i < j\nendpardo", "1:19", "those of loops around it: `j` is none"},
        {"pardo i where i < x\nendpardo", "1:19", "`x` is a scalar, which may differ"},
        {"pardo i where v[i]*v[i] > 0\nendpardo", "1:15", "a where clause reads no blocks"},
        {"pardo i nonzero a[i,j]\nendpardo", "1:21", "`j` is none"},
        {"pardo i, j nonzero a[i,j] nonzero a[j,i]\nendpardo", "1:27", "at most one clause"},
        {"pardo i, j nonzero t[i,j]\nendpardo", "1:20", "`nonzero` needs a static, distributed"},
        {"pardo i\npardo j\nendpardo\nendpardo", "2:1", "a pardo cannot stand in a pardo"},
        {"pardo i\nif x > 0\nsip_barrier\nendif\nendpardo", "3:1", "`sip_barrier` cannot stand"},
        {"pardo i\nserver_barrier\nendpardo", "2:1", "(that of line 24)"},
        {"pardo i\ncreate a\nendpardo", "2:1", "`create` cannot stand in a pardo"},
        {"pardo i\ndelete a\nendpardo", "2:1", "`delete` cannot stand in a pardo"},
        {"pardo i\ncollective x += x\nendpardo", "2:1", "`collective` cannot stand in a pardo"},
        {"exit", "1:1", "no do is around it"},
        {"do i\npardo j\nexit\nendpardo\nenddo", "3:1", "`exit` cannot leave a pardo"},
        {"if x > 0\n", "3:1", "expected a statement or `endif` for the `if` of line 24"},
        {"if x > 0 x = 1\nendif", "1:10", "expected the end of the line after the condition"},
        {"if x\nendif", "1:4", "expected a condition, found a number"},
        {"if x = 1\nendif", "1:6", "`=` assigns; `==` compares"},
        {"if x < 1 < 2\nendif", "1:10", "expected the end of the line after the condition"},
        {"if x > 0\nelse\nelse\nendif", "3:1", "expected a statement or `endif`"},
        {"else", "1:1", "expected a statement, `proc` or `endsial`, found the keyword `else`"},
        {"where x > 1", "1:1", "`where` stands directly after the indices of a pardo"},
        {"return", "1:1", "`return` stands only in a procedure"},
    };
    CHECK_ALL(cases, DECLARATIONS, "\nendsial", DECLARATION_LINES);
}

static void procedures_are_checked(void)
{
    static const struct bad cases[] = {
        {"proc\n", "1:5", "expected the name of a procedure"},
        {"proc q\nx = 1\n", "4:1", "expected a statement or `endproc` for the procedure `q`"},
        {"proc q\nendproc r", "2:9", "`endproc r` closes what line 24 names `q`"},
        {"do i\nproc q\nendproc\nenddo", "2:1", "expected a statement or `enddo`"},
        {"call q", "1:6", "`q` is not declared"},
        {"call quite", "1:6", "did you mean `quiet`?"},
        {"call x", "1:6", "expected a procedure, but `x` is a scalar"},
        {"proc x\nendproc", "1:6", "`x` is declared already"},
        {"proc q\nexit\nendproc\ndo i\ncall q\nenddo", "2:1", "no do is around it"},
        {"proc q\npardo i\nreturn\nendpardo\nendproc", "3:1", "`return` cannot leave the pardo"},
        {"proc q\ncall q\nendproc", "2:1", "recursion: `q` is active already"},
        {"proc q\ncall r\nendproc\nproc r\ncall q\nendproc", "5:1", "recursion: `q`"},
        {"proc q\nsip_barrier\nendproc\npardo i\ncall q\nendpardo", "5:1",
         "`q` cannot be called in a pardo: it leads to `sip_barrier` in line 25 of test"},
        {"proc q\ncall r\nendproc\nproc r\npardo j\nendpardo\nendproc\npardo i\ncall q\nendpardo",
         "9:1", "it leads to a pardo in line 28"},
    };
    CHECK_ALL(cases, DECLARATIONS, "\nendsial", DECLARATION_LINES);
}

static void statements_are_checked(void)
{
    static const struct bad cases[] = {
        {"x", "1:2", "expected `=`, `+=`, `-=` or `*=`, found the end of the line"},
        {"x = ", "1:4", "expected a number, a name, a block or `(`, found the end of the line"},
        {"x == 1", "1:3", "expected `=`, `+=`, `-=` or `*=`, found `==`"},
        {"x = 1 2", "1:7", "expected the end of the line after a statement, found `2`"},
        {"x = (1 + 2", "1:11", "expected an operator or `)`"},
        {"x = (int 3", "1:10", "expected `)` after the type"},
        {"x = sqrt 2", "1:10", "expected `(` after the name of a function"},
        {"x = enrgy", "1:5", "`enrgy` is not declared: did you mean `energy`?"},
        {"enregy = 1", "1:1", "did you mean `energy`?"},
        {"x = 1 < 2", "1:5", "expected a number, found a condition"},
        {"if 1 and x < 2\nendif", "1:4", "expected a condition, found a number"},
        {"x = quiet", "1:5", "expected a number, but `quiet` is a procedure"},
        {"x = a", "1:5", "`a` is an array: name one block of it"},
        {"x = i", "1:5", "`i` has no value here"},
        {"i = 1", "1:1", "`i` is an index: only loops give it values"},
        {"two = 1", "1:1", "`two` is a constant, which cannot be assigned to"},
        {"norb = 1", "1:1", "`norb` is a predefined name, which cannot be assigned to"},
        {"a = 1", "1:1", "`a` is an array, which cannot be assigned to"},
        {"m = 1.0", "1:5", "`m` is an int, the value a scalar"},
        {"m += x", "1:6", "`m` is an int, the value a scalar"},
        {"create t", "1:8", "expected a distributed or served array, but `t` is temp"},
        {"create x", "1:8", "expected an array, but `x` is a scalar"},
        {"collective x = x", "1:14", "expected `+=`"},
        {"collective m += x", "1:12", "expected a scalar, but `m` is an int"},
        {"print \"a\" x", "1:11", "expected the end of the line after a statement"},
        {"print x > 1", "1:7", "expected a number, found a condition"},
        {"print x, \"a\" + 1", "1:14", "expected the end of the line after a statement"},
        {"execute fl", "1:9", "`fl` is not declared: did you mean `f`?"},
        {"execute x", "1:9", "expected a super instruction, but `x` is a scalar"},
        {"execute f x", "1:9", "`f` takes 2 arguments, found 1"},
        {"execute f x x x", "1:9", "`f` takes 2 arguments, found 3"},
        {"execute f 1.0 x", "1:11", "it must be a block or a scalar"},
        {"execute f m x", "1:11", "it must be a block or a scalar"},
        {"execute f x a", "1:13", "expected a block, a number or a string, but `a` is an array"},
        {"execute f x -x", "1:14", "expected a number after `-`"},
        {"execute f x (1)", "1:13", "expected an argument"},
        {"get", "1:4", "expected a block, as in a[i,j]"},
        {"get a", "1:6", "expected `[` after the name of an array"},
    };
    CHECK_ALL(cases, DECLARATIONS, "\nendsial", DECLARATION_LINES);
}

static void blocks_are_checked(void)
{
    static const struct bad cases[] = {
        {"get a[i,j", "1:10", "expected `]` or `,` after an index, found the end of the line"},
        {"get a[i,1]", "1:9", "expected an index, found `1`"},
        {"get a[i,*]", "1:9", "expected an index, found `*`"},
        {"get a[i]", "1:5", "`a` has 2 dimensions, this block 1"},
        {"get x[i]", "1:5", "expected an array, but `x` is a scalar"},
        {"get a[i,p]", "1:9", "dimension 2 of `a` is spanned by `j`, aoindex; `p` is moindex"},
        {"get a[i,m]", "1:9", "expected an index, but `m` is an int"},
        {"get t[i,j]", "1:5", "`get` needs a distributed array, `t` is temp"},
        {"get d[i,j]", "1:5", "`d` is served: use request"},
        {"request a[i,j]", "1:9", "`a` is distributed: use get"},
        {"put d[i,j] = t[i,j]", "1:5", "`d` is served: use prepare"},
        {"prepare a[i,j] = t[i,j]", "1:9", "`a` is distributed: use put"},
        {"put a[i,j] -= t[i,j]", "1:12", "expected `=` or `+=`, found `-=`"},
        {"put a[i,j] = 1.0", "1:14", "expected a block, as in a[i,j], found `1.0`"},
        {"put a[i,j] = t[j,i]", "1:14", "permute into a temp block first"},
        {"put a[i,j] = v[i]", "1:14", "the same indices in the same order"},
        {"put a[i,j] = a[i,j]", "1:14", "from an array to itself changes nothing"},
        {"allocate t[i,j]", "1:10", "`allocate` needs a local array, `t` is temp"},
        {"deallocate c[i", "1:15", "expected `]` or `,` after an index"},
        {"allocate c[i,x]", "1:14", "expected an index, but `x` is a scalar"},
        {"a[i,j] = 1.0", "1:1", "`a` is distributed: its blocks are changed by put"},
        {"d[i,j] *= 2", "1:1", "`d` is served: its blocks are changed by prepare"},
        {"execute f a[i,j] 1.0", "1:11", "write to a temp block, then put it"},
        {"t[i,j] = 1 > 0", "1:10", "expected a number, found a condition"},
        {"t[i,j] *= s[i,j]", "1:11", "a block is scaled by a number"},
        {"t[i,j] = s[i,k]", "1:14", "`k` is no index of the block of `t`"},
        {"t[i,j] = v[i]", "1:5", "`j` is no index of the block of `v`"},
        {"t[i,i] = s[i,i]", "1:5", "`i` stands twice: diagonal blocks are not supported"},
        {"v[i] = s[j,j]", "1:12", "`j` stands twice"},
        {"t[i,j] = s[i,j] + 1", "1:19", "a number cannot be added to a block"},
        {"t[i,j] = s[i,j] + a[i,j] - b[i,j]", "1:28", "a sum has at most two blocks"},
        {"t[i,j] = s[i,k]*a[k,j] + b[i,j]", "1:10", "a contraction stands alone"},
        {"t[i,j] = 2/s[i,j]", "1:12", "a block cannot be divided by"},
        {"t[i,j] = s[i,j]/-a[i,j]", "1:17", "a block cannot be divided by"},
        {"t[i,j] = 2*(s[i,j] + a[i,j])", "1:13", "blocks stand in products and in sums"},
        {"t[i,j] = sqrt(s[i,j])", "1:10", "blocks stand in products and in sums"},
        {"t[i,j] = s[i,j]*a[i,j]*b[i,j]", "1:24", "a term has at most two blocks"},
        {"t[i,j] = s[i,k]*v[j]", "1:14", "`k` is in one factor only"},
        {"t[i,j] = s[i,k]*a[k,i]", "1:12", "`i` is in both factors, so it is summed over"},
        {"v[i] = s[i,k]*a[k,j]", "1:19", "`j` is in one factor only"},
        {"t[i,j] = v[i]*v[k]", "1:17", "`k` is in one factor only"},
        {"t[i,j] = v[k]*v[k]", "1:3", "`i` is in none of the factors"},
        {"x = t[i,j]", "1:5", "a single block is not a number"},
        {"x = 2*t[i,j]", "1:7", "a single block is not a number"},
        {"x = t[i,j]*2*t[i,j]", "1:5", "a single block is not a number"},
        {"x = t[i,j]/t[i,j]", "1:5", "a single block is not a number"},
        {"x = v[i]*v[i]*v[j]*v[j]", "1:15", "put each pair in parentheses"},
        {"x = t[i,j]*t[i,k]", "1:16", "`k` is no index of the block of `t`"},
        {"x = t[i,i]*t[i,i]", "1:9", "`i` stands twice"},
    };
    CHECK_ALL(cases, DECLARATIONS "do i\ndo j\ndo k\ndo p\n",
              "\nenddo\nenddo\nenddo\nenddo\nendsial", DECLARATION_LINES + 4);
}

int main(void)
{
    run_test(programs_are_framed);
    run_test(words_and_signs);
    run_test(keywords_are_no_names);
    run_test(declarations_are_checked);
    run_test(structure_is_checked);
    run_test(procedures_are_checked);
    run_test(statements_are_checked);
    run_test(blocks_are_checked);
    return end_tests();
}
