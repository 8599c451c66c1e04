# partition-analyse --ptx: kernels lifted from PTX, against the same kernels from their source and traced runs on the CPU.
# PTX_ARCHITECTURES="sm_75 sm_90 sm_100" takes the PTX of nvcc for all of these, not for the first one alone; PTX_FUZZ_SECONDS
# (2) is how long broken texts are tried.

load helper
# shellcheck disable=SC2154 # of helper.bash and of bats

nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc

setup_file() {
    export tools=$bin/../partition
    export made=$BATS_FILE_TMPDIR
    local name
    cat partition/kernels/*.cu tests/partition/{adversarial,types,corpus}.cu >"$made/all.cu"
    echo 'datamotion-partition 1' >"$made/source.db"
    for name in partition/kernels/*.cu; do
        tail -n +2 "$tools/$(basename "$name" .cu).db" >>"$made/source.db"
    done
    for name in adversarial types corpus; do
        "$tools/partition-analyse" "tests/partition/$name.cu" -o "$made/$name.db"
        tail -n +2 "$made/$name.db" >>"$made/source.db"
    done
}

analyse() {
    run_apart "$tools/partition-analyse" "$@"
}

need_nvcc() {
    [ -x "$nvcc" ] || skip "no CUDA toolkit here"
}

# lift ARCHITECTURE: PTX and data base of all kernels.
lift() {
    [ -e "$made/$1.ptx" ] || timeout 120 "$nvcc" -w -ptx -arch="$1" "$made/all.cu" -o "$made/$1.ptx"
    [ -e "$made/$1.db" ] || "$tools/partition-analyse" --ptx "$made/$1.ptx" -o "$made/$1.db"
}

# The kernels' source, compiled for the oracle.
make_source_module() {
    [ -e "$made/source.so" ] || "$tools/oracle-module" "$made/all.cu" "$made/source.db" -o "$made/source.so"
}

# verdicts DATABASE: of each kernel `NAME refused` or `NAME accepted`, with how many arrays count as read as a whole.
verdicts() {
    awk '$1 == "refused" { print $2, "refused" }
         $1 == "kernel" { name = $2; whole = 0 }
         $1 == "read" && $2 == "whole" { whole++ }
         $1 == "end" { print name, "accepted", whole }' "$1" | LC_ALL=C sort
}

# The cases of the oracle for kernels that the data base $1 accepts. Lifted arguments have numbers, not names.
cases_of() {
    awk 'FILENAME == ARGV[1] { if ($1 == "kernel") accepted[$2] = 1; next }
         FILENAME == ARGV[2] { if ($1 == "kernel") kernel = $2; if ($1 == "argument") at = $2; if ($1 == "name") place[kernel, $2] = at; next }
         /^ *(#|$)/ || !accepted[$1] { next }
         { line = $1 " " $2 " " $3 " " $4
           for (i = 5; i <= NF; i++) { split($i, part, "="); line = line " param_" place[$1, part[1]] "=" part[2] }
           print line }' "$1" "$made/source.db" tests/partition/oracle_cases.txt
}

@test "kernels of PTX are accepted and refused as those of the source, but for the differences listed" {
    need_nvcc
    for architecture in ${PTX_ARCHITECTURES:-sm_75}; do
        lift "$architecture"
        diff <(LC_ALL=C join -a 1 -e missing -o 0,1.2,1.3,2.2,2.3 <(verdicts "$made/source.db") <(verdicts "$made/$architecture.db") |
            awk '$2 $3 != $4 $5 { print $1 }') <(awk -v of="$architecture" '!/^#/ && ($2 == "all" || index($2, of)) { print $1 }' tests/partition/ptx_differences.txt | LC_ALL=C sort)
    done
}

@test "accesses of lifted kernels are those of the source and those of the lifted kernels, run on the CPU" {
    need_nvcc
    for architecture in ${PTX_ARCHITECTURES:-sm_75}; do
        lift "$architecture"
        cases_of "$made/$architecture.db" >"$scratch/cases"
        [ "$(wc -l <"$scratch/cases")" -ge 70 ]
        # Without the source: the lifted kernels themselves are traced.
        "$tools/oracle-module" "$made/$architecture.ptx" "$made/$architecture.db" -o "$scratch/lifted.so"
        run timeout 300 "$tools/partition-oracle" "$made/$architecture.db" "$scratch/lifted.so" "$scratch/cases"
        echo "$output"
        [ "$status" -eq 0 ]
        [[ $output != *"not split"* ]]
        # Against the source: kernels that both routes accept.
        make_source_module
        grep -wFf <(sed -n 's/^kernel //p' "$made/source.db") "$scratch/cases" >"$scratch/both"
        run timeout 300 "$tools/partition-oracle" "$made/$architecture.db" "$made/source.so" "$scratch/both"
        echo "$output"
        [ "$status" -eq 0 ]
    done
}

@test "a lifted kernel whose 32-bit numbers wrap is not split" {
    need_nvcc
    lift sm_75
    make_source_module
    for name in guard unsigned_guard sum shift as_signed widened divided equal; do
        echo "affine_wrapping_$name 5x1x1 1024x1x1 5120 param_2=29" >"$scratch/case"
        run timeout 300 "$tools/partition-oracle" "$made/sm_75.db" "$made/source.so" "$scratch/case"
        echo "$output"
        [[ $output == "affine_wrapping_$name: not split: "* ]]
    done
}

# Cases of the oracle for all kernels of wrapping.cu that data base $1 accepts, with the number called $2.
wrapping_cases() {
    for shape in "4x1x1 8x1x1" "3x1x1 33x1x1" "5x1x1 1024x1x1"; do
        sed -n "s/^kernel \(.*\)/\1 $shape 16384 $2=29/p" "$1"
    done
}

@test "kernels whose numbers wrap are right or not split, from source and from PTX" {
    "$tools/partition-analyse" tests/partition/wrapping.cu -o "$scratch/source.db"
    "$tools/oracle-module" tests/partition/wrapping.cu "$scratch/source.db" -o "$scratch/source.so"
    wrapping_cases "$scratch/source.db" N >"$scratch/cases"
    [ "$(wc -l <"$scratch/cases")" -ge 90 ]
    run timeout 300 "$tools/partition-oracle" "$scratch/source.db" "$scratch/source.so" "$scratch/cases"
    echo "$output"
    [ "$status" -eq 0 ]
    need_nvcc
    for architecture in ${PTX_ARCHITECTURES:-sm_75}; do
        timeout 120 "$nvcc" -w -ptx -arch="$architecture" tests/partition/wrapping.cu -o "$scratch/wrapping.ptx"
        "$tools/partition-analyse" --ptx "$scratch/wrapping.ptx" -o "$scratch/wrapping.db"
        "$tools/oracle-module" tests/partition/wrapping.cu "$scratch/wrapping.db" -o "$scratch/wrapping.so"
        wrapping_cases "$scratch/wrapping.db" param_2 >"$scratch/cases"
        [ "$(wc -l <"$scratch/cases")" -ge 120 ]
        run timeout 300 "$tools/partition-oracle" "$scratch/wrapping.db" "$scratch/wrapping.so" "$scratch/cases"
        echo "$output"
        [ "$status" -eq 0 ]
    done
}

@test "what nvcc makes of loops, guards and quotients is exact" {
    need_nvcc
    timeout 120 "$nvcc" -w -ptx -arch=sm_75 tests/partition/compiled.cu -o "$scratch/compiled.ptx"
    "$tools/partition-analyse" --ptx "$scratch/compiled.ptx" -o "$scratch/compiled.db"
    ! grep 'read whole\|^refused' "$scratch/compiled.db"
    cat >"$scratch/cases" <<'END'
rows 4x1x1 8x1x1 1024 param_2=29
rows 4x1x1 8x1x1 1024 param_2=3
rows 4x1x1 8x1x1 1024 param_2=8
triangle 4x1x1 8x1x1 1024 param_2=29 param_0=0
eliminate 4x1x1 8x1x1 1024 param_2=29 param_3=3
eliminate 4x1x1 8x1x1 1024 param_2=29 param_3=26
product 4x4x1 8x8x1 1024 param_2=29
product 4x4x1 8x8x1 1024 param_2=2
inner 4x1x1 8x1x1 1024 param_2=29
outer 4x1x1 8x1x1 1024 param_2=29
sweep 4x1x1 8x1x1 1024 param_2=29
thirds 4x1x1 8x1x1 1024 param_2=29
interleaved 4x1x1 8x1x1 1024 param_2=29
votes 4x1x1 8x1x1 1024 param_2=29
window 4x4x1 8x8x1 1024 param_2=0 param_3=30 param_4=29 param_5=0
decompose 1x1x1 16x1x1 1024 param_0=0 param_2=30 param_3=3
decompose 1x1x1 16x1x1 1024 param_0=0 param_2=16 param_3=0
END
    "$tools/oracle-module" "$scratch/compiled.ptx" "$scratch/compiled.db" -o "$scratch/compiled.so"
    run timeout 300 "$tools/partition-oracle" "$scratch/compiled.db" "$scratch/compiled.so" "$scratch/cases"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "volatile memory of a block is split by its arrays, what is read there is no index; pointers in structures" {
    need_nvcc
    timeout 120 "$nvcc" -w -ptx -arch=sm_75 tests/partition/foreign.cu -o "$scratch/foreign.ptx"
    [ "$(grep -c 'ld.volatile.shared' "$scratch/foreign.ptx")" -ge 6 ]
    "$tools/partition-analyse" --ptx "$scratch/foreign.ptx" -o "$scratch/foreign.db"
    [ "$(verdicts "$scratch/foreign.db")" = "\
last_steps accepted 0
members accepted 0
refused_blocks refused
refused_place refused
small accepted 0
whole_place accepted 1
wide accepted 0" ]
    cat >"$scratch/cases" <<'END'
last_steps 4x1x1 32x1x1 1024 param_2=100
wide 4x1x1 8x1x1 256 param_2=29
small 4x1x1 8x1x1 256 param_2=29
whole_place 4x1x1 8x1x1 256 param_2=3
members 4x1x1 8x1x1 256 param_0=0 param_1=29
END
    "$tools/oracle-module" "$scratch/foreign.ptx" "$scratch/foreign.db" -o "$scratch/foreign.so"
    run timeout 300 "$tools/partition-oracle" "$scratch/foreign.db" "$scratch/foreign.so" "$scratch/cases"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c ', 0 wrong' <<<"$output")" -ge 5 ]
}

@test "functions that nvcc leaves where they are are put in their place, but for recursion and pointers to functions" {
    need_nvcc
    timeout 120 "$nvcc" -w -ptx -arch=sm_75 tests/partition/calls.cu -o "$scratch/calls.ptx"
    [ "$(grep -c 'call.uni' "$scratch/calls.ptx")" -ge 8 ]
    "$tools/partition-analyse" --ptx "$scratch/calls.ptx" -o "$scratch/calls.db"
    [ "$(grep '^refused' "$scratch/calls.db" | sed 's/line [0-9]*: it calls [^:,]*//')" = "\
refused refused_recursion : recursion, or too many calls within each other
refused refused_pointer , whose accesses are not known" ]
    ! grep 'read whole' "$scratch/calls.db"
    cat >"$scratch/cases" <<'END'
value 4x1x1 8x1x1 256 param_2=29
indexed 4x1x1 8x1x1 256 param_2=29
pointer 4x1x1 8x1x1 256 param_2=29
structure 4x1x1 8x1x1 256 param_2=29
predicated 4x1x1 8x1x1 256 param_0=0 param_2=29 param_3=8
predicated 4x1x1 8x1x1 256 param_0=0 param_2=29 param_3=2
sum 4x1x1 8x1x1 256 param_2=29 param_3=17
END
    "$tools/oracle-module" "$scratch/calls.ptx" "$scratch/calls.db" -o "$scratch/calls.so"
    run timeout 300 "$tools/partition-oracle" "$scratch/calls.db" "$scratch/calls.so" "$scratch/cases"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c ' comparisons, 0 wrong' <<<"$output")" -eq 8 ]
}

# exact DATABASE MODULE CASES COUNT: so many cases of the oracle are right, and no access is larger than what the kernel does.
exact() {
    "$tools/oracle-module" "$2" "$1" -o "$scratch/exact.so"
    run timeout 300 "$tools/partition-oracle" "$1" "$scratch/exact.so" "$3"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^[^:]* [0-9x]* [0-9x]*: [0-9]* comparisons, 0 wrong, 0 larger' <<<"$output")" -eq "$4" ]
}

@test "volatile shared memory is the block's own; other volatile memory, and indices that come from any, are refused" {
    local refusals="\
refused refused_index writes ARRAY at an index that is not an affine function of thread indices and scalar arguments
refused refused_flag volatile access: threads communicate within the launch; leave volatile out"
    printf '%s 4x1x1 64x1x1 256 N=250\n' sums pointer >"$scratch/cases"
    "$tools/partition-analyse" tests/partition/volatile.cu -o "$scratch/volatile.db"
    [ "$(grep ^refused "$scratch/volatile.db" | sed 's/writes out/writes ARRAY/')" = "$refusals" ]
    exact "$scratch/volatile.db" tests/partition/volatile.cu <(sed s/N=/n=/ "$scratch/cases") 2
    need_nvcc
    timeout 120 "$nvcc" -w -ptx -arch=sm_75 tests/partition/volatile.cu -o "$scratch/volatile.ptx"
    grep -q 'ld.volatile.shared' "$scratch/volatile.ptx"
    "$tools/partition-analyse" --ptx "$scratch/volatile.ptx" -o "$scratch/volatile.db"
    [ "$(grep ^refused "$scratch/volatile.db" | sed 's/writes param_1/writes ARRAY/')" = "$refusals" ]
    exact "$scratch/volatile.db" "$scratch/volatile.ptx" <(sed s/N=/param_2=/ "$scratch/cases") 2
}

@test "values that the threads of a block exchange are not taken for equal: what is written perhaps counts as read" {
    "$tools/partition-analyse" tests/partition/exchanged.cu -o "$scratch/exchanged.db"
    exchanged_is_right "$scratch/exchanged.db" tests/partition/exchanged.cu n
    need_nvcc
    timeout 120 "$nvcc" -w -ptx -arch=sm_75 tests/partition/exchanged.cu -o "$scratch/exchanged.ptx"
    "$tools/partition-analyse" --ptx "$scratch/exchanged.ptx" -o "$scratch/exchanged.db"
    exchanged_is_right "$scratch/exchanged.db" "$scratch/exchanged.ptx" param_2
}

# exchanged_is_right DATABASE MODULE NAME: of the number of elements.
exchanged_is_right() {
    [ "$(grep -c '^  may_write yes' "$1")" -eq 2 ]
    printf '%s 4x1x1 64x1x1 1024 %s=250\n' neighbours "$3" changes "$3" >"$scratch/cases"
    "$tools/oracle-module" "$2" "$1" -o "$scratch/exchanged.so"
    run timeout 300 "$tools/partition-oracle" "$1" "$scratch/exchanged.so" "$scratch/cases"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^[^:]* [0-9x]* [0-9x]*: [0-9]* comparisons, 0 wrong' <<<"$output")" -eq 2 ]
}

@test "instructions that programs use seldom: halves, bytes, clocks, sums of a warp, pointers that are compared with none" {
    need_nvcc
    timeout 120 "$nvcc" -w -ptx -arch=sm_90 tests/partition/instructions.cu -o "$scratch/instructions.ptx"
    local word
    for word in fma.rn.f16x2 '\.reg\.b16' set.eq.f16.f16 set.lt.u32.s32 set.eq.f32.s32 mul.bf16 cvt.f32.bf16 cvt.rn.bf16.f32 prmt.b32 %clock64 redux.sync.add; do
        grep -q "$word" "$scratch/instructions.ptx"
    done
    "$tools/partition-analyse" --ptx "$scratch/instructions.ptx" -o "$scratch/instructions.db"
    # What is so has all bits, or is 1.
    "$tools/partition-lift" "$scratch/instructions.ptx" "$scratch/instructions.ll" "$scratch/refused"
    for word in 'sext i1 .* to i32' 'uitofp i1 .* to float' 'uitofp i1 .* to half'; do
        grep -q "$word" "$scratch/instructions.ll"
    done
    [ "$(grep '^refused' "$scratch/instructions.db")" = \
        "refused refused_unless_given what it writes of param_2 depends on %param_1, which is not known at launch" ]
    [ "$(sed -n '/^kernel/h; /^  may_write yes/{x; p; }' "$scratch/instructions.db" | sort)" = "$(printf 'kernel %s\n' any_place later sets warps)" ]
    cat >"$scratch/cases" <<'END'
halves 4x1x1 64x1x1 256 param_2=250
logarithms 4x1x1 64x1x1 256 param_2=250
sets 4x1x1 64x1x1 256 param_2=250
brains 4x1x1 64x1x1 256 param_3=250
bytes 4x1x1 8x1x1 64 param_2=29
waits 4x1x1 64x1x1 256 param_2=250
later 4x1x1 64x1x1 256 param_2=250
may_be_none 4x1x1 64x1x1 256 param_3=250
any_place 4x1x1 64x1x1 1024 param_1=250
warps 4x1x1 64x1x1 256 param_2=250
END
    "$tools/oracle-module" "$scratch/instructions.ptx" "$scratch/instructions.db" -o "$scratch/instructions.so"
    run timeout 300 "$tools/partition-oracle" "$scratch/instructions.db" "$scratch/instructions.so" "$scratch/cases"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^[^:]* [0-9x]* [0-9x]*: [0-9]* comparisons, 0 wrong' <<<"$output")" -eq 10 ]
}

@test "variables that no kernel of the text writes are constants" {
    need_nvcc
    timeout 120 "$nvcc" -w -ptx -arch=sm_90 -I. tests/partition/only_read.cu -o "$scratch/only_read.ptx"
    "$tools/partition-analyse" --ptx "$scratch/only_read.ptx" -o "$scratch/only_read.db"
    [ "$(sed -n 's/^kernel _Z[0-9]*\([a-z_]*\)P.*/\1/p' "$scratch/only_read.db" | sort)" = "$(printf '%s\n' add_chosen add_offsets add_to)" ]
    [ "$(grep -c '^refused _Z[0-9]*refused_.* uses the __device__ variable ' "$scratch/only_read.db")" -eq 6 ]
    [ "$(grep -c '^refused' "$scratch/only_read.db")" -eq 8 ]
    cat >"$scratch/cases" <<'END'
_Z11add_offsetsPKiPii 4x1x1 64x1x1 256 param_2=250
_Z10add_chosenPKiPiii 4x1x1 64x1x1 256 param_2=250 param_3=1
END
    "$tools/oracle-module" "$scratch/only_read.ptx" "$scratch/only_read.db" -o "$scratch/only_read.so"
    run timeout 300 "$tools/partition-oracle" "$scratch/only_read.db" "$scratch/only_read.so" "$scratch/cases"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^[^:]* [0-9x]* [0-9x]*: [0-9]* comparisons, 0 wrong' <<<"$output")" -eq 2 ]
}

# reads_variable TEXT BEHIND [LINKAGE]: whether the reader of the variable `v` is accepted beside that text.
reads_variable() {
    cat >"$scratch/v.ptx" <<END
.version 8.0
.target sm_75
.address_size 64
${2:-} .global .align 4 .b8 v[1024];
.global .align 8 .u64 place;
.entry reads(.param .u64 out) {
.reg .b32 %r<9>; .reg .b64 %rd<9>;
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;
and.b32 %r5, %r3, 15; mul.wide.u32 %rd1, %r5, 4; mov.u64 %rd2, v; cvta.global.u64 %rd3, %rd2; add.s64 %rd4, %rd3, %rd1;
ld.u32 %r6, [%rd4+8]; ld.param.u64 %rd5, [out]; mul.wide.s32 %rd6, %r4, 4; add.s64 %rd7, %rd5, %rd6; st.global.u32 [%rd7], %r6; ret;
}
$1
END
    analyse --ptx "$scratch/v.ptx" -o "$scratch/v.db" || return 2
    grep -q '^kernel reads$' "$scratch/v.db"
}

@test "variables that something in the text may write are no constants" {
    local registers='.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;' text
    reads_variable ''
    reads_variable ".entry k() { $registers ld.global.v2.u32 {%r1, %r2}, [v]; ret; }"
    reads_variable ".entry k(.param .u64 v2) { .local .b8 v[16]; $registers st.local.u32 [v], 1; ret; }"
    for text in "st.global.u32 [v+4], 1;" "red.global.add.u32 [v], 1;" "atom.global.exch.b32 %r1, [v], 1;" \
        "mov.u64 %rd1, v; st.global.u64 [place], %rd1;" "mov.u64 %rd1, v; mov.b64 {%r1, %r2}, %rd1;" "cvt.u32.u64 %r1, v;" \
        "add.s64 %rd2, %rd1, 8; st.global.u32 [%rd2], 1; mov.u64 %rd1, v;" "mov.u64 %rd1, v; shl.b64 %rd2, %rd1, 1;" \
        "mov.u64 %rd1, v; mov.u64 %rd1, place; st.global.u32 [%rd1], 1;" "selp.b64 %rd1, v, place, %p1; st.global.u32 [%rd1], 1;" \
        "cp.async.ca.shared.global [%r1], [v], 4;" "call.uni f, (v);" "call (%rd1), %rd2, (v);"; do
        run reads_variable ".entry k() { $registers $text ret; }"
        echo "$text: $status"
        [ "$status" -eq 1 ]
        run reads_variable ".func f2() { $registers $text ret; }"
        [ "$status" -eq 1 ]
    done
    # What begins with its address, what cannot be read, and what other files may name.
    for text in '.global .align 8 .u64 first = v;' '.global .align 8 .u64 first[2] = {0, generic(v)+4};' \
        '.entry k() { .unknown; }' '.func (.reg .b32 %r1) f3() { ret; }'; do
        run reads_variable "$text"
        echo "$text: $status"
        [ "$status" -eq 1 ]
    done
    for text in .visible .extern .weak .common; do
        run reads_variable '' "$text"
        [ "$status" -eq 1 ]
    done
    grep -q '^refused reads uses the __device__ variable v' "$scratch/v.db"
}

@test "set and registers that are declared with a type: what is wrong refuses its kernel" {
    need_one() { # INSTRUCTIONS REASON
        printf '.version 8.0\n.target sm_75\n.address_size 64\n.entry k(.param .u64 a) { %s ret; }\n' "$1" >"$scratch/set.ptx"
        "$tools/partition-analyse" --ptx "$scratch/set.ptx" -o "$scratch/set.db"
        grep "^refused k .*$2" "$scratch/set.db"
    }
    need_one '.reg.b32 %r<3>; set.lt.u32.s32 %r1;' 'operands are missing'
    need_one '.reg.b32 %r<3>; set.up.u32.s32 %r1, %r2, 1;' 'a comparison of this kind is not known here'
    need_one '.reg.b32 %r<3>; set.lt.s32 %r1, %r2, 1;' 'a result of this kind is not known here'
    need_one '.reg.b64 %r<3>; set.lt.u64.s64 %r1, %r2, 1;' 'a result of this kind is not known here'
    need_one '.reg.b7 %r<3>;' 'registers of the type .b7 are not known here'
    need_one '.reg. %r<3>;' 'registers of the type . are not known here'
    need_one '.reg.b32 ;' 'expected a register'
}

@test "lanes of warps: bits of a thread's number are remainders and quotients" {
    need_nvcc
    timeout 120 "$nvcc" -w -ptx -arch=sm_75 tests/partition/lanes.cu -o "$scratch/lanes.ptx"
    "$tools/partition-analyse" --ptx "$scratch/lanes.ptx" -o "$scratch/lanes.db"
    [ "$(verdicts "$scratch/lanes.db" | grep -v levels)" = "\
exchanged_bits accepted 0
lane accepted 0
prepared accepted 1
quarter accepted 0
refused_place refused
with_sign accepted 0" ]
    ! grep may_write "$scratch/lanes.db"
    cat >"$scratch/cases" <<'END'
lane 3x1x1 128x1x1 1024
lane 3x1x1 96x1x1 1024
quarter 3x1x1 128x1x1 256
quarter 5x1x1 32x1x1 256
with_sign 4x1x1 64x1x1 512 param_2=251
exchanged_bits 4x1x1 64x1x1 256
exchanged_bits 3x1x1 24x1x1 256
prepared 4x1x1 64x1x1 256 param_3=256
prepared 4x1x1 64x1x1 256 param_3=100
END
    "$tools/oracle-module" "$scratch/lanes.ptx" "$scratch/lanes.db" -o "$scratch/lanes.so"
    run timeout 300 "$tools/partition-oracle" "$scratch/lanes.db" "$scratch/lanes.so" "$scratch/cases"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^[^:]* [0-9x]* [0-9x]*: [0-9]* comparisons, 0 wrong' <<<"$output")" -eq 9 ]
    of_launch "$scratch/lanes.ptx" levels 3x1x1 32x1x1 256 -,-,200,3
    of_launch "$scratch/lanes.ptx" levels 3x1x2 32x1x1 2048 -,-,200,3
    of_launch "$scratch/lanes.ptx" lane 3x1x1 128x1x1 1024 -,-
    grep -q 'injective yes' "$scratch/launch.db"
}

@test "members of a structure that are loaded by its place and a number of bytes are arguments; of a place that is chosen, refused" {
    local head='.version 8.0
.target sm_75
.address_size 64'
    local body='.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<12>;
    mov.b64 %rd1, NAME_param_0;
    add.s64 %rd2, %rd1, 8;
    PLACE
    ld.param.u64 %rd3, [%rd2];
    ld.param.u64 %rd4, [%rd2+8];
    ld.param.u32 %r1, [%rd1];
    cvta.to.global.u64 %rd5, %rd3;
    cvta.to.global.u64 %rd6, %rd4;
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra $done;
    mul.wide.s32 %rd7, %r5, 4;
    add.s64 %rd8, %rd5, %rd7;
    add.s64 %rd9, %rd6, %rd7;
    ld.global.u32 %r6, [%rd8];
    st.global.u32 [%rd9+4], %r6;
$done:
    ret;'
    local chosen='mov.u32 %r7, %ctaid.y; setp.eq.s32 %p2, %r7, 0; selp.b64 %rd2, %rd1, %rd2, %p2;' place
    {
        echo "$head"
        for name in placed refused_choice; do
            place=''
            [ $name = placed ] || place=$chosen
            printf '.visible .entry %s(.param .align 8 .b8 %s_param_0[24]) {\n%s\n}\n' $name $name "$(sed "s/NAME/$name/; s/PLACE/$place/" <<<"$body")"
        done
    } >"$scratch/placed.ptx"
    "$tools/partition-analyse" --ptx "$scratch/placed.ptx" -o "$scratch/placed.db"
    [ "$(verdicts "$scratch/placed.db")" = "\
placed accepted 0
refused_choice refused" ]
    grep -q '^refused refused_choice .*made of no parameter' "$scratch/placed.db"
    echo 'placed 4x1x1 8x1x1 256 param_0=0 param_3=29' >"$scratch/cases"
    exact "$scratch/placed.db" "$scratch/placed.ptx" "$scratch/cases" 1
}

@test "an array that is chosen by a condition is read as a whole, with those it is chosen from, and refused where it is written" {
    cat >"$scratch/cases" <<'END'
by_argument 4x1x1 8x1x1 64 N=29 WHICH=0
by_argument 4x1x1 8x1x1 64 N=29 WHICH=1
by_thread 4x1x1 8x1x1 64 N=29
by_data 4x1x1 8x1x1 64 N=29
of_three 4x1x1 8x1x1 64 N=29 WHICH=1
of_three 4x1x1 8x1x1 64 N=29 WHICH=2
of_three 4x1x1 8x1x1 64 N=29 WHICH=3
END
    "$tools/partition-analyse" tests/partition/chosen.cu -o "$scratch/chosen.db"
    chosen_is_right "$scratch/chosen.db" tests/partition/chosen.cu <(sed 's/N=/n=/; s/WHICH/which/' "$scratch/cases")
    need_nvcc
    timeout 120 "$nvcc" -w -ptx -arch=sm_75 tests/partition/chosen.cu -o "$scratch/chosen.ptx"
    grep -q 'selp.b64' "$scratch/chosen.ptx"
    "$tools/partition-analyse" --ptx "$scratch/chosen.ptx" -o "$scratch/chosen.db"
    [ "$(grep -c '^refused [a-z_]* chooses a pointer at run time: index one array argument' "$scratch/chosen.db")" -eq 2 ]
    chosen_is_right "$scratch/chosen.db" "$scratch/chosen.ptx" <(sed 's/N=/param_4=/; s/WHICH/param_5/; /^by/s/$/ param_3=0/' "$scratch/cases")
}

# chosen_is_right DATABASE MODULE CASES
chosen_is_right() {
    [ "$(verdicts "$1")" = "\
by_argument accepted 2
by_data accepted 2
by_thread accepted 2
of_three accepted 3
refused_both refused
refused_written refused" ]
    "$tools/oracle-module" "$2" "$1" -o "$scratch/chosen.so"
    run timeout 300 "$tools/partition-oracle" "$1" "$scratch/chosen.so" "$3"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^[^:]* [0-9x]* [0-9x]*: [0-9]* comparisons, 0 wrong' <<<"$output")" -eq 7 ]
}

@test "a loop that writes nothing and only decides a condition leaves writes exact; where it decides an element, they are refused" {
    need_nvcc
    timeout 120 "$nvcc" -w -ptx -arch=sm_75 tests/partition/searches.cu -o "$scratch/searches.ptx"
    "$tools/partition-analyse" --ptx "$scratch/searches.ptx" -o "$scratch/searches.db"
    [ "$(verdicts "$scratch/searches.db")" = "\
guard accepted 1
nested accepted 1
refused_length refused
refused_place refused
row accepted 1
value accepted 1" ]
    [ "$(sed -n '/^kernel/h; /^  may_write yes/{x; p; }' "$scratch/searches.db" | sort)" = "$(printf 'kernel %s\n' guard nested row)" ]
    local kernel above
    for kernel in value guard row nested; do
        for above in 0 1 98 100; do
            echo "$kernel 4x1x1 8x1x1 1024 param_2=29 param_3=$above"
        done
    done >"$scratch/cases"
    "$tools/oracle-module" "$scratch/searches.ptx" "$scratch/searches.db" -o "$scratch/searches.so"
    run timeout 300 "$tools/partition-oracle" "$scratch/searches.db" "$scratch/searches.so" "$scratch/cases"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^[^:]* [0-9x]* [0-9x]*: [0-9]* comparisons, 0 wrong' <<<"$output")" -eq 16 ]
}

# of_launch PTX KERNEL GRID BLOCK ELEMENTS VALUES: the data base of one launch, $scratch/launch.db, is what the kernel does then.
of_launch() {
    "$tools/partition-analyse" --ptx "$1" -o "$scratch/launch.db" --launch "$2:${3//x/,}:${4//x/,}:$6"
    grep -q "^kernel $2$" "$scratch/launch.db"
    "$tools/oracle-module" "$1" "$scratch/launch.db" -o "$scratch/launch.so"
    awk -v case="$2 $3 $4 $5" -v values="$6" 'BEGIN { n = split(values, value, ",")
        for (i = 1; i <= n; i++) if (value[i] != "-") case = case " param_" i - 1 "=" value[i]
        print case }' >"$scratch/launch.cases"
    run timeout 300 "$tools/partition-oracle" "$scratch/launch.db" "$scratch/launch.so" "$scratch/launch.cases"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "with the numbers of a launch, strides of the grid and products are exact, for that launch alone" {
    need_nvcc
    timeout 120 "$nvcc" -w -ptx -arch=sm_75 -I. tests/partition/numbers.cu -o "$scratch/numbers.ptx"
    of_launch "$scratch/numbers.ptx" _Z5scalePKfPfi 5x1x1 8x1x1 128 -,-,100
    ! grep -q 'read whole' "$scratch/launch.db"
    sed 's/param_2=100/param_2=99/' "$scratch/launch.cases" >"$scratch/other"
    run timeout 300 "$tools/partition-oracle" "$scratch/launch.db" "$scratch/launch.so" "$scratch/other"
    [[ $output == "_Z5scalePKfPfi: not split: an assumption"* ]]
    of_launch "$scratch/numbers.ptx" _Z7averagePKfPfm 3x1x1 8x1x1 128 -,-,100
    of_launch "$scratch/numbers.ptx" _Z4rowsPKfPfii 4x1x1 8x1x1 1024 -,-,30,27
    ! grep -q 'read whole' "$scratch/launch.db"
    of_launch "$scratch/numbers.ptx" _Z6placesPKfPfiii 4x1x1 8x1x1 640 -,-,5,4,32
}

@test "a launch that makes no sense is an error" {
    write_module "$scratch/module.ptx"
    while IFS='|' read -r launch expected; do
        analyse --ptx "$scratch/module.ptx" -o "$scratch/x.db" --launch "$launch"
        [ "$status" -eq 1 ]
        [[ $stderr == *"$expected"* ]]
        [ ! -e "$scratch/x.db" ]
    done <<'TABLE'
first|is no launch
:1,1,1:1,1,1:|is no launch
first:1,1:1,1,1:|other numbers than expected
first:0,1,1:1,1,1:|other numbers than expected
first:1,1,1:1,1,1:x|other numbers than expected
first:1,1,1:1,1,1:3,|other numbers than expected
first:1,1,1:1,1,99999999999:-,3|other numbers than expected
TABLE
    analyse partition/kernels/chain.cu -o "$scratch/x.db" --launch first:1,1,1:1,1,1:
    [[ $stderr == *"--launch is for --ptx"* ]]
}

# A kernel for what can be refused, between two that are not.
write_module() {
    printf '.version 8.0\n.target sm_75\n.address_size 64\n.const .align 4 .b8 weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n' >"$1"
    local kernel
    for kernel in first "$@" last; do
        case $kernel in
        */*) ;;
        first | last) write_kernel "$kernel" '' >>"$1" ;;
        *) write_kernel "refused_${kernel%%=*}" "${kernel#*=}" >>"$1" ;;
        esac
    done
}

# write_kernel NAME LINES: out[i] = i, with the lines before.
write_kernel() {
    cat <<KERNEL
.visible .entry $1(.param .u64 $1_param_0, .param .u32 $1_param_1)
{
    .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<3>;
    ld.param.u64 %rd1, [$1_param_0];
    ld.param.u32 %r1, [$1_param_1];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra \$done;
    $2
    mul.wide.s32 %rd3, %r5, 4;
    add.s64 %rd4, %rd2, %rd3;
    st.global.u32 [%rd4], %r5;
\$done:
    ret;
}
KERNEL
}

@test "a kernel that cannot be lifted has a reason, and the others are lifted" {
    local -A reason=(
        [call]='call.uni helper;|it calls helper, whose accesses are not known'
        [printing]='call.uni vprintf;|it prints, and lines of several devices could come in another order'
        [shared]='.shared .align 4 .b8 tile[16]; mov.u64 %rd5, tile; cvta.shared.u64 %rd6, %rd5;|addresses for all kinds of memory'
        [texture]='tex.2d.v4.f32.s32 {%f1, %f1, %f1, %f1}, [%rd1, {%r1, %r2}];|this instruction is not known'
        [label]='bra nowhere;|a label that is not there'
        [register]='mov.u32 %r6, %r99;|%r99 is not known here'
        [special]='mov.u32 %r6, %warpid;|%warpid is not known here'
        [syntax]='mov.u32 %r6, , 3;|cannot be read: line '
        [directive]='.unheard of;|the directive .unheard is not known'
        [table]='brx.idx %r6, targets;|this instruction is not known'
        [fence]='membar.gl;|threads of different blocks communicate'
        [pointers]='selp.b64 %rd5, %rd2, %rd6, %p1; ld.global.u32 %r6, [%rd7];|made of no parameter'
        [number]='ld.global.u32 %r6, [4096];|made of no parameter'
        [saturated]='add.sat.s32 %r6, %r5, %r1;|a sum of this kind'
        [part]='ld.param.u32 %r6, [refused_part_param_0+4];|a part of a parameter'
        [operands]='add.s32 %r6;|operands are missing'
        [shuffle]='shfl.sync;|operands are missing'
        [vote]='vote.sync.any.pred;|operands are missing'
        [atomic]='red.global.add.u32 [%rd2], 1;|atomic operation'
        [volatile]='ld.volatile.global.u32 %r6, [%rd2]; st.global.u32 [%rd2], %r6;|volatile access'
    )
    local name arguments=()
    for name in "${!reason[@]}"; do
        arguments+=("$name=${reason[$name]%|*}")
    done
    write_module "$scratch/module.ptx" "${arguments[@]}"
    analyse --ptx "$scratch/module.ptx" -o "$scratch/module.db"
    [ "$status" -eq 0 ]
    [ "$(sed -n 's/^kernel //p' "$scratch/module.db" | tr '\n' ' ')" = "first last " ]
    for name in "${!reason[@]}"; do
        found=$(grep -F "refused refused_$name " "$scratch/module.db")
        echo "$found"
        [[ $found == *"${reason[$name]#*|}"* ]]
    done
}

@test "the data base of a module in PTX belongs to its text" {
    write_module "$scratch/module.ptx"
    analyse --ptx "$scratch/module.ptx" -o "$scratch/module.db"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^module ' "$scratch/module.db")" -eq 1 ]
    sed 's/first/other/g' "$scratch/module.ptx" >"$scratch/other.ptx"
    analyse --ptx "$scratch/other.ptx" -o "$scratch/other.db"
    [ "$status" -eq 0 ]
    [ "$(grep '^module ' "$scratch/module.db")" != "$(grep '^module ' "$scratch/other.db")" ]
    # A module in memory ends with a 0.
    { cat "$scratch/module.ptx"; printf '\0'; } >"$scratch/zero.ptx"
    analyse --ptx "$scratch/zero.ptx" -o "$scratch/zero.db"
    [ "$status" -eq 0 ]
    [ "$(grep '^module ' "$scratch/module.db")" = "$(grep '^module ' "$scratch/zero.db")" ]
}

@test "bad input of --ptx ends with exit 1, one sentence, and no data base" {
    head='.version 8.0\n.target sm_75\n.address_size 64\n'
    printf 'int x;\n' >"$scratch/c.ptx"
    : >"$scratch/empty.ptx"
    printf '\177ELF\2\1\1' >"$scratch/elf.ptx"
    # shellcheck disable=SC2059
    {
        printf "${head}.visible .entry k(.param .u64 a) { ret; " >"$scratch/open.ptx"
        printf "${head}.visible .entry k(.param .u64" >"$scratch/cut.ptx"
        printf "${head}/* no end" >"$scratch/comment.ptx"
        printf "${head}.entry k() { ret; }\n.entry k() { ret; }" >"$scratch/twice.ptx"
        printf "${head}hello;" >"$scratch/word.ptx"
        printf "${head}.global .align 4 .b8 a[99999999999];" >"$scratch/large.ptx"
        printf '.version 8.0\n.target sm_75\n.address_size 32\n' >"$scratch/narrow.ptx"
    }
    write_module "$scratch/fine.ptx"
    while IFS='|' read -r options expected; do
        # shellcheck disable=SC2086
        analyse ${options//@/$scratch/} -o "$scratch/x.db"
        [ "$status" -eq 1 ]
        [[ $stderr == *"$expected"* ]]
        [[ $(tail -n 1 <<<"$stderr") == "partition-analyse: "* ]]
        [ ! -e "$scratch/x.db" ]
    done <<'TABLE'
--ptx @none.ptx|no such file
--ptx @c.ptx|it is no PTX
--ptx @empty.ptx|it is no PTX
--ptx @elf.ptx|it is no PTX
--ptx @open.ptx|line 4: the text ends where } is expected
--ptx @cut.ptx|line 4: the text ends where a parameter is expected
--ptx @comment.ptx|line 4: a comment has no end
--ptx @twice.ptx|line 5: the kernel k is there twice
--ptx @word.ptx|line 4: expected a directive of PTX, found hello
--ptx @large.ptx|line 4: an array is too large
--ptx @narrow.ptx|addresses of 32 bits
--ptx @fine.ptx --module @fine.ptx|leave --module out
--ptx @fine.ptx -D X|are for sources
--ptx @fine.ptx @fine.ptx|one source file at a time
TABLE
}

@test "broken PTX is refused with a reason, and what is lifted is IR" {
    gcc -std=c11 -D_GNU_SOURCE -O1 -g1 -fsanitize=address,undefined -I. -Icommon/include -Icommon/soft/include tests/unit/partition/lift_ptx_fuzz.c \
        partition/lift/lift_*.c "$bin/../lib/libcommon.a" -lm -pthread -o "$scratch/fuzz"
    write_module "$scratch/module.ptx"
    mkdir "$scratch/ir"
    run timeout $((${PTX_FUZZ_SECONDS:-2} + 60)) "$scratch/fuzz" --seconds "${PTX_FUZZ_SECONDS:-2}" --seed "$(date +%s)" --ir "$scratch/ir" "$scratch/module.ptx"
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *" kernels lifted"* ]]
    local opt
    opt=$("$(sed -n 's/^llvm_config := //p' build/libraries.mk)" --bindir)/opt
    for ir in "$scratch"/ir/[0-9].ll; do
        "$opt" -passes=verify -disable-output "$ir"
    done
}
