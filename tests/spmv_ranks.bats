# spmv/ on several ranks: the descriptor, the exchange by all strategies, what happens when a neighbour is lost, and the
# programs that measure them.

load helper

setup() {
    need_program spmv_exchange_ranks_test
    export SOFTGPU_DEVICES=${SOFTGPU_DEVICES:-2}
}

@test "what 1 to 5 ranks need from one another is right" {
    ranks 5 "$tests/spmv_halo_ranks_test"
    all_checks 2
}

@test "products of 1 to 5 ranks are right with every strategy" {
    ranks 5 "$tests/spmv_exchange_ranks_test" all
    all_checks 6
}

@test "repeated products of 5 ranks are those of one" {
    ranks 5 "$tests/spmv_distributed_ranks_test"
    all_checks 3
}

@test "a neighbour that is killed or stopped ends the others within the limit" {
    local started=() scenario
    for scenario in die stop; do
        (
            # mpirun sends SIGKILL right after SIGTERM: on a busy machine too early for a word.
            for _ in 1 2 3 4 5; do
                ranks 3 "$tests/spmv_exchange_ranks_test" "$scenario" >"$scratch/$scenario" 2>&1 </dev/null
                if [ "$scenario" != die ] || grep -q RESULT "$scratch/$scenario"; then break; fi
            done
        ) &
        started+=($!)
    done
    wait "${started[@]}"
    cat "$scratch/die" "$scratch/stop"
    grep -q 'RESULT: FAIL interrupted by a signal at the halo of the test' "$scratch/die"
    grep -q 'waited 0.5 s for the halo of rank 1: that rank has ended, is stopped' "$scratch/stop"
    [ "$(cat "$scratch/die" "$scratch/stop" | grep -cE ' ended with (0|124)$')" -eq 0 ]
}

@test "each strategy measures what it moves" {
    [ "${GPU:-soft}" = soft ] || skip "whether openmpi is waived depends on this machine's MPI"
    ranks 2 "$bin/spmv_exchange_run" --edges 8 --iterations 3 "${once[@]}"
    [ "$status" -eq 0 ]
    for strategy in sync sg index-standard pinned index-pinned; do
        [ "$(column status "$strategy")" = pass ]
        [ "$(column halo_bytes "$strategy")" -eq $((8 * 8 * 8)) ]
        [ "$(column halo_elements "$strategy")" -eq 64 ]
        [ "$(column vector_bytes "$strategy")" -eq $((8 * (256 + 64))) ]
        [ "$(column local_rows "$strategy")" -eq 256 ]
        [ "$(column nodes "$strategy")" -eq 1 ]
    done
    [ "$(column bus_bytes sync)" -eq $((2 * 8 * (256 + 64))) ]
    [ "$(column bus_bytes sg)" -eq $((2 * (8 + 4) * 64)) ]
    [ "$(column bus_bytes index-standard)" -eq $((2 * 8 * 64)) ]
    [ "$(column bus_bytes index-pinned)" -eq $((2 * (8 + 4) * 64)) ]
    [ "$(column status openmpi)" = waived ]
    [[ $stderr == *"openmpi is waived: "* ]]
}

@test "other matrices, a file and one rank alone" {
    printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 0.5\n2 3 0.25\n3 1 -0.5\n3 3 0.125\n' >"$scratch/three.mtx"
    ranks 3 "$bin/spmv_exchange_run" --matrices "banded:60:7,$scratch/three.mtx" --format csr \
        --iterations 2 --variants index-pinned "${once[@]}"
    [ "$status" -eq 0 ]
    [ "$(column rows index-pinned)" = $'60\n3' ]
    [ "$(column edge index-pinned)" = $'0\n0' ]
    [ "$(column halo_elements index-pinned matrix banded:60:7)" -eq 14 ]
    run_apart "$bin/spmv_exchange_run" --edges 6 --iterations 2 --variants sg "${once[@]}"
    [ "$status" -eq 0 ]
    [ "$(column halo_bytes sg)" -eq 0 ]
    [ "$(column bus_bytes sg)" -eq 0 ]
}

@test "more ranks than rows are refused with a sentence" {
    ranks 3 "$bin/spmv_exchange_run" --matrices diagonal:2 "${once[@]}"
    [ "$status" -ne 0 ]
    [ "$status" -ne 124 ]
    [ -z "$(column status sync)" ]
    [[ $stderr == *"RESULT: FAIL diagonal:2: 3 ranks for a matrix of 2 rows: start at most 2"* ]]
}

@test "bad options of the programs end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
spmv_exchange_run|--edges 4 --matrices pde:4|exclude one another
spmv_exchange_run|--matrices cube:3|--matrices: no file and no kind of matrix: `cube:3`
spmv_exchange_run|--matrices rectangular:40|rectangular:40: the matrix has 40 rows and 80 columns: only square ones
spmv_exchange_run|--format dense|unknown format 'dense'; choose from coo, csr
spmv_calls|--sizes 1|an edge of 1 points: it must be from 2 to 1290
spmv_contention|--sizes 0|a size must be at least 1
TABLE
}

@test "the calls of an exchange add up" {
    run_apart "$bin/spmv_calls" --sizes 8,10 --repeats 3 -n 2 -w 1 --csv
    [ "$status" -eq 0 ]
    [ "$(column rows malloc)" = $'512\n512\n1000\n1000' ]
    for call in malloc memcpy free all; do
        [ "$(column status "$call" edge 10)" = $'pass\npass' ]
    done
    paste -d ' ' <(column time_s malloc) <(column time_s memcpy) <(column time_s free) <(column time_s all) |
        awk '{ d = $1 + $2 + $3 - $4; if ($1 <= 0 || $2 <= 0 || $3 <= 0 || d > 1e-7 * $4 || d < -1e-7 * $4) bad++ } END { exit bad > 0 || NR != 4 }'
    ranks 2 "$bin/spmv_calls" --sizes 8
    [ "$status" -eq 1 ]
    [[ $stderr == *"RESULT: FAIL 2 ranks: one process is measured"* ]]
}

@test "copies of one rank and of both" {
    ranks 2 "$bin/spmv_contention" --sizes 64K,100001 --sample-bytes 1M "${once[@]}"
    [ "$status" -eq 0 ]
    for kind in pageable pinned; do
        [ "$(column active "$kind")" = $'1\n2\n1\n2' ]
        [ "$(column status "$kind" bytes 100001)" = $'pass\npass' ]
    done
    column bandwidth_gbs pinned | awk '$1 <= 0 { bad++ } END { exit bad > 0 }'
}
