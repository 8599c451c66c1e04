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

@test "another MPI's launcher is noticed: the program would be alone several times" {
    OMPI_COMM_WORLD_SIZE=3 run_apart "$tests/ranks_test"
    [ "$status" -eq 1 ]
    [[ $stderr == *"RESULT: FAIL Open MPI's mpirun started 3 processes, but by "*" each is alone: it is another MPI's launcher; use the mpirun of "* ]]
    SLURM_STEP_NUM_TASKS=2 run_apart "$tests/ranks_test"
    [ "$status" -eq 1 ]
    [[ $stderr == *"srun started 2 processes"*"srun --mpi=list"* ]]
    # The launcher's own variable counts, not that of a batch system around it.
    OMPI_COMM_WORLD_SIZE=1 SLURM_STEP_NUM_TASKS=2 run_apart "$tests/ranks_test"
    [ "$status" -eq 0 ]
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
