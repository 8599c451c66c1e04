# coarrays/: tasks from a counter, fetch-and-add, transfers with contention: right results, what the columns say, and
# what is refused.

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    bin=${BIN:-$PWD/build/${GPU:-soft}/bin}
    [ -x "$bin/coarrays_tasks" ] || skip "no MPI here: the programs were not built"
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} # MPI keeps what it has
    scratch=$BATS_TEST_TMPDIR
    export OMP_WAIT_POLICY=passive # images share cores
}

# on IMAGES PROGRAM OPTIONS...: runs it; stdout in $output, stderr in $stderr.
on() {
    local launch=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe --bind-to none -np "$1")
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
    status=0
    output=$("${launch[@]}" "$bin/$2" "${@:3}" 2>"$scratch/stderr") || status=$?
    stderr=$(cat "$scratch/stderr")
}

once=(-n 1 -w 0 --csv -q)

# cells COLUMN [CONDITION]: the column of the rows in $output for which an awk condition on c["name"] holds, in a line.
cells() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) column[i] = $i; next }
        { for (i = 1; i <= NF; i++) c[column[i]] = $i } '"${2:-1}"' { print c[name] }' <<<"$output" | paste -sd ' '
}

# holds CONDITION: it does in every row of $output, and there are rows.
holds() {
    [ -n "$(cells status)" ]
    [ -z "$(cells status "!($1)")" ] || { cells variant "!($1)"; echo "not in all rows: $1"; false; }
}

passed() {
    echo "$output"
    echo "$stderr"
    [ "$status" -eq 0 ]
    holds 'c["status"] == "pass" && c["errors"] == 0 && c["time_s"] > 0'
}

@test "bad options are one sentence, and the job ends" {
    while IFS='|' read -r images program options expected; do
        # shellcheck disable=SC2086
        on "$images" "coarrays_$program" $options
        echo "$program $options: status $status, $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [ "$(grep -c "^RESULT: FAIL .*$expected" <<<"$stderr")" -eq 1 ]
    done <<'TABLE'
3|contention|-q|needs pairs of images
2|contention|--sizes 0|a size of 0 bytes
2|tasks|--cost equal,hard|'hard' is none of equal, random, skewed
2|tasks|--threads 1,,2|not a list
2|tasks|--threads 0|must be from 1 to 1024
1|tasks|--tasks 1|out of range
2|tasks|--bytes 12|multiple of 8
2|tasks|--tasks 1000000 --bytes 1G|choose smaller sizes
1|fetch_add|-q|needs 2 or more images
2|fetch_add|--contenders 2|must be from 1 to 1
2|fetch_add|--per-request 0|must be from 1 to 1000000
2|fetch_add|--progress busy|'busy' is none of idle, manual, thread
TABLE
}

@test "tasks: each is computed once, whoever does it, with and without input" {
    on 3 coarrays_tasks --tasks 23 --iterations 3000 --threads 1,2 -n 2 -w 1 --csv -q
    passed
    holds 'c["requests"] == 23 + 3 && c["nodes"] == 1 && c["bytes"] == 0'
    holds 'c["lambda"] >= 0 && c["lambda"] <= 200'
    [ "$(cells threads 'c["variant"] == "caf" && c["rep"] == 0')" = "1 2 1 2 1 2" ]
    [ "$(cells cost 'c["variant"] == "mpi" && c["rep"] == 1')" = "equal equal random random skewed skewed" ]
    # Long input takes another protocol of MPI than short one.
    for bytes in 8 1M; do
        on 3 coarrays_tasks --tasks 7 --iterations 100 --cost random --bytes $bytes "${once[@]}"
        passed
        [ "$(cells requests)" = "10 10" ]
    done
}

@test "tasks: one image is in balance; fewer tasks than images leave some without" {
    on 1 coarrays_tasks --tasks 10 --iterations 100 "${once[@]}"
    passed
    holds 'c["lambda"] == 0 && c["requests"] == 11'
    on 4 coarrays_tasks --tasks 2 --iterations 100 --cost equal "${once[@]}"
    passed
    # One image has done one or both: 4 * 1 / 2 or 4 * 2 / 2 times the mean.
    holds 'c["lambda"] == 100 || c["lambda"] == 300'
}

@test "tasks: no image is left without where tasks are long" {
    on 2 coarrays_tasks --tasks 20 --iterations 3000000 --cost equal -n 5 -w 0 --csv
    passed
    # Unless the machine stops it all that time, which it does not five times.
    for variant in $(cells variant | sort -u); do
        awk '$1 >= 100 { exit 1 }' <(cells lambda 'c["variant"] == "'"$variant"'"' | sort -g | head -n 1)
    done
}

@test "fetch_add: by contenders, progress and size of a request" {
    on 3 coarrays_fetch_add --per-request 1,1000000 "${once[@]}"
    passed
    [ "$(cells contenders 'c["variant"] == "caf" && c["progress"] == "manual"')" = "1 2 1 2" ]
    [ "$(cells per_request 'c["variant"] == "mpi" && c["progress"] == "thread"')" = "1 1 1000000 1000000" ]
    holds 'c["operations"] % c["contenders"] == 0 && c["operations"] > 0'
    on 3 coarrays_fetch_add --contenders 2 --progress idle --per-request 3 --variants caf "${once[@]}"
    passed
    [ "$(cells progress)" = idle ]
}

@test "contention: what arrives, and the bandwidth of all pairs" {
    for images in 2 4; do
        on $images coarrays_contention --sizes 1,8,5000,1M "${once[@]}"
        passed
        [ "$(cells variant 'c["bytes"] == 5000')" = "sendrecv mpi-get caf-get" ]
        holds "c[\"pairs\"] == $images / 2 && c[\"latency_s\"] == c[\"time_s\"]"
        holds 'c["bandwidth_gbs"] * c["time_s"] * 1e9 / (c["pairs"] * c["bytes"]) > 0.999'
        holds 'c["bandwidth_gbs"] * c["time_s"] * 1e9 / (c["pairs"] * c["bytes"]) < 1.001'
    done
}

@test "on two hosts all are right" {
    reason=$(run/cluster up --hosts 2 --name "tasks$$" 2>&1) || skip "no virtual cluster here: $reason"
    run/cluster down --name "tasks$$"
    for call in "tasks --tasks 12 --iterations 1000 --cost random --bytes 800" \
        "fetch_add --contenders 3 --per-request 2" "contention --sizes 8,100K"; do
        # shellcheck disable=SC2086
        output=$(timeout 300 run/cluster mpirun --name "tasks$$" --hosts 2 -np 4 "$bin"/coarrays_$call "${once[@]}" \
            2>"$scratch/stderr") && status=0 || status=$?
        stderr=$(cat "$scratch/stderr")
        passed
        holds 'c["nodes"] == 2'
    done
}
