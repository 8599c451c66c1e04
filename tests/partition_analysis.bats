# partition-analyse: which kernels it accepts and refuses, its accesses against kernels run on the CPU, and bad input.

load helper

setup_file() {
    export tools=$bin/../partition
    export made=$BATS_FILE_TMPDIR
    local name
    for name in adversarial types corpus; do
        "$tools/partition-analyse" "$BATS_TEST_DIRNAME/partition/$name.cu" -o "$made/$name.db"
    done
    # One data base, of the kernels of the build and of these, and one source.
    echo 'datamotion-partition 1' >"$made/all.db"
    for name in partition/kernels/*.cu; do
        tail -n +2 "$tools/$(basename "$name" .cu).db" >>"$made/all.db"
    done
    tail -q -n +2 "$made"/{adversarial,types,corpus}.db >>"$made/all.db"
    cat partition/kernels/*.cu tests/partition/{adversarial,types,corpus}.cu >"$made/all.cu"
    "$tools/oracle-module" "$made/all.cu" "$made/all.db" -o "$made/all.so"
}

setup() {
    cases=$BATS_TEST_DIRNAME/partition/oracle_cases.txt
}

analyse() {
    run_apart "$tools/partition-analyse" "$@"
}

# Runs the oracle on data base $1 with the module $2 and the cases $3.
oracle() {
    status=0
    output=$(timeout 300 "$tools/partition-oracle" "$@" 2>&1) || status=$?
    echo "$output"
}

# The reason why kernel $1 of adversarial.cu or types.cu is refused.
reason() {
    cat "$made"/{adversarial,types}.db | sed -n "s/^refused $1 //p"
}

@test "kernels are accepted and refused as their names say" {
    for name in adversarial types; do
        grep -o '(refused_[a-z_]*\|refused_[a-z_]*(' "$BATS_TEST_DIRNAME/partition/$name.cu" | tr -d '()' | sort -u >"$scratch/expected"
        sed -n 's/^refused \([^ ]*\) .*/\1/p' "$made/$name.db" | sort -u >"$scratch/refused"
        diff "$scratch/expected" "$scratch/refused"
        [ "$(wc -l <"$scratch/refused")" -ge 3 ]
        grep -o '(\(affine\|reads_whole\|may_write\)_[a-z_]*)\|split_[a-z0-9_]*(' "$BATS_TEST_DIRNAME/partition/$name.cu" | tr -d '()' | sort -u >"$scratch/expected"
        sed -n 's/^kernel //p' "$made/$name.db" | sort -u >"$scratch/accepted"
        diff "$scratch/expected" "$scratch/accepted"
        [ "$(wc -l <"$scratch/accepted")" -ge 8 ]
    done
}

# The corpus has kernels as programs have them, by what stands in the way of the analysis. Refused are 4 of 24.
@test "kernels of the corpus are accepted and refused as their names say, by reason" {
    sed -n 's/.*__global__ void \([a-z_]*\)(.*/\1/p' "$BATS_TEST_DIRNAME/partition/corpus.cu" | sort >"$scratch/all"
    sed -n 's/^kernel //p' "$made/corpus.db" | sort >"$scratch/accepted"
    diff <(grep -v '^refused_' "$scratch/all") "$scratch/accepted"
    sed -n '/^kernel/h;/^  read whole/{x;p;x}' "$made/corpus.db" | sed 's/^kernel //' | sort -u >"$scratch/whole"
    diff <(grep '^reads_whole_\|^may_write_level' "$scratch/all") <(sort -u "$scratch/whole" <(echo may_write_level))
    sed -n '/^kernel/h;/^  may_write yes/{x;p;x}' "$made/corpus.db" | sed 's/^kernel //' | sort -u | diff <(grep '^may_write_' "$scratch/all") -
    [[ $(sed -n 's/^refused refused_loop_over_grid //p' "$made/corpus.db") == "grid-stride loop"* ]]
    grep -A 99 '^kernel reduces_histogram' "$made/corpus.db" | grep -qx '  reduces add_32'
    [[ $(sed -n 's/^refused refused_compacted //p' "$made/corpus.db") == "writes out at an index that is not"* ]]
    [[ $(sed -n 's/^refused refused_hashed //p' "$made/corpus.db") == "writes out at an index that is not"* ]]
}

@test "a refusal names the construct" {
    [[ $(reason refused_atomic) == "it uses what an atomic operation returns"* ]]
    [[ $(reason refused_recursion) == *"depth calls itself"* ]]
    [[ $(reason refused_volatile) == *volatile* ]]
    [[ $(reason refused_unsigned_difference) == *unsigned* ]]
    [[ $(reason refused_unsigned_comparison) == *unsigned* ]]
    [[ $(reason refused_grid_stride) == *"grid-stride loop"* ]]
    [[ $(reason refused_product_index) == *"index"* ]]
    [[ $(reason refused_name) == *"argument gx"* ]]
    [[ $(reason refused_device_variable) == *results* ]]
    [[ $(reason refused_clock) == *clock64* ]]
    [[ $(reason refused_print) == *printf* ]]
}

@test "accesses of all kernels are those of a run on the CPU" {
    oracle "$made/all.db" "$made/all.so" "$cases"
    [ "$status" -eq 0 ]
    # Every kernel that is not refused has a case.
    while read -r kernel; do
        grep -q "^$kernel .* 0 wrong" <<<"$output"
    done < <(sed -n 's/^kernel //p' "$made/all.db")
    # Nothing is taken for larger than it is, but arrays read through an index, runs with gaps, and what may be written.
    larger=$(sed -n 's/^\([^ :]*\) .* [1-9][0-9]* larger$/\1/p' <<<"$output" | LC_ALL=C sort | tr '\n' ' ')
    [ "$larger" = "affine_every_second affine_one_thread_of_a_block affine_stride affine_switch bound_square conditional gather \
may_write_level may_write_return may_write_rows_of_blocks may_write_shared_comparison may_write_shared_condition reads_whole_first_larger reads_whole_gathered \
reads_whole_list reads_whole_offsets reads_whole_periodic reads_whole_search reads_whole_search_for_shared reads_whole_selected reads_whole_sparse_rows reads_whole_tiles split_loaded_bound \
split_members " ]
}

@test "the oracle finds a row too few, a column too many, and a false claim of injectivity" {
    sed '/^kernel stencil_ex$/,/^ end$/ s/gy <= -2 + N/gy <= -3 + N/' "$made/all.db" >"$scratch/few.db"
    sed '/^kernel chain_scale$/,/^ end$/ s/gx < n/gx <= n/' "$made/all.db" >"$scratch/many.db"
    grep -E '^(stencil_ex|chain_scale) ' "$cases" >"$scratch/two.txt"
    for name in few many; do
        [ -n "$(diff "$made/all.db" "$scratch/$name.db")" ]
        oracle "$scratch/$name.db" "$made/all.so" "$scratch/two.txt"
        [ "$status" -eq 1 ]
        [[ $output == *"wrong: "*"elements missing"* ]]
    done
    # Without its row, all threads of a column write the same element.
    cat >"$scratch/same.cu" <<'KERNEL'
extern "C" __global__ void same(float *out)
{
    out[blockIdx.y * blockDim.y + threadIdx.y] = threadIdx.x;
}
KERNEL
    analyse "$scratch/same.cu" -o "$scratch/same.db"
    "$tools/oracle-module" "$scratch/same.cu" "$scratch/same.db" -o "$scratch/same.so"
    echo 'same 4x4x1 8x8x1 64' >"$scratch/same.txt"
    sed -i 's/injective .*/injective yes/' "$scratch/same.db"
    oracle "$scratch/same.db" "$scratch/same.so" "$scratch/same.txt"
    [ "$status" -eq 1 ]
    [[ $output == *"written by two parts"* ]]
}

@test "a launch for which an assumption fails is not split" {
    for launch in "affine_unsigned_rows 4x1x1 8x1x1 1024 w=-1 h=1" "affine_unsigned_rows 4x1x1 8x1x1 1024 w=1073741824 h=1" "affine_unsigned_guard 4x1x1 8x1x1 1024 N=-1" "affine_wrapping_product 4x1x1 8x1x1 1024 N=65537"; do
        echo "$launch" >"$scratch/case.txt"
        oracle "$made/all.db" "$made/all.so" "$scratch/case.txt"
        [ "$status" -eq 1 ]
        [[ $output == *"${launch%% *}: not split: "* ]]
        [[ $output == *"total: 0 comparisons"* ]]
    done
}

@test "a launch for which unsigned arithmetic wraps is not split" {
    local name
    for name in guard unsigned_guard sum shift as_signed widened divided equal index; do
        echo "affine_wrapping_$name 5x1x1 1024x1x1 5120 N=29" >"$scratch/case.txt"
        oracle "$made/all.db" "$made/all.so" "$scratch/case.txt"
        [[ $output == "affine_wrapping_$name: not split: "* ]]
    done
    echo "affine_wrapping_cast 4x1x1 8x1x1 64 N=3000" >"$scratch/case.txt"
    oracle "$made/all.db" "$made/all.so" "$scratch/case.txt"
    [[ $output == "affine_wrapping_cast: not split: "* ]]
    [[ $(reason refused_shifted_to_and_fro) == *unsigned* ]]
}

@test "bad cases of the oracle end with a reason" {
    while IFS='|' read -r line expected; do
        echo "$line" >"$scratch/bad.txt"
        oracle "$made/all.db" "$made/all.so" "$scratch/bad.txt"
        [ "$status" -eq 1 ]
        [[ $output == *"$expected"* ]]
    done <<'TABLE'
affine_stride|not a grid
affine_stride 4x1|not a grid
affine_stride 4x1x1 0x1x1 100|not a block
affine_stride 4x1x1 8x1x1 -5 N=3|not a number of elements
affine_stride 4x1x1 8x1x1 100 N|not NAME=VALUE
affine_stride 4x1x1 8x1x1 100 N=x|not NAME=VALUE
affine_stride 4x1x1 8x1x1 100|argument N has no value
affine_stride 4x1x1 8x1x1 10 N=60|beside the array
refused_break 4x1x1 8x1x1 100 N=3|refused
unknown 4x1x1 8x1x1 100 N=3|total: 0 comparisons
TABLE
    oracle "$scratch/none.db" "$made/all.so" "$cases"
    [ "$status" -eq 1 ]
    oracle "$made/all.db" "$scratch/none.so" "$cases"
    [ "$status" -eq 1 ]
}

@test "--split decides, --keep leaves what was made on the way, -D reaches the source" {
    printf '#ifdef WITH\n%s\n#endif\n' 'extern "C" __global__ void one(float *a, int n) { int x = blockIdx.x; int y = blockIdx.y; a[y * n + x] = 1; }' \
        >"$scratch/one.cu"
    analyse "$scratch/one.cu" -o "$scratch/one.db" --split x -D WITH --keep "$scratch/kept"
    [ "$status" -eq 0 ]
    grep -q '^ *split x$' "$scratch/one.db"
    [ -s "$scratch/kept/scops" ]
    analyse "$scratch/one.cu" -o "$scratch/one.db" --split y -DWITH
    [ "$status" -eq 0 ]
    grep -q '^ *split y$' "$scratch/one.db"
}

@test "bad input of partition-analyse ends with exit 1, one sentence, and no data base" {
    echo 'extern "C" __global__ void broken(float *a { }' >"$scratch/broken.cu"
    echo '#include <no_such_header.h>' >"$scratch/include.cu"
    echo 'extern "C" __global__ void fine(float *a) { a[threadIdx.x] = 1; }' >"$scratch/fine.cu"
    mkdir "$scratch/directory"
    touch -d '2000-01-01' "$scratch/old.ptx"
    printf 'datamotion-partition 1\nsource_hash 0123456789abcdef\n' >"$scratch/other.db"
    while IFS='|' read -r options expected; do
        # shellcheck disable=SC2086
        analyse ${options//@/$scratch/}
        [ "$status" -eq 1 ]
        [[ $(tail -n 1 <<<"$stderr") == "partition-analyse: "*"$expected"* ]]
        [ ! -e "$scratch/x.db" ]
    done <<'TABLE'
|which source file
@fine.cu|-o FILE is needed
-o @x.db|which source file
@none.cu -o @x.db|no such file
@directory -o @x.db|no such file
@broken.cu -o @x.db|clang cannot compile it
@include.cu -o @x.db|clang cannot compile it
@fine.cu -o @x.db --split w|expected x, y or z
@fine.cu -o @x.db --split|needs a value
@fine.cu -o @x.db --what|unknown option
@fine.cu @broken.cu -o @x.db|one source file at a time
@fine.cu -o @none/x.db|cannot be written
@fine.cu -o @x.db --module @none.ptx|no such file
@fine.cu -o @x.db --module @old.ptx|is older than
@fine.cu -o @x.db --bind @none.db|no such file
@fine.cu -o @x.db --bind @other.db|the data base cannot be bound
@fine.cu -o @x.db --bind @fine.cu|the data base cannot be bound
TABLE
    [[ $stderr != *"Stack dump"* ]]
}

@test "a data base is bound to modules, and to a source and flags where it was made elsewhere" {
    echo 'extern "C" __global__ void fine(float *a) { a[threadIdx.x] = 1; }' >"$scratch/fine.cu"
    echo first >"$scratch/1.ptx"
    echo second >"$scratch/2.ptx"
    analyse "$scratch/fine.cu" -o "$scratch/one.db" --module "$scratch/1.ptx" --module "$scratch/2.ptx" -D X=1
    [ "$status" -eq 0 ]
    [ "$(grep -c '^module ' "$scratch/one.db")" -eq 2 ]
    # Without LLVM: the same source and flags, other modules.
    PARTITION_CLANG=none analyse "$scratch/fine.cu" -o "$scratch/two.db" --bind "$scratch/one.db" --module "$scratch/2.ptx" -D X=1
    [ "$status" -eq 0 ]
    [ "$(grep -c '^module ' "$scratch/two.db")" -eq 1 ]
    diff <(grep -v '^module ' "$scratch/one.db") <(grep -v '^module ' "$scratch/two.db")
    analyse "$scratch/fine.cu" -o "$scratch/two.db" --bind "$scratch/one.db" --module "$scratch/2.ptx"
    [ "$status" -eq 1 ]
    [[ $stderr == *"made of another version of the source, or with other flags: analyse the source again"* ]]
}

@test "what clang cannot compile refuses the kernels that need it, with its words, and no others" {
    analyse "$BATS_TEST_DIRNAME/partition/unreadable.cu" -o "$scratch/x.db"
    [ "$status" -eq 0 ]
    [ "$(sed -n 's/^kernel //p' "$scratch/x.db" | sort | tr '\n' ' ')" = "fine_before fine_behind " ]
    [ "$(sed -n 's/^refused \([^ ]*\) clang cannot compile it: .*/\1/p' "$scratch/x.db" | sort | tr '\n' ' ')" = \
        "unread_function unread_name unread_overload unread_texture " ]
    grep -q "^refused unread_function .*use of undeclared identifier 'no_such_function'" "$scratch/x.db"
    [[ $stderr == *"gone_type is left out: "*"no_such_type"* ]]
}

@test "names that CUDA knows without a header are known" {
    analyse "$BATS_TEST_DIRNAME/partition/builtins.cu" -o "$scratch/x.db"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "$(grep -c '^kernel .*fine_' "$scratch/x.db")" -eq 4 ]
}

@test "missing tools are named" {
    echo 'extern "C" __global__ void fine(float *a) { a[threadIdx.x] = 1; }' >"$scratch/fine.cu"
    PARTITION_CLANG=clang-none analyse "$scratch/fine.cu" -o "$scratch/x.db"
    [ "$status" -eq 1 ]
    [[ $stderr == *"there is no clang-none"* ]]
    PARTITION_CLANG=bash analyse "$scratch/fine.cu" -o "$scratch/x.db"
    [ "$status" -eq 1 ]
    [[ $stderr == *"bash is not clang of LLVM "*"make LLVM=N for another version"* ]]
    cp "$tools/partition-analyse" "$scratch"
    status=0
    output=$("$scratch/partition-analyse" "$scratch/fine.cu" -o "$scratch/x.db" 2>&1) || status=$?
    [ "$status" -eq 1 ]
    [[ $output == *"partition-bind is missing"* ]]
    cp "$tools"/partition-bind "$scratch"
    status=0
    output=$("$scratch/partition-analyse" "$scratch/fine.cu" -o "$scratch/x.db" 2>&1) || status=$?
    [ "$status" -eq 1 ]
    [[ $output == *"partition_prelude.h is missing"* ]]
    [ ! -e "$scratch/x.db" ]
}

@test "-h explains, and a source without kernels gives an empty data base" {
    analyse -h
    [ "$status" -eq 0 ]
    grep -q -- --split <<<"$output"
    echo 'int not_a_kernel;' >"$scratch/empty.cu"
    analyse "$scratch/empty.cu" -o "$scratch/empty.db"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^kernel\|^refused' "$scratch/empty.db")" -eq 0 ]
}
