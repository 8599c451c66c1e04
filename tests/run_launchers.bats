#!/usr/bin/env bats
# Another MPI, from Debian's packages: MPICH. What the suite knows of ranks holds with it, and a launcher of the other MPI is noticed.
# LAUNCHERS_LONG=1, or LAUNCHERS_LONG="rdma spmv": the programs of all directories, or of these, are built and their experiments of several ranks run with it
# (minutes for each directory).
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
    # Each rank's stderr goes to a file: Hydra now and then ends before it has passed on what they wrote.
    # shellcheck disable=SC2016
    run_apart mpiexec.hydra -n 3 sh -c 'exec "$1" error 2>>"$2"' sh "$with_mpich" "$BATS_TEST_TMPDIR/said"
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ]
    cat "$BATS_TEST_TMPDIR/said"
    [[ $(<"$BATS_TEST_TMPDIR/said") == *"RESULT: FAIL MPI_Send"*"rank 1"* ]]
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

@test "LAUNCHERS_LONG: what has several ranks is measured with MPICH, but for what says why not" {
    local tree=$BATS_TEST_TMPDIR/tree directories=${LAUNCHERS_LONG:-} ids
    [ -n "$directories" ] || skip "takes minutes for each directory: LAUNCHERS_LONG=1, or LAUNCHERS_LONG=rdma"
    mkdir "$tree"
    git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t "$tree"
    cd "$tree"
    [ "$directories" != 1 ] || directories='prefetch rdma spmv coarrays'
    ids=$(run/manifest rows | awk -F'\t' -v among=" $directories " 'index(among, " " $2 " ") && $7 > 1 { print $1 }' | paste -sd ' ')
    run make --no-print-directory -k MPICC=mpicc.mpich MPIRUN=mpirun.mpich SCALE=smoke EXPERIMENTS="$ids" measure
    echo "$output"
    [ "$status" -eq 0 ]
    # shellcheck disable=SC2086
    grep -h '"mpi": "' $(printf 'results/local/%s.json ' $ids) | sort -u | grep -q MPICH
    [ "$(grep -lh '"status": "PASS"' results/local/*.json | wc -l)" -gt 0 ]
    # Waived is what needs hosts, GPU pointers, or Open MPI by name.
    run ! grep -vE 'virtual cluster|CUDA|GPU|Open MPI' <<<"$(sed -n 's/^\[.*waived: //p' <<<"$output")"
}
