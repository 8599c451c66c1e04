# The suite as a whole: failing tests fail it, the README's commands exist, sources compile with CUDA and are formatted.

setup() {
    cd "$BATS_TEST_DIRNAME/.."
    export GPU=${GPU:-soft}
}

@test "a failing test fails the suite" {
    run tests/run tests/fixtures/suite/failing.bats
    [ "$status" -ne 0 ]
    [ "${lines[-1]}" = "0 passed, 1 failed" ]
}

@test "a skipped test is counted, and does not hide that others ran" {
    run tests/run tests/fixtures/suite/skipped.bats
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = "1 passed, 0 failed, 1 skipped" ]
}

@test "a C test program that dies is a failure" {
    UNIT_TEST_FOLDER=$PWD/tests/fixtures/suite run tests/unit/run dies
    [ "$status" -ne 0 ]
    [[ $output == *"ok dies: first"*"not ok dies: second"*"not ok dies: ended with status"* ]]
}

@test "the commands of the README exist" {
    run make -n help
    [ "$status" -eq 0 ]
    help=$(make help)
    for target in $(grep -oE '^make [a-z0-9_-]+' README.md | cut -d' ' -f2 | sort -u); do
        echo "$target"
        grep -qE "^ +$target " <<<"$help" || make -n "$target" >/dev/null
    done
    for file in $(grep -oE '\]\(([a-zA-Z_/.]+)' README.md | cut -c3-); do
        echo "$file"
        [ -e "$file" ]
    done
}

@test "make list names every experiment, and each has its program" {
    list=$(make -s list)
    for id in $(run/manifest ids); do
        grep -q "^$id " <<<"$list"
        [ -x "build/$GPU/bin/$(run/manifest show "$id" program)" ]
    done
}

@test "a bats file that cannot be read fails the suite" {
    run tests/run tests/fixtures/suite/no-such-file.bats
    [ "$status" -ne 0 ]
    [[ ${lines[-1]} == *" 1 failed"* ]]
}

@test "no file skips in setup_file, which bats 1.8 takes for a failure" {
    run awk '/^setup_file\(\)/ { inside = 1 } inside && /skip "/ { print FILENAME ": " $0 } /^}/ { inside = 0 }' tests/*.bats
    echo "$output"
    [ "$status" -eq 0 ] && [ -z "$output" ]
}

# Copies the objects of sources that see nothing of the GPU from the build for the software GPU, if there is one: compiled with
# CUDA they would be the same.
share_objects() {
    local directory depends objects=() sees_gpu
    [ -d build/soft/obj ] || return 0
    make --no-print-directory -s GPU=soft "${directories[@]}" # what is old would hide a change
    for directory in "${directories[@]}"; do
        "$@" -C "$directory" "../build/cuda/obj/$directory/flags" # objects are newer than that
    done
    sees_gpu="common/soft/|^soft/| soft/|[/ ]($(grep -rl SOFTGPU --include='*.[ch]' --include='*.cpp' "${directories[@]}" |
        sed 's|.*/||; s|\.|\\.|' | paste -sd '|'))"
    while read -r depends; do
        objects+=("${depends%.d}.o")
    done < <(cd build/soft/obj && find . \( -name '*.c.d' -o -name '*.cpp.d' \) -print0 | xargs -0 grep -LE "$sees_gpu")
    [ ${#objects[@]} -eq 0 ] || (cd build/soft/obj && cp --parents "${objects[@]}" ../../cuda/obj)
}

@test "the sources compile with the CUDA toolkit where there is no GPU" {
    nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
    [ -x "$nvcc" ] || skip "no CUDA toolkit here"
    directories=(*/experiments.tsv)
    directories=("${directories[@]%/*}")
    make=(make --no-print-directory GPU=cuda SM=90 OPTIMIZE=-O0)
    share_objects "${make[@]}"
    run timeout 1800 "${make[@]}" "${directories[@]}"
    echo "$output"
    [ "$status" -eq 0 ]
    [ -x build/cuda/bin/pinning_copy ]
    build/cuda/bin/pinning_copy -h >/dev/null
}

@test "the sources are formatted" {
    command -v clang-format >/dev/null || skip "no clang-format here"
    files=$(git ls-files '*.c' '*.h' '*.cu')
    [ -n "$files" ] || skip "not a git checkout"
    # shellcheck disable=SC2086
    clang-format --dry-run --Werror $files
}

@test "the scripts pass shellcheck" {
    command -v shellcheck >/dev/null || skip "no shellcheck here"
    # shellcheck disable=SC2046
    shellcheck -x $(git grep -lE '^#!(/usr/bin/env bash|/bin/bash|/bin/sh)' -- ':!tests/fixtures' ':!*.bats')
}

@test "a missing tool is a sentence that says where to get it" {
    # All of PATH but the tools in question.
    path=$BATS_TEST_TMPDIR/path
    mkdir "$path"
    for folder in /usr/bin/ /bin/; do
        find $folder -maxdepth 1 ! -type d ! -name 'gnuplot*' ! -name sqlite3 ! -name nvcc -exec ln -sf -t "$path" {} +
    done
    mkdir -p "$BATS_TEST_TMPDIR/results"
    touch "$BATS_TEST_TMPDIR/results.db"
    PATH=$path run plots/draw "$BATS_TEST_TMPDIR/results"
    [ "$status" -ne 0 ] && [[ $output == *"gnuplot is not installed: ./setup"* ]]
    PATH=$path run run/sql "$BATS_TEST_TMPDIR/results.db" "SELECT 1"
    [ "$status" -ne 0 ] && [[ $output == *"sqlite3 is not installed"*"./setup"* ]]
    # HIDE: what is found in this PATH is noted in a folder of its own, not where other tests read it.
    PATH=$path run make GPU=cuda CUDA_HOME=/nowhere HIDE=caf -C common
    [ "$status" -ne 0 ] && [[ $output == *"set CUDA_HOME, or build with GPU=soft"* ]]
    TOOLS=/nowhere run run/collect "$BATS_TEST_TMPDIR/results"
    [ "$status" -ne 0 ] && [[ $output == *"is not built; run: make"* ]]
}
