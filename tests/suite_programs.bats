# The command line that every program shares: good options, bad options, output files, exit codes.

load helper

program=$bin/pinning_copy
small=(--sizes 1K -n 3 -w 0)

@test "every program explains itself" {
    for each in "$bin"/*; do
        # The compiler wrapper and its launcher have options of their own (coarrays_fortran.bats).
        [ "$(head -c 2 "$each")" != '#!' ] || continue
        for option in -h -V -l; do
            run_apart "$each" $option
            echo "$each $option: $status"
            [ "$status" -eq 0 ]
            [ -n "$output" ]
            case $option in
            -h) [[ $output == *"Usage: "* && $output == *"Exit codes"* ]] ;;
            -V) [[ $output == "$(basename "$each") "*commit* ]] ;;
            esac
        done
    done
}

@test "options have a long form" {
    for option in help version list; do
        run_apart "$program" "--$option"
        [ "$status" -eq 0 ]
        long=$output
        run_apart "$program" "-$(case $option in version) echo V ;; *) echo "${option:0:1}" ;; esac)"
        [ "$output" = "$long" ]
    done
}

@test "bad options end with exit 1 and one sentence that says what to do" {
    while IFS='|' read -r options expected; do
        # shellcheck disable=SC2086 # options are words
        refuses "$expected" "$program" $options </dev/null
        [ "$(wc -l <<<"$stderr")" -eq 1 ]
    done <<'TABLE'
--no-such-option|unknown option
-y|unknown option
extra|not an option
-n|needs a value
-n 0|must be at least 1
-n -3|must be at least 1
-n 2.5|not a whole number
-n many|not a number
-w -1|out of range
-b 0|at least 1
-b 64K -e 4K|below the smallest
-b 1 -e 1G -i 1|choose a larger step
-b 12Q|not a size
-b -1|not a size
-b 9999999999999999999|not a size
-e 8388608G|not a size
--sizes ,|has an empty entry
--sizes 0|must be at least 1
--sizes 1K,2X|not a size
-f 1|out of range
-f 0.5|out of range
-i 0|at least 1
-c 2|out of range
-d 77|there are
-d -1|out of range
--variants none|unknown variant 'none'; choose from pageable, pinned, registered, mapped
--variants ,|has an empty entry
-b 1 -e 9007199254740991 -i 1|choose a larger step
--seed -1|out of range
--noise 2|out of range
-T 0|out of range
-T nan|not a number
--reference bandwidth_gbs|write COLUMN:VALUE:LOWER:UPPER
-o|needs a value
TABLE
}

@test "-s is unknown to a program without a problem size" {
    run_apart "$bin/common_machine" -s 3
    [ "$status" -eq 1 ]
    run_apart "$bin/common_machine" -b 3
    [ "$status" -eq 1 ]
}

@test "stdout is strict CSV, stderr is talk, the last line is the result" {
    run_apart "$program" "${small[@]}" --csv
    [ "$status" -eq 0 ]
    [[ ${output%%$'\n'*} == experiment,variant,gpu,host,rank,ranks,gpus,rep,*,time_s,errors,status ]]
    columns=$(head -n 1 <<<"$output" | tr ',' '\n' | wc -l)
    awk -F, -v n="$columns" 'NF != n { exit 1 }' <<<"$output"
    [[ $(tail -n 1 <<<"$stderr") == "RESULT: PASS "* ]]
}

@test "JSON says what was run, from what, and under which load" {
    build_id=$(readelf -n "$program" | sed -n 's/^ *Build ID: //p')
    DATAMOTION_SCALE=full DATAMOTION_TREE=abc run_apart "$program" "${small[@]}" --json
    [ "$status" -eq 0 ]
    [ -n "$build_id" ]
    jq -e --arg id "$build_id" '.libraries[0] == {name: "program", build_id: $id} and ([.libraries[].name] | index("libc.so.6"))' <<<"$output"
    jq -e '.meta.scale == "full" and .meta.tree == "abc" and (.meta.sources | test("^[0-9a-f]{16}$"))' <<<"$output"
    jq -e '.state.before.load_1min >= 0 and .state.after.load_1min >= 0 and (.state.after.gpus | type) == "array"' <<<"$output"
    [ "${GPU:-soft}" = soft ] || jq -e '.state.after.gpus[0] | .temperature_c > 0 and .sm_maximum_mhz >= .sm_mhz' <<<"$output"
}

@test "JSON says where the ranks were, and on which nodes the job" {
    run_apart taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" "$program" "${small[@]}" --json
    [ "$status" -eq 0 ]
    jq -e '.placement | length == 1 and .[0].rank == 0 and .[0].cpus == 1' <<<"$output"
    # One CPU is in one NUMA node, where the kernel tells of nodes.
    [ ! -e /sys/devices/system/node/node0/cpulist ] || jq -e '.placement[0].numa_node >= 0' <<<"$output"
    jq -e 'has("job") | not' <<<"$output"
    SLURM_JOB_NODELIST='gpu[01-02]' run_apart "$program" "${small[@]}" --json
    jq -e '.job.nodes == ["gpu[01-02]"]' <<<"$output"
    printf 'n1\nn1\nn2\n' >"$scratch/nodes"
    PBS_NODEFILE=$scratch/nodes run_apart "$program" "${small[@]}" --json
    jq -e '.job.nodes == ["n1", "n2"]' <<<"$output"
    need_program rdma_pingpong
    ranks 2 "$bin/rdma_pingpong" -n 1 -w 0 -e 1K --json
    [ "$status" -eq 0 ]
    jq -e '[.placement[].rank] == [0, 1] and all(.placement[]; .cpus >= 1)' <<<"$output"
}

@test "JSON is valid, for CSV's companion and as output of its own" {
    run_apart "$program" "${small[@]}" --json
    [ "$status" -eq 0 ]
    jq -e '.schema_version == 1 and .meta.program == "pinning_copy" and .status == "PASS"
           and (.results | length) > 0 and (.results[0].samples | length) == 3' <<<"$output"
    run_apart "$program" "${small[@]}" -o "$scratch/a.csv"
    [ "$status" -eq 0 ]
    jq -e '.columns | map(select(.kind == "parameter")) | length > 0' "$scratch/a.json"
    jq -e '.system.memory_bytes > 0 and (.devices | length) > 0 and (.meta.argv | index("-o"))' "$scratch/a.json"
    # The environment is not copied as a whole.
    SECRET_OF_MINE=x run_apart "$program" "${small[@]}" --json
    ! grep -q SECRET_OF_MINE <<<"$output"
}

@test "the order of options does not matter" {
    run_apart "$program" --csv -n 2 --sizes 1K -w 0
    first=$(cut -d, -f1-3,8-11 <<<"$output")
    run_apart "$program" --sizes 1K -w 0 -n 2 --csv
    [ "$first" = "$(cut -d, -f1-3,8-11 <<<"$output")" ]
}

@test "an existing output file is never overwritten" {
    echo precious >"$scratch/a.csv"
    run_apart "$program" "${small[@]}" -o "$scratch/a.csv"
    [ "$status" -eq 1 ]
    [[ $stderr == *"exists and is not overwritten"* ]]
    [ "$(cat "$scratch/a.csv")" = precious ]
    echo precious >"$scratch/b.json"
    run_apart "$program" "${small[@]}" -o "$scratch/b.csv"
    [ "$status" -eq 1 ]
    [ ! -e "$scratch/b.csv" ]
}

@test "a folder that is not there is an error with its name" {
    run_apart "$program" "${small[@]}" -o "$scratch/none/a.csv"
    [ "$status" -eq 1 ]
    [[ $stderr == *"could not be created"* ]]
}

@test "a full disk is an error and leaves no file" {
    run_apart bash -c "'$program' ${small[*]} --csv >/dev/full"
    [ "$status" -eq 1 ]
    [[ $stderr == *"could not be written"* ]]
    [ "$(id -u)" -eq 0 ] || skip "needs root for a small file system"
    mkdir "$scratch/tiny"
    mount -t tmpfs -o size=4k tmpfs "$scratch/tiny" || skip "cannot mount here"
    run_apart "$program" --sizes 1K -n 400 -o "$scratch/tiny/a.csv"
    left=$(ls "$scratch/tiny")
    umount "$scratch/tiny"
    [ "$status" -eq 1 ]
    [[ $stderr == *"could not be written"* ]]
    [ -z "$left" ]
}

@test "the time limit ends with exit 124 and leaves no file" {
    run_apart "$program" -b 1K -e 1M --min-time 100 --noise 0 -T 0.3 -o "$scratch/a.csv"
    [ "$status" -eq 124 ]
    [[ $stderr == *"RESULT: TIMEOUT"* ]]
    [ -z "$(ls "$scratch" | grep a.csv)" ]
}

@test "what was complete at the time limit is kept" {
    run_apart "$program" -b 1K -e 256M -n 200 -T 2 -o "$scratch/a.csv"
    [ "$status" -eq 124 ]
    [[ $stderr == *"RESULT: TIMEOUT the time limit of 2 s was reached; "*" samples"*"are kept"* ]]
    [ "$(ls "$scratch" | grep -c '^a\.')" -eq 2 ]
    grep -q '"status": "TIMEOUT"' "$scratch/a.json"
    rows=$(grep -c ',pass$' "$scratch/a.csv")
    [ "$rows" -ge 200 ]
    grep -q "$rows samples" "$scratch/a.json"
    [ "$(awk -F, '{ print NF }' "$scratch/a.csv" | sort -u | wc -l)" -eq 1 ]
    [[ $output == *pageable* ]]
}

@test "an interrupted program leaves no file" {
    "$program" -b 1K -e 1M --min-time 100 --noise 0 -o "$scratch/a.csv" 2>"$scratch/stderr" &
    pid=$!
    for _ in $(seq 100); do
        ls "$scratch" | grep -q a.csv.partial && break
        sleep 0.05
    done
    ls "$scratch" | grep a.csv.partial
    kill -TERM $pid
    status=0
    wait $pid || status=$?
    [ "$status" -eq 143 ]
    [ -z "$(ls "$scratch" | grep a.csv)" ]
    grep "RESULT: FAIL interrupted" "$scratch/stderr"
}

@test "a reference is judged: inside 0, outside 3, unknown column 1" {
    run_apart "$program" "${small[@]}" --reference bandwidth_gbs:1e6:-0.1:
    [ "$status" -eq 3 ]
    [[ $stderr == *"RESULT: OUT_OF_REFERENCE median bandwidth_gbs"* ]]
    run_apart "$program" "${small[@]}" --reference bandwidth_gbs:1e6:-1:
    [ "$status" -eq 0 ]
    run_apart "$program" "${small[@]}" --reference beauty:1::
    [ "$status" -eq 1 ]
    [[ $stderr == *"has no column beauty"* ]]
}

@test "a GPU that disappears is an error with its cause" {
    [ "${GPU:-soft}" = soft ] || skip "only the software GPU can be lost on purpose"
    SOFTGPU_FAIL_AFTER=40 run_apart "$program" --sizes 1K -n 100 -o "$scratch/a.csv"
    [ "$status" -eq 1 ]
    [[ $(tail -n 1 <<<"$stderr") == "RESULT: FAIL "*"unavailable "*"(host "*"rank 0"* ]]
    [ -z "$(ls "$scratch" | grep a.csv)" ]
}

@test "no GPU means waived, exit 2" {
    [ "${GPU:-soft}" = soft ] || skip "the software GPU is asked to have no device"
    SOFTGPU_DEVICES=0 run_apart "$program" "${small[@]}"
    echo "$stderr"
    [ "$status" -eq 2 ]
    [[ $stderr == *"RESULT: WAIVED no GPU was found"* ]]
}

@test "a smoke run costs little beside its measured work" {
    least_ms=1000000
    for _ in 1 2 3 4 5; do
        start=$(date +%s%N)
        "$program" --sizes 16 -n 1 -w 0 --variants pinned -q >/dev/null 2>&1
        this_ms=$((($(date +%s%N) - start) / 1000000))
        [ "$this_ms" -ge "$least_ms" ] || least_ms=$this_ms
    done
    echo "$least_ms ms from start to end" >&3
    # The aim is 200 ms; the bound is loose because machines under test are busy.
    [ "$least_ms" -lt 2000 ]
}
