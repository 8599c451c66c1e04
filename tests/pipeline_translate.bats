# pipeline/: pipelinecc: translated loops compute what the same loops compute without a GPU; what is not supported is one sentence.

load helper

setup_file() {
    export translator=$PWD/build/${GPU:-soft}/pipeline
}

setup() {
    [ -x "$translator/pipelinecc-translate" ] || skip "there is no pipelinecc: it needs clang and libclang"
    [ "${GPU:-soft}" = soft ] || nvidia-smi -L >/dev/null 2>&1 || skip "no GPU here"
    cd "$scratch"
    examples=$BATS_TEST_DIRNAME/../pipeline/directive
}

# both NAME ARGUMENTS...: the example translated and as it is print the same.
both() {
    local name=$1
    "$translator/pipelinecc" -O1 "$examples/$name.c" -o "$name.gpu" 2>"$name.said" || { cat "$name.said"; return 1; }
    gcc -O1 -Wall -Werror -Wno-unknown-pragmas "$examples/$name.c" -o "$name.serial" -lm
    shift
    PIPELINECC_REPORT=1 timeout 60 "./$name.gpu" "$@" >"$name.translated" 2>"$name.report"
    timeout 60 "./$name.serial" "$@" >"$name.expected"
    cat "$name.said" "$name.report"
    [ -s "$name.expected" ]
    diff "$name.translated" "$name.expected"
}

@test "the stencil, the convolutions and the finite differences give the bits of the plain loops" {
    both stencil 40 1 3
    grep -q 'chunks of 1 on 3 streams' stencil.report
    [ "$(grep -c chunks stencil.report)" -eq 3 ]
    both conv2d 100
    grep -q '1 and 1 of [0-9]* blocks copy in and out' conv2d.report
    both conv3d 20 4
    grep -q 'chunks of 4 on 2 streams' conv3d.report
    both fdtd2d 100 9
}

@test "matrix products, atax and lattice QCD give the bits of the plain loops" {
    both gemm 64 1 2
    both atax 70
    both qcd 4 2
    [ ! -s qcd.said ]
}

@test "the listings of the thesis are translated as they are printed" {
    both listings
    grep -q '`A0` moves by ny \* nx elements' listings.said
    grep -q 'copied to the device first' listings.said
    grep -q '23 chunks of 1 on 3 streams' listings.report
}

# refusal TEXT: the sentence for a file with this text, which has no macros.
refusal() {
    printf '%s\n' "$1" >wrong.c
    run "$translator/pipelinecc-translate" mark wrong.c c wrong.marked
    if [ "$status" -eq 0 ]; then
        run "$translator/pipelinecc-translate" translate wrong.c c wrong.marked wrong.host.c wrong.kernels.cu
    fi
}

@test "what cannot be translated is refused with its place and a sentence" {
    local expected text count=0
    # Blocks of a file: a first line `= PLACE: SENTENCE`, then the source.
    while IFS= read -r -d '@' text; do
        [[ $text == *=* ]] || continue
        expected=${text#*= } expected=${expected%%$'\n'*}
        refusal "${text#*= *$'\n'}"
        echo "expected: $expected"
        echo "$output"
        [ "$status" -eq 1 ]
        [[ $output == *"wrong.c:$expected"* ]]
        count=$((count + 1))
    done <"$BATS_TEST_DIRNAME/fixtures/pipeline/refusals"
    echo "$count refusals"
    [ "$count" -ge 40 ]
}

@test "what is doubtful is taken on trust with a warning" {
    local expected text count=0
    while IFS= read -r -d '@' text; do
        [[ $text == *=* ]] || continue
        expected=${text#*= } expected=${expected%%$'\n'*}
        refusal "${text#*= *$'\n'}"
        echo "expected: $expected"
        echo "$output"
        [ "$status" -eq 0 ]
        [[ $output == *"wrong.c:$expected"* ]]
        count=$((count + 1))
    done <"$BATS_TEST_DIRNAME/fixtures/pipeline/warnings"
    [ "$count" -ge 5 ]
}

@test "wrong options of pipelinecc are one sentence" {
    local options expected
    while IFS='|' read -r options expected; do
        # shellcheck disable=SC2086
        run "$translator/pipelinecc" $options
        echo "$options: $output"
        [ "$status" -eq 1 ]
        [[ ${#lines[@]} -eq 1 && $output == "pipelinecc: error: "*"$expected"* ]]
    done <<'TABLE'
|which source file
--nothing|unknown option --nothing
none.c|none.c: no such file
-o|-o needs a value
--gpu amd none.c|expected cuda or soft
-c /dev/null /dev/null|-c compiles one file
TABLE
    run "$translator/pipelinecc" -h
    [ "$status" -eq 0 ]
    [[ $output == *"pipelinecc FILE..."* ]]
}

@test "errors of the compiler keep their places" {
    printf 'int main(void)\n{\n    return nothing;\n}\n' >broken.c
    run "$translator/pipelinecc" broken.c -o broken
    [ "$status" -eq 1 ]
    [[ $output == "broken.c:3:12: error: "*nothing* ]]
}

@test "files without directives, objects and C++ files are compiled too" {
    cat >scale.cc <<'END'
struct scale {
    double by;
    double of(double value) const;
};
static double twice(double value) { return 2 * value; }
template <class T> static T sum(const T *values, int count)
{
    T all = 0;
    for (int i = 0; i < count; i++)
        all += values[i];
    return all;
}
extern "C" double work(const double *from, double *to, int count)
{
    const double offset = 0.5;
    {
#pragma omp target teams distribute map(pipeline(i, 64), to: from[i:1]) map(pipeline(i, 64), from: to[i:1]) iterator(i = 0:count)
        for (int i = 0; i < count; ++i)
            to[i] = twice(from[i]) + offset;
    }
    return sum(to, count);
}
END
    cat >main.c <<'END'
#include <stdio.h>
double work(const double *from, double *to, int count);
int main(void)
{
    double from[1000], to[1000];
    for (int i = 0; i < 1000; i++)
        from[i] = i;
    printf("%g\n", work(from, to, 1000));
    return 0;
}
END
    "$translator/pipelinecc" -c main.c -o main.o
    "$translator/pipelinecc" -O1 -Wall scale.cc main.o -o program 2>said || { cat said; return 1; }
    cat said
    grep -q 'scale.cc:19:13: warning: one thread computes an iteration' said
    [ "$(timeout 60 ./program)" = 999500 ]
}

@test "CUDA C has kernels, templates and functions of its own beside translated loops" {
    cp "$BATS_TEST_DIRNAME/fixtures/pipeline/own.cu" .
    "$translator/pipelinecc" -O1 own.cu -o own 2>said || { cat said; return 1; }
    [ "$(PIPELINECC_REPORT=1 timeout 60 ./own 2>report)" = "0 wrong" ]
    grep -q '^own.cu:25: 13 chunks of 4 on 2 streams' report
    "$translator/pipelinecc" --translate own.cu
    [ -s own.host.cu ] && [ ! -e own.kernels.cu ]
}

@test "random loops give the bits of the plain ones" {
    # TRANSLATE_NESTS=500: as many, from other seeds.
    local count=${TRANSLATE_NESTS:-8} seed
    for ((seed = 1; count > 0; seed++, count -= 20)); do
        awk -v seed="$seed" -v count=$((count < 20 ? count : 20)) -f "$BATS_TEST_DIRNAME/fixtures/pipeline/nests.awk" >nests.c
        "$translator/pipelinecc" -O0 nests.c -o nests.gpu 2>said || { cat said; return 1; }
        gcc -O0 -Wall -Wno-unknown-pragmas nests.c -o nests.serial
        timeout 120 ./nests.gpu >translated 2>errors || { cat errors; return 1; }
        timeout 60 ./nests.serial >expected
        [ "$(wc -l <expected)" -eq $((count < 20 ? count : 20)) ]
        diff translated expected || { echo "seed $seed"; return 1; }
    done
}

@test "broken directives are refused in words or translated, never worse" {
    # TRANSLATE_FUZZ=1000: as many.
    local text run
    for ((run = 1; run <= ${TRANSLATE_FUZZ:-25}; run++)); do
        text=$(awk -v seed="$run" '
            function below(n) { return int(rand() * n) }
            BEGIN { srand(seed); RS = "@"; split("( ) [ ] : , + - i n a b 0 1 2 map to from pipeline iterator reduction private", words, " ") }
            { text[NR] = $0; sub(/^[^\n]*= [^\n]*\n/, "", text[NR]) }
            END {
                chosen = text[1 + below(NR - 1)]
                at = index(chosen, "#pragma"); line = substr(chosen, at); sub(/\n.*/, "", line)
                changed = line
                for (k = 1 + below(3); k > 0; k--) {
                    place = 12 + below(length(changed) - 12)
                    changed = substr(changed, 1, place) (below(2) ? words[1 + below(22)] : "") substr(changed, place + 1 + below(4))
                }
                print substr(chosen, 1, at - 1) changed substr(chosen, at + length(line))
            }' "$BATS_TEST_DIRNAME/fixtures/pipeline/refusals")
        refusal "$text"
        if [[ $status -ne 0 && $status -ne 3 && ! ($status -eq 1 && $output == *wrong.c:*": error: "*) ]]; then
            printf 'run %d: status %d\n%s\n%s\n' "$run" "$status" "$text" "$output"
            return 1
        fi
    done
}

@test "with nvcc each option of the linker is one word" {
    printf 'int main(void) { return 0; }\n' >plain.c
    printf '#!/bin/sh\nfor word; do case $word in *" "*) echo "two words: $word" >&2; exit 1 ;; -o) out=1 ;; *) [ -z "$out" ] || { touch "$word"; out=; } ;; esac; done\n' >nvcc
    chmod +x nvcc
    NVCC=$PWD/nvcc "$translator/pipelinecc" --gpu cuda plain.c -o plain
    [ -e plain ]
}
