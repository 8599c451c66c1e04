# coarrays/: tasks from a counter, fetch-and-add, transfers with contention: right results, what the columns say, and
# what is refused.

load helper

setup() {
    need_program coarrays_tasks
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} # MPI keeps what it has
    export OMP_WAIT_POLICY=passive                      # images share cores
}

once=(-n 1 -w 0 --csv -q)

# on IMAGES PROGRAM OPTIONS...: as ranks.
on() {
    ranks "$1" "$bin/coarrays_$2" "${@:3}"
}

@test "bad options end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
coarrays_tasks|--cost equal,hard|unknown cost 'hard'; choose from equal, random, skewed
coarrays_tasks|--threads 1,,2|has an empty entry
coarrays_tasks|--threads 0|the numbers must be within 1..1024
coarrays_tasks|--tasks 1|out of range
coarrays_fetch_add||needs 2 or more images
coarrays_fetch_add|--per-request 0|the numbers must be within 1..1000000
coarrays_fetch_add|--progress busy|unknown progress 'busy'; choose from idle, manual, thread
coarrays_contention||needs pairs of images
coarrays_contention|--sizes 0|a size must be at least 1
TABLE
}

@test "what all images see is one sentence, and the job ends" {
    ranks_refuse_all <<'TABLE'
3|coarrays_contention|-q|needs pairs of images
2|coarrays_contention|--sizes 2G|a block of 2147483648 bytes is too large
2|coarrays_tasks|--bytes 12|multiple of 8
2|coarrays_tasks|--tasks 1000000 --bytes 1G|choose smaller sizes
2|coarrays_fetch_add|--contenders 2|besides image 1 there
TABLE
}

@test "tasks: each is computed once, whoever does it, with and without input" {
    on 3 tasks --tasks 23 --iterations 3000 --threads 1,2 -n 2 -w 1 --csv -q
    all_right
    holds 'c["requests"] == 23 + 3 && c["nodes"] == 1 && c["bytes"] == 0'
    holds 'c["lambda"] >= 0 && c["lambda"] <= 200'
    [ "$(column threads caf rep 0 | paste -sd ' ')" = "1 2 1 2 1 2" ]
    [ "$(column cost mpi rep 1 | paste -sd ' ')" = "equal equal random random skewed skewed" ]
    # Long input takes another protocol of MPI than short one.
    for bytes in 8 1M; do
        on 3 tasks --tasks 7 --iterations 100 --cost random --bytes $bytes "${once[@]}"
        all_right 2
        holds 'c["requests"] == 10'
    done
}

@test "tasks: one image is in balance; fewer tasks than images leave some without" {
    on 1 tasks --tasks 10 --iterations 100 "${once[@]}"
    all_right
    holds 'c["lambda"] == 0 && c["requests"] == 11'
    on 4 tasks --tasks 2 --iterations 100 --cost equal "${once[@]}"
    all_right
    # One image has done one or both: 4 * 1 / 2 or 4 * 2 / 2 times the mean.
    holds 'c["lambda"] == 100 || c["lambda"] == 300'
}

@test "tasks: no image is left without where tasks are long" {
    on 2 tasks --tasks 20 --iterations 3000000 --cost equal -n 5 -w 0 --csv
    all_right
    # Unless the machine stops it all that time, which it does not five times.
    for variant in $(values variant); do
        awk '$1 >= 100 { exit 1 }' <(column lambda "$variant" | sort -g | head -n 1)
    done
}

@test "tasks: a thread that fails to hand them out is told at once" {
    need_program tasks_ranks_test
    for images in 1 2; do
        ranks "$images" "$tests/tasks_ranks_test"
        all_checks 2
    done
}

@test "fetch_add: by contenders, progress and size of a request" {
    on 3 fetch_add --per-request 1,1000000 "${once[@]}"
    all_right
    [ "$(column contenders caf progress manual)" = $'1\n2\n1\n2' ]
    [ "$(column per_request mpi progress thread)" = $'1\n1\n1000000\n1000000' ]
    holds 'c["operations"] % c["contenders"] == 0 && c["operations"] > 0'
    on 3 fetch_add --contenders 2 --progress idle --per-request 3 --variants caf "${once[@]}"
    all_right 1
    [ "$(cells progress)" = idle ]
}

@test "contention: what arrives, and the bandwidth of all pairs" {
    for images in 2 4; do
        on $images contention --sizes 1,8,5000,1M "${once[@]}"
        all_right
        [ "$(values variant 'c["bytes"] == 5000')" = "sendrecv mpi-get caf-get" ]
        holds "c[\"pairs\"] == $images / 2 && c[\"latency_s\"] == c[\"time_s\"]"
        holds 'c["bandwidth_gbs"] * c["time_s"] * 1e9 / (c["pairs"] * c["bytes"]) > 0.999'
        holds 'c["bandwidth_gbs"] * c["time_s"] * 1e9 / (c["pairs"] * c["bytes"]) < 1.001'
    done
}

@test "on two hosts all are right" {
    for call in "tasks --tasks 12 --iterations 1000 --cost random --bytes 800" \
        "fetch_add --contenders 3 --per-request 2" "contention --sizes 8,100K"; do
        # shellcheck disable=SC2086
        ranks_on_hosts 2 4 "$bin"/coarrays_$call "${once[@]}"
        all_right
        holds 'c["nodes"] == 2'
    done
}
