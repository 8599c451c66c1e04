# tuner --cuda: other people's kernels, compiled per configuration, launched by another process, checked and timed.

load helper

setup() {
    need_program tuner
    export TMPDIR=$scratch PATH=$bin:$PATH
    cd "$scratch" || exit 1
    cat >double.cu <<'END'
extern "C" __global__ void __launch_bounds__(bx) twice(const float *in, float *out, int count)
{
    int i = blockIdx.x * bx + threadIdx.x;
    if (i < count)
        out[i] = 2 * in[i];
}
END
    printf 'values n 1000\nvalues bx 32 64 128\n' >double.space
    double=(--cuda double.cu --name twice --space double.space --args 'in float[n] index, out float[n], int n'
        --grid '(n + bx - 1) / bx' --block bx --runs 2 --confirm 0 --flags -O0)
}

# Nothing that was made is left behind.
clean() {
    [ -z "$(find "$scratch" -name 'datamotion-tuner-*')" ]
}

@test "the README's own kernel is tuned" {
    awk '/^### Your own kernel/ { on = 1 } on && /^```$/ { exit } code { print } on && /^```sh/ { code = 1 }' "$BATS_TEST_DIRNAME/../tuner/README.md" >example
    grep -q 'tuner --cuda' example
    run_apart bash -e example
    [ "$status" -eq 0 ]
    [[ $output == *"best "*"n=100000 threads="*"GB/s"*"launch "*" grid "* ]]
    [ "$(awk -F, '$4 == "ok"' smooth.csv | wc -l)" -eq 8 ]
    clean
}

@test "the examples are tuned on a small problem, and all their configurations compute the same" {
    for kernel in matmul stencil; do
        TUNER=$bin/tuner run_apart "$BATS_TEST_DIRNAME/../tuner/kernels/tune" $kernel --n 64 --trials 3 --runs 1 --confirm 0 --strategy random --jobs 1
        [ "$status" -eq 0 ]
        [[ $output == *" 3 ok, 0 invalid, 0 failed, 0 hanging"*"GFLOP/s"* ]]
    done
    clean
}

@test "kernels that do not compile, crash, hang, are wrong or cannot be launched are results" {
    cat >bad.cu <<'END'
#define good 0
#define syntax 1
#define crash 2
#define hang 3
#define wrong 4
#define large 5
extern "C" __global__ void bad(int *out)
{
#if how == syntax
    this is no C;
#endif
    volatile int *end = out;
    while (how == hang && *end != 12345)
        ;
    if (how == crash)
        *(volatile int *)16 = 1;
    out[threadIdx.x] = how == wrong && threadIdx.x == 7 ? 3 : 1;
}
END
    printf 'category how good syntax crash hang wrong large\nvalues threads 32 2048\nrequire threads == 32 || how == "large"\nrequire threads == 2048 || how != "large"\n' >bad.space
    run_apart tuner --cuda bad.cu --name bad --space bad.space --args 'out int[4096]' --grid 1 --block threads --strategy exhaustive --limit 6s \
        --runs 1 --confirm 0 --flags -O0 --log bad.csv
    [ "$status" -eq 0 ]
    [[ $output == *"how=good"*" 1 ok, 1 invalid, 3 failed, 1 hanging"* ]]
    [[ $output == *"1 did not compile, 1 could not be launched, 1 crashed, 1 reached the time limit, 1 gave wrong results"* ]]
    [ "$(cut -d, -f1,3 bad.csv | tail -n +2 | paste -sd ' ')" = "good,ok syntax,failed crash,failed hang,hanging wrong,failed large,invalid" ]
    clean
}

@test "a template's parameters are in its name, and a search that none survives says why" {
    printf 'template <int width, typename T> __global__ void fill(T *out)\n{\n    out[blockIdx.x * width + threadIdx.x] = 1;\n}\n' >fill.cu
    printf 'values width 32 64\n' >fill.space
    run_apart tuner --cuda fill.cu --name 'fill<{width}, double>' --space fill.space --args 'out double[640]' --grid '640 / width' --block width \
        --runs 1 --confirm 0 --flush
    [ "$status" -eq 0 ]
    [[ $output == *" 2 ok,"* ]]
    refuses "it does not compile: " tuner --cuda fill.cu --name 'fil<{width}, double>' --space fill.space --args 'out double[640]' --grid 1 --block 1 -q
    clean
}

@test "arrays from files, results against a reference" {
    # 1000 floats 0, 1, 2, ... and their doubles, little-endian.
    python3 -c "import struct
open('in.bin', 'wb').write(struct.pack('<1000f', *range(1000)))
open('right.bin', 'wb').write(struct.pack('<1000f', *range(0, 2000, 2)))
open('wrong.bin', 'wb').write(struct.pack('<1000f', *range(1, 2001, 2)))"
    files=("${double[@]}")
    files[7]='in float[n] file in.bin, out float[n] against right.bin, int n'
    run_apart tuner "${files[@]}"
    [ "$status" -eq 0 ]
    [[ $output == *" 3 ok,"* ]]
    files[7]='in float[n] file in.bin, out float[n] against wrong.bin, int n'
    refuses "1000 of 1000 elements of argument 2 differ from the reference; the first, number 0, is 0, not 1" tuner "${files[@]}" -q
    files[7]='in float[n+1] file in.bin, out float[n], int n'
    refuses "in.bin has 4000 bytes, where the array has 4004" tuner "${files[@]}" -q
    clean
}

@test "a log goes on, and Ctrl-C leaves nothing behind" {
    run_apart tuner "${double[@]}" --trials 2 --log log.csv -q
    run_apart tuner "${double[@]}" --trials 3 --log log.csv
    [ "$status" -eq 0 ]
    [[ $output == *"2 from the log"* ]]
    tuner "${double[@]}" --strategy random --runs 100000 --limit 60s >ended 2>&1 &
    sleep 1
    kill -INT $!
    sleep 0.2
    kill -INT $! 2>/dev/null || true
    wait $! || true
    sleep 1
    # What measures kernels, and compilers, work in the folder.
    run ! grep "^$scratch/" <(readlink /proc/[0-9]*/cwd 2>/dev/null)
    clean
    tuner "${double[@]}" --strategy random --runs 100000 --limit 60s >killed 2>&1 &
    sleep 1
    kill -KILL $!
    wait $! || true
    sleep 1
    run ! grep "^$scratch/" <(readlink /proc/[0-9]*/cwd 2>/dev/null)
    clean
}

@test "options that make no sense are refused with a sentence" {
    while IFS='|' read -r place text expected; do
        bad=("${double[@]}")
        bad[place]=$text
        refuses "$expected" tuner "${bad[@]}"
    done <<'TABLE'
1|none.cu|--cuda: none.cu: No such file
3|twice<{x}>|has {x}, but the space has no such parameter
5|none.space|none.space
7|in float[n]|no array is out or inout
7|out float[n] randm|expected a comma, not `randm`
7|out float[bx]|depends on bx, which has several values
7|out flot[n]|expected a type: float, double
7|out float[n|]
7|out float[0]|an array of 0 elements
7|out float|[ and the number of elements
7|in float[n] against x, out float[n]|only what a kernel writes
7|out float[n] file none.bin|none.bin
7|out float[n], int 1.5|whole numbers alone
7|out float[n], int|missing
9|1, 2, 3, 4|more than 3 numbers
9|z|unknown parameter z
9||missing
11|bx +|missing
TABLE
    refuses "--cuda needs a --grid" tuner "${double[@]:0:8}"
    refuses "--grid cannot be combined with --command" tuner --command true --space double.space --grid 1
    clean
}
