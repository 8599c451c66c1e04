# rdma: the peer paths between two ranks, where a GPU moves blocks straight into the receive buffer.

setup() {
    cd "$BATS_TEST_DIRNAME/.."
    program=${UNIT_TEST_FOLDER:-build/${GPU:-soft}/test}/rdma_peer_ranks_test
    [ -x "$program" ] || skip "no MPI here: rdma_peer_ranks_test was not built"
    [ "${GPU:-soft}" != soft ] || export SOFTGPU_DEVICES=2
    # What Open MPI does not give back is not ours.
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
    launch=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe --bind-to none -np 2)
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
}

# all_works CHECKS SCENARIO PATH: every check of the scenario passes.
all_works() {
    run "${launch[@]}" "$program" "$2" "$3"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^ok ' <<<"$output")" -eq "$1" ]
    ! grep -q '^not ok' <<<"$output"
}

@test "peer-copy: all sizes, places and windows, both directions" {
    all_works 10 all peer-copy
}

@test "peer-store: all sizes, places and windows, both directions" {
    all_works 11 all peer-store
}

@test "peer-copy: both ranks with one GPU" {
    [ "${GPU:-soft}" = soft ] || skip "a real GPU takes its time between two processes"
    SOFTGPU_DEVICES=1 all_works 1 one peer-copy
}

# fails_with TEXT SCENARIO PATH: ends with a sentence, and not by the limit of this test.
fails_with() {
    run "${launch[@]}" "$program" "$2" "$3"
    echo "$output"
    [ "$status" -ne 0 ]
    [ "$status" -ne 124 ]
    [[ $output == *"RESULT: FAIL rank 0 $1"* ]]
}

@test "blocks of different sizes are a sentence" {
    fails_with "sends 990 bytes where the other rank receives 1000 (path peer-store)" sizes peer-store
}

@test "a receiver that never starts is an error after the limit" {
    fails_with "waited 0.5 s for the receipt of a block from rank 1 (path peer-copy)" silent peer-copy
}
