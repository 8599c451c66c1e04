# common/ranks: MPI programs start alone and with several ranks, and all ranks leave together.

load helper

setup() {
    need_program ranks_test
}

@test "an MPI program runs alone" {
    run_apart "$tests/ranks_test"
    [ "$status" -eq 0 ]
    [ "$output" = "ok ranks of 1" ]
}

@test "three ranks see one another" {
    ranks 3 "$tests/ranks_test"
    [ "$status" -eq 0 ]
    [ "$output" = "ok ranks of 3" ]
}

@test "a failed MPI call is a sentence, and all ranks leave" {
    ranks 3 "$tests/ranks_test" error
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ]
    [[ $stderr == *"RESULT: FAIL MPI_Send"*"rank 1"* ]]
}
