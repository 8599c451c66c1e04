# pinning/: the options of its own programs, their output, and what they refuse.

load helper

@test "bad options of the programs end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
pinning_copy|--directions up|unknown direction 'up'; choose from h2d, d2h
pinning_copy|--directions=|has an empty entry
pinning_copy|--directions h2d,h2d|twice
pinning_cache|--traces none|unknown trace 'none'; choose from scf_rhf_coreh
pinning_cache|--traces rccsd_rhfx|unknown trace 'rccsd_rhfx'
pinning_cache|--trace-file /nowhere|cannot be read
pinning_cache|--scaled-by 0|out of range
pinning_cache|--limit -1|not a size
pinning_cache|--spare 0|out of range
pinning_cache|--variants unpinned,jemalloc --jemalloc /nowhere|cannot be read
pinning_cache|--random-live 0|out of range
pinning_hit|--mimalloc /nowhere|cannot be read
pinning_transfers|--streams 0|out of range
pinning_transfers|--streams 9|out of range
pinning_transfers|--traces random,none|unknown trace 'none'; choose from scf_rhf_coreh
pinning_trace|--write /nowhere|cannot be created
pinning_mapped|--sizes 12|not a whole number of doubles
TABLE
}

@test "a bad trace file is refused with its line" {
    while IFS='|' read -r text expected; do
        printf '%b' "$text" >"$scratch/bad.trace"
        for program in pinning_cache pinning_trace pinning_transfers; do
            run_apart "$bin/$program" "${once[@]}" --trace-file "$scratch/bad.trace"
            echo "$program: $stderr"
            [ "$status" -eq 1 ]
            [[ $stderr == *"RESULT: FAIL $scratch/bad.trace:$expected"* ]]
        done
    done <<'TABLE'
|1: the file holds no trace
trace 9 x 1\n|1: format version 9
trace 1 x 1\na 0 1\nb 0\n|3: unknown event b
trace 1 x 1\na 0 1\nf 0\nf 0\n|4: block 0 is not allocated
trace 1 x 1\na 0 1|2: the last line has no end
TABLE
}

@test "a trace without allocations and one with too many devices are refused" {
    printf 'trace 1 x 1\n' >"$scratch/empty.trace"
    run_apart "$bin/pinning_cache" "${once[@]}" --trace-file "$scratch/empty.trace"
    [ "$status" -eq 1 ]
    [[ $stderr == *"has no allocations"* ]]
    printf 'trace 1 x 1\na 0 1\nw 0 2\n' >"$scratch/devices.trace"
    run_apart "$bin/pinning_transfers" "${once[@]}" --trace-file "$scratch/devices.trace"
    [ "$status" -eq 1 ]
    [[ $stderr == *"uses device 2"* ]]
}

@test "traces that are written are replayed like those that are made" {
    run_apart "$bin/pinning_trace" --csv --traces scf_rhf_coreh,rccsd_rhf --write "$scratch"
    [ "$status" -eq 0 ]
    [ "$(column requests trace)" = $'8189\n14294' ]
    run_apart "$bin/pinning_trace" --traces rccsd_rhf --write "$scratch"
    [ "$status" -eq 1 ] # never overwritten
    run_apart "$bin/pinning_cache" "${once[@]}" --variants thesis --trace-file "$scratch/rccsd_rhf.trace"
    from_file=$(column hits thesis)
    run_apart "$bin/pinning_cache" "${once[@]}" --variants thesis --traces rccsd_rhf
    [ "$(wc -l <<<"$from_file")" -eq 2 ]
    [ "$from_file" = "$(column hits thesis)" ]
    # The same hits for all sizes times 4.
    [ "$(sort -u <<<"$from_file" | wc -l)" -eq 1 ]
}

@test "every request is a hit or a miss, and caching misses less than it is asked" {
    run_apart "$bin/pinning_cache" "${once[@]}" --variants thesis,cache --traces tran_rhf_no4v --scaled-by 1
    [ "$status" -eq 0 ]
    for variant in thesis cache; do
        [ $(($(column hits $variant) + $(column misses $variant))) -eq 8257 ]
        [ "$(column misses $variant)" -lt 500 ]
    done
}

@test "a cache stays below its limit, and one that cannot ends with a sentence" {
    run_apart "$bin/pinning_cache" "${once[@]}" --variants thesis,cache --traces random \
        --random-requests 400 --random-live 4 --scaled-by 1 --limit 320M
    [ "$status" -eq 0 ]
    for variant in thesis cache; do
        [ "$(column reserved_bytes $variant)" -le $((320 << 20)) ]
    done
    run_apart "$bin/pinning_cache" "${once[@]}" --variants cache --traces random --limit 1M
    [ "$status" -eq 1 ]
    [[ $stderr == *"no page-locked memory for a block of"* ]]
}

@test "a library that has no malloc of its own is not taken for one" {
    library=$("${CC:-gcc}" -print-file-name=libm.so.6)
    run_apart "$bin/pinning_hit" "${once[@]}" --sizes 4K --variants jemalloc --jemalloc "$library"
    echo "$stderr"
    [ "$status" -eq 1 ]
    [[ $stderr == *"malloc is that of"* ]]
}

@test "another malloc is measured in a child process" {
    grep -q "^jemalloc[[:blank:]]yes" build/libraries.tsv || skip "no jemalloc here"
    run_apart "$bin/pinning_hit" -n 3 -w 0 --csv --sizes 4K --variants malloc,jemalloc
    [ "$status" -eq 0 ]
    [ "$(column time_s jemalloc | wc -l)" -eq 9 ]
}

@test "a pool of host memory is waived on the software GPU, with the reason" {
    [ "${GPU:-soft}" = soft ] || skip "a real GPU may have one"
    run_apart "$bin/pinning_hit" "${once[@]}" --sizes 4K --variants pool
    [ "$status" -eq 2 ]
    [[ $stderr == *"RESULT: WAIVED pools of host memory need"* ]]
}

@test "intents save copies, and the copies are those of the model" {
    run_apart "$bin/pinning_transfers" "${once[@]}" --traces scf_rhf_coreh
    [ "$status" -eq 0 ]
    [ "$(column copies optimized)" -lt "$(column copies unoptimized)" ]
    [ "$(column write_copies optimized)" -eq 0 ]
    for variant in optimized unoptimized; do
        [ "$(column copies $variant)" -eq "$(column needed_copies $variant)" ]
    done
    [ "$(column copies unoptimized)" -eq $(($(column copies optimized) + $(column saved_copies optimized))) ]
}

@test "a hit page-locks nothing" {
    run_apart "$bin/pinning_hit" -n 3 -w 0 --csv --sizes 4K,1M --variants thesis,cache
    [ "$status" -eq 0 ]
    [ "$(column pattern cache | sort -u | wc -l)" -eq 3 ]
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "misses") m = i; if ($i == "pattern") p = i } next }
             $p != "mixed" && $m != 0 { exit 1 }' <<<"$output"
}

@test "a GPU that is lost is told from a lack of memory" {
    [ "${GPU:-soft}" = soft ] || skip "only the software GPU can be lost on purpose"
    for run in "pinning_cache -n 1 -w 0 --variants uncached --traces tran_rhf_no4v" "pinning_alloc --sizes 225 -n 9" \
        "pinning_cache -n 1 -w 0 --variants cache --traces rccsd_rhf" "pinning_transfers -n 1 -w 0"; do
        # shellcheck disable=SC2086
        SOFTGPU_FAIL_AFTER=6 run_apart "$bin/"$run
        echo "$run: $stderr"
        [ "$status" -eq 1 ]
        [[ $stderr == *"RESULT: FAIL "*"the device is unavailable"* ]]
    done
}

@test "pinning_mapped reads each kind of memory and knows its address" {
    run_apart "$bin/pinning_mapped" --sizes 8,64K "${once[@]}"
    [ "$status" -eq 0 ]
    [ "$(columns variant size_bytes errors)" = "$(printf '%s 0\n' {device,mapped,pinned,registered}' 8' {device,mapped,pinned,registered}' 65536')" ]
    [ "$(columns variant same_address | grep -c '^device $')" -eq 2 ]
    [ "$(columns variant same_address | grep -cE '^(mapped|pinned|registered) [01]$')" -eq 6 ]
}
