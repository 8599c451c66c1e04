# prefetch/sip/transport: blocks between workers and servers, both ways, with one to four workers and one to three servers.

setup() {
    cd "$BATS_TEST_DIRNAME/.."
    program=build/${GPU:-soft}/test/prefetch_transport_ranks_test
    [ -x "$program" ] || skip "no MPI here: prefetch_transport_ranks_test was not built"
    launch=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe --bind-to none)
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
}

# all_works WAY WORKERS SERVERS [MPIRUN OPTIONS]: every check of the scenario passes.
all_works() {
    run "${launch[@]}" "${@:4}" -np $(($2 + $3)) "$program" all "$1" "$2" "$3"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^ok ' <<<"$output")" -eq 14 ]
    ! grep -q '^not ok' <<<"$output"
}

@test "messages: one worker, one server" {
    all_works messages 1 1
}

@test "messages: two workers, one server" {
    all_works messages 2 1
}

@test "messages: four workers, three servers" {
    all_works messages 4 3
}

@test "messages: over TCP, where large blocks arrive in parts" {
    export OMPI_MCA_btl=tcp,self
    all_works messages 3 2
}

@test "window: one worker, one server" {
    all_works window 1 1
}

@test "window: two workers, three servers" {
    all_works window 2 3
}

@test "window: four workers, two servers" {
    all_works window 4 2
}

@test "a full disk loses nothing that was acknowledged" {
    run "${launch[@]}" -np 2 "$program" full messages 1 1
    [ "$status" -eq 0 ]
    [ "$output" = "ok disk_is_full" ]
}

@test "a server that does not answer any more is an error after the limit" {
    run "${launch[@]}" -np 2 "$program" stopped messages 1 1
    [ "$status" -ne 124 ]
    [[ $output == *"ok server_has_stopped"* && $output != *"not ok"* ]]
}

@test "a server that never starts is an error after the limit" {
    run "${launch[@]}" -np 2 "$program" silent messages 1 1
    [ "$status" -ne 124 ]
    [[ $output == *"ok server_is_silent"* && $output != *"not ok"* ]]
}

@test "impossible configurations are sentences" {
    run "${launch[@]}" -np 2 "$program" wrong messages 1 1
    [ "$status" -eq 0 ]
    [ "$output" = "ok wrong_configurations" ]
}

@test "an MPI that cannot make a window says so, and names the other ways" {
    "${MPIRUN:-mpirun}" --version | grep -q 'Open MPI) 4' || skip "Open MPI 4 has a component that refuses threads"
    run "${launch[@]}" --mca osc pt2pt -np 2 "$program" all window 1 1
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ]
    [[ $output == *"cannot make a window over these hosts"*"choose the transport with messages"* ]]
}
