# blp/: the options of its programs, what they refuse, and what their rows say at tiny sizes.
# In conditions on rows $name is a column, not a variable of the shell:
# shellcheck disable=SC2016

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    bin=$PWD/build/${GPU:-soft}/bin
    scratch=$BATS_TEST_TMPDIR
}

# Runs a program; stdout in $output, stderr in $stderr.
run_apart() {
    status=0
    output=$("$@" 2>"$scratch/stderr") || status=$?
    stderr=$(cat "$scratch/stderr")
}

# Prints an awk expression of each row of the CSV in $output that meets a condition; $name stands
# for the column of that name: rows 'CONDITION' 'EXPRESSION'.
rows() {
    local program
    program=$(sed -E 's/[$]([a-z_]+)/$(at["\1"])/g' <<<"NR > 1 && ($1) { print $2 }")
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } '"$program" <<<"$output"
}

count() {
    rows "$1" 1 | wc -l
}

once=(-n 1 -w 0 --csv)
small_link=(--link-bytes 64K)

@test "bad options of the programs end with exit 1 and one sentence" {
    while IFS='|' read -r program options expected; do
        # shellcheck disable=SC2086
        run_apart timeout 300 "$bin/$program" $options
        echo "$program $options: status $status, $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [[ $(tail -n 1 <<<"$stderr") == "RESULT: FAIL "*"$expected"* ]]
    done <<'TABLE'
blp_bandwidth|--directions up|in, out and both are the directions
blp_bandwidth|--directions=|in, out and both are the directions
blp_bandwidth|--directions in,out,both,in|each direction once
blp_bandwidth|--chunks 3|3 is not a power of two
blp_bandwidth|--chunks 2048|within 1..1024
blp_bandwidth|--chunks x|not a list of whole numbers
blp_bandwidth|--vector-bits 64|neither 32 nor 128
blp_bandwidth|--copy-threads 33|33 is neither a multiple
blp_bandwidth|--copy-threads 96 --block-threads 64|96 is neither a multiple
blp_bandwidth|--block-threads 40|not a multiple of 32
blp_bandwidth|-s 1000|not a multiple of 16K
blp_bandwidth|--variants interleaved --directions out|leave nothing to measure
blp_bandwidth|--variants per-array --copy-threads 1024|leave nothing to measure
blp_flags|--writers 0|within 1..
blp_flags|--operations 0|out of range
blp_flags|--pairs 8 --handoffs 15|need at least 16
blp_flags|--pairs 100 --handoffs 1000|cannot be resident at once
blp_versions|--benchmarks conv9d|unknown benchmark 'conv9d'
blp_versions|--benchmarks conv2d:huge|no data set huge
blp_versions|--benchmarks conv2d:tiny:3|executed once, not 3 times
blp_versions|--benchmarks pooling:tiny|no persistent kernel for pooling
blp_versions|--streams 0|within 1..
blp_versions|--async-threads 48|not a multiple of 32
blp_versions|--vector-bits 64|neither 32 nor 128
blp_versions|--copy-blocks 8:|an entry is IN:OUT or one number
blp_versions|--copy-blocks 8:2:1|an entry is IN:OUT or one number
blp_versions|--copy-blocks -1|an entry is IN:OUT or one number
blp_versions|--copy-blocks 1,4097|within 0..4096
blp_versions|--copy-blocks 1,,2|has an empty entry
blp_versions|--layout both|per-array and interleaved are the layouts
blp_versions|--budget -1|not a list of shares
blp_versions|--budget 0.5,|not a list of shares
blp_versions|--budget 0|not a list of shares
blp_versions|--capacity -1|out of range
blp_timeline|--benchmarks conv2d:tiny:2|one round is traced
blp_timeline|--blocks 4096|can be resident at once
blp_timeline|--copy-blocks 1,2|one entry, not 2
blp_timeline|--threads 33|not a multiple of 32
blp_timeline|--blocks 3 --copy-blocks 2|no block is left to compute
blp_timeline|--variants blp-buffer --budget 0.001|bytes are needed
blp_residency|--blocks-per-sm 0|within 1..
blp_residency|-s 4|from 8 bytes
TABLE
}

@test "bandwidth: every way moves the bytes, and the rate follows from them" {
    run_apart "$bin/blp_bandwidth" "${once[@]}" -s 64K --chunks 1,4,1024 --block-threads 64 \
        --copy-threads 32,192,256
    [ "$status" -eq 0 ]
    # memcpy and memcpy2d: 3 directions x 3 chunk counts
    [ "$(count '$variant ~ /^memcpy/')" -eq 18 ]
    [ "$(count '$variant ~ /^memcpy/ && ($threads != "" || $vector_bits != "")')" -eq 0 ]
    # direct and direct-chunk: times 3 numbers of threads and 2 widths
    [ "$(count '$variant ~ /^direct/')" -eq 108 ]
    [ "$(count '$variant == "direct" && $threads == 32 && $blocks == 1')" -eq 18 ]
    [ "$(count '$variant == "direct" && $threads == 192 && $blocks == 3')" -eq 18 ]
    # three arrays in, or three in and one out; per-array where the blocks can be divided
    [ "$(count '$variant == "interleaved" && $arrays == 3 && $direction == "in"')" -eq 6 ]
    [ "$(count '$variant == "interleaved" && $arrays == 4 && $direction == "both"')" -eq 6 ]
    [ "$(rows '$variant == "per-array"' '$direction " " $blocks' | sort -u)" = "both 4
in 3" ]
    [ "$(count '$errors != 0')" -eq 0 ]
    [ "$(rows '$direction == "both" && $arrays == 1' '$bytes' | sort -u)" -eq 131072 ]
    [ "$(count '$bandwidth_gbs * $time_s < 0.999e-9 * $bytes')" -eq 0 ]
    [ "$(count '$bandwidth_gbs * $time_s > 1.001e-9 * $bytes')" -eq 0 ]
}

@test "flags: all operations of table 4.1, and all combinations hand on safely" {
    run_apart timeout 300 "$bin/blp_flags" "${once[@]}" --writers 1,3 --operations 100 \
        --increments 100 --pairs 2 --threads 32 --handoffs 40
    [ "$status" -eq 0 ]
    [ "$(rows '$variant == "latency"' '$role " " $operation' | sort)" = "compute-read and
compute-read cas
compute-read volatile
compute-write add
compute-write inc
in-write add
in-write exchange
in-write or
out-read and
out-read cas
out-read volatile" ]
    [ "$(count '$variant == "throughput"')" -eq 22 ]
    [ "$(count '$variant == "throughput" && !($operations_per_s > 0)')" -eq 0 ]
    [ "$(count '$variant == "handoff"')" -eq 15 ]
    [ "$(rows '$variant == "handoff"' '$operation' | sort -u | wc -l)" -eq 12 ]
    [ "$(count '$variant == "handoff" && ($handoffs != 40 || $stale_reads != 0)')" -eq 0 ]
    # atomics lose nothing
    [ "$(count '$variant == "lost-updates" && $operation != "volatile" && $lost_updates == 0')" -eq 4 ]
    [ "$(count '$variant == "lost-updates" && $operation == "volatile" && $writers == 3')" -eq 1 ]
}

@test "flags: a flag that is raised before its data is found out" {
    run_apart timeout 300 "$bin/blp_flags" "${once[@]}" --variants handoff --pairs 2 --threads 32 \
        --handoffs 40 --early
    [ "$status" -eq 1 ]
    [ "$(count '$stale_reads > 0 && $errors == $stale_reads && $status == "fail"')" -ge 1 ]
    [[ $stderr == *"RESULT: FAIL "* ]]
    run_apart timeout 300 "$bin/blp_flags" "${once[@]}" --variants handoff --pairs 2 --threads 32 \
        --handoffs 40 --early -c 0
    [ "$status" -eq 0 ]
}

@test "versions: all of them compute the same on all benchmarks" {
    run_apart timeout 300 "$bin/blp_versions" "${once[@]}" "${small_link[@]}" --chunks 3,8 \
        --streams 1,2 --benchmarks conv2d:tiny,conv3d:tiny,gemm:tiny,fdtd2d:tiny,atax:tiny
    echo "$stderr"
    [ "$status" -eq 0 ]
    [ "$(count '$errors != 0')" -eq 0 ]
    [ "$(rows 1 '$benchmark' | sort -u | wc -l)" -eq 5 ]
    [ "$(count '$variant == "sync" && $outcome == "ok" && $streams == 1 && $chunks == 1')" -eq 5 ]
    # gemm's two panels make two chunks, however many are asked for
    [ "$(count '$variant == "async" && $benchmark != "gemm"')" -eq 16 ]
    [ "$(count '$variant == "async" && $benchmark == "gemm" && $chunks == 2')" -eq 2 ]
    [ "$(count '$variant ~ /^um/ && $outcome == "ok" && $device_bytes == ""')" -eq 10 ]
    # one launch, and no copies by the host
    [ "$(count '$variant ~ /^blp/ && $outcome == "ok" && $launches == 1 && $copies == 0')" -eq \
        "$(count '$variant ~ /^blp/ && $outcome == "ok"')" ]
    [ "$(count '$variant == "blp" && $outcome == "ok"')" -eq 5 ]
    [ "$(count '$variant == "blp" && $copy_in_blocks + $copy_out_blocks < $blocks')" -eq 5 ]
    [ "$(count '$variant == "blp-dynamic" && $copy_in_blocks == ""')" -eq 5 ]
    [ "$(count '$variant == "blp-buffer" && $outcome == "ok" && $device_bytes > $budget_bytes')" -eq 0 ]
    [ "$(count '$variant == "blp-buffer" && $outcome == "ok"')" -ge 3 ]
    [ "$(rows 1 '$link' | sort -u)" = "host memory" ]
}

@test "versions: within a budget only buffers and managed memory can be used" {
    run_apart timeout 300 "$bin/blp_versions" "${once[@]}" "${small_link[@]}" --capacity 0.25 \
        --benchmarks conv2d:512 --fitting conv2d:128,conv2d:256 \
        --variants sync,async,um-prefetch,blp,blp-buffer
    [ "$status" -eq 0 ]
    [ "$(count '$outcome == "does not fit" && $time_s == ""')" -eq 2 ]
    [ "$(rows '$outcome == "does not fit"' '$variant' | sort)" = "async
sync" ]
    [ "$(count '$variant == "blp-buffer" && $outcome == "ok" && $budget_bytes == 524288')" -eq 1 ]
    [ "$(count '$variant == "blp-buffer" && $device_bytes <= 524288')" -eq 1 ]
    [ "$(count '$variant == "um-prefetch" && $outcome == "ok" && $budget_bytes == 524288')" -eq 1 ]
    [ "$(count '$variant == "blp" && $outcome == "ok" && $budget_bytes == ""')" -eq 1 ]
    [ "$(count '$variant == "sync" && $outcome == "ok" && $budget_bytes == "" && $time_s > 0')" -eq 2 ]
}

@test "versions: managed memory fills the capacity, buffers their budget; loops beside see the host" {
    run_apart timeout 300 "$bin/blp_versions" "${once[@]}" "${small_link[@]}" --budget 0.25,0.125 \
        --capacity 0.8 --benchmarks conv2d:1024 --variants sync,um-prefetch,blp,blp-buffer --beside-a-loop
    [ "$status" -eq 0 ]
    [ "$(rows '$outcome == "does not fit"' '$variant " " $budget_bytes')" = "sync 6710886" ]
    [ "$(rows '$variant == "blp-buffer" && $device_bytes <= $budget_bytes' '$budget_bytes')" = "2097152
1048576" ]
    [ "$(count '$variant == "um-prefetch" && $used_bytes > 1000000 && $used_bytes <= 6800000')" -eq 1 ]
    [ "$(count '$variant ~ /^blp/ && $used_bytes >= $device_bytes && $used_bytes < $device_bytes + 2000000')" -eq 3 ]
    [ "$(count '$variant ~ /^blp/ && $free_share > 0 && $free_share <= 1.01')" -eq 3 ]
}

@test "versions: blocks, copy blocks, threads and tasks are those that were asked for" {
    run_apart timeout 300 "$bin/blp_versions" "${once[@]}" "${small_link[@]}" --variants async,blp \
        --benchmarks conv2d:tiny --blocks-per-sm 1,2 --copy-blocks 1,3:2 --threads 32,64 --tasks 7 \
        --async-threads 64,128 --layout interleaved --vector-bits 32
    [ "$status" -eq 0 ]
    [ "$(count '$variant == "blp"')" -eq 8 ]
    [ "$(count '$variant == "blp" && $blocks == 8 * $blocks_per_sm')" -eq 8 ]
    [ "$(rows '$variant == "blp"' '$blocks_per_sm " " $copy_in_blocks " " $threads' | sort -u | wc -l)" -eq 8 ]
    [ "$(rows '$variant == "blp"' '$copy_in_blocks ":" $copy_out_blocks' | sort -u)" = "1:1
3:2" ]
    [ "$(count '$variant == "blp" && $chunks == 7 && $task_size == 14')" -eq 8 ]
    [ "$(count '$variant == "blp" && $layout == "interleaved" && $vector_bits == 32')" -eq 8 ]
    [ "$(rows '$variant == "async"' '$threads' | sort -n)" = "64
128" ]
}

@test "versions: what came to be the same stands there once; what cannot be is refused in its row" {
    run_apart timeout 300 "$bin/blp_versions" "${once[@]}" "${small_link[@]}" --variants blp \
        --benchmarks conv2d:tiny --task-sizes 16,0,98,200
    [ "$status" -eq 0 ]
    [ "$(rows 1 '$task_size' | sort -n | uniq -d | wc -l)" -eq 0 ]
    [ "$(count '$task_size == 98')" -eq 1 ]
    run_apart timeout 300 "$bin/blp_versions" "${once[@]}" "${small_link[@]}" --variants blp \
        --benchmarks conv2d:tiny --blocks-per-sm 1,9
    [ "$status" -eq 0 ]
    [ "$(count '$outcome == "refused" && $blocks_per_sm == 9 && $time_s == ""')" -eq 1 ]
    [[ $stderr == *"resident at once"* ]]
}

@test "timeline: tasks wait for their rows, results for their tasks" {
    run_apart timeout 300 "$bin/blp_timeline" --csv --benchmarks conv2d:tiny,fdtd2d:tiny,atax:tiny \
        --task-size 10
    echo "$stderr"
    [ "$status" -eq 0 ]
    [ "$(count '$in_order != 1')" -eq 0 ]
    [ "$(rows 1 '$variant' | sort -u | wc -l)" -eq 3 ]
    [ "$(rows '$variant == "blp" && $benchmark == "conv2d" && $role == "compute"' '$first' | sort -n | head -n 2)" = "1
11" ]
    [ "$(rows '$variant == "blp" && $benchmark == "conv2d" && $role == "compute"' '$end' | sort -n | tail -n 1)" -eq 99 ]
    [ "$(count '$ready_s < $start_s || $end_s < $ready_s')" -eq 0 ]
    # blocks of a static execution have one role each
    [ "$(rows '$variant == "blp" && $benchmark == "conv2d"' '$block " " $role' | sort -u | cut -d" " -f1 | uniq -d | wc -l)" -eq 0 ]
}

@test "residency: more blocks than multiprocessors meet, and too many are not launched" {
    run_apart timeout 300 "$bin/blp_residency" "${once[@]}" -s 64K --threads 32 --chains 16 \
        --steps 20 --blocks-per-sm 1,2,4,64
    [ "$status" -eq 0 ]
    [ "$(count '$variant == "barrier" && $resident == 1 && $blocks == 8 * $blocks_per_sm')" -eq 3 ]
    [ "$(count '$blocks_per_sm == 64 && $resident == 0 && $time_s == ""')" -eq 3 ]
    [ "$(rows '$variant == "latency-bound" && $resident == 1' '$access' | sort | uniq -c | tr -s " ")" = " 3 chase
 3 stream" ]
    [ "$(count '$errors != 0')" -eq 0 ]
}

@test "the help names units, defaults and own options" {
    for program in blp_bandwidth blp_flags blp_versions blp_timeline blp_residency; do
        run_apart "$bin/$program" -h
        [ "$status" -eq 0 ]
        [[ $output == *"$program"* ]]
        [[ $output == *"default"* ]]
        run_apart "$bin/$program" -l
        [ "$status" -eq 0 ]
    done
}
