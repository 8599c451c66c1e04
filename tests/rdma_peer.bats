# rdma: the peer paths between two ranks, where a GPU moves blocks straight into the receive buffer.

load helper

setup() {
    need_program rdma_peer_ranks_test
    [ "${GPU:-soft}" != soft ] || export SOFTGPU_DEVICES=2
    # What Open MPI does not give back is not ours.
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
}

@test "peer-copy: all sizes, places and windows, both directions; errors" {
    ranks 2 "$tests/rdma_peer_ranks_test" all peer-copy
    all_checks 12
}

@test "peer-store: all sizes, places and windows, both directions; errors" {
    ranks 2 "$tests/rdma_peer_ranks_test" all peer-store
    all_checks 13
}

@test "peer-copy: both ranks with one GPU" {
    [ "${GPU:-soft}" = soft ] || skip "a real GPU takes its time between two processes"
    SOFTGPU_DEVICES=1 ranks 2 "$tests/rdma_peer_ranks_test" one peer-copy
    all_checks 1
}
