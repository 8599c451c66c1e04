# coarrays/: uneven work balanced by stealing tasks or handing on threads: its C test, its rows, and what it refuses.
# shellcheck disable=SC2164,SC2154,SC2030,SC2031
# bats stops at a failed command, sets stderr, and runs each test in a shell of its own.
bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_DIRNAME/.."
    bin=${BIN:-$PWD/build/${GPU:-soft}/bin}
    [ -x "$bin/coarrays_stealing" ] || skip "no MPI here: the programs were not built"
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} # MPI keeps what it has
    unset "${!CAF_@}" "${!OMP_@}" GOMP_CPU_AFFINITY
    launch=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe)
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
    once=(-n 1 -w 0 --csv -q)
}

# on IMAGES OPTIONS...: runs it, unbound unless $binding says otherwise; stdout in $output, stderr in $stderr.
on() {
    run --separate-stderr "${launch[@]}" --bind-to "${binding:-none}" -np "$1" "$bin/coarrays_stealing" "${@:2}"
}

# cells COLUMN [CONDITION]: the column of the rows in $output for which an awk condition on c["name"] holds.
cells() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[i] = $i; next }
        { for (i = 1; i <= NF; i++) c[column[i]] = $i } '"${2:-1}"' { print c[name] }' <<<"$output"
}

# holds CONDITION: it does in every row of $output, and there are rows.
holds() {
    [ -n "$(cells status)" ]
    [ -z "$(cells status "!($1)")" ] || { cells status "!($1)" | head -n 3; echo "not in all rows: $1"; false; }
}

# passed ROWS
passed() {
    echo "$output"
    echo "$stderr"
    [ "$status" -eq 0 ]
    [ "$(cells status | wc -l)" -eq "$1" ]
    holds 'c["status"] == "pass" && c["errors"] == 0 && c["time_s"] > 0'
}

# checks IMAGES LAUNCHER...: every check of the C test passes.
checks() {
    local test=${bin%/bin}/test/stealing_ranks_test
    [ -x "$test" ] || skip "stealing_ranks_test was not built"
    run "${@:2}" -np "$1" "$test" 40
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^ok ' <<<"$output")" -eq 6 ]
}

@test "no task and no result is lost: one, two and four images" {
    for images in 1 2 4; do
        checks $images "${launch[@]}" --bind-to none
    done
}

@test "no task and no result is lost over MPI's windows" {
    CAF_PATH=rma checks 3 "${launch[@]}" --bind-to none
}

@test "no task and no result is lost on two nodes, and threads stay on theirs" {
    local reason
    # shellcheck source=run/needs.sh
    reason=$(source run/needs.sh && unmet_cluster)
    [ -z "$reason" ] || skip "$reason"
    run --separate-stderr timeout 300 run/cluster mpirun --name "stealing$$" --hosts 2 -np 4 --bind-to none --oversubscribe \
        "$bin/coarrays_stealing" --tasks 8 --operations 100000 --skew 50 --threads 1 --bytes 512 "${once[@]}"
    passed 3
    holds 'c["nodes"] == 2 && (c["variant"] != "thread" || c["threads_most"] <= 2)'
}

@test "bad options are one sentence, and the job ends" {
    on 2 --bytes 12
    [ "$status" -eq 1 ]
    [ "$(grep -c "^RESULT: FAIL .*multiple of 8" <<<"$stderr")" -eq 1 ]
    while IFS='|' read -r options expected; do
        # shellcheck disable=SC2086
        run --separate-stderr timeout 300 "$bin/coarrays_stealing" $options
        echo "$options: status $status, $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [ "$(grep -c "^RESULT: FAIL .*$expected" <<<"$stderr")" -eq 1 ]
    done <<'TABLE'
--threads 0|from 1 to
--threads 1,,2|not a list
--bytes 0|from 8 to
--bytes 65536 --operations 1000|too few to read all
--bytes 1073741824 --operations 1000000000 --tasks 100000|choose smaller sizes
--skew 0.5|out of range
TABLE
}

@test "settings of OpenMP under which threads cannot be handed are refused" {
    OMP_PROC_BIND=true on 2 --bytes 64
    [ "$status" -eq 1 ]
    [[ $stderr == *"RESULT: FAIL "*"binds threads to cores"* ]]
    OMP_THREAD_LIMIT=3 on 2 --threads 2 --bytes 64
    [ "$status" -eq 1 ]
    [[ $stderr == *"RESULT: FAIL "*"OMP_THREAD_LIMIT leaves"* ]]
}

@test "the help names the options" {
    run "$bin/coarrays_stealing" -h
    [ "$status" -eq 0 ]
    [[ $output == *--threads*--bytes*--skew*--tasks*--operations* && $output == *time_s* ]]
}

@test "one image has nobody to help" {
    on 1 --tasks 5 --operations 20000 --threads 1,2 --bytes 8,800 "${once[@]}"
    passed 12
    holds 'c["stolen"] == 0 && c["lambda"] == 0 && c["threads_most"] == c["threads"]'
    [ "$(cells bytes 'c["variant"] == "thread"' | paste -sd ' ')" = "8 8 800 800" ]
}

@test "four images, more threads than cores: the slow ones are helped" {
    on 4 --tasks 32 --skew 200 --threads 1,3 --bytes 8000 --operations 1000000 "${once[@]}"
    passed 6
    holds 'c["variant"] != "none" || (c["stolen"] == 0 && c["threads_most"] == c["threads"])'
    holds 'c["variant"] == "process" || (c["lambda"] > 98 && c["lambda"] < 99.5)'
    holds 'c["variant"] != "process" || (c["stolen"] > 0 && c["lambda"] < 98 && c["threads_most"] == c["threads"])'
    holds 'c["variant"] != "thread" ||
        (c["stolen"] >= c["threads"] && c["threads_most"] > c["threads"] && c["threads_most"] <= 4 * c["threads"])'
    [ "$(cells threads 'c["variant"] == "thread"' | paste -sd ' ')" = "1 3" ]
}

@test "even work is balanced from the start" {
    on 2 --tasks 4 --operations 20000 --skew 1 --threads 1 --bytes 64 --variants none "${once[@]}"
    passed 1
    holds 'c["lambda"] == 0 && c["stolen"] == 0'
}

@test "threads may use the cores of all images, also where the launcher binds images to cores" {
    [ "$(nproc)" -ge 2 ] || skip "one core"
    binding=core on 2 --tasks 4 --operations 20000 --threads 2 --bytes 64 "${once[@]}"
    passed 3
    holds 'c["cores"] == 2'
}

@test "another seed is other data, with right results" {
    on 2 --tasks 4 --operations 20000 --threads 1 --bytes 64 --seed 2 "${once[@]}"
    passed 3
}
