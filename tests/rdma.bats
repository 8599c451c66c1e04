#!/usr/bin/env bats
# rdma/: every path between every pair of places, with and without a GPU at the server, and what happens when a rank is lost.

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    bin=${UNIT_TEST_FOLDER:-$PWD/build/${GPU:-soft}/test}
    [ -x "$bin/rdma_ranks_test" ] || skip "no MPI here: rdma_ranks_test was not built"
    launch=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe --bind-to none)
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
    [ -n "${SOFTGPU_DEVICES:-}" ] || export SOFTGPU_DEVICES=2
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} # MPI keeps what it has
    scratch=$BATS_TEST_TMPDIR
}

# all_right NUMBER: so many checks of the run passed (those that were skipped apart), and no other.
all_right() {
    echo "$output"
    [ "$status" -eq 0 ] || return 1
    [ "$(grep -c '^not ok' <<<"$output")" -eq 0 ] || return 1
    [ "$(grep '^ok ' <<<"$output" | grep -vc ' # skip ')" -eq "$1" ]
}

@test "blocks go along every path, between all places, in both directions" {
    [ "${GPU:-soft}" = soft ] || skip "which paths there are depends on this machine"
    run "${launch[@]}" -np 2 "$bin/rdma_ranks_test" pairs
    all_right 30
    [ "$(grep ' # skip ' <<<"$output" | grep -vcE '^ok (cuda-aware|nccl) ')" -eq 0 ]
}

@test "blocks go along every path that this machine has" {
    [ "${GPU:-soft}" != soft ] || skip "the test above says which ones"
    run "${launch[@]}" -np 2 "$bin/rdma_ranks_test" pairs
    all_right "$(grep '^ok ' <<<"$output" | grep -vc ' # skip ')"
    [ "$(grep -cE '^ok (host|staged|staged-pageable|pipelined) . .$' <<<"$output")" -eq 19 ]
}

@test "ends of all paths are open and used at the same time" {
    run "${launch[@]}" -np 2 "$bin/rdma_ranks_test" together
    all_right 1
}

@test "both ranks may use the same GPU" {
    [ "${GPU:-soft}" = soft ] || skip "needs the software GPU"
    SOFTGPU_DEVICES=1 run "${launch[@]}" -np 2 "$bin/rdma_ranks_test" together
    all_right 1
}

@test "a server needs no GPU" {
    [ "${GPU:-soft}" = soft ] || skip "needs the software GPU, of which one rank has none"
    run "${launch[@]}" -np 1 -x SOFTGPU_DEVICES=1 "$bin/rdma_ranks_test" server : -np 1 -x SOFTGPU_DEVICES=0 "$bin/rdma_ranks_test" server
    all_right 15
}

@test "an end that was closed has left nothing" {
    run "${launch[@]}" -np 2 "$bin/rdma_ends_ranks_test" reopening
    all_right 1
}

@test "complaints, counted copies, and messages beyond 2^31 bytes" {
    run "${launch[@]}" -np 2 "$bin/rdma_ends_ranks_test" small
    all_right 3
}

@test "paths within a host are refused between hosts" {
    [ "${GPU:-soft}" = soft ] || skip "needs all paths, which the software GPU has"
    unshare -u true 2>/dev/null || skip "this user may not name a host"
    run "${launch[@]}" -np 1 "$bin/rdma_ends_ranks_test" hosts : -np 1 unshare -u sh -c "hostname elsewhere && exec $bin/rdma_ends_ranks_test hosts"
    all_right 1
}

# lose SCENARIO PATH...: the scenario along all paths at once; what each says goes into a file of its name. mpirun sends
# SIGKILL right after SIGTERM, which on a busy machine is too early for a word: then die is tried again.
lose() {
    local scenario=$1 path jobs=()
    for path in "${@:2}"; do
        (
            for _ in 1 2 3 4 5; do
                status=0
                "${launch[@]}" -np 2 "$bin/rdma_lost_ranks_test" "$scenario" "$path" >"$scratch/$path" 2>&1 || status=$?
                echo "status $status" >>"$scratch/$path"
                if [ "$scenario" != die ] || grep -q RESULT "$scratch/$path"; then break; fi
            done
        ) &
        jobs+=($!)
    done
    wait "${jobs[@]}"
}

@test "a rank that is killed ends the other, which says for whom it waited" {
    paths=(staged pipelined pipelined-shared peer-copy peer-store)
    lose die "${paths[@]}"
    for path in "${paths[@]}"; do
        cat "$scratch/$path"
        grep -q 'RESULT: FAIL interrupted by a signal at a wait for rank 1 (path '"$path"')' "$scratch/$path"
        grep -q 'process rank 1 .* exited on signal 9' "$scratch/$path"
        [ "$(grep -cE '^status (0|124)$' "$scratch/$path")" -eq 0 ]
    done
}

@test "a rank that is stopped is given up after the limit" {
    paths=(host staged-pageable staged pipelined pipelined-shared peer-copy peer-store)
    lose stop "${paths[@]}"
    for path in "${paths[@]}"; do
        cat "$scratch/$path"
        grep -q 'RESULT: FAIL rank 0 waited 0.5 s for a block from rank 1 (path '"$path"'): that rank has ended, is stopped' "$scratch/$path"
        [ "$(grep -cE '^status (0|124)$' "$scratch/$path")" -eq 0 ]
    done
    # Those of other programs that run now have their names for a moment only.
    for _ in {1..100}; do
        left=$(find /dev/shm -maxdepth 1 -name 'datamotion-rdma-*' 2>/dev/null)
        [ -n "$left" ] || break
        sleep 0.1
    done
    [ -z "$left" ]
}

@test "what an end was not opened for is refused with a sentence" {
    while IFS='|' read -r scenario expected; do
        run "${launch[@]}" -np 2 "$bin/rdma_lost_ranks_test" "$scenario" staged </dev/null
        echo "$output"
        [ "$status" -eq 1 ]
        [[ $output == *"RESULT: FAIL $expected"* ]]
    done <<'TABLE'
too-long|a send of 3145734 bytes was started at an end for 3145733
too-many|a receive was started beyond the window of 8: rdma_wait first
too-much|1125899906842624 bytes of pinned memory could not be had
TABLE
}
