# rdma: the pipelined paths between two ranks, over MPI and through memory that both map.

setup() {
    cd "$BATS_TEST_DIRNAME/.."
    program=${UNIT_TEST_FOLDER:-build/${GPU:-soft}/test}/rdma_pipelined_ranks_test
    [ -x "$program" ] || skip "no MPI here: rdma_pipelined_ranks_test was not built"
    [ "${GPU:-soft}" != soft ] || export SOFTGPU_DEVICES=2
    # What Open MPI does not give back is not ours.
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
    launch=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe --bind-to none -np 2)
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
}

# all_works PATH: every check of the scenario passes.
all_works() {
    run "${launch[@]}" "$program" all "$1"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^ok ' <<<"$output")" -eq 8 ]
    ! grep -q '^not ok' <<<"$output"
}

@test "pipelined: all chunks, places and windows, both directions" {
    all_works pipelined
}

@test "pipelined-shared: all chunks, places and windows, both directions" {
    all_works pipelined-shared
}

# different_sizes PATH: a block that is shorter than the receive that meets it is an error, not a wait.
different_sizes() {
    run "${launch[@]}" "$program" sizes "$1"
    echo "$output"
    [ "$status" -ne 0 ]
    [ "$status" -ne 124 ]
    [[ $output == *"rank 1 receives"*"where the other rank sends"*"(path $1): both must name the same size"* ]]
}

@test "pipelined: blocks of different sizes are a sentence" {
    different_sizes pipelined
}

@test "pipelined-shared: blocks of different sizes are a sentence" {
    different_sizes pipelined-shared
}

# silence PATH: a send that nobody receives ends after the limit.
silence() {
    run "${launch[@]}" "$program" silent "$1"
    echo "$output"
    [ "$status" -ne 0 ]
    [ "$status" -ne 124 ]
    [[ $output == *"rank 0 waited 0.5 s for room for a block from rank 1 (path $1)"* ]]
}

@test "pipelined: a receiver that never starts is an error after the limit" {
    silence pipelined
}

@test "pipelined-shared: a receiver that never starts is an error after the limit" {
    silence pipelined-shared
}
