# prefetch/: the programs that measure prefetching: their rows, their checks, and what they refuse.

load helper

setup() {
    need_program prefetch_wait
}

once=(-n 1 -w 0 --csv -q)

# on RANKS PROGRAM OPTIONS...
on() {
    ranks "$1" "$bin/$2" "${@:3}"
}

@test "bad options are one sentence, and the job ends" {
    while IFS='|' read -r ranks program options expected; do
        # shellcheck disable=SC2086
        on "$ranks" $program $options
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [ "$(grep -c "^RESULT: FAIL .*$expected" <<<"$stderr")" -eq 1 ]
    done <<'TABLE'
2|prefetch_wait|--lengths 0|must be within 1..16
2|prefetch_wait|--lengths 1..17|must be within 1..16
2|prefetch_wait|--lengths 5..2|not a list of whole numbers
2|prefetch_wait|--lengths 2;3|not a list of whole numbers
2|prefetch_wait|--lengths=|has an empty entry
2|prefetch_wait|--segments 4,,5|has an empty entry
2|prefetch_wait|--prefetch -1|must be within 0..
2|prefetch_servers|--servers 1..4|3 workers and 2 servers need 5 ranks
2|prefetch_servers|--workers 1 --servers 1 --programs nowhere|nowhere
2|prefetch_servers|--workers 1 --servers 1 --programs scf_like:norb=2|scf_like
2|prefetch_transfers|--programs transform:nao=2:nmo=two|two
2|prefetch_timeline|--program nowhere|nowhere
TABLE
}

@test "a single rank is told how to start more" {
    on 1 prefetch_wait
    [ "$status" -eq 1 ]
    [[ $stderr == *"2 or more ranks"* ]]
}

@test "waits: every length and number of blocks, and the parts make the whole" {
    on 3 prefetch_wait --lengths 1,3..4 --segments 6 --prefetch 0..2 "${once[@]}"
    all_right
    [ "$(cells index_length | sort -u | paste -sd ' ')" = "1 3 4" ]
    [ "$(cells prefetch_blocks 'c["variant"] == "prefetch"' | sort -u | tr '\n' ' ')" = "1 2 " ]
    [ "$(cells prefetch_blocks 'c["variant"] == "no-prefetch"' | sort -u)" = 0 ]
    holds 'c["workers"] == 2 && c["servers"] == 1 && c["block_elements"] == 36 && c["iteration"] == 0'
    holds 'c["network"] == "shared memory"'
    holds 'c["time_s"] == c["mean_wait_s"]'
    holds 'c["mean_get_s"] + c["mean_blocked_s"] <= 1.000001 * c["mean_wait_s"] && c["mean_get_s"] + c["mean_blocked_s"] >= 0.999999 * c["mean_wait_s"]'
    holds '(c["later_wait_s"] == "") == (c["index_length"] == 1)'
    # Each block is requested once: by its own get, or ahead.
    holds 'c["gets"] + c["prefetches"] == c["index_length"] ^ 2 && c["unused_prefetches"] == 0'
    holds 'c["prefetch_blocks"] > 0 || c["prefetches"] == 0'
    # One of three accesses per iteration can block.
    holds 'c["hit_ratio"] >= 0.666 && c["hit_ratio"] <= 1'
}

@test "waits of single iterations average to the wait of the loop" {
    on 2 prefetch_wait --lengths 4 --segments 4 --prefetch 2 --per-iteration "${once[@]}"
    all_right
    [ "$(cells iteration | tr '\n' ' ')" = "0 1 2 3 4 " ]
    whole=$(cells mean_wait_s 'c["iteration"] == 0')
    cells mean_wait_s 'c["iteration"] > 0' | awk -v whole="$whole" '{ sum += $1 / 4 } END { exit !(sum / whole > 0.9999 && sum / whole < 1.0001) }'
    first=$(cells first_wait_s 'c["iteration"] == 0')
    [ "$(cells mean_wait_s 'c["iteration"] == 1')" = "$first" ]
}

@test "waits come through the window too" {
    on 2 prefetch_wait --lengths 4 --segments 4 --transport window "${once[@]}"
    all_right
    holds 'c["transport"] == "window"'
}

@test "servers: idle ranks wait, and the waits add up" {
    on 4 prefetch_servers --workers 2 --servers 1..2 --programs scf_like:norb=4:cycles=1:work_s=0.006 "${once[@]}"
    all_right
    [ "$(cells servers 'c["variant"] == "prefetch"' | tr '\n' ' ')" = "1 2 " ]
    holds 'c["workers"] == 2 && c["program"] == "scf_like" && c["time_s"] == c["runtime_s"]'
    holds 'c["block_wait_s"] + c["barrier_wait_s"] <= 1.000001 * c["wait_s"] && c["wait_s"] < c["runtime_s"]'
    # Of four tasks one takes 48 ms and the others 6 ms: one worker waits 36 ms in each of 4 phases, less where the
    # machine stops the other.
    holds 'c["runtime_s"] >= 4 * 0.054 && c["barrier_wait_s"] >= 4 * 0.006'
}

@test "timeline: spans lie in their order and transfers do not share a place" {
    on 3 prefetch_timeline --set nao=3,nmo=1,ng=1,work_s=0.001 --segment 4 "${once[@]}"
    all_right
    [ "$(cells prefetch_blocks | sort -u | tr '\n' ' ')" = "0 4 " ]
    for kind in transfer compute put barrier; do
        [ -n "$(cells kind "c[\"kind\"] == \"$kind\"")" ]
    done
    holds 'c["end_s"] >= c["begin_s"] && c["begin_s"] >= 0 && c["worker"] < 2 && c["line"] > 0'
    paste -d ' ' <(cells prefetch_blocks 'c["kind"] == "transfer"') <(cells worker 'c["kind"] == "transfer"') \
        <(cells place 'c["kind"] == "transfer"') <(cells begin_s 'c["kind"] == "transfer"') <(cells end_s 'c["kind"] == "transfer"') |
        awk '{ lane = $1 " " $2 " " $3; if ($4 < end[lane]) exit 1; end[lane] = $5 }'
}

@test "allocations: every request is a hit or a miss, and four ways serve the same requests" {
    on 2 prefetch_allocations --programs ao_ladder:nao=2:nocc=1 --segment 3 "${once[@]}"
    all_right
    [ "$(cells variant | sort -u | wc -l)" -eq 4 ]
    [ "$(cells requests | sort -u | wc -l)" -eq 1 ]
    holds '(c["hits"] == "") == (c["variant"] == "uncached" || c["variant"] == "unpinned")'
    holds 'c["hits"] == "" || (c["misses"] > 0 && c["hits"] + c["misses"] == c["requests"])'
}

@test "transfers: two policies of the same accesses, and bytes belong to copies" {
    on 2 prefetch_transfers --programs transform:nao=2:nmo=1 --segment 3 "${once[@]}"
    all_right
    [ "$(cells accesses | sort -u | wc -l)" -eq 1 ]
    unoptimized=$(cells copies 'c["variant"] == "unoptimized"') optimized=$(cells copies 'c["variant"] == "optimized"')
    [ "$optimized" -gt 0 ] && [ "$optimized" -le "$unoptimized" ]
    holds 'c["copied_bytes"] > 0 && c["copied_bytes"] <= c["copies"] * 8 * 3 ^ 4 && c["cache_hits"] + c["cache_misses"] > 0'
    holds 'c["variant"] == "optimized" || c["saved_copies"] == 0'
    on 2 prefetch_transfers --programs ao_ladder:nao=2:nocc=1 --segment 3 "${once[@]}"
    [ "$(cells copies 'c["variant"] == "optimized"')" -lt "$(cells copies 'c["variant"] == "unoptimized"')" ]
}

@test "interpreter: every kind of statement, and more iterations are more instructions" {
    on 2 prefetch_interpreter --iterations 10 "${once[@]}"
    all_right
    [ "$(cells kind | tr '\n' ' ')" = "scalars branches calls blocks get " ]
    few=$(cells instructions 'c["kind"] == "scalars"')
    on 2 prefetch_interpreter --iterations 20 "${once[@]}"
    [ "$(cells instructions 'c["kind"] == "scalars"')" -gt $((few * 3)) ]
    holds 'c["instruction_ns"] > 0'
}
