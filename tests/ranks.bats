# common/ranks: MPI programs start alone and with several ranks, and all ranks leave together.

setup() {
    cd "$BATS_TEST_DIRNAME/.."
    program=build/${GPU:-soft}/test/ranks_test
    [ -x "$program" ] || skip "no MPI here: ranks_test was not built"
    launch=(timeout 300 "${MPIRUN:-mpirun}" --oversubscribe)
    [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
}

@test "an MPI program runs alone" {
    run timeout 300 "$program"
    [ "$status" -eq 0 ]
    [ "$output" = "ok ranks of 1" ]
}

@test "three ranks see one another" {
    run "${launch[@]}" -np 3 "$program"
    [ "$status" -eq 0 ]
    [ "$output" = "ok ranks of 3" ]
}

@test "a failed MPI call is a sentence, and all ranks leave" {
    run "${launch[@]}" -np 3 "$program" error
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ]
    [[ $output == *"RESULT: FAIL MPI_Send"*"rank 1"* ]]
}
