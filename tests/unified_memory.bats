# unified_memory/: the options of its programs, their output, and what they reject.

load helper

@test "bad options of the programs end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
unified_memory_access|--patterns once|unknown pattern 'once'; choose from read-once
unified_memory_access|--patterns read-once,|patterns
unified_memory_access|--patterns=|patterns
unified_memory_access|--sizes 1K|from 4K to 1T
unified_memory_access|--passes 0|out of range
unified_memory_access|--turns x|not a number
unified_memory_access|--function-bytes 1|out of range
unified_memory_convolution|--benchmarks conv9d|conv9d
unified_memory_convolution|--datasets huge|has no data set huge
unified_memory_convolution|--rounds 0|rounds
unified_memory_convolution|--streams 65|streams
unified_memory_convolution|--chunks 0|out of range
unified_memory_convolution|--capacity 4M --shares 0.5,|--shares '' has an empty entry
unified_memory_convolution|--capacity 4M --shares 0|--shares 0: the numbers must be within
unified_memory_convolution|--capacity 4M --shares nan|--shares nan: the numbers must be within
unified_memory_convolution|--capacity 4M --shares 1e-6|the smallest data set of conv3d takes
unified_memory_convolution|--capacity 4M --datasets small|exclude one another
unified_memory_matmul|--matrices 33|multiple of 32
unified_memory_matmul|--capacity 4M --matrices 32|exclude one another
TABLE
}

@test "all patterns and ways are right and moved what they should" {
    run_apart "$bin/unified_memory_access" "${once[@]}" --sizes 1M --function-bytes 2M --turns 2
    [ "$status" -eq 0 ]
    [ "$(column time_s first-touch | wc -l)" -eq 6 ]
    [ "$(column time_s recopy | wc -l)" -eq 1 ]
    [ "$(column bytes_to_device explicit pattern ping-pong)" -eq $((2 << 20)) ]
    [ "$(column bytes_from_device explicit pattern write-only)" -eq $((1 << 20)) ]
    [ "$(column bytes_to_device recopy)" -eq $((10 << 20)) ]
    [ -z "$(column bytes_to_device zero-copy pattern read-once)" ]
}

@test "what is advised read-mostly and written is waived beyond 64 MiB, with the reason" {
    run_apart "$bin/unified_memory_access" --variants read-mostly --patterns write-only,ping-pong --sizes 65M -n 1 -w 0 --csv
    echo "$output $stderr"
    [ "$(grep -c ',waived$' <<<"$output")" -eq 2 ]
    [[ $stderr == *"read-mostly and written takes long"*"at most 64 MiB here"* ]]
}

@test "faults and migrations are those of the hints" {
    [ "${GPU:-soft}" = soft ] || skip "a driver's heuristics decide on a real GPU"
    run_apart "$bin/unified_memory_access" "${once[@]}" --sizes 1M --patterns read-once,ping-pong
    all_right
    [ "$(column device_faults first-touch pattern read-once)" -eq 16 ]
    [ "$(column bytes_to_device first-touch pattern read-once)" -eq $((1 << 20)) ]
    [ "$(column device_faults prefetch pattern read-once)" -eq 0 ]
    [ "$(column bytes_to_device prefetch pattern read-once)" -eq $((1 << 20)) ]
    [ "$(column device_faults accessed-by pattern read-once)" -eq 0 ]
    [ "$(column bytes_to_device accessed-by pattern read-once)" -eq 0 ]
    [ "$(column bytes_to_device preferred-host pattern ping-pong)" -eq 0 ]
    [ "$(column host_faults prefetch pattern ping-pong)" -eq 0 ]
    [ "$(column host_faults first-touch pattern ping-pong)" -eq 64 ]
}

@test "memory is populated by a touch or a prefetch, not by the allocation" {
    run_apart "$bin/unified_memory_access" "${once[@]}" --patterns functions --function-bytes 4M
    [ "$status" -eq 0 ]
    for variant in first-touch prefetch; do
        [ "$(column used_allocated_bytes $variant)" -eq 0 ]
        [ "$(column used_touched_bytes $variant)" -ge $((4 << 20)) ]
    done
}

@test "without host updates managed memory moves once, however many rounds there are" {
    [ "${GPU:-soft}" = soft ] || skip "needs the software GPU's counters"
    run_apart "$bin/unified_memory_convolution" "${once[@]}" --datasets 32 --rounds 1,4 --variants pipeline,um
    all_right
    [ "$(column bytes_to_device um rounds 1)" -eq "$(column bytes_to_device um rounds 4)" ]
    [ "$(column bytes_to_device pipeline rounds 4)" -eq $((4 * $(column bytes_to_device pipeline rounds 1))) ]
}

@test "a prefetch replaces each copy of contiguous arrays, one suffices for an array of columns" {
    run_apart "$bin/unified_memory_convolution" "${once[@]}" --benchmarks conv2d,conv3d,fdtd2d,atax,qcd --datasets tiny --chunks 3 \
        --streams 1,2 --variants pipeline,um-prefetch
    all_right
    [ "$(column copies pipeline)" = "$(column copies um-prefetch)" ]
    run_apart "$bin/unified_memory_matmul" "${once[@]}" --matrices 128 --chunks 4 --variants block-um-prefetch
    all_right
    [ "$(column copies block-um-prefetch)" -eq 6 ] # A, 4 of B, C
    [ "$(column prefetched_bytes block-um-prefetch)" -eq $((2 * 128 * 128 * 4)) ]
}

@test "mapped results never come from the device, and arrays that rounds swap do not move" {
    [ "${GPU:-soft}" = soft ] || skip "needs the software GPU's counters"
    run_apart "$bin/unified_memory_convolution" "${once[@]}" --datasets 32 --rounds 1,4 --variants um-prefetch,um-prefetch-map
    all_right
    [ "$(column bytes_from_device um-prefetch rounds 1)" -gt 0 ]
    [ "$(column bytes_from_device um-prefetch-map)" = $'0\n0' ]
    [ "$(column device_faults um-prefetch-map)" = $'0\n0' ]
    [ "$(column prefetched_bytes um-prefetch-map rounds 1)" -eq $((32 * 32 * 32 * 4)) ]
    [ "$(column bytes_to_device um-prefetch-map rounds 4)" -eq 0 ]
}

@test "beyond the device copies of whole arrays do not fit, and managed memory is right and evicted" {
    [ "${GPU:-soft}" = soft ] || skip "a real card is not oversubscribed by a test"
    run_apart "$bin/unified_memory_convolution" "${once[@]}" --capacity 2M --shares 0.5,1,1.5 --rounds 2 --updates --chunks 8
    [ "$status" -eq 0 ]
    [ "$(column outcome naive)" = $'ok\ndoes not fit\ndoes not fit' ]
    [ "$(column outcome framework)" = $'ok\nok\nok' ]
    [ "$(column outcome um)" = $'ok\nok\nok' ]
    [ "$(column oversubscribed um)" = $'0\n1\n1' ]
    [ "$(column evictions um share_of_capacity 0.5)" -eq 0 ]
    [ "$(column evictions um share_of_capacity 1.5)" -gt 0 ]
    [ -z "$(column time_s naive share_of_capacity 1.5)" ]
    [ "$(column footprint_bytes naive share_of_capacity 1)" -gt $((2 << 20)) ]
    [ "$(column footprint_bytes naive share_of_capacity 0.5)" -le $((1 << 20)) ]
}

@test "the matrix product fits by its shares, and all versions are right" {
    [ "${GPU:-soft}" = soft ] || skip "a real card is not oversubscribed by a test"
    run_apart "$bin/unified_memory_matmul" "${once[@]}" --capacity 832K --shares 0.25,1.1 --rounds 1,2 --updates --chunks 4
    [ "$status" -eq 0 ]
    [ "$(column outcome block rounds 1)" = $'ok\ndoes not fit' ]
    [ "$(column outcome block-um rounds 2)" = $'ok\nok' ]
    [ "$(column errors naive-um | sort -u)" = 0 ]
    [ "$(column size framework rounds 1)" = $'128\n288' ]
}

@test "phases are told with one stream, and beside naive copies" {
    run_apart "$bin/unified_memory_convolution" "${once[@]}" --datasets 32 --rounds 2 --updates --phases --streams 1,2 --variants naive,um-prefetch
    all_right
    [ -n "$(column kernel_s naive)" ]
    [ -n "$(column kernel_s um-prefetch streams 1)" ]
    [ -z "$(column kernel_s um-prefetch streams 2)" ]
    [ -n "$(column between_s um-prefetch streams 2)" ]
}

@test "batches move what single calls do, and what is discarded does not move" {
    [ "${GPU:-soft}" = soft ] || skip "needs the software GPU's counters"
    run_apart "$bin/unified_memory_access" "${once[@]}" --sizes 1M --patterns write-only,read-once --variants prefetch,prefetch-batch,discard-prefetch,discard
    all_right
    [ "$(column bytes_to_device prefetch-batch pattern read-once)" -eq $((1 << 20)) ]
    [ "$(column bytes_to_device prefetch pattern write-only)" -eq $((1 << 20)) ]
    [ "$(column bytes_to_device discard-prefetch)" = 0 ]
    [ "$(column bytes_to_device discard)" = 0 ]
    [ "$(column device_faults discard-prefetch)" = 0 ]
    [ "$(column device_faults discard)" = 16 ]
    run_apart "$bin/unified_memory_convolution" "${once[@]}" --datasets 64 --variants um-prefetch,um-prefetch-all
    all_right
    [ "$(column bytes_to_device um-prefetch-all)" -lt "$(column bytes_to_device um-prefetch)" ]
}

@test "a GPU that is lost ends the programs with a sentence" {
    [ "${GPU:-soft}" = soft ] || skip "only the software GPU can be lost on purpose"
    for run in "unified_memory_access -n 1 -w 0 --sizes 64K" "unified_memory_convolution -n 1 -w 0 --datasets tiny" \
        "unified_memory_matmul -n 1 -w 0 --matrices tiny"; do
        # shellcheck disable=SC2086
        SOFTGPU_FAIL_AFTER=12 run_apart "$bin/"$run
            [ "$status" -eq 1 ]
        [[ $stderr == *"RESULT: FAIL "*"the device is unavailable"* ]]
    done
}
