# blp/: the options of its programs, what they refuse, and what their rows say at tiny sizes.
# shellcheck disable=SC2016
# Conditions on rows are awk's.

load helper

small_link=(--link-bytes 64K)

# count CONDITION: how many rows there are for which an awk condition on c["name"] holds.
count() {
    cells status "$1" | wc -l
}

# rows CONDITION COLUMN...: these columns of those rows, sorted, each line once.
rows() {
    local name joined
    joined=$(cells "$2" "$1")
    for name in "${@:3}"; do
        joined=$(paste -d ' ' <(echo "$joined") <(cells "$name" "$1"))
    done
    sort -u <<<"$joined"
}

@test "bad options of the programs end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
blp_bandwidth|--directions up|unknown direction 'up'; choose from in, out, both
blp_bandwidth|--directions=|has an empty entry
blp_bandwidth|--directions in,out,both,in|has direction 'in' twice
blp_bandwidth|--chunks 3|3 is not a power of two
blp_bandwidth|--chunks 2048|within 1..1024
blp_bandwidth|--chunks x|not a list of whole numbers
blp_bandwidth|--vector-bits 64|unknown width '64'; choose from 32, 128
blp_bandwidth|--copy-threads 33|33 is neither a multiple
blp_bandwidth|--copy-threads 96 --block-threads 64|96 is neither a multiple
blp_bandwidth|--block-threads 40|not a multiple of 32
blp_bandwidth|-s 1000|not a multiple of 16K
blp_bandwidth|--copy-blocks 4:|an entry is IN:OUT or one number
blp_bandwidth|--copy-blocks 0|at least one block in each direction
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
blp_versions|--vector-bits 64|unknown width '64'; choose from 0, 32, 128
blp_versions|--copy-blocks 8:|an entry is IN:OUT or one number
blp_versions|--copy-blocks 8:2:1|an entry is IN:OUT or one number
blp_versions|--copy-blocks -1|an entry is IN:OUT or one number
blp_versions|--copy-blocks 1,4097|within 0..4096
blp_versions|--copy-blocks 1,,2|has an empty entry
blp_versions|--layout both|unknown layout 'both'; choose from per-array, interleaved
blp_versions|--budget -1|must be within
blp_versions|--engine-kib -1|within 0..
blp_versions|--budget 0.5,|has an empty entry
blp_versions|--budget 0|must be within
blp_versions|--budget x|not a list of numbers
blp_versions|--capacity -1|out of range
blp_timeline|--benchmarks conv2d:tiny:2|one round is traced
blp_timeline|--benchmarks pooling:tiny|no persistent kernel for pooling
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
    [ "$(count 'c["variant"] ~ /^memcpy/')" -eq 18 ]
    [ "$(count 'c["variant"] ~ /^memcpy/ && (c["threads"] != "" || c["vector_bits"] != "")')" -eq 0 ]
    # direct and direct-chunk: times 3 numbers of threads and 2 widths
    [ "$(count 'c["variant"] ~ /^direct/')" -eq 108 ]
    [ "$(count 'c["variant"] == "direct" && c["threads"] == 32 && c["blocks"] == 1')" -eq 18 ]
    [ "$(count 'c["variant"] == "direct" && c["threads"] == 192 && c["blocks"] == 3')" -eq 18 ]
    # three arrays in, or three in and one out; per-array where the blocks can be divided
    [ "$(count 'c["variant"] == "interleaved" && c["arrays"] == 3 && c["direction"] == "in"')" -eq 6 ]
    [ "$(count 'c["variant"] == "interleaved" && c["arrays"] == 4 && c["direction"] == "both"')" -eq 6 ]
    [ "$(rows 'c["variant"] == "per-array"' direction blocks)" = "both 4
in 3" ]
    holds 'c["errors"] == 0'
    [ "$(values bytes 'c["direction"] == "both" && c["arrays"] == 1')" -eq 131072 ]
    holds 'c["bandwidth_gbs"] * c["time_s"] > 0.999e-9 * c["bytes"] && c["bandwidth_gbs"] * c["time_s"] < 1.001e-9 * c["bytes"]'
}

@test "bandwidth: other numbers of copy blocks in than out" {
    run_apart "$bin/blp_bandwidth" "${once[@]}" -s 64K --chunks 1,4 --block-threads 64 --directions both \
        --variants memcpy,direct --copy-blocks 2,3:1,1:3 --vector-bits 128
    [ "$status" -eq 0 ]
    holds 'c["errors"] == 0'
    [ "$(rows 'c["variant"] == "direct" && c["chunks"] == 4' blocks out_blocks threads)" = "1 3 64
2  128
3 1 192" ]
    [ "$(count 'c["variant"] == "memcpy" && c["blocks"] == ""')" -eq 2 ]
}

@test "flags: all operations of table 4.1, and all combinations hand on safely" {
    run_apart "$bin/blp_flags" "${once[@]}" --writers 1,3 --operations 100 \
        --increments 100 --pairs 2 --threads 32 --handoffs 40
    [ "$status" -eq 0 ]
    [ "$(rows 'c["variant"] == "latency"' role operation)" = "compute-read and
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
    [ "$(count 'c["variant"] == "throughput"')" -eq 22 ]
    [ "$(count 'c["variant"] == "throughput" && !(c["operations_per_s"] > 0)')" -eq 0 ]
    [ "$(count 'c["variant"] == "handoff"')" -eq 15 ]
    [ "$(rows 'c["variant"] == "handoff"' operation | wc -l)" -eq 12 ]
    [ "$(count 'c["variant"] == "handoff" && (c["handoffs"] != 40 || c["stale_reads"] != 0)')" -eq 0 ]
    # atomics lose nothing
    [ "$(count 'c["variant"] == "lost-updates" && c["operation"] != "volatile" && c["lost_updates"] == 0')" -eq 4 ]
    [ "$(count 'c["variant"] == "lost-updates" && c["operation"] == "volatile" && c["writers"] == 3')" -eq 1 ]
}

@test "flags: a flag that is raised before its data is found out" {
    run_apart "$bin/blp_flags" "${once[@]}" --variants handoff --pairs 2 --threads 32 \
        --handoffs 40 --early
    [ "$status" -eq 1 ]
    [ "$(count 'c["stale_reads"] > 0 && c["errors"] == c["stale_reads"] && c["status"] == "fail"')" -ge 1 ]
    [[ $stderr == *"RESULT: FAIL "* ]]
    run_apart "$bin/blp_flags" "${once[@]}" --variants handoff --pairs 2 --threads 32 \
        --handoffs 40 --early -c 0
    [ "$status" -eq 0 ]
}

@test "versions: all of them compute the same on all benchmarks" {
    run_apart "$bin/blp_versions" "${once[@]}" "${small_link[@]}" --chunks 3,8 \
        --streams 1,2 --benchmarks conv2d:tiny,conv3d:tiny,gemm:tiny,fdtd2d:tiny,atax:tiny
    [ "$status" -eq 0 ]
    holds 'c["errors"] == 0'
    [ "$(rows 1 benchmark | wc -l)" -eq 5 ]
    [ "$(count 'c["variant"] == "sync" && c["outcome"] == "ok" && c["streams"] == 1 && c["chunks"] == 1')" -eq 5 ]
    # gemm's two panels make two chunks, however many are requested
    [ "$(count 'c["variant"] == "async" && c["benchmark"] != "gemm"')" -eq 16 ]
    [ "$(count 'c["variant"] == "graph" && c["outcome"] == "ok"')" -eq 18 ]
    [ "$(count 'c["variant"] == "async" && c["benchmark"] == "gemm" && c["chunks"] == 2')" -eq 2 ]
    [ "$(count 'c["variant"] ~ /^um/ && c["outcome"] == "ok" && c["device_bytes"] == ""')" -eq 10 ]
    # one launch, and copies by the host only for engines
    [ "$(count 'c["variant"] ~ /^blp/ && c["outcome"] == "ok" && (c["launches"] != 1 || (c["copies"] == 0) != (c["engine_tasks"] == ""))')" -eq 0 ]
    [ "$(rows 'c["variant"] ~ /^blp-engine/ || c["variant"] == "blp"' variant in out)" = "blp blocks blocks
blp-engine-in engine blocks
blp-engine-out blocks engine
blp-engines engine engine" ]
    [ "$(count 'c["variant"] == "blp-hybrid" && c["outcome"] == "ok"')" -eq 5 ]
    [ "$(count 'c["variant"] == "blp" && c["outcome"] == "ok"')" -eq 5 ]
    [ "$(count 'c["variant"] == "blp" && c["copy_in_blocks"] + c["copy_out_blocks"] < c["blocks"]')" -eq 5 ]
    [ "$(count 'c["variant"] == "blp-dynamic" && c["copy_in_blocks"] == ""')" -eq 5 ]
    [ "$(count 'c["variant"] == "blp-buffer" && c["outcome"] == "ok" && c["device_bytes"] > c["budget_bytes"]')" -eq 0 ]
    [ "$(count 'c["variant"] == "blp-buffer" && c["outcome"] == "ok"')" -ge 3 ]
    [ "$(values link)" = "host memory" ]
}

@test "versions: within a budget only buffers and managed memory can be used" {
    run_apart "$bin/blp_versions" "${once[@]}" "${small_link[@]}" --capacity 0.25 \
        --benchmarks conv2d:512 --fitting conv2d:128,conv2d:256 \
        --variants sync,async,um-prefetch,blp,blp-buffer
    [ "$status" -eq 0 ]
    [ "$(count 'c["outcome"] == "does not fit" && c["time_s"] == ""')" -eq 2 ]
    [ "$(rows 'c["outcome"] == "does not fit"' variant)" = "async
sync" ]
    [ "$(count 'c["variant"] == "blp-buffer" && c["outcome"] == "ok" && c["budget_bytes"] == 524288')" -eq 1 ]
    [ "$(count 'c["variant"] == "blp-buffer" && c["device_bytes"] <= 524288')" -eq 1 ]
    [ "$(count 'c["variant"] == "um-prefetch" && c["outcome"] == "ok" && c["budget_bytes"] == 524288')" -eq 1 ]
    [ "$(count 'c["variant"] == "blp" && c["outcome"] == "ok" && c["budget_bytes"] == ""')" -eq 1 ]
    [ "$(count 'c["variant"] == "sync" && c["outcome"] == "ok" && c["budget_bytes"] == "" && c["time_s"] > 0')" -eq 2 ]
}

@test "versions: managed memory fills the capacity, buffers their budget; loops beside see the host" {
    run_apart "$bin/blp_versions" "${once[@]}" "${small_link[@]}" --budget 0.25,0.125 \
        --capacity 0.8 --benchmarks conv2d:1024 --variants sync,um-prefetch,blp,blp-buffer --beside-a-loop
    [ "$status" -eq 0 ]
    [ "$(rows 'c["outcome"] == "does not fit"' variant budget_bytes)" = "sync 6710886" ]
    [ "$(cells budget_bytes 'c["variant"] == "blp-buffer" && c["device_bytes"] <= c["budget_bytes"]')" = "2097152
1048576" ]
    [ "$(count 'c["variant"] == "um-prefetch" && c["used_bytes"] > 1000000 && c["used_bytes"] <= 6800000')" -eq 1 ]
    [ "$(count 'c["variant"] ~ /^blp/ && c["used_bytes"] >= c["device_bytes"] && c["used_bytes"] < c["device_bytes"] + 2000000')" -eq 3 ]
    [ "$(count 'c["variant"] ~ /^blp/ && c["free_share"] > 0 && c["free_share"] <= 1.01')" -eq 3 ]
}

@test "versions: blocks, copy blocks, threads and tasks are those that were requested" {
    run_apart "$bin/blp_versions" "${once[@]}" "${small_link[@]}" --variants async,blp \
        --benchmarks conv2d:tiny --blocks-per-sm 1,2 --copy-blocks 1,3:2 --threads 32,64 --tasks 7 \
        --async-threads 64,128 --layout interleaved --vector-bits 32
    [ "$status" -eq 0 ]
    [ "$(count 'c["variant"] == "blp"')" -eq 8 ]
    [ "$(count 'c["variant"] == "blp" && c["blocks"] == 8 * c["blocks_per_sm"]')" -eq 8 ]
    [ "$(rows 'c["variant"] == "blp"' blocks_per_sm copy_in_blocks threads | wc -l)" -eq 8 ]
    [ "$(rows 'c["variant"] == "blp"' copy_in_blocks copy_out_blocks)" = "1 1
3 2" ]
    [ "$(count 'c["variant"] == "blp" && c["chunks"] == 7 && c["task_size"] == 14')" -eq 8 ]
    [ "$(count 'c["variant"] == "blp" && c["layout"] == "interleaved" && c["vector_bits"] == 32')" -eq 8 ]
    [ "$(cells threads 'c["variant"] == "async"' | sort -n)" = "64
128" ]
}

@test "versions: what came to be the same stands there once; what cannot be is refused in its row" {
    run_apart "$bin/blp_versions" "${once[@]}" "${small_link[@]}" --variants blp \
        --benchmarks conv2d:tiny --task-sizes 16,0,98,200
    [ "$status" -eq 0 ]
    [ "$(cells task_size | sort -n | uniq -d | wc -l)" -eq 0 ]
    [ "$(count 'c["task_size"] == 98')" -eq 1 ]
    run_apart "$bin/blp_versions" "${once[@]}" "${small_link[@]}" --variants blp \
        --benchmarks conv2d:tiny --blocks-per-sm 1,9
    [ "$status" -eq 0 ]
    [ "$(count 'c["outcome"] == "refused" && c["blocks_per_sm"] == 9 && c["time_s"] == ""')" -eq 1 ]
    [[ $stderr == *"resident at once"* ]]
}

@test "versions: engines copy as many KiB at once as were requested, in whole tasks" {
    run_apart "$bin/blp_versions" -n 1 -w 0 --csv "${small_link[@]}" --variants blp,blp-engine-in,blp-engines \
        --benchmarks conv2d:256 --task-sizes 2 --engine-kib 0,16 --copy-blocks 2:1
    [ "$status" -eq 0 ]
    # 127 tasks of 2 rows of 1 KiB
    [ "$(rows 'c["engine_bytes"] == 16384' variant engine_tasks copies copy_out_blocks)" = "blp-engine-in 8 32 1
blp-engines 8 48 " ]
    # by itself what the rates predict to be fastest: copies and words in, and copies out
    holds 'c["engine_bytes"] != "" || c["variant"] == "blp" ||
        (c["copies"] == int((126 + c["engine_tasks"]) / c["engine_tasks"]) * (c["variant"] == "blp-engines" ? 3 : 2))'
    holds '(c["predicted_s"] > 0) == (c["variant"] != "blp")'
    [[ $stderr == *"ns per narrow row"*"conv2d: 8 blocks take "*" us for a unit each, "* ]]
    [ "$(rows 'c["variant"] == "blp"' engine_bytes copy_in_blocks)" = " 2" ]
}

@test "timeline: tasks wait for their rows, results for their tasks" {
    run_apart "$bin/blp_timeline" --csv --benchmarks conv2d:tiny,fdtd2d:tiny,atax:tiny \
        --task-size 10
    [ "$status" -eq 0 ]
    local computed='c["variant"] == "blp" && c["benchmark"] == "conv2d" && c["role"] == "compute"'
    holds 'c["in_order"] == 1'
    [ "$(rows 1 variant | wc -l)" -eq 3 ]
    [ "$(cells first "$computed" | sort -n | head -n 2)" = "1
11" ]
    [ "$(cells end "$computed" | sort -n | tail -n 1)" -eq 99 ]
    holds 'c["ready_s"] >= c["start_s"] && c["end_s"] >= c["ready_s"]'
    # blocks of a static execution have one role each
    [ "$(rows 'c["variant"] == "blp" && c["benchmark"] == "conv2d"' block role | cut -d" " -f1 | uniq -d | wc -l)" -eq 0 ]
}

@test "residency: more blocks than multiprocessors meet, and too many are not launched" {
    run_apart "$bin/blp_residency" "${once[@]}" -s 64K --threads 32 --chains 16 \
        --steps 20 --blocks-per-sm 1,2,4,64
    [ "$status" -eq 0 ]
    [ "$(count 'c["variant"] == "barrier" && c["resident"] == 1 && c["blocks"] == 8 * c["blocks_per_sm"]')" -eq 3 ]
    [ "$(count 'c["blocks_per_sm"] == 64 && c["resident"] == 0 && c["time_s"] == ""')" -eq 3 ]
    [ "$(cells access 'c["variant"] == "latency-bound" && c["resident"] == 1' | sort | uniq -c | tr -s " ")" = " 3 chase
 3 stream" ]
    holds 'c["errors"] == 0'
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
