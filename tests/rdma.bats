# rdma/: every path between every pair of places, with and without a GPU at the server, what fails at one rank and what the
# other learns of it, and what happens when a rank is lost.

load helper

setup() {
    need_program rdma_ranks_test
    [ -n "${SOFTGPU_DEVICES:-}" ] || export SOFTGPU_DEVICES=2
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} # MPI keeps what it has
}

need_soft() {
    [ "${GPU:-soft}" = soft ] || skip "needs the software GPU: $1"
}

@test "blocks go along every path, between all places, in both directions" {
    need_soft "which paths there are depends on a machine"
    ranks 2 "$tests/rdma_ranks_test" pairs
    all_checks 36
    [ "$(grep -c ' # skip ' <<<"$output")" -eq 6 ]
    [ "$(grep ' # skip ' <<<"$output" | grep -vcE '^ok (cuda-aware|nccl) ')" -eq 0 ]
}

@test "blocks go along every path that this machine has" {
    [ "${GPU:-soft}" != soft ] || skip "the test above says which ones"
    ranks 2 "$tests/rdma_ranks_test" pairs
    all_checks "$(grep -c '^ok ' <<<"$output")"
    [ "$(grep -cE '^ok (host|staged|staged-pageable|pipelined) . .$' <<<"$output")" -eq 19 ]
}

# The check of a build with CUDA, beside an MPI that says what it is told to say.
@test "an MPI that takes no device pointers is noticed when it is compiled with, and another one when it runs" {
    "${MPICC:-mpicc}" --showme:version >/dev/null 2>&1 || skip "what another MPI than Open MPI takes is not asked"
    local compiled runs says
    printf '#include "path_mpi.c"\n#include <stdio.h>\nint main(void) { puts(check_cuda_aware(NULL) == DM_OK ? "ok" : dm_message()); }\n' >"$scratch/ask.c"
    while read -r compiled runs says; do
        printf '#define MPIX_CUDA_AWARE_SUPPORT %d\nstatic int MPIX_Query_cuda_support(void) { return %d; }\n' "$compiled" "$runs" >"$scratch/mpi-ext.h"
        "${MPICC:-mpicc}" -std=c11 -D_GNU_SOURCE -ffunction-sections -fdata-sections -Wl,--gc-sections -Wno-unused-function -I"$scratch" -Irdma -Irdma/include -I. \
            -Icommon/include -Icommon/soft/include "$scratch/ask.c" -o "$scratch/ask" "$bin/../lib/libdatamotion-common.a"
        run "$scratch/ask"
        [[ $output == "$says"* ]]
        [ "$says" = ok ] || [[ $output == *"make -f rdma/openmpi-cuda.mk"*MPI_HOME* ]]
    done <<'TABLE'
0 0 the MPI that this was compiled with takes no device pointers:
1 0 the MPI that this runs with takes no device pointers:
1 1 ok
TABLE
}

@test "ends of all paths are open and used at the same time" {
    ranks 2 "$tests/rdma_ranks_test" together
    all_checks 1
}

@test "both ranks may use the same GPU" {
    need_soft "a real one takes its time between two processes"
    SOFTGPU_DEVICES=1 ranks 2 "$tests/rdma_ranks_test" together
    all_checks 1
}

@test "a server needs no GPU" {
    need_soft "one rank has none"
    ranks 1 -x SOFTGPU_DEVICES=1 "$tests/rdma_ranks_test" server : -np 1 -x SOFTGPU_DEVICES=0 "$tests/rdma_ranks_test" server
    all_checks 17
    [ "$(grep -c ' # skip ' <<<"$output")" -eq 2 ]
}

@test "an end that was closed has left nothing" {
    ranks 2 "$tests/rdma_ends_ranks_test" reopening
    all_checks 1
}

@test "what cannot be opened is refused at both ranks; counted copies; messages beyond 2^31 bytes; who shares cores" {
    ranks 2 "$tests/rdma_ends_ranks_test" small
    all_checks 5
}

@test "paths within a host are refused between hosts" {
    need_soft "it has all other paths"
    unshare -u true 2>/dev/null || skip "this user may not name a host"
    ranks 1 "$tests/rdma_ends_ranks_test" hosts : \
        -np 1 unshare -u sh -c "hostname elsewhere && exec $tests/rdma_ends_ranks_test hosts"
    all_checks 1
}

@test "what fails leaves ends as they were, or closed, at both ranks" {
    ranks 2 "$tests/rdma_failures_ranks_test" all
    all_checks 6
}

@test "any call of CUDA may fail" {
    ranks 2 "$tests/rdma_calls_ranks_test" calls
    all_checks 1
}

@test "the automatic path is the shortest that goes" {
    need_soft "which paths there are depends on a machine"
    ranks 2 "$tests/rdma_failures_ranks_test" automatic
    all_checks 1
}

# lose SCENARIO PATH...: the scenario along all paths at once; what each says goes into a file of its name. mpirun sends
# SIGKILL right after SIGTERM, which on a busy machine is too early for a word: then die is tried again.
lose() {
    local scenario=$1 path jobs=()
    for path in "${@:2}"; do
        (
            for _ in 1 2 3 4 5; do
                ranks 2 "$tests/rdma_lost_ranks_test" "$scenario" "$path" >"$scratch/$path"
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

@test "a rank that is stopped is given up after the time limit" {
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
