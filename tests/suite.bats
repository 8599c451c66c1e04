# The suite as a whole: failing tests fail it, the chain runs from program to report, and it can be killed.

setup() {
    cd "$BATS_TEST_DIRNAME/.."
    export GPU=${GPU:-soft}
}

# A copy of the tree with what was built, so that measuring starts at once.
copy_tree() {
    tree=$BATS_TEST_TMPDIR/tree
    mkdir "$tree"
    git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t "$tree" 2>/dev/null || true
    mkdir "$tree/build"
    cp -a "build/$GPU" build/tools "$tree/build/"
    cd "$tree"
    # The copy is no checkout of its own: the commit stamp is `unknown` there.
}

# The measured files, without the verdicts on them, and without what a killed experiment left in its own folder.
measured() {
    find results/local -maxdepth 1 -name '*.csv' ! -name verdicts.csv | sort
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

@test "what is installed works where it is" {
    [ "$GPU" = soft ] || skip "the links are those of the software GPU"
    to=$BATS_TEST_TMPDIR/prefix
    common/install "build/$GPU" "$to"
    [ "$(ls "$to/bin" | grep -c '^pinning_')" -gt 3 ]
    run common/install nowhere "$to"
    [ "$status" -eq 1 ]
    [ -e "$to/lib/libpartition.so" ] || skip "partition/ was not built"
    kernels=$PWD/partition/kernels
    cd "$BATS_TEST_TMPDIR"
    "$to/bin/partition_applications" --apps chain:1000 --devices 2 -n 1 -w 0
    if [ -e "$to/bin/partition-analyse" ]; then
        "$to/bin/partition_verdicts" -n 1 -w 0
        "$BATS_TEST_DIRNAME/../build/$GPU/bin/partition_verdicts" -n 1 -w 0 # exit code 2: no data bases
        "$to/bin/partition-analyse" "$kernels/chain.cu" -o chain.db
        grep -q '^kernel chain_smooth' chain.db
    fi
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

@test "make reproduce at scale smoke: from programs to the report, and a second time nothing is measured" {
    copy_tree
    run timeout 1800 make reproduce SCALE=smoke FORMATS=svg # a PNG has the same source and another terminal
    echo "$output" | tail -n 40
    [ "$status" -eq 0 ]
    for id in $(run/manifest ids); do
        [ -s "results/local/$id.csv" ]
        jq -e .status "results/local/$id.json" >/dev/null
    done
    for figure in plots/*-fig-*.gp; do
        figure=$(basename "$figure" .gp)
        [ -s "results/local/figures/$figure.svg" ]
        [ ! -e "results/local/figures/$figure.png" ]
    done
    for table in plots/*-tab-*.sql; do
        [ -s "results/local/tables/$(basename "$table" .sql).txt" ]
    done
    [ -s results/local/report.html ]
    # Every claim of the ledger has a verdict; pinning's are judged.
    claims=$(cat tests/reference/*/claims.tsv | grep -c -- '-c-[0-9]')
    [ "$(sqlite3 results/local/results.db 'SELECT count(*) FROM verdicts')" -eq "$claims" ]
    judged=$(sqlite3 results/local/results.db "SELECT count(*) FROM verdicts JOIN claims USING (id)
        WHERE dir = 'pinning' AND verdict IN ('reproduced', 'not reproduced', 'ambiguous')")
    [ "$judged" -gt 20 ]

    stat -c '%n %Y' $(measured) >before
    run timeout 600 make reproduce SCALE=smoke FORMATS=svg
    [ "$status" -eq 0 ]
    stat -c '%n %Y' $(measured) | diff before -

    # An untouched machine is not slower than itself.
    cp -r results/local results/twin
    run make -s regress REF=results/twin
    [ "$status" -eq 0 ]
}

@test "killed at any moment, make loses at most the running experiment" {
    copy_tree
    mapfile -t ids < <(run/manifest ids pinning)
    # At once, and when something has been measured.
    for wanted in 0 1; do
        setsid make "${ids[@]}" SCALE=smoke >log 2>&1 &
        group=$!
        sleep 0.7
        for ((tries = 0; tries < 600; tries++)); do
            [ "$(measured 2>/dev/null | wc -l)" -lt "$wanted" ] || break
            sleep 0.1
        done
        kill -KILL -- "-$group" 2>/dev/null || true
        wait "$group" || true
        [ ! -e results/local/.measuring ] || flock -w 60 results/local/.measuring true # its programs have ended, too
        # Whatever is there under its own name is complete.
        for csv in results/local/*.csv; do
            [ -e "$csv" ] || continue
            jq -e .status "${csv%.csv}.json" >/dev/null
            [ "$(tail -c 1 "$csv" | od -An -tx1)" = ' 0a' ]
        done
    done
    stat -c '%n %Y' $(measured) >before 2>/dev/null || true
    [ -s before ]
    run timeout 400 make "${ids[@]}" SCALE=smoke
    echo "$output" | tail -n 40
    [ "$status" -eq 0 ]
    # What had been measured before the kill was not measured again.
    while read -r name time; do
        [ "$(stat -c %Y "$name")" = "$time" ]
    done <before
    [ -z "$(find results/local -name '*partial*')" ]
}

@test "a bats file that cannot be read fails the suite" {
    run tests/run tests/fixtures/suite/no-such-file.bats
    [ "$status" -ne 0 ]
    [[ ${lines[-1]} == *" 1 failed"* ]]
}

@test "the sources compile with the CUDA toolkit where there is no GPU" {
    nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
    [ -x "$nvcc" ] || skip "no CUDA toolkit here"
    run timeout 1800 make GPU=cuda SM=90 OPTIMIZE=-O0 $(ls -d */experiments.tsv | cut -d/ -f1)
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
    for file in /usr/bin/* /bin/*; do
        case ${file##*/} in gnuplot* | sqlite3 | nvcc) ;; *) ln -sf "$file" "$path/" ;; esac
    done
    mkdir -p "$BATS_TEST_TMPDIR/results"
    touch "$BATS_TEST_TMPDIR/results.db"
    PATH=$path run plots/draw "$BATS_TEST_TMPDIR/results"
    [ "$status" -ne 0 ] && [[ $output == *"gnuplot is not installed: ./setup"* ]]
    PATH=$path run run/sql "$BATS_TEST_TMPDIR/results.db" "SELECT 1"
    [ "$status" -ne 0 ] && [[ $output == *"sqlite3 is not installed"*"./setup"* ]]
    PATH=$path run make GPU=cuda CUDA_HOME=/nowhere -C common
    [ "$status" -ne 0 ] && [[ $output == *"set CUDA_HOME, or build with GPU=soft"* ]]
    TOOLS=/nowhere run run/collect "$BATS_TEST_TMPDIR/results"
    [ "$status" -ne 0 ] && [[ $output == *"is not built; run: make"* ]]
}
