# pipeline/: the programs that measure pipelines: their rows and what these mean, and what they refuse.

load helper

# of PROGRAM OPTIONS...: runs it.
of() {
    run_apart "$bin/pipeline_$1" "${@:2}"
}

once+=(-q)
# All but loops with offload, which need an NVIDIA GPU.
here=(--variants naive,pipeline,framework,pipeline-graph,graph,several,auto)

# rows CONDITION: how many there are.
rows() {
    cells status "$1" | wc -l
}

# As all_right, but rows of what does not fit have no time.
passed() {
    [ "$status" -eq 0 ]
    holds 'c["status"] == "pass" && c["errors"] == 0'
}

@test "bad options of pipeline's programs are one sentence and no output" {
    refuses_all <<'TABLE'
pipeline_versions|--benchmarks nothing|unknown benchmark 'nothing'; choose from conv2d
pipeline_versions|--benchmarks conv3d,,qcd|has an empty entry
pipeline_versions|--benchmarks=|has an empty entry
pipeline_versions|--benchmarks conv3d:huge|huge
pipeline_versions|--benchmarks conv3d:2|conv3d
pipeline_versions|--benchmarks conv3d:tiny:0|must be within 1..
pipeline_versions|--benchmarks conv3d:tiny:1..2|not one number of rounds
pipeline_versions|--benchmarks conv3d:tiny:two|not a list of whole numbers
pipeline_versions|--benchmarks gemm:100|gemm
pipeline_versions|--datasets none|none
pipeline_versions|--streams 0|must be within 1..64
pipeline_versions|--streams 65|must be within 1..64
pipeline_versions|--streams 4..2|not a list of whole numbers
pipeline_versions|--streams 1;2|not a list of whole numbers
pipeline_versions|--streams 99999999999999999999|not a list of whole numbers
pipeline_versions|--chunk-sizes 0|--chunk-sizes 0
pipeline_versions|--chunk-sizes -1|must be within 1..
pipeline_versions|--chunk-sizes 1..100000|more than 4096 numbers
pipeline_versions|--chunks 2,x|--chunks 2,x is not a list
pipeline_versions|--chunks 2 --chunk-sizes 3|give one of them
pipeline_versions|--block 32|not a thread block such as 32x8
pipeline_versions|--block 0x8|not a thread block
pipeline_versions|--block 32x8x1|not a thread block
pipeline_versions|--rounds 0|out of range
pipeline_versions|--budget -1|not a size
pipeline_versions|--link-bytes 1|out of range
pipeline_versions|--variants block|block
pipeline_matmul|--sizes 64,65|multiples of 32
pipeline_matmul|--sizes 0|0
pipeline_matmul|--streams 0|out of range
pipeline_matmul|--chunk-size 0|out of range
pipeline_calls|--sizes 2|too short
pipeline_calls|--copies 0|out of range
pipeline_calls|--benchmarks pooling:none|none
pipeline_timeline|--streams 65|out of range
pipeline_timeline|--chunk-size 0|out of range
pipeline_timeline|--benchmarks stencil:tiny --budget 4K|bytes
TABLE
}

@test "every program of pipeline explains itself and lists its variants" {
    for program in versions matmul calls timeline; do
        of $program -h
        [ "$status" -eq 0 ]
        [[ $output == *"pipeline_$program"* ]]
        of $program -l
        [ "$status" -eq 0 ]
        [ "$(wc -l <<<"$output")" -ge 2 ]
    done
}

@test "loops with offload are waived where there is no NVIDIA GPU" {
    [ "$GPU" = soft ] || skip "GPU=$GPU"
    of versions "${once[@]}" --benchmarks conv2d:tiny --variants naive,openacc,openmp
    [ "$status" -eq 0 ]
    [ "$(rows 'c["variant"] ~ /^open(acc|mp)$/ && c["status"] == "waived"')" -eq 2 ]
    [ "$(rows 'c["variant"] == "naive" && c["status"] == "pass"')" -eq 1 ]
}

@test "a sweep has a row per version, streams and chunk size, and naive once" {
    of versions "${once[@]}" "${here[@]}" --benchmarks conv3d:20 --streams 1..3 --chunk-sizes 1,5,18,1000
    passed
    [ "$(rows 'c["variant"] == "naive"')" -eq 1 ]
    [ "$(rows 'c["variant"] == "auto"')" -eq 1 ]
    for version in pipeline framework; do # 18 and 1000 are both the whole loop
        [ "$(rows 'c["variant"] == "'$version'"')" -eq 9 ]
        [ "$(rows 'c["variant"] == "'$version'" && c["streams"] == 3 && c["chunk_size"] == 5')" -eq 1 ]
    done
    holds 'c["variant"] == "auto" || c["chunks"] == int((18 + c["chunk_size"] - 1) / c["chunk_size"])'
    holds 'c["variant"] != "auto" || c["streams"] c["chunk_size"] c["chunks"] == ""'
    holds 'c["streams_used"] >= 1 && c["chunk_size_used"] >= 1'
    holds 'c["variant"] != "naive" || (c["streams"] == 1 && c["chunks"] == 1)'
}

@test "numbers of chunks are turned into chunk sizes, each once" {
    of versions "${once[@]}" --benchmarks conv3d:20 --variants pipeline --chunks 1,2,7,17,1000
    passed
    # 18 iterations: 7 chunks of at most 3 are 6; 17 of at most 2 are 9; never more than 18
    [ "$(cells chunks | tr '\n' ' ')" = "1 2 6 9 18 " ]
    [ "$(cells chunk_size | tr '\n' ' ')" = "18 9 3 2 1 " ]
}

@test "what is copied, called and allocated is what the versions stand for" {
    # 40 by 40 floats: input read in full, 38 of 40 rows of the output written
    of versions "${once[@]}" "${here[@]}" --benchmarks conv2d:40,conv3d:20 --streams 2 --chunk-sizes 1,4
    passed
    holds 'c["benchmark"] != "conv2d" || (c["bytes_to_device"] == 6400 && c["bytes_from_device"] == 6080)'
    holds 'c["benchmark"] != "conv2d" || c["footprint_bytes"] == 12800'
    holds 'c["variant"] != "naive" || c["copies"] == 2'
    # one copy in and one out per chunk
    holds 'c["variant"] != "pipeline" || c["copies"] == 2 * c["chunks"]'
    # a graph is launched, an event recorded and waited for
    holds 'c["variant"] ~ /graph/ ? c["api_calls"] == 3 : c["api_calls"] > c["copies"]'
    [ "$(cells copies 'c["variant"] == "graph"')" = "$(cells copies 'c["variant"] == "framework"')" ]
    holds 'c["variant"] != "naive" && c["variant"] != "pipeline" || c["device_bytes"] >= c["footprint_bytes"]'
    holds 'c["variant"] != "framework" || c["device_bytes"] < c["footprint_bytes"]'
    holds 'c["used_bytes"] >= c["device_bytes"]'
    [ "$(cells api_calls 'c["variant"] == "pipeline" && c["benchmark"] == "conv2d"' | sort -rnu | wc -l)" -eq 2 ]
}

@test "several GPUs share a loop: each has rings, and what two parts need goes to both" {
    SOFTGPU_DEVICES=2 of versions -n 1 -w 0 --csv --benchmarks conv2d:40,stencil:tiny:3,atax:40 --variants framework,several --devices 1,2 --streams 2 \
        --chunk-sizes 4
    passed
    [[ $stderr == *"links: "*"GB/s in"*"of 2 GPUs together: "*" of 2 times one both ways"* ]]
    [[ $stderr == *"atax: iterations need results of earlier ones"*"among 2 GPUs"* ]]
    holds '(c["outcome"] == "refused") == (c["benchmark"] == "atax" && c["devices"] == 2)'
    [ "$(cells bytes_to_device 'c["benchmark"] == "conv2d"' | tr '\n' ' ')" = "6400 6400 6720 " ] # two rows more
    [ "$(cells bytes_from_device 'c["benchmark"] == "conv2d"' | sort -u)" = 6080 ]
    holds 'c["streams"] == 2 && c["chunk_size"] == 4'
    [ "$(cells device_bytes 'c["benchmark"] == "conv2d" && c["devices"] == 2')" -eq \
        $((2 * $(cells device_bytes 'c["benchmark"] == "conv2d" && c["devices"] == 1'))) ]
    # a bound of both links, but where it was refused; several on one GPU has that of one link
    holds 'c["outcome"] == "refused" ? c["bound_s"] c["bound_share"] == "" : c["bound_s"] > 0'
    holds 'c["outcome"] == "refused" || (c["bound_s"] / c["time_s"] / c["bound_share"] - 1) ^ 2 < 1e-6'
    holds '(c["links_ratio"] > 0) == (c["devices"] == 2)'
    [ "$(cells links_ratio 'c["devices"] == 2' | sort -u | wc -l)" -eq 1 ]
    [ "$(cells bound_s 'c["devices"] == 1 && c["benchmark"] == "conv2d"')" = "$(cells bound_s 'c["variant"] == "framework" && c["benchmark"] == "conv2d"')" ]
    SOFTGPU_DEVICES=1 of versions -n 1 -w 0 --csv --benchmarks conv2d:40 --variants several --devices 2
    [[ $stderr == *"2 GPUs from number 0 on: there are 1 in all"* ]]
    [[ $stderr != *"links: "* ]]
    # 2 iterations on 3 GPUs: one of the links that were measured has nothing to carry
    SOFTGPU_DEVICES=3 of versions -n 1 -w 0 --csv --benchmarks conv2d:4 --variants several --devices 3
    passed
    holds 'c["links_ratio"] > 0 && c["bound_s"] c["bound_share"] == ""'
}

@test "naive has phases, the others have not; all have a bound" {
    of versions "${once[@]}" "${here[@]}" --benchmarks stencil:tiny:3 --streams 2
    passed
    holds 'c["variant"] != "naive" || c["to_device_s"] > 0 && c["kernel_s"] > 0 && c["from_device_s"] > 0'
    holds 'c["variant"] != "naive" || c["to_device_s"] + c["kernel_s"] + c["from_device_s"] <= c["time_s"] * 1.01'
    holds 'c["variant"] == "naive" || c["to_device_s"] c["kernel_s"] c["from_device_s"] == ""'
    holds 'c["rounds"] == 3 && c["bound_s"] > 0 && c["host_cpu_s"] > 0'
    holds '(c["bound_s"] / c["time_s"] - c["bound_share"]) ^ 2 < 1e-6 * c["bound_share"] ^ 2'
    holds 'c["variant"] == "naive" || (1e-9 * c["bytes_to_device"] / c["time_s"] / c["bandwidth_to_device_gbs"] - 1) ^ 2 < 1e-6'
}

@test "rounds, thread block and seed change what is done" {
    of versions "${once[@]}" --benchmarks conv3d:20 --rounds 2 --variants naive --block 16x4
    passed
    holds 'c["rounds"] == 2 && c["bytes_to_device"] == 64000 && c["block_x"] == 16 && c["block_y"] == 4'
    of versions "${once[@]}" --benchmarks conv3d:20 --variants naive --block 1024x1024
    [ "$status" -eq 1 ]
}

@test "what does not fit the budget is said, and the framework runs in it" {
    # conv3d of 32: planes of 4 KiB, 128 KiB per array
    of versions -n 2 -w 0 --csv "${here[@]}" --benchmarks conv3d:32 --streams 8 --budget 64K
    passed
    [[ $stderr == *"conv3d"*65536* ]]
    for version in naive pipeline; do
        [ "$(cells outcome 'c["variant"] == "'$version'"')" = "does not fit" ]
        [ "$(rows 'c["variant"] == "'$version'" && c["time_s"] == ""')" -eq 1 ]
    done
    for version in framework auto; do
        [ "$(rows 'c["variant"] == "'$version'" && c["outcome"] == "ok" && c["time_s"] > 0')" -eq 2 ]
    done
    holds 'c["outcome"] != "ok" || c["device_bytes"] <= 65536'
    # 8 streams' rings of chunks of 1 are too large
    holds 'c["variant"] != "framework" || (c["streams"] == 8 && c["streams_used"] < 8 && c["streams_used"] >= 2)'
    of versions "${once[@]}" "${here[@]}" --benchmarks conv3d:32 --budget 4K
    passed
    holds 'c["outcome"] == "does not fit" && c["device_bytes"] == "" && c["footprint_bytes"] == 262144'
}

@test "all benchmarks are right in all versions" {
    of versions "${once[@]}" "${here[@]}" --streams 3 --chunk-sizes 2 \
        --benchmarks conv2d:tiny,conv3d:tiny,gemm:tiny,matmul:tiny,matmul_naive:tiny,fdtd2d:tiny,atax:tiny,stencil:tiny:2,qcd:tiny,pooling:tiny,transpose:tiny
    passed
    [ "$(rows 1)" -eq 77 ]
    of versions "${once[@]}" --benchmarks qcd:tiny --variants naive -c 0
    passed
}

@test "a device that is lost ends the program with an error and no results" {
    [ "${GPU:-soft}" = soft ] || skip "only the software GPU can be lost"
    SOFTGPU_FAIL_AFTER=2000 of versions "${once[@]}" --benchmarks conv3d:tiny -o "$scratch/lost.csv"
    [ "$status" -eq 1 ]
    [[ $stderr == *"RESULT: FAIL "*"the device is unavailable"* ]]
    [ ! -e "$scratch/lost.csv" ]
}

@test "matrices that fit only with ring buffers are multiplied with them" {
    # whole: 12 bytes per element, pipeline-buffer: 4 and the rings
    of matmul -n 2 -w 0 --csv -q --sizes 64,128,256,288 --budget 800000 --streams 2 --chunk-size 1
    passed
    [ "$(rows 1)" -eq 22 ]
    [ "$(cells size 'c["outcome"] == "does not fit"' | tr '\n' ' ')" = "288 288 " ]
    [ "$(cells benchmark 'c["variant"] == "naive"' | sort -u)" = matmul_naive ]
    holds 'c["outcome"] != "ok" || c["device_bytes"] <= 800000'
    holds 'c["outcome"] != "ok" || c["variant"] == "pipeline-buffer" || c["device_bytes"] >= 12 * c["size"] ^ 2'
    holds 'c["variant"] != "pipeline-buffer" || c["size"] < 128 || c["device_bytes"] <= 10 * c["size"] ^ 2'
    holds 'c["variant"] == "pipeline-buffer" || c["outcome"] != "ok" || c["kernel_s"] > 0'
    of matmul "${once[@]}" --sizes 64 --variants pipeline-buffer
    passed
}

@test "copies of all lengths arrive, panels too, and their bandwidth is told" {
    of calls "${once[@]}" --sizes 64,2K,64K --variants copy-1d,copy-2d --copies 10
    passed
    [ "$(cells chunks 'c["variant"] == "copy-1d"' | tr '\n' ' ')" = "10 10 1 " ]
    # 64 KiB are 128 rows: 64 bytes are less than a float for each
    [ "$(cells bytes 'c["variant"] == "copy-2d"' | tr '\n' ' ')" = "2048 65536 " ]
    holds '(1e-9 * c["bytes"] * c["chunks"] / c["time_s"] / c["bandwidth_gbs"] - 1) ^ 2 < 1e-6'
}

@test "calls, order and overlap are measured" {
    of calls -n 8 -w 1 --csv -q --sizes 4M --variants call,order,overlap-default
    passed
    [ "$(cells operation 'c["variant"] == "call"' | sort -u | tr '\n' ' ')" = "copy event-record kernel stream-wait " ]
    holds 'c["variant"] != "call" || (c["call_s"] > 0 && c["call_s"] == c["time_s"])'
    [ "$(rows 'c["variant"] == "order"')" -eq 8 ]
    holds 'c["variant"] != "overlap-default" || c["overlap_s"] == 0'
    # Copies of several ms: also where other programs run, both streams get a turn during one of eight.
    of calls -n 8 -w 1 --csv -q --sizes 32M --variants overlap-streams
    [ "$(rows 'c["overlap_s"] > 0')" -ge 1 ]
    holds 'c["overlap_s"] < c["time_s"]'
}

@test "kernels are compared with the copies that they need" {
    of calls "${once[@]}" --variants compute-ratio --sizes 4K --datasets tiny
    passed
    [ "$(cells operation | tr '\n' ' ')" = "conv2d pooling transpose " ]
    holds 'c["ratio"] > 0 && c["bytes"] > 0'
}

@test "a timeline shows each slice in its slot, and every result leave once" {
    of timeline --csv -q --benchmarks conv3d:20 --streams 3
    passed
    holds 'c["resident_ok"] == 1 && c["end_s"] >= c["start_s"]'
    holds 'c["variant"] != "framework" || c["operation"] == "kernel" || c["slot"] == c["first_slice"] % c["slots"]'
    holds 'c["operation"] == "kernel" || c["array"] == (c["operation"] == "to_device" ? "input" : "output")'
    for version in framework pipeline; do
        [ "$(cells chunk 'c["variant"] == "'$version'" && c["operation"] == "kernel"' | sort -nu | wc -l)" -eq 18 ]
        [ "$(cells first_slice 'c["variant"] == "'$version'" && c["operation"] == "from_device"' | sort -n | tr '\n' ' ')" = "$(seq -s ' ' 1 18) " ]
        # a slice is copied in once, however many iterations read it
        [ "$(cells end_slice 'c["variant"] == "'$version'" && c["operation"] == "to_device"' | sort -n | tail -n 1)" -eq 20 ]
        [ "$(cells first_slice 'c["variant"] == "'$version'" && c["operation"] == "to_device"' | sort -n | uniq -d | wc -l)" -eq 0 ]
    done
    [ "$(cells stream 'c["operation"] == "kernel"' | sort -nu | tr '\n' ' ')" = "0 1 2 " ]
}

@test "timelines of all kinds of regions are in order" {
    of timeline --csv -q --streams 4 --chunk-size 2 \
        --benchmarks conv2d:tiny,conv3d:tiny:3,stencil:tiny:3,gemm:tiny,matmul:tiny,fdtd2d:tiny,atax:tiny,qcd:tiny,pooling:tiny,transpose:tiny
    passed
    [ "$(cells benchmark | sort -u | wc -l)" -eq 10 ]
    [ "$(cells round 'c["benchmark"] == "conv3d"' | sort -u | tr '\n' ' ')" = "0 1 2 " ]
}
