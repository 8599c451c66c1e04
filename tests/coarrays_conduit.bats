# coarrays/caf: UCX instead of MPI between images (CAF_CONDUIT=ucx), within a node and on two hosts of the virtual cluster, and
# what only it can do: programs on several hosts that go on when an image fails.
# shellcheck disable=SC2030,SC2031,SC2154
# Each test is a subshell.

load helper

setup_file() {
    export BIN=$bin PROGRAMS=$BATS_FILE_TMPDIR CAF_WAIT_LIMIT_S=100
    command -v "${FC:-gfortran}" >/dev/null && [ -x "$bin/caf" ] || return 0
    local name sources=$PWD/tests/fortran
    cd "$PROGRAMS"
    "$bin/caf" -std=f2018 -c "$sources/testing.f90"
    for name in failed_image soak teams stop_codes death_seen; do
        "$bin/caf" -std=f2018 "$sources/$name.f90" testing.o -o "$name" >"$name.compiler" 2>&1 || true
    done
}

setup() {
    need_program caf_base_ranks_test
    [ -e "$bin/../lib/coarrays/kernels_ucx.so" ] || grep -qF libucp.so "$tests/caf_base_ranks_test" || skip "UCX was not there when this was built"
    unset "${!DATAMOTION_CLUSTER_@}"
    # MPI does not free all of its own memory.
    export CAF_CONDUIT=ucx ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
}

teardown() {
    [ -z "${DATAMOTION_CLUSTER:-}" ] || run/cluster down >/dev/null
}

# within CHECKS N TEST ARGUMENTS...: images of one node reach one another by UCX alone.
within() {
    CAF_PATH=rma ranks "$2" "$tests/caf_$3_ranks_test" "${@:4}"
    all_checks "$1"
}

# between CHECKS N TEST ARGUMENTS...: on two hosts.
between() {
    ranks_on_hosts 2 "$2" "$tests/caf_$3_ranks_test" "${@:4}"
    all_checks "$1"
}

# cluster: one of two hosts for all that a test starts.
cluster() {
    [ -x "$PROGRAMS/failed_image" ] || skip "no Fortran here"
    need_cluster
    export DATAMOTION_CLUSTER=conduit-$$
    run/cluster up --hosts 2 >/dev/null
}

# goes_on N PROGRAM ARGUMENTS...: with `cafrun` on the cluster's hosts it ends right.
goes_on() {
    MPIRUN=$BIN/cafrun run timeout 200 run/cluster mpirun -np "$1" "$PROGRAMS/$2" "${@:3}"
    echo "$*: $status: $output"
    [ "$status" -eq 0 ]
    [ "$(grep -cx 'Test passed.' <<<"$output")" -eq 1 ]
}

@test "UCX within a node: images, messages, transfers, words, collectives" {
    within 8 3 base
    within 3 3 messages
    within 7 3 transfer
    within 16 4 words all 100
    within 10 3 collective all 500
}

@test "UCX on two hosts: images and messages" {
    between 8 4 base
    between 3 4 messages
    between 3 4 shared
}

@test "UCX on two hosts: transfers" {
    between 7 4 transfer
}

@test "UCX on two hosts: an image in an MPI call of its own, or that computes, is served" {
    between 2 2 served
}

@test "UCX on two hosts: words and collectives" {
    between 16 4 words all 10
    between 10 4 collective all 500
}

@test "on two hosts: device, managed and mapped memory, by UCX and by MPI" {
    local carrier
    need_program accelerated_ranks_test
    for carrier in ucx mpi; do
        CAF_CONDUIT=$carrier ranks_on_hosts 2 2 "$tests/accelerated_ranks_test"
        all_checks 7
    done
}

@test "UCX on two hosts: images that stop early" {
    local scenario
    for scenario in "stop_at_random 1" "stopping 2 1 4 3"; do
        # shellcheck disable=SC2086
        ranks_on_hosts 2 4 "$tests/caf_stop_ranks_test" $scenario
        echo "$scenario: $status: $output"
        [ "$(grep -c '^ok image' <<<"$output")" -eq 4 ]
    done
}

@test "settings: an unknown conduit, and what UCX cannot do" {
    CAF_CONDUIT=pigeon ranks 1 "$tests/caf_base_ranks_test"
    [[ $output$stderr == *"CAF_CONDUIT is 'pigeon', but must be mpi or ucx"* ]]
    CAF_TRANSFER=datatype ranks 1 "$tests/caf_base_ranks_test"
    [[ $output$stderr == *"CAF_TRANSFER=datatype needs MPI, but CAF_CONDUIT is ucx"* ]]
}

@test "on two hosts an image fails: the others learn it from STAT= and go on" {
    cluster
    local way
    unset CAF_CONDUIT # cafrun's choice
    for way in 0 9; do
        goes_on 4 failed_image "$way"
    done
    goes_on 4 teams
    MPIRUN=$BIN/cafrun run timeout 200 run/cluster mpirun -np 4 "$PROGRAMS/death_seen"
    echo "$status: $output"
    [ "$status" -eq 0 ]
    grep -q '^seen after [0-9.]* ms$' <<<"$output"
}

@test "on two hosts: exit codes, and an error stop ends all" {
    cluster
    MPIRUN=$BIN/cafrun run timeout 200 run/cluster mpirun -np 3 "$PROGRAMS/stop_codes" code
    [ "$status" -eq 3 ]
    [ "$(grep -c '^STOP 3$' <<<"$output")" -eq 3 ]
    MPIRUN=$BIN/cafrun run timeout 200 run/cluster mpirun -np 3 "$PROGRAMS/stop_codes" error-code
    [ "$status" -eq 6 ]
    [ "$(grep -c '^ERROR STOP 6 *$' <<<"$output")" -eq 1 ]
}

# SOAK=1000: so many programs instead of 4; SOAK_FIRST=N: from that seed on.
@test "soak on two hosts: an image fails at a random moment, and nobody hangs" {
    cluster
    local seed first=${SOAK_FIRST:-4} ways=(0 6 9 14)
    for ((seed = first; seed < first + ${SOAK:-4}; seed++)); do
        goes_on $((2 + seed % 4)) soak "$seed" "${ways[seed % 4]}"
    done
}
