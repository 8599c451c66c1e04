# prefetch/sip/transport: blocks between workers and servers, both ways, with one to four workers and one to three servers.

load helper

setup() {
    need_program prefetch_transport_ranks_test
    program=$tests/prefetch_transport_ranks_test
}

# works WAY WORKERS SERVERS: every check of the scenario passes.
works() {
    ranks $(($2 + $3)) "$program" all "$@"
    all_checks 14
}

@test "messages: one worker, one server" {
    works messages 1 1
}

@test "messages: two workers, one server" {
    works messages 2 1
}

@test "messages: four workers, three servers" {
    works messages 4 3
}

@test "messages: over TCP, where large blocks arrive in parts" {
    export OMPI_MCA_btl=tcp,self
    works messages 3 2
}

@test "window: one worker, one server" {
    works window 1 1
}

@test "window: two workers, three servers" {
    works window 2 3
}

@test "window: four workers, two servers" {
    works window 4 2
}

@test "a full disk loses nothing that was acknowledged" {
    ranks 2 "$program" full messages 1 1
    all_checks 1
}

# ends SCENARIO CHECK: the check passes, and then the scenario ends the job, before any limit of the test.
ends() {
    ranks 2 "$program" "$1" messages 1 1
    [ "$status" -ne 124 ]
    [[ $output == *"ok $2"* && $output != *"not ok"* ]]
}

@test "a server that does not reply any more is an error after the limit" {
    ends stopped server_has_stopped
}

@test "a server that never starts is an error after the limit" {
    ends silent server_is_silent
}

@test "impossible configurations are sentences" {
    ranks 2 "$program" wrong messages 1 1
    all_checks 1
}

@test "an MPI that cannot make a window says so, and names the other ways" {
    "${MPIRUN:-mpirun}" --version | grep -q 'Open MPI) 4' || skip "Open MPI 4 has a component that refuses threads"
    OMPI_MCA_osc=pt2pt ranks 2 "$program" all window 1 1
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ]
    [[ $output == *"cannot make a window over these hosts"*"choose the transport with messages"* ]]
}
