# rdma: the pipelined paths between two ranks, over MPI and through memory that both map.

load helper

setup() {
    need_program rdma_pipelined_ranks_test
    [ "${GPU:-soft}" != soft ] || export SOFTGPU_DEVICES=2
    # What Open MPI does not give back is not ours.
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
}

@test "pipelined: all chunks, places and windows, both directions; errors" {
    ranks 2 "$tests/rdma_pipelined_ranks_test" all pipelined
    all_checks 10
}

@test "pipelined-shared: all chunks, places and windows, both directions; errors" {
    ranks 2 "$tests/rdma_pipelined_ranks_test" all pipelined-shared
    all_checks 10
}
