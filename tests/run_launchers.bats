#!/usr/bin/env bats
# Another MPI, from Debian's packages: MPICH. What the suite knows of ranks holds with it, and a launcher of the other MPI is noticed.
# LAUNCHERS_LONG=1: every program of several ranks is built and run with it (minutes).
load helper

setup_file() {
    unset MAKEFLAGS MFLAGS MAKELEVEL MPICC MPIRUN
    command -v mpicc.mpich >/dev/null || return 0
    export with_mpich=$BATS_FILE_TMPDIR/ranks_test
    [ ! -x "$tests/ranks_test" ] || build_with_mpich "$with_mpich"
}

setup() {
    [ "${GPU:-soft}" = soft ] || skip "is built with the software GPU"
    need_program ranks_test
    command -v mpicc.mpich >/dev/null && command -v mpiexec.hydra >/dev/null || skip "no MPICH: apt-get install mpich libmpich-dev"
    readelf -d "$tests/ranks_test" | grep -q 'libmpi\.so' || skip "the suite is not built with Open MPI"
}

@test "MPICH: ranks see one another, and a failed call ends them all" {
    run_apart mpiexec.hydra -n 3 "$with_mpich"
    [ "$status" -eq 0 ]
    [ "$output" = "ok ranks of 3" ]
    run_apart mpiexec.hydra -n 3 "$with_mpich" error
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ]
    [[ $stderr == *"RESULT: FAIL MPI_Send"*"rank 1"* ]]
}

@test "a program of one MPI under the other's launcher says so, both ways" {
    run_apart mpiexec.hydra -n 2 "$tests/ranks_test"
    [ "$status" -ne 0 ]
    [[ $stderr == *"MPICH's mpiexec started 2 processes, but by Open MPI "*" each is alone: it is another MPI's launcher"* ]]
    MPIRUN=mpirun.openmpi ranks 2 "$with_mpich"
    [ "$status" -ne 0 ]
    [[ $stderr == *"Open MPI's mpirun started 2 processes, but by MPICH "*" each is alone: it is another MPI's launcher"* ]]
}

@test "with MPICH's mpirun the virtual cluster is waived, and says why" {
    need_cluster
    MPIRUN=mpirun.mpich run bash -c 'ranks=2 gpus=0 needs=cluster=2 gpu=soft; source run/needs.sh; unmet_need'
    [ "$status" -eq 0 ]
    [[ $output == *"it needs the virtual cluster, which starts ranks by Open MPI's mpirun, and mpirun.mpich is MPICH's" ]]
}
